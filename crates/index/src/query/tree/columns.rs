//! The columns of a segment that a tally counts.

use crate::book::tally::TallyValues;
use crate::{Column, FilePart, Index, Section};
use pdn::error::Result;

/// The columns of a segment that a tally counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct TallyColumns<'a> {
    /// The number of the first game of the segment in the index.
    first: u64,
    summary: Column<'a>,
    date: Column<'a>,
    ratings: [Column<'a>; 2],
}

impl<'a> TallyColumns<'a> {
    /// Reads the columns of a segment. `games` is the number of games whose values are needed.
    ///
    /// # Errors
    /// If a section is damaged, or the question has to be asked again.
    pub(super) fn new(index: &'a Index, segment: usize, games: u64) -> Result<Self> {
        let column = |section| index.column_for(games, segment, section);
        Ok(Self {
            first: index.first_game(segment).unwrap_or(0),
            summary: column(Section::Summary)?,
            date: column(Section::Date)?,
            ratings: [column(Section::WhiteRating)?, column(Section::BlackRating)?],
        })
    }

    /// Adds where the values of a game are in its file, if they are read from there.
    pub(super) fn expect(&self, game: u32, parts: &mut Vec<FilePart<'a>>) {
        let [white, black] = &self.ratings;
        for column in [&self.summary, &self.date, white, black] {
            column.expect(game as usize, parts);
        }
    }

    /// Returns the number of a game in the index.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn number(&self, game: u32) -> u64 {
        self.first + u64::from(game)
    }

    /// Returns the summary of a game.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn summary(&self, game: u32) -> u64 {
        value(&self.summary, game)
    }

    /// Returns all values of a game.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn values(&self, game: u32) -> TallyValues {
        TallyValues {
            number: self.number(game),
            summary: self.summary(game),
            date: value(&self.date, game),
            ratings: self.ratings.each_ref().map(|column| value(column, game)),
        }
    }
}

/// Returns the value of a game in a column.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn value(column: &Column<'_>, game: u32) -> u64 {
    column.get(game as usize).unwrap_or(0)
}
