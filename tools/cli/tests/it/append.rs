//! Tests of `pdn index --append`, of archives that changed or moved, and of folders that are no index.

use std::fs;
use std::path::Path;

use crate::common::{run, text};
use serde_json::Value;

fn games(player: &str, count: usize) -> String {
    format!("[White \"{player}\"]\n[GameType \"20\"]\n1. 32-28 19-23 2-0\n\n").repeat(count)
}

/// Runs `pdn index --append` and returns its JSON summary.
fn append(dir: &Path, archives: &Path, options: &[&str]) -> (Value, String) {
    let run = run(&[&["index", "--append", "--json", "-o", text(dir), text(archives)][..], options].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    (serde_json::from_str(&run.out).unwrap(), run.err)
}

fn count(dir: &Path) -> String {
    run(&["find", text(dir), "--count"]).out.trim().to_owned()
}

#[test]
fn index_is_not_written_to_a_folder_of_other_files() {
    let place = tempfile::tempdir().unwrap();
    let archive = place.path().join("games.pdn");
    fs::write(&archive, games("a", 2)).unwrap();
    // The folder of the archives, with a file that has the name of one of an index.
    fs::write(place.path().join("manifest"), "mine").unwrap();
    for append in [&[][..], &["--append"]] {
        let run = run(&[&["index", text(&archive), "-o", text(place.path())][..], append].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        let expected =
            "is neither empty nor an index; an index needs a new or empty folder, or one that has an index\n";
        assert!(run.err.ends_with(expected), "{}", run.err);
    }
    let run = run(&["index", text(&archive), "-o", text(&archive)]);
    assert!(run.code == 2 && run.err.contains(": a file; an index is a folder"), "{}", run.err);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
    assert_eq!(fs::read_to_string(place.path().join("manifest")).unwrap(), "mine");
}

#[test]
fn append_replaces_prunes_and_follows_archives() {
    let place = tempfile::tempdir().unwrap();
    let (archives, dir) = (place.path().join("archives"), place.path().join("new/index"));
    fs::create_dir(&archives).unwrap();
    let [a, b] = ["a.pdn", "b.pdn"].map(|name| archives.join(name));
    fs::write(&a, games("a", 3)).unwrap();
    fs::write(&b, games("b", 2)).unwrap();
    assert_eq!(append(&dir, &archives, &[]).0["games"], 5);
    fs::write(&a, games("c", 4)).unwrap();
    let (summary, _) = append(&dir, &archives, &[]);
    let numbers = ["replaced", "retired", "games", "unchanged", "index_games"]
        .map(|key| summary[key].as_u64().unwrap());
    assert_eq!(numbers, [1, 3, 4, 1, 6]);
    assert_eq!(count(&dir), "6");
    assert_eq!(run(&["find", text(&dir), "--white", "a", "--count"]).out, "0\n");
    let retired = run(&["show", text(&dir), "1"]);
    assert!(
        retired.code == 1 && retired.err.contains("game 1 is no longer part of the index"),
        "{}",
        retired.err
    );
    assert_eq!(run(&["show", text(&dir), "5"]).code, 0, "games of other files keep their numbers");

    fs::remove_file(&b).unwrap();
    let (summary, message) = append(&dir, &archives, &[]);
    assert_eq!((summary["missing"][0].as_str(), summary["retired"].as_u64()), (Some(text(&b)), Some(0)));
    assert!(
        message.contains("1 file of the index no longer there") && message.contains("--prune"),
        "{message}"
    );
    assert_eq!(count(&dir), "6");
    assert_eq!(append(&dir, &archives, &["--prune"]).0["retired"], 2);
    assert_eq!(count(&dir), "4");

    let moved = place.path().join("moved");
    fs::rename(&archives, &moved).unwrap();
    let print = |options: &[&str]| run(&[&["find", text(&dir), "--format", "pdn"][..], options].concat());
    assert!(
        print(&[]).err.contains("no longer there") && print(&[]).err.contains("--root"),
        "{}",
        print(&[]).err
    );
    assert_eq!(print(&["--root", text(&moved)]).out, games("c", 4));
    assert_eq!(run(&["show", text(&dir), "6", "--root", text(&moved)]).code, 0);
    let wrong = print(&["--root", text(&dir)]);
    assert!(wrong.code == 2 && wrong.err.contains("none of the archives"), "{}", wrong.err);
    assert_eq!(append(&dir, &moved, &["--root", text(&moved)]).0["unchanged"], 1);
    assert_eq!(print(&[]).out, games("c", 4), "the new folder is stored");
    assert_eq!(run(&["verify", "--full", text(&dir)]).code, 0);
}

/// What could not be read once is missing in the index until the file is whole.
#[test]
fn damage_of_an_unchanged_file_is_told_again() {
    use std::io::Write;
    let place = tempfile::tempdir().unwrap();
    let (archive, dir) = (place.path().join("b.pdn.gz"), place.path().join("index"));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for number in 0..20_000 {
        write!(packed, "[White \"Player {number}\"]\n[GameType \"20\"]\n1. 32-28 19-23 2-0\n\n").unwrap();
    }
    let packed = packed.finish().unwrap();
    fs::write(&archive, &packed[..packed.len() / 2]).unwrap();
    let index = |options: &[&str]| run(&[&["index", text(&archive), "-o", text(&dir)], options].concat());
    let first = index(&[]);
    assert_eq!(first.code, 2, "{}", first.err);
    for _ in 0..2 {
        let again = index(&["--append"]);
        assert_eq!(again.code, 2, "{}{}", again.out, again.err);
        assert!(again.err.contains("b.pdn.gz: a part of it could not be read"), "{}", again.err);
        let verified = run(&["verify", text(&dir), "--full"]);
        assert_eq!(verified.code, 1, "{}", verified.out);
        assert!(verified.out.contains("a part of it could not be read"), "{}", verified.out);
    }
    fs::write(&archive, &packed).unwrap();
    let whole = index(&["--append"]);
    assert_eq!((whole.code, &*count(&dir)), (0, "20000"), "{}", whole.err);
    assert_eq!(run(&["verify", text(&dir), "--full"]).code, 0);
    assert_eq!(index(&["--append"]).code, 0);
}

#[test]
fn file_that_lost_most_of_its_games_is_named() {
    let place = tempfile::tempdir().unwrap();
    let (archive, dir) = (place.path().join("a.pdn"), place.path().join("index"));
    let index = |count: usize, options: &[&str]| {
        fs::write(&archive, games("a", count) + &"\n".repeat(count % 3 + 1)).unwrap();
        run(&[&["index", "--append", text(&archive), "-o", text(&dir)], options].concat())
    };
    assert_eq!(index(100, &[]).code, 0);
    // Some games less are a correction.
    assert_eq!(index(90, &[]).code, 0);
    let shrunk = index(3, &[]);
    assert_eq!(shrunk.code, 1, "{}", shrunk.err);
    assert!(shrunk.out.contains("a.pdn has only 3 games of the 90 it had"), "{}", shrunk.out);
    assert_eq!(index(200, &[]).code, 0);
    assert_eq!(index(3, &["--prune"]).code, 0);
    let (summary, _) = append(&dir, &archive, &[]);
    assert_eq!(summary["shrunk"], serde_json::json!([]));
}

#[test]
fn new_index_of_nothing_is_not_made() {
    let place = tempfile::tempdir().unwrap();
    let (archive, dir) = (place.path().join("missing.pdn"), place.path().join("index"));
    for prune in [&[][..], &["--prune"]] {
        let run = run(&[&["index", "--append", "-o", text(&dir), text(&archive)][..], prune].concat());
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(!dir.exists(), "{prune:?}");
    }
}
