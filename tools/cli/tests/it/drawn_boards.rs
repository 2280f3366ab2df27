//! The board that `pdn show` draws is a pattern of `pdn find`.

use std::fmt::Write;
use std::fs;

use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::Position;
use pdn::rules::Variant;
use serde_json::Value;

use crate::common::{run, text};

/// Returns a record of six plies that differ from variant to variant, and the last position.
fn game(variant: Variant) -> (String, Position) {
    let mut position = Position::start(variant);
    let mut record = format!("[GameType \"{}\"]\n", variant.tag());
    let mut list = MoveList::new();
    for choice in [1, 3, 0, 2, 5, 4] {
        position.legal_moves(&mut list).unwrap();
        let mv = list[choice % list.len()];
        let _ = write!(record, "{} ", move_text(&position, &mv, MoveStyle::Chain).unwrap());
        position.play_unchecked(&mv);
    }
    (record + "*\n\n", position)
}

#[test]
fn board_drawn_by_show_is_accepted_as_a_pattern() {
    let folder = tempfile::tempdir().unwrap();
    let [archive, dir, drawing] = ["games.pdn", "index", "board.txt"].map(|name| folder.path().join(name));
    // The tag of unified pool names Zimbabwean pool too, so that only one of them can be read back.
    let variants = || Variant::ALL.iter().copied().filter(|&variant| variant != Variant::ZimbabweanPool);
    let games: Vec<(String, Position)> = variants().map(game).collect();
    fs::write(&archive, games.iter().map(|(record, _)| record.as_str()).collect::<String>()).unwrap();
    assert_eq!(run(&["index", text(&archive), "-o", text(&dir)]).code, 0);
    for (number, (variant, (_, position))) in (1..).zip(variants().zip(&games)) {
        for options in
            [&[][..], &["--letters"], &["--flip"], &["--numbers"], &["--numbers", "--letters", "--flip"]]
        {
            let fen = position.fen();
            let shown = run(&[&["show", "--variant", variant.name(), "--fen", &fen], options].concat());
            assert_eq!((shown.code, shown.err.as_str()), (0, ""));
            fs::write(&drawing, &shown.out).unwrap();
            let pattern = format!("@{}", text(&drawing));
            let found =
                run(&["find", text(&dir), "--variant", variant.name(), "--pattern", &pattern, "--json"]);
            let hits: Vec<Value> =
                found.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let hits: Vec<_> = hits.iter().map(|hit| (&hit["game"], &hit["ply"])).collect();
            assert_eq!(
                hits,
                [(&number.into(), &6.into())],
                "{variant} {options:?}\n{}{}",
                shown.out,
                found.err
            );
        }
    }
}
