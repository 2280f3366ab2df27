//! `pdn solve`: whether solutions are the only ones.

use std::fs;

use serde_json::Value;

use crate::common::{run, text};

/// Problems that are made for these tests, with their verdicts.
const PROBLEMS: &[(&str, &str, &str, &str)] = &[
    ("unique", "20", "W:W6,30:B12,25", "1. 6-1 25x34 2. 1x45"),
    ("second-solutions", "20", "W:W28,29:B23", "1. 28x19"),
    ("second-solutions", "20", "W:W10,20,30:B9,15,25", "1. 20-14 25x34 2. 14x3"),
    ("unproven", "20", "W:W11,12,14:B6,42", "1. 14-9 6x8 2. 9-3 8-12 3. 3x48"),
    ("no-goal", "20", "W:W31,36:B6,10", "1. 31-27"),
    ("no-solution", "20", "W:W31,36:B6,10", ""),
    ("not-replayed", "20", "W:W28,29:B23", "1. 28-22"),
    ("second-solutions", "98", "W:W28:B18", "1. 28-22 18x27"),
];

/// Returns an archive of the problems, and a game.
fn archive() -> String {
    let problems = PROBLEMS.iter().map(|(name, game_type, fen, moves)| {
        format!("[Event \"{name}\"]\n[GameType \"{game_type}\"]\n[FEN \"{fen}\"]\n\n{moves} *\n\n")
    });
    problems.collect::<String>() + "[Event \"a game\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n"
}

#[test]
fn problems_have_the_verdicts_that_they_are_made_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("problems.pdn");
    fs::write(&path, archive()).unwrap();
    let found = run(&["solve", text(&path), "--json"]);
    assert_eq!((found.code, found.err.as_str()), (1, ""));
    let lines: Vec<Value> = found.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, problems) = lines.split_last().unwrap();
    for (line, (verdict, _, fen, _)) in problems.iter().zip(PROBLEMS) {
        assert_eq!(
            (&line["verdict"], &line["source"]),
            (&Value::from(*verdict), &Value::from(*verdict)),
            "{fen}"
        );
    }
    assert_eq!((problems.len(), &last["summary"]["records"]), (PROBLEMS.len(), &9.into()));
    assert_eq!(last["summary"]["verdicts"]["second-solutions"], 3);
    let second = |line: &Value| -> Vec<Value> {
        let moves = line["moves"].as_array().unwrap().iter();
        moves
            .filter(|mv| mv["reaches"] == true && mv["is_key"] == false)
            .map(|mv| mv["line"].clone())
            .collect()
    };
    assert_eq!(second(&problems[2]), [serde_json::json!(["10-4", "15x35", "4x13"])]);
    assert_eq!(run(&["solve", text(&path), "--json", "--threads", "3"]).out, found.out);
}

#[test]
fn verdicts_are_explained_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("problems.pdn");
    fs::write(&path, archive()).unwrap();
    let run = run(&["solve", text(&path)]);
    for expected in [
        "problems.pdn, record 1: unique\n  international W:W6,30:B12,25\n  unique: only 6-1 reaches the end of the game within 7 plies\n",
        "  second-solutions: 28x19 reaches the end of the game within 5 plies\n    29x18\n",
        "  second-solutions: 20-14 is not proved to reach a lead of 1 within 7 plies; 9x20 prevents it\n    \
         10-4 15x35 4x13\n",
        "  unproven: 14-9 is not proved to reach the end of the game within 9 plies; 6x8 prevents it\n",
        "  no-goal: the solution wins neither the game nor a piece\n",
        "\n8 problems in 9 records: 1 unique, 3 second-solutions, 1 unproven, 1 no-goal, 1 no-solution, 1 not-replayed\n",
    ] {
        assert!(run.out.contains(expected), "{expected}: {}", run.out);
    }
}

#[test]
fn a_goal_may_be_given_and_limits_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.pdn");
    let problem = "[GameType \"20\"]\n[FEN \"W:W28,29,50:B23,6,16\"]\n\n*\n";
    fs::write(&path, problem).unwrap();
    let found = run(&["solve", text(&path), "--lead", "1", "--max-plies", "3"]);
    assert!(
        found.out.contains("second-solutions: to a lead of 1 within 3 plies\n    28x19\n    29x18\n"),
        "{}",
        found.out
    );
    let limited = run(&["solve", text(&path), "--lead", "3", "--max-plies", "9", "--nodes", "10"]);
    assert_eq!(limited.code, 1);
    assert!(
        limited.out.contains("unproven: no first move is proved to reach a lead of 3 within 9 plies"),
        "{}",
        limited.out
    );
    let solved = "[GameType \"20\"]\n[FEN \"W:W6,30:B12,25\"]\n\n1. 6-1 25x34 2. 1x45 *\n";
    fs::write(&path, solved).unwrap();
    assert_eq!(run(&["solve", text(&path)]).code, 0, "a problem whose solution is the only one");
    let wrong = run(&["solve", text(&path), "--max-plies", "0"]);
    assert_eq!(wrong.code, 2);
}
