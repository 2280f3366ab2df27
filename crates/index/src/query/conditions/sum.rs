//! Conditions on piece counts, and on sums of numbers: of pieces on areas, of moves, of ratings.

use std::fmt;

use super::area::Area;
use super::endings::{TableNumber, Tables, VALUE_NAMES};
use super::pattern::Pattern;
use super::squares::{SquareContents, SquareRef};
use super::text_conditions::write_quoted;
use pdn::value::Colour;

/// A condition on a sum of numbers: `w on left - w on right >= 4`, `moves <= 2`, `rating white - rating black >= 200`.
///
/// It is false where a number of the sum is unknown: a missing rating or year, the captured pieces of a move that was
/// not played, the earlier games of a game without a year.
///
/// ```
/// use pdn_index::internal::query::{Count, SumCondition};
/// use pdn_index::query::Query;
///
/// let few = SumCondition::new(vec![(1, Count::Moves)], 0, 2);
/// assert_eq!(Query::sum(few), Query::parse("moves = 0..2").unwrap());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct SumCondition<N = Count> {
    /// The numbers of the sum, each once, with their factors.
    pub(in crate::query) terms: Vec<(i8, N)>,
    /// The least sum that matches; `i32::MIN` for any.
    pub(in crate::query) min: i32,
    /// The greatest sum that matches; `i32::MAX` for any.
    pub(in crate::query) max: i32,
}

/// A number of a position or of a game.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Count {
    /// The number of these pieces, on an area or on the whole board.
    Pieces(SquareContents, Option<Area>),
    /// The number of legal moves. The limit on the moves of a Frisian king does not count.
    Moves,
    /// The number of legal captures.
    Jumps,
    /// The most pieces that a legal capture takes; 0 without a capture.
    Best,
    /// The rows that the men of a side have advanced in all, counted from the row nearest to that side.
    Tempo(Colour),
    /// The number of squares whose contents differ from those in a position.
    Distance(Pattern),
    /// The number of pieces that the next move captures.
    Takes,
    /// The number of plies before the position.
    Ply,
    /// The number of games of an earlier date that have the position. Unknown if the year of the game is.
    Earlier,
    /// A number that tables of endings have of the position; unknown if they do not reach it. Without tables, a search refuses it.
    Table(TableNumber, Option<Tables>),
    /// A number of the game, which is the same at all its positions.
    OfGame(GameNumber),
}

/// A number of a game as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum GameNumber {
    /// The rating of a player.
    Rating(Colour),
    /// The year of the game.
    Year,
    /// The number of legal plies of the main line.
    Plies,
}

impl Count {
    /// Returns `true` for a number of the game.
    pub(in crate::query) fn is_of_game(&self) -> bool {
        matches!(self, Self::OfGame(_))
    }

    /// Returns the squares that the number names.
    pub(in crate::query) fn squares(&self) -> Vec<SquareRef> {
        match self {
            Self::Pieces(_, Some(area)) => area.squares().collect(),
            Self::Distance(pattern) => pattern.squares.iter().map(|(square, _)| *square).collect(),
            _ => Vec::new(),
        }
    }
}

/// The greatest number that a sum is compared with, far above any sum. As the end of a range, it and its negative
/// stand for an open end.
pub(in crate::query) const GREATEST_SUM: i64 = 999_999;

/// The names of pieces in the query language, with what they stand for.
pub(in crate::query) const PIECE_NAMES: [(&str, SquareContents); 9] = [
    ("w", SquareContents::WHITE_MAN.or(SquareContents::WHITE_KING)),
    ("b", SquareContents::BLACK_MAN.or(SquareContents::BLACK_KING)),
    ("wm", SquareContents::WHITE_MAN),
    ("wk", SquareContents::WHITE_KING),
    ("bm", SquareContents::BLACK_MAN),
    ("bk", SquareContents::BLACK_KING),
    ("m", SquareContents::WHITE_MAN.or(SquareContents::BLACK_MAN)),
    ("k", SquareContents::WHITE_KING.or(SquareContents::BLACK_KING)),
    ("p", SquareContents::EMPTY.not()),
];

impl<N: PartialEq> SumCondition<N> {
    /// Creates the condition that a sum lies between `min` and `max`, both included. Equal numbers are joined.
    pub fn new(terms: Vec<(i8, N)>, min: i32, max: i32) -> Self {
        let mut joined: Vec<(i8, N)> = Vec::with_capacity(terms.len());
        for (factor, count) in terms {
            match joined.iter_mut().find(|(_, other)| *other == count) {
                Some((sum, _)) => *sum = sum.saturating_add(factor),
                None => joined.push((factor, count)),
            }
        }
        Self { terms: joined, min, max }
    }

    /// Returns `true` if a sum lies between the bounds.
    pub(in crate::query) fn contains(&self, sum: i64) -> bool {
        let is_low_enough = self.max == i32::MAX || sum <= i64::from(self.max);
        is_low_enough && (self.min == i32::MIN || sum >= i64::from(self.min))
    }
}

impl SumCondition {
    /// Returns the squares that the sum names.
    pub(in crate::query) fn squares(&self) -> impl Iterator<Item = SquareRef> + '_ {
        self.terms.iter().flat_map(|(_, count)| count.squares())
    }

    /// Iterates over the areas that the sum names.
    pub(in crate::query) fn areas(&self) -> impl Iterator<Item = &Area> {
        self.pieces_on_areas().map(|(_, area)| area)
    }

    /// Iterates over the areas that the sum names, each with the pieces that are counted there.
    pub(in crate::query) fn pieces_on_areas(&self) -> impl Iterator<Item = (SquareContents, &Area)> {
        self.terms.iter().filter_map(|(_, count)| match count {
            Count::Pieces(contents, area) => Some((*contents, area.as_ref()?)),
            _ => None,
        })
    }

    /// Returns `true` if some number is that of squares that differ from a position.
    pub(in crate::query) fn compares_positions(&self) -> bool {
        self.terms.iter().any(|(_, count)| matches!(count, Count::Distance(_)))
    }

    /// Returns `true` if some number is that of pieces that the next move captures.
    pub(in crate::query) fn asks_for_next_move(&self) -> bool {
        self.terms.iter().any(|(_, count)| matches!(count, Count::Takes))
    }

    /// Returns `true` if some number is that of earlier games with the position.
    pub(in crate::query) fn counts_earlier_games(&self) -> bool {
        self.terms.iter().any(|(_, count)| matches!(count, Count::Earlier))
    }

    /// Returns the tables of each number that needs some; `None` for one that has none yet.
    pub(in crate::query) fn tables(&self) -> impl Iterator<Item = Option<&Tables>> {
        self.terms.iter().filter_map(|(_, count)| match count {
            Count::Table(_, tables) => Some(tables.as_ref()),
            _ => None,
        })
    }

    /// Returns the sum with these tables.
    pub(in crate::query) fn with_tables(&self, tables: &Tables) -> Self {
        let with_tables = |(factor, count): &(i8, Count)| match count {
            Count::Table(number, _) => (*factor, Count::Table(*number, Some(tables.clone()))),
            count => (*factor, count.clone()),
        };
        Self { terms: self.terms.iter().map(with_tables).collect(), ..*self }
    }

    /// Returns the sum as one of numbers of games; `None` if some number is of a position.
    pub(in crate::query) fn of_game(&self) -> Option<SumCondition<GameNumber>> {
        let number = |(factor, count): &(i8, Count)| match count {
            Count::OfGame(number) => Some((*factor, *number)),
            _ => None,
        };
        let terms = self.terms.iter().map(number).collect::<Option<_>>()?;
        Some(SumCondition { terms, min: self.min, max: self.max })
    }
}

impl SumCondition<GameNumber> {
    /// Returns the sum with White and Black exchanged.
    pub(in crate::query) fn with_ratings_exchanged(&self) -> Self {
        let exchanged = |&(factor, number)| match number {
            GameNumber::Rating(side) => (factor, GameNumber::Rating(!side)),
            GameNumber::Year | GameNumber::Plies => (factor, number),
        };
        Self { terms: self.terms.iter().map(exchanged).collect(), ..*self }
    }
}

/// Writes the sign and the bounds that a sum is compared with, the sign between `space`.
pub(super) fn write_bounds(min: i32, max: i32, space: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match (min, max) {
        (min, max) if min == max => write!(f, "{space}={space}{min}"),
        (min, i32::MAX) => write!(f, "{space}>={space}{}", i64::from(min).max(-GREATEST_SUM)),
        (i32::MIN, max) => write!(f, "{space}<={space}{max}"),
        (min, max) => write!(f, "{space}={space}{min}..{max}"),
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pieces(contents, area) => {
                // Other sets of contents have no name.
                let name =
                    PIECE_NAMES.iter().find(|(_, named)| named == contents).map_or("p", |(name, _)| name);
                f.write_str(name)?;
                area.as_ref().map_or(Ok(()), |area| write!(f, " on {area}"))
            }
            Self::Moves => f.write_str("moves"),
            Self::Jumps => f.write_str("jumps"),
            Self::Best => f.write_str("best"),
            Self::Tempo(Colour::White) => f.write_str("tempo white"),
            Self::Tempo(Colour::Black) => f.write_str("tempo black"),
            Self::Distance(pattern) => {
                f.write_str("distance ")?;
                write_quoted(pattern.text(), f)
            }
            Self::Takes => f.write_str("takes"),
            Self::Ply => f.write_str("ply"),
            Self::Earlier => f.write_str("earlier"),
            Self::Table(TableNumber::Value, _) => f.write_str("table"),
            Self::Table(TableNumber::Distance, _) => f.write_str("table_distance"),
            Self::OfGame(number) => number.fmt(f),
        }
    }
}

impl fmt::Display for GameNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rating(Colour::White) => "rating white",
            Self::Rating(Colour::Black) => "rating black",
            Self::Year => "year",
            Self::Plies => "plies",
        })
    }
}

/// A number that a sum has as a term.
pub(in crate::query) trait SumTerm: fmt::Display {
    /// Returns `true` if the number alone is compared by another condition: `ply 10..`, `year >= 1990`.
    fn is_compared_alone(&self) -> bool;

    /// Returns the words for values of the number.
    fn value_names(&self) -> &'static [(&'static str, i32)] {
        &[]
    }
}

impl SumTerm for Count {
    fn is_compared_alone(&self) -> bool {
        matches!(self, Self::Ply | Self::OfGame(_))
    }

    fn value_names(&self) -> &'static [(&'static str, i32)] {
        if let Self::Table(TableNumber::Value, _) = self { &VALUE_NAMES } else { &[] }
    }
}

impl SumTerm for GameNumber {
    fn is_compared_alone(&self) -> bool {
        true
    }
}

impl<N: SumTerm> fmt::Display for SumCondition<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        let is_only = self.terms.len() == 1;
        for (factor, count) in &self.terms {
            let signs: &[i8] = match factor {
                // A number that was added and subtracted stays, because the sum is unknown where it is.
                0 => &[1, -1],
                1 if is_only && count.is_compared_alone() => &[1, 1, -1],
                _ => &[*factor],
            };
            for sign in signs {
                for _ in 0..sign.unsigned_abs() {
                    f.write_str(match (*sign < 0, is_first) {
                        (true, true) => "-",
                        (true, false) => " - ",
                        (false, true) => "",
                        (false, false) => " + ",
                    })?;
                    count.fmt(f)?;
                    is_first = false;
                }
            }
        }
        if let [(1, count)] = self.terms.as_slice() {
            let name = |of: i32| count.value_names().iter().find(|(_, value)| *value == of);
            let named = match (self.min, self.max) {
                (min, max) if min == max => name(min).map(|(name, _)| ("=", name)),
                (min, i32::MAX) => name(min).map(|(name, _)| (">=", name)),
                (i32::MIN, max) => name(max).map(|(name, _)| ("<=", name)),
                _ => None,
            };
            if let Some((sign, name)) = named {
                return write!(f, " {sign} {name}");
            }
        }
        write_bounds(self.min, self.max, " ", f)
    }
}

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

#[cfg(test)]
mod tests {
    use crate::query::Query;

    #[test]
    fn sums_that_a_plain_condition_is_left_of_are_read_as_they_are_shown() {
        for text in [
            "rating black - rating black + rating black < -1",
            "year + year - year <= 1987",
            "-plies + plies + plies > 20",
            "ply + ply - ply = 3",
        ] {
            let query = Query::parse(text).expect("a sum");
            assert_eq!(Query::parse(&query.to_string()).as_ref(), Ok(&query), "{query}");
        }
    }
}
