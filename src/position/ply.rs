//! A move.

use crate::board::{Bits, Square};

/// A legal move: where from, where to, what is captured, and whether a man is crowned.
///
/// Two captures over different paths with the same four values are the same move; the paths can be asked for.
/// 16 bytes on boards of 64 bits; the plain `Move` works on every board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Move<B = u128> {
    /// The captured pieces; empty for a quiet move.
    pub captured: B,
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes; in a circular capture the square it comes from.
    pub to: Square,
    /// Whether a man becomes a king.
    pub promotes: bool,
}

impl<B: Bits> Move<B> {
    /// A move without a capture.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn quiet(from: u8, to: u8, promotes: bool) -> Self {
        Self { captured: B::NONE, from: Square(from), to: Square(to), promotes }
    }

    /// Whether anything is captured.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_capture(&self) -> bool {
        self.captured.any()
    }

    /// The captured squares, in the order of their bits.
    pub fn captured_squares(&self) -> impl Iterator<Item = Square> {
        self.captured.squares().map(Square)
    }

    /// The same move on a wider or narrower word.
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
