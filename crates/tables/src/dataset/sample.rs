//! One position of a training set.

use super::options::squares;
use pdn::position::{Piece, Position};
use pdn::rules::Variant;
use pdn::value::Colour;
use pdn_rules::internal::position::split_mix;

/// An evaluation that is missing.
pub(super) const NO_EVAL: i16 = i16::MIN;

/// A position with the result of its game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sample {
    /// The pieces of White, those of Black, and the kings of both, by square number.
    pub(super) sets: [u128; 3],
    pub(super) black_to_move: bool,
    /// White's score in halves: 0, 1 or 2.
    pub(super) halves: u8,
    /// Evaluation in hundredths of a man; [`NO_EVAL`] if there is none.
    pub(super) eval: i16,
    pub(super) ply: u16,
}

impl Sample {
    /// Returns the same position seen from the other side, on a board with this number of squares.
    // Twin: `State::turned`; test: `turned_samples_are_turned_positions`.
    pub(super) fn turned(self, squares: u32) -> Self {
        let turn = |set: u128| set.reverse_bits() >> (128 - squares);
        let [white, black, kings] = self.sets.map(turn);
        Self {
            sets: [black, white, kings],
            black_to_move: !self.black_to_move,
            halves: 2 - self.halves,
            eval: if self.eval == NO_EVAL { NO_EVAL } else { -self.eval },
            ply: self.ply,
        }
    }

    /// Returns White's men and kings and Black's men and kings.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn boards(&self) -> [u128; 4] {
        let [white, black, kings] = self.sets;
        [white & !kings, white & kings, black & !kings, black & kings]
    }

    /// Returns the number of pieces.
    pub(super) fn pieces(&self) -> u32 {
        (self.sets[0] | self.sets[1]).count_ones()
    }

    /// Returns the position of a game of this variant.
    pub(super) fn position(&self, variant: Variant) -> Option<Position> {
        let [white, black, kings] = self.sets;
        let names = variant.names();
        let has = |set: u128, number: u16| set >> (number - 1) & 1 != 0;
        let pieces = (1..=squares(variant) as u16).filter(|&number| has(white | black, number));
        let pieces = pieces.filter_map(|number| {
            let colour = if has(white, number) { Colour::White } else { Colour::Black };
            Some((names.of_number(number)?, Piece { colour, king: has(kings, number) }))
        });
        let turn = if self.black_to_move { Colour::Black } else { Colour::White };
        Position::from_pieces(variant, turn, pieces).ok()
    }

    /// Returns a hash of the position. What is derived from it for different purposes is mixed with a seed of its own.
    pub(super) fn key(&self) -> u64 {
        self.sets.iter().fold(u64::from(self.black_to_move), |key, &set| {
            let key = split_mix(key, set as u64);
            // Only large boards have more than 64 squares.
            if set >> 64 == 0 { key } else { split_mix(key, (set >> 64) as u64) }
        })
    }

    /// Returns `true` if this is the position of the other sample.
    pub(super) fn is_position_of(&self, other: &Self) -> bool {
        self.sets == other.sets && self.black_to_move == other.black_to_move
    }
}

/// How samples of a variant are stored until equal positions are joined: the pieces of White, those of Black and the kings, as
/// few bytes as the board allows, because most of the time goes to writing and reading them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StoredForm {
    /// Up to 50 squares: three words, whose upper bits hold the rest.
    Small,
    /// Up to 64 squares: three words and the rest.
    Narrow,
    /// Larger boards: three double words and the rest.
    Wide,
}

impl StoredForm {
    /// Number of squares of the boards whose words have room for the rest.
    const SMALL_SQUARES: u32 = 50;
    /// Number of bits of the rest in each of the first two words.
    const REST_BITS: u32 = u64::BITS - Self::SMALL_SQUARES;

    /// Returns the form for the board of a variant.
    pub(super) fn of(variant: Variant) -> Self {
        let squares = squares(variant);
        if squares <= Self::SMALL_SQUARES {
            Self::Small
        } else if squares <= u64::BITS {
            Self::Narrow
        } else {
            Self::Wide
        }
    }

    /// Returns the length of a stored sample in bytes.
    pub(super) const fn len(self) -> usize {
        match self {
            Self::Small => 3 * 8,
            Self::Narrow => 3 * 8 + 8,
            Self::Wide => 3 * 16 + 8,
        }
    }

    /// Writes a sample to `out`, which must have the [`len`](Self::len) of the form.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn store(self, sample: &Sample, out: &mut [u8]) {
        let sets = sample.sets;
        let (eval, black) = (u64::from(sample.eval as u16), u64::from(sample.black_to_move));
        let rest = u64::from(sample.halves) | black << 2 | eval << 3 | u64::from(sample.ply) << 19;
        match self {
            Self::Small => {
                let mask = (1 << Self::REST_BITS) - 1;
                let rests = [rest & mask, rest >> Self::REST_BITS & mask, rest >> (2 * Self::REST_BITS)];
                for ((set, rest), out) in sets.iter().zip(rests).zip(out.as_chunks_mut::<8>().0) {
                    *out = (*set as u64 | rest << Self::SMALL_SQUARES).to_le_bytes();
                }
            }
            Self::Narrow => {
                for (word, out) in
                    sets.map(|set| set as u64).iter().chain([&rest]).zip(out.as_chunks_mut::<8>().0)
                {
                    *out = word.to_le_bytes();
                }
            }
            Self::Wide => {
                let (words, last) = out.as_chunks_mut::<16>();
                for (set, out) in sets.iter().zip(words) {
                    *out = set.to_le_bytes();
                }
                last.copy_from_slice(&rest.to_le_bytes());
            }
        }
    }

    /// Reads a stored sample; `None` if the bytes do not have the [`len`](Self::len) of the form.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn load(self, bytes: &[u8]) -> Option<Sample> {
        if bytes.len() != self.len() {
            return None;
        }
        let word = |n: usize| bytes.as_chunks::<8>().0.get(n).map(|bytes| u64::from_le_bytes(*bytes));
        let (sets, rest) = match self {
            Self::Small => {
                let words = [word(0)?, word(1)?, word(2)?];
                let [low, middle, high] = words.map(|word| word >> Self::SMALL_SQUARES);
                let sets = words.map(|word| u128::from(word & ((1 << Self::SMALL_SQUARES) - 1)));
                (sets, low | middle << Self::REST_BITS | high << (2 * Self::REST_BITS))
            }
            Self::Narrow => ([word(0)?, word(1)?, word(2)?].map(u128::from), word(3)?),
            Self::Wide => {
                let double = |n: usize| Some(u128::from(word(2 * n)?) | u128::from(word(2 * n + 1)?) << 64);
                ([double(0)?, double(1)?, double(2)?], word(6)?)
            }
        };
        Some(Sample {
            sets,
            black_to_move: rest >> 2 & 1 != 0,
            halves: (rest & 3) as u8,
            eval: (rest >> 3) as u16 as i16,
            ply: (rest >> 19) as u16,
        })
    }
}

/// Appends four bitboards, of 16 bytes each if `wide`, else of 8.
pub(super) fn store_boards(boards: &[u128; 4], wide: bool, out: &mut Vec<u8>) {
    for board in boards {
        out.extend_from_slice(&board.to_le_bytes()[..if wide { 16 } else { 8 }]);
    }
}

/// Returns `true` if the boards of a variant have more than 64 squares, so that a bitboard takes 16 bytes.
pub(super) fn is_wide(variant: Variant) -> bool {
    squares(variant) > u64::BITS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::squares::SquareTable;
    use pdn::movegen::MoveList;
    use pdn::position::Position;
    use pdn::rules::Variant;
    use pdn::value::Colour;
    use pdn_rules::internal::board::{Geometry, WithBoard};
    use pdn_rules::internal::position::State;

    fn sample(table: &SquareTable, state: &State<u128>) -> Sample {
        let sets = [state.pieces[0], state.pieces[1], state.kings].map(|set| table.by_number(set));
        Sample { sets, black_to_move: state.turn == Colour::Black, halves: 2, eval: 5, ply: 7 }
    }

    #[test]
    fn turned_samples_are_turned_positions() {
        struct Turn(State<u128>);
        impl WithBoard for Turn {
            type Output = State<u128>;
            fn run<G: Geometry>(self) -> State<u128> {
                self.0.resized::<G::Bits>().turned::<G>().resized()
            }
        }
        for &variant in Variant::ALL {
            let table = SquareTable::new(variant.into());
            let squares = variant.board().valid().count_ones();
            let mut position = Position::start(variant);
            for n in 0..60 {
                let own = sample(&table, position.state());
                let other = sample(&table, &variant.board().with(Turn(*position.state())));
                let turned = own.turned(squares);
                assert_eq!(
                    (turned.sets, turned.black_to_move),
                    (other.sets, other.black_to_move),
                    "{variant}"
                );
                assert_eq!((turned.halves, turned.eval), (0, -5));
                let shown = own.position(variant).map(|position| position.fen());
                assert_eq!(shown, Some(position.fen()), "{variant}");
                assert_eq!(turned.turned(squares), own);
                let form = StoredForm::of(variant);
                for own in [own, turned, Sample { eval: NO_EVAL, ply: u16::MAX, halves: 1, ..own }] {
                    let mut bytes = vec![1; form.len()];
                    form.store(&own, &mut bytes);
                    assert_eq!(form.load(&bytes), Some(own), "{variant}");
                }
                assert_eq!(form.load(&vec![0; form.len() - 1]), None);
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves).expect("few captures");
                let Some(mv) = moves.get(n * 7 % moves.len().max(1)) else { break };
                position = position.after_unchecked(mv);
            }
        }
    }
}
