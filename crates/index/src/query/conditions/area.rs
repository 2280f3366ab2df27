//! Areas of the board, as lists of squares and names.

use std::fmt;

use super::squares::SquareRef;
use crate::query::error::{QueryError, meant};
use pdn::internal::message::Message;
use pdn::span::Span;
use pdn::value::Colour;
use pdn_rules::internal::board::BitLayout;

/// Some squares of the board: a list of squares, ranges of square numbers and names, such as `1-5,c3,centre`.
///
/// ```
/// use pdn_index::internal::query::Area;
///
/// let area = Area::parse("46-50,long")?;
/// assert_eq!(area.to_string(), "46-50,long");
/// assert_eq!(area.squares().count(), 5);
/// # Ok::<_, pdn_index::query::QueryError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Area {
    /// The parts of the list, at least one.
    pub(in crate::query) items: Vec<AreaItem>,
}

/// A part of an [`Area`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum AreaItem {
    /// A square.
    Square(SquareRef),
    /// The squares with these numbers, from the first to the last.
    Range(u8, u8),
    /// The squares that a name stands for.
    Named(NamedArea),
}

/// The squares that a name stands for on every board. Left and right are those of White.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum NamedArea {
    /// The four middle rows of the four middle columns.
    Centre,
    /// The left half of the board.
    Left,
    /// The right half of the board.
    Right,
    /// The first and the last column.
    Edge,
    /// The row nearest to the side that owns the piece.
    Back,
    /// The longest diagonals of playing squares: the main road of most boards.
    Long,
}

impl NamedArea {
    /// All names.
    pub const ALL: &[Self] = &[Self::Centre, Self::Left, Self::Right, Self::Edge, Self::Back, Self::Long];

    /// Returns the name in the query language.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Centre => "centre",
            Self::Left => "left",
            Self::Right => "right",
            Self::Edge => "edge",
            Self::Back => "back",
            Self::Long => "long",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        let is = |area: &&Self| area.name().eq_ignore_ascii_case(name);
        Self::ALL
            .iter()
            .find(is)
            .copied()
            .or_else(|| name.eq_ignore_ascii_case("center").then_some(Self::Centre))
    }

    /// Returns `true` if a piece of this side on a playing square stands in the area. Rows count from the top and
    /// columns from the left, from 0, as White sees the board.
    pub(in crate::query) fn has(self, layout: BitLayout, (row, column): (u8, u8), side: Colour) -> bool {
        let (width, height) = (layout.width, layout.height);
        let is_middle = |at: u8, len: u8| (len / 2 - 2..len / 2 + 2).contains(&at);
        match self {
            Self::Centre => is_middle(row, height) && is_middle(column, width),
            Self::Left => column < width / 2,
            Self::Right => column >= width / 2,
            Self::Edge => column == 0 || column == width - 1,
            Self::Back => row == if side == Colour::White { height - 1 } else { 0 },
            Self::Long => {
                // The cells of both diagonals through this one.
                let falling = |row: u8, column: u8| i16::from(column) - i16::from(row);
                let rising = |row: u8, column: u8| i16::from(column) + i16::from(row);
                let len = |diagonal: fn(u8, u8) -> i16, number: i16| {
                    let cells = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
                    cells.filter(|&(row, column)| diagonal(row, column) == number).count()
                };
                // A square of the other colour has diagonals of other lengths, but plays on full boards only.
                let is_playing =
                    |number: i16| layout.full || (number - rising(row, column)).rem_euclid(2) == 0;
                let last = i16::from(width + height) - 2;
                let longest_rising =
                    (0..=last).filter(|&number| is_playing(number)).map(|number| len(rising, number)).max();
                let longest_falling = (1 - i16::from(height)..i16::from(width))
                    .filter(|&number| is_playing(number))
                    .map(|number| len(falling, number))
                    .max();
                let longest = longest_rising.max(longest_falling);
                Some(len(rising, rising(row, column))) == longest
                    || Some(len(falling, falling(row, column))) == longest
            }
        }
    }
}

impl Area {
    /// Parses a list of squares, ranges and names, separated by commas.
    ///
    /// # Errors
    /// [`QueryError`] at the first part that is neither.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        Self::parse_with(text, &[])
    }

    /// Parses a list in which these names stand for areas too.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub(in crate::query) fn parse_with(text: &str, own: &[(String, Self)]) -> Result<Self, QueryError> {
        let mut items = Vec::new();
        let mut offset = 0;
        for part in text.split(',') {
            let error = |message: Message| {
                QueryError::new(Span::new(offset as u32, (offset + part.len()) as u32), message)
            };
            let range = part.split_once('-').and_then(|(first, last)| {
                let (SquareRef::Number(first), SquareRef::Number(last)) =
                    (SquareRef::parse(first)?, SquareRef::parse(last)?)
                else {
                    return None;
                };
                Some((first, last))
            });
            let defined = own.iter().find(|(name, _)| name.eq_ignore_ascii_case(part));
            if let Some((_, area)) = defined {
                items.extend_from_slice(&area.items);
                offset += part.len() + 1;
                continue;
            }
            items.push(if let Some((first, last)) = range {
                if first > last {
                    return Err(error(message!("smaller_first", "expected the smaller number first")));
                }
                AreaItem::Range(first, last)
            } else if let Some(named) = NamedArea::from_name(part) {
                AreaItem::Named(named)
            } else if let Some(square) = SquareRef::parse(part) {
                AreaItem::Square(square)
            } else {
                let defined = own.iter().map(|(name, _)| name.as_str());
                let names: Vec<&str> = NamedArea::ALL.iter().map(|area| area.name()).chain(defined).collect();
                return Err(error(meant("squares or an area", part, names.iter().copied()).unwrap_or_else(
                    || {
                        let names = names.join(", ");
                        message!(
                            "expected_examples",
                            "expected squares, such as {examples}, or one of {names}",
                            examples = &["1-5,c3"][..],
                        )
                    },
                )));
            });
            offset += part.len() + 1;
        }
        Ok(Self { items })
    }

    /// Returns `true` for a text that every query reads as an area: a square, or a name that is known everywhere.
    pub(in crate::query) fn is_reserved(name: &str) -> bool {
        NamedArea::from_name(name).is_some() || SquareRef::parse(name).is_some()
    }

    /// Iterates over the squares of the list, without those of names.
    pub fn squares(&self) -> impl Iterator<Item = SquareRef> + '_ {
        self.items.iter().flat_map(|item| {
            let (range, square) = match *item {
                AreaItem::Range(first, last) => (Some(first..=last), None),
                AreaItem::Square(square) => (None, Some(square)),
                AreaItem::Named(_) => (None, None),
            };
            range.into_iter().flatten().map(SquareRef::Number).chain(square)
        })
    }

    /// Iterates over the names of the list.
    pub fn names(&self) -> impl Iterator<Item = NamedArea> + '_ {
        self.items.iter().filter_map(|item| if let AreaItem::Named(area) = item { Some(*area) } else { None })
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, item) in self.items.iter().enumerate() {
            f.write_str(if at > 0 { "," } else { "" })?;
            match item {
                AreaItem::Square(square) => square.fmt(f)?,
                AreaItem::Range(first, last) => write!(f, "{first}-{last}")?,
                AreaItem::Named(area) => f.write_str(area.name())?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::board::Board;

    /// Returns the numbers of the squares of an area on a board whose numbers begin at the top left.
    fn numbers(area: NamedArea, board: Board, side: Colour) -> Vec<u8> {
        let (mut number, mut found) = (0, Vec::new());
        for row in 0..board.height() {
            for column in 0..board.width() {
                if board.square(row, column).is_some() {
                    number += 1;
                    if area.has(board.layout(), (row, column), side) {
                        found.push(number);
                    }
                }
            }
        }
        found
    }

    #[test]
    fn named_areas_are_those_of_the_guide() {
        let white = |area, board| numbers(area, board, Colour::White);
        assert_eq!(white(NamedArea::Centre, Board::Ten), [18, 19, 22, 23, 28, 29, 32, 33]);
        assert_eq!(white(NamedArea::Centre, Board::Eight), [10, 11, 14, 15, 18, 19, 22, 23]);
        assert_eq!(white(NamedArea::Long, Board::Ten), [5, 10, 14, 19, 23, 28, 32, 37, 41, 46]);
        assert_eq!(white(NamedArea::Long, Board::Eight), [4, 8, 11, 15, 18, 22, 25, 29]);
        assert_eq!(white(NamedArea::Long, Board::Twelve).len(), 12);
        assert_eq!(white(NamedArea::Long, Board::EightFull).len(), 16);
        assert_eq!(white(NamedArea::Edge, Board::Ten), [5, 6, 15, 16, 25, 26, 35, 36, 45, 46]);
        assert_eq!(white(NamedArea::Back, Board::Ten), [46, 47, 48, 49, 50]);
        assert_eq!(numbers(NamedArea::Back, Board::Ten, Colour::Black), [1, 2, 3, 4, 5]);
        let (left, right) = (white(NamedArea::Left, Board::Ten), white(NamedArea::Right, Board::Ten));
        assert_eq!((left.len(), right.len()), (25, 25));
        assert!(
            left.contains(&46) && right.contains(&5) && left.iter().all(|square| !right.contains(square))
        );
    }
}
