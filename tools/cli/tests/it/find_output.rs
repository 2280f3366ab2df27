//! What `pdn find`, `pdn show` and `pdn tree` print of each game: ratings, tags, control characters, offsets, order.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{Run, run, text};

/// Writes an archive of these games.
fn archive(folder: &Path, games: &str) -> String {
    let path = folder.join("games.pdn");
    fs::write(&path, games).unwrap();
    text(&path).to_owned()
}

/// Runs `pdn find --json` and returns the values of each line.
fn find(archive: &str, options: &[&str]) -> Vec<Value> {
    let found: Run = run(&[&["find", archive, "--json"], options].concat());
    found.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the numbers of the games that are found.
fn games(archive: &str, options: &[&str]) -> Vec<u64> {
    find(archive, options).iter().map(|game| game["game"].as_u64().unwrap()).collect()
}

#[test]
fn ratings_are_those_of_their_players() {
    let folder = tempfile::tempdir().unwrap();
    let games = "[White \"a\"]\n[WhiteRating \"2300\"]\n[BlackRating \"2200\"]\n[GameType \"20\"]\n1. 32-28 *\n\n\
                 [White \"b\"]\n[BlackRating \"1900\"]\n[GameType \"20\"]\n1. 32-28 *\n";
    let archive = archive(folder.path(), games);
    let ratings = find(&archive, &["--fields", "white_rating,black_rating"]);
    assert_eq!(
        ratings,
        [
            json!({ "white_rating": 2300, "black_rating": 2200 }),
            json!({ "white_rating": null, "black_rating": 1900 })
        ]
    );
    // A game with one rating has no mean rating, so it comes last.
    assert_eq!(self::games(&archive, &["--sort", "rating"]), [1, 2]);
    assert_eq!(self::games(&archive, &["--sort", "rating", "--reverse"]), [1, 2]);
}

#[test]
fn limit_of_records_counts_each_record_once() {
    let folder = tempfile::tempdir().unwrap();
    let games = "[White \"a\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n".repeat(3);
    let archive = archive(folder.path(), &games);
    for order in [&[][..], &["--sort", "ply"]] {
        let options = [&["find", &archive, "--all-plies", "--format", "pdn", "--limit", "2"], order].concat();
        assert_eq!(run(&options).out.matches("[White").count(), 2, "{order:?}");
    }
}

#[test]
fn games_of_known_players_with_high_ratings_can_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let players = [
        ("?", "?", 0),
        ("a", "?", 2400),
        ("b", "c", 0),
        ("d", "e", 2000),
        ("", "", 2500),
        ("f", "g", 2200),
        ("h", "i", 2000),
    ];
    let games: String = players
        .iter()
        .map(|(white, black, rating)| {
            let rating = if *rating == 0 { String::new() } else { format!("[WhiteRating \"{rating}\"]\n") };
            format!("[White \"{white}\"]\n[Black \"{black}\"]\n{rating}[GameType \"20\"]\n1. 32-28 *\n\n")
        })
        .collect();
    let archive = archive(folder.path(), &games);
    assert_eq!(self::games(&archive, &["--sort", "known"]), [6, 4, 7, 3, 2, 5, 1]);
    assert_eq!(self::games(&archive, &["--sort", "known", "--reverse"]), [1, 5, 2, 3, 4, 7, 6]);
}

#[test]
fn table_shows_control_characters_and_isolates_as_signs() {
    let folder = tempfile::tempdir().unwrap();
    let games = "[Event \"a\x1b[31m\u{2066}b\u{2069}\u{202e}c\"]\n[White \"\u{200f}d\"]\n[GameType \"20\"]\n1. 32-28 *\n";
    let found = run(&["find", &archive(folder.path(), games)]);
    let row = found.out.lines().nth(1).expect("a row");
    assert!(row.contains("a\u{241b}[31m\u{fffd}b\u{fffd}\u{fffd}c"), "{row:?}");
    assert!(row.contains("\u{fffd}d"), "{row:?}");
}

#[test]
fn numbers_stand_at_the_right_of_their_column() {
    let folder = tempfile::tempdir().unwrap();
    let games = "[White \"a\"]\n[GameType \"20\"]\n1. 32-28 *\n\n".repeat(10);
    let table = run(&["find", &archive(folder.path(), &games), "--fields", "game,white"]).out;
    let lines: Vec<&str> = table.lines().take(11).collect();
    assert_eq!((lines[0], lines[1], lines[10]), ("game  white", "   1  a", "  10  a"));
}

#[test]
fn first_of_equal_tag_names_counts() {
    let folder = tempfile::tempdir().unwrap();
    let games = "[White \"a\"]\n[White \"b\"]\n[GameType \"20\"]\n1. 32-28 *\n";
    let found = find(&archive(folder.path(), games), &["--fields", "tags,White"]);
    assert_eq!(found, [json!({ "tags": { "White": "a", "GameType": "20" }, "White": "a" })]);
}

#[test]
fn limit_cuts_a_sample_and_not_the_games_it_is_taken_from() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), &"[White \"a\"]\n[GameType \"20\"]\n1. 32-28 *\n\n".repeat(40));
    let sample = games(&archive, &["--sample", "8"]);
    assert_eq!(sample.len(), 8);
    assert_eq!(games(&archive, &["--sample", "8", "--limit", "3"]), sample[..3]);
    assert!(sample[2] > 3, "{sample:?}");
}

#[test]
fn game_type_is_added_only_where_no_tag_gave_the_variant() {
    let folder = tempfile::tempdir().unwrap();
    let games = "[White \"a\"]\n[GameType \"20\"]\n1. 32-28 *\n\n[White \"b\"]\n1. 32-28 *\n\n";
    let found = run(&["find", &archive(folder.path(), games), "--format", "pdn", "--add", "GameType"]);
    let added = games.replace("[White \"b\"]\n", "[White \"b\"]\n[GameType \"20,W,10,10,N2,0\"]\n");
    assert_eq!(found.out, added);
    assert!(!found.err.contains("note:"), "{}", found.err);
}

#[test]
fn stop_of_a_game_is_an_offset_in_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let games = "[White \"a\"]\n1. 32-28 19-23 *\n\n[White \"b\"]\n1. 32-28 32-27 *\n";
    let shown = run(&["show", &archive(folder.path(), games), "2", "--json"]).out;
    let value: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(value["stop"]["at"], games.find("32-27").unwrap(), "{}", value["stop"]);
    assert_eq!((&value["stop"]["span"], &value["stop"]["move"]), (&json!(5), &json!("32-27")));
}

#[test]
fn plies_of_a_variation_are_those_that_it_replaces() {
    let folder = tempfile::tempdir().unwrap();
    let games = "[White \"a\"]\n1. 32-28 19-23 (19-24 2. 28-23) 2. 28x19 *\n";
    let shown = run(&["show", &archive(folder.path(), games), "1", "--json"]).out;
    let value: Value = serde_json::from_str(&shown).unwrap();
    let plies: Vec<_> = value["moves"][1]["variations"][0]["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|ply| ply["ply"].as_u64())
        .collect();
    assert_eq!(plies, [Some(1), Some(2)]);
}

#[test]
fn mirrored_pattern_also_matches_from_side_to_side() {
    let folder = tempfile::tempdir().unwrap();
    let games = "[White \"a\"]\n[GameType \"30\"]\n1. a3-a4 *\n\n[White \"b\"]\n[GameType \"30\"]\n1. h3-h4 *\n\n\
                 [White \"c\"]\n[GameType \"30\"]\n1. b3-b4 *\n";
    let archive = archive(folder.path(), games);
    assert_eq!(self::games(&archive, &["--pattern", "w:a4"]), [1]);
    assert_eq!(self::games(&archive, &["--pattern", "w:a4", "--mirrored"]), [1, 2]);
}

#[test]
fn moves_of_a_tree_are_ordered_by_their_last_year() {
    let folder = tempfile::tempdir().unwrap();
    let game = |year: &str, mv: &str| format!("[Date \"{year}\"]\n[GameType \"20\"]\n1. {mv} *\n\n");
    let games = [
        game("1990", "32-28"),
        game("1980", "32-28"),
        game("2005", "33-28"),
        game("????", "31-27"),
        game("1999", "34-29"),
    ];
    let tree = run(&["tree", &archive(folder.path(), &games.concat()), "--json", "--sort", "year"]).out;
    let value: Value = serde_json::from_str(&tree).unwrap();
    let moves: Vec<_> = value["moves"].as_array().unwrap().iter().map(|mv| mv["move"].as_str()).collect();
    assert_eq!(moves, [Some("33-28"), Some("34-29"), Some("32-28"), Some("31-27")]);
}

#[test]
fn every_ply_of_a_long_game_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let moves = "46-41 1-6 41-46 6-1 ".repeat(40);
    let archive = archive(folder.path(), &format!("[GameType \"20\"]\n[FEN \"W:WK46:BK1\"]\n{moves} *\n"));
    for ply in [1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 160] {
        assert_eq!(games(&archive, &["--query", &format!("ply {ply} and w=1")]), [1], "{ply}");
    }
    assert!(games(&archive, &["--query", "ply 161"]).is_empty());
}

#[test]
fn patterns_with_different_sides_to_move_contradict() {
    let folder = tempfile::tempdir().unwrap();
    let archive = archive(folder.path(), "[GameType \"20\"]\n1. 32-28 *\n");
    let found = run(&["find", &archive, "--query", "fen \"W:WK46:BK5\" and fen \"B:WK46:BK5\""]);
    assert!(found.err.contains("contradicts `fen \"W:WK46:BK5\"`: nothing matches both"), "{}", found.err);
}
