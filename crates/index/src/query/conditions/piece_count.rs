//! Conditions on piece counts.

use std::fmt;

use super::square_contents::SquareContents;
use super::sum::{PIECE_NAMES, write_bounds};

/// A condition on a weighted sum of the four piece counts: `w-b>=2`, `wk=1`.
///
/// ```
/// use pdn_index::internal::query::PieceCountCondition;
///
/// assert_eq!(PieceCountCondition::balance(2).to_string(), "w-b>=2");
/// assert_eq!(PieceCountCondition::new([0, 1, 0, 1], 1, 3).to_string(), "k=1..3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct PieceCountCondition {
    /// The weights of white men, white kings, black men and black kings.
    pub(in crate::query) weights: [i8; 4],
    /// The least sum that matches.
    pub(in crate::query) min: i32,
    /// The greatest sum that matches.
    pub(in crate::query) max: i32,
}

/// The pieces that the weights are those of, in this order.
const PIECE_WEIGHTS: [SquareContents; 4] = [
    SquareContents::WHITE_MAN,
    SquareContents::WHITE_KING,
    SquareContents::BLACK_MAN,
    SquareContents::BLACK_KING,
];

/// Returns the weights of a sum that counts these pieces.
pub(in crate::query) fn weights_of(contents: SquareContents) -> [i8; 4] {
    PIECE_WEIGHTS.map(|one| i8::from(contents.and(one) == one))
}

impl PieceCountCondition {
    /// Creates the condition that a weighted sum lies between `min` and `max`, both included. The weights are those of
    /// white men, white kings, black men and black kings.
    pub fn new(weights: [i8; 4], min: i32, max: i32) -> Self {
        Self { weights, min, max }
    }

    /// Creates the condition that White has at least `min` pieces more than Black; negative for fewer.
    pub fn balance(min: i32) -> Self {
        Self::new([1, 1, -1, -1], min, i32::MAX)
    }

    /// Creates four conditions that together require these numbers of men and kings, `(men, kings)` for each side.
    pub fn exactly(white: (u8, u8), black: (u8, u8)) -> [Self; 4] {
        let single = |kind: usize, count: u8| {
            let mut weights = [0; 4];
            weights[kind] = 1;
            Self::new(weights, count.into(), count.into())
        };
        [single(0, white.0), single(1, white.1), single(2, black.0), single(3, black.1)]
    }
}

impl fmt::Display for PieceCountCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = PIECE_NAMES.iter().find(|(_, contents)| weights_of(*contents) == self.weights);
        if let Some((name, _)) = named {
            f.write_str(name)?;
        } else {
            let [a, b, c, d] = self.weights;
            let whole_sides = a == b && c == d;
            // `w` and `b` if men and kings weigh the same, else `wm`, `wk`, `bm` and `bk`.
            let parts: &[(&str, i8)] = if whole_sides {
                &[("w", a), ("b", c)]
            } else {
                &[("wm", a), ("wk", b), ("bm", c), ("bk", d)]
            };
            // A part that is added comes first, so that the text does not begin with a sign.
            let (before, from_added) = parts.split_at(parts.iter().position(|part| part.1 > 0).unwrap_or(0));
            let mut is_first = true;
            for (name, weight) in from_added.iter().take(1).chain(before).chain(from_added.iter().skip(1)) {
                for _ in 0..weight.unsigned_abs() {
                    f.write_str(match (*weight < 0, is_first) {
                        (true, _) => "-",
                        (false, true) => "",
                        (false, false) => "+",
                    })?;
                    f.write_str(name)?;
                    is_first = false;
                }
            }
            if is_first {
                // All weights are 0; the language has no empty sum.
                f.write_str("w-w")?;
            }
        }
        write_bounds(self.min, self.max, "", f)
    }
}
