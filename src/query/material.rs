//! How many pieces there are.

use std::fmt;

use super::mask::CountTest;

/// A sum of piece counts, each times a weight, in a range: `w-b>=2`, `wk=1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct PieceCountCondition {
    /// Weights of white men, white kings, black men, black kings.
    weights: [i8; 4],
    least: i32,
    most: i32,
}

/// The names of sums, with their weights.
pub(super) const TERMS: [(&str, [i8; 4]); 9] = [
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
    /// The weights of white men, white kings, black men and black kings, and from what to what their sum may be.
    pub fn new(weights: [i8; 4], least: i32, most: i32) -> Self {
        Self { weights, least, most }
    }

    /// White has so many pieces more than Black, or more; negative numbers for fewer.
    pub fn balance(least: i32) -> Self {
        Self::new([1, 1, -1, -1], least, i32::MAX)
    }

    /// Exactly so many men and kings of White, and of Black.
    pub fn exactly(white: (u8, u8), black: (u8, u8)) -> [Self; 4] {
        let one = |at: usize, count: u8| {
            let mut weights = [0; 4];
            weights[at] = 1;
            Self::new(weights, count.into(), count.into())
        };
        [one(0, white.0), one(1, white.1), one(2, black.0), one(3, black.1)]
    }

    pub(super) fn count(&self) -> CountTest {
        CountTest { weights: self.weights.map(i32::from), least: self.least, most: self.most }
    }
}

impl fmt::Display for PieceCountCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = TERMS.iter().find(|(_, weights)| *weights == self.weights);
        if let Some((name, _)) = exact {
            f.write_str(name)?;
        } else {
            let [a, b, c, d] = self.weights;
            let sides = a == b && c == d;
            let parts = if sides { &TERMS[..2] } else { &TERMS[2..6] };
            let mut first = true;
            for (name, weights) in parts {
                let at = weights.iter().position(|&weight| weight != 0).unwrap_or(0);
                let weight = self.weights[at];
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
                // Weights of nothing: a sum that is always 0.
                f.write_str("w-w")?;
            }
        }
        match (self.least, self.most) {
            (least, most) if least == most => write!(f, "={least}"),
            (least, i32::MAX) => write!(f, ">={least}"),
            (i32::MIN, most) => write!(f, "<={most}"),
            (least, most) => write!(f, "={least}..{most}"),
        }
    }
}
