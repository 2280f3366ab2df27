//! `pdn find` in a damaged index, in many games, and with very long names.

use std::fs;
use std::path::Path;

use crate::common::run;

const GAMES: &str = "\
[White \"Van der Wal, Jannes\"]\n[Black \"Wiersma\"]\n[Event \"WK\"]\n[Date \"1982.11.20\"]\n[Result \"2-0\"]\n\
[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n\
[White \"Wiersma\"]\n[Black \"Sijbrands\"]\n[Event \"NK\"]\n[Date \"1979.04.02\"]\n[Result \"1-1\"]\n\
[GameType \"20\"]\n1. 34-29 17-21 {quiet} 1-1\n\n";

/// Indexes [`GAMES`] in a folder; returns the path of the index.
fn build_index(place: &Path) -> String {
    let (archive, dir) = (place.join("games.pdn"), place.join("index"));
    fs::write(&archive, GAMES).unwrap();
    let text = |path: &Path| crate::common::text(path).to_owned();
    assert_eq!(run(&["index", &text(&archive), "-o", &text(&dir)]).code, 0);
    text(&dir)
}

#[test]
fn damaged_index_is_refused_or_gives_equal_results() {
    let place = tempfile::tempdir().unwrap();
    let dir = build_index(place.path());
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
