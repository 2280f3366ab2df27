//! The columns and dictionaries of the rows of a segment, opened once, and what they say of each player, event or site.

use std::collections::HashMap;

use super::reader::Segment;
use crate::format::column::Column;
use crate::format::columns::{DictionaryKind, NumberColumn, Section, TextColumn};
use crate::format::dictionary::Dictionary;
use crate::format::end_offsets::EndOffsets;
use crate::game_set::GameSet;
use crate::row::game_row::{GameKind, GameRow};
use pdn::error::Result;
use pdn::internal::value::Tally;
use pdn::stop::Stop;
use pdn::value::Colour;
use pdn_names::NameKind;

/// Bytes that are read of a column before its values are asked for. Most columns have no longer table.
const HEAD_LEN: u64 = 1 << 10;

/// The rows of a segment, opened for reading.
#[derive(Debug)]
pub struct SegmentRows<'a> {
    /// The columns of numbers; `None` for one that the segment does not have, or that is not wanted.
    numbers: [Option<Column<'a>>; NumberColumn::COUNT],
    /// The columns of texts; `None` for one that the segment does not have, or that is not wanted.
    texts: [Option<Column<'a>>; TextColumn::COUNT],
    /// The dictionaries that these columns need.
    dictionaries: [Option<Dictionary<'a>>; DictionaryKind::COUNT],
    kinds: Vec<GameKind>,
}

impl<'a> SegmentRows<'a> {
    /// Opens the columns and dictionaries. The first call for a segment reads all of them, later ones cost O(kinds).
    ///
    /// # Errors
    /// If a section is damaged.
    pub(crate) fn new(segment: &'a Segment) -> Result<Self> {
        Self::with_columns(segment, &NumberColumn::ALL, &TextColumn::ALL, |_| None)
    }

    /// Opens these columns, as [`new`](Self::new) does, but for those that `known` returns. The other texts are empty in rows, and the other
    /// numbers are missing.
    ///
    /// # Errors
    /// If a section is damaged.
    pub(crate) fn with_columns(
        segment: &'a Segment,
        of_numbers: &[NumberColumn],
        of_texts: &[TextColumn],
        known: impl Fn(Section) -> Option<Column<'a>>,
    ) -> Result<Self> {
        let mut numbers = [None; NumberColumn::COUNT];
        for &column in of_numbers {
            numbers[column as usize] = known(column.section());
        }
        let mut texts = [None; TextColumn::COUNT];
        for &column in of_texts {
            texts[column as usize] = known(column.section());
        }
        let unknown_numbers = of_numbers.iter().filter(|&&column| numbers[column as usize].is_none());
        let unknown_texts = of_texts.iter().filter(|&&column| texts[column as usize].is_none());
        let unknown = unknown_numbers.map(|column| column.section());
        let unknown = unknown.chain(unknown_texts.map(|column| column.section()));
        Self::fetch_heads(segment, unknown, of_texts)?;
        for &column in of_numbers {
            if numbers[column as usize].is_none() {
                numbers[column as usize] = segment.number_column(column)?;
            }
        }
        let mut dictionaries = [const { None }; DictionaryKind::COUNT];
        for &column in of_texts {
            if texts[column as usize].is_none() {
                texts[column as usize] = segment.text_column(column)?;
            }
            let dictionary = &mut dictionaries[column.dictionary() as usize];
            if texts[column as usize].is_some() && dictionary.is_none() {
                *dictionary = Some(segment.dictionary(column.dictionary())?);
            }
        }
        Ok(Self { numbers, texts, dictionaries, kinds: segment.kinds()? })
    }

    /// Reads the beginnings of columns and dictionaries together, if they are read by ranges.
    fn fetch_heads(
        segment: &Segment,
        columns: impl Iterator<Item = Section>,
        of_texts: &[TextColumn],
    ) -> Result<()> {
        let ends: Vec<Section> = of_texts.iter().map(|column| column.dictionary().sections()[1]).collect();
        let mut parts = Vec::new();
        for section in columns.chain(ends.iter().copied()).filter(|&section| segment.has(section)) {
            parts.extend(segment.section_part(section)?.map(|part| part.within(0..HEAD_LEN)));
        }
        segment.fetch(&parts)?;
        parts.clear();
        for section in ends.into_iter().filter(|&section| segment.has(section)) {
            let part = segment.section_part(section)?;
            part.into_iter().for_each(|part| EndOffsets::expect_total(part, &mut parts));
        }
        segment.fetch(&parts)
    }

    /// Reads what the rows of some games need, in as few steps as possible, if they are read by ranges.
    ///
    /// # Errors
    /// If they cannot be read, or the question has to be asked again.
    pub(crate) fn fetch(&self, segment: &Segment, games: &[usize]) -> Result<()> {
        let mut parts = Vec::new();
        for column in self.numbers.iter().chain(&self.texts).flatten() {
            games.iter().for_each(|&game| column.expect(game, &mut parts));
        }
        segment.fetch(&parts)?;
        for expect in [Dictionary::expect_ends, Dictionary::expect_text] {
            parts.clear();
            for column in TextColumn::ALL {
                let dictionary = &self.dictionaries[column.dictionary() as usize];
                if let (Some(numbers), Some(dictionary)) = (&self.texts[column as usize], dictionary) {
                    let numbers = games.iter().filter_map(|&game| numbers.get(game));
                    numbers.for_each(|number| expect(dictionary, number as u32, &mut parts));
                }
            }
            segment.fetch(&parts)?;
        }
        Ok(())
    }

    /// Returns the kinds of games; the numbers of the column of kinds are indices of this slice.
    pub(crate) fn kinds(&self) -> &[GameKind] {
        &self.kinds
    }

    /// Returns a dictionary; `None` if the segment does not have its columns.
    pub(crate) fn dictionary(&self, kind: DictionaryKind) -> Option<&Dictionary<'a>> {
        self.dictionaries[kind as usize].as_ref()
    }

    /// Returns `true` if the segment has all columns of facts.
    #[inline]
    pub(crate) fn has_facts(&self) -> bool {
        NumberColumn::FACTS.iter().all(|&fact| self.numbers[fact as usize].is_some())
    }

    /// Returns the numbers of a game, 0 where the segment does not have the column or it is not wanted; `None` if there is no such game.
    #[inline]
    pub(crate) fn numbers(&self, game: usize) -> Option<[u64; NumberColumn::COUNT]> {
        let mut numbers = [0; NumberColumn::COUNT];
        for (number, column) in numbers.iter_mut().zip(&self.numbers) {
            if let Some(column) = column {
                *number = column.get(game)?;
            }
        }
        Some(numbers)
    }

    /// Returns a number of a game; `None` if there is no such game, or the segment does not have the column or it is not wanted.
    #[inline]
    pub(crate) fn number(&self, column: NumberColumn, game: usize) -> Option<u64> {
        self.numbers[column as usize].as_ref()?.get(game)
    }

    /// Returns the number that a text of a game has in its dictionary; `None` if there is no such game or column.
    #[inline]
    pub(crate) fn text_number(&self, column: TextColumn, game: usize) -> Option<u64> {
        self.texts[column as usize].as_ref()?.get(game)
    }

    /// Returns the row of a game, which has to be one of the segment, with empty texts.
    ///
    /// # Errors
    /// The section of a value that is invalid.
    pub(crate) fn row_without_texts(&self, game: usize) -> std::result::Result<GameRow<'a>, Section> {
        self.row_with([""; TextColumn::COUNT], game)
    }

    /// Returns the row of a game, which has to be one of the segment.
    ///
    /// # Errors
    /// The section of a value that is invalid.
    pub(crate) fn row(&self, game: usize) -> std::result::Result<GameRow<'a>, Section> {
        let mut texts = [""; TextColumn::COUNT];
        for column in TextColumn::ALL {
            let dictionary = &self.dictionaries[column.dictionary() as usize];
            if let (Some(numbers), Some(dictionary)) = (&self.texts[column as usize], dictionary) {
                let text = numbers.get(game).and_then(|number| dictionary.get(number as u32));
                texts[column as usize] = text.ok_or(column.section())?;
            }
        }
        self.row_with(texts, game)
    }

    /// Returns the row of a game with these texts.
    fn row_with(
        &self,
        texts: [&'a str; TextColumn::COUNT],
        game: usize,
    ) -> std::result::Result<GameRow<'a>, Section> {
        let numbers = self.numbers(game).ok_or(Section::Summary)?;
        GameRow::from_columns(&numbers, self.has_facts(), texts, &self.kinds).map_err(NumberColumn::section)
    }
}

impl Segment {
    /// Returns the row of a game; `None` if there is no game of this number. [`RowTable`](crate::query::RowTable) reads the
    /// rows of many games in less time.
    ///
    /// # Errors
    /// Fails if a section is damaged.
    pub fn row(&self, game: usize) -> Result<Option<GameRow<'_>>> {
        if game >= self.len() {
            return Ok(None);
        }
        SegmentRows::new(self)?.row(game).map(Some).map_err(|section| self.malformed(section))
    }
}

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
    /// Returns the tally of each text of the dictionary that has the names of a kind, by its number. Retired games do not count, nor do
    /// those of a player against oneself, to whom `key` gives one text for both sides. O(n) in the number of games.
    ///
    /// # Errors
    /// If a section is damaged, or the work was stopped.
    pub(crate) fn tallies(
        &self,
        kind: NameKind,
        key: &dyn Fn(&str) -> String,
        retired: Option<&GameSet>,
        stop: &Stop,
    ) -> Result<Vec<Tally>> {
        let (columns, numbers) = (columns_of(kind), numbers_of(kind));
        self.read_whole(columns, numbers)?;
        let rows = SegmentRows::with_columns(self, numbers, columns, |_| None)?;
        let dictionary = rows.dictionary(columns[0].dictionary());
        let mut tallies = vec![Tally::default(); dictionary.map_or(0, |dictionary| dictionary.len())];
        // For each text the number of its person; 0 for no name.
        let mut numbers = HashMap::from([(String::new(), 0)]);
        let mut number = |text: u32| {
            let key = dictionary.and_then(|dictionary| dictionary.get(text)).map(key).unwrap_or_default();
            let next = numbers.len();
            *numbers.entry(key).or_insert(next)
        };
        let named = if kind == NameKind::Player { tallies.len() as u32 } else { 0 };
        let persons: Vec<usize> = (0..named).map(&mut number).collect();
        for game in 0..self.len() {
            if game % GAMES_PER_LOOK == 0 {
                stop.check()?;
            }
            if retired.is_some_and(|retired| retired.contains(game as u32)) {
                continue;
            }
            let mut players = columns.iter().map(|&column| {
                let text = usize::try_from(rows.text_number(column, game)?).ok()?;
                persons.get(text).copied().filter(|&person| person > 0)
            });
            if let Some(Some(white)) = players.next()
                && players.next() == Some(Some(white))
            {
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
