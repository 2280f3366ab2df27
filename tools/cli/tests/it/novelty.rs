//! Tests of `pdn novelty`.

use std::fs;

use serde_json::{Value, json};

use crate::common::{run, text};

const GAMES: &str = "\
[White \"Ames\"]\n[Black \"Bell\"]\n[Date \"1950.03.01\"]\n1. 32-28 19-23 2. 28x19 14x23 1-1\n
[White \"Cole\"]\n[Black \"Dunn\"]\n[Date \"1951\"]\n1. 32-28 19-23 2. 28x19 13x24 2-0\n
[White \"Ames\"]\n[Black \"Dunn\"]\n[Date \"1952.??.??\"]\n1. 32-28 19-23 2. 28x19 13x24 3. 37-32 0-2\n
[White \"Ebel\"]\n[Black \"Fenn\"]\n1. 31-27 *\n
[White \"Bell\"]\n[Black \"Ames\"]\n[Date \"1960.01.01\"]\n1. 32-28 *\n
[White \"Gale\"]\n[Black \"Hale\"]\n[Date \"1940.01.01\"]\n[GameType \"25\"]\n1. c3-d4 *\n";

#[test]
fn games_are_listed_with_novelty_and_predecessor() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("games.pdn");
    fs::write(&archive, GAMES).unwrap();
    let found = run(&["novelty", text(&archive), "--json"]);
    assert_eq!(found.code, 0, "{}", found.err);
    let rows: Vec<Value> = found.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let key = |row: &Value| {
        json!([
            row["game"],
            row["novelty"],
            row["by"],
            row["move"],
            row["predecessor"]["game"],
            row["predecessor"]["date"]
        ])
    };
    assert_eq!(
        rows.iter().map(key).collect::<Vec<_>>(),
        [json!([2, 3, "black", "13x24", 1, "1950-03-01"]), json!([3, 4, "white", "37-32", 2, null]),]
    );
    assert_eq!(rows[1]["predecessor"]["white"], "Cole");

    let table = run(&["novelty", text(&archive)]).out;
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(
        lines,
        [
            "game  novelty     white  black  date  predecessor  date        white  black",
            "   2  2... 13x24  Cole   Dunn   1951            1  1950.03.01  Ames   Bell",
            "   3  3. 37-32    Ames   Dunn   1952            2  1951        Cole   Dunn",
            "Leave all earlier games: 2 of 6 games.",
            "All positions known from earlier games: 1.",
            "No earlier game begins as they do: 2.",
            "Year unknown: 1.",
        ]
    );
}

#[test]
fn filters_choose_what_is_listed_and_not_what_is_compared() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("games.pdn");
    fs::write(&archive, GAMES).unwrap();
    let of_ames = run(&["novelty", text(&archive), "--player", "ames"]).out;
    assert!(of_ames.contains("   3  3. 37-32"), "{of_ames}");
    assert!(of_ames.contains("earlier games: 1 of 3 games."), "{of_ames}");
    let last_first = run(&["novelty", text(&archive), "--sort", "ply", "--reverse", "--limit", "1"]).out;
    assert!(
        last_first.contains("   3  3. 37-32") && last_first.contains("2 of 6 games; 1 shown"),
        "{last_first}"
    );
    let russian = run(&["novelty", text(&archive), "-g", "russian"]);
    assert_eq!(russian.code, 1);
    assert!(russian.out.contains("0 of 1 game."), "{}", russian.out);
    let nobody = run(&["novelty", text(&archive), "--player", "nobody"]);
    assert_eq!((nobody.code, nobody.out.as_str()), (1, ""));
    assert!(nobody.err.contains("no game matches"), "{}", nobody.err);
}
