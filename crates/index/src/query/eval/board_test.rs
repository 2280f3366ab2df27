//! Tests of the contents of squares and of piece counts: a few words and about a dozen instructions per position.

use super::frame::{Frame, pattern_squares};
use crate::PackedPieceCounts;
use crate::pack::RunningPieceCounts;
use crate::query::conditions::{Pattern, PieceCountCondition};
use pdn::board::SquareNames;
use pdn::value::Colour;
use pdn_rules::internal::board::{BitLayout, Bits, Geometry, Numbering};
use pdn_rules::internal::position::State;

/// Forbidden squares for white men, white kings, black men, black kings and emptiness, in this order. A position matches
/// if it breaks none, and if the side to move is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::query) struct BoardTest<B> {
    /// The forbidden squares by contents, in the order of the bits of `SquareContents`.
    pub(super) forbidden: [B; 5],
    /// The side that must be to move; `None` for either.
    pub(in crate::query) turn: Option<Colour>,
}

impl<B: Bits> BoardTest<B> {
    /// The test that every position passes.
    pub(super) const ANY: Self = Self { forbidden: [B::NONE; 5], turn: None };

    /// Compiles a pattern for a board and a numbering, as a form of a query reads it; `None` if the board lacks a square of
    /// the pattern, or is not that of its diagram.
    pub(super) fn of_pattern<G: Geometry<Bits = B>>(
        pattern: &Pattern,
        numbering: Numbering,
        frame: Frame,
    ) -> Option<Self> {
        let names = SquareNames::new(G::BOARD, numbering);
        let mut allowed = [pattern.elsewhere; BitLayout::MAX];
        let mut is_named = [false; BitLayout::MAX];
        for (bit, contents) in pattern_squares::<G>(pattern, &names)? {
            let bit = usize::from(bit) % BitLayout::MAX;
            // A square that is named twice must match both.
            allowed[bit] = if is_named[bit] { allowed[bit].and(contents) } else { contents };
            is_named[bit] = true;
        }
        let mut forbidden = [B::NONE; 5];
        for at in G::VALID.squares() {
            let contents = allowed[usize::from(at) % BitLayout::MAX];
            for (kind, set) in forbidden.iter_mut().enumerate() {
                if contents.bits() >> kind & 1 == 0 {
                    *set |= B::one(at);
                }
            }
        }
        Some(Self { forbidden, turn: pattern.turn() }.seen_in::<G>(frame))
    }

    /// Returns the test as a form of a query reads it.
    pub(super) fn seen_in<G: Geometry<Bits = B>>(self, frame: Frame) -> Self {
        let [pieces @ .., empty] = self.forbidden;
        let [white_men, white_kings, black_men, black_kings] = frame.contents::<G>(pieces);
        let forbidden = [white_men, white_kings, black_men, black_kings, frame.image::<G>().of(empty)];
        Self { forbidden, turn: self.turn.map(|turn| frame.turn(turn)) }
    }

    /// Converts to wider or narrower bitboards.
    pub(in crate::query) fn resized<O: Bits>(&self) -> BoardTest<O> {
        BoardTest { forbidden: self.forbidden.map(|squares| O::narrow(squares.widen())), turn: self.turn }
    }

    /// Creates the test that only this position passes.
    pub(super) fn exact<G: Geometry<Bits = B>>(state: &State<B>) -> Self {
        let no_men = |colour| G::VALID & !state.men(colour);
        let no_kings = |colour| G::VALID & !state.kings(colour);
        let (white, black) = (Colour::White, Colour::Black);
        let forbidden = [no_men(white), no_kings(white), no_men(black), no_kings(black), state.occupied()];
        Self { forbidden, turn: Some(state.turn) }
    }

    /// Returns the test of positions that pass both; `None` if they require different sides to move.
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let turn = match (self.turn, other.turn) {
            (Some(own), Some(other)) if own != other => return None,
            (own, other) => own.or(other),
        };
        Some(Self {
            forbidden: std::array::from_fn(|kind| self.forbidden[kind] | other.forbidden[kind]),
            turn,
        })
    }

    /// Returns the position that passes the test, once for each side that may be to move; `None` if some square may hold
    /// more than one contents, or none.
    pub(in crate::query) fn positions<G: Geometry<Bits = B>>(&self) -> Option<Vec<State<B>>> {
        let [white_men, white_kings, black_men, black_kings, empty] =
            [1, 2, 4, 8, 16].map(|contents| self.squares(contents, G::VALID).1);
        let (white, black) = (white_men | white_kings, black_men | black_kings);
        let turns = Colour::ALL.into_iter().filter(|&turn| self.turn.is_none_or(|of| of == turn));
        let position =
            |turn| State { pieces: [white, black], kings: white_kings | black_kings, ..State::empty(turn) };
        ((white | black | empty) == G::VALID).then(|| turns.map(position).collect())
    }

    /// Returns the squares whose contents are forbidden, in a position with these pieces, some of them kings.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn violations(&self, [white, black]: [B; 2], kings: B) -> B {
        let [white_men, white_kings, black_men, black_kings, empty] = self.forbidden;
        (white & ((kings & white_kings) | (!kings & white_men)))
            | (black & ((kings & black_kings) | (!kings & black_men)))
            | (!(white | black) & empty)
    }

    /// Returns `true` if the contents of all squares match, whichever side is to move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn matches_pieces(&self, state: &State<B>) -> bool {
        !self.violations(state.pieces, state.kings).any()
    }

    /// Returns `true` if the position passes the test.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn matches(&self, state: &State<B>) -> bool {
        self.matches_pieces(state) && self.turn.is_none_or(|turn| turn == state.turn)
    }

    /// Returns the squares of the board that may hold one of these contents, and those that must. `contents` are the
    /// bits of `SquareContents`, `valid` the playing squares.
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

/// A test for each side to move, indexed by it, so that the side is tested by the choice of the words. The test of the
/// wrong side forbids everything.
#[derive(Clone, Copy, Debug)]
pub(in crate::query) struct TurnTests<B>([BoardTest<B>; 2]);

impl<B: Bits> From<BoardTest<B>> for TurnTests<B> {
    fn from(test: BoardTest<B>) -> Self {
        let never = BoardTest { forbidden: [!B::NONE; 5], turn: None };
        Self(Colour::ALL.map(|turn| if test.turn.is_none_or(|of| of == turn) { test } else { never }))
    }
}

impl<B: Bits> TurnTests<B> {
    /// Returns `true` if the position passes the test.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn matches(&self, state: &State<B>) -> bool {
        self.0[state.turn as usize].matches_pieces(state)
    }
}

/// The test that a weighted sum of piece counts lies in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::query) struct CountTest {
    /// The weights of white men, white kings, black men and black kings.
    pub(super) weights: [i32; 4],
    /// The least sum that passes.
    pub(super) min: i32,
    /// The greatest sum that passes.
    pub(super) max: i32,
}

impl CountTest {
    /// The test that every position passes.
    pub(super) const ANY: Self = Self { weights: [0; 4], min: 0, max: 0 };

    /// Compiles a condition as a form of a query reads it.
    pub(in crate::query) fn new(condition: &PieceCountCondition, frame: Frame) -> Self {
        let [white_man, white_king, black_man, black_king] = condition.weights.map(i32::from);
        let weights = if frame.is_flipped() {
            [black_man, black_king, white_man, white_king]
        } else {
            [white_man, white_king, black_man, black_king]
        };
        Self { weights, min: condition.min, max: condition.max }
    }

    /// Returns `true` if a position with these piece counts passes the test.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn matches(&self, counts: RunningPieceCounts) -> bool {
        self.matches_halves(counts.halves())
    }

    /// Returns `true` if a position with the piece counts of a column passes the test.
    pub(in crate::query) fn matches_packed(&self, counts: PackedPieceCounts) -> bool {
        let sides = |of: fn(PackedPieceCounts, Colour) -> u8| {
            u32::from(of(counts, Colour::White)) | u32::from(of(counts, Colour::Black)) << 16
        };
        self.matches_halves([sides(PackedPieceCounts::pieces), sides(PackedPieceCounts::kings)])
    }

    /// Returns `true` if a position passes the test, from the words of [`RunningPieceCounts::halves`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn matches_halves(&self, halves: [u32; 2]) -> bool {
        let [[white, black], [white_kings, black_kings]] =
            halves.map(|both| [(both & 0xffff) as i32, (both >> 16) as i32]);
        let [white_man, white_king, black_man, black_king] = self.weights;
        // Kings are among the pieces, so that each adds the difference of both weights.
        let sum = white_man * white
            + black_man * black
            + (white_king - white_man) * white_kings
            + (black_king - black_man) * black_kings;
        (self.min <= sum) & (sum <= self.max)
    }
}
