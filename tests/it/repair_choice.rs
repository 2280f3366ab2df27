//! Single repairs: which are safe, which are only shown, and which are not proposed.

use pdn::fix::{Applicability, Fixer, Repair, RepairKind, edits, select};
use pdn::movegen::MoveList;
use pdn::notation::MoveStyle;
use pdn::position::Position;
use pdn::replay::{GameStatus, ReplayOptions, Replayer};
use pdn::rules::Variant;

fn repairs(record: &str) -> Vec<Repair> {
    Fixer::default().find(record.as_bytes())
}

/// Returns the record with its safe repairs.
fn safely_repaired(record: &str) -> String {
    let found = repairs(record);
    let chosen = select(&found, |repair| repair.applicability == Applicability::Safe);
    String::from_utf8(edits(&chosen).apply(record.as_bytes())).unwrap()
}

#[test]
fn repeated_tag_is_removed_only_if_its_value_is_equal() {
    let record =
        |value: &str| format!("[White \"a\"]\n[White \"{value}\"]\n[Result \"*\"]\n\n1. 32-28 19-23 *\n");
    assert_eq!(safely_repaired(&record("b")), record("b"), "another value is not lost");
    assert_eq!(safely_repaired(&record("a")), record("a").replacen("[White \"a\"]\n", "", 1));
}

#[test]
fn terminator_after_a_line_comment_stands_on_its_own_line() {
    let record = "[White \"a\"]\n[Result \"*\"]\n\n1. 32-28 19-23";
    assert_eq!(safely_repaired(&format!("{record} ; a note\n")), format!("{record} ; a note\n*\n"));
    assert_eq!(safely_repaired(&format!("{record}\n")), format!("{record} *\n"));
}

#[test]
fn names_of_another_language_are_no_safe_repairs() {
    let record = "[Wit \"a\"]\n[Zwart \"b\"]\n[Result \"*\"]\n\n1. 32-28 19-23 *\n";
    let found = repairs(record);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|repair| repair.applicability == Applicability::Unsafe), "{found:?}");
    // A name of another program means the same in every language.
    let found = repairs("[White \"a\"]\n[WhiteElo \"2000\"]\n[Result \"*\"]\n\n1. 32-28 19-23 *\n");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].applicability, Applicability::Safe);
}

/// Returns moves that are legal in Frisian draughts, and of which the first few are legal in international draughts too.
fn frisian_moves(plies: usize) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(crate::common::seed(7));
    let mut list = MoveList::new();
    loop {
        let mut position = Position::start(Variant::Frisian);
        let mut texts = Vec::new();
        while texts.len() < plies {
            position.legal_moves(&mut list).expect("few captures");
            let Some(mv) = random.choice(list.iter().copied()) else { break };
            texts.push(position.move_text(&mv, MoveStyle::Shortest));
            position = position.after_unchecked(&mv);
        }
        let record = format!("[GameType \"20\"]\n\n{} *", texts.join(" "));
        let summary = Replayer::new(&ReplayOptions::new()).summary(record.as_bytes());
        let is_late = (5..plies as u32 - 2).contains(&summary.plies);
        if texts.len() == plies && summary.status == GameStatus::Illegal && is_late {
            return texts;
        }
    }
}

#[test]
fn another_variant_is_proposed_from_twelve_moves_on() {
    let kinds = |moves: &[String]| {
        let found = repairs(&format!("[GameType \"20\"]\n\n{} *\n", moves.join(" ")));
        let candidates = found.iter().flat_map(|repair| &repair.candidates).map(|candidate| candidate.kind);
        found.iter().map(|repair| repair.kind).chain(candidates).collect::<Vec<_>>()
    };
    let moves = frisian_moves(12);
    assert!(kinds(&moves).contains(&RepairKind::Variant), "{moves:?}");
    assert!(!kinds(&moves[..11]).contains(&RepairKind::Variant), "{moves:?}");
}
