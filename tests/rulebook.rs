//! The diagrams of the rule books: each shows what its article says, and is played so.

use pdn::movegen::MoveList;
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::value::Fen;

/// In this position these are the legal moves, each as its first and last square.
#[track_caller]
fn check(variant: Variant, article: &str, fen: &str, expected: &str) {
    let position = Position::from_fen(variant, &Fen::parse(fen.as_bytes()).unwrap()).unwrap();
    let mut list = MoveList::new();
    position.legal_moves(&mut list).unwrap();
    let names = position.names();
    let mut got: Vec<(u8, u8)> =
        list.as_slice().iter().map(|mv| (names.number(mv.from), names.number(mv.to))).collect();
    got.sort_unstable();
    let mut expected: Vec<(u8, u8)> = expected
        .split_whitespace()
        .map(|text| text.split_once(['-', 'x']).unwrap())
        .map(|(from, to)| (from.parse().unwrap(), to.parse().unwrap()))
        .collect();
    expected.sort_unstable();
    assert_eq!(got, expected, "{variant}, art. {article}: {fen}");
}

/// FMJD, Annex 1, "Official rules of international draughts": diagrams of the French federation's tutorial.
#[test]
fn international_french_tutorial() {
    for (article, fen, moves) in [
        ("3.4", "W:W28", "28-22 28-23"),
        ("3.4", "B:B13", "13-18 13-19"),
        (
            "3.9",
            "W:WK28",
            "28-22 28-17 28-11 28-6 28-23 28-19 28-14 28-10 28-5 28-32 28-37 28-41 28-46 28-33 28-39 28-44 28-50",
        ),
        ("3.9", "B:BK1", "1-6 1-7 1-12 1-18 1-23 1-29 1-34 1-40 1-45"),
        ("4.2", "W:W28,32:B23", "28x19"),
        ("4.3", "W:WK46:B23", "46x19 46x14 46x10 46x5"),
        ("4.5", "W:W15:B8,19,20", "15x2"),
        ("4.6", "W:WK47:B9,12,33", "47x17 47x21 47x26"),
        ("4.8", "W:WK41,49:B9,10,12,19,38", "41x43"),
        ("4.13", "W:W48:B24,K31,34,K42,43", "48x19"),
    ] {
        check(Variant::International, article, fen, moves);
    }
}

/// The same rules as the Italian federation prints them, Regolamento tecnico, chapter II.
#[test]
fn international_italian_translation() {
    for (article, fen, moves) in [
        (
            "3.9",
            "W:WK23",
            "23-18 23-12 23-7 23-1 23-19 23-14 23-10 23-5 23-28 23-32 23-37 23-41 23-46 23-29 23-34 23-40 23-45",
        ),
        ("4.2", "W:W35:B30,K40", "35x24 35x44"),
        ("4.3", "W:WK41:B23", "41x19 41x14 41x10 41x5"),
        ("4.5", "W:W47:B13,14,22,24,31,34,K41,44", "47x49"),
        ("4.6", "W:WK1:B7,9,17,19,20,30,31,33,43,44", "1x15"),
        ("4.8", "B:W27,28,38,39,42:BK25", "25x33"),
        ("4.13", "W:WK48:B7,8,31,34,K42,44", "48x50"),
        ("4.14", "W:W26:B12,K21,31,32", "26x8 26x28"),
        ("4.15", "W:W15:B9,10", "15x13"),
    ] {
        check(Variant::International, article, fen, moves);
    }
}

/// FID, Regolamento tecnico, chapter I.
#[test]
fn italian() {
    for (article, fen, moves) in [
        ("5.6", "W:W30:B27", "30x23"),
        ("5.7", "W:W31:B12,20,28", "31x8"),
        ("5.8", "W:WK22:B18,19,27", "22x13 22x15 22x31"),
        ("5.9", "W:WK27:B5,6,13,15,21,23", "27x25"),
        ("6.6", "W:WK21,31:B10,18,27", "31x6"),
        ("6.7", "W:WK23,31:B19,26,27", "23x21"),
        ("6.8", "W:WK23:B19,K28", "23x32"),
        ("6.9", "W:WK30:B10,12,18,K20,K26,27", "30x5"),
        ("6.10", "W:WK31:B18,20,K27,K28", "31x13 31x15"),
    ] {
        check(Variant::Italian, article, fen, moves);
    }
}
