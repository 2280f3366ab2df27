//! `pdn find` and `pdn show` in variations.

use crate::common::{archive_of, run, text};
use serde_json::Value;

const GAMES: &str = "[GameType \"20\"]\n1. 32-28 19-23 *\n\n[GameType \"20\"]\n\
    1. 32-28 (33-28 18-23 {a shot}) 19-23! 2. 28x19 14x23 (2... 13x24 $4) *\n\n";

#[test]
fn hits_in_variations_have_a_line_and_show_opens_it() {
    let (folder, archive) = archive_of(GAMES);
    let index = folder.path().join("games.idx");
    assert_eq!(run(&["index", text(&archive), "-o", text(&index)]).code, 0);
    for path in [text(&archive), text(&index)] {
        let found = run(&["find", path, "-q", "aside move x24", "--json"]);
        let value: Value = serde_json::from_str(&found.out).expect("one line");
        let place = ["game", "line", "ply"].map(|key| value[key].as_u64());
        assert_eq!(place, [Some(2), Some(2), Some(3)], "{}", found.out);
        let table = run(&["find", path, "-q", "aside move x24"]);
        assert!(table.out.starts_with("game  ply  line"), "{}", table.out);
        assert!(table.out.contains(" 2 --line 2 --ply 3` shows it."), "{}", table.out);
        let fen = run(&["find", path, "-q", "aside comment : shot", "--format", "fen"]).out;
        let shown = run(&["show", path, "2", "--line", "1", "--ply", "2", "--json"]).out;
        let shown: Value = serde_json::from_str(&shown).expect("one line");
        assert_eq!(
            (shown["fen"].as_str(), &shown["line"], &shown["ply"]),
            (Some(fen.trim()), &1.into(), &2.into())
        );
        let all = run(&["find", path, "-q", "aside all", "--all-plies", "--count"]);
        assert_eq!(all.out, "2\n", "a variation begins in two positions");
    }
    let plain = run(&["find", text(&index), "-q", "mark \"!\"", "--json"]);
    let value: Value = serde_json::from_str(&plain.out).expect("one line");
    assert!(value.get("line").is_none() && value["ply"] == 1, "{}", plain.out);
}

#[test]
fn show_marks_the_move_of_a_variation() {
    let (_folder, archive) = archive_of(GAMES);
    let shown = run(&["show", text(&archive), "2", "--line", "2"]);
    assert!(shown.out.contains("[13x24]") && shown.out.contains("\nPly 4 of 4 in line 2;"), "{}", shown.out);
    for (line, ply, message) in [
        ("3", "1", "the game has no such variation, or no move of it can be replayed"),
        ("2", "1", "the variation has the plies 3 to 4"),
        ("2", "5", "the variation has the plies 3 to 4"),
    ] {
        let failed = run(&["show", text(&archive), "2", "--line", line, "--ply", ply]);
        assert!(failed.code != 0 && failed.err.contains(message), "{line} {ply}: {}", failed.err);
    }
}
