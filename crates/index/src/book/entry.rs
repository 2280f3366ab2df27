//! An entry of a book as bytes: a position with its opening tree.
//!
//! ```text
//! entry    u64 key of the position | u32 length of the rest | varints: kind, bitboards, tally, games that end here,
//!          number of moves, for each: move, tally, number of arrivals, for each: move, games, first game, before
//! move     u8 flags: 1 a move (else a null move or none), 2 it promotes, 4 it captures | u8 from | u8 to | captured squares
//! ```

use super::parts::{Arrival, TreeParts};
use super::tally::GameTally;
use crate::format::wire::{Reader, Writer};
use pdn::board::{Board, Square};
use pdn::position::Move;
use pdn::value::Colour;
use pdn_rules::internal::position::State;

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
    let is_valid = white & black == 0
        && state.kings & !(white | black) == 0
        && (white | black) & !board.layout().valid() == 0;
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
    let valid = board.layout().valid();
    let mut square =
        || reader.u8().filter(|&bit| u32::from(bit) < u128::BITS && valid >> bit & 1 != 0).map(Square);
    let (from, to) = (square()?, square()?);
    let captured = if flags & 4 == 0 { 0 } else { reader.varint()? };
    (flags < 8 && captured & !valid == 0).then_some(Some(Move::new(from, to, captured, flags & 2 != 0)))
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
