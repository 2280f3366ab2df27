//! The result that counts, the status of a record and the names of variants, in every command.

use std::fs;

use serde_json::Value;

use crate::common::{run, run_with, text};

/// The Result tag and the terminator contradict each other.
const CONTRADICTION: &str =
    "[White \"a\"]\n[Black \"b\"]\n[Result \"0-1\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 1/2-1/2\n";

fn json(args: &[&str]) -> Value {
    let out = run(args).out;
    serde_json::from_str(out.lines().last().unwrap_or_default())
        .unwrap_or_else(|error| panic!("{args:?}: {error}: {out}"))
}

#[test]
fn result_tag_counts_over_the_terminator_in_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let (games, index) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
    fs::write(&games, CONTRADICTION).unwrap();
    let (games, index) = (text(&games), text(&index));
    assert_eq!(run(&["index", games, "-o", index]).code, 0);

    for (query, matches) in
        [("result 0-1", 1), ("result loss", 1), ("winner black", 1), ("result draw", 0), ("winner nobody", 0)]
    {
        let count = json(&["find", index, "--query", query, "--count", "--json"])["games"].as_u64();
        assert_eq!(count, Some(matches), "{query}");
    }
    let found = json(&["find", index, "--json"]);
    assert_eq!((&found["result"], &found["winner"]), (&"0-1".into(), &"black".into()));
    let fields = json(&["find", index, "--json", "--fields", "result,result_tag,result_end"]);
    assert_eq!(fields, serde_json::json!({ "result": "0-1", "result_tag": "0-1", "result_end": "1/2-1/2" }));
    let tree = json(&["tree", index, "--json"]);
    let counts = ["games", "white", "draws", "black"].map(|key| tree[key].as_u64());
    assert_eq!(counts, [Some(1), Some(0), Some(0), Some(1)]);
    let shown = json(&["show", games, "1", "--json"]);
    let keys = ["result", "result_tag", "result_end", "winner"].map(|key| shown[key].as_str());
    assert_eq!(keys, [Some("0-1"), Some("0-1"), Some("1/2-1/2"), Some("black")]);
    let human = run(&["show", games, "1"]).out;
    assert!(human.contains("The Result tag counts: 0-1. The terminator says 1/2-1/2."), "{human}");
    assert_eq!(json(&["stats", "--json", games])["results"]["0-1"], 1);
    assert_eq!(json(&["stats", "--json", "--no-replay", games])["results"]["0-1"], 1);
    assert!(run(&["check", games]).out.contains("T005"));
}

#[test]
fn winner_of_a_draw_is_draw() {
    let draw = CONTRADICTION.replace("0-1", "*");
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pdn");
    fs::write(&games, draw).unwrap();
    let shown = json(&["show", text(&games), "1", "--json"]);
    assert_eq!((&shown["result"], &shown["winner"]), (&"1/2-1/2".into(), &"draw".into()));
}

#[test]
fn empty_records_problems_and_setups_are_counted_alike_in_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let (games, index) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
    let records = [
        "[FEN \"W:W31:B20\"] *",
        "[FEN \"W:W31:B20\"]\n[Date \"1.2.3.4\"] 2-0",
        "[FEN \"W:W31:B20\"] 1. 31-27 *",
        "/FEN \"W:W31:B20\"/ *",
        "[White \"a\"] 2-0",
        "[FEN \"?\"] *",
        "1. 32-28 *",
        "1. e4 e5 *",
    ];
    fs::write(&games, records.join("\n\n")).unwrap();
    let (games, index) = (text(&games), text(&index));
    let counts =
        |value: &Value| ["games", "empty", "problems", "damaged"].map(|key| value[key].as_u64().unwrap());
    let expected = [8, 2, 3, 1];
    for option in [&["--json"][..], &["--json", "--no-replay"]] {
        let stats = json(&[&["stats"], option, &[games]].concat());
        assert_eq!(counts(&stats), expected, "stats {option:?}");
        assert_eq!((&stats["setups"], &stats["movetext_setups"]), (&3.into(), &1.into()), "{option:?}");
        assert_eq!(
            counts(&json(&[&["check"], option, &[games]].concat())["summary"]),
            expected,
            "check {option:?}"
        );
    }
    assert_eq!(counts(&json(&["index", "--json", games, "-o", index])), expected);
    assert_eq!(json(&["find", index, "--status", "problem", "--count", "--json"])["games"], 3);
    assert_eq!(json(&["find", index, "--status", "empty", "--count", "--json"])["games"], 2);
}

#[test]
fn variant_option_takes_what_tags_hold_and_names_that_people_use() {
    let algebraic = b"1. c3-d4 b6-c5 2. d4xb6 a7xc5 *\n";
    for (value, variant) in [
        ("21,W,8,8,A0,0", "english"),
        ("shashki", "russian"),
        ("Russian draughts", "russian"),
        ("25", "russian"),
        ("Jamaican", "jamaican"),
    ] {
        let run = run_with(&["check", "--json", "--untagged", value, "-"], algebraic);
        let expected = format!(r#""variants":{{"{variant}":1}},"inferred":{{}}"#);
        assert!(run.out.contains(&expected), "{value}: {}{}", run.out, run.err);
    }
    for (value, message) in [
        ("rusian", "did you mean russian?"),
        ("chekers", "did you mean english?"),
        ("dama", "several variants have this name: italian, spanish, czech, turkish"),
        ("xyz", "the variants are international, english,"),
    ] {
        let run = run_with(&["check", "--untagged", value, "-"], algebraic);
        assert_eq!(run.code, 2, "{value}");
        // Long messages are wrapped.
        let err = run.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(err.contains(message), "{value}: {err}");
    }
    let moves = run(&["moves", "-g", "checkers"]);
    assert_eq!((moves.code, moves.err.as_str()), (0, ""));
    let find = run(&["find", "nowhere", "-g", "21,W,8,8,A0,0"]);
    assert!(find.err.contains("this is `english` with other names of squares"), "{}", find.err);
}
