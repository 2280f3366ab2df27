//! The names of openings that moves show: in searches, tables and trees.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{run, text};

const GAMES: &str = "\
[White \"Ames\"]\n[Opening \"Cross\"]\n[GameType \"21\"]\n1. 11-15 23-19 9-14 27-23 8-11 1-1\n
[White \"Bell\"]\n[GameType \"21\"]\n1. 9-14 23-19 11-15 27-23 *\n
[White \"Cole\"]\n[Opening \"Defiance\"]\n[GameType \"21\"]\n1. 11-15 22-18 15x22 *\n
[White \"Dahl\"]\n[GameType \"21\"]\n1. 11-15 *\n
[White \"Egge\"]\n[GameType \"20\"]\n1. 32-28 18-23 *\n";

/// Writes and indexes the games.
fn index(folder: &Path) -> [String; 2] {
    let [archive, dir] = ["games.pdn", "index"].map(|name| folder.join(name));
    fs::write(&archive, GAMES).unwrap();
    assert_eq!(run(&["index", text(&archive), "-o", text(&dir)]).code, 0);
    [archive, dir].map(|path| text(&path).to_owned())
}

#[test]
fn games_are_found_by_the_opening_that_their_moves_show() {
    let folder = tempfile::tempdir().unwrap();
    let [archive, dir] = index(folder.path());
    for (options, expected) in [
        (&["--opening-played", "defiance"][..], &["Ames", "Bell"][..]),
        (&["--opening-played", "like:defyance"], &["Ames", "Bell"]),
        (&["--opening-played", "is:single corner"], &["Cole"]),
        (&["--opening-played", "chef*"], &["Egge"]),
        (&["-q", "opening_played = \"\""], &["Dahl"]),
        (&["-q", "opening_played : defiance and white : bell"], &["Bell"]),
        // The Opening tag is another thing.
        (&["-q", "opening : defiance"], &["Cole"]),
        (&["-q", "opening : cross and opening_played : defiance"], &["Ames"]),
    ] {
        for games in [&dir, &archive] {
            let found = run(&[&["find", games, "--json", "--fields", "white"], options].concat());
            assert_eq!(found.code, 0, "{options:?}: {}", found.err);
            let white = |line: &str| {
                serde_json::from_str::<Value>(line).unwrap()["white"].as_str().unwrap().to_owned()
            };
            assert_eq!(found.out.lines().map(white).collect::<Vec<_>>(), expected, "{games} {options:?}");
        }
    }
    let none = run(&["find", &dir, "--opening-played", "roozenburg"]);
    assert_eq!(none.code, 1);
    assert!(none.err.contains("`opening_played : \"roozenburg\"` matches no game"), "{}", none.err);
}

#[test]
fn opening_that_moves_show_is_a_field_and_a_column() {
    let folder = tempfile::tempdir().unwrap();
    let [archive, dir] = index(folder.path());
    let names = ["Defiance", "Defiance", "Single Corner", "", "Chefneux"];
    let found = run(&["find", &dir, "--json", "--fields", "opening_played"]).out;
    let values: Vec<Value> = found.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let name = |name: &str| if name.is_empty() { Value::Null } else { name.into() };
    assert_eq!(values, names.map(|text| json!({ "opening_played": name(text) })));

    let usual = run(&["export", &archive, "--table", "games", "--format", "csv", "-o", "-"]).out;
    assert!(!usual.contains("opening_played"), "the column is exported only if it is chosen");
    for games in [&archive, &dir] {
        let columns = ["--columns", "white,opening,opening_played"];
        let table =
            run(&[&["export", games, "--table", "games", "--format", "csv", "-o", "-"], &columns[..]]
                .concat());
        let expected = "white,opening,opening_played\r\nAmes,Cross,Defiance\r\nBell,,Defiance\r\nCole,Defiance,Single Corner\r\n\
                        Dahl,,\r\nEgge,,Chefneux\r\n";
        assert_eq!((table.out.as_str(), table.code), (expected, 0), "{games}: {}", table.err);
    }
}

#[test]
fn tree_names_the_opening_of_its_moves_or_of_its_position() {
    let folder = tempfile::tempdir().unwrap();
    let [_, dir] = index(folder.path());
    let tree = |options: &[&str]| -> Value {
        serde_json::from_str(&run(&[&["tree", &dir, "--json", "-g", "english"], options].concat()).out)
            .unwrap()
    };
    let defiance = "B:W19,21-26,28-32:B1-8,10,12,14,15";
    for (options, expected) in [
        (&["--moves", "11-15 23-19 9-14 27-23"][..], json!("Defiance")),
        (&["--moves", "11-15 23-19 9-14 27-23 8-11"], json!("Defiance")),
        (&["--fen", defiance], json!("Defiance")),
        // The way to the position is not known, and it has no name of its own.
        (&["--fen", defiance, "--moves", "8-11"], Value::Null),
        (&["--moves", "11-15"], Value::Null),
        (&[], Value::Null),
    ] {
        assert_eq!(tree(options)["opening_played"], expected, "{options:?}");
    }
    let start = tree(&[]);
    let names: Vec<_> =
        start["moves"].as_array().unwrap().iter().map(|mv| (&mv["move"], &mv["opening_played"])).collect();
    assert_eq!(names, [(&json!("11-15"), &Value::Null), (&json!("9-14"), &json!("Double Corner"))]);
    let table = run(&["tree", &dir, "-g", "english", "--moves", "11-15 22-18"]);
    assert_eq!(table.out.lines().nth(1), Some("Opening: Single Corner"), "{}", table.out);
}
