//! Which squares are one step of a man apart, by their names.

use crate::board::{SquareName, SquareNaming};
use crate::movegen::MoveList;
use crate::position::Position;
use crate::replay::CandidateGame;

/// The steps of men between the squares of a game. A quiet move of a man is one of them, and a capture of one piece is none.
#[derive(Clone, Debug)]
pub(super) struct ManSteps {
    /// By the key of one square, a bit for the key of the other.
    squares: Box<[SquareKeys; 256]>,
    /// The squares on which men of the side that starts become kings, and those of the other side.
    promotions: [SquareKeys; 2],
}

/// A set of squares by their keys.
pub(super) type SquareKeys = [u64; 4];

/// Returns 1 if a set has the square with this key, else 0.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn has_key(keys: &SquareKeys, key: u8) -> u64 {
    keys[usize::from(key >> 6)] >> (key & 63) & 1
}

impl ManSteps {
    /// Computes the steps of a game whose squares have names of this kind.
    #[cold]
    pub(super) fn new(game: &CandidateGame, naming: SquareNaming) -> Self {
        let names = game.names();
        let key = |square| match names.name_in(square, naming) {
            SquareName::Number(number) => number,
            SquareName::Algebraic { file, rank } => algebraic_key(file, rank),
        };
        let mut steps = Self { squares: Box::new([[0; 4]; 256]), promotions: [[0; 4]; 2] };
        let mut list = MoveList::new();
        for square in (1..=u16::from(game.variant.board().squares())).filter_map(|n| names.of_number(n)) {
            let name = names.name(square);
            for fen in [format!("W:W{name}:B"), format!("B:W:B{name}")] {
                // A man cannot stand in its last row; the step there is one of the other side, backwards.
                let Ok(position) = Position::parse_fen(game.game(), &fen) else { continue };
                if position.legal_moves(&mut list).is_err() {
                    continue;
                }
                let second = usize::from(position.turn() != game.numbering.start);
                for mv in list.iter() {
                    if mv.promotes {
                        let to = key(mv.to);
                        steps.promotions[second][usize::from(to >> 6)] |= 1 << (to & 63);
                    }
                    for (one, other) in [(mv.from, mv.to), (mv.to, mv.from)] {
                        steps.add(key(one), key(other));
                    }
                }
            }
        }
        steps
    }

    fn add(&mut self, from: u8, to: u8) {
        self.squares[usize::from(from)][usize::from(to >> 6)] |= 1 << (to & 63);
    }

    /// Returns `true` if the squares with these keys are one step of a man apart. The key of a square is its number, or
    /// [`algebraic_key`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn contain(&self, from: u8, to: u8) -> bool {
        has_key(&self.squares[usize::from(from)], to) != 0
    }

    /// Returns 1 if a man of a side becomes a king on a square, else 0.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn promotes(&self, second: bool, to: u8) -> u64 {
        has_key(&self.promotions[usize::from(second)], to)
    }
}

/// Returns the key of a square; the file counts from 0.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) const fn algebraic_key(file: u8, rank: u8) -> u8 {
    file << 4 | rank & 15
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn men_step_to_the_squares_next_to_them() {
        let steps = |variant: Variant| ManSteps::new(&variant.into(), variant.game().numbering.letters);
        let international = steps(Variant::International);
        for (from, to, expected) in [
            (32, 28, true),
            (28, 32, true),
            (32, 27, true),
            (32, 21, false),
            (6, 1, true),
            (1, 6, true),
            (5, 6, false),
        ] {
            assert_eq!(international.contain(from, to), expected, "{from} {to}");
        }
        let key = |text: &[u8; 2]| algebraic_key(text[0] - b'a', text[1] - b'0');
        let russian = steps(Variant::Russian);
        assert!(russian.contain(key(b"c3"), key(b"d4")) && !russian.contain(key(b"c3"), key(b"e5")));
        assert!(international.promotes(false, 3) == 1 && international.promotes(true, 3) == 0);
        assert!(international.promotes(true, 48) == 1 && international.promotes(false, 28) == 0);
        // Men of Turkish draughts step sideways.
        let turkish = steps(Variant::Turkish);
        assert!(turkish.contain(key(b"c3"), key(b"d3")) && !turkish.contain(key(b"c3"), key(b"d4")));
    }

    #[test]
    fn no_capture_of_one_piece_is_a_step() {
        for &variant in Variant::ALL {
            let game = CandidateGame::from(variant);
            let naming = game.numbering.letters;
            let steps = ManSteps::new(&game, naming);
            let mut random = fastrand::Rng::with_seed(u64::from(variant.number()));
            let mut position = Position::start(variant);
            let mut list = MoveList::new();
            let key = |square| match game.names().name_in(square, naming) {
                SquareName::Number(number) => number,
                SquareName::Algebraic { file, rank } => algebraic_key(file, rank),
            };
            for _ in 0..60 {
                position.legal_moves(&mut list).unwrap();
                for mv in list.iter() {
                    let is_step = steps.contain(key(mv.from), key(mv.to));
                    assert!(!(is_step && mv.captured.count_ones() == 1), "{variant}: {mv:?}");
                }
                let Some(mv) = random.choice(list.iter().copied()) else { break };
                position = position.after(&mv);
            }
        }
    }
}
