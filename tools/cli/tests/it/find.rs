//! Tests of `pdn find`.

use std::fs;
use std::path::Path;

use crate::common::run;
use serde_json::Value;

const GAMES: &str = "\
[White \"Van der Wal, Jannes\"]\n[Black \"Wiersma\"]\n[Event \"WK\"]\n[Date \"1982.11.20\"]\n[Result \"2-0\"]\n\
[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n\
[White \"Wiersma\"]\n[Black \"Sijbrands\"]\n[Event \"NK\"]\n[Date \"1979.04.02\"]\n[Result \"1-1\"]\n\
[GameType \"20\"]\n1. 34-29 17-21 {quiet} 1-1\n\n";

/// Indexes [`GAMES`] in a folder; returns the paths of the archive and the index.
fn build_index(place: &Path, embed: bool) -> (String, String) {
    let (archive, dir) = (place.join("games.pdn"), place.join("index"));
    fs::write(&archive, GAMES).unwrap();
    let text = |path: &Path| crate::common::text(path).to_owned();
    let mut args = vec!["index".to_owned(), text(&archive), "-o".to_owned(), text(&dir)];
    args.extend(embed.then(|| "--embed".to_owned()));
    assert_eq!(run(&args.iter().map(String::as_str).collect::<Vec<_>>()).code, 0);
    (text(&archive), text(&dir))
}

#[test]
fn find_prints_games_in_every_format() {
    let place = tempfile::tempdir().unwrap();
    let (archive, dir) = build_index(place.path(), false);
    let find = |args: &[&str]| run(&[&["find", &dir][..], args].concat());

    let table = find(&["--player", "wiersma", "--sort", "date"]);
    assert_eq!((table.code, table.err.as_str()), (0, ""));
    assert!(table.out.contains("1979.04.02") && table.out.contains("\n2 games; `pdn show "), "{}", table.out);
    assert!(table.out.find("Sijbrands") < table.out.find("Jannes"), "sorted by date: {}", table.out);

    let winners = |order: &[&str]| {
        let found = find(&[&["--sort", "result", "--json"], order].concat()).out;
        let winner = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["winner"].clone();
        found.lines().map(winner).collect::<Vec<_>>()
    };
    let sorted = winners(&[]);
    assert!(sorted.len() > 1 && sorted[0] == "white" && sorted[1] != "white", "{sorted:?}");
    assert_eq!(winners(&["--reverse"]), sorted.into_iter().rev().collect::<Vec<_>>());

    let hit = find(&["--material", "w<20", "--json"]);
    let value: Value = serde_json::from_str(&hit.out).expect("one line");
    assert_eq!((&value["game"], &value["ply"], &value["file"]), (&1.into(), &4.into(), &archive.into()));
    for key in ["white", "black", "event", "site", "date", "round", "result", "variant", "plies", "offset"] {
        assert!(!value[key].is_null(), "{key} in {value}");
    }
    let quiet = find(&["--date", "1979", "--format", "pdn"]);
    assert_eq!(quiet.out, GAMES[GAMES.find("[White \"Wiersma").unwrap()..]);
    assert_eq!(find(&["--format", "pdn"]).out, GAMES, "byte for byte");
    let fen = find(&["--moves", "1. 34-29", "--format", "fen"]);
    assert_eq!(fen.out.lines().count(), 1);
    assert!(fen.out.starts_with("B:W29,31,32,33,35"), "{}", fen.out);

    let sample = |seed: &str| find(&["--sample", "1", "--seed", seed, "--json"]).out;
    assert_eq!(sample("3"), sample("3"));
    assert!((0..20).any(|seed| sample(&seed.to_string()) != sample("3")), "another seed, another game");
    assert_eq!(find(&["--sample", "1", "--count"]).out, "1\n", "those in the sample are counted");
    assert_eq!(find(&["--sample", "9", "--count"]).out, "2\n");
    assert_eq!(find(&["--all-plies", "--sample", "3", "--count"]).out, "3\n");
    let positions = |seed: u32| {
        let seed = seed.to_string();
        let found = find(&["--all-plies", "--sample", "2", "--seed", &seed, "--fields", "game"]).out;
        found.lines().skip(1).map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    assert!((0..20).any(|seed| positions(seed)[..2] == ["1", "2"]), "positions of several games");
    let counted = find(&["--count", "--explain", "-q", "wk=0 for 2"]);
    assert_eq!(counted.out, "2\n");
    assert!(
        counted.err.contains("2 games in the index") && counted.err.contains("positions"),
        "{}",
        counted.err
    );
    let none = find(&["--white", "nobody at all", "--count"]);
    assert_eq!((none.code, none.out.as_str()), (1, "0\n"));
}

#[test]
fn invalid_queries_are_reported_with_their_place() {
    let place = tempfile::tempdir().unwrap();
    let (_, dir) = build_index(place.path(), false);
    for (words, message) in [
        (
            &["-q", "white wiersma"][..],
            "pdn: --query: expected `:`, `=`, `~` or `to move`, found `wiersma`\n  white wiersma\n        ^^^^^^^\n",
        ),
        (
            &["--moves", "1. 32-28 19-24 2. 28-32"],
            "pdn: --moves: expected a legal move of the position that is reached here\n  1. 32-28 19-24 2. 28-32\n                    ^^^^^\n",
        ),
        (&["--pattern", "w32 q"], "^\n"),
        (&["--move", "99-98"], "pdn: --move: expected `32-28`"),
        (&["--plies", "40 and 50"], "pdn: --plies: expected the end, found `and`\n  40 and 50\n     ^^^\n"),
        (&["--ply", "3", "-q", "ply 5"], "`ply 5` and `ply 3` exclude each other"),
        (&["--white", "?"], "pdn: --white: expected a name with a letter or a digit"),
        (
            &["--pattern", "w1,1 b1"],
            "pdn: --pattern: this contradicts an earlier part, which names `1` too\n  w1,1 b1\n        ^\n",
        ),
        (&["--fen", "W:WK99:B1"], "pdn: --fen: expected squares up to 72\n  W:WK99:B1\n     ^^^\n"),
        (&["--fen", "W:Wz"], "pdn: --fen: this is no FEN"),
        (&["--date", "soon"], "pdn: --date: expected a date"),
        (&["--ply", "9..3"], "pdn: --ply: expected the smaller number first\n  9..3\n  ^^^^\n"),
    ] {
        let run = run(&[&["find", &dir][..], words].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{words:?}");
        assert!(run.err.contains(message), "{words:?}: {}", run.err);
    }
}

#[test]
fn index_of_a_changed_archive_is_searched_without_text() {
    for embed in [false, true] {
        let place = tempfile::tempdir().unwrap();
        let (archive, dir) = build_index(place.path(), embed);
        fs::write(&archive, GAMES.replace("quiet", "QUIET")).unwrap();
        let found = run(&["find", &dir, "--white", "wiersma", "--count"]);
        assert_eq!((found.code, found.out.as_str()), (0, "1\n"), "the search needs no archive");
        let text = run(&["find", &dir, "--white", "wiersma", "--format", "pdn"]);
        if embed {
            assert!(text.code == 0 && text.out.contains("quiet"));
        } else {
            assert_eq!((text.code, text.out.as_str()), (2, ""));
            assert!(text.err.contains("has changed") && text.err.contains("1 game left out"), "{}", text.err);
            fs::remove_file(&archive).unwrap();
            let text = run(&["find", &dir, "--white", "wiersma", "--format", "pdn"]);
            assert_eq!((text.code, text.out.as_str()), (2, ""));
            assert!(
                text.err.contains("no longer there") && text.err.contains("can still be searched"),
                "{}",
                text.err
            );
        }
    }
}

#[test]
fn damaged_index_is_refused_or_gives_equal_results() {
    let place = tempfile::tempdir().unwrap();
    let (_, dir) = build_index(place.path(), false);
    let segment = fs::read_dir(&dir).unwrap().map(|file| file.unwrap().path());
    let segment = segment.into_iter().find(|path| path.extension().is_some_and(|e| e == "pdns")).unwrap();
    let sound = fs::read(&segment).unwrap();
    let search = || run(&["find", &dir, "--player", "wiersma", "-q", "w<20 or ply 1", "--json"]);
    let before = search();
    assert_eq!(before.code, 0);
    let mut refused = 0;
    for at in (0..sound.len()).step_by(37) {
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&segment, &bytes).unwrap();
        let now = search();
        refused += u32::from(now.code == 2);
        assert!(
            now.code == 2 && !now.err.is_empty() || now.out == before.out,
            "bit in byte {at}: {}",
            now.out
        );
    }
    assert!(refused > 20, "most bytes are read by the search");
    fs::write(&segment, &sound[..sound.len() - 9]).unwrap();
    assert_eq!(search().code, 2, "truncated");
    fs::remove_file(&segment).unwrap();
    assert_eq!(search().code, 2, "missing");
}

#[test]
fn first_rows_are_printed_before_all_matches_are_counted() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("games.pdn");
    let game = "[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 *\n\n";
    fs::write(&file, game.repeat(20_000)).unwrap();
    let dir = place.path().join("games.idx");
    assert_eq!(run(&["index", crate::common::text(&file), "-o", crate::common::text(&dir)]).code, 0);
    let segment = dir.join("segment-00000001.pdns");
    let sound = fs::read(&segment).unwrap();
    let find = |option: &str| {
        run(&[
            "find",
            crate::common::text(&dir),
            "--pattern",
            "w28 .32",
            "--threads",
            "1",
            "--limit",
            "1",
            option,
        ])
    };
    // A place in the file that only the count needs: the moves of later games.
    let is_for_the_count = |at: &usize| {
        let mut bytes = sound.clone();
        bytes[*at] ^= 1;
        fs::write(&segment, &bytes).unwrap();
        find("--count").code == 2 && find("--json").code == 0
    };
    (0..sound.len()).rev().step_by(sound.len() / 200).find(is_for_the_count).expect("moves of later games");
    let table = find("--quiet");
    assert_eq!(table.code, 2, "{}", table.out);
    assert_eq!(table.out.lines().count(), 2, "a header and a row: {}", table.out);
}

#[test]
fn table_has_one_whole_line_a_game() {
    // Names, events and paths that are far longer than a line of a terminal; escapes of terminals among them.
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("games.pdn");
    let long = "very long name ".repeat(20);
    let record = |number: usize| {
        format!(
            "[White \"{long}{number}\"]\n[Black \"B\\x1b[2J\"]\n[Event \"{long}\x1b[31m\"]\n[GameType \"20\"]\n1. 32-28 *\n\n"
        )
    };
    // More games than widths are measured for at a time, the last of them with the widest number.
    let text: String = (1..=2_345).map(record).collect();
    fs::write(&file, text).unwrap();
    let table = run(&["find", crate::common::text(&file), "--limit", "0"]);
    assert_eq!(table.code, 0, "{}", table.err);
    let lines: Vec<_> = table.out.lines().collect();
    assert_eq!(lines.len(), 2_347, "a header, a line for each game, and the footer");
    for (number, line) in lines[1..2_346].iter().enumerate() {
        let number = number + 1;
        assert!(line.trim_start().starts_with(&format!("{number}  ")), "{line}");
        assert!(line.contains(&format!("{long}{number} ")) && line.contains("international"), "{line}");
        assert!(
            line.ends_with(&format!("  {number}")) && line.contains("games.pdn"),
            "file and record: {line}"
        );
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
    assert!(lines[2_346].starts_with("2,345 games; `pdn show "), "{}", lines[2_346]);
    let some = run(&["find", crate::common::text(&file), "--limit", "2"]).out;
    assert!(
        some.lines().last().unwrap().starts_with("2 of 2,345 games; `--limit 0` lists all; `pdn show "),
        "{some}"
    );
}
