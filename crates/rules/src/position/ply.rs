//! Moves.

use crate::board::{Bits, Square};

/// A legal move: the first and last square, the captured pieces, and the promotion of a man.
///
/// Captures over different paths with the same four values are the same move;
/// [`Position::paths`](super::Position::paths) returns the paths. A move takes 16 bytes on boards of 64 bits; the
/// plain `Move` works on every board.
///
/// ```
/// use pdn_rules::{Position, Variant};
///
/// let position = Position::parse_fen(Variant::International, "W:W28:B22,23")?;
/// let mv = position.parse_move("28x19")?;
/// assert!(mv.is_capture() && !mv.promotes);
/// assert_eq!(mv.captured_squares().map(|square| position.names().number(square)).collect::<Vec<_>>(), [23]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
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

impl<B> Move<B> {
    /// Creates a move from its parts; see the fields. Whether it is legal, a position says.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn new(from: Square, to: Square, captured: B, promotes: bool) -> Self {
        Self { captured, from, to, promotes }
    }
}

impl<B: Copy + Into<u128>> Move<B> {
    /// Returns `true` if the move captures.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is_capture(&self) -> bool {
        self.captured.into() != 0
    }

    /// Iterates over the captured squares, in the order of their bits.
    pub fn captured_squares(&self) -> impl Iterator<Item = Square> + use<B> {
        self.captured.into().squares().map(Square)
    }
}

#[doc(hidden)]
impl<B: Bits> Move<B> {
    /// Creates a move without a capture, between the squares with these bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn quiet(from: u8, to: u8, promotes: bool) -> Self {
        Self::new(Square(from), Square(to), B::NONE, promotes)
    }

    /// Returns `true` if the move is a capture of one jump, so that its first and its last square describe it completely.
    pub fn is_single_jump(&self) -> bool {
        self.captured.count() == 1
    }

    /// Returns the same move with a wider or narrower word.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn resized<O: Bits>(self) -> Move<O> {
        Move::new(self.from, self.to, O::narrow(self.captured.widen()), self.promotes)
    }
}
