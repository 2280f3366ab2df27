//! Tests of `pdn tree` and `pdn index --positions`.

use std::fs;
use std::path::PathBuf;

use crate::common::{run, text};
use serde_json::Value;

const GAMES: &str = "\
[White \"A\"]\n[Black \"B\"]\n[Date \"1999.01.02\"]\n[WhiteRating \"2300\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n
[White \"C\"]\n[Black \"A\"]\n[Date \"2003\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 1-1\n
[White \"C\"]\n[Black \"D\"]\n[GameType \"20\"]\n1. 33-28 18-22 0-2\n
[White \"C\"]\n[Black \"D\"]\n[GameType \"20\"]\n1. 31-27 18-22 2. 27x18 12x23 *\n
[White \"E\"]\n[Black \"F\"]\n[GameType \"25\"]\n1. c3-d4 b6-a5 *\n";

/// An index in a temporary folder.
struct TestIndex {
    _folder: tempfile::TempDir,
    dir: PathBuf,
}

/// Indexes [`GAMES`].
fn build_index(options: &[&str]) -> TestIndex {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("games.pdn");
    fs::write(&archive, GAMES).unwrap();
    let dir = folder.path().join("index");
    let built = run(&[&["index", text(&archive), "-o", text(&dir)][..], options].concat());
    assert_eq!(built.code, 0, "{}", built.err);
    TestIndex { _folder: folder, dir }
}

/// Runs `pdn tree --json`.
fn tree(index: &TestIndex, options: &[&str]) -> Value {
    let run = run(&[&["tree", text(&index.dir), "--json"][..], options].concat());
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run.err.is_empty(), value["games"] != 0, "an empty answer is explained: {}", run.err);
    assert_eq!(run.code, i32::from(value["games"] == 0), "{options:?}");
    value
}

#[test]
fn tree_is_equal_with_and_without_key_tables() {
    let (plain, with_tables) = (build_index(&[]), build_index(&["--positions"]));
    assert!(with_tables.dir.join("segment-00000001.keys").exists());
    assert!(!plain.dir.join("segment-00000001.keys").exists());
    for options in [
        &[][..],
        &["--moves", "1. 32-28 19-23 2. 28x19"],
        &["--moves", "32-28 19-23 28x19 14x23", "--transpositions"],
        &["--fen", "B:W28,31,33-50:B1-20", "--sort", "score"],
        &["--player", "A", "--limit", "1"],
        &["-g", "russian", "--threads", "1"],
        &["--fen", "W:WK1:BK50"],
    ] {
        assert_eq!(tree(&plain, options), tree(&with_tables, options), "{options:?}");
    }
}

#[test]
fn key_tables_survive_appending_and_are_refused_if_damaged() {
    let index = build_index(&["--positions"]);
    let more = index.dir.with_file_name("more.pdn");
    fs::write(&more, "[GameType \"20\"]\n1. 32-28 17-21 *\n").unwrap();
    let added = run(&["index", "--append", "--json", "-o", text(&index.dir), text(&more)]);
    let value: Value = serde_json::from_str(&added.out).unwrap();
    assert!(
        value["positions"].as_u64() > Some(20) && value["positions_bytes"].as_u64() > Some(200),
        "{value}"
    );
    assert!(index.dir.join("segment-00000002.keys").exists());
    assert_eq!(tree(&index, &["--moves", "32-28"])["games"], 3);
    assert_eq!(run(&["verify", text(&index.dir)]).code, 0);
    let path = index.dir.join("segment-00000001.keys");
    // Searches go on without it, and name the short way to a sound one.
    let mut flipped = fs::read(&path).unwrap();
    flipped[100] ^= 4;
    for args in [&["tree"][..], &["find", "--variant", "international", "--fen", "B:W27,31-50:B1-20"]] {
        let args = [args, &[text(&index.dir)]].concat();
        fs::remove_file(&path).unwrap();
        let expected = run(&args);
        assert!(!expected.err.contains("damaged"), "{}", expected.err);
        for damaged in [&b"damaged"[..], &flipped] {
            fs::write(&path, damaged).unwrap();
            let found = run(&args);
            assert!(
                found.err.contains("segment-00000001.keys: damaged, and not used")
                    && found.err.contains("`pdn index --append`"),
                "{args:?}: {}",
                found.err
            );
            assert_eq!((found.code, &found.out), (expected.code, &expected.out), "{args:?}");
        }
    }
    let verified = run(&["verify", text(&index.dir)]);
    assert_eq!(verified.code, 1);
    // Appending builds the damaged table again, and merging keeps key tables.
    assert_eq!(run(&["index", "--append", "-o", text(&index.dir), text(&more)]).code, 0);
    assert_eq!(run(&["merge", text(&index.dir)]).code, 0);
    assert!(index.dir.join("segment-00000003.keys").exists());
    assert_eq!(tree(&index, &["--moves", "32-28"])["games"], 3);
}
