//! `pdn dedup`: groups with reasons, and files with and without the duplicates.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common::{Run, run, run_with, text};

/// Twenty plies.
const OPENING: &str = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 6. 34-29 23x34 \
                       7. 40x29 10-14 8. 45-40 20-25 9. 50-45 18-23 10. 29x18 12x23";

fn game(white: &str, more: &str, moves: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"Sijbrands, T.\"]\n{more}[GameType \"20\"]\n\n{moves} 1-1")
}

/// Four records of one game (the second says most, the third is longer, the last spelt otherwise) and another game.
fn records() -> [String; 5] {
    let longer = format!("{OPENING} 11. 33-28");
    [
        game("Wiersma, H.", "", OPENING),
        game("Harm Wiersma", "[Event \"WK\"]\n[Date \"1978.??.??\"]\n", OPENING),
        game("Wiersma", "[Round \"3\"]\n", &longer),
        game("Clerc, R.", "", &format!("{OPENING} 11. 31-27")),
        game(
            "H. Wiersma",
            "[Date \"1978.03.01\"]\n[Site \"Arco\"]\n",
            &OPENING.replace('.', ". ").replace('x', "-"),
        ),
    ]
}

struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        let folder = Self { dir: tempfile::tempdir().expect("a folder") };
        folder.write("games.pdn", &(records().join("\n\n") + "\n"));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, contents: &str) {
        fs::write(self.path(name), contents).expect("written");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("read")
    }

    /// Runs `pdn dedup` in the folder.
    fn dedup(&self, options: &[&str]) -> Run {
        let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("pdn"))
            .current_dir(self.dir.path())
            .arg("dedup")
            .args(options)
            .output()
            .expect("the command runs");
        crate::common::finished(output)
    }

    /// Returns the records of a written file.
    fn records(&self, name: &str) -> Vec<String> {
        self.read(name)
            .trim_end()
            .split("1-1\n\n")
            .map(|record| format!("{} 1-1", record.trim_end_matches("1-1").trim_end()))
            .collect()
    }
}

#[test]
fn every_game_is_in_one_of_both_files_byte_for_byte() {
    let all = records();
    for (classes, kept, removed) in
        [("exact", vec![1, 2, 3], vec![0, 4]), ("exact,prefix", vec![2, 3], vec![0, 1, 4])]
    {
        let folder = Folder::new();
        let before = folder.read("games.pdn");
        let run = folder.dedup(&[
            "games.pdn",
            "--class",
            classes,
            "--output",
            "kept.pdn",
            "--duplicates",
            "removed.pdn",
        ]);
        assert_eq!(run.code, 0, "{}", run.err);
        let expected = |numbers: &[usize]| numbers.iter().map(|&n| all[n].clone()).collect::<Vec<_>>();
        assert_eq!(folder.records("kept.pdn"), expected(&kept), "{classes}");
        assert_eq!(folder.records("removed.pdn"), expected(&removed), "{classes}");
        assert_eq!(folder.read("games.pdn"), before, "the archive stays");
        let sum = format!(
            "5 games = {} kept + {} removed ({})",
            kept.len(),
            removed.len(),
            classes.replace(',', ", ")
        );
        assert!(run.out.contains(&sum), "{}", run.out);
        assert_eq!(fs::read_dir(folder.dir.path()).expect("read").count(), 3, "no temporary file stays");
    }
}

/// Comments cannot be given to another copy, tags can.
#[test]
fn annotated_copy_stays_and_receives_the_tags_of_the_others() {
    let folder = Folder::new();
    let moves = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10";
    let tagged = format!(
        "[Event \"Cup\"]\n[Site \"Here\"]\n[Round \"3\"]\n[White \"A\"]\n[Black \"B\"]\n[GameType \"20\"]\n\n{moves} *\n\n"
    );
    let annotated = format!(
        "[White \"A\"]\n[Black \"B\"]\n[GameType \"20\"]\n\n{} {{why not}} *\n",
        moves.replace("23 2.", "23 {good} 2.")
    );
    folder.write("games.pdn", &(tagged + &annotated));
    let run = folder.dedup(&["games.pdn", "--output", "kept.pdn", "--share-tags"]);
    assert!(run.out.contains("the keeper has more comments and variations (2 to 0)"), "{}", run.out);
    let kept = folder.read("kept.pdn");
    assert!(kept.contains("{good}") && kept.contains("{why not}"), "{kept}");
    assert!(kept.contains("[Event \"Cup\"]") && kept.contains("[Round \"3\"]"), "{kept}");
}

#[test]
fn groups_are_printed_with_the_reason() {
    let folder = Folder::new();
    let run = folder.dedup(&["games.pdn"]);
    assert!(
        run.out.contains("exact: games.pdn, record 2: Harm Wiersma - Sijbrands, T., 1978.??.??, 20 plies\n"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("the same moves (20 plies); the keeper has more known tags (5 to 3)"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("its 20 plies begin the 21 of the keeper; the keeper has more plies"),
        "{}",
        run.out
    );
    assert!(run.out.contains("Nothing is written"), "{}", run.out);
    let explained = folder.dedup(&["games.pdn", "--explain"]).out;
    assert!(explained.contains("White probable (1 initial, another order)"), "{explained}");
    let quiet = folder.dedup(&["games.pdn", "--summary"]).out;
    assert!(quiet.starts_with("exact:"), "{quiet}");
    let limited = folder.dedup(&["games.pdn", "--limit", "1"]).out;
    assert!(limited.contains("1 more group not shown (--limit 0 shows all)"), "{limited}");
}

#[test]
fn dates_that_are_close_are_named_as_different() {
    let folder = Folder::new();
    let records =
        ["01", "02"].map(|day| game("Wiersma, H.", &format!("[Date \"1978.03.{day}\"]\n"), OPENING));
    folder.write("close.pdn", &records.join("\n\n"));
    let printed = folder.dedup(&["close.pdn"]).out;
    assert!(printed.contains("the same moves (20 plies), other dates; "), "{printed}");
}

#[test]
fn keepers_share_the_tags_that_only_removed_copies_have() {
    let folder = Folder::new();
    let run = folder.dedup(&["games.pdn", "--output", "kept.pdn", "--share-tags"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let kept = folder.records("kept.pdn");
    for tag in ["[Event \"WK\"]", "[Date \"1978.03.01\"]", "[Site \"Arco\"]", "[White \"Harm Wiersma\"]"] {
        assert!(kept[0].contains(tag), "{tag}: {}", kept[0]);
    }
    assert_eq!(kept[1..], records()[2..4], "the others stay as they are");
    assert!(run.out.contains("2 tags of removed games added to 1 game"), "{}", run.out);
    // Of copies of copies, too.
    let run = folder.dedup(&[
        "games.pdn",
        "--output",
        "kept.pdn",
        "--force",
        "--share-tags",
        "--class",
        "exact,prefix",
    ]);
    assert!(run.out.contains("3 tags of removed games added to 1 game"), "{}", run.out);
    assert!(folder.records("kept.pdn")[0].contains("[Site \"Arco\"]"));
}

#[test]
fn games_that_an_index_has_are_found_and_the_index_stays() {
    let folder = Folder::new();
    folder.write("new.pdn", &[records()[0].clone(), game("Chizhov, A.", "", "1. 31-27 17-21")].join("\n\n"));
    assert_eq!(
        run(&["index", text(&folder.path("games.pdn")), "-o", text(&folder.path("games.idx"))]).code,
        0
    );
    let files = || {
        let mut files: Vec<_> = fs::read_dir(folder.path("games.idx"))
            .expect("read")
            .map(|file| fs::read(file.expect("read").path()).expect("read"))
            .collect();
        files.sort();
        files
    };
    let before = files();
    let run = folder.dedup(&["new.pdn", "--against", "games.idx", "--output", "fresh.pdn", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        (&lines[0]["keeper"]["known"], &lines[0]["keeper"]["game"]),
        (&true.into(), &1.into()),
        "{}",
        run.out
    );
    assert_eq!(lines[0]["others"][0]["record"], 1);
    assert_eq!(lines[1]["summary"]["removed"], 1);
    assert!(folder.read("fresh.pdn").starts_with("[White \"Chizhov"), "{}", folder.read("fresh.pdn"));
    assert_eq!(files(), before);
}

#[test]
fn standard_input_and_compressed_archives_are_written_again() {
    let folder = Folder::new();
    let input = records()[0].repeat(2).replace("1-1[", "1-1\n\n[");
    let out = folder.path("kept.pdn");
    let run = run_with(&["dedup", "-", "--output", text(&out)], input.as_bytes());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("2 games = 1 kept + 1 removed"), "{}", run.out);
    assert_eq!(folder.records("kept.pdn"), [records()[0].clone()]);
    // UTF-16 text is decoded, so it is read from the temporary index.
    let utf16: Vec<u8> = format!("\u{feff}{input}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(folder.path("utf16.pdn"), utf16).expect("written");
    let run = folder.dedup(&["utf16.pdn", "--output", "kept.pdn", "--force"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(folder.records("kept.pdn"), [records()[0].clone()]);
}

#[test]
fn archives_that_are_read_are_never_written_to() {
    let folder = Folder::new();
    let before = folder.read("games.pdn");
    for (options, message) in [
        (&["games.pdn", "--output", "./games.pdn"][..], "is an input, which is never overwritten"),
        (&["games.pdn", "--duplicates", "games.pdn"], "is an input, which is never overwritten"),
        (&["games.pdn", "--output", "a.pdn", "--duplicates", "./a.pdn"], "`--output` names the same file"),
        (&["games.pdn", "--output", "./games.pdn", "--force"], "is an input, which is never overwritten"),
        (&["games.pdn", "--output", "."], "is a folder"),
        (&["games.pdn", "--output", "no/such/folder/a.pdn"], "cannot be written"),
        (&["games.pdn", "--against", "games.pdn"], "is not an index"),
        (&["missing.pdn"], "no such file or folder"),
        (&["games.pdn", "--share-tags"], "--output"),
        (&["games.pdn", "--class", "same-moves"], "invalid value"),
    ] {
        let run = folder.dedup(options);
        assert_eq!(run.code, 2, "{options:?}: {}", run.out);
        assert!(run.err.contains(message), "{options:?}: {}", run.err);
        assert_eq!(folder.read("games.pdn"), before, "{options:?}");
        assert_eq!(fs::read_dir(folder.dir.path()).expect("read").count(), 1, "{options:?}");
    }
}

#[test]
fn existing_files_are_replaced_with_force_only() {
    let folder = Folder::new();
    folder.write("old.pdn", "an old text");
    for option in ["--output", "--duplicates"] {
        let run = folder.dedup(&["games.pdn", option, "old.pdn"]);
        assert_eq!(run.code, 2, "{}", run.out);
        assert!(run.err.contains("old.pdn: exists already\n  `--force` replaces it"), "{}", run.err);
        assert_eq!(folder.read("old.pdn"), "an old text");
    }
    let run = folder.dedup(&["games.pdn", "--output", "old.pdn", "--force"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(folder.read("old.pdn").contains("1. "));
}

/// Four records of one problem and one of another: with another event and a solution, turned, and as a mirror image.
fn problems() -> [String; 5] {
    let of = |event: &str, fen: &str, moves: &str| {
        format!("[Event \"{event}\"]\n[GameType \"30\"]\n[FEN \"{fen}\"]\n\n{moves}*")
    };
    [
        of("Book", "W:Wa3,Kb2:Bc7", ""),
        of("Magazine", "W:Wa3,Kb2:Bc7", "1. a3-a4 c7-c6 "),
        of("Turned", "B:Wf2:Bh6,Kg7", ""),
        of("Mirrored", "W:Wh3,Kg2:Bf7", ""),
        of("Other", "B:Wa3,Kb2:Bc7", ""),
    ]
}

#[test]
fn problems_with_one_position_are_listed_also_turned_and_mirrored() {
    let folder = Folder::new();
    folder.write("problems.pdn", &(problems().join("\n\n") + "\n"));
    for (options, expected) in [
        (&[][..], &["the same position (2 and 0 plies), other events"][..]),
        (
            &["--flipped"],
            &["the same position (", "the same position seen from the other side (2 and 0 plies)"],
        ),
        (&["--mirrored"], &["the same position (", "the mirror image of the position (2 and 0 plies)"]),
        (
            &["--flipped", "--mirrored"],
            &["the same position (", "seen from the other side (2", "the mirror image of the position (2"],
        ),
    ] {
        let run = folder.dedup(&[&["problems.pdn"], options].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.starts_with("same-position: problems.pdn, record 2: "), "{}", run.out);
        for text in expected {
            assert!(run.out.contains(text), "{options:?}: {}", run.out);
        }
        let summary = match expected.len() {
            1 => "same-position: 1 game in 1 group besides",
            2 => "same-position: 2 games in 1 group besides",
            _ => "same-position: 3 games in 1 group besides",
        };
        assert!(run.out.contains(summary), "{options:?}: {}", run.out);
        assert!(run.out.contains("5 games = 5 kept + 0 removed (exact)"), "{options:?}: {}", run.out);
    }
    let json = folder.dedup(&["problems.pdn", "--flipped", "--explain", "--json"]).out;
    let line: Value = serde_json::from_str(json.lines().next().expect("a group")).expect("JSON");
    let positions: Vec<&Value> = line["others"]
        .as_array()
        .expect("games")
        .iter()
        .map(|other| &other["evidence"]["position"])
        .collect();
    assert_eq!(
        (&line["class"], positions),
        (&"same-position".into(), vec![&"same".into(), &"flipped".into()])
    );
}

#[test]
fn problems_moved_over_the_board_are_reported_with_the_forerunner() {
    let folder = Folder::new();
    let of = |tags: &str, fen: &str, moves: &str| {
        format!("{tags}\n[GameType \"20\"]\n[FEN \"{fen}\"]\n\n{moves} *\n\n")
    };
    let text = of("[Date \"1987.??.??\"]", "W:W33,34:B28,40", "1. 33x22")
        // A column to the left and a row up.
        + &of("[Date \"2004\"]\n[PublicationDate \"1911.05.??\"]", "W:W28,29:B22,34", "")
        // The first one seen from the other side, a column to the right and a row up.
        + &of("[Date \"?\"]", "B:W19,7:B13,12", "");
    folder.write("problems.pdn", &text);
    let plain = folder.dedup(&["problems.pdn"]);
    assert!(!plain.out.contains("shifted"), "{}", plain.out);
    let run = folder.dedup(&["problems.pdn", "--shifted"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for text in [
        "shifted-position: problems.pdn, record 1: ",
        "the same motif: the position, 1 column to the left and 1 row away from White (1 and 0 plies), other dates; \
         it is the forerunner by its date\n",
        "shifted-position: 1 game in 1 group with the position of another one moved over the board, and stay",
        "3 games = 3 kept + 0 removed (exact)",
    ] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    let json = folder.dedup(&["problems.pdn", "--shifted", "--flipped", "--explain", "--json"]).out;
    let line: Value = serde_json::from_str(json.lines().next().expect("a group")).expect("JSON");
    let evidence: Vec<&Value> =
        line["others"].as_array().expect("games").iter().map(|other| &other["evidence"]).collect();
    assert_eq!(
        (&evidence[0]["shift"], &evidence[0]["forerunner"]),
        (&serde_json::json!({ "form": "same", "columns": -1, "rows": 1 }), &"other".into())
    );
    assert_eq!(
        (&evidence[1]["shift"]["form"], &evidence[1]["forerunner"]),
        (&"flipped".into(), &Value::Null)
    );
}

#[test]
fn copies_of_problems_are_removed_if_their_class_is_chosen() {
    let folder = Folder::new();
    let mut all = problems().to_vec();
    // Equal in all that is known, so that it goes by default.
    all.push(all[0].clone());
    folder.write("problems.pdn", &(all.join("\n\n") + "\n"));
    let split = |options: &[&str]| {
        let files = ["--output", "kept.pdn", "--duplicates", "removed.pdn", "--force", "--share-tags"];
        let run = folder.dedup(&[&["problems.pdn"], options, &files].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        ["kept.pdn", "removed.pdn"].map(|name| folder.read(name).trim_end().to_owned())
    };
    let of = |numbers: &[usize]| {
        let records: Vec<&str> = numbers.iter().map(|&n| all[n].as_str()).collect();
        records.join("\n\n")
    };
    assert_eq!(split(&[]), [of(&[0, 1, 2, 3, 4]), of(&[5])]);
    assert_eq!(split(&["--class", "same-position,exact"]), [of(&[1, 2, 3, 4]), of(&[0, 5])]);
    assert_eq!(
        split(&["--class", "same-position,exact", "--flipped", "--mirrored"]),
        [of(&[1, 4]), of(&[0, 2, 3, 5])],
        "and no tag of another publication is added"
    );
}

/// Nothing can be written to this device, which is known only after the groups.
#[cfg(target_os = "linux")]
#[test]
fn groups_are_printed_before_an_error_of_the_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = folder.path().join("games.pdn");
    let game = "[White \"Ames\"]\n[Black \"Bell\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 *\n";
    fs::write(&archive, game.repeat(2)).expect("written");
    let found = run(&["dedup", "--json", text(&archive), "-o", "/dev/full", "--force"]);
    assert_ne!(found.code, 0, "{}", found.err);
    assert!(found.out.contains("\"class\":\"exact\""), "{}{}", found.out, found.err);
}

#[cfg(unix)]
#[test]
fn outputs_may_share_a_device_and_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let [archive, file] = ["games.pdn", "out.pdn"].map(|name| folder.path().join(name));
    fs::write(&archive, "[White \"Ames\"]\n[Black \"Bell\"]\n1. 32-28 19-23 *\n".repeat(2)).expect("written");
    let dedup =
        |output: &str| run(&["dedup", text(&archive), "-o", output, "--duplicates", output, "--force"]);
    assert_eq!(dedup("/dev/null").code, 0, "{}", dedup("/dev/null").err);
    assert_eq!(dedup(text(&file)).code, 2);
}

#[test]
fn last_group_within_the_limit_is_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = folder.path().join("games.pdn");
    let copies = |moves: &str| format!("[White \"Ames\"]\n[Black \"Bell\"]\n{moves} *\n").repeat(3);
    fs::write(&archive, copies(OPENING) + &copies("1. 34-30 20-25")).expect("written");
    for (limit, groups) in [("1", 1), ("2", 2), ("3", 2)] {
        let found = run(&["dedup", "--json", text(&archive), "--limit", limit]);
        let lines = found.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let others: Vec<_> = lines.filter_map(|line| Some(line["others"].as_array()?.len())).collect();
        assert_eq!(others, vec![2; groups], "{}", found.out);
    }
}

#[test]
fn duplicates_in_a_later_segment_have_the_numbers_of_the_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let [first, second, dir] = ["a.pdn", "b.pdn", "index"].map(|name| folder.path().join(name));
    let game = |white: &str| format!("[White \"{white}\"]\n[Black \"Bell\"]\n{OPENING} *\n");
    fs::write(&first, format!("{}{}", game("Ames"), "[White \"Dunn\"]\n1. 34-30 *\n")).expect("written");
    fs::write(&second, game("Cole").repeat(2)).expect("written");
    for archive in [&first, &second] {
        let indexed = run(&["index", "--append", "-o", text(&dir), text(archive)]);
        assert_eq!(indexed.code, 0, "{}", indexed.err);
    }
    let found = run(&["dedup", "--json", text(&dir)]);
    let mut groups = found.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let group = groups.find(|line| line["class"] == "exact").expect("a group");
    assert_eq!(
        (&group["keeper"]["game"], &group["others"][0]["game"]),
        (&3.into(), &4.into()),
        "{}",
        found.out
    );
}
