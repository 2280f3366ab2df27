//! The tests that every position of a search goes through: some words and a dozen instructions each.

use crate::board::{Bits, Geometry};
use crate::position::State;
use crate::value::Colour;

/// Where what must not stand, for white men and kings, black men and kings, and empty squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mask<B> {
    pub(super) forbidden: [B; 5],
    pub(super) turn: Option<Colour>,
}

impl<B: Bits> Mask<B> {
    /// The mask that this position fits and no other.
    pub(super) fn exact<G: Geometry<Bits = B>>(state: &State<B>) -> Self {
        let men = |colour| G::VALID & !state.men(colour);
        let kings = |colour| G::VALID & !state.kings(colour);
        let (white, black) = (Colour::White, Colour::Black);
        let forbidden = [men(white), kings(white), men(black), kings(black), state.occupied()];
        Self { forbidden, turn: Some(state.turn) }
    }

    /// Whether a position fits, whoever is to move.
    #[inline(always)]
    pub(super) fn pieces_fit(&self, state: &State<B>) -> bool {
        let [white_men, white_kings, black_men, black_kings, empty] = self.forbidden;
        let [white, black] = state.pieces;
        let kings = state.kings;
        let wrong = (white & ((kings & white_kings) | (!kings & white_men)))
            | (black & ((kings & black_kings) | (!kings & black_men)))
            | (!(white | black) & empty);
        !wrong.any()
    }

    /// Whether a position fits.
    #[inline(always)]
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

/// A weighted count of pieces in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Count {
    /// Of white men and kings, black men and kings.
    pub(super) weights: [i32; 4],
    pub(super) least: i32,
    pub(super) most: i32,
}

impl Count {
    /// Whether the pieces of a position are so many.
    #[inline(always)]
    pub(super) fn fits<B: Bits>(&self, state: &State<B>) -> bool {
        let [white, black] = state.pieces;
        let count = |set: B| set.count() as i32;
        let (white_kings, black_kings) = (count(white & state.kings), count(black & state.kings));
        let (white_men, black_men) = (count(white) - white_kings, count(black) - black_kings);
        let [a, b, c, d] = self.weights;
        let sum = a * white_men + b * white_kings + c * black_men + d * black_kings;
        (self.least <= sum) & (sum <= self.most)
    }
}
