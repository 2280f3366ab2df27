//! Tests of `pdn show` with a path.

use crate::common::{check_snapshot, run, run_with};
use serde_json::Value;

#[test]
fn show_prints_a_game_and_its_board() {
    for (name, args) in [
        ("show-legal.txt", &["show", "moves.pdn"][..]),
        ("show-ply.txt", &["show", "moves.pdn", "1", "--ply", "2", "--letters"]),
        ("show-illegal.txt", &["show", "moves.pdn", "2"]),
        ("show-position.txt", &["show", "clean.pdn", "2", "--ply", "0", "--numbers"]),
    ] {
        let run = run(args);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{args:?}");
        check_snapshot(name, &run.out);
    }
}

#[test]
fn show_prints_a_game_as_json() {
    let run1 = run(&["show", "clean.pdn", "1", "--json"]);
    assert_eq!((run1.code, run1.err.as_str()), (0, ""));
    let value: Value = serde_json::from_str(&run1.out).unwrap();
    check_snapshot("show.json", &format!("{value:#}\n"));
    let illegal: Value = serde_json::from_str(&run(&["show", "moves.pdn", "2", "--json"]).out).unwrap();
    assert_eq!((&illegal["status"], &illegal["stop"]["move"]), (&"illegal".into(), &"10-13".into()));
    assert_eq!(illegal["rest"], serde_json::json!(["10-13", "38-33"]));
}

#[test]
fn show_draws_the_position_of_a_ply() {
    let run = run(&["show", "clean.pdn", "1", "--ply", "3", "--svg", "-"]);
    assert!(run.code == 0 && run.out.trim_start().starts_with("<svg"), "{}", run.err);
}

#[test]
fn show_reads_compressed_files_and_standard_input() {
    let plain = run(&["show", "clean.pdn", "2"]).out;
    assert_eq!(run(&["show", "clean.pdn.gz", "2"]).out, plain);
    let bytes = std::fs::read(crate::common::data().join("clean.pdn")).unwrap();
    assert_eq!(run_with(&["show", "-", "2"], &bytes).out, plain);
}

#[test]
fn show_reports_missing_games_and_files() {
    for (args, code, message) in [
        (&["show", "clean.pdn", "3"][..], 1, "clean.pdn: there is no game 3, only 2 games"),
        (&["show", "clean.pdn", "1", "--ply", "6"], 1, "--ply 6: the game has 5 legal plies"),
        (&["show", "no-such-file.pdn", "1"], 2, "no-such-file.pdn"),
        (&["show", "clean.pdn", "0"], 2, "0 is not in"),
        (&["show", "--ply", "3"], 2, "--help"),
        (&["show", "clean.pdn", "--fen", "W:W1:B50"], 2, "cannot be used with"),
    ] {
        let run = run(args);
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{args:?}");
        assert!(run.err.contains(message), "{}", run.err);
    }
}

#[test]
fn show_refuses_very_long_records() {
    let text = format!("1. 32-28 {} *", "(1... 19-23) ".repeat(100_000));
    let run = run_with(&["show", "-"], text.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (2, "pdn: -: game 1 is too long to be shown\n"));
}

#[test]
fn show_prints_no_control_characters() {
    let run = run(&["show", "hostile.pdn"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!run.out.chars().any(|c| c.is_control() && c != '\n'), "{}", run.out);
}
