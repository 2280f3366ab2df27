//! Repairs of the position in the FEN tag.

use pdn::diag::Code;
use pdn::fix::{Applicability, Fixer, Repair, RepairKind, edits, select};

fn repairs(record: &str) -> Vec<Repair> {
    Fixer::default().find(record.as_bytes())
}

#[test]
fn likelier_of_two_changes_with_the_same_game_is_named() {
    // Another side to move in the usual position is the usual start, too.
    let moves = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 6. 34-29 23x34 *";
    let record = |fen: &str| format!("[GameType \"20\"]\n[FEN \"{fen}\"]\n\n{moves}\n");
    let found = repairs(&record("B:W31-50:B1-20"));
    let illegal: Vec<_> = found.iter().filter(|repair| repair.code.id().starts_with('R')).collect();
    assert_eq!(illegal.len(), 1, "{found:?}");
    let kinds: Vec<_> = illegal[0].candidates.iter().map(|candidate| candidate.kind).collect();
    assert_eq!(illegal[0].kind, RepairKind::SideToMove);
    assert_eq!(illegal[0].edits[0].new, b"W:W31-50:B1-20");
    assert!(!kinds.contains(&RepairKind::UsualStart), "{found:?}");
}

/// Returns the repair of an illegal move in a record that has exactly one: its kind, and the record with it.
fn start_repaired(record: &str) -> Option<(RepairKind, String)> {
    let found = repairs(record);
    let chosen = select(&found, |repair| repair.applicability == Applicability::Unsafe);
    let [repair] = chosen[..] else { return None };
    Some((repair.kind, String::from_utf8(edits(&chosen).apply(record.as_bytes())).unwrap()))
}

#[test]
fn wrong_start_position_is_repaired_in_the_words_of_its_tag() {
    let moves = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 6. 34-29 23x34 *";
    let record = |fen: &str| {
        // One position is that after the first move, counted from the other side or not.
        let moves = if fen.starts_with("B:W2") && fen.ends_with('.') { &moves[9..] } else { moves };
        format!("[GameType \"20\"]\n[FEN \"{fen}\"]\n\n{moves}\n")
    };
    for (fen, kind, repaired) in [
        // The position after two moves over all moves.
        ("B:W28,31,33-50:B1-20", RepairKind::UsualStart, "W:W31-50:B1-20"),
        ("W:B31-50:W1-20.", RepairKind::ExchangedSides, "W:W31-50:B1-20."),
        ("B:B31-50:W1-20:H0:F1.", RepairKind::ExchangedSides, "W:W31-50:B1-20:H0:F1."),
        ("B:W23,20,1-18:B31-50.", RepairKind::TurnedStart, "B:W28,31,33-50:B1-20."),
    ] {
        let found = start_repaired(&record(fen));
        let (found_kind, text) = found.unwrap_or_else(|| panic!("{fen}: {:?}", repairs(&record(fen))));
        assert_eq!(text, record(repaired), "{fen}");
        assert_eq!(found_kind, kind, "{fen}");
    }
}

#[test]
fn one_letter_for_the_side_to_move_is_left_if_the_moves_show_which() {
    let repaired = |record: &str| {
        let found = repairs(record);
        let safe = select(&found, |repair| repair.applicability == Applicability::Safe);
        String::from_utf8(edits(&safe).apply(record.as_bytes())).unwrap()
    };
    for (fen, moves, expected) in [
        ("W:B:W31,36:B4,9", "1. ... 9-14 *", "B:W31,36:B4,9"),
        ("W:B:W31,36:B4,9.", "1. 31-27 *", "W:W31,36:B4,9"),
        ("W:W:W31,36:B4,9", "*", "W:W31,36:B4,9"),
        ("?:W31,36:B4,9", "1. ... 9-14 *", "B:W31,36:B4,9"),
        // Nothing shows the side, and it is not for the repair to choose it.
        ("W:B:W31,36:B4,9", "*", "W:B:W31,36:B4,9"),
    ] {
        let record = |fen: &str| format!("[GameType \"20\"]\n[FEN \"{fen}\"]\n\n{moves}\n");
        assert_eq!(repaired(&record(fen)), record(expected));
    }
    // Repairs of illegal moves see the position in its usual form.
    let moves = "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 10-14 4. 41-37 14-19 5. 46-41 5-10 6. 34-29 23x34 *";
    let record = |fen: &str| format!("[GameType \"20\"]\n[FEN \"{fen}\"]\n\n{moves}\n");
    let (kind, text) = start_repaired(&record("B:B:B31-50:W1-20")).unwrap();
    assert_eq!(kind, RepairKind::ExchangedSides);
    assert!(text.contains("[FEN \"W:B1,2,3,") && text.contains(",19,20:W31,32,"), "{text}");
}

#[test]
fn lost_piece_of_a_position_is_shown_and_never_added() {
    // Square 33 is empty, so that 33-29 cannot be played.
    let record = "[GameType \"20\"]\n[FEN \"W:W31,32,38,43:B8,12,13,18\"]\n\n\
                  1. 33-29 12-17 2. 38-33 17-22 3. 43-38 8-12 4. 31-26 12-17 5. 32-27 22x31 6. 26x37 17-22 *\n";
    let found = repairs(record);
    let shown = found.iter().filter(|repair| repair.applicability == Applicability::Display);
    let kinds: Vec<_> = shown.flat_map(|repair| &repair.candidates).map(|candidate| candidate.kind).collect();
    assert!(kinds.contains(&RepairKind::StartPiece), "{found:?}");
    assert!(select(&found, |_| true).iter().all(|repair| repair.applicability == Applicability::Safe));
}

#[test]
fn side_to_move_that_the_move_numbers_show_is_repaired() {
    let (kind, text) =
        start_repaired("[FEN \"W:W44,40:B22,10\"]\n\n1. 22-27 44-39 2. 27-31 39-33 3. 31-36 33-28 *")
            .unwrap();
    assert_eq!(kind, RepairKind::SideToMove);
    assert!(text.contains("[FEN \"B:W44,40:B22,10\"]"), "{text}");
    // The same moves under numbers of which a first move is lost, or without any.
    for moves in
        ["1. 22-27 2. 44-39 27-31 3. 39-33 31-36 4. 33-28 *", "22-27 44-39 27-31 39-33 31-36 33-28 *"]
    {
        let found = repairs(&format!("[FEN \"W:W44,40:B22,10\"]\n\n{moves}"));
        let illegal = found.iter().find(|repair| repair.code == Code::IllegalMove).unwrap();
        assert_eq!(illegal.applicability, Applicability::Display, "{moves}");
    }
}
