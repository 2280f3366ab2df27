//! Books of `pdn index --positions`: the same trees as without, kept by append and merge.

use crate::common::{run, text};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Games with two openings, one of which three games share.
const GAMES: &str = "\
[GameType \"20\"]\n[Result \"2-0\"]\n[Date \"1981.??.??\"]\n[WhiteRating \"2200\"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n\
[GameType \"20\"]\n[Result \"1-1\"]\n[Date \"1975.02.??\"]\n\n1. 32-28 17-21 1-1\n\n\
[GameType \"20\"]\n[Result \"0-2\"]\n\n1. 32-28 19-23 2. 28x19 13x24 0-2\n\n\
[GameType \"20\"]\n[Result \"*\"]\n\n1. 33-28 18-23 *\n\n";

fn archive(folder: &Path, name: &str, games: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, games).unwrap();
    path
}

/// Runs a command that must succeed and returns what it prints.
#[track_caller]
fn done(args: &[&str]) -> String {
    let run = run(args);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out
}

/// Compares the trees of an index with those of one without key tables.
#[track_caller]
fn check_trees(dir: &Path, plain: &Path) {
    for options in [
        &["--variant", "international"][..],
        &["--moves", "32-28"],
        &["--moves", "32-28 19-23", "--transpositions"],
        &["--moves", "32-28", "--player", "A"],
        &["--moves", "32-28", "--date", "1970-1980"],
        &["--date", "1981", "--transpositions"],
    ] {
        let tree = |dir: &Path| run(&[&["tree", text(dir), "--json"], options].concat()).out;
        assert_eq!(tree(dir), tree(plain), "{options:?}");
    }
}

#[test]
fn book_is_kept_by_append_and_merge_and_can_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let first = archive(folder.path(), "a.pdn", GAMES);
    let second = archive(folder.path(), "b.pdn", GAMES);
    let (dir, plain) = (path("games.idx"), path("plain.idx"));
    let built = done(&["index", text(&first), "-o", text(&dir), "--positions", "--book", "2", "--json"]);
    let built: Value = serde_json::from_str(&built).unwrap();
    // The start position, and those after 32-28, 32-28 19-23 and 32-28 19-23 28x19.
    assert_eq!(built["book_positions"], 4);
    assert_eq!(built["book_bytes"], fs::metadata(dir.join("segment-00000001.book")).unwrap().len());
    done(&["index", text(&first), "-o", text(&plain)]);
    check_trees(&dir, &plain);
    let tree: Value =
        serde_json::from_str(&done(&["tree", text(&dir), "--moves", "32-28", "--json"])).unwrap();
    assert_eq!([&tree["games"], &tree["first_year"], &tree["last_year"]], [3, 1975, 1981]);
    assert_eq!(tree["exact"], true);

    let appended = done(&["index", "--append", text(&second), "-o", text(&dir)]);
    assert!(appended.contains("The book has the trees of 8 positions, "), "{appended}");
    done(&["index", "--append", text(&second), "-o", text(&plain)]);
    check_trees(&dir, &plain);
    done(&["merge", text(&dir)]);
    for extension in ["book", "openings"] {
        let is_there = |number: u32| dir.join(format!("segment-0000000{number}.{extension}")).exists();
        assert!(is_there(3) && !is_there(1), "{extension}");
    }
    check_trees(&dir, &plain);
    done(&["verify", text(&dir), "--replay"]);

    done(&["index", "--append", "--positions", "--book", "0", text(&second), "-o", text(&dir)]);
    assert!(!dir.join("segment-00000003.book").exists() && !dir.join("segment-00000003.openings").exists());
    check_trees(&dir, &plain);
    // What an index has not got, an append does not add.
    let third = archive(folder.path(), "c.pdn", "[GameType \"20\"]\n1. 32-28 *\n");
    let appended = done(&["index", "--append", text(&third), "-o", text(&dir)]);
    assert!(appended.contains("key tables") && !appended.contains("book"), "{appended}");
}

#[test]
fn games_of_a_removed_file_leave_the_book() {
    let folder = tempfile::tempdir().unwrap();
    let archives = folder.path().join("archives");
    fs::create_dir(&archives).unwrap();
    let first = archive(&archives, "a.pdn", GAMES);
    archive(&archives, "b.pdn", GAMES);
    let dir = folder.path().join("games.idx");
    done(&["index", text(&archives), "-o", text(&dir), "--positions", "--book", "2"]);
    let games = || -> Value {
        serde_json::from_str::<Value>(&done(&["tree", text(&dir), "--moves", "32-28", "--json"])).unwrap()["games"].clone()
    };
    assert_eq!(games(), 6);
    fs::remove_file(first).unwrap();
    done(&["index", "--append", "--prune", text(&archives), "-o", text(&dir)]);
    assert_eq!(games(), 3);
    done(&["verify", text(&dir), "--replay"]);
}

#[test]
fn damaged_book_is_left_out_and_verify_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let games = archive(folder.path(), "a.pdn", GAMES);
    let dir = folder.path().join("games.idx");
    done(&["index", text(&games), "-o", text(&dir), "--positions", "--book", "2"]);
    let whole = run(&["tree", text(&dir)]);
    let path = dir.join("segment-00000001.book");
    let mut bytes = fs::read(&path).unwrap();
    bytes[100] ^= 4;
    fs::write(&path, bytes).unwrap();
    // The tree is counted without the book.
    let counted = run(&["tree", text(&dir)]);
    assert_eq!((counted.code, &counted.out), (0, &whole.out), "{}", counted.err);
    let expected = "segment-00000001.book";
    assert!(counted.err.contains(expected), "{}", counted.err);
    let verified = run(&["verify", text(&dir)]);
    assert_eq!(verified.code, 1);
    assert!(verified.out.contains("segment-00000001.book"), "{}", verified.out);
    // An append builds it again.
    done(&["index", "--append", text(&games), "-o", text(&dir)]);
    done(&["tree", text(&dir)]);
}
