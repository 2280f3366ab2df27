//! Tests of `pdn find --by` and `pdn find --sort distance`.

use crate::common::{archive_of, run, text};
use serde_json::Value;

const GAMES: &str = "\
[White \"Ames\"]\n[Black \"Berg\"]\n[Date \"1982.11.20\"]\n[Result \"2-0\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n\
[White \"Berg\"]\n[Black \"Cole\"]\n[Date \"1982\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n1. 32-28 17-21 2. 37-32 1-1\n\n\
[White \"Ames\"]\n[Black \"Cole\"]\n[Result \"0-2\"]\n[GameType \"20\"]\n1. 34-29 19-23 0-2\n\n";

fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn games_are_counted_by_group_with_the_query_of_each() {
    let (_folder, path) = archive_of(GAMES);
    let find = |args: &[&str]| run(&[&["find", "--quiet", text(&path)][..], args].concat());

    let years = find(&["--by", "year", "--json"]);
    assert_eq!((years.code, years.err.as_str()), (0, ""));
    let years = lines(&years.out);
    let of = |group: &Value, key: &str| group[key].clone();
    assert_eq!((of(&years[0], "value"), of(&years[0], "games")), (1982.into(), 2.into()));
    assert_eq!((of(&years[1], "value"), of(&years[1], "games")), (Value::Null, 1.into()));
    assert_eq!((of(&years[0], "score"), of(&years[0], "by")), (75.0.into(), "year".into()));
    for group in &years {
        let count = find(&["-q", group["query"].as_str().expect("a query"), "--count"]).out;
        assert_eq!(count.trim(), group["games"].to_string());
    }

    // The moves that follow a pattern wherever it comes.
    let moves = find(&["-q", "black to move and pattern \"w28 b19\"", "--by", "move"]);
    assert_eq!((moves.code, moves.err.as_str()), (0, ""));
    let rows: Vec<&str> = moves.out.lines().collect();
    assert!(rows[1].starts_with("move ") && rows[1].ends_with("score"), "{}", moves.out);
    assert!(rows[2].starts_with("17-21 ") && rows[4].starts_with("19-23 "), "{}", moves.out);
    assert!(rows[3].contains("pattern \"w28 b19\" and move from 17 to 21 takes 0..0"), "{}", moves.out);
    assert!(rows[6].starts_with("end of the game "), "{}", moves.out);
    assert!(moves.out.ends_with("\n2 games in 3 groups.\n"), "{}", moves.out);
    let one = find(&["--by", "player", "--limit", "1"]);
    assert!(one.out.ends_with("\n3 games; 1 of 3 groups, `--limit 0` lists all.\n"), "{}", one.out);

    let none = find(&["--by", "year", "--player", "nobody"]);
    assert_eq!((none.code, none.out.as_str()), (1, ""));
    assert!(none.err.contains("Nobody") || none.err.contains("nobody"), "{}", none.err);
    let wrong = find(&["--by", "colour"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("games are grouped by `move`, `player`, `white`"), "{}", wrong.err);
    assert_eq!(find(&["--by", "year", "--format", "pdn"]).code, 2);
    assert_eq!(find(&["--by", "year", "--count"]).code, 2);
}

#[test]
fn hits_are_sorted_by_the_distance_that_their_row_has() {
    let (_folder, path) = archive_of(GAMES);
    let find = |args: &[&str]| run(&[&["find", "--quiet", text(&path)][..], args].concat());
    let board =
        find(&["--player", "cole", "--white", "berg", "--moves", "32-28 17-21 37-32", "--format", "fen"]).out;
    let near = format!("distance \"{}\" <= 9", board.trim());

    let found = find(&["-q", &near, "--sort", "distance", "--json"]);
    assert_eq!((found.code, found.err.as_str()), (0, ""));
    let places = |out: &str| -> Vec<(u64, u64, u64)> {
        let number = |row: &Value, key: &str| row[key].as_u64().expect("a number");
        lines(out)
            .iter()
            .map(|row| (number(row, "distance"), number(row, "game"), number(row, "ply")))
            .collect()
    };
    // At the start, four squares differ.
    assert_eq!(places(&found.out), [(0, 2, 3), (4, 1, 0), (4, 3, 0)]);
    let reversed = find(&["-q", &near, "--sort", "distance", "--reverse", "--json"]);
    assert_eq!(places(&reversed.out), [(4, 1, 0), (4, 3, 0), (0, 2, 3)]);
    let first = find(&["-q", &near, "--sort", "distance", "--limit", "1", "--json"]);
    assert_eq!(places(&first.out), [(0, 2, 3)]);
    let table = find(&["-q", &near, "--sort", "distance"]);
    assert!(table.out.lines().next().expect("a header").contains("distance"), "{}", table.out);
    let none = find(&["-q", "wk = 1", "--sort", "distance"]);
    assert_eq!(none.code, 2);
    assert!(none.err.contains("one condition such as `distance"), "{}", none.err);
}
