//! `pdn player` and `pdn event`.

use std::fmt::Write;
use std::fs;

use serde_json::{Value, json};

use crate::common::{archive_of, check_snapshot, run, text};

const LONG: &str = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14";
const SHORT: &str = "1. 31-26 20-25";

/// A double round of four players, of whom one withdraws after the third round: a forfeit in round 2, a game without a result in round 4,
/// one that is given twice in round 5, a double forfeit in round 6, and one against nobody.
const TOURNAMENT: [(&str, &str, &str, &str, &str); 13] = [
    ("1", "Ames", "Berg, B.", "2-0", LONG),
    ("1", "Cole", "Dahl", "1-1", LONG),
    ("2", "Berg, B.", "Cole", "0-2", ""),
    ("2", "Dahl", "AMES", "0-2", SHORT),
    ("3", "Ames", "Cole", "1-1", SHORT),
    ("3", "Berg, B.", "Dahl", "2-0", LONG),
    ("4", "Berg, B.", "Ames", "*", SHORT),
    ("5.1", "Cole", "Berg, Bo", "*", LONG),
    ("5.1", "Cole", "Berg, B.", "2-0", LONG),
    ("6", "Cole", "Ames", "1-1", SHORT),
    ("6", "Berg, B.", "Dahl", "0-0", ""),
    ("?", "Ames", "?", "2-0", SHORT),
    ("1", "Evans", "Fox", "1-0", SHORT),
];

fn games(rows: &[(&str, &str, &str, &str, &str)], event: &str) -> String {
    let mut games = String::new();
    for (round, white, black, result, moves) in rows {
        let date = round.chars().next().filter(char::is_ascii_digit).map_or("?", |_| "2024.03.0");
        let date = if date == "?" { "2024.??.??".to_owned() } else { format!("{date}{}", &round[..1]) };
        let event = if *white == "Evans" { "Club 2023" } else { event };
        writeln!(
            games,
            "[Event \"{event}\"]\n[Date \"{date}\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [Result \"{result}\"]\n[GameType \"20\"]\n\n{moves} *\n"
        )
        .unwrap();
    }
    games
}

fn parsed(args: &[&str]) -> Value {
    let run = run(args);
    assert_eq!((run.code, run.err.contains("pdn: error")), (0, false), "{args:?}: {}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

const NAMES: &str = "[[player]]\ncanonical = \"Berg, Bo\"\nspellings = [\"Berg, B.\"]\n";

#[test]
fn tournament_with_withdrawal_forfeits_and_a_game_given_twice_has_its_standings() {
    let (folder, archive) = archive_of(&games(&TOURNAMENT, "Club 2024"));
    let names = folder.path().join("names.toml");
    fs::write(&names, NAMES).unwrap();
    let args = ["event", "club", text(&archive), "--names", text(&names), "--json", "--quiet"];
    let report = parsed(&args);
    assert_eq!(
        (&report["event"], &report["games"], &report["counted"]),
        (&json!("Club 2024"), &json!(12), &json!(10))
    );
    assert_eq!(
        (&report["unfinished"], &report["unplayed"], &report["left_out"]),
        (&json!(1), &json!(2), &json!(1))
    );
    assert_eq!(report["also"], json!([{ "name": "Club 2023", "games": 1 }]));
    assert_eq!(report["repeated"], json!([{ "game": 9, "same_as": 8, "contradicts": false }]));
    assert_eq!(report["standings"].as_array().unwrap().len(), 1);
    let standings = &report["standings"][0];
    assert_eq!((&standings["scoring"], &standings["win"]), (&json!("international"), &json!(2.0)));
    let rows: Vec<_> = standings["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let numbers = [
                "rank",
                "points",
                "games",
                "won",
                "drawn",
                "lost",
                "both_lost",
                "unknown",
                "sonneborn_berger",
                "buchholz",
            ];
            let numbers: Vec<f64> = numbers.map(|key| row[key].as_f64().unwrap()).to_vec();
            (row["player"].as_str().unwrap(), numbers)
        })
        .collect();
    let expected = [
        ("Cole", vec![1.0, 7.0, 5.0, 2.0, 3.0, 0.0, 0.0, 0.0, 10.5, 17.0]),
        ("Ames", vec![2.0, 6.0, 5.0, 2.0, 2.0, 0.0, 0.0, 1.0, 10.0, 17.0]),
        ("Berg, Bo", vec![3.0, 2.0, 6.0, 1.0, 0.0, 3.0, 1.0, 1.0, 1.0, 22.0]),
        ("Dahl", vec![4.0, 1.0, 4.0, 0.0, 1.0, 2.0, 1.0, 0.0, 3.5, 17.0]),
    ];
    assert_eq!(rows, expected);
    assert_eq!(standings["players"][0]["progress"], json!([1.0, 3.0, 4.0, 4.0, 6.0, 7.0]));
    assert_eq!(standings["players"][1]["progress"], json!([2.0, 4.0, 5.0, 5.0, 5.0, 6.0]));
    let rounds = report["rounds"].as_array().unwrap();
    let names: Vec<&str> = rounds.iter().map(|round| round["round"].as_str().unwrap()).collect();
    assert_eq!(names, ["1", "2", "3", "4", "5", "6"]);
    // The known result of a game that is given twice counts.
    assert_eq!(rounds[4]["games"][0]["result"], "2-0");
}

#[test]
fn groups_of_players_have_the_names_of_a_file() {
    let (folder, archive) = archive_of(&games(&TOURNAMENT, "Club 2024"));
    let names = folder.path().join("names.toml");
    fs::write(&names, NAMES).unwrap();
    let find = ["find", text(&archive), "--quiet"];
    let groups = |options: &[&str]| -> Vec<(String, u64)> {
        let found = run(&[&find[..], &["--by", "player", "--json"], options].concat());
        assert_eq!(found.code, 0, "{}", found.err);
        let groups = found.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let groups = groups.map(|group| {
            let query = group["query"].as_str().unwrap();
            let games = run(&[&find[..], &["--count", "-q", query]].concat()).out;
            assert_eq!(games.trim(), group["games"].to_string(), "{query}");
            (group["value"].as_str().unwrap_or_default().to_owned(), group["games"].as_u64().unwrap())
        });
        groups.filter(|(name, _)| name.starts_with("Berg")).collect()
    };
    let one = |name: &str, games| (name.to_owned(), games);
    assert_eq!(groups(&[]), [one("Berg, B.", 6), one("Berg, Bo", 1)]);
    assert_eq!(groups(&["--names", text(&names)]), [one("Berg, Bo", 7)]);
    let alone = run(&[&find[..], &["--names", text(&names)]].concat());
    assert_eq!((alone.code, alone.err.contains("--by")), (2, true), "{}", alone.err);
}

#[test]
fn many_games_that_are_given_twice_do_not_hide_the_standings() {
    let players: Vec<String> = ('a'..='n').map(|letter| format!("Player {letter}{letter}")).collect();
    let once: Vec<_> =
        players.windows(2).map(|pair| ("1", pair[0].as_str(), pair[1].as_str(), "1-1", LONG)).collect();
    let mut twice = once.clone();
    twice[12].3 = "2-0";
    let (_folder, archive) = archive_of(&games(&[once, twice].concat(), "Club 2024"));
    let args = ["event", "club", text(&archive), "--quiet"];
    let report = run(&args).out;
    let repeated: Vec<&str> = report.lines().filter(|line| line.ends_with("again")).collect();
    assert_eq!((repeated.len(), repeated[0]), (9, "  game 14 is game 1 again"), "{report}");
    assert!(
        report.contains(
            "13 games are given twice and counted once:\n  game 26 is game 13 again, with another result\n"
        ),
        "{report}"
    );
    assert!(report.contains("  and 3 more; `--json` has all\n"), "{report}");
    let all = parsed(&[&args[..], &["--json"]].concat());
    assert_eq!(all["repeated"].as_array().unwrap().len(), 13);
}

#[test]
fn reports_of_players_and_events_fit_a_narrow_page() {
    let (folder, archive) = archive_of(&games(&TOURNAMENT, "Club 2024"));
    let names = folder.path().join("names.toml");
    fs::write(&names, NAMES).unwrap();
    for (name, args) in [
        ("event.txt", vec!["event", "club", text(&archive), "--by-round"]),
        (
            "event-names.txt",
            vec!["event", "is:Club 2024", text(&archive), "--names", text(&names), "--queries"],
        ),
        ("player.txt", vec!["player", "ames", text(&archive)]),
        (
            "player-against.txt",
            vec!["player", "berg", text(&archive), "--names", text(&names), "--against", "cole"],
        ),
    ] {
        let run = run(&args);
        assert_eq!(run.code, 0, "{}", run.err);
        for line in run.out.lines().filter(|line| !line.trim_start().starts_with("event =")) {
            assert!(line.chars().count() <= 80, "{line}");
        }
        check_snapshot(name, &run.out);
    }
}

#[test]
fn scoring_systems_and_tie_breaks_are_those_that_are_asked_for() {
    let rows = [
        ("1", "Ames", "Berg", "1+ - 1-", LONG),
        ("1", "Cole", "Dahl", "2-0", LONG),
        ("2", "Ames", "Cole", "0-2", SHORT),
        ("2", "Berg", "Dahl", "2-0", LONG),
        ("3", "Dahl", "Ames", "0-2", SHORT),
        ("3", "Berg", "Cole", "1-1", SHORT),
    ];
    let (_folder, archive) = archive_of(&games(&rows, "Plus"));
    let places = |options: &[&str]| {
        let report = parsed(&[&["event", "plus", text(&archive), "--json", "--quiet"], options].concat());
        let standings = report["standings"].as_array().unwrap();
        let of = |standings: &Value| {
            let rows = standings["players"].as_array().unwrap();
            let place = |row: &Value| {
                format!("{} {} {}", row["rank"], row["player"].as_str().unwrap(), row["points"])
            };
            format!(
                "{}: {}",
                standings["scoring"].as_str().unwrap(),
                rows.iter().map(place).collect::<Vec<_>>().join(", ")
            )
        };
        standings.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(places(&[]), ["plus-draw: 1 Cole 5.0, 2 Berg 4.0, 3 Ames 3.0, 4 Dahl 0.0"]);
    let mixed = [rows[0], rows[1], ("2", "Berg", "Ames", "1-1", LONG)];
    let (_other, archive) = archive_of(&games(&mixed, "Plus"));
    let places = |list: &str| {
        let report = parsed(&["event", "plus", text(&archive), "--json", "--quiet", "--tie-breaks", list]);
        let rows = report["standings"][0]["players"].as_array().unwrap().clone();
        rows.iter()
            .map(|row| format!("{} {}", row["rank"], row["player"].as_str().unwrap()))
            .collect::<Vec<_>>()
    };
    // Three have two points: Ames with the better of a draw, Cole, and Berg with the worse of it. That decides before any tie-break.
    assert_eq!(places("wins"), ["1 Ames", "2 Cole", "3 Berg", "4 Dahl"]);
    let wrong = run(&["event", "plus", text(&archive), "--tie-breaks", "size"]);
    assert!(wrong.code == 2 && wrong.err.contains("head-to-head"), "{}", wrong.err);
}

#[test]
fn names_that_no_game_has_are_explained() {
    let (_folder, archive) = archive_of(&games(&TOURNAMENT, "Club 2024"));
    for (command, name, near) in [("player", "ammes", "`Ames`"), ("event", "clubb", "`Club 2024`")] {
        let run = run(&[command, name, text(&archive)]);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{command}");
        assert!(run.err.contains("no game matches") && run.err.contains(near), "{}", run.err);
    }
    let run = run(&["player", "?", text(&archive)]);
    assert!(run.code == 2 && run.err.starts_with("pdn: expected a name with a letter"), "{}", run.err);
}

#[test]
fn filters_choose_the_games_of_a_report() {
    let (_folder, archive) = archive_of(&games(&TOURNAMENT, "Club 2024"));
    let report = |options: &[&str]| {
        parsed(&[&["player", "ames", text(&archive), "--json", "--quiet"], options].concat())
    };
    assert_eq!(report(&[])["games"], 6);
    let some = report(&["--round", "1..3", "-q", "result draw"]);
    assert_eq!((&some["games"], &some["drawn"]), (&json!(1), &json!(1)));
    let query = some["query"].as_str().unwrap();
    let found = parsed(&["find", text(&archive), "-q", query, "--count", "--json", "--quiet"]);
    assert_eq!(found["games"], 1, "{query}");
    assert_eq!(report(&["--limit", "1"])["opponents"].as_array().unwrap().len(), 1);
    assert_eq!(report(&[])["opponents"].as_array().unwrap().len(), 3);
}
