//! Tests of `pdn show` with a path.

use crate::common::{archive_of, check_snapshot, run, run_with, text};
use serde_json::Value;

#[test]
fn show_prints_a_game_and_its_board() {
    for (name, args) in [
        ("show-legal.txt", &["show", "moves.pdn"][..]),
        ("show-ply.txt", &["show", "moves.pdn", "1", "--ply", "2", "--letters"]),
        ("show-illegal.txt", &["show", "moves.pdn", "2"]),
        ("show-nested.txt", &["show", "nested.pdn", "--letters"]),
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
        (&["show", "clean.pdn", "3"][..], 1, "clean.pdn: there is no game 3; the last one is 2\n"),
        (&["show", "clean.pdn", "1", "--ply", "6"], 1, "--ply 6: only 5 plies can be replayed\n"),
        (&["show", "no-such-file.pdn", "1"], 2, "no-such-file.pdn"),
        (&["show", "clean.pdn", "0"], 2, "games count from 1"),
        (&["show", "clean.pdn", "wiersma"], 2, "not the number of a game; `pdn find` finds games by players"),
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

#[test]
fn show_keeps_numbers_comments_and_variations_as_written() {
    // Black starts, which PDN numbers as `1.`; some programs write every move with a number of its own.
    let text = "[GameType \"23\"]\n{before} 1.11-15 23-19 {after (twice)} 2. 8-11! $3 ; to the end of the line\n\
                (2. 9-14 {inner} (2. 9-13) 22-17) 22-17 1/2-1/2\n";
    let shown = run_with(&["show", "-"], text.as_bytes());
    assert_eq!((shown.code, shown.err.as_str()), (0, ""));
    let movetext: Vec<_> = shown.out.lines().skip(2).take_while(|line| !line.is_empty()).collect();
    assert_eq!(
        movetext,
        [
            "    {before}",
            "1. 11-15 23-19",
            "    {after (twice)}",
            "2. 8-11! $3",
            "    ; to the end of the line",
            "    (2. 9-14",
            "        {inner}",
            "        (2. 9-13)",
            "    22-17)",
            "[22-17] 1/2-1/2",
        ]
    );
    let plain = |args: &[&str]| run_with(&[&["show", "-", "--plain"], args].concat(), text.as_bytes()).out;
    assert_eq!(plain(&[]), "1. 11-15 23-19 2. 8-11 22-17\n");
    assert_eq!(plain(&["--ply", "3"]), "1. 11-15 23-19 2. 8-11\n");
    assert_eq!(plain(&["--ply", "0"]), "\n");
    let damaged = "[GameType \"20\"]\n1. 32-28 19-23 2. 99-11 {after} 4. 37-32 *";
    let plain = |args: &[&str]| run_with(&[&["show", "-", "--plain"], args].concat(), damaged.as_bytes()).out;
    assert_eq!(plain(&["--ply", "2"]), "1. 32-28 19-23\n", "the position is that before the damage");
    assert_eq!(plain(&[]), "1. 32-28 19-23 2. 99-11 4. 37-32\n");
}

#[test]
fn nothing_of_a_record_is_lost_when_it_is_shown() {
    // Every word of the movetext, in the order of the file, whatever is wrong with it.
    for file in ["moves.pdn", "clean.pdn", "damaged.pdn", "nested.pdn"] {
        let text = std::fs::read_to_string(crate::common::data().join(file)).unwrap();
        for number in 1..=text.matches("[Event").count() {
            let shown = run(&["show", file, &number.to_string()]);
            assert_eq!(shown.code, 0, "{file} {number}: {}", shown.err);
            let json: Value =
                serde_json::from_str(&run(&["show", file, &number.to_string(), "--json"]).out).unwrap();
            let number_of = |key: &str| json[key].as_u64().unwrap() as usize;
            let record = &text[number_of("offset")..][..number_of("length")];
            let letters = |text: &str| {
                text.chars().filter(|c| !c.is_whitespace() && !"[]?\"".contains(*c)).collect::<String>()
            };
            // Tags, an empty line, movetext, an empty line, the board.
            let parts = 1 + usize::from(shown.out.starts_with('['));
            let text: Vec<_> = shown.out.trim_start().split("\n\n").take(parts).collect();
            assert_eq!(letters(&text.concat()), letters(record), "{file} {number}: {}", shown.out);
        }
    }
}

#[test]
fn show_prints_deeply_nested_variations_in_bounded_width() {
    let text = format!("1. 32-28 {} *", "(1. 33-28 {x} ".repeat(5_000));
    let shown = run_with(&["show", "-"], text.as_bytes());
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.lines().all(|line| line.chars().count() <= 100));
    assert_eq!(shown.out.matches("{x}").count(), 5_000);
}

#[test]
fn json_of_a_game_has_the_evaluations_of_its_moves() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evaluated.pdn");
    let game = "[GameType \"20\"]\n\n1. 32-28 {[%eval 0.35]} (1. 33-28 {[%eval -1.2] worse} 18-99 {[%eval 7]}) 19-23 \
                {[%eval 1] [%eval #3]} 2. 28x19 {plain} 14x23 {[%eval +0.29/12]} 3. 44-11 {[%eval 9]} *\n";
    std::fs::write(&file, game).unwrap();
    let shown = run(&["show", text(&file), "1", "--json"]);
    let shown: Value = serde_json::from_str(&shown.out).unwrap();
    let evaluations = |moves: &Value| -> Vec<Option<i64>> {
        moves
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| mv.get("eval_cp").map(|eval| eval.as_i64().unwrap()))
            .collect()
    };
    // That of the illegal move is not one of the move before it.
    assert_eq!(evaluations(&shown["moves"]), [Some(35), Some(100), None, Some(29)]);
    assert_eq!(evaluations(&shown["moves"][0]["variations"][0]["moves"]), [Some(-120)]);
}

#[test]
fn tags_and_results_are_the_same_as_those_of_find_and_stats() {
    let (_folder, path) = archive_of(
        "[White \"A \\\"x\\\" &eacute; \"]\n[Result \"1\\\"-0\"]\n[GameType \"20\"]\n1. 32-28 *\n",
    );
    let json = |args: &[&str]| serde_json::from_str::<Value>(&run(args).out).unwrap();
    let shown = json(&["show", text(&path), "--json"]);
    let found = json(&["find", text(&path), "--json", "--fields", "tags,result,result_tag"]);
    for key in ["tags", "result", "result_tag"] {
        assert_eq!(shown[key], found[key], "{key}");
    }
    assert_eq!(
        (shown["tags"]["White"].as_str(), shown["result"].as_str()),
        (Some("A \"x\" é"), Some("1\"-0"))
    );
    assert_eq!(json(&["stats", text(&path), "--json"])["results"]["1\"-0"], 1);
}
