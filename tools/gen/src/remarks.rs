//! Comments in the style of annotators.

use pdn::board::Square;
use pdn::rules::GameRules;

use crate::random::Random;
use crate::style::{Names, Style};

/// Texts of comments; `#` stands for a square.
const REMARKS: &[&str] = &[
    "A pity.",
    "Time trouble.",
    "The only move.",
    "Better was #.",
    "Threatens to break through at #.",
    "Black has the better centre now, but the outpost on # will need support for a long time",
    "and White resigned here",
    "draw offered",
    "weak",
    "A well-known position. In an older game between the same players White occupied # at once, and after a long struggle it ended in a draw.",
    "Een tempo te vroeg!",
    "Zwart staat één schijf voor.",
    "Joli coup, très élégant.",
    "Слабее было #",
    "?",
    "here # was possible (see round 3)",
    "book",
    "novelty",
    "I had expected #.",
    "[this and what follows: from the bulletin]",
    "eval +0.42",
];

/// Returns a comment with its braces, or with parentheses if it has words and no brackets.
pub(crate) fn remark(names: &Names, game: &GameRules, style: &Style, random: &mut Random) -> Vec<u8> {
    let remark = random.pick(REMARKS);
    let is_plain = !remark.contains('[') && remark.contains(char::is_alphabetic);
    let [open, close] = if style.parentheses && is_plain { *b"()" } else { *b"{}" };
    let mut text = vec![open];
    for &byte in remark.as_bytes() {
        if byte == b'#' { names.write(any_square(game, random), &mut text) } else { text.push(byte) }
    }
    text.push(close);
    text
}

/// Draws a random square of the board.
pub(crate) fn any_square(game: &GameRules, random: &mut Random) -> Square {
    loop {
        let board = game.rules.board;
        let (row, column) = (random.below(u32::from(board.height())), random.below(u32::from(board.width())));
        if let Some(square) = board.square(row as u8, column as u8) {
            return square;
        }
    }
}
