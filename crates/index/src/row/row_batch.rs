//! Batches of rows with their variations and notes, made by a worker and appended to a segment by the writer.

use super::game_facts::PlayGame;
use super::game_row::{GameKind, GameRow};
use crate::format::annotations::AnnotationBits;
use crate::format::columns::{DictionaryKind, NumberColumn, TextColumn};
use crate::format::interner::Interner;
use crate::format::section::xxh3;
use crate::pack::Codecs;
use pdn::position::Position;
use pdn::view::RecordView;

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
    pub(crate) interners: [Interner; DictionaryKind::COUNT],
    pub(crate) kinds: Vec<GameKind>,
    pub(crate) games: Vec<FixedRow>,
    pub(crate) moves: Vec<u8>,
    /// The variations and notes of the games.
    pub(crate) annotations: AnnotationBuffer,
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
    /// The variations and notes.
    pub(crate) annotations: GameAnnotations,
    /// Numbers of the texts, in the order of [`TextColumn::ALL`].
    pub(crate) texts: [u32; TextColumn::COUNT],
    /// All other numbers, in the order of [`NumberColumn::ALL`].
    pub(crate) numbers: [u32; NumberColumn::COUNT],
}

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
        self.annotations.discard();
    }

    /// Adds a game. Its packed moves are those appended to [`moves`](Self::moves) since the game before; `record` are
    /// its bytes in the input. Facts that the row does not give are counted from the moves, where these can be unpacked.
    pub fn push<'r>(&mut self, row: &GameRow<'_>, record: impl Into<RecordView<'r>>) {
        let texts = TextColumn::ALL
            .map(|column| self.interners[column.dictionary() as usize].intern(row.text(column)));
        let mut row = *row;
        if row.facts.is_none() {
            let start = Position::start(row.kind.game());
            let bytes = &self.moves[self.assigned..];
            let play = PlayGame { codecs: &mut Codecs::default(), start: start.state(), bytes };
            row.facts = start.board().with(play).ok().map(|played| played.facts);
        }
        self.push_interned(&row, texts, record.into().raw());
    }

    /// Adds a game as [`push`](Self::push) does, with the numbers of its texts instead of those in `row`.
    #[inline]
    pub(crate) fn push_interned(
        &mut self,
        row: &GameRow<'_>,
        texts: [u32; TextColumn::COUNT],
        record: &[u8],
    ) {
        let kind = self.kinds.iter().rposition(|kind| *kind == row.kind).unwrap_or_else(|| {
            self.kinds.push(row.kind);
            self.kinds.len() - 1
        });
        self.games.push(FixedRow {
            text_checksum: xxh3(record),
            text_len: u32::try_from(record.len()).unwrap_or(u32::MAX),
            moves_len: (self.moves.len() - self.assigned) as u32,
            annotations: self.annotations.end_game(),
            texts,
            numbers: row.numbers(kind as u32),
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
        self.annotations.clear();
        self.assigned = 0;
    }
}

/// What a game has, and the lengths of its variations and notes in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct GameAnnotations {
    pub(crate) bits: AnnotationBits,
    pub(crate) variations_len: u32,
    pub(crate) notes_len: u32,
}

/// The variations and notes of consecutive games, one after the other.
#[derive(Debug, Default)]
pub(crate) struct AnnotationBuffer {
    pub(crate) variations: Vec<u8>,
    pub(crate) notes: Vec<u8>,
    /// What the current game has.
    pub(crate) bits: u8,
    /// Bytes of variations and of notes that belong to games that have ended.
    assigned: [usize; 2],
}

impl AnnotationBuffer {
    /// Ends the current game: what was appended since the game before is its own.
    #[inline]
    pub(crate) fn end_game(&mut self) -> GameAnnotations {
        let ends = [self.variations.len(), self.notes.len()];
        let before = std::mem::replace(&mut self.assigned, ends);
        GameAnnotations {
            bits: AnnotationBits(std::mem::take(&mut self.bits)),
            variations_len: (ends[0] - before[0]) as u32,
            notes_len: (ends[1] - before[1]) as u32,
        }
    }

    /// Removes what the current game has so far.
    pub(crate) fn discard(&mut self) {
        self.bits = 0;
        self.variations.truncate(self.assigned[0]);
        self.notes.truncate(self.assigned[1]);
    }

    /// Removes everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.variations.clear();
        self.notes.clear();
        (self.bits, self.assigned) = (0, [0; 2]);
    }
}
