//! Reads the rows of many games, with columns and dictionaries opened once.

use crate::error::Result;
use crate::index::{
    Column, Dictionary, DictionaryKind, GameKind, GameRow, Index, PackedPieceCounts, Section, Segment,
    SummaryBits, date_of, outcome_of, status_of,
};
use crate::value::{Date, Outcome};

/// The rows of all games of an index, opened for reading.
///
/// A row takes some tens of nanoseconds. [`Segment::row`] takes longer, because it opens the dictionaries each time.
#[derive(Debug)]
pub struct RowTable<'a> {
    index: &'a Index,
    segments: Vec<SegmentRows<'a>>,
}

/// The rows of a segment.
#[derive(Debug)]
struct SegmentRows<'a> {
    columns: [Column<'a>; 14],
    kinds: Vec<GameKind>,
    players: Dictionary<'a>,
    events: Dictionary<'a>,
    sites: Dictionary<'a>,
    rounds: Dictionary<'a>,
    results: Dictionary<'a>,
}

/// The columns of a row, in the order in which [`SegmentRows::row`] names their values.
const COLUMNS: [Section; 14] = [
    Section::White,
    Section::Black,
    Section::Event,
    Section::Site,
    Section::Round,
    Section::Result,
    Section::Date,
    Section::WhiteRating,
    Section::BlackRating,
    Section::Summary,
    Section::Kind,
    Section::Plies,
    Section::First,
    Section::Last,
];

impl<'a> RowTable<'a> {
    /// Opens the columns and dictionaries of an index. Takes O(bytes of its dictionaries).
    ///
    /// # Errors
    /// If a section is damaged.
    pub fn new(index: &'a Index) -> Result<Self> {
        let segments = index.segments().iter().map(SegmentRows::new).collect::<Result<_>>()?;
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

    /// Returns the row of a game, by its number in the index, from 0. `None` if there is no such game, or a value of its
    /// row is invalid.
    pub fn row(&self, game: u64) -> Option<GameRow<'a>> {
        let segments = 0..self.segments.len();
        let first = |segment: usize| self.index.first_game(segment).unwrap_or(u64::MAX);
        let segment = segments.rev().find(|&segment| first(segment) <= game)?;
        self.segments[segment].row(usize::try_from(game - first(segment)).ok()?)
    }
}

impl<'a> SegmentRows<'a> {
    fn new(segment: &'a Segment) -> Result<Self> {
        let mut columns = Vec::with_capacity(COLUMNS.len());
        for section in COLUMNS {
            columns.push(segment.column(section)?);
        }
        Ok(Self {
            columns: std::array::from_fn(|i| columns[i]),
            kinds: segment.kinds()?,
            players: segment.dictionary(DictionaryKind::Players)?,
            events: segment.dictionary(DictionaryKind::Events)?,
            sites: segment.dictionary(DictionaryKind::Sites)?,
            rounds: segment.dictionary(DictionaryKind::Rounds)?,
            results: segment.dictionary(DictionaryKind::Results)?,
        })
    }

    fn row(&self, game: usize) -> Option<GameRow<'a>> {
        let mut values = [0u64; 14];
        for (value, column) in values.iter_mut().zip(&self.columns) {
            *value = column.get(game)?;
        }
        let [
            white,
            black,
            event,
            site,
            round,
            result,
            date,
            white_rating,
            black_rating,
            summary,
            kind,
            plies,
            first,
            last,
        ] = values;
        Some(GameRow {
            white: self.players.get(white as u32)?,
            black: self.players.get(black as u32)?,
            event: self.events.get(event as u32)?,
            site: self.sites.get(site as u32)?,
            round: self.rounds.get(round as u32)?,
            result: self.results.get(result as u32)?,
            date: date_of(date).unwrap_or(Date::UNKNOWN),
            ratings: [white_rating as u16, black_rating as u16],
            status: status_of(summary)?,
            outcome: outcome_of(summary).unwrap_or(Outcome::Unknown),
            from_fen: SummaryBits::from_column(summary).starts_from_fen(),
            has_setups: SummaryBits::from_column(summary).has_setups(),
            kind: *self.kinds.get(kind as usize)?,
            plies: plies as u32,
            first: PackedPieceCounts::from_bits(first as u32),
            last: PackedPieceCounts::from_bits(last as u32),
        })
    }
}
