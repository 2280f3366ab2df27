//! Counts what the games of a segment say of each player, event or site.

use super::reader::Segment;
use super::rows::SegmentRows;
use crate::format::columns::{NumberColumn, TextColumn};
use crate::game_set::GameSet;
use pdn::error::Result;
use pdn::internal::value::Tally;
use pdn::stop::Stop;
use pdn::value::Colour;
use pdn_names::NameKind;

/// Number of games after which the request to stop is looked at.
const GAMES_PER_LOOK: usize = 4096;

/// Returns the columns that have the names of a kind. All have the same dictionary.
pub(crate) const fn columns_of(kind: NameKind) -> &'static [TextColumn] {
    match kind {
        NameKind::Player => &[TextColumn::White, TextColumn::Black],
        NameKind::Event => &[TextColumn::Event],
        NameKind::Site => &[TextColumn::Site],
    }
}

/// Returns the columns of numbers that a tally of a name of a kind needs.
const fn numbers_of(kind: NameKind) -> &'static [NumberColumn] {
    use NumberColumn::{BlackRating, Date, Kind, Summary, WhiteRating};
    match kind {
        NameKind::Player => &[Date, WhiteRating, BlackRating, Summary, Kind],
        NameKind::Event | NameKind::Site => &[Date],
    }
}

impl Segment {
    /// Returns the tally of each text of the dictionary that has the names of a kind, by its number; a game against oneself counts for both
    /// sides. Retired games do not count. O(n) in the number of games.
    ///
    /// # Errors
    /// If a section is damaged, or the work was stopped.
    pub(crate) fn tallies(
        &self,
        kind: NameKind,
        retired: Option<&GameSet>,
        stop: &Stop,
    ) -> Result<Vec<Tally>> {
        let (columns, numbers) = (columns_of(kind), numbers_of(kind));
        if self.files.is_ranged() {
            self.read_texts(columns)?;
            numbers.iter().try_for_each(|column| self.section(column.section()).map(drop))?;
        }
        let rows = SegmentRows::with_columns(self, numbers, columns, |_| None)?;
        let texts = rows.dictionary(columns[0].dictionary()).map_or(0, |dictionary| dictionary.len());
        let mut tallies = vec![Tally::default(); texts];
        for game in 0..self.len() {
            if game % GAMES_PER_LOOK == 0 {
                stop.check()?;
            }
            if retired.is_some_and(|retired| retired.contains(game as u32)) {
                continue;
            }
            let row = rows.row_without_texts(game).map_err(|section| self.malformed(section))?;
            for (&column, colour) in columns.iter().zip(Colour::ALL) {
                let Some(text) = rows.text_number(column, game) else { continue };
                let tally = usize::try_from(text).ok().and_then(|text| tallies.get_mut(text));
                *tally.ok_or_else(|| self.malformed(column.section()))? +=
                    if kind == NameKind::Player { row.tally(colour) } else { row.event_tally() };
            }
        }
        Ok(tallies)
    }
}
