//! Writes a book, and reads it in place.
//!
//! ```text
//! header     "PDNBOOK\0" | u32 version | zeros up to 64
//! blocks     entries in ascending order of their keys, about 16 KiB each
//! directory  for each block: u64 key of its first entry | u64 its end in the file | u64 xxh3 of it
//! footer     u64 offset of the directory | u64 xxh3 of it | u64 entries | u64 bytes of the segment
//!            u64 checksum in the footer of the segment | u64 basis: which games count, and which kinds have the same rules
//!            u32 games | u32 games asked for | u32 of these in this segment | u32 least games of an entry
//!            u64 xxh3 of the 64 bytes before | u32 version | u32 0 | "PDNBOOK."
//! ```
//!
//! An entry is a position with its opening tree:
//!
//! ```text
//! entry    u64 key of the position | u32 length of the rest | varints: kind, bitboards, tally, games that end here,
//!          number of moves, for each: move, tally, number of arrivals, for each: move, games, first game, before
//! move     u8 flags: 1 a move (else a null move or none), 2 it promotes, 4 it captures | u8 from | u8 to | captured squares
//! ```

use std::io;
use std::ops::Range;

use super::parts::{Arrival, GameTally, TreeParts};
use crate::format::section::xxh3;
use crate::format::wire::{Reader, Writer};
use crate::row::game_row::GameKind;
use crate::segment::derived_file::{
    DerivedFile, DerivedFooter, DerivedFormat, DerivedMessages, DirectoryPlace,
};
use pdn::board::{Board, Square};
use pdn::error::Result;
use pdn::internal::storage::Output;
use pdn::position::Move;
use pdn::value::Colour;
use pdn_rules::internal::position::{State, split_mix};

/// Number of example games that a book keeps of each position and move.
pub(crate) const BOOK_EXAMPLES: usize = 16;

/// The format of books.
pub(crate) const FORMAT: DerivedFormat = DerivedFormat {
    version: 2,
    magic: *b"PDNBOOK\0",
    end_magic: *b"PDNBOOK.",
    extension: "book",
    footer_len: 88,
    tail: 16 << 10,
    name: "book",
    messages: DerivedMessages {
        other_kind: "the file does not start like a book",
        other_segment: "it is the book of another segment",
        damaged_piece: "the checksum of a block does not match",
    },
};

/// Returns, for each kind, the number of the first kind with the same rules.
pub(crate) fn kinds_by_rules(kinds: &[GameKind]) -> Vec<u32> {
    let first =
        |kind: &GameKind| kinds.iter().position(|other| other.variant.rules() == kind.variant.rules());
    kinds.iter().map(|kind| first(kind).unwrap_or(0) as u32).collect()
}

/// Returns a number for what a book depends on besides its segment: the retired games, and which kinds have the same rules
/// in this version of the program.
pub(crate) fn basis(kinds: &[GameKind], retired: &[Range<u32>]) -> u64 {
    let kinds = kinds_by_rules(kinds).into_iter().map(u64::from);
    let retired = retired.iter().map(|games| u64::from(games.start) << 32 | u64::from(games.end));
    retired.fold(kinds.fold(0, split_mix), split_mix)
}

/// The footer of a book, with the identity of its segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct BookFooter {
    pub(crate) place: DirectoryPlace,
    /// See [`basis`].
    pub(crate) basis: u64,
    /// Number of games of the segment.
    pub(crate) games: u32,
    /// The least number of games of the whole index with which a position was to be in the book.
    pub(crate) asked_games: u32,
    /// The share of the segment in them.
    pub(crate) asked_here: u32,
    /// The least number of games of the segment with which a position has an entry; more than was asked for if there were
    /// too many such positions.
    pub(crate) least_games: u32,
}

impl BookFooter {
    /// Encodes the footer.
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let mut out = FORMAT.begin_footer(&self.place);
        out.u64(self.basis);
        for number in [self.games, self.asked_games, self.asked_here, self.least_games] {
            out.u32(number);
        }
        FORMAT.end_footer(out)
    }
}

impl DerivedFooter for BookFooter {
    const FORMAT: DerivedFormat = FORMAT;

    fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader(bytes);
        let footer = Self {
            place: DirectoryPlace::read(&mut reader)?,
            basis: reader.u64()?,
            games: reader.u32()?,
            asked_games: reader.u32()?,
            asked_here: reader.u32()?,
            least_games: reader.u32()?,
        };
        (footer.to_bytes() == bytes).then_some(footer)
    }

    fn place(&self) -> &DirectoryPlace {
        &self.place
    }

    fn games(&self) -> u32 {
        self.games
    }

    fn allows_pieces(&self, _: u64) -> bool {
        true
    }
}

/// The book of a segment.
pub(crate) type BookTable = DerivedFile<BookFooter>;

impl BookTable {
    /// Returns the tree of a position; `None` if it has no entry, because fewer games have it. Takes some microseconds.
    ///
    /// # Errors
    /// Fails if the book is damaged.
    pub(crate) fn find(
        &self,
        key: u64,
        position: (u32, &State<u128>),
        context: &EntryContext,
    ) -> Result<Option<TreeParts>> {
        let directory = self.directory()?;
        let from = directory.partition_point(|first| first < key);
        let invalid = || self.damaged("an entry is invalid");
        for block in from.saturating_sub(1)..directory.len() {
            if directory.first_key(block) > key {
                break;
            }
            let mut entries = Reader(self.piece(directory, block)?);
            while !entries.0.is_empty() {
                let (Some(other), Some(rest)) = (entries.u64(), entries.bytes()) else {
                    return Err(invalid());
                };
                if other > key {
                    return Ok(None);
                }
                if other == key
                    && let Some(parts) = BookEntry::read(rest, position, context).ok_or_else(invalid)?
                {
                    return Ok(Some(parts));
                }
            }
        }
        Ok(None)
    }

    /// Verifies the checksums of the directory and of all blocks.
    ///
    /// # Errors
    /// Fails if one does not match.
    pub(crate) fn check_blocks(&self) -> Result<()> {
        let directory = self.directory()?;
        (0..directory.len()).try_for_each(|block| self.piece(directory, block).map(drop))?;
        let is_whole = directory.end_of_pieces() == self.footer.place.directory;
        if is_whole { Ok(()) } else { Err(self.damaged("its contents are invalid")) }
    }
}

/// A position of a book with its opening tree.
#[derive(Debug)]
pub(crate) struct BookEntry {
    /// The key of the position.
    pub(crate) key: u64,
    /// The number of the first kind of games of the segment that has the rules of the position.
    pub(crate) kind: u32,
    /// The position, without king counters.
    pub(crate) state: State<u128>,
    /// Its tree. Games are numbered as in the index.
    pub(crate) parts: TreeParts,
}

/// What an entry is read with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryContext {
    /// The board of the position.
    pub(crate) board: Board,
    /// The number of games of the segment.
    pub(crate) games: u32,
    /// The number of its first game in the index.
    pub(crate) first_game: u64,
}

/// Returns `true` if two states are the same position, king counters left out.
pub(crate) fn is_same_position(one: &State<u128>, other: &State<u128>) -> bool {
    (one.pieces, one.kings, one.turn) == (other.pieces, other.kings, other.turn)
}

impl BookEntry {
    /// Returns the order of entries with the same key.
    pub(crate) fn order(&self) -> (u64, u32, u8, [u128; 2], u128) {
        (self.key, self.kind, self.state.turn as u8, self.state.pieces, self.state.kings)
    }

    /// Appends the entry. Its moves are sorted first, so that the bytes do not depend on the order of the games.
    pub(crate) fn write(&mut self, first_game: u64, out: &mut Writer) {
        let parts = &mut self.parts;
        parts.moves.sort_by_key(|(mv, _)| *mv);
        parts.arrivals.sort_by_key(|(mv, _)| *mv);
        out.u64(self.key);
        let length_at = out.0.len();
        out.u32(0);
        out.varint(self.kind.into());
        write_state(&self.state, out);
        parts.all.write(first_game, out);
        out.varint(parts.ended.into());
        out.varint(parts.moves.len() as u128);
        for (mv, tally) in &parts.moves {
            write_move(mv.as_ref(), out);
            tally.write(first_game, out);
        }
        out.varint(parts.arrivals.len() as u128);
        for (mv, arrival) in &parts.arrivals {
            write_move(mv.as_ref(), out);
            out.varint(arrival.games.into());
            out.varint((arrival.first_game - first_game).into());
            out.u8(arrival.before.is_some().into());
            if let Some(before) = &arrival.before {
                write_state(before, out);
            }
        }
        let length = (out.0.len() - length_at - 4) as u32;
        out.0[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
    }

    /// Reads what follows the length of an entry, if it is the entry of `state` among games of `kind`: the outer `None` if
    /// the bytes are malformed, the inner one if it is another entry with the same key.
    pub(crate) fn read(
        bytes: &[u8],
        (kind, state): (u32, &State<u128>),
        context: &EntryContext,
    ) -> Option<Option<TreeParts>> {
        let reader = &mut Reader(bytes);
        let other = (reader.varint()?, read_state(reader, context.board));
        if other.0 != kind.into() {
            return Some(None);
        }
        if !is_same_position(&other.1?, state) {
            return Some(None);
        }
        let mut parts = TreeParts::default();
        parts.all = GameTally::read(reader, context.games, context.first_game)?;
        parts.ended = game_count(reader, context)?;
        for _ in 0..reader.varint()? {
            let mv = read_move(reader, context.board)?;
            parts.moves.push((mv, GameTally::read(reader, context.games, context.first_game)?));
        }
        for _ in 0..reader.varint()? {
            let mv = read_move(reader, context.board)?;
            let games = game_count(reader, context)?;
            let first_game = game_count(reader, context)? + context.first_game;
            let before = if reader.u8()? == 0 { None } else { Some(read_state(reader, context.board)?) };
            parts.arrivals.push((mv, Arrival { before, first_game, games }));
        }
        reader.0.is_empty().then_some(Some(parts))
    }
}

/// Reads a number of games; `None` if it is greater than that of the segment.
fn game_count(reader: &mut Reader<'_>, context: &EntryContext) -> Option<u64> {
    reader.varint().and_then(|count| u64::try_from(count).ok()).filter(|count| *count <= context.games.into())
}

/// Appends a position without king counters.
fn write_state(state: &State<u128>, out: &mut Writer) {
    out.u8(state.turn as u8);
    for squares in [state.pieces[0], state.pieces[1], state.kings] {
        out.varint(squares);
    }
}

/// Reads a position; `None` if it is no position on this board.
fn read_state(reader: &mut Reader<'_>, board: Board) -> Option<State<u128>> {
    let mut state = State::empty(*Colour::ALL.get(usize::from(reader.u8()?))?);
    state.pieces = [reader.varint()?, reader.varint()?];
    state.kings = reader.varint()?;
    let [white, black] = state.pieces;
    let is_valid =
        white & black == 0 && state.kings & !(white | black) == 0 && (white | black) & !board.valid() == 0;
    is_valid.then_some(state)
}

/// Appends a move; `None` for a null move, or where there is none.
fn write_move(mv: Option<&Move>, out: &mut Writer) {
    let Some(mv) = mv else { return out.u8(0) };
    out.u8(1 | u8::from(mv.promotes) << 1 | u8::from(mv.captured != 0) << 2);
    out.u8(mv.from.bit());
    out.u8(mv.to.bit());
    if mv.captured != 0 {
        out.varint(mv.captured);
    }
}

/// Reads a move; the outer `None` if it is no move on this board.
fn read_move(reader: &mut Reader<'_>, board: Board) -> Option<Option<Move>> {
    let flags = reader.u8()?;
    if flags & 1 == 0 {
        return (flags == 0).then_some(None);
    }
    let valid = board.valid();
    let mut square =
        || reader.u8().filter(|&bit| u32::from(bit) < u128::BITS && valid >> bit & 1 != 0).map(Square);
    let (from, to) = (square()?, square()?);
    let captured = if flags & 4 == 0 { 0 } else { reader.varint()? };
    (flags < 8 && captured & !valid == 0).then_some(Some(Move::new(from, to, captured, flags & 2 != 0)))
}

/// Number of bytes after which a block ends.
const BLOCK_BYTES: usize = 16 << 10;

/// Writes a book and syncs the file. Returns its length in bytes. `first_game` is the number of the first game of the
/// segment in the index, and `footer` has everything that the entries do not tell.
///
/// # Errors
/// Fails if the disk does not accept it.
pub(crate) fn write(
    mut entries: Vec<BookEntry>,
    first_game: u64,
    footer: BookFooter,
    out: &mut dyn Output,
) -> io::Result<u64> {
    entries.sort_unstable_by_key(BookEntry::order);
    let mut file = Writer(FORMAT.header().to_vec());
    let mut directory = Writer::default();
    let (mut start, mut first_key) = (file.0.len(), None);
    let count = entries.len();
    for (number, entry) in entries.iter_mut().enumerate() {
        first_key.get_or_insert(entry.key);
        entry.write(first_game, &mut file);
        if file.0.len() - start >= BLOCK_BYTES || number + 1 == count {
            directory.u64(first_key.take().unwrap_or(0));
            directory.u64(file.0.len() as u64);
            directory.u64(xxh3(&file.0[start..]));
            start = file.0.len();
        }
    }
    let (end, checksum) = (file.0.len() as u64, xxh3(&directory.0));
    let place = DirectoryPlace { directory: end, checksum, entries: count as u64, ..footer.place };
    file.0.extend(directory.0);
    file.0.extend(BookFooter { place, ..footer }.to_bytes());
    out.write_all(&file.0)?;
    out.sync()?;
    Ok(file.0.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_they_were_written() {
        let [from, to] = [Square(10), Square(5)];
        let captured = 1 << 6 | 1 << 7;
        let quiet = Move::new(from, to, 0, false);
        for mv in [
            quiet,
            Move::new(from, to, 0, true),
            Move::new(from, to, captured, false),
            Move::new(from, to, captured, true),
        ] {
            let mut out = Writer::default();
            write_move(Some(&mv), &mut out);
            assert_eq!(read_move(&mut Reader(&out.0), Board::Eight), Some(Some(mv)));
        }
        let mut out = Writer::default();
        write_move(None, &mut out);
        assert_eq!(read_move(&mut Reader(&out.0), Board::Eight), Some(None));
    }
}
