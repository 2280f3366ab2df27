//! Tests of `pdn find --format pdn`: the games of an index as one PDN text.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{pdn, run, text};

/// Indexes files in a folder.
fn index(place: &Path, files: &[(&str, &[u8])], options: &[&str]) -> String {
    let archives = place.join("archives");
    fs::create_dir_all(&archives).unwrap();
    for (name, bytes) in files {
        fs::write(archives.join(name), bytes).unwrap();
    }
    let dir = place.join("index");
    assert_eq!(run(&[&["index", text(&archives), "-o", text(&dir)][..], options].concat()).code, 0);
    text(&dir).to_owned()
}

fn print(dir: &str, options: &[&str]) -> Output {
    pdn(&[&["find", dir, "--format", "pdn"][..], options].concat()).output().unwrap()
}

#[test]
fn games_of_files_without_a_last_line_end_stay_apart() {
    let place = tempfile::tempdir().unwrap();
    let files: &[(&str, &[u8])] = &[
        ("a.pdn", b"[Event \"a\"]\n1. 24-30 0-1"),
        ("b.pdn", b"\xEF\xBB\xBF[Event \"b\"]\r\n1. 32-28 {unclosed"),
        ("c.pdn", b"[White \"c\"]"),
        ("d.pdn", b"1. 32-28 19-23 *\n\n\n\n1. 33-28 *"),
    ];
    for options in [&[][..], &["--embed"]] {
        let dir = index(place.path(), files, options);
        let printed = print(&dir, &[]);
        let expected = "[Event \"a\"]\n1. 24-30 0-1\n\n[Event \"b\"]\r\n1. 32-28 {unclosed }\r\n\r\n[White \"c\"]\n*\n\n\
                        1. 32-28 19-23 *\n\n1. 33-28 *\n\n";
        assert_eq!(String::from_utf8(printed.stdout).unwrap(), expected);
        let notes = String::from_utf8(printed.stderr).unwrap();
        assert!(notes.contains("1 game received the terminator `*`") && notes.contains("comment"), "{notes}");
        let back = place.path().join("back.pdn");
        fs::write(&back, expected).unwrap();
        let stats: serde_json::Value =
            serde_json::from_str(&run(&["stats", "--json", text(&back)]).out).unwrap();
        assert_eq!(stats["games"], 5, "{stats}");
        // Games without tags need none as long as a terminator stands before them.
        let reversed = print(&dir, &["--reverse"]);
        let notes = String::from_utf8(reversed.stderr).unwrap();
        assert!(!notes.contains("first tag"), "{notes}");
        assert!(reversed.stdout.starts_with(b"1. 33-28 *\n\n1. 32-28 19-23 *\n\n[White \"c\"]\n*"));
    }
}

#[test]
fn games_are_utf_8_unless_raw() {
    let place = tempfile::tempdir().unwrap();
    let cp1251 = b"[White \"\xC8\xE2\xE0\xED\xEE\xE2\"]\n[Black \"\xCF\xE5\xF2\xF0\xEE\xE2\"]\n1. 32-28 *\n";
    let utf8 = "[White \"Čížov\"]\n1. 32-28 *\n";
    let files: &[(&str, &[u8])] =
        &[("a.pdn", cp1251), ("b.pdn", utf8.as_bytes()), ("c.pdn", b"[White \"\xC8\"]\n1. 32-28 *\n")];
    for options in [&[][..], &["--embed"], &["--encoding", "cp1251"]] {
        let dir = index(place.path(), &files[..1], options);
        let printed = print(&dir, &[]);
        assert_eq!(
            String::from_utf8(printed.stdout).unwrap(),
            "[White \"Иванов\"]\n[Black \"Петров\"]\n1. 32-28 *\n\n"
        );
        assert_eq!(print(&dir, &["--raw"]).stdout, [&cp1251[..], b"\n"].concat());
    }
    // The encoding that was given for the index decodes what cannot be guessed.
    let forced = tempfile::tempdir().unwrap();
    let dir = index(forced.path(), &files[2..], &["--encoding", "cp866"]);
    assert_eq!(String::from_utf8(print(&dir, &[]).stdout).unwrap(), "[White \"╚\"]\n1. 32-28 *\n\n");
    let dir = index(place.path(), files, &[]);
    let printed = String::from_utf8(print(&dir, &[]).stdout).unwrap();
    assert!(printed.contains("Иванов") && printed.contains("Čížov"), "{printed}");
}

#[test]
fn bytes_that_cannot_be_decoded_are_reported() {
    let place = tempfile::tempdir().unwrap();
    let damaged = "[White \"Čížov Čížov\"]\n{?}\n1. 32-28 *\n".replace('?', "\u{1}").into_bytes();
    let damaged: Vec<u8> = damaged.into_iter().map(|byte| if byte == 1 { 0xFF } else { byte }).collect();
    let dir = index(place.path(), &[("a.pdn", &damaged)], &[]);
    let printed = print(&dir, &[]);
    assert!(String::from_utf8(printed.stdout).unwrap().contains('\u{FFFD}'));
    let note = String::from_utf8(printed.stderr).unwrap();
    assert!(note.contains("1 game") && note.contains("replaced by U+FFFD"), "{note}");
    assert_eq!(print(&dir, &["--raw"]).stdout, [&damaged[..], b"\n"].concat());
}

#[test]
fn inferred_game_type_is_added_on_request() {
    let place = tempfile::tempdir().unwrap();
    let files: &[(&str, &[u8])] = &[(
        "a.pdn",
        b"[White \"a\"]\n[Black \"b\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n[White \"c\"]\n[GameType \"25\"]\n1. c3-d4 *\n\n1. 32-28 18-23 *\n",
    )];
    let dir = index(place.path(), files, &["--untagged", "international"]);
    let printed = String::from_utf8(print(&dir, &["--add", "GameType"]).stdout).unwrap();
    let expected = "[White \"a\"]\n[Black \"b\"]\n[GameType \"20,W,10,10,N2,0\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n\
                    [White \"c\"]\n[GameType \"25\"]\n1. c3-d4 *\n\n[GameType \"20,W,10,10,N2,0\"]\n\n1. 32-28 18-23 *\n\n";
    assert_eq!(printed, expected);
    let wrong = run(&["find", &dir, "--add", "GameType"]);
    assert_eq!((wrong.code, wrong.err.as_str()), (2, "pdn: `--raw` and `--add` need `--format pdn`\n"));
}

#[test]
fn game_type_is_not_added_after_a_tag_that_is_not_closed() {
    let place = tempfile::tempdir().unwrap();
    let dir = index(place.path(), &[("a.pdn", b"[White \"a\"]\n[Black \"b\"\n1. 32-28 19-23 *\n")], &[]);
    assert_eq!(
        String::from_utf8(print(&dir, &["--add", "GameType"]).stdout).unwrap(),
        "[GameType \"20,W,10,10,N2,0\"]\n[White \"a\"]\n[Black \"b\"\n1. 32-28 19-23 *\n\n"
    );
}

#[test]
fn changed_archive_does_not_hide_games_of_others() {
    let place = tempfile::tempdir().unwrap();
    let game = |name: &str| format!("[White \"{name}\"]\n1. 32-28 *\n\n");
    let (a, b, c) = (game("a"), game("b"), game("c"));
    let dir = index(
        place.path(),
        &[("a.pdn", a.as_bytes()), ("b.pdn", b.as_bytes()), ("c.pdn", c.as_bytes())],
        &[],
    );
    // Growth is no change of what was indexed.
    fs::write(place.path().join("archives/a.pdn"), a.clone() + &game("more")).unwrap();
    let printed = print(&dir, &[]);
    assert_eq!(
        (printed.status.code(), String::from_utf8(printed.stdout).unwrap()),
        (Some(0), a.clone() + &b + &c)
    );
    fs::write(place.path().join("archives/b.pdn"), game("x")).unwrap();
    let printed = print(&dir, &[]);
    assert_eq!((printed.status.code(), String::from_utf8(printed.stdout).unwrap()), (Some(2), a + &c));
    let message = String::from_utf8(printed.stderr).unwrap();
    assert!(
        message.contains("b.pdn: the archive has changed") && message.contains("1 game left out"),
        "{message}"
    );
}

#[test]
fn many_games_are_printed_in_any_order_on_any_number_of_threads() {
    let place = tempfile::tempdir().unwrap();
    let text: String = (0..3000)
        .map(|game| format!("[White \"{}\"]\n[Round \"{game}\"]\n1. 32-28 19-23 *\n\n", game * 7919 % 3000))
        .collect();
    for options in [&[][..], &["--embed"]] {
        let dir = index(place.path(), &[("a.pdn", text.as_bytes())], options);
        for threads in ["1", "4"] {
            let all = print(&dir, &["--threads", threads]);
            assert!(all.stdout == text.as_bytes(), "{threads} threads");
            let mut backwards: Vec<&str> = text.split_inclusive("\n\n").collect();
            backwards.reverse();
            let reversed = print(&dir, &["--threads", threads, "--reverse"]);
            assert!(reversed.stdout == backwards.concat().as_bytes(), "{threads} threads");
        }
        assert_eq!(
            print(&dir, &["--sample", "10", "--sort", "white"]).stdout.split(|&b| b == b'[').count(),
            21
        );
    }
}
