//! The diagrams and worded examples of the rule books: each shows what its article says, and is played so.
//!
//! | row | source | how |
//! |---|---|---|
//! | International | FMJD, Annex 1; its diagrams in the tutorials of the French and Italian federations | diagrams |
//! | English | WCDF, "Rules of draughts (checkers)", section one | worded |
//! | Italian | FID, "Regolamento tecnico", chapter I | diagrams |
//! | Pool | APCA, "Rules of play" of pool checkers, points 4 to 9 | worded |
//! | Spanish | "Juego clásico español de damas": capture, law of quantity, law of quality | worded |
//! | Portuguese | Federação Portuguesa de Damas, "Regras do jogo de damas clássicas" (2013), 2.2 and 3.1 | worded |
//! | Russian | "Official rules of Russian draughts 64": moves and captures | worded |
//! | Brazilian | FMJD section 64 and its Brazilian federation, "Resumo das regras oficiais", points 5 to 15 | worded |
//! | Canadian | rules of International draughts on 12x12 with 30 men | worded |
//! | Czech | Česká federace dámy, "Pravidla hry dáma", points 9 to 12 | worded |
//! | Turkish | Turkish draughts, "Rules of game and learning guide" of the federation | worded |
//! | Thai | Makhos as described by its players; no federation prints diagrams | worded |
//! | Frisian | "Official rules for Frisian draughts" (2011), articles 7 to 9 and part B | worded |
//! | Spantsiretti | Russian rules on 80 squares | worded |
//! | Breakthrough, Frysk!, Antidraughts | the pages of these variants on lidraughts | worded |
//!
//! Where a source prints no diagram, the article is turned into the smallest position that shows it. What an
//! article says about the end of a game is in `outcomes.rs` too.

use pdn::movegen::{GameEndReason, MoveList};
use pdn::position::Position;
use pdn::rules::Variant;
use pdn::value::{Colour, Fen};

fn read(variant: Variant, fen: &str) -> Position {
    Position::from_fen(variant, &Fen::parse(fen.as_bytes()).unwrap()).unwrap()
}

/// Checks the legal moves of a position, each given as its first and last square and, for a promotion, `=K`.
#[track_caller]
fn check(variant: Variant, article: &str, fen: &str, expected: &str) {
    let position = read(variant, fen);
    let mut list = MoveList::new();
    position.legal_moves(&mut list).unwrap();
    let names = position.names();
    let mut got: Vec<String> = list
        .iter()
        .map(|mv| {
            let separator = if mv.is_capture() { 'x' } else { '-' };
            let promotion = if mv.promotes { "=K" } else { "" };
            format!("{}{separator}{}{promotion}", names.name(mv.from), names.name(mv.to))
        })
        .collect();
    got.sort_unstable();
    let mut expected: Vec<&str> = expected.split_whitespace().collect();
    expected.sort_unstable();
    assert_eq!(got, expected, "{variant}, {article}: {fen}");
}

/// FMJD, Annex 1, "Official rules of international draughts": diagrams of the French federation's tutorial.
#[test]
fn international_diagrams_of_france_match_the_rule_book() {
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
        ("4.5", "W:W15:B8,19,20", "15x2=K"),
        ("4.6", "W:WK47:B9,12,33", "47x17 47x21 47x26"),
        ("4.8", "W:WK41,49:B9,10,12,19,38", "41x43"),
        ("4.13", "W:W48:B24,K31,34,K42,43", "48x19"),
    ] {
        check(Variant::International, article, fen, moves);
    }
}

/// The same rules in the edition of the Italian federation, Regolamento tecnico, chapter II.
#[test]
fn international_diagrams_of_italy_match_the_rule_book() {
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
fn italian_moves_match_the_rule_book() {
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

/// WCDF, "Rules of draughts (checkers)", section one.
#[test]
fn english_moves_match_the_rule_book() {
    for (article, fen, moves) in [
        ("a man moves forward to the next row", "B:W32:B9", "9-13 9-14"),
        ("a king moves one square forward or backward", "W:WK18:B1", "18-14 18-15 18-22 18-23"),
        ("a man captures forward over a neighbour", "B:W14:B9", "9x18"),
        ("and never backward", "B:W10:B15", "15-18 15-19"),
        ("a king captures backward too", "B:W10:BK15", "15x6"),
        ("but over no distance", "B:W10:BK19", "19-15 19-16 19-23 19-24"),
        ("capturing goes before moving", "B:W14:B9,12", "9x18"),
        ("of several captures any may be chosen", "B:W14,23,8:B9,4", "9x27 4x11"),
        ("a capture is completed", "B:W14,23:B9", "9x27"),
        ("it may change its line", "B:W14,22:B9", "9x25"),
        ("a man that captures into the king row stops there", "B:W26,27:B22", "22x31=K"),
        ("a king is captured by a man", "B:WK14:B9", "9x18"),
    ] {
        check(Variant::English, article, fen, moves);
    }
}

/// APCA, "Rules of play" of pool checkers: points 4 (men), 5 (the king row), 6 (kings), 7 and 8 (captures).
#[test]
fn pool_moves_match_the_rule_book() {
    for (article, fen, moves) in [
        ("4, men move forward", "B:W32:B9", "9-13 9-14"),
        ("4, men jump forward and backward", "W:W15:B10,18", "15x6 15x22"),
        ("5, a man that jumps out of the king row stays a man", "W:W11:B6,7", "11x9"),
        ("5, one whose jump ends there is promoted", "W:W11:B7", "11x2=K"),
        ("6, kings move any distance", "W:WK29:B4", "29-25 29-22 29-18 29-15 29-11 29-8"),
        (
            "6, and jump from any distance to any square after the captured piece",
            "W:WK29:B15",
            "29x11 29x8 29x4",
        ),
        ("7, a jump must be taken", "W:W15,32:B10", "15x6"),
        ("8, of several any may be taken, the longer or the shorter", "W:W24,29:B10,19,25", "24x6 29x22"),
    ] {
        check(Variant::Pool, article, fen, moves);
    }
}

/// "Juego clásico español de damas": capture, law of quantity, law of quality, dama.
#[test]
fn spanish_moves_match_the_rule_book() {
    for (article, fen, moves) in LUSO_HISPANIC {
        check(Variant::Spanish, article, fen, moves);
    }
}

/// Federação Portuguesa de Damas, "Regras do jogo de damas clássicas" (2013): 2.2 the pieces, 3.1 the laws of capture.
#[test]
fn portuguese_moves_match_the_rule_book() {
    for (article, fen, moves) in LUSO_HISPANIC {
        check(Variant::Portuguese, article, fen, moves);
    }
}

/// Both federations give these rules on the same board: square 1 is in White's lower right corner, and White moves to
/// higher numbers.
const LUSO_HISPANIC: [(&str, &str, &str); 8] = [
    ("men move forward", "W:W10:B32", "10-13 10-14"),
    ("men capture forward only", "W:W18:B14", "18-21 18-22"),
    ("a dama moves any distance", "W:WK4:B32", "4-8 4-7 4-11 4-14 4-18 4-21 4-25"),
    ("and captures from any distance", "W:WK4:B14", "4x18 4x21 4x25"),
    ("law of quantity: most pieces", "W:W1,3:B5,7,15", "3x19"),
    ("law of quality: as many, most damas", "W:W1,3:BK5,7", "1x10"),
    ("quantity goes before quality", "W:W1,3:BK5,7,15", "3x19"),
    ("a man that comes to the last row stops there", "W:W23:B26,27", "23x30=K"),
];

/// "Official rules of Russian draughts 64": moves and captures.
#[test]
fn russian_moves_match_the_rule_book() {
    for (article, fen, moves) in [
        ("a man moves forward", "W:Wc3:Bh8", "c3-b4 c3-d4"),
        ("and captures forward and backward", "W:Wd4:Bc3,e5", "d4xb2 d4xf6"),
        (
            "a king captures from any distance, to any square after the captured piece",
            "W:WKa1:Be5",
            "a1xf6 a1xg7 a1xh8",
        ),
        ("where a further capture is possible it must go there", "W:WKa1:Bd4,d6", "a1xc7 a1xb8"),
        ("a man that reaches the last row continues as a king", "W:Wf6:Be7,b6", "f6xa5=K"),
        ("and is promoted where it cannot continue", "W:Wf6:Be7", "f6xd8=K"),
        ("any of several captures may be chosen", "W:Wa3,h2:Bb4,g3,e5", "a3xc5 h2xd6"),
        (
            "no piece is captured twice, and what is captured stays until the end",
            "W:WKc1:Bd2,d4,d6,f4,f6",
            "c1xe3 c1xf2 c1xg1",
        ),
    ] {
        check(Variant::Russian, article, fen, moves);
    }
}

/// FMJD section 64 and the Brazilian federation, "Resumo das regras oficiais", by its points.
#[test]
fn brazilian_moves_match_the_rule_book() {
    for (article, fen, moves) in [
        ("5, men move forward", "W:Wc3:Bh8", "c3-b4 c3-d4"),
        ("8, kings move any distance", "W:WKa1:Bh2", "a1-b2 a1-c3 a1-d4 a1-e5 a1-f6 a1-g7 a1-h8"),
        ("9, two in a row cannot be captured", "W:WKa1:Bd4,e5", "a1-b2 a1-c3"),
        ("10, men and kings capture each other alike", "W:Wd4:BKc3,e5", "d4xb2 d4xf6"),
        ("11, men capture backward too", "W:Wd4:Bc3", "d4xb2"),
        ("12, most pieces", "W:Wa3,h2:Bb4,g3,e5", "h2xd6"),
        ("13, a man that only passes the last row is not promoted", "W:Wf6:Be7,c7", "f6xb6"),
        ("13, one that ends there is", "W:Wf6:Be7,b6", "f6xd8=K"),
    ] {
        check(Variant::Brazilian, article, fen, moves);
    }
}

/// The rules of International draughts on 12x12.
#[test]
fn canadian_moves_match_the_rule_book() {
    for (article, fen, moves) in [
        ("men move forward", "W:W34:B1", "34-27 34-28"),
        ("and capture backward too", "W:W34:B40", "34x47"),
        ("most pieces", "W:W34,70:B27,15,64", "34x10"),
        ("a man that only passes the last row is not promoted", "W:W14:B9,10", "14x16"),
        ("kings capture from any distance", "W:WK67:B34", "67x28 67x23 67x17 67x12 67x6"),
    ] {
        check(Variant::Canadian, article, fen, moves);
    }
}

/// Česká federace dámy, "Pravidla hry dáma": points 9 (moves), 10 (men), 11 (kings), 12 (precedence).
#[test]
fn czech_moves_match_the_rule_book() {
    for (article, fen, moves) in [
        ("9, men move forward", "W:Wc3:Bh8", "c3-b4 c3-d4"),
        ("10, and capture forward only", "W:Wd4:Bc3", "d4-c5 d4-e5"),
        ("10, a man that comes to the last row stops there", "W:Wf6:Be7,c7", "f6xd8=K"),
        ("11, a king captures from any distance", "W:WKa1:Be5", "a1xf6 a1xg7 a1xh8"),
        ("12, where a king can capture a king must", "W:WKa5,e1:Bb6,d2,d4", "a5xc7 a5xd8"),
        ("12, the number does not count", "W:Wa3,e1:Bb4,d2,d4", "a3xc5 e1xa5 e1xe5"),
    ] {
        check(Variant::Czech, article, fen, moves);
    }
}

/// Turkish draughts, "Rules of game and learning guide": moves, captures, removal, precedence.
#[test]
fn turkish_moves_match_the_rule_book() {
    for (article, fen, moves) in [
        ("a man moves forward and sideways", "W:Wd4:Bh8", "d4-c4 d4-d5 d4-e4"),
        ("and captures forward and sideways, never backward", "W:Wd4:Bc4,d5,e4,d3", "d4xb4 d4xd6 d4xf4"),
        ("a man that reaches the last row is promoted", "W:Wd7:Bh2", "d7-c7 d7-d8=K d7-e7"),
        (
            "a king moves any distance",
            "W:WKa1:Bb8,h2",
            "a1-a2 a1-a3 a1-a4 a1-a5 a1-a6 a1-a7 a1-a8 a1-b1 a1-c1 a1-d1 a1-e1 a1-f1 a1-g1 a1-h1",
        ),
        ("and lands on any square after the captured piece", "W:WKa1:Ba4", "a1xa5 a1xa6 a1xa7 a1xa8"),
        (
            "most pieces, men and kings alike",
            "W:WKa2,Kh2:Bc2,d3,h3,Kh5",
            "a2xd4 a2xd5 a2xd6 a2xd7 a2xd8 h2xh6 h2xh7 h2xh8",
        ),
        ("no turn back between two captures", "W:WKd4:Bd6,d2", "d4xd1 d4xd7 d4xd8"),
        (
            "captured pieces leave at once, so that their squares are free",
            "W:WKa2:Bb3,c2,c5,d4,f2",
            "a2xg2 a2xh2",
        ),
    ] {
        check(Variant::Turkish, article, fen, moves);
    }
}

/// Makhos. Square 1 is in White's lower right corner, and White moves to higher numbers.
#[test]
fn thai_moves_match_the_rule_book() {
    for (article, fen, moves) in [
        ("men move forward", "W:W10:B32", "10-14 10-15"),
        ("and capture forward only", "W:W18:B15", "18-22 18-23"),
        ("a king lands on the first square after the captured piece", "W:WK1:B15", "1x19"),
        ("captured pieces leave at once, so that the king may turn back", "W:WK10:B6,15", "10x1 10x19"),
        ("any of several captures may be chosen", "W:W10,12:B14,16,23", "10x17 12x26"),
        ("a man that comes to the last row stops there", "W:W22:B26,27", "22x31=K"),
    ] {
        check(Variant::Thai, article, fen, moves);
    }
}

/// "Official rules for Frisian draughts" (2011).
#[test]
fn frisian_moves_match_the_rule_book() {
    for (article, fen, moves) in [
        ("art. 7, a man moves forward on the diagonals", "W:W28:B1", "28-22 28-23"),
        ("art. 7, and captures in eight directions: forward", "W:W28:B18", "28x8"),
        ("art. 7, backward", "W:W28:B38", "28x48"),
        ("art. 7, to the right", "W:W28:B29", "28x30"),
        ("art. 7, to the left", "W:W28:B27", "28x26"),
        ("art. 7, on the diagonals", "W:W28:B22,23,32,33", "28x17 28x19 28x37 28x39"),
        ("art. 7, along other lines", "W:W28:B18,7", "28x6"),
        ("art. 8, it is promoted where it ends on the last row", "W:W11:B7", "11x2=K"),
        (
            "art. 9, a king moves on the diagonals only",
            "W:WK46:B5",
            "46-41 46-37 46-32 46-28 46-23 46-19 46-14 46-10",
        ),
        ("art. 9, and captures in eight directions from any distance", "W:WK46:B26", "46x16 46x6"),
        ("part B, a king counts more than a man", "W:W45,46:BK40,41", "45x34"),
        ("part B, and less than two", "W:W45,46:BK40,41,27", "46x17"),
        (
            "part B, of the same value the king captures",
            "W:WK45,46:B40,41",
            "45x34 45x29 45x23 45x18 45x12 45x7 45x1",
        ),
    ] {
        check(Variant::Frisian, article, fen, moves);
    }
}

/// Russian rules on a board ten columns wide.
#[test]
fn spantsiretti_moves_match_the_rule_book() {
    for (article, fen, moves) in [
        ("a man moves forward", "W:Wi3:Bb8", "i3-h4 i3-j4"),
        ("and captures backward too", "W:Wi3:Bh2", "i3xg1"),
        ("a man that reaches the last row continues as a king", "W:Wf6:Be7,b6", "f6xa5=K"),
        ("any of several captures may be chosen", "W:Wa3,h2:Bb4,g3,e5", "a3xc5 h2xd6"),
        ("a king captures from any distance", "W:WKc1:Bg5", "c1xh6 c1xi7 c1xj8"),
    ] {
        check(Variant::Spantsiretti, article, fen, moves);
    }
}

/// The pages of lidraughts on its variants: International or Frisian moves with another end or start.
#[test]
fn variants_of_lidraughts_match_the_rule_book() {
    check(Variant::Breakthrough, "moves of International draughts", "W:W48:B24,31,34,42,43", "48x19");
    check(Variant::Antidraughts, "moves of International draughts", "W:W15:B9,10", "15x13");
    check(Variant::Frysk, "moves of Frisian draughts", "W:W28:B18", "28x8");
    let start = Position::start(Variant::Frysk);
    assert_eq!(start.fen(), "W:W46,47,48,49,50:B1,2,3,4,5", "five men a side");
    let end = |variant, fen| read(variant, fen).end().map(|end| (end.winner, end.reason));
    let won = |winner, reason| Some((winner, reason));
    assert_eq!(
        end(Variant::Breakthrough, "B:WK3,40:B11"),
        won(Colour::White, GameEndReason::Breakthrough),
        "the first king wins"
    );
    assert_eq!(end(Variant::Breakthrough, "B:W40:B11"), None);
    assert_eq!(
        end(Variant::Antidraughts, "W:W36:B31,27"),
        won(Colour::White, GameEndReason::NoMove),
        "a side without a move wins"
    );
    assert_eq!(end(Variant::International, "W:W36:B31,27"), won(Colour::Black, GameEndReason::NoMove));
}
