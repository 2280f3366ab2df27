//! Moves.

use crate::board::{Bits, Square};

/// A legal move: the first and last square, the captured pieces, and the promotion of a man.
///
/// Captures over different paths with the same four values are the same move;
/// [`Position::paths`](super::Position::paths) returns the paths. A move takes 16 bytes on boards of 64 bits; the
/// plain `Move` works on every board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Move<B = u128> {
    /// The squares of the captured pieces; empty for a quiet move.
    pub captured: B,
    /// The square that the piece leaves.
    pub from: Square,
    /// The square that the piece reaches; in a circular capture the same as `from`.
    pub to: Square,
    /// `true` if a man becomes a king.
    pub promotes: bool,
}

impl<B: Bits> Move<B> {
    /// Creates a move without a capture, between the squares with these bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn quiet(from: u8, to: u8, promotes: bool) -> Self {
        Self { captured: B::NONE, from: Square(from), to: Square(to), promotes }
    }

    /// Returns `true` if the move captures.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_capture(&self) -> bool {
        self.captured.any()
    }

    /// Iterates over the captured squares, in the order of their bits.
    pub fn captured_squares(&self) -> impl Iterator<Item = Square> {
        self.captured.squares().map(Square)
    }

    /// Returns the same move with a wider or narrower word.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn resized<O: Bits>(self) -> Move<O> {
        Move {
            captured: O::narrow(self.captured.widen()),
            from: self.from,
            to: self.to,
            promotes: self.promotes,
        }
    }
}
