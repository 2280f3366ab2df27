//! Tests of piece counts.

use super::frame::Frame;
use crate::PackedPieceCounts;
use crate::pack::RunningPieceCounts;
use crate::query::conditions::PieceCountCondition;
use pdn::value::Colour;

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
