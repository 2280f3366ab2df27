//! What the facts of a game must be for a condition to be true at one of its positions.
//!
//! A game whose facts say otherwise is excluded before it is played. Nothing here decides that a game matches.

use super::board_test::BoardTest;
use super::count_test::CountTest;
use super::material_bounds::MaterialBounds;
use crate::NumberColumn;
use pdn::board::Bits;
use pdn::value::Colour;
use pdn_rules::internal::board::Geometry;

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
