//! Tests of `pdn index` on folders, streams and compressed files: readable inputs are indexed, the others reported.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::common::{run, run_with, text};
use serde_json::Value;

/// Returns `count` games of a player, which differ in their round.
fn games(player: &str, count: usize) -> String {
    let game =
        |number| format!("[White \"{player}\"]\n[Round \"{number}\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n");
    (1..=count).map(game).collect()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(text.as_bytes()).unwrap();
    writer.finish().unwrap()
}

fn zip(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in entries {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[cfg(unix)]
#[test]
fn pipes_are_read_completely() {
    let place = tempfile::tempdir().unwrap();
    let input = games("Piped", 100);
    let dir = place.path().join("index");
    for path in ["-", "/dev/stdin"] {
        let done = run_with(&["index", "--json", "-o", text(&dir), path], input.as_bytes());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{path}");
        let value: Value = serde_json::from_str(&done.out).unwrap();
        assert_eq!((value["games"].as_u64(), value["bytes"].as_u64()), (Some(100), Some(input.len() as u64)));
    }
}

#[test]
fn readable_files_of_a_folder_are_indexed() {
    let place = tempfile::tempdir().unwrap();
    let (folder, dir) = (place.path().join("games"), place.path().join("index"));
    fs::create_dir_all(folder.join("more")).unwrap();
    let put = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    put("a.pdn", games("Plain", 3).as_bytes());
    put("b.pdn.gz", &gzip(&games("Gzip", 4)));
    put(
        "c.zip",
        &zip(&[("one.pdn", &games("Zip", 2)), ("notes.txt", "no games"), ("two.pdn", &games("Zip2", 1))]),
    );
    put("empty.pdn", b"");
    put("more/d.pdn.zst", &zstd::encode_all(games("Zstd", 5).as_bytes(), 1).unwrap());
    put("more/z.pdn", games("Last", 6).as_bytes());
    put("notes.txt", b"no PDN");
    let good: usize = [("Plain", 3), ("Gzip", 4), ("Zip", 2), ("Zip2", 1), ("Zstd", 5), ("Last", 6)]
        .map(|(name, n)| games(name, n).len())
        .iter()
        .sum();

    // A truncated file, an invalid zip, a binary file, a dangling link and a socket.
    let whole = gzip(&games("Cut", 5000));
    put("cut.pdn.gz", &whole[..whole.len() / 2]);
    put("broken.zip", b"PK\x03\x04 and then nothing of the kind");
    put("program.pdn", &[b"\x7fELF\x02\x01\x01".as_slice(), &[0; 500]].concat());
    let mut bad = vec!["broken.zip", "cut.pdn.gz", "program.pdn"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere.pdn", folder.join("link.pdn")).unwrap();
        bad.insert(2, "link.pdn");
        // A socket is skipped, as pipes are, which could wait for ever.
        let _socket = std::os::unix::net::UnixListener::bind(folder.join("socket.pdn")).unwrap();
    }

    let done = run(&["import", "--json", "-o", text(&dir), text(&folder)]);
    assert_eq!(done.code, 2);
    let value: Value = serde_json::from_str(&done.out).unwrap();
    let number = |key: &str| value[key].as_u64().unwrap_or_else(|| panic!("{key} in {value}"));
    let failures = value["failures"].as_array().unwrap();
    let sockets = if cfg!(unix) { ", 1 pipe or device" } else { "" };
    let note = format!("pdn: not read in the searched folders: 1 file not named like PDN files{sockets}\n");
    let reported: Vec<_> = done.err.strip_prefix(&note).expect("a note comes first").lines().collect();
    assert_eq!((failures.len(), reported.len()), (bad.len(), bad.len()), "{}", done.err);
    for ((name, failure), line) in bad.iter().zip(failures).zip(reported) {
        let path = folder.join(name);
        assert_eq!(failure["file"], text(&path));
        let reason = failure["error"].as_str().unwrap();
        assert_eq!(line, format!("pdn: {}: {reason}", text(&path)));
        assert!(reason.contains(' '), "a reason: {reason}");
    }
    // Games before the damage are indexed; the last one is truncated.
    let cut = number("bytes") - good as u64;
    assert!(cut > 10_000 && cut < games("Cut", 5000).len() as u64 * 3 / 4, "{cut}");
    let statuses = ["legal", "illegal", "ambiguous", "damaged", "empty", "unsupported", "problems"];
    assert_eq!(statuses.map(number).iter().sum::<u64>(), number("games"));
    let whole = games("Cut", 5000)[..cut as usize].matches(" *\n").count() as u64;
    assert!(whole > 1000 && number("legal") == 21 + whole, "{value}");
    assert_eq!((number("files"), number("index_games")), (8, number("games")));

    // The text summary has the same number.
    let text_summary = run(&["index", "-o", text(&dir), text(&folder)]);
    assert_eq!(text_summary.code, 2);
    let expected = format!("{} files could not be read completely.", bad.len());
    assert!(text_summary.out.lines().nth(1) == Some(&expected), "{}", text_summary.out);

    // All readable games are indexed, and the last one can be shown.
    let verified = run(&["verify", "--json", text(&dir)]);
    let verified: Value = serde_json::from_str(&verified.out).unwrap();
    assert_eq!((&verified["index"], &verified["games"]), (&serde_json::json!([]), &number("games").into()));
    // The archive that was cut is still incomplete.
    let incomplete = verified["archives"].as_array().unwrap();
    assert!(incomplete.len() == 1 && incomplete[0]["file"] == text(&folder.join("cut.pdn.gz")), "{verified}");
    let last = run(&["show", text(&dir), &number("games").to_string()]);
    assert!(last.out.contains("[White \"Last\"]\n[Round \"6\"]"), "{}", last.out);
}

/// The games of a file that is not text are not those of the file before it, however many batches it has.
#[test]
fn the_rest_of_a_binary_file_is_not_indexed() {
    let place = tempfile::tempdir().unwrap();
    let (good, program) = (place.path().join("a.pdn"), place.path().join("b.pdn"));
    fs::write(&good, "1. 32-28 19-23 *\n").unwrap();
    let games = "[Event \"x\"]\n\n1. 32-28 19-23 *\n\n".repeat(60_000);
    fs::write(&program, [b"\x7fELF\x02\x01\x01".as_slice(), &[0; 1 << 16], games.as_bytes()].concat())
        .unwrap();
    let dir = place.path().join("index");
    let done = run(&["index", "-o", text(&dir), text(&good), text(&program)]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("b.pdn: is binary, not text"), "{}", done.err);
    assert!(done.out.starts_with("1 game in 1 file, "), "{}", done.out);
}

/// Every byte of a file belongs to one game, and every game has one status.
#[test]
fn every_game_and_every_byte_is_accounted_for() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("index");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora");
    for folder in ["codes", "quirks", "specs"] {
        let done = run(&["index", "--json", "-o", text(&dir), text(&root.join(folder))]);
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        let value: Value = serde_json::from_str(&done.out).unwrap();
        let number = |key: &str| value[key].as_u64().unwrap_or_else(|| panic!("{key} in {value}"));
        let sizes =
            fs::read_dir(root.join(folder)).unwrap().map(|file| file.unwrap().metadata().unwrap().len());
        assert_eq!(number("bytes"), sizes.sum::<u64>(), "{folder}");
        let statuses = ["legal", "illegal", "ambiguous", "damaged", "empty", "unsupported", "problems"];
        assert_eq!(statuses.map(number).iter().sum::<u64>(), number("games"), "{folder}");
        // All games that are neither legal nor empty nor problems are listed, and counted by code.
        let listed = fs::read_to_string(dir.join("rejects.jsonl")).unwrap();
        let rejects = number("games") - number("legal") - number("empty") - number("problems");
        assert_eq!(listed.lines().count() as u64, rejects, "{folder}");
        let codes = value["rejects"].as_object().unwrap();
        assert_eq!(codes.values().map(|games| games.as_u64().unwrap()).sum::<u64>(), rejects, "{folder}");
        for line in listed.lines() {
            let reject: Value = serde_json::from_str(line).unwrap();
            let keys: Vec<_> = reject.as_object().unwrap().keys().map(String::as_str).collect();
            let all = [
                "game", "file", "record", "offset", "length", "line", "at", "code", "status", "ply",
                "reason", "text",
            ];
            assert_eq!(keys, all);
            let file = reject["file"].as_str().unwrap();
            let shown = run(&["show", "--json", file, &reject["record"].to_string()]);
            let shown: Value = serde_json::from_str(&shown.out).unwrap();
            assert_eq!(reject["status"], shown["status"], "{line}");
            if let Some(stop) = shown["stop"]["ply"].as_u64() {
                assert_eq!(reject["ply"], stop, "{line}");
            }
            let bytes = fs::read(file).unwrap();
            let before = &bytes[..reject["at"].as_u64().unwrap() as usize];
            let lines = before.iter().filter(|&&byte| byte == b'\n').count() as u64;
            assert_eq!(reject["line"], lines + 1, "{line}");
        }
    }
}
