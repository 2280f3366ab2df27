//! The conditions of a query as plain data: what a user asks, before it is compiled for a board and a numbering.

pub(in crate::query) mod date_range;
mod text_conditions;
mod squares;
mod board_diagram;
mod pattern;
mod area;
mod endings;
mod sum;
mod moves;

pub use area::{Area, AreaItem, NamedArea};
pub use date_range::DateRange;
pub use endings::{ProvenValue, ProvenValues, TableNumber, Tables, VALUE_NAMES};
pub(super) use moves::PlayedPart;
pub use moves::{MoveCondition, MoveSequence, PlayedMoves, Sacrifice};
pub(super) use pattern::FoundPositions;
pub use pattern::{GamePositions, Pattern, PatternForm};
pub(in crate::query) use squares::square_expected;
pub use squares::{SquareContents, SquareRef};
pub use sum::{Count, GameNumber, PieceCountCondition, SumCondition};
pub(super) use sum::{GREATEST_SUM, PIECE_NAMES, SumTerm, weights_of};
pub(super) use text_conditions::write_quoted;
pub use text_conditions::{FileCondition, NoteCondition, TagCondition};

/// The transforms of a query.
///
/// The first three add forms to a query, which is then true where one of its forms is true. The last one changes all of
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct Transforms {
    /// Adds the form with the colours exchanged everywhere and the board turned by 180 degrees.
    pub flipped: bool,
    /// Adds the mirror image, left and right exchanged, on boards that play on every cell. Other boards have none.
    pub mirrored: bool,
    /// Adds every form whose named squares are those of the query after as many steps down and to the right, as far as
    /// all of them lie on the board.
    pub shifted: bool,
    /// Looks at every position as if the other side were to move.
    pub passed: bool,
}

impl Transforms {
    /// Every transform alone, with its word in the query language, in the order in which they are written.
    pub(in crate::query) const ALL: [(&'static str, Self); 4] = {
        const NONE: Transforms =
            Transforms { flipped: false, mirrored: false, shifted: false, passed: false };
        [
            ("flipped", Self { flipped: true, ..NONE }),
            ("mirrored", Self { mirrored: true, ..NONE }),
            ("shifted", Self { shifted: true, ..NONE }),
            ("passed", Self { passed: true, ..NONE }),
        ]
    };

    /// Returns the words of the transforms, in the order in which they are written.
    pub(in crate::query) fn words(self) -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().filter(move |(_, one)| self.and(*one) == *one).map(|(word, _)| word)
    }

    /// Returns the transforms that are in both.
    fn and(self, other: Self) -> Self {
        Self {
            flipped: self.flipped && other.flipped,
            mirrored: self.mirrored && other.mirrored,
            shifted: self.shifted && other.shifted,
            passed: self.passed && other.passed,
        }
    }

    /// Returns the transforms of a query that has these first and `other` after them. The side to move that is passed
    /// twice is the first one again.
    pub(in crate::query) fn followed_by(self, other: Self) -> Self {
        Self {
            flipped: self.flipped || other.flipped,
            mirrored: self.mirrored || other.mirrored,
            shifted: self.shifted || other.shifted,
            passed: self.passed != other.passed,
        }
    }

    /// Returns a bound of the number of forms.
    pub(in crate::query) fn forms(self) -> u64 {
        // No board has more squares, and a translation is known by where it takes one of them.
        let shifts = if self.shifted { 72 } else { 1 };
        shifts << u32::from(self.flipped) << u32::from(self.mirrored)
    }
}
