//! Some games on their way into an index: what a worker makes of a batch.

use super::game_row::{GameKind, GameRow, date_bits};
use super::summary_bits::summary_bits;
use crate::index::format::checksum::xxh3;
use crate::index::format::interner::Interner;
use crate::index::format::section::Section;

/// A tag, or a pair of tags, that has a dictionary.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(usize)]
pub enum DictionaryKind {
    /// White and Black.
    Players = 0,
    /// Event.
    Events = 1,
    /// Site.
    Sites = 2,
    /// Round.
    Rounds = 3,
    /// Results as written.
    Results = 4,
}

impl DictionaryKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Players, Self::Events, Self::Sites, Self::Rounds, Self::Results];
}

impl DictionaryKind {
    /// Texts, their ends, their folded forms.
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

/// Rows of consecutive games, with their packed moves and what their texts add up to.
///
/// Made to be filled by a worker, handed to [`Builder::push`](super::IndexWriter::push), cleared and used again.
/// Texts are kept once each, so that the one thread that builds the index has little left to do.
#[derive(Debug, Default)]
pub struct RowBatch {
    pub(crate) names: [Interner; 5],
    pub(crate) kinds: Vec<GameKind>,
    pub(crate) games: Vec<Fixed>,
    pub(crate) moves: Vec<u8>,
    done: usize,
}

/// The part of a row that has a fixed size. Numbers of texts and kinds are those of the batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixed {
    pub(crate) text_sum: u64,
    pub(crate) text_len: u32,
    pub(crate) moves_len: u32,
    /// White, Black, event, site, round, result.
    pub(crate) texts: [u32; 6],
    pub(crate) date: u32,
    pub(crate) plies: u32,
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) ratings: [u16; 2],
    pub(crate) kind: u16,
    pub(crate) summary: u8,
}

/// The dictionary of each of the texts of a row.
pub(crate) const DICTIONARIES: [DictionaryKind; 6] = [
    DictionaryKind::Players,
    DictionaryKind::Players,
    DictionaryKind::Events,
    DictionaryKind::Sites,
    DictionaryKind::Rounds,
    DictionaryKind::Results,
];

impl RowBatch {
    /// No games.
    pub fn new() -> Self {
        Self::default()
    }

    /// Where the moves of the next game go, behind those of the games before; see [`packed`](crate::pack).
    /// Bytes may be appended; what was there must stay.
    pub fn moves(&mut self) -> &mut Vec<u8> {
        &mut self.moves
    }

    /// Takes back the moves that belong to no game yet.
    pub fn discard_moves(&mut self) {
        self.moves.truncate(self.done);
    }

    /// Adds a game whose moves have been appended to [`moves`](Self::moves) and whose record is `text`.
    pub fn push(&mut self, row: &GameRow<'_>, text: &[u8]) {
        let texts = [row.white, row.black, row.event, row.site, row.round, row.result];
        let mut numbers = [0; 6];
        for ((number, text), names) in numbers.iter_mut().zip(texts).zip(DICTIONARIES) {
            *number = self.names[names as usize].number(text);
        }
        self.push_numbers(row, numbers, date_bits(row.date), text);
    }

    /// As [`push`](Self::push), where the texts and the date of the row do not count: their numbers are given.
    #[inline]
    pub(crate) fn push_numbers(&mut self, row: &GameRow<'_>, texts: [u32; 6], date: u32, text: &[u8]) {
        let kind = self.kinds.iter().rposition(|kind| *kind == row.kind).unwrap_or_else(|| {
            self.kinds.push(row.kind);
            self.kinds.len() - 1
        });
        self.games.push(Fixed {
            text_sum: xxh3(text),
            text_len: u32::try_from(text.len()).unwrap_or(u32::MAX),
            moves_len: (self.moves.len() - self.done) as u32,
            texts,
            date,
            plies: row.plies,
            first: row.first.bits(),
            last: row.last.bits(),
            ratings: row.ratings,
            kind: kind as u16,
            summary: summary_bits(row),
        });
        self.done = self.moves.len();
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Forgets all games and keeps the memory.
    pub fn clear(&mut self) {
        self.names.iter_mut().for_each(Interner::clear);
        self.kinds.clear();
        self.games.clear();
        self.moves.clear();
        self.done = 0;
    }
}
