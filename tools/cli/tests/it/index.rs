//! The summary of `pdn index`, threads, and a damaged index.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{data, run, text};
use serde_json::Value;

/// Returns the names and bytes of the files of an index, except the lock.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(dir).unwrap().map(|file| file.unwrap());
    files
        .map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap()))
        .filter(|(name, _)| name != "lock")
        .collect()
}

#[test]
fn index_summary_adds_up() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("index");
    let sources = ["clean.pdn", "moves.pdn", "damaged.pdn", "cp866.pdn"];
    let run1 = run(&[&["index", "--json", "-o", text(&dir)][..], &sources].concat());
    assert_eq!((run1.code, run1.err.as_str()), (0, ""));
    let value: Value = serde_json::from_str(&run1.out).unwrap();
    let number = |key: &str| value[key].as_u64().unwrap_or_else(|| panic!("{key} in {value}"));
    let statuses = ["legal", "illegal", "ambiguous", "damaged", "empty", "unsupported", "problems"];
    assert_eq!(statuses.map(number).iter().sum::<u64>(), number("games"));
    let bytes: u64 = sources.iter().map(|file| fs::metadata(data().join(file)).unwrap().len()).sum();
    assert_eq!((number("bytes"), number("files"), number("index_games")), (bytes, 4, number("games")));
    for key in ["seconds", "games_per_second", "plies_per_second", "mb_per_second"] {
        assert!(value[key].as_f64().unwrap() > 0.0, "{key}");
    }
    assert!(number("threads") > 0 && number("index_bytes") > 0);

    // `check` counts the same.
    let check = run(&[&["check", "--summary", "--json"][..], &sources].concat()).out;
    let check: Value = serde_json::from_str(&check).unwrap();
    for key in statuses.iter().chain(&["games", "plies", "bytes", "files"]) {
        assert_eq!(check["summary"][key], value[key], "{key}");
    }
    // Every rejected record is listed.
    let listed = fs::read_to_string(dir.join("rejects.jsonl")).unwrap().lines().count() as u64;
    let counted: u64 = value["rejects"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(listed, counted);
    let text_summary = run(&["import", "-o", text(&dir), "moves.pdn"]);
    assert_eq!(text_summary.code, 0);
    let first = "7 games in 1 file, 621 B: 2 legal, 3 illegal, 1 ambiguous, 1 damaged.\n";
    assert!(text_summary.out.starts_with(first), "{}", text_summary.out);
    let last = format!(
        "  R007         1  a position that is impossible on this board\n\n\
         Now `pdn find` searches {}, and `pdn tree` shows its openings.\n",
        text(&dir)
    );
    assert!(text_summary.out.ends_with(&last), "{}", text_summary.out);
    // The speed is printed for runs of a tenth of a second or more.
    let line = text_summary.out.lines().nth(1).unwrap();
    let (_, time) = line.split_once(" in ").unwrap();
    let seconds: f64 = time.split(' ').next().unwrap().parse().unwrap();
    let is_close = (seconds - 0.1).abs() < 0.01;
    assert!(is_close || line.contains("games/s") == (seconds > 0.1), "{line}");
}

#[test]
fn index_is_equal_on_any_number_of_threads() {
    let place = tempfile::tempdir().unwrap();
    let build = |threads: &str| {
        let dir = place.path().join(threads);
        let done =
            run(&["index", "--threads", threads, "-o", text(&dir), "moves.pdn", "clean.pdn", "damaged.pdn"]);
        assert_eq!((done.code, done.err.as_str()), (0, ""));
        files(&dir)
    };
    let one = build("1");
    assert!(one.len() >= 3, "{:?}", one.keys());
    assert!(build("2") == one && build("3") == one && build("16") == one);
}

#[test]
fn verify_detects_changes_of_the_index() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("index");
    assert_eq!(run(&["index", "-o", text(&dir), "moves.pdn"]).code, 0);
    let segments: Vec<_> = files(&dir).into_iter().filter(|(name, _)| name.ends_with(".pdns")).collect();
    assert_eq!(segments.len(), 1);
    for (name, mut bytes) in segments {
        let middle = bytes.len() / 2;
        // Longer than the padding between two sections, which no checksum covers.
        bytes[middle..middle + 128].iter_mut().for_each(|byte| *byte ^= 0x40);
        fs::write(dir.join(&name), bytes).unwrap();
    }
    let verified = run(&["verify", text(&dir)]);
    assert_eq!(verified.code, 1, "{}", verified.err);
    assert!(verified.out.contains(": damaged; index the archives again. "), "{}", verified.out);
}
