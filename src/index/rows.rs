//! Some games on their way into an index: what a worker makes of a batch.

use super::dictionary::Interner;
use super::row::{GameKind, GameRow, date_bits, summary_bits};
use super::sum::xxh3;

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

/// Rows of consecutive games, with their packed moves and what their texts add up to.
///
/// Made to be filled by a worker, handed to [`Builder::push`](super::IndexWriter::push), cleared and used again.
/// Texts are kept once each, so that the one thread that builds the index has little left to do.
#[derive(Debug, Default)]
pub struct RowBatch {
    pub(super) names: [Interner; 5],
    pub(super) kinds: Vec<GameKind>,
    pub(super) games: Vec<Fixed>,
    pub(super) moves: Vec<u8>,
    done: usize,
}

/// The part of a row that has a fixed size. Numbers of texts and kinds are those of the batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixed {
    pub(super) text_sum: u64,
    pub(super) text_len: u32,
    pub(super) moves_len: u32,
    /// White, Black, event, site, round, result.
    pub(super) texts: [u32; 6],
    pub(super) date: u32,
    pub(super) plies: u32,
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) ratings: [u16; 2],
    pub(super) kind: u16,
    pub(super) summary: u8,
}

/// The dictionary of each of the texts of a row.
pub(super) const DICTIONARIES: [DictionaryKind; 6] = [
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
    pub(super) fn push_numbers(&mut self, row: &GameRow<'_>, texts: [u32; 6], date: u32, text: &[u8]) {
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
