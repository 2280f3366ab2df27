//! Tests of commands that search an index, given archives in its place, and of commands that read archives, given an
//! index.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{pdn, run, run_with, text};

const FIRST: &str = "[White \"Wiersma\"]\n[Black \"Sijbrands\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n\
    [White \"Clerc\"]\n[Black \"Wiersma\"]\n[GameType \"20\"]\n1. 34-29 17-21 1-1\n\n";
const SECOND: &str = "[White \"Wiersma\"]\n[Black \"Gantwarg\"]\n[GameType \"20\"]\n1. 32-28 18-22 0-2\n\n";

/// Writes two archives in a folder.
fn archives(place: &Path) -> [PathBuf; 2] {
    let files = [place.join("first.pdn"), place.join("second.pdn")];
    fs::write(&files[0], FIRST).unwrap();
    fs::write(&files[1], SECOND).unwrap();
    files
}

/// Runs the command with a folder for temporary files, and checks that it is empty afterwards.
fn run_without_leftovers(args: &[&str], code: i32) -> (String, String) {
    let temporary = tempfile::tempdir().unwrap();
    let output = pdn(args).env("TMPDIR", temporary.path()).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(code), "{args:?}: {err}");
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0, "{args:?} left files behind");
    (out, err)
}

/// Returns a command with paths before its options.
fn with_paths<'a>(args: &[&'a str], paths: &[&'a str]) -> Vec<&'a str> {
    [&args[..1], paths, &args[1..]].concat()
}

#[test]
fn archives_are_searched_like_an_index_of_them() {
    let place = tempfile::tempdir().unwrap();
    let [first, second] = archives(place.path());
    let [first, second] = [text(&first), text(&second)];
    let dir = place.path().join("index");
    let dir = text(&dir);
    assert_eq!(run(&["index", first, second, "-o", dir]).code, 0);
    for args in [
        &["find", "--player", "wiersma", "--json"][..],
        &["find", "--moves", "1. 32-28", "--format", "fen"],
        &["find", "--player", "wiersma", "--format", "pdn"],
        &["find", "--count", "-q", "white : wiersma"],
        &["tree", "--json"],
    ] {
        let indexed = run(&with_paths(args, &[dir]));
        assert_eq!((indexed.code, indexed.err.as_str()), (0, ""), "{args:?}");
        let (out, err) = run_without_leftovers(&with_paths(args, &[first, second]), 0);
        assert_eq!(out, indexed.out, "{args:?}");
        assert!(err.contains("indexed 3 games in") && err.contains("for this command"), "{err}");
        // A folder of archives.
        assert_eq!(
            run_without_leftovers(&with_paths(args, &[text(place.path())]), 0).0,
            indexed.out,
            "{args:?}"
        );
    }
    let (_, err) = run_without_leftovers(&["find", first, "--white", "nobody at all"], 1);
    assert!(err.contains(&format!("`pdn index {first} -o DIR` makes an index that stays")), "{err}");
}

#[test]
fn standard_input_is_searched_with_its_text() {
    let found = run_with(&["find", "-", "--white", "clerc", "--format", "pdn"], FIRST.as_bytes());
    assert_eq!(found.code, 0, "{}", found.err);
    assert!(found.out.contains("34-29") && !found.out.contains("Gantwarg"), "{}", found.out);
    let tree = run_with(&["tree", "-", "--json"], FIRST.as_bytes());
    let value: Value = serde_json::from_str(&tree.out).unwrap();
    assert_eq!(value["games"], 2);
}

#[test]
fn mixtures_of_indexes_and_archives_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let [first, second] = archives(place.path());
    let dirs = ["one.idx", "two.idx"].map(|name| place.path().join(name));
    for dir in &dirs {
        assert_eq!(run(&["index", text(&first), "-o", text(dir)]).code, 0);
    }
    let empty = place.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let missing = place.path().join("missing.pdn");
    for command in ["find", "tree"] {
        let encoded = run(&[command, text(&dirs[0]), "--encoding", "cp1251"]);
        assert_eq!((encoded.code, encoded.out.as_str()), (2, ""), "{command}");
        assert!(encoded.err.contains("whose text was decoded when it was made"), "{}", encoded.err);
        for (paths, message) in [
            (&[&dirs[0], &second][..], "one.idx: is an index: give either one index or archives"),
            (&[&second, &dirs[0]], "one.idx: is an index: give either one index or archives"),
            (&[&dirs[0], &dirs[1]], "two.idx; only one can be searched at a time"),
            (&[&empty], "empty: neither an index nor a folder with PDN files"),
            (&[&first, &missing], "missing.pdn: no such file or folder"),
        ] {
            let paths: Vec<_> = paths.iter().map(|path| text(path)).collect();
            let refused = run(&[&[command][..], &paths].concat());
            assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{command} {paths:?}");
            assert!(refused.err.contains(message), "{command} {paths:?}: {}", refused.err);
        }
    }
}

#[test]
fn an_archive_that_cannot_be_read_is_a_failure_although_others_are_searched() {
    let place = tempfile::tempdir().unwrap();
    let [first, _] = archives(place.path());
    let broken = place.path().join("broken.pdn.gz");
    fs::write(&broken, b"\x1f\x8b\x08 and no more").unwrap();
    let found = run(&["find", text(&first), text(&broken), "--white", "wiersma", "--count"]);
    assert_eq!((found.code, found.out.as_str()), (2, "1\n"), "{}", found.err);
    assert!(found.err.contains("broken.pdn.gz"), "{}", found.err);
}

#[test]
fn commands_that_read_archives_read_those_of_an_index() {
    let place = tempfile::tempdir().unwrap();
    let [first, second] = archives(place.path());
    let dir = place.path().join("index");
    assert_eq!(run(&["index", text(&first), text(&second), "-o", text(&dir)]).code, 0);
    for command in [&["stats", "--json"][..], &["check", "--json", "--strict"]] {
        let of = |paths: &[&str]| run(&[command, paths].concat());
        let (direct, indexed) = (of(&[text(&first), text(&second)]), of(&[text(&dir)]));
        assert_eq!((indexed.code, &indexed.out), (direct.code, &direct.out), "{command:?}");
        assert!(indexed.err.contains("is an index; reading the 2 archives"), "{}", indexed.err);
        let mixed = of(&[text(&dir), text(&first)]);
        assert_eq!(mixed.code, 2);
        assert!(mixed.err.contains("is an index: give either one index or archives"), "{}", mixed.err);
    }
    fs::remove_file(&second).unwrap();
    let gone = run(&["stats", "--json", text(&dir)]);
    assert_eq!(gone.code, 2, "a missing archive is no success");
    assert!(gone.err.contains("second.pdn"), "{}", gone.err);
}

#[test]
fn the_number_that_find_prints_is_the_number_that_show_takes() {
    let place = tempfile::tempdir().unwrap();
    let [first, second] = archives(place.path());
    let dir = place.path().join("index");
    assert_eq!(run(&["index", text(&first), text(&second), "-o", text(&dir)]).code, 0);
    let gantwarg = ["--black", "gantwarg"];
    // Of an index, of one file, of a folder, and of several files: the footer tells the command.
    for paths in [&[text(&dir)][..], &[text(&second)], &[text(place.path())], &[text(&first), text(&second)]]
    {
        let table = run(&[&["find"], paths, &gantwarg].concat());
        let footer = table.out.lines().last().unwrap_or_default();
        let (_, command) = footer.split_once('`').unwrap_or_else(|| panic!("{paths:?}: {}", table.out));
        let command: Vec<_> = command.split('`').next().unwrap().split(' ').skip(1).collect();
        let shown = run(&command);
        assert!(shown.out.contains("Gantwarg"), "{command:?}: {} {}", shown.out, shown.err);
    }
}

#[test]
#[cfg(unix)]
fn a_stopped_command_leaves_no_temporary_index() {
    use std::process::{Command, Stdio};

    let (place, temporary) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = place.path().join("games.pdn");
    fs::write(&file, FIRST.repeat(100_000)).unwrap();
    let commands: [&[&str]; 2] =
        [&["find", text(&file), "--count"], &["bench", text(&file), "--stages", "index", "--threads", "1"]];
    for args in commands {
        let child = pdn(args)
            .env("TMPDIR", temporary.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Wait until the folder is there, and no longer: a signal is handled from the first moment.
        while fs::read_dir(temporary.path()).unwrap().next().is_none() {
            std::thread::yield_now();
        }
        let stopped = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(stopped.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(130), &b""[..]), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "pdn: stopped\n", "{args:?}");
        assert!(fs::read_dir(temporary.path()).unwrap().next().is_none(), "{args:?}: files are left behind");
    }
}
