//! Lists of positions, one on each line, are read as problems by every command.

use std::fs;

use serde_json::Value;

use crate::common::{run, text};

const LIST: &str =
    "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29\n\nW:W31-50:B1-20.\nnot a position\nW:W48:B8,K9\n";

#[test]
fn list_of_positions_is_read_as_problems() {
    let dir = tempfile::tempdir().unwrap();
    let (list, index, out) = (dir.path().join("a.fen"), dir.path().join("a.idx"), dir.path().join("a.pdn"));
    fs::write(&list, LIST).unwrap();
    fs::write(dir.path().join("chess.fen"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
        .unwrap();
    fs::write(dir.path().join("match.LDF.gz"), "LiveDraughts").unwrap();

    // A folder: the list is read, files of other programs are named.
    let checked = run(&["check", text(dir.path())]);
    assert!(
        checked.err.contains(
            "not read in the searched folders: 2 files not named like PDN files (1 of LiveDraughts)"
        ),
        "{}",
        checked.err
    );
    // Places are those of the file.
    let checked = run(&["check", "--json", text(&list)]);
    assert_eq!(checked.code, 1, "{}", checked.out);
    let lines: Vec<Value> = checked.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let other = lines.iter().find(|line| line["code"] == "P015").expect("a line that is no position");
    let at = LIST.find("not a position").unwrap() as u64;
    assert_eq!(
        (&other["record"], &other["line"], &other["at"]),
        (&2.into(), &4.into(), &at.into()),
        "{other}"
    );

    let stats: Value = serde_json::from_str(&run(&["stats", "--json", text(&list)]).out).unwrap();
    assert_eq!(stats["problems"], 3, "{stats}");
    let converted = run(&["convert", text(&list), "-o", text(&out)]);
    assert!(fs::read_to_string(&out).unwrap().contains("[FEN \"W:W48:B8,K9\"]"), "{}", converted.err);
    assert_eq!(run(&["index", "--embed", text(&list), "-o", text(&index)]).code, 0);
    let found = run(&["find", text(&index), "--fen", "W:W48:B8,K9", "--count"]);
    assert_eq!(found.out, "1\n", "{}", found.err);
}

#[test]
fn list_of_positions_is_not_changed_in_place() {
    let dir = tempfile::tempdir().unwrap();
    let list = dir.path().join("a.fen");
    fs::write(&list, LIST).unwrap();
    for command in [&["fmt"][..], &["fmt", "--utf8"], &["fix", "--write"]] {
        let refused = run(&[command, &[text(&list)]].concat());
        assert_eq!(refused.code, 2, "{command:?}: {}", refused.out);
        assert!(
            refused.err.contains("is a list of positions; `pdn convert` writes it as PDN"),
            "{}",
            refused.err
        );
        assert_eq!(fs::read_to_string(&list).unwrap(), LIST);
    }
}

#[test]
fn position_before_the_moves_is_no_list() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.pdn");
    fs::write(&file, "W:W31-50:B1-20\n1. 32-28 19-23 *\n").unwrap();
    let converted = run(&["convert", text(&file)]);
    assert!(!converted.out.contains("FEN"), "{}", converted.out);
}
