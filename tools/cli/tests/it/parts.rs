//! `pdn export --part`: the parts join to the whole.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::common::{pdn, run, run_with, text};

/// Games of one variant, whose later ones fit several variants; some look like several records, some are damaged.
fn archive() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pdn");
    let games: String = (0..40)
        .map(|n| {
            format!(
                "[White \"W{n}\"]\n[Date \"soon\"]\n\n1. 11-15 23-19 2. 8-11 22-17 {{\n[White \"no\"]\n1. 9-13 *\n}} *\n\n\
                 1. 11-15\n23-18 (2. 9-13 *\n\n[White \"{n}\"] 1. 9-{n} *\n\n"
            )
        })
        .collect();
    fs::write(&path, games).expect("written");
    (folder, path)
}

#[test]
fn parts_join_to_the_whole_export() {
    let (_folder, path) = archive();
    let path = text(&path);
    let exports: [&[&str]; 5] = [
        &["--table", "games"],
        &["--table", "games", "--json", "--white", "begins:w1"],
        &["--table", "diagnostics", "--strict"],
        &["--table", "moves", "--json"],
        &["--table", "positions", "--columns", "key,game,ply,variant,fen"],
    ];
    for options in exports {
        let export = |more: &[&str]| {
            let run = run(&[&["export", path], options, more].concat());
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{more:?}");
            run.out
        };
        let whole = export(&[]);
        for n in [2, 7] {
            let by_part: String =
                (1..=n).map(|part| export(&["--part", &format!("{part}/{n}"), "--mmap", "never"])).collect();
            assert_eq!(by_part, whole, "{n} parts of {options:?}");
        }
        assert_eq!(export(&["--part", "999/1000"]), "", "fewer records than parts");
    }
}

#[test]
fn file_that_cannot_be_divided_has_one_part() {
    let (folder, path) = archive();
    let games = fs::read_to_string(&path).expect("there");
    let units: Vec<u8> = games.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let frames: Vec<u8> =
        games.as_bytes().chunks(999).flat_map(|text| zstd::encode_all(text, 1).expect("packed")).collect();
    for (name, bytes) in [("utf16.pdn", [b"\xFF\xFE", &units[..]].concat()), ("games.pdn.zst", frames)] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        let export = |more: &[&str]| run(&[&["export", text(&path)], more].concat()).out;
        assert_eq!(export(&["--part", "1/3"]), export(&[]), "{name}");
        assert_eq!(export(&["--part", "2/3"]), "", "{name}");
    }
}

#[test]
fn standard_input_has_no_parts() {
    let run = run(&["export", "-", "--part", "1/2"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("takes a file, not -"), "{}", run.err);
}

#[test]
fn wrong_parts_are_refused() {
    let (folder, path) = archive();
    let output = folder.path().join("out.csv");
    let refused = |args: &[&str], message: &str| {
        let run = run(&[&["export", "-o", text(&output)], args].concat());
        assert_eq!(run.code, 2, "{args:?}: {}", run.out);
        assert!(run.err.contains(message), "{args:?}: {}", run.err);
        assert!(!output.exists());
    };
    let path = text(&path);
    refused(&[path, path, "--part", "1/2"], "--part: takes a single file");
    refused(&[text(folder.path()), "--part", "1/2"], "--part: takes a file");
    refused(&[path, "--part", "1/2", "--query", "ply 3"], "takes an index, which is made of a whole file");
    refused(&[path, "--part", "3/2"], "such as 1/8");
    let streamed = run_with(&["export", "-", "--part", "1/2"], b"1. 32-28 *\n");
    assert!(streamed.code == 2 && streamed.err.contains("takes a file"), "{}", streamed.err);
    refused(&["no-such.pdn", "--part", "1/2"], "no-such.pdn");
    let binary = folder.path().join("binary.pdn");
    fs::write(&binary, [1_u8, 2, 3, 4].repeat(1000)).expect("written");
    refused(&[text(&binary), "--part", "1/2"], "binary");
}

/// The example of the help.
#[cfg(unix)]
#[test]
fn processes_export_parts_side_by_side() {
    let (folder, path) = archive();
    let whole = run(&["export", text(&path)]).out;
    let program = pdn(&[]).get_program().to_owned();
    let script = "seq 4 | xargs -P 4 -I I \"$PDN\" export games.pdn --part I/4 --quiet -o part-I.csv && cat part-*.csv";
    let output =
        Command::new("sh").current_dir(folder.path()).env("PDN", program).args(["-c", script]).output();
    let output = output.expect("a shell");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    // The whole names the file by its path.
    let joined = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(joined, whole.replace(text(&path), "games.pdn"));
}
