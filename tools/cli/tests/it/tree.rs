//! Tests of `pdn tree` and `pdn index --positions`.

use std::fs;
use std::path::PathBuf;

use crate::common::{run, text};
use serde_json::{Value, json};

const GAMES: &str = "\
[White \"A\"]\n[Black \"B\"]\n[Date \"1999.01.02\"]\n[WhiteRating \"2300\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n
[White \"C\"]\n[Black \"A\"]\n[Date \"2003\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 1-1\n
[White \"C\"]\n[Black \"D\"]\n[GameType \"20\"]\n1. 33-28 18-22 0-2\n
[White \"C\"]\n[Black \"D\"]\n[GameType \"20\"]\n1. 31-27 18-22 2. 27x18 12x23 *\n
[White \"E\"]\n[Black \"F\"]\n[GameType \"25\"]\n1. c3-d4 b6-a5 *\n";

/// An index in a temporary folder.
struct TestIndex {
    _folder: tempfile::TempDir,
    dir: PathBuf,
}

/// Indexes [`GAMES`].
fn build_index(options: &[&str]) -> TestIndex {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("games.pdn");
    fs::write(&archive, GAMES).unwrap();
    let dir = folder.path().join("index");
    let built = run(&[&["index", text(&archive), "-o", text(&dir)][..], options].concat());
    assert_eq!(built.code, 0, "{}", built.err);
    TestIndex { _folder: folder, dir }
}

/// Runs `pdn tree --json`.
fn tree(index: &TestIndex, options: &[&str]) -> Value {
    let run = run(&[&["tree", text(&index.dir), "--json"][..], options].concat());
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(run.err.is_empty(), value["games"] != 0, "an empty answer is explained: {}", run.err);
    assert_eq!(run.code, i32::from(value["games"] == 0), "{options:?}");
    value
}

#[test]
fn tree_is_equal_with_and_without_key_tables() {
    let (plain, with_tables) = (build_index(&[]), build_index(&["--positions"]));
    assert!(with_tables.dir.join("segment-00000001.keys").exists());
    assert!(!plain.dir.join("segment-00000001.keys").exists());
    for options in [
        &[][..],
        &["--moves", "1. 32-28 19-23 2. 28x19"],
        &["--moves", "32-28 19-23 28x19 14x23", "--transpositions"],
        &["--fen", "B:W28,31,33-50:B1-20", "--sort", "score"],
        &["--player", "A", "--limit", "1"],
        &["-g", "russian", "--threads", "1"],
        &["--fen", "W:WK1:BK50"],
    ] {
        assert_eq!(tree(&plain, options), tree(&with_tables, options), "{options:?}");
    }
    let start = tree(&plain, &[]);
    assert_eq!(start["variant"], "international");
    assert_eq!([&start["games"], &start["white"], &start["draws"], &start["black"]], [4, 1, 1, 1]);
    let first = &start["moves"][0];
    assert_eq!(
        [&first["move"], &first["games"], &first["white"], &first["draws"], &first["black"], &first["score"]],
        [&json!("32-28"), &json!(2), &json!(1), &json!(1), &json!(0), &json!(75.0)],
    );
    assert_eq!(
        [&first["rating"], &first["last_year"], &first["examples"]],
        [&json!(2300.0), &json!(2003), &json!([1, 2])]
    );
    assert!(first["after"].as_str().unwrap().starts_with("B:W"));
    let later = tree(&with_tables, &["--moves", "32-28 19-23 28x19 14x23"]);
    assert_eq!([&later["games"], &later["ended"], &later["arrivals"][0]["games"]], [2, 1, 2]);
    assert_eq!([&later["moves"][0]["move"], &later["arrivals"][0]["move"]], ["37-32", "14x23"]);
    assert_eq!(tree(&plain, &["--min-rating", "2000"])["games"], 0, "no game has two ratings");
    assert_eq!(tree(&plain, &["--player", "A"])["games"], 2);
    let table = run(&["tree", text(&plain.dir)]);
    assert!(table.out.contains("32-28      2  50.0 %  75.0 %  █████▒▒▒▒▒  50  50   0 %"), "{}", table.out);
    assert!(table.out.ends_with("4 games: 1 won by White, 1 drawn, 1 won by Black, White scores 50.0 %.\n"));
}

#[test]
fn filters_select_the_same_games_as_in_find() {
    let index = build_index(&[]);
    let mut games = Vec::new();
    for filter in [
        &["--white", "C"][..],
        &["--player", "C", "--black", "D"],
        &["--date", "2000.."],
        &["--result", "2-0"],
        &["--winner", "black"],
        &["--status", "legal", "--plies", "4.."],
        &["--rating", "2000.."],
        &["-q", "rating white >= 2300 and ever (move takes 1)"],
        &["-q", "line \"1. 31-27 18-22\" or date 2003"],
        &["-q", "not ever (ply 4)"],
    ] {
        let found =
            run(&[&["find", text(&index.dir), "--count", "-g", "international"][..], filter].concat());
        let tree = tree(&index, filter);
        assert_eq!(found.out.trim(), tree["games"].to_string(), "{filter:?}");
        games.push(tree["games"].as_u64().unwrap());
    }
    assert_eq!(games, [3, 2, 1, 1, 1, 3, 0, 1, 2, 1]);
}

#[test]
fn invalid_options_are_reported_with_their_place() {
    let index = build_index(&[]);
    let check = |options: &[&str], messages: &[&str]| {
        let run = run(&[&["tree", text(&index.dir)][..], options].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{options:?}");
        for message in messages {
            assert!(run.err.contains(message), "{options:?} prints {}", run.err);
        }
    };
    check(
        &["--moves", "1. 32-28 19-24 2. 28-22 18-18"],
        &["`18-18` is not legal here", "\n                          ^^^^^\n"],
    );
    check(&["--moves", "1. 32-29"], &["`32-29` is not legal here; did you mean ", "34-29"]);
    check(&["--moves", "1. x"], &["legal are ", "31-26"]);
    check(&["--fen", "W:W31,99:B1"], &["--fen: ", "^^"]);
    check(&["-g", "turkish"], &["no game of variant `turkish`; the index has international, russian"]);
    check(
        &["--fen", "W:W31:B1", "--moves", "32-28"],
        &["--moves: `32-28` is not legal here; did you mean 31-26, 31-27"],
    );
    check(&["--date", "yesterday"], &["--date: ", "^^^^^^^^^"]);
    check(&["-q", "line \"1. 32-29\""], &["--query: ", "expected a legal move"]);
    let missing = run(&["tree", "nowhere"]);
    assert_eq!(missing.code, 2);
}

#[test]
fn key_tables_survive_appending_and_are_refused_if_damaged() {
    let index = build_index(&["--positions"]);
    let more = index.dir.with_file_name("more.pdn");
    fs::write(&more, "[GameType \"20\"]\n1. 32-28 17-21 *\n").unwrap();
    let added = run(&["index", "--append", "--json", "-o", text(&index.dir), text(&more)]);
    let value: Value = serde_json::from_str(&added.out).unwrap();
    assert!(
        value["positions"].as_u64() > Some(20) && value["positions_bytes"].as_u64() > Some(200),
        "{value}"
    );
    assert!(index.dir.join("segment-00000002.keys").exists());
    assert_eq!(tree(&index, &["--moves", "32-28"])["games"], 3);
    assert_eq!(run(&["verify", text(&index.dir)]).code, 0);
    let path = index.dir.join("segment-00000001.keys");
    // Searches go on without it, and name the short way to a sound one.
    let mut flipped = fs::read(&path).unwrap();
    flipped[100] ^= 4;
    for args in [&["tree"][..], &["find", "--variant", "international", "--fen", "B:W27,31-50:B1-20"]] {
        let args = [args, &[text(&index.dir)]].concat();
        fs::remove_file(&path).unwrap();
        let expected = run(&args);
        assert!(!expected.err.contains("damaged"), "{}", expected.err);
        for damaged in [&b"damaged"[..], &flipped] {
            fs::write(&path, damaged).unwrap();
            let found = run(&args);
            assert!(
                found.err.contains("segment-00000001.keys: damaged, and not used")
                    && found.err.contains("`pdn index --append`"),
                "{args:?}: {}",
                found.err
            );
            assert_eq!((found.code, &found.out), (expected.code, &expected.out), "{args:?}");
        }
    }
    let verified = run(&["verify", text(&index.dir)]);
    assert_eq!(verified.code, 1);
    // Appending builds the damaged table again, and merging keeps key tables.
    assert_eq!(run(&["index", "--append", "-o", text(&index.dir), text(&more)]).code, 0);
    assert_eq!(run(&["merge", text(&index.dir)]).code, 0);
    assert!(index.dir.join("segment-00000003.keys").exists());
    assert_eq!(tree(&index, &["--moves", "32-28"])["games"], 3);
}

#[test]
fn localised_result_tag_counts_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let (archive, dir) = (folder.path().join("games.pdn"), folder.path().join("index"));
    fs::write(&archive, "[GameType \"20\"]\n[Resultaat \"2-0\"]\n1. 32-28 19-23\n").unwrap();
    let json = |args: &[&str]| -> Value {
        let run = run(args);
        serde_json::from_str(&run.out)
            .unwrap_or_else(|error| panic!("{args:?}: {error}: {} {}", run.out, run.err))
    };
    let shown = json(&["show", text(&archive), "1", "--json"]);
    assert_eq!((&shown["result"], &shown["winner"]), (&json!("2-0"), &json!("white")));
    let stats = json(&["stats", text(&archive), "--json"]);
    assert_eq!(stats["results"], json!({ "2-0": 1 }));
    assert_eq!(run(&["index", text(&archive), "-o", text(&dir)]).code, 0);
    let found = json(&["find", text(&dir), "--json", "-q", "winner white"]);
    assert_eq!(found["result"], "2-0");
    let tree = json(&["tree", text(&dir), "--json"]);
    assert_eq!((&tree["games"], &tree["white"]), (&json!(1), &json!(1)), "{tree}");
}

/// White wins every game with 32-28. The score of a person is that of their own games, with either colour.
#[test]
fn tree_of_a_player_has_the_score_of_the_player() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("games.pdn");
    let game = |white: &str, black: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[GameType \"20\"]\n\n1. {moves}\n\n")
    };
    let games = [
        game("Ames", "Bell", "32-28 2-0"),
        game("Bell", "Ames", "32-28 2-0"),
        game("Cole", "Ames", "32-28 2-0"),
        game("Ames", "Cole", "33-29 1-1"),
        game("Bell", "Cole", "33-29 0-2"),
    ];
    std::fs::write(&file, games.concat()).unwrap();
    let tree = |options: &[&str]| {
        let run = run(&[&["tree", text(&file), "--json", "--quiet"], options].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        serde_json::from_str::<serde_json::Value>(&run.out).unwrap()
    };
    let of_player = tree(&["--player", "ames"]);
    assert_eq!((of_player["games"].as_u64(), of_player["player_score"].as_f64()), (Some(4), Some(37.5)));
    let first = &of_player["moves"][0];
    assert_eq!(first["move"], "32-28");
    assert_eq!(first["score"], 100.0);
    assert!((first["player_score"].as_f64().unwrap() - 100.0 / 3.0).abs() < 0.01, "{first}");
    assert_eq!(of_player["moves"][1]["player_score"], 50.0);
    assert_eq!(tree(&[])["player_score"], serde_json::Value::Null);
    let table = run(&["tree", text(&file), "--player", "ames"]);
    assert!(table.out.contains("score") && table.out.contains("player"), "{}", table.out);
    assert!(table.out.contains("White scores 87.5 %, the player 37.5 %."), "{}", table.out);
}

#[test]
fn moves_that_nobody_played_are_named_if_they_lead_to_positions_of_games() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("games.pdn");
    let games = "1. 31-26 20-25 2. 33-29 *\n\n1. 31-26 20-25 2. 33-29 *\n\n1. 33-29 20-25 2. 35-30 *\n";
    fs::write(&archive, games).unwrap();
    let moves = ["--moves", "33-29 20-25"];
    let found = run(&[&["tree", text(&archive), "--transpositions"][..], &moves].concat());
    assert!(
        found.out.contains("Played by nobody here, to positions of games: 31-26 (2).\n"),
        "{}",
        found.out
    );
    let without = run(&[&["tree", text(&archive)][..], &moves].concat());
    assert!(!without.out.contains("nobody"), "{}", without.out);
}

#[test]
fn null_move_comes_after_all_moves_in_their_order() {
    let place = tempfile::tempdir().unwrap();
    let archive = place.path().join("games.pdn");
    let games = ["19-23", "/FEN \"W:::\"/ 2. 37-32", "17-21", "/FEN \"W:::\"/ 2. 31-27"];
    fs::write(&archive, games.map(|next| format!("[GameType \"20\"]\n1. 32-28 {next} *\n\n")).concat())
        .unwrap();
    let tree = run(&["tree", archive.to_str().unwrap(), "--moves", "32-28", "--sort", "move"]);
    let moves: Vec<&str> =
        tree.out.lines().skip(2).take(3).map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(moves, ["17-21", "19-23", "--"], "{}", tree.out);
}
