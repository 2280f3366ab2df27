//! Conditions on piece counts.

use std::fmt;

/// A condition on a weighted sum of the four piece counts: `w-b>=2`, `wk=1`.
///
/// ```
/// use pdn::query::PieceCountCondition;
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

/// The names of sums in the query language, with their weights.
pub(in crate::query) const SUMS: [(&str, [i8; 4]); 9] = [
    ("w", [1, 1, 0, 0]),
    ("b", [0, 0, 1, 1]),
    ("wm", [1, 0, 0, 0]),
    ("wk", [0, 1, 0, 0]),
    ("bm", [0, 0, 1, 0]),
    ("bk", [0, 0, 0, 1]),
    ("m", [1, 0, 1, 0]),
    ("k", [0, 1, 0, 1]),
    ("p", [1, 1, 1, 1]),
];

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
        let named = SUMS.iter().find(|(_, weights)| *weights == self.weights);
        if let Some((name, _)) = named {
            f.write_str(name)?;
        } else {
            let [a, b, c, d] = self.weights;
            let whole_sides = a == b && c == d;
            // `w` and `b` if men and kings weigh the same, else `wm`, `wk`, `bm` and `bk`.
            let parts = if whole_sides { &SUMS[..2] } else { &SUMS[2..6] };
            let mut first = true;
            for (name, weights) in parts {
                let kind = weights.iter().position(|&weight| weight != 0).unwrap_or(0);
                let weight = self.weights[kind];
                for _ in 0..weight.unsigned_abs() {
                    f.write_str(if weight < 0 {
                        "-"
                    } else if first {
                        ""
                    } else {
                        "+"
                    })?;
                    f.write_str(name)?;
                    first = false;
                }
            }
            if first {
                // All weights are 0; the language has no empty sum.
                f.write_str("w-w")?;
            }
        }
        match (self.min, self.max) {
            (min, max) if min == max => write!(f, "={min}"),
            (min, i32::MAX) => write!(f, ">={min}"),
            (i32::MIN, max) => write!(f, "<={max}"),
            (min, max) => write!(f, "={min}..{max}"),
        }
    }
}
