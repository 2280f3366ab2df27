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
    near: Box<NearSteps>,
}

/// The same steps between squares with numbers below 64, or from `a1` to `h8`, each square as one bit of a machine word: that
/// of its number, or eight bits for each file.
#[derive(Clone, Debug)]
pub(super) struct NearSteps {
    /// By one square, a bit for the other.
    pub(super) squares: [u64; 64],
    /// The squares on which men of the side that starts become kings, and those of the other side.
    pub(super) promotions: [u64; 2],
}

/// Returns the squares of a set that [`NearSteps`] has, as it numbers them.
pub(super) fn near_squares(keys: &SquareKeys, naming: SquareNaming) -> u64 {
    match naming {
        SquareNaming::Numeric => keys[0],
        // The ranks 1 to 8 of a file are eight bits of sixteen.
        SquareNaming::Algebraic => {
            (0..8).fold(0, |all, file| all | (keys[file / 4] >> (16 * (file % 4) + 1) & 0xFF) << (8 * file))
        }
    }
}

/// Replaces the squares of a set that [`NearSteps`] has.
pub(super) fn set_near_squares(keys: &mut SquareKeys, naming: SquareNaming, near: u64) {
    match naming {
        SquareNaming::Numeric => keys[0] = near,
        SquareNaming::Algebraic => {
            for file in 0..8 {
                let (word, shift) = (&mut keys[file / 4], 16 * (file % 4) + 1);
                *word = *word & !(0xFF << shift) | (near >> (8 * file) & 0xFF) << shift;
            }
        }
    }
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
        let near = NearSteps { squares: [0; 64], promotions: [0; 2] };
        let (squares, near) = (Box::new([[0; 4]; 256]), Box::new(near));
        let mut steps = Self { squares, promotions: [[0; 4]; 2], near };
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
        steps.near.promotions = steps.promotions.map(|keys| near_squares(&keys, naming));
        for at in 0..64u8 {
            let key = match naming {
                SquareNaming::Numeric => at,
                SquareNaming::Algebraic => algebraic_key(at >> 3, (at & 7) + 1),
            };
            steps.near.squares[usize::from(at)] = near_squares(&steps.squares[usize::from(key)], naming);
        }
        steps
    }

    /// Returns the steps between squares with low numbers.
    pub(super) fn near(&self) -> &NearSteps {
        &self.near
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
    fn near_steps_equal_steps_by_key() {
        let mut random = fastrand::Rng::with_seed(4);
        for &variant in Variant::ALL {
            let naming = variant.game().numbering.letters;
            let steps = ManSteps::new(&variant.into(), naming);
            let key = |at: u8| match naming {
                SquareNaming::Numeric => at,
                SquareNaming::Algebraic => algebraic_key(at >> 3, (at & 7) + 1),
            };
            for from in 0..64u8 {
                for to in 0..64u8 {
                    let near = steps.near().squares[usize::from(from)] >> to & 1;
                    assert_eq!(near != 0, steps.contain(key(from), key(to)), "{variant}: {from} {to}");
                }
                for second in [false, true] {
                    let near = steps.near().promotions[usize::from(second)] >> from & 1;
                    assert_eq!(near, steps.promotes(second, key(from)), "{variant}: {from}");
                }
            }
            // Squares further away stay.
            let keys: SquareKeys = std::array::from_fn(|_| random.u64(..));
            let (near, mut other) = (random.u64(..), keys);
            set_near_squares(&mut other, naming, near);
            assert_eq!(near_squares(&other, naming), near);
            set_near_squares(&mut other, naming, near_squares(&keys, naming));
            assert_eq!(other, keys);
        }
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
                position = position.after_unchecked(&mv);
            }
        }
    }
}
