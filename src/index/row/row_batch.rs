//! Batches of rows, made by a worker and appended to a segment by the writer.

use super::game_row::{GameKind, GameRow, date_bits};
use super::summary_bits::SummaryBits;
use crate::index::format::checksum::xxh3;
use crate::index::format::interner::Interner;
use crate::index::format::section::Section;
use crate::view::GameView;

/// A dictionary: the distinct values of a tag, or of both player tags.
///
/// No promise: part of the format, public for tools and tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(usize)]
#[doc(hidden)]
pub enum DictionaryKind {
    /// Values of White and Black.
    Players = 0,
    /// Values of Event.
    Events = 1,
    /// Values of Site.
    Sites = 2,
    /// Values of Round.
    Rounds = 3,
    /// Results as written.
    Results = 4,
}

impl DictionaryKind {
    /// All dictionaries, in the order of their sections.
    pub const ALL: [Self; 5] = [Self::Players, Self::Events, Self::Sites, Self::Rounds, Self::Results];
}

impl DictionaryKind {
    /// Returns the sections of the texts, their end offsets and the map of folded texts.
    pub(crate) const fn sections(self) -> [Section; 3] {
        match self {
            Self::Players => [Section::Players, Section::PlayerEnds, Section::PlayerForms],
            Self::Events => [Section::Events, Section::EventEnds, Section::EventForms],
            Self::Sites => [Section::Sites, Section::SiteEnds, Section::SiteForms],
            Self::Rounds => [Section::Rounds, Section::RoundEnds, Section::RoundForms],
            Self::Results => [Section::Results, Section::ResultEnds, Section::ResultForms],
        }
    }
}

/// Rows of consecutive games of one input, with their packed moves and the checksums of their records.
///
/// A worker fills a batch, [`IndexWriter::push`](super::super::IndexWriter::push) takes its contents, and the batch
/// is cleared and used again. Every distinct text is stored once, so that little work is left for the single thread
/// that writes the index.
///
/// No promise: part of the format, public for tools and tests.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct RowBatch {
    pub(crate) interners: [Interner; 5],
    pub(crate) kinds: Vec<GameKind>,
    pub(crate) games: Vec<FixedRow>,
    pub(crate) moves: Vec<u8>,
    /// Bytes of `moves` that belong to games.
    assigned: usize,
}

/// A row in numbers. Text and kind numbers are those of the batch, or of the segment once translated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedRow {
    /// Checksum of the record.
    pub(crate) text_checksum: u64,
    /// Length of the record in bytes.
    pub(crate) text_len: u32,
    /// Length of the packed moves in bytes.
    pub(crate) moves_len: u32,
    /// Numbers of White, Black, event, site, round, result.
    pub(crate) texts: [u32; 6],
    pub(crate) date: u32,
    pub(crate) plies: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) ratings: [u16; 2],
    pub(crate) kind: u16,
    pub(crate) summary: u8,
}

/// The dictionary of each text number of a row.
pub(crate) const TEXT_DICTIONARIES: [DictionaryKind; 6] = [
    DictionaryKind::Players,
    DictionaryKind::Players,
    DictionaryKind::Events,
    DictionaryKind::Sites,
    DictionaryKind::Rounds,
    DictionaryKind::Results,
];

impl RowBatch {
    /// Creates an empty batch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the buffer of packed moves; see [`pack`](crate::pack). The moves of the next game are appended to
    /// those of the games before, which must stay unchanged.
    pub fn moves(&mut self) -> &mut Vec<u8> {
        &mut self.moves
    }

    /// Discards moves that were appended since the last game was added.
    pub fn discard_moves(&mut self) {
        self.moves.truncate(self.assigned);
    }

    /// Adds a game. Its packed moves are those appended to [`moves`](Self::moves) since the game before; `record` are
    /// its bytes in the input.
    pub fn push<'r>(&mut self, row: &GameRow<'_>, record: impl Into<GameView<'r>>) {
        let texts = [row.white, row.black, row.event, row.site, row.round, row.result];
        let mut numbers = [0; 6];
        for ((number, text), names) in numbers.iter_mut().zip(texts).zip(TEXT_DICTIONARIES) {
            *number = self.interners[names as usize].intern(text);
        }
        self.push_interned(row, numbers, date_bits(row.date), record.into().raw());
    }

    /// Adds a game as [`push`](Self::push) does, with the numbers of its texts and the encoded date instead of those
    /// in `row`.
    #[inline]
    pub(crate) fn push_interned(&mut self, row: &GameRow<'_>, texts: [u32; 6], date: u32, text: &[u8]) {
        let kind = self.kinds.iter().rposition(|kind| *kind == row.kind).unwrap_or_else(|| {
            self.kinds.push(row.kind);
            self.kinds.len() - 1
        });
        self.games.push(FixedRow {
            text_checksum: xxh3(text),
            text_len: u32::try_from(text.len()).unwrap_or(u32::MAX),
            moves_len: (self.moves.len() - self.assigned) as u32,
            texts,
            date,
            plies: row.plies,
            first: row.first.bits(),
            last: row.last.bits(),
            ratings: row.ratings,
            kind: kind as u16,
            summary: SummaryBits::of(row).bits(),
        });
        self.assigned = self.moves.len();
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns `true` if the batch is empty.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Removes all games and keeps the memory.
    pub fn clear(&mut self) {
        self.interners.iter_mut().for_each(Interner::clear);
        self.kinds.clear();
        self.games.clear();
        self.moves.clear();
        self.assigned = 0;
    }
}
