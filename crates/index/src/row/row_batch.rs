//! Batches of rows with their variations and notes, made by a worker and appended to a segment by the writer.

use std::ops::Range;

use super::game_facts::PlayGame;
use super::game_row::{GameKind, GameRow};
use crate::format::columns::{DictionaryKind, NumberColumn, TextColumn};
use crate::format::interner::Interner;
use crate::format::section::xxh3;
use crate::pack::Codecs;
use pdn::position::Position;
use pdn::view::RecordView;

/// Number of games whose numbers are stored together, column by column.
const TILE: usize = 32;

/// Rows of consecutive games of one input, with their packed moves and the checksums of their records.
///
/// A worker fills a batch, [`IndexWriter::push`](super::super::IndexWriter::push) takes its contents, and the batch
/// is cleared and used again. Numbers are stored by column and every distinct text once, so that little work is left for the
/// single thread that writes the index.
///
/// No promise: part of the format, public for tools and tests.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct RowBatch {
    pub(crate) interners: [Interner; DictionaryKind::COUNT],
    pub(crate) kinds: Vec<GameKind>,
    pub(crate) tiles: Vec<RowNumbers<[u32; TILE]>>,
    len: usize,
    /// Checksums of the records; none if the games come from a segment.
    pub(crate) checksums: Vec<u64>,
    pub(crate) moves: Vec<u8>,
    /// The variations and notes of the games.
    pub(crate) annotations: AnnotationBuffer,
    /// Bytes of `moves` that belong to games.
    assigned: usize,
}

/// All numbers that are stored of a game, or columns of them. Those of texts and kinds are numbers of the batch, or of the
/// segment once translated.
#[derive(Debug, Default)]
pub(crate) struct RowNumbers<T> {
    /// Length of the record in bytes.
    pub(crate) text_len: T,
    /// Length of the packed moves in bytes.
    pub(crate) moves_len: T,
    /// What the lines have, as [`AnnotationBits`](crate::format::annotations::AnnotationBits).
    pub(crate) annotations: T,
    /// Length of the variations in bytes.
    pub(crate) variations_len: T,
    /// Length of the notes in bytes.
    pub(crate) notes_len: T,
    /// Texts, in the order of [`TextColumn::ALL`].
    pub(crate) texts: [T; TextColumn::COUNT],
    /// All other numbers, in the order of [`NumberColumn::ALL`].
    pub(crate) numbers: [T; NumberColumn::COUNT],
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
        self.push_numbers(record.len(), texts, row.numbers(kind as u32));
        self.checksums.push(xxh3(record));
    }

    /// Adds a game whose record has `text_len` bytes. Its moves, variations and notes are those appended since the game before.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn push_numbers(
        &mut self,
        text_len: usize,
        texts: [u32; TextColumn::COUNT],
        numbers: [u32; NumberColumn::COUNT],
    ) {
        let at = self.len % TILE;
        if at == 0 {
            self.tiles.push(RowNumbers::default());
        }
        self.len += 1;
        let Some(tile) = self.tiles.last_mut() else { return };
        tile.text_len[at] = u32::try_from(text_len).unwrap_or(u32::MAX);
        tile.moves_len[at] = (self.moves.len() - self.assigned) as u32;
        self.assigned = self.moves.len();
        let annotations = &mut self.annotations;
        tile.annotations[at] = std::mem::take(&mut annotations.bits).into();
        let ends = [annotations.variations.len(), annotations.notes.len()];
        let [variations, notes] = std::mem::replace(&mut annotations.assigned, ends);
        tile.variations_len[at] = (ends[0] - variations) as u32;
        tile.notes_len[at] = (ends[1] - notes) as u32;
        tile.texts.iter_mut().zip(texts).for_each(|(column, number)| column[at] = number);
        tile.numbers.iter_mut().zip(numbers).for_each(|(column, number)| column[at] = number);
    }

    /// Stores a column of some games in `values`, in place of what is there.
    #[inline]
    pub(crate) fn column(
        &self,
        games: Range<usize>,
        column: impl Fn(&RowNumbers<[u32; TILE]>) -> &[u32; TILE],
        values: &mut Vec<u32>,
    ) {
        values.clear();
        let mut first = games.start;
        while first < games.end {
            let next = (first / TILE * TILE + TILE).min(games.end);
            let from = first % TILE;
            values.extend(&column(&self.tiles[first / TILE])[from..from + next - first]);
            first = next;
        }
    }

    /// Returns a number of a game.
    pub(crate) fn number(
        &self,
        game: usize,
        column: impl Fn(&RowNumbers<[u32; TILE]>) -> &[u32; TILE],
    ) -> u32 {
        column(&self.tiles[game / TILE])[game % TILE]
    }

    /// Returns the approximate memory of the texts, variations and notes in bytes.
    pub(crate) fn name_memory(&self) -> usize {
        let AnnotationBuffer { variations, notes, .. } = &self.annotations;
        self.interners.iter().map(Interner::memory).sum::<usize>() + variations.len() + notes.len()
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the batch is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Removes all games and keeps the memory.
    pub fn clear(&mut self) {
        self.interners.iter_mut().for_each(Interner::clear);
        self.kinds.clear();
        self.tiles.clear();
        self.len = 0;
        self.checksums.clear();
        self.moves.clear();
        self.annotations.clear();
        self.assigned = 0;
    }
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
