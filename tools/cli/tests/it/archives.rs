//! Commands that search an index, given archives in its place.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{pdn, run, text};

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
