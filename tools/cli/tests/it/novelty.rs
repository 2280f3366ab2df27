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

#[test]
fn query_finds_first_occurrences_and_novelties() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("games.pdn");
    fs::write(&archive, GAMES).unwrap();
    let found = |query: &str, more: &[&str]| {
        let found =
            run(&[&["find", text(&archive), "--json", "--fields", "game,ply,novelty", "-q", query], more]
                .concat());
        let rows = found.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.map(|row| json!([row["game"], row["ply"], row["novelty"]])).collect::<Vec<_>>()
    };
    // The position after the novelty, which is counted before its move; and the first positions of the first games.
    assert_eq!(
        found("first earlier = 0", &[]),
        [json!([1, 0, null]), json!([2, 4, 3]), json!([3, 5, 4]), json!([6, 0, null])]
    );
    assert_eq!(found("first earlier = 0 and ply 1..", &[]), [json!([2, 4, 3]), json!([3, 5, 4])]);
    let position = "line \"1. 32-28 19-23 2. 28x19 13x24\" and earlier = 0";
    assert_eq!(found(position, &[]), [json!([2, 4, 3])]);
    assert_eq!(found("earlier >= 3 and last", &[]), [json!([5, 1, null])]);
    assert_eq!(
        found("earlier >= 1", &["--all-plies", "--player", "bell"]),
        [json!([5, 0, null]), json!([5, 1, null])]
    );
    let explained = run(&["find", text(&archive), "--explain", "-q", "first earlier = 0"]);
    assert!((explained.out + &explained.err).contains("first earlier = 0"));
}

#[test]
fn convert_writes_the_novelty_as_a_comment_and_changes_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let archive = path("games.pdn");
    let given = "\
[Event \"Cup {1}\"]\n[White \"Ames\"]\n[Black \"B\u{e9}l\"]\n[Date \"1950.03.01\"]\n1. 32-28 19-23 2. 28x19 14x23 1-1\n
[White \"Cole\"]\n[Date \"1951\"]\n1. 32-28 19-23 2. 28x19 13x24 $2 {why not} 3. 33-28 (3. 34-29) 2-0\n
[White \"Dunn\"]\n[Date \"1952\"]\n1. 32-28 19-23 2. 28x19 13x24 3. 33-28 8-13 0-2\n
[White \"Ebel\"]\n1. 31-27 *\n";
    fs::write(&archive, given).unwrap();
    let convert = |input: &str, output: &str, more: &[&str]| {
        let run =
            run(&[&["convert", text(&path(input)), "-o", text(&path(output)), "--force"], more].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        fs::read_to_string(path(output)).unwrap()
    };
    let without = convert("games.pdn", "without.pdn", &[]);
    let with = convert("games.pdn", "with.pdn", &["--add", "novelty"]);
    let first = " {Novelty. Before: 14x23, Ames - B\u{e9}l, Cup (1), 1950.03.01}";
    let second = " {Novelty. Before: Cole - ?, 1951, which ends here}";
    // Line breaks between words are those of a longer text.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let moves = words(&with);
    assert!(moves.contains(&format!("13x24 $2{first} {{why not}}")), "{with}");
    assert!(moves.contains(&format!("8-13{second} *")), "{with}");
    assert_eq!(moves.replace(first, "").replace(second, ""), words(&without));
    assert_eq!(convert("with.pdn", "again.pdn", &["--add", "novelty"]), with);

    // The index of the archive says the same, and games are compared with those that a filter leaves out.
    let indexed = run(&["index", text(&archive), "-o", text(&path("games.idx"))]);
    assert_eq!(indexed.code, 0, "{}", indexed.err);
    assert_eq!(
        convert("games.idx", "index.pdn", &["--add", "PlyCount,Novelty"]).matches("Novelty").count(),
        2
    );
    let of_dunn = convert("games.idx", "dunn.pdn", &["--add", "Novelty", "--player", "dunn"]);
    assert!(words(&of_dunn).contains(second) && !of_dunn.contains("Ames\"]"), "{of_dunn}");

    let refused = run(&["convert", text(&archive), "--add", "novelty", "--strip", "comments"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("comments are left out"), "{}", refused.err);
}

#[test]
fn tables_have_novelties_and_facts_if_they_are_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("games.pdn");
    fs::write(&archive, GAMES).unwrap();
    let dir = folder.path().join("games.idx");
    assert_eq!(run(&["index", text(&archive), "-o", text(&dir)]).code, 0);
    let columns =
        "white,novelty,man_takes,king_takes,white_promotes,black_promotes,white_lead,black_lead,king_run";
    let expected = format!(
        "{columns}\r\nAmes,,1,0,,,1,0,0\r\nCole,3,1,0,,,1,0,0\r\nAmes,4,1,0,,,1,0,0\r\n\
         Ebel,,0,0,,,0,0,0\r\nBell,,0,0,,,0,0,0\r\nGale,,0,0,,,0,0,0\r\n"
    );
    for input in [&archive, &dir] {
        assert_eq!(run(&["export", text(input), "--columns", columns]).out, expected);
        // With a column that takes the text of the record.
        let both = run(&["export", text(input), "--columns", &format!("{columns},date_text")]).out;
        let dates = ["date_text", "1950.03.01", "1951", "1952.??.??", "", "1960.01.01", "1940.01.01"];
        let lines = expected.lines().zip(dates).map(|(line, date)| format!("{line},{date}\r\n"));
        assert_eq!(both, lines.collect::<String>());
    }
    let usual = run(&["export", text(&archive)]).out;
    assert!(!usual.lines().next().unwrap().contains("novelty"), "{usual}");
    let part = run(&["export", text(&archive), "--columns", "novelty", "--part", "1/2"]);
    assert!(part.code == 2 && part.err.contains("a column takes an index"), "{}", part.err);
}
