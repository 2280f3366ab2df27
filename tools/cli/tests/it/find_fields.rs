//! Fields, tags, files, order and all plies of `pdn find`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{run, text};

const FIRST: &str = "\
[White \"Wiersma\"]\n[Black \"Andreiko\"]\n[Date \"1982.11.20\"]\n[WhiteRating \"2300\"]\n[BlackRating \"2200\"]\n\
[TimeControl \"40/7200\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n\
[White \"Sijbrands\"]\n[Black \"?\"]\n[timecontrol \"Blitz 5 min\"]\n[Speeltempo \"x\"]\n[GameType \"20\"]\n1. 34-29 17-21 1-1\n\n";
const SECOND: &str = "\
[White \"\"]\n[Black \"Baba Sy\"]\n[Date \"1963\"]\n[WhiteRating \"2000\"]\n[BlackRating \"2100\"]\n[GameType \"20\"]\n\
1. 34-30 20-25 2. 30-24 19x30 3. 35x24 *\n\n\
[White \"Ziel\"]\n[Black \"Abel\"]\n[Date \"????.05.??\"]\n[WhiteRating \"2500\"]\n[Annotator \"Caf\u{e9} & Co\"]\n[GameType \"20\"]\n1. 32-28 *\n\n";

/// Indexes two files in a folder.
fn index(folder: &Path, embed: bool) -> String {
    fs::create_dir(folder.join("1963")).unwrap();
    let [first, second, dir] = ["wk.pdn", "1963/games.pdn", "index"].map(|name| folder.join(name));
    fs::write(&first, FIRST).unwrap();
    fs::write(&second, SECOND).unwrap();
    let mut args = vec!["index", text(&first), text(&second), "-o", text(&dir)];
    args.extend(embed.then_some("--embed"));
    assert_eq!(run(&args).code, 0);
    text(&dir).to_owned()
}

/// Returns the numbers of the games that `pdn find` prints.
fn games(dir: &str, options: &[&str]) -> Vec<u64> {
    let found = run(&[&["find", dir, "--json"], options].concat());
    let is_explained = found.out.is_empty() && found.err.starts_with("pdn: no game matches");
    assert!(found.err.is_empty() || is_explained, "{options:?}: {}", found.err);
    let number = |line: &str| serde_json::from_str::<Value>(line).unwrap()["game"].as_u64().unwrap();
    found.out.lines().map(number).collect()
}

#[test]
fn games_are_found_by_any_tag_and_by_file() {
    for embed in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let dir = index(folder.path(), embed);
        for (query, expected) in [
            ("tag TimeControl", &[1, 2][..]),
            ("tag TimeControl ~ blitz", &[2]),
            ("tag TimeControl = \"40/7200\"", &[1]),
            ("tag TimeControl = 40*", &[1]),
            ("not tag TimeControl", &[3, 4]),
            ("tag Annotator : cafe", &[4]),
            ("annotator : cafe", &[4]),
            ("annotator ~ cofe and not annotator = \"\"", &[4]),
            ("annotator = \"\"", &[1, 2, 3]),
            ("tag TIMECONTROL : blitz or tag Annotator", &[2, 4]),
            ("tag TimeControl and white : wiersma", &[1]),
            ("ever (tag TimeControl or bk = 5)", &[1, 2]),
            ("(tag TimeControl : blitz or wm < 20) and w >= 1", &[1, 2, 3]),
            ("tag White : sijbrands", &[2]),
            ("file \"wk.pdn\"", &[1, 2]),
            ("file \"1963/games.pdn\"", &[3, 4]),
            ("file games*", &[3, 4]),
            ("file ~ gmaes", &[3, 4]),
            ("file : 1963 and not tag Annotator", &[3]),
            ("file \"k.pdn\" or file \"1963\"", &[]),
        ] {
            assert_eq!(games(&dir, &["-q", query]), expected, "{query}");
            let count = run(&["find", &dir, "--count", "-q", query]).out;
            assert_eq!(count.trim(), expected.len().to_string(), "{query}");
            let tree: Value = serde_json::from_str(&run(&["tree", &dir, "--json", "-q", query]).out).unwrap();
            assert_eq!(tree["games"], expected.len(), "{query}");
        }
        assert_eq!(games(&dir, &["--tag", "TimeControl ~ blitz"]), [2]);
        assert_eq!(games(&dir, &["--tag", "TimeControl", "--limit", "1"]), [1]);
        assert_eq!(games(&dir, &["--file", "wk.pdn"]), [1, 2]);
        let explained =
            run(&["find", &dir, "--explain", "--count", "--tag", "TimeControl", "--white", "wiersma"]);
        assert!(
            explained.err.contains("1 left by tag \"TimeControl\", their texts to be read"),
            "{}",
            explained.err
        );
    }
}

#[test]
fn tags_are_read_only_from_games_that_other_conditions_leave() {
    let folder = tempfile::tempdir().unwrap();
    let dir = index(folder.path(), false);
    // The text of the second file is gone, which matters only if it is asked for.
    fs::remove_file(folder.path().join("1963/games.pdn")).unwrap();
    assert_eq!(games(&dir, &["-q", "tag TimeControl and file \"wk.pdn\""]), [1, 2]);
    assert_eq!(games(&dir, &["-q", "(tag TimeControl or ply 99) and file \"wk.pdn\""]), [1, 2]);
    let all = run(&["find", &dir, "--count", "--tag", "TimeControl"]);
    assert_eq!((all.code, all.out.as_str()), (2, ""));
}

#[test]
fn fields_are_printed_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    let dir = index(folder.path(), false);
    let find = |options: &[&str]| run(&[&["find", dir.as_str()], options].concat());
    let lines = |options: &[&str]| -> Vec<Value> {
        find(options).out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    assert_eq!(
        lines(&["--json", "--fields", "game,moves,TimeControl,Annotator", "--limit", "2"]),
        [
            json!({ "game": 1, "moves": ["32-28", "19-23", "28x19", "14x23"], "TimeControl": "40/7200", "Annotator": null }),
            json!({ "game": 2, "moves": ["34-29", "17-21"], "TimeControl": "Blitz 5 min", "Annotator": null }),
        ]
    );
    let tags = lines(&["--json", "--fields", "tags,length", "--white", "ziel"]);
    assert_eq!(tags[0]["tags"]["Annotator"], "Caf\u{e9} & Co");
    assert!(tags[0]["length"].as_u64() > Some(60));
    let annotators = lines(&["--json", "--fields", "annotator,white"]);
    assert_eq!(annotators[2], json!({ "annotator": "", "white": "" }));
    assert_eq!(annotators[3], json!({ "annotator": "Caf\u{e9} & Co", "white": "Ziel" }));
    let facts = "man_takes,king_takes,white_promotes,black_promotes,white_lead,black_lead,king_run";
    assert_eq!(
        lines(&["--json", "--fields", facts, "--limit", "1"]),
        [json!({
            "man_takes": 1, "king_takes": 0, "white_promotes": null, "black_promotes": null, "white_lead": 1,
            "black_lead": 0, "king_run": 0,
        })]
    );
    let added = lines(&["--json", "--fields", "+fen,moves", "--moves", "1. 34-29"]);
    assert_eq!((&added[0]["white"], &added[0]["moves"]), (&json!("Sijbrands"), &json!(["34-29", "17-21"])));
    assert!(added[0]["fen"].as_str().unwrap().starts_with("B:W29,31"));
    let table = find(&["--fields", "white,TimeControl", "--black", "andreiko"]).out;
    assert!(table.starts_with("white    TimeControl\nWiersma  40/7200\n1 game; `pdn show "), "{table}");
    let added = find(&["--fields", "+moves", "--black", "andreiko"]).out;
    assert!(added.contains("game") && added.contains("32-28 19-23 28x19 14x23"), "{added}");
    let unknown = find(&["--fields", "game,moove"]);
    assert!(unknown.code == 2 && unknown.err.contains("white_rating"), "{}", unknown.err);
    assert_eq!(find(&["--fields", "game", "--format", "fen"]).code, 2);
}

#[test]
fn all_plies_of_a_match_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let dir = index(folder.path(), false);
    let find = |options: &[&str]| run(&[&["find", dir.as_str(), "--all-plies"], options].concat());
    let hits = |options: &[&str]| -> Vec<(u64, u64)> {
        let found = find(&[&["--json"], options].concat()).out;
        let hit = |line: &str| {
            let value: Value = serde_json::from_str(line).unwrap();
            (value["game"].as_u64().unwrap(), value["ply"].as_u64().unwrap())
        };
        found.lines().map(hit).collect()
    };
    assert_eq!(hits(&["-q", "black to move"]), [(1, 1), (1, 3), (2, 1), (3, 1), (3, 3), (3, 5), (4, 1)]);
    assert_eq!(hits(&["-q", "w < 20"]), [(1, 4), (3, 4), (3, 5)]);
    assert_eq!(hits(&["--move", "by white takes 1"]), [(1, 2), (3, 4)]);
    assert_eq!(hits(&["--white", "ziel"]), [(4, 0), (4, 1)]);
    assert_eq!(hits(&["-q", "w < 20", "--limit", "2"]), [(1, 4), (3, 4)]);
    assert_eq!(find(&["-q", "w < 20", "--count"]).out, "3\n");
    assert_eq!(find(&["-q", "w < 20", "--count", "--json"]).out, "{\"games\":2,\"positions\":3}\n");
    assert_eq!(find(&["-q", "w < 20", "--format", "fen"]).out.lines().count(), 3);
    let table = find(&["-q", "w < 20"]).out;
    assert!(table.contains("\n3 positions; `pdn show "), "{table}");
    let records = find(&["-q", "w < 20", "--format", "pdn"]).out;
    assert_eq!(records.matches("[GameType").count(), 2, "each record once");
}

#[test]
fn unknown_values_come_last_in_both_directions() {
    let folder = tempfile::tempdir().unwrap();
    let dir = index(folder.path(), false);
    for (key, forward, backward) in [
        ("date", [3, 1, 2, 4], [1, 3, 2, 4]),
        ("white", [2, 1, 4, 3], [4, 1, 2, 3]),
        ("black", [4, 1, 3, 2], [3, 1, 4, 2]),
        ("rating", [3, 1, 2, 4], [1, 3, 2, 4]),
        ("event", [1, 2, 3, 4], [1, 2, 3, 4]),
        ("plies", [4, 2, 1, 3], [3, 1, 2, 4]),
        ("game", [1, 2, 3, 4], [4, 3, 2, 1]),
        ("man_takes", [2, 4, 1, 3], [1, 3, 2, 4]),
        ("white_promotes", [1, 2, 3, 4], [1, 2, 3, 4]),
    ] {
        assert_eq!(games(&dir, &["--sort", key]), forward, "{key}");
        assert_eq!(games(&dir, &["--sort", key, "--reverse"]), backward, "{key} in reverse");
    }
}

#[test]
fn bare_names_and_comparisons_are_values_of_options() {
    let folder = tempfile::tempdir().unwrap();
    let dir = index(folder.path(), false);
    for (options, expected) in [
        (&["--winner", "wiersma"][..], &[1][..]),
        (&["--winner", ": wiersma"], &[1]),
        (&["--winner", "~wirsma"], &[1]),
        (&["--winner", "white"], &[1]),
        (&["--date", "> 1963"], &[1]),
        (&["--date", "1960-1990"], &[1, 3]),
        (&["--plies", "3-9"], &[1, 3]),
        (&["--material", "w < b"], &[3]),
        (&["--white", "="], &[3]),
    ] {
        assert_eq!(games(&dir, options), expected, "{options:?}");
    }
}

#[test]
fn tags_are_decoded_like_the_names_in_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let [archive, dir] = ["koi8.pdn", "index"].map(|name| folder.path().join(name));
    // Nothing in this record tells that its two letters are in KOI8-R.
    fs::write(&archive, b"[White \"\xe1\xe4\"]\n[Annotator \"\xe1\xe4\"]\n[GameType \"20\"]\n1. 32-28 *\n")
        .unwrap();
    assert_eq!(run(&["index", text(&archive), "-o", text(&dir), "--encoding", "koi8-r"]).code, 0);
    let dir = text(&dir);
    assert_eq!(games(dir, &["-q", "tag Annotator = \"\u{410}\u{414}\""]), [1]);
    let found = run(&["find", dir, "--json", "--fields", "white,Annotator"]).out;
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found, json!({ "white": "\u{410}\u{414}", "Annotator": "\u{410}\u{414}" }));
    assert_eq!(games(dir, &["-q", "annotator = \"\u{410}\u{414}\""]), [1]);
    assert!(run(&["show", dir, "1"]).out.contains("\u{410}\u{414}"), "{}", run(&["show", dir, "1"]).out);
}
