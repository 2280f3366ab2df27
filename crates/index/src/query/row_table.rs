//! Reads the rows of many games, with columns and dictionaries opened once.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use crate::{Dictionary, GameRow, Index, NumberColumn, Segment, SegmentRows, TextColumn, date_of};
use pdn::error::Result;
use pdn::internal::pool;
use pdn::value::Date;
use pdn_names::fold;

/// The rows of all games of an index, opened for reading.
///
/// A row takes some tens of nanoseconds. [`Segment::row`] takes longer, because it opens the dictionaries each time.
#[derive(Debug)]
pub struct RowTable<'a> {
    index: &'a Index,
    segments: Vec<SegmentRows<'a>>,
}

impl<'a> RowTable<'a> {
    /// Opens the columns and dictionaries of an index. Takes O(bytes of its dictionaries).
    ///
    /// # Errors
    /// If a section is damaged.
    pub fn new(index: &'a Index) -> Result<Self> {
        let rows = |segment| rows(index, segment, &NumberColumn::ALL, &TextColumn::ALL, 0);
        let segments = (0..index.segments().len()).map(rows).collect::<Result<_>>()?;
        Ok(Self { index, segments })
    }

    /// Opens these columns of texts and all numbers but the piece counts and the facts, on `threads` threads, for a caller that needs nothing
    /// else: the other texts of its rows are empty, and they have neither pieces nor facts. Reads less than [`new`](Self::new), which reads
    /// all columns.
    ///
    /// `games` is about the number of games whose rows will be read, 0 for few. Where the index is read by ranges, these texts are read as a
    /// whole if the games are many; otherwise only what each row needs.
    ///
    /// # Errors
    /// If a section is damaged.
    pub fn with_texts(
        index: &'a Index,
        texts: &[TextColumn],
        games: u64,
        threads: NonZeroUsize,
    ) -> Result<Self> {
        let mut segments = Vec::with_capacity(index.segments().len());
        pool::try_ordered(
            0..index.segments().len(),
            threads,
            || (),
            |(), segment| rows(index, segment, NumberColumn::OF_ROWS, texts, games),
            |rows| {
                segments.push(rows);
                ControlFlow::Continue(())
            },
        )?;
        Ok(Self { index, segments })
    }

    /// Opens the columns and dictionaries, as [`new`](Self::new) does, for a caller that reads few rows of a large index: what is read to
    /// verify them does not stay in memory.
    ///
    /// # Errors
    /// If a section is damaged.
    pub fn for_few_rows(index: &'a Index) -> Result<Self> {
        let open = |segment: &'a Segment| {
            let rows = SegmentRows::new(segment);
            segment.release_pages();
            rows
        };
        let segments = index.segments().iter().map(open).collect::<Result<_>>()?;
        Ok(Self { index, segments })
    }

    /// Lets the system take back the memory of the rows that were read. They are read again when they are needed.
    pub fn release(&self) {
        self.index.segments().iter().for_each(Segment::release_pages);
    }

    /// Returns the order of all games by the folded text of a column. Takes time for each different text, not for each game.
    pub fn text_order(&self, column: TextColumn) -> TextOrder<'_> {
        let mut texts = Vec::new();
        let mut ranks: Vec<Vec<u32>> = Vec::with_capacity(self.segments.len());
        for (segment, rows) in self.segments.iter().enumerate() {
            let dictionary = rows.dictionary(column.dictionary());
            let count = dictionary.map_or(0, Dictionary::len);
            for number in 0..count {
                let text = dictionary.and_then(|dictionary| dictionary.get(number as u32)).unwrap_or("");
                texts.push((fold(text), segment, number));
            }
            ranks.push(vec![0; count]);
        }
        texts.sort_unstable();
        let mut rank = 0;
        for at in 0..texts.len() {
            let (folded, segment, number) = &texts[at];
            let is_new = at.checked_sub(1).is_none_or(|before| texts[before].0 != *folded);
            rank += u32::from(is_new && !folded.is_empty());
            ranks[*segment][*number] = rank;
        }
        TextOrder { table: self, column, ranks }
    }

    /// Returns the number of the segment of a game, and the number of the game in it.
    fn locate(&self, game: u64) -> Option<(usize, usize)> {
        let segments = 0..self.segments.len();
        let first = |segment: usize| self.index.first_game(segment).unwrap_or(u64::MAX);
        let segment = segments.rev().find(|&segment| first(segment) <= game)?;
        Some((segment, usize::try_from(game - first(segment)).ok()?))
    }

    /// Reads what the rows of some games need, where their records are, and their moves if they are wanted, in as few steps as possible. Only an index that is
    /// read by ranges takes less time then.
    ///
    /// # Errors
    /// If it cannot be read, a section is damaged, or the question has to be asked again when more of the index is there.
    pub fn fetch(&self, games: impl Iterator<Item = u64>, with_moves: bool) -> Result<()> {
        self.fetch_parts(games, true, with_moves)
    }

    /// Reads what the rows of some games need as [`fetch`](Self::fetch) does, and nothing of where their records are.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    pub fn fetch_rows(&self, games: impl Iterator<Item = u64>) -> Result<()> {
        self.fetch_parts(games, false, false)
    }

    fn fetch_parts(
        &self,
        games: impl Iterator<Item = u64>,
        with_records: bool,
        with_moves: bool,
    ) -> Result<()> {
        if !self.index.is_ranged() {
            return Ok(());
        }
        let mut of_segments = vec![Vec::new(); self.segments.len()];
        for (segment, local) in games.filter_map(|game| self.locate(game)) {
            of_segments[segment].push(local);
        }
        for ((segment, rows), mut games) in self.index.segments().iter().zip(&self.segments).zip(of_segments)
        {
            if games.is_empty() {
                continue;
            }
            games.sort_unstable();
            rows.fetch(segment, &games)?;
            if with_records {
                segment.fetch_locations(&games)?;
            }
            if with_moves {
                segment.moves()?.fetch(games.into_iter())?;
            }
        }
        Ok(())
    }

    /// Returns the row of a game, by its number in the index, from 0. `None` if there is no such game, or a value of its
    /// row is invalid.
    pub fn row(&self, game: u64) -> Option<GameRow<'a>> {
        let (segment, local) = self.locate(game)?;
        self.segments[segment].row(local).ok()
    }

    /// Returns the date of a game as [`row`](Self::row) does, and reads nothing else of it. `None` if there is no such game, or its date
    /// is invalid.
    pub fn date(&self, game: u64) -> Option<Date> {
        let (segment, local) = self.locate(game)?;
        date_of(self.segments[segment].number(NumberColumn::Date, local)?)
    }

    /// Returns the ratings of White and Black, 0 for none, as [`row`](Self::row) does, and reads nothing else of it. `None` if there is no
    /// such game.
    pub fn ratings(&self, game: u64) -> Option<[u16; 2]> {
        let (segment, local) = self.locate(game)?;
        let rating = |column| self.segments[segment].number(column, local);
        let white = rating(NumberColumn::WhiteRating)?;
        Some([white as u16, rating(NumberColumn::BlackRating)? as u16])
    }
}

/// Opens columns of the rows of a segment for about `games` games: those of its extract if they are there and the games are few.
fn rows<'a>(
    index: &'a Index,
    segment: usize,
    numbers: &[NumberColumn],
    texts: &[TextColumn],
    games: u64,
) -> Result<SegmentRows<'a>> {
    let extract = index.reading(games).extract(segment)?;
    let data = &index.segments()[segment];
    index.reading(games).read_texts(segment, texts)?;
    SegmentRows::with_columns(data, numbers, texts, |section| extract?.column(section))
}

/// The order of games by the folded text of a column; made by [`RowTable::text_order`].
// Twin: the folded texts of the rows; test: games_are_ordered_as_their_folded_texts.
#[derive(Debug)]
pub struct TextOrder<'a> {
    table: &'a RowTable<'a>,
    column: TextColumn,
    /// For each segment and text of its dictionary the place of the folded text among all, from 1; 0 for an empty one.
    ranks: Vec<Vec<u32>>,
}

impl TextOrder<'_> {
    /// Returns a number that is greater for a game whose folded text is greater, and equal for equal ones; `None` if it is empty.
    pub fn rank(&self, game: u64) -> Option<u32> {
        let (segment, local) = self.table.locate(game)?;
        let number = self.table.segments[segment].text_number(self.column, local)?;
        self.ranks[segment].get(usize::try_from(number).ok()?).copied().filter(|&rank| rank != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{TestFolder, archive, index, options};
    use pdn::rules::Variant;

    #[test]
    fn games_are_ordered_as_their_folded_texts() {
        let temp = TestFolder::new();
        let text = archive(9, 90, &[Variant::International])
            + "[White \"Čizov\"]\n1. 32-28 *\n\n[White \"?\"]\n1. 32-28 *\n";
        let path = temp.file("games.pdn", text);
        index(&[path], &temp.path("index"), &options(1, 40));
        let index = Index::open(temp.path("index")).expect("opened");
        assert!(index.segments().len() > 2);
        let table = RowTable::new(&index).expect("sound");
        for column in [TextColumn::White, TextColumn::Event, TextColumn::Annotator] {
            let order = table.text_order(column);
            let folded = |game: u64| fold(table.row(game).expect("there").text(column));
            for one in 0..index.len() {
                assert_eq!(order.rank(one).is_none(), folded(one).is_empty(), "{one}");
                for other in 0..index.len() {
                    if let (Some(rank), Some(rank_of_other)) = (order.rank(one), order.rank(other)) {
                        assert_eq!(
                            rank.cmp(&rank_of_other),
                            folded(one).cmp(&folded(other)),
                            "{one} {other}"
                        );
                    }
                }
            }
        }
        assert_eq!(table.text_order(TextColumn::White).rank(index.len()), None);
    }

    #[test]
    fn dates_and_ratings_are_those_of_the_row() {
        let temp = TestFolder::new();
        let text = archive(9, 90, &[Variant::International])
            + "[Date \"1990.02.??\"]\n[WhiteRating \"1900\"]\n1. 32-28 *\n\n[BlackRating \"2100\"]\n1. 32-28 *\n";
        let path = temp.file("games.pdn", text);
        index(&[path], &temp.path("index"), &options(1, 40));
        let index = Index::open(temp.path("index")).expect("opened");
        let table = RowTable::new(&index).expect("sound");
        for game in 0..index.len() {
            let row = table.row(game).expect("there");
            assert_eq!(
                (table.date(game), table.ratings(game)),
                (Some(row.date), Some(row.ratings)),
                "{game}"
            );
        }
        let rated: Vec<_> = (0..index.len()).filter_map(|game| table.ratings(game)).collect();
        assert!(rated.contains(&[1900, 0]) && rated.contains(&[0, 2100]));
        assert_eq!((table.date(index.len()), table.ratings(index.len())), (None, None));
    }
}
