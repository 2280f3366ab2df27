//! Writes archives of random games.

use std::fmt::Write;

use super::naive_sum::rating_tags;
use pdn::movegen::MoveList;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::Position;
use pdn::rules::Variant;

/// Returns a random number generator: a function of `n` with results below `n`, the same on every machine.
pub(crate) fn chooser(mut seed: u64) -> impl FnMut(usize) -> usize {
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
            let _ = writeln!(text, "[FEN \"{}\"]", position.fen());
        }
        text += &rating_tags(&mut choose);
        let plies = [3, 20, 60, 150][choose(4)];
        for ply in 0..plies {
            let Some(mv) = random_ply(&mut position, &mut choose) else { break };
            if ply % 2 == 0 {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            let _ = write!(text, "{mv} ");
        }
        let _ = write!(text, "{result}\n\n");
    }
    text
}
