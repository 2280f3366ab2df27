//! What the facts of a game must be for a condition to be true at one of its positions.
//!
//! A game whose facts say otherwise is excluded before it is played. Nothing here decides that a game matches.
//!
//! Among the facts are the piece counts. In a continuous game the men of a side and its pieces never increase. A game
//! therefore cannot match if it starts with fewer than the lower bounds or ends with more than the upper bounds, and
//! playing it may stop as soon as a count falls below its lower bound.

use super::board_test::{BoardTest, CountTest};
use crate::{NumberColumn, PackedPieceCounts};
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Geometry};

/// What the facts of a game must be.
// Twin: the same search in an index without facts; test: queries_match_with_and_without_facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::query) enum FactNeed {
    /// This fact is at least so great.
    AtLeast(NumberColumn, u32),
    /// This side has promoted. Kings of start positions and setups are not among the facts of a game.
    King(Colour),
    /// All of these; nothing if there are none.
    All(Vec<FactNeed>),
    /// One of these.
    Any(Vec<FactNeed>),
}

/// More pieces or kings than a side ever has.
const MANY: i64 = 200;

impl FactNeed {
    /// The need that every game meets.
    pub(in crate::query) const NOTHING: Self = Self::All(Vec::new());

    /// Returns the need for a position in which White leads by `white` pieces, or Black by `-white` if that is negative.
    fn lead(white: i64) -> Self {
        match white {
            0 => Self::NOTHING,
            1.. => Self::AtLeast(NumberColumn::WhiteLead, white.min(MANY) as u32),
            _ => Self::AtLeast(NumberColumn::BlackLead, white.saturating_neg().min(MANY) as u32),
        }
    }

    /// Returns the need that one of the sides has a king.
    pub(super) fn any_king() -> Self {
        Self::Any(Colour::ALL.map(Self::King).into())
    }

    /// Returns the need that a side, or one of both, promotes.
    pub(super) fn promotion(side: Option<Colour>) -> Self {
        let promotes = |side| {
            let column = match side {
                Colour::White => NumberColumn::WhitePromotes,
                Colour::Black => NumberColumn::BlackPromotes,
            };
            Self::AtLeast(column, 1)
        };
        side.map_or_else(|| Self::Any(Colour::ALL.map(promotes).into()), promotes)
    }

    /// Returns the need for a move that captures `pieces` pieces or more: by a man, by a king, or by either if `by_king` is `None`.
    pub(super) fn takes(by_king: Option<bool>, pieces: u32) -> Self {
        let by =
            |king| Self::AtLeast(if king { NumberColumn::KingTakes } else { NumberColumn::ManTakes }, pieces);
        by_king.map_or_else(|| Self::Any([false, true].map(by).into()), by)
    }

    /// Returns the need of positions that pass a test of piece counts.
    pub(super) fn of_count(test: &CountTest) -> Self {
        // Some sum of men and of the kings that `kings` allows lies in the range.
        let is_possible = |kings: [bool; 2]| {
            let greatest = [true, kings[0], true, kings[1]].map(|allowed| if allowed { MANY } else { 0 });
            let terms = test.weights.iter().zip(greatest).map(|(&weight, most)| i64::from(weight) * most);
            let (low, high) = terms.fold((0, 0), |sum, term| (sum.0 + term.min(0), sum.1 + term.max(0)));
            low <= test.max.into() && i64::from(test.min) <= high
        };
        let mut needs = Vec::new();
        for (side, others) in [(Colour::White, [false, true]), (Colour::Black, [true, false])] {
            if !is_possible(others) {
                needs.push(Self::King(side));
            }
        }
        if needs.is_empty() && !is_possible([false, false]) {
            needs.push(Self::any_king());
        }
        // If the sum is never more than `weight` times the lead of a side, its least value bounds that lead.
        let lead = |own: [i64; 2], other: [i64; 2], min: i64| {
            let weight = own[0].max(own[1]).max(1);
            let is_bounded = min > 0 && weight <= -other[0].max(other[1]);
            if is_bounded { (min + weight - 1) / weight } else { 0 }
        };
        let weights = test.weights.map(i64::from);
        for (weights, min) in
            [(weights, test.min.into()), (weights.map(i64::wrapping_neg), -i64::from(test.max))]
        {
            let [a, b, c, d] = weights;
            needs.push(Self::lead(lead([a, b], [c, d], min)));
            needs.push(Self::lead(-lead([c, d], [a, b], min)));
        }
        Self::All(needs)
    }

    /// Returns the need of positions that pass a test of squares.
    pub(super) fn of_board<G: Geometry>(test: &BoardTest<G::Bits>) -> Self {
        // By the bits of `SquareContents`: squares that must hold a white or a black king.
        let must_be = |contents| test.squares(contents, G::VALID).1.any();
        let kings = [(2, Colour::White), (8, Colour::Black)].into_iter().filter(|(king, _)| must_be(*king));
        let mut needs: Vec<Self> = kings.map(|(_, side)| Self::King(side)).collect();
        let MaterialBounds { min, max } = MaterialBounds::of_board::<G>(test);
        let lead = |own: usize, other: usize| (i64::from(min[own]) - i64::from(max[other])).max(0);
        needs.push(Self::lead(lead(1, 3) - lead(3, 1)));
        Self::All(needs)
    }

    /// Returns the need that the balance of pieces changes by so many.
    pub(super) fn change(pieces: u32) -> Self {
        // From one side's greatest lead to that of the other.
        let leads = (0..=pieces).map(|white| {
            let lead = |column, pieces| Self::AtLeast(column, pieces);
            let black = lead(NumberColumn::BlackLead, pieces - white);
            Self::All(vec![lead(NumberColumn::WhiteLead, white), black])
        });
        Self::Any(leads.collect())
    }
}

/// Bounds of the counts that never increase: white men, white pieces, black men, black pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::query) struct MaterialBounds {
    /// The lower bounds, included.
    pub(in crate::query) min: [u32; 4],
    /// The upper bounds, included.
    pub(in crate::query) max: [u32; 4],
}

/// The upper bound of an unbounded count; greater than the number of squares of any board.
const MAX_PIECES: i64 = 200;

impl MaterialBounds {
    /// Bounds that every position meets; the neutral element of [`and`](Self::and).
    pub(in crate::query) const NONE: Self = Self { min: [0; 4], max: [MAX_PIECES as u32; 4] };

    /// Bounds that no position meets; the neutral element of [`or`](Self::or).
    pub(in crate::query) const NEVER: Self = Self { min: [MAX_PIECES as u32; 4], max: [0; 4] };

    /// Returns the bounds of positions that meet both.
    pub(in crate::query) fn and(self, other: Self) -> Self {
        let pick = |f: fn(u32, u32) -> u32, a: [u32; 4], b: [u32; 4]| [0, 1, 2, 3].map(|i| f(a[i], b[i]));
        Self { min: pick(u32::max, self.min, other.min), max: pick(u32::min, self.max, other.max) }
    }

    /// Returns the tightest bounds of positions that meet one or the other.
    pub(in crate::query) fn or(self, other: Self) -> Self {
        let pick = |f: fn(u32, u32) -> u32, a: [u32; 4], b: [u32; 4]| [0, 1, 2, 3].map(|i| f(a[i], b[i]));
        Self { min: pick(u32::min, self.min, other.min), max: pick(u32::max, self.max, other.max) }
    }

    /// Returns the bounds of positions that pass a test of squares: from the number of squares that must hold such
    /// pieces to the number of those that may.
    pub(super) fn of_board<G: Geometry>(test: &BoardTest<G::Bits>) -> Self {
        let squares = |contents| {
            let (may, must) = test.squares(contents, G::VALID);
            (may.count(), must.count())
        };
        // By the bits of `SquareContents`: white men, white pieces, black men, black pieces.
        let bounds = [1, 3, 4, 12].map(squares);
        Self { min: bounds.map(|(_, must)| must), max: bounds.map(|(may, _)| may) }
    }

    /// Returns the bounds of positions that pass a test of piece counts.
    pub(super) fn of_count(count: &CountTest) -> Self {
        let [a, b, c, d] = count.weights.map(i64::from);
        // Each count is between 0 and MAX_PIECES. The sum of the others is therefore bounded, and what the range of the
        // test leaves for one count bounds that count.
        let extent = |weight: i64| (weight.min(0) * MAX_PIECES, weight.max(0) * MAX_PIECES);
        let sides = |parts: &[i64]| {
            parts.iter().map(|&part| extent(part)).fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
        };
        let bound = |weight: i64, others: &[i64]| {
            let (low, high) = sides(others);
            // `min <= weight * x <= max` holds for the count `x`.
            let (min, max) = (i64::from(count.min) - high, i64::from(count.max) - low);
            let range = match weight {
                0 => (0, MAX_PIECES),
                1.. => (div_ceil(min, weight), max.div_euclid(weight)),
                _ => (div_ceil(-max, -weight), (-min).div_euclid(-weight)),
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
        Self { min: all.map(|range| range.0), max: all.map(|range| range.1) }
    }

    /// Returns the bounds of positions with at least `least` pieces of the chosen kinds: white men, white kings, black men,
    /// black kings.
    pub(super) fn at_least(least: u32, kinds: [bool; 4]) -> Self {
        let min = match kinds {
            [true, false, false, false] => [least, least, 0, 0],
            [_, _, false, false] => [0, least, 0, 0],
            [false, false, true, false] => [0, 0, least, least],
            [false, false, _, _] => [0, 0, 0, least],
            _ => [0; 4],
        };
        Self { min, ..Self::NONE }
    }

    /// Returns the bounds of positions of which at most `distance` squares differ from one with these counts.
    pub(super) fn near(counts: [u32; 4], distance: i32) -> Self {
        let Ok(distance) = u32::try_from(distance) else { return Self::NEVER };
        Self {
            min: counts.map(|count| count.saturating_sub(distance)),
            max: counts.map(|count| count.saturating_add(distance).min(MAX_PIECES as u32)),
        }
    }

    /// Returns `true` if a continuous game that starts with these pieces may reach the bounds.
    pub(in crate::query) fn allow_start(&self, first: PackedPieceCounts) -> bool {
        bounded_counts(first).iter().zip(self.min).all(|(&count, min)| count >= min)
    }

    /// Returns `true` if a continuous game that ends with these pieces may have met the bounds.
    pub(in crate::query) fn allow_end(&self, last: PackedPieceCounts) -> bool {
        bounded_counts(last).iter().zip(self.max).all(|(&count, max)| count <= max)
    }

    /// Returns whether comparing the pieces at the start, and whether comparing those at the end, can exclude games. An
    /// upper bound of 20 or more excludes almost none.
    pub(in crate::query) fn start_and_end_help(&self) -> (bool, bool) {
        (self.min != [0; 4], self.max.iter().any(|&max| max < 20))
    }

    /// Returns `true` if comparing the pieces after every ply is worth its cost: with lower bounds of 6 pieces in all.
    pub(in crate::query) fn stops_early(&self) -> bool {
        self.min[1] + self.min[3] >= 6
    }
}

/// Divides and rounds up; `divisor` must be positive.
fn div_ceil(number: i64, divisor: i64) -> i64 {
    -(-number).div_euclid(divisor)
}

/// Returns white men, white pieces, black men and black pieces.
fn bounded_counts(material: PackedPieceCounts) -> [u32; 4] {
    let [white, black] = Colour::ALL.map(|colour| [material.men(colour), material.pieces(colour)]);
    [white[0], white[1], black[0], black[1]].map(u32::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn material_bounds_follow_from_piece_sums() {
        for (weights, min, max, expected) in [
            ([1, 1, -1, -1], 2, i32::MAX, [0, 2, 0, 0]),
            ([1, 1, 0, 0], 3, 5, [0, 3, 0, 0]),
            ([1, 0, 0, 0], 3, 5, [3, 3, 0, 0]),
            ([0, 1, 0, 0], 1, 1, [0, 1, 0, 0]),
        ] {
            let bounds = MaterialBounds::of_count(&CountTest { weights, min, max });
            assert_eq!(bounds.min, expected, "{weights:?}");
        }
        let bounds = MaterialBounds::of_count(&CountTest { weights: [1; 4], min: i32::MIN, max: 6 });
        assert_eq!(bounds.max, [6; 4]);
    }

    proptest! {
        #[test]
        fn material_bounds_hold_for_matching_counts(
            weights in prop::array::uniform4(-2i32..=2), min in -10i32..=10, extent in 0i32..10,
            pieces in prop::array::uniform4(0u32..12),
        ) {
            let count = CountTest { weights, min, max: min + extent };
            let sum: i32 = (0..4).map(|i| weights[i] * pieces[i] as i32).sum();
            if (count.min..=count.max).contains(&sum) {
                let counts = [pieces[0], pieces[0] + pieces[1], pieces[2], pieces[2] + pieces[3]];
                let bounds = MaterialBounds::of_count(&count);
                for i in 0..4 {
                    prop_assert!(bounds.min[i] <= counts[i] && counts[i] <= bounds.max[i], "{:?} {:?}", bounds, counts);
                }
            }
        }
    }
}
