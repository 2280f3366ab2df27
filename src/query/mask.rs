//! The tests that every position of a search goes through: some words and a dozen instructions each.

use crate::board::{Bits, Geometry};
use crate::pack::RunningPieceCounts;
use crate::position::State;
use crate::value::Colour;

/// Where what must not stand, for white men and kings, black men and kings, and empty squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BoardTest<B> {
    pub(super) forbidden: [B; 5],
    pub(super) turn: Option<Colour>,
}

impl<B: Bits> BoardTest<B> {
    /// The mask that every position fits.
    pub(super) const ANY: Self = Self { forbidden: [B::NONE; 5], turn: None };

    /// The mask of the positions that fit both; `None` if there are none because of whose turn it is.
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let turn = match (self.turn, other.turn) {
            (Some(one), Some(other)) if one != other => return None,
            (one, other) => one.or(other),
        };
        Some(Self {
            forbidden: std::array::from_fn(|kind| self.forbidden[kind] | other.forbidden[kind]),
            turn,
        })
    }

    /// The mask that this position fits and no other.
    pub(super) fn exact<G: Geometry<Bits = B>>(state: &State<B>) -> Self {
        let men = |colour| G::VALID & !state.men(colour);
        let kings = |colour| G::VALID & !state.kings(colour);
        let (white, black) = (Colour::White, Colour::Black);
        let forbidden = [men(white), kings(white), men(black), kings(black), state.occupied()];
        Self { forbidden, turn: Some(state.turn) }
    }

    /// The only position that fits, once for each side that may be to move; `None` if there are more or none.
    pub(super) fn positions<G: Geometry<Bits = B>>(&self) -> Option<Vec<State<B>>> {
        let [white_men, white_kings, black_men, black_kings, empty] =
            [1, 2, 4, 8, 16].map(|contents| self.squares(contents, G::VALID).1);
        let (white, black) = (white_men | white_kings, black_men | black_kings);
        let turns = Colour::ALL.into_iter().filter(|&turn| self.turn.is_none_or(|of| of == turn));
        let position =
            |turn| State { pieces: [white, black], kings: white_kings | black_kings, ..State::empty(turn) };
        ((white | black | empty) == G::VALID).then(|| turns.map(position).collect())
    }

    /// Where these pieces, some of them kings, are not what may stand there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn wrong(&self, [white, black]: [B; 2], kings: B) -> B {
        let [white_men, white_kings, black_men, black_kings, empty] = self.forbidden;
        (white & ((kings & white_kings) | (!kings & white_men)))
            | (black & ((kings & black_kings) | (!kings & black_men)))
            | (!(white | black) & empty)
    }

    /// Whether a position fits, whoever is to move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn pieces_fit(&self, state: &State<B>) -> bool {
        !self.wrong(state.pieces, state.kings).any()
    }

    /// Whether a position fits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fits(&self, state: &State<B>) -> bool {
        self.pieces_fit(state) && self.turn.is_none_or(|turn| turn == state.turn)
    }

    /// The squares that may hold one of these contents, and those that must.
    pub(super) fn squares(&self, contents: u8, valid: B) -> (B, B) {
        let (mut may, mut must) = (B::NONE, valid);
        for (kind, &forbidden) in self.forbidden.iter().enumerate() {
            if contents >> kind & 1 != 0 {
                may |= valid & !forbidden;
            } else {
                must &= forbidden;
            }
        }
        (may, must & may)
    }
}

/// A mask for either side to move: what the wrong side has fits nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnTests<B>([BoardTest<B>; 2]);

impl<B: Bits> From<BoardTest<B>> for TurnTests<B> {
    fn from(mask: BoardTest<B>) -> Self {
        let nothing = BoardTest { forbidden: [!B::NONE; 5], turn: None };
        Self(Colour::ALL.map(|turn| if mask.turn.is_none_or(|of| of == turn) { mask } else { nothing }))
    }
}

impl<B: Bits> TurnTests<B> {
    /// Whether a position fits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fits(&self, state: &State<B>) -> bool {
        self.0[state.turn as usize].pieces_fit(state)
    }
}

/// A weighted count of pieces in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CountTest {
    /// Of white men and kings, black men and kings.
    pub(super) weights: [i32; 4],
    pub(super) least: i32,
    pub(super) most: i32,
}

impl CountTest {
    /// The count that every position has.
    pub(super) const ANY: Self = Self { weights: [0; 4], least: 0, most: 0 };

    /// Whether the pieces of a position are so many.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fits(&self, strength: RunningPieceCounts) -> bool {
        self.fits_halves(strength.halves())
    }

    /// The same of [`RunningPieceCounts::halves`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn fits_halves(&self, halves: [u32; 2]) -> bool {
        let [[white, black], [white_kings, black_kings]] =
            halves.map(|both| [(both & 0xffff) as i32, (both >> 16) as i32]);
        let [a, b, c, d] = self.weights;
        // A king is a piece that weighs so much more than a man.
        let sum = a * white + c * black + (b - a) * white_kings + (d - c) * black_kings;
        (self.least <= sum) & (sum <= self.most)
    }
}
