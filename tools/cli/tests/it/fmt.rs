//! `pdn fmt`: files are rewritten, checked and compared, and games with problems stay as they are.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{run, run_with, text};

/// Two games that are not canonical, and one with an illegal move between them.
const GAMES: &str = "[White \"a\"][Event \"x\"]\n1.32-28 19-23 2-0\n\n[Event \"bad\"] 1. 32-28 32-27 *\n\n\n[Event \"y\"]\n1. 33-28 *\n";
const FORMATTED: &str = "[Event \"x\"]\n[White \"a\"]\n[Result \"2-0\"]\n\n1. 32-28 19-23 *\n\n[Event \"bad\"] 1. 32-28 32-27 *\n\n\n[Event \"y\"]\n\n1. 33-28 *\n";

fn folder_with(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    (folder, path)
}

#[test]
fn fmt_rewrites_files_in_place_once() {
    let (_folder, path) = folder_with("games.pdn", GAMES.as_bytes());
    let first = run(&["fmt", text(&path)]);
    assert_eq!((first.code, first.out.as_str()), (0, ""), "{}", first.err);
    assert_eq!(
        first.err,
        "pdn: 1 file, 1 rewritten; 3 games, 2 rewritten, 1 kept as they are:\n         1  an illegal move\n"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), FORMATTED);
    let second = run(&["fmt", text(&path)]);
    assert!(second.err.starts_with("pdn: 1 file, 0 rewritten; 3 games, 0 rewritten,"), "{}", second.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), FORMATTED);
}

#[test]
fn fmt_check_and_diff_write_nothing() {
    let (_folder, path) = folder_with("games.pdn", GAMES.as_bytes());
    let check = run(&["fmt", "--check", text(&path)]);
    assert_eq!(
        (check.code, check.out.as_str()),
        (1, format!("{}\n", path.display()).as_str()),
        "{}",
        check.err
    );
    let diff = run(&["fmt", "--diff", "--quiet", text(&path)]);
    assert_eq!((diff.code, diff.err.as_str()), (1, ""));
    assert!(
        diff.out.contains("-1.32-28 19-23 2-0\n") && diff.out.contains("+1. 32-28 19-23 *\n"),
        "{}",
        diff.out
    );
    assert!(diff.out.contains(" [Event \"bad\"] 1. 32-28 32-27 *\n"), "{}", diff.out);
    assert_eq!(fs::read_to_string(&path).unwrap(), GAMES);
    fs::write(&path, FORMATTED).unwrap();
    for option in ["--check", "--diff"] {
        let run = run(&["fmt", option, "--quiet", text(&path)]);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""), "{option}");
    }
}

#[test]
fn fmt_filters_standard_input() {
    let run = run_with(&["fmt", "-"], GAMES.as_bytes());
    assert_eq!((run.code, run.out.as_str()), (0, FORMATTED), "{}", run.err);
    let both = run_with(&["fmt", "-", "x.pdn"], b"");
    assert_eq!(both.code, 2);
    assert!(both.err.contains("cannot be combined"), "{}", both.err);
}

#[test]
fn fmt_refuses_containers_and_utf16() {
    let packed = fs::read(crate::common::data().join("clean.pdn.gz")).unwrap();
    let (_folder, path) = folder_with("games.pdn", &packed);
    let run_gzip = run(&["fmt", text(&path)]);
    assert_eq!(run_gzip.code, 2);
    assert!(run_gzip.err.contains("is compressed with gzip; unpack it first"), "{}", run_gzip.err);
    assert_eq!(fs::read(&path).unwrap(), packed);

    let utf16: Vec<u8> = "\u{feff}1.32-28 *\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let bare: Vec<u8> = "[White \"a\"]\n1.32-28 *\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for utf16 in [utf16, bare] {
        fs::write(&path, &utf16).unwrap();
        let refused = run(&["fmt", text(&path)]);
        assert_eq!(refused.code, 2);
        assert!(refused.err.contains("is in UTF-16\n  `--utf8` turns it into UTF-8"), "{}", refused.err);
        assert_eq!(fs::read(&path).unwrap(), utf16);
        let turned = run(&["fmt", "--utf8", text(&path)]);
        assert_eq!(turned.code, 0, "{}", turned.err);
        assert!(fs::read_to_string(&path).unwrap().contains("1. 32-28 *"));
    }
}

#[test]
fn fmt_keeps_line_ends_and_encodings() {
    let crlf = GAMES.replace('\n', "\r\n");
    let (_folder, path) = folder_with("games.pdn", crlf.as_bytes());
    assert_eq!(run(&["fmt", text(&path)]).code, 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), FORMATTED.replace('\n', "\r\n"));
    let cp866 = fs::read(crate::common::data().join("cp866.pdn")).unwrap();
    fs::write(&path, &cp866).unwrap();
    assert_eq!(run(&["fmt", text(&path)]).code, 0);
    assert!(String::from_utf8(fs::read(&path).unwrap()).is_err(), "still CP866");
    assert_eq!(run(&["fmt", "--utf8", text(&path)]).code, 0);
    assert!(String::from_utf8(fs::read(&path).unwrap()).is_ok());
}

#[test]
fn fmt_reports_files_that_it_cannot_read_and_goes_on() {
    let (folder, path) = folder_with("games.pdn", GAMES.as_bytes());
    let missing = folder.path().join("missing.pdn");
    let run = run(&["fmt", text(&missing), text(&path)]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("missing.pdn"), "{}", run.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), FORMATTED);
}

/// Copies of all fixtures and real files: formatted, they have as many records, and formatting again changes nothing.
#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn fmt_is_idempotent_on_every_archive() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let real = root.join("../shared/corpora");
    if !real.exists() {
        eprintln!("SKIPPED: no {}", real.display());
    }
    let folder = tempfile::tempdir().unwrap();
    let mut copies = Vec::new();
    for source in [root.join("corpora"), real] {
        for path in pdn::source::walk([source]).filter_map(Result::ok) {
            let bytes = fs::read(&path).unwrap();
            let copy = folder.path().join(format!("{}.pdn", copies.len()));
            fs::write(&copy, &bytes).unwrap();
            copies.push((path, copy, bytes));
        }
    }
    assert!(copies.len() > 50);
    run(&["fmt", "--quiet", text(folder.path())]);
    let first: Vec<_> = copies.iter().map(|(_, copy, _)| fs::read(copy).unwrap()).collect();
    for ((path, _, old), new) in copies.iter().zip(&first) {
        let count = |text: &[u8]| pdn::split::games(text).count();
        if !old.starts_with(b"\x1F\x8B") && !old.starts_with(b"PK") {
            assert_eq!(count(old), count(new), "{}", path.display());
        }
    }
    run(&["fmt", "--quiet", text(folder.path())]);
    for ((path, copy, _), first) in copies.iter().zip(&first) {
        assert!(fs::read(copy).unwrap() == *first, "{} changes again", path.display());
    }
    assert!(fs::read_dir(folder.path()).unwrap().count() == copies.len(), "no temporary file is left");
}

#[test]
fn game_that_would_join_the_kept_one_before_it_is_kept() {
    // The first game stays because its position cannot be read. The repeated White tag ends it. In canonical order, the
    // second game begins with its Event tag, which would belong to the first one.
    let games = "[White \"a\"]\n[FEN \"W:W99:B1\"]\n\n[White \"c\"]\n[Event \"e\"]\n\n1.32-28 *\n";
    let (_folder, path) = folder_with("games.pdn", games.as_bytes());
    let kept = run(&["fmt", text(&path)]);
    assert_eq!(kept.code, 0, "{}", kept.err);
    assert!(kept.err.contains("2 kept as they are"), "{}", kept.err);
    assert_eq!(fs::read_to_string(&path).unwrap(), games);
    // Alone it is rewritten.
    let second = &games[games.find("[White \"c\"").unwrap()..];
    fs::write(&path, second).unwrap();
    assert_eq!(run(&["fmt", text(&path)]).code, 0);
    assert!(fs::read_to_string(&path).unwrap().starts_with("[Event \"e\"]\n[White \"c\"]\n"));
}
