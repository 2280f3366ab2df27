//! How many pieces a question needs. Men and pieces only become fewer, so a game that starts with too few, ends
//! with too many, or has come to too few, cannot have the position any more.

use super::mask::{BoardTest, CountTest};
use crate::board::{Bits, Geometry};
use crate::index::PackedPieceCounts;
use crate::value::Colour;

/// Bounds of what never grows: white men, white pieces, black men, black pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MaterialBounds {
    pub(super) least: [u32; 4],
    pub(super) most: [u32; 4],
}

/// More than any board has squares.
const MAX_PIECES: i64 = 200;

impl MaterialBounds {
    /// Nothing in particular.
    pub(super) const NONE: Self = Self { least: [0; 4], most: [MAX_PIECES as u32; 4] };

    /// What no position has.
    pub(super) const NEVER: Self = Self { least: [MAX_PIECES as u32; 4], most: [0; 4] };

    /// Both.
    pub(super) fn and(self, other: Self) -> Self {
        let pick = |f: fn(u32, u32) -> u32, a: [u32; 4], b: [u32; 4]| [0, 1, 2, 3].map(|i| f(a[i], b[i]));
        Self { least: pick(u32::max, self.least, other.least), most: pick(u32::min, self.most, other.most) }
    }

    /// Either.
    pub(super) fn or(self, other: Self) -> Self {
        let pick = |f: fn(u32, u32) -> u32, a: [u32; 4], b: [u32; 4]| [0, 1, 2, 3].map(|i| f(a[i], b[i]));
        Self { least: pick(u32::min, self.least, other.least), most: pick(u32::max, self.most, other.most) }
    }

    pub(super) fn of_mask<G: Geometry>(mask: &BoardTest<G::Bits>) -> Self {
        let squares = |contents| {
            let (may, must) = mask.squares(contents, G::VALID);
            (may.count(), must.count())
        };
        let ((white_men, a), (white, b)) = (squares(1), squares(3));
        let ((black_men, c), (black, d)) = (squares(4), squares(12));
        Self { least: [a, b, c, d], most: [white_men, white, black_men, black] }
    }

    pub(super) fn of_count(count: &CountTest) -> Self {
        let [a, b, c, d] = count.weights.map(i64::from);
        // Each number is at least 0 and at most MANY; what that leaves for one of them bounds it.
        let extent = |weight: i64| (weight.min(0) * MAX_PIECES, weight.max(0) * MAX_PIECES);
        let sides = |parts: &[i64]| {
            parts.iter().map(|&part| extent(part)).fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
        };
        let bound = |weight: i64, others: &[i64]| {
            let (low, high) = sides(others);
            // weight * x lies between these.
            let (least, most) = (i64::from(count.least) - high, i64::from(count.most) - low);
            let range = match weight {
                0 => (0, MAX_PIECES),
                1.. => (ceil(least, weight), most.div_euclid(weight)),
                _ => (ceil(-most, -weight), (-least).div_euclid(-weight)),
            };
            (range.0.clamp(0, MAX_PIECES) as u32, range.1.clamp(0, MAX_PIECES) as u32)
        };
        let side = |men: i64, kings: i64, others: &[i64]| {
            let with = |extra: i64| [others, &[extra]].concat();
            let (of_men, of_kings) = (bound(men, &with(kings)), bound(kings, &with(men)));
            let pieces = if men == kings {
                bound(men, others)
            } else {
                (of_men.0 + of_kings.0, of_men.1 + of_kings.1)
            };
            let pieces = (pieces.0.max(of_men.0), pieces.1.min(MAX_PIECES as u32));
            [(of_men.0, of_men.1.min(pieces.1)), pieces]
        };
        let (white, black) = (side(a, b, &[c, d]), side(c, d, &[a, b]));
        let all = [white[0], white[1], black[0], black[1]];
        Self { least: all.map(|range| range.0), most: all.map(|range| range.1) }
    }

    /// Whether a game that starts with these pieces may still come to it.
    pub(super) fn start_fits(&self, first: PackedPieceCounts) -> bool {
        numbers(first).iter().zip(self.least).all(|(&have, least)| have >= least)
    }

    /// Whether a game that ends with these pieces may have come to it.
    pub(super) fn end_fits(&self, last: PackedPieceCounts) -> bool {
        numbers(last).iter().zip(self.most).all(|(&have, most)| have <= most)
    }

    /// Whether something is to be gained by asking how many pieces there are at the start, at the end.
    pub(super) fn start_and_end_help(&self) -> (bool, bool) {
        (self.least != [0; 4], self.most.iter().any(|&most| most < 20))
    }

    /// Whether it pays to look out for too few pieces at every ply.
    pub(super) fn stops_early(&self) -> bool {
        self.least[1] + self.least[3] >= 6
    }
}

fn ceil(number: i64, by: i64) -> i64 {
    -(-number).div_euclid(by)
}

fn numbers(material: PackedPieceCounts) -> [u32; 4] {
    let [white, black] = Colour::ALL.map(|colour| [material.men(colour), material.pieces(colour)]);
    [white[0], white[1], black[0], black[1]].map(u32::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sums_bound_their_parts() {
        for (weights, least, most, expected) in [
            ([1, 1, -1, -1], 2, i32::MAX, [0, 2, 0, 0]),
            ([1, 1, 0, 0], 3, 5, [0, 3, 0, 0]),
            ([1, 0, 0, 0], 3, 5, [3, 3, 0, 0]),
            ([0, 1, 0, 0], 1, 1, [0, 1, 0, 0]),
        ] {
            let needs = MaterialBounds::of_count(&CountTest { weights, least, most });
            assert_eq!(needs.least, expected, "{weights:?}");
        }
        let few = MaterialBounds::of_count(&CountTest { weights: [1; 4], least: i32::MIN, most: 6 });
        assert_eq!(few.most, [6; 4]);
    }

    proptest! {
        /// Whatever fits a count has the numbers that it needs.
        #[test]
        fn needs_are_needed(
            weights in prop::array::uniform4(-2i32..=2), least in -10i32..=10, extent in 0i32..10,
            pieces in prop::array::uniform4(0u32..12),
        ) {
            let count = CountTest { weights, least, most: least + extent };
            let sum: i32 = (0..4).map(|i| weights[i] * pieces[i] as i32).sum();
            if (count.least..=count.most).contains(&sum) {
                let have = [pieces[0], pieces[0] + pieces[1], pieces[2], pieces[2] + pieces[3]];
                let needs = MaterialBounds::of_count(&count);
                for i in 0..4 {
                    prop_assert!(needs.least[i] <= have[i] && have[i] <= needs.most[i], "{:?} {:?}", needs, have);
                }
            }
        }
    }
}
