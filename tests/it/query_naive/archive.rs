//! Writes archives of random games.

use std::fmt::Write;

use super::naive_sum::rating_tags;
use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::Position;
use pdn::rules::Variant;

/// Returns a random number generator: a function of `n` with results below `n`, the same on every machine.
pub(crate) fn chooser(seed: u64) -> impl FnMut(usize) -> usize {
    let mut seed = crate::common::seed(seed);
    move |n| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) as usize) % n
    }
}

pub(crate) const NAMES: [&str; 5] =
    ["Tinsley", "Wiersma, Harm", "Van der Wal, Jannes", "Chizhov", "Kouperman"];
pub(crate) const VARIANTS: [Variant; 8] = [
    Variant::International,
    Variant::English,
    Variant::Russian,
    Variant::Canadian,
    Variant::Turkish,
    Variant::Frisian,
    Variant::Spantsiretti,
    Variant::Pool,
];

/// Returns an archive of random games in these variants. Every ninth game begins with a setup.
pub(crate) fn archive(variants: &[Variant], games: usize) -> String {
    let mut text = String::new();
    for number in 0..games {
        let mut choose = chooser(number as u64 * 7919 + 13);
        let variant = variants[number % variants.len()];
        let mut position = Position::start(variant);
        let mut list = MoveList::new();
        let mut random_ply = |position: &mut Position, choose: &mut dyn FnMut(usize) -> usize| {
            position.legal_moves(&mut list).expect("few captures");
            let mv = *list.as_slice().get(choose(list.len().max(1)))?;
            let text = move_text(position, &mv, MoveStyle::Shortest).expect("few captures");
            position.play_unchecked(&mv);
            Some(text)
        };
        let fen = number % 9 == 4;
        if fen {
            for _ in 0..60 {
                let _ = random_ply(&mut position, &mut choose);
            }
        }
        let (white, black) = (NAMES[choose(5)], NAMES[choose(5)]);
        let result = ["2-0", "1-1", "0-2", "*"][choose(4)];
        let start = position;
        let (mut moves, plies) = (String::new(), [3, 20, 60, 150][choose(4)]);
        for ply in 0..plies {
            let Some(mv) = random_ply(&mut position, &mut choose) else { break };
            if ply % 2 == 0 {
                let _ = write!(moves, "{}. ", ply / 2 + 1);
            }
            let _ = write!(moves, "{mv} ");
        }
        // A game that is over has the result of the board, or it would be evidence for another order of the numbers.
        let result = match position.end().map(|end| end.winner) {
            Some(winner) if winner == Position::start(variant).turn() => "2-0",
            Some(_) => "0-2",
            None => result,
        };
        let _ = write!(
            text,
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Event \"Test\"]\n[Date \"{}.0{}.??\"]\n[Round \"{}\"]\n\
             [Result \"{result}\"]\n[GameType \"{}\"]\n",
            1950 + choose(60),
            1 + choose(9),
            1 + choose(9),
            variant.tag()
        );
        if fen {
            let _ = writeln!(text, "[FEN \"{}\"]", start.fen());
        }
        text += &rating_tags(&mut choose);
        let _ = write!(text, "{moves}{result}\n\n");
    }
    text
}

/// Returns an archive of random games with variations, comments, glyphs and strengths. Some variations continue the move before
/// them instead of replacing it, some cannot be played or break off, and some games have none of all this.
pub(crate) fn annotated_archive(variants: &[Variant], games: usize, seed: u64) -> String {
    let mut text = String::new();
    for number in 0..games {
        let mut choose = chooser(number as u64 * 7919 + seed);
        let variant = variants[number % variants.len()];
        let (white, black) = (NAMES[choose(5)], NAMES[choose(5)]);
        let _ = write!(
            text,
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{}.01.02\"]\n[Round \"{}\"]\n[Result \"*\"]\n[GameType \"{}\"]\n",
            1950 + choose(60),
            1 + choose(9),
            variant.tag()
        );
        let depth = [0, 1, 2, 3][choose(4)];
        let plies = [3, 20, 40, 70][choose(4)];
        write_line(&Position::start(variant), plies, depth, &mut choose, &mut text);
        text.push_str("*\n\n");
    }
    text
}

/// Writes a line of random plies. Variations of it are at most `depth` deep; at 0 there are neither variations nor notes.
fn write_line(
    start: &Position,
    plies: usize,
    depth: usize,
    choose: &mut dyn FnMut(usize) -> usize,
    text: &mut String,
) {
    let mut position = *start;
    let mut list = MoveList::new();
    if depth > 0 && choose(8) == 0 {
        text.push_str("{the plan} ");
    }
    for _ in 0..plies {
        if depth > 0 && choose(80) == 0 {
            // No board has these squares. What follows is not played.
            text.push_str("99-98! {lost} ");
        }
        position.legal_moves(&mut list).expect("few captures");
        let Some(mv) = list.as_slice().get(choose(list.len().max(1))).copied() else { break };
        let before = position;
        let _ = write!(text, "{}", move_text(&position, &mv, MoveStyle::Shortest).expect("few captures"));
        position.play_unchecked(&mv);
        if depth > 0 {
            text.push_str(["!", "?", "!?", "*"].get(choose(60)).copied().unwrap_or(""));
            text.push(' ');
            if choose(15) == 0 {
                let _ = write!(text, "${} ", 1 + choose(6));
            }
            text.push_str(
                [
                    "{a shot} ",
                    "{[%clk 0:01] a trap wins} ",
                    "{[%clk 0:02]} ",
                    "{} ",
                    "{no trap} {but a shot} ",
                ]
                .get(choose(70))
                .copied()
                .unwrap_or(""),
            );
            while choose(12) == 0 {
                text.push('(');
                match choose(8) {
                    0 => text.push_str("99-98 {no move} "),
                    1 => write_line(&position, 1 + choose(9), depth - 1, choose, text),
                    _ => write_line(&before, 1 + choose(20), depth - 1, choose, text),
                }
                text.push_str(") ");
            }
        } else {
            text.push(' ');
        }
    }
}
