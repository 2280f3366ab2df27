//! Bytes to game slices: disjoint, in order, and together the whole input.
//!
//! # What a record is
//!
//! A record is a function of the bytes from its start on, of nothing before it; so readers may begin at any known
//! boundary, and a stream is cut as the whole file is. From its start, a record ends
//!
//! 1. before a tag at the start of a line, once there was movetext or a terminator;
//! 2. before a tag whose name the record already has, if an empty line separates it from what is before it;
//! 3. after a terminator, before a tag with a value or a bare tag wherever it stands, and before the first word that
//!    looks like a move (`32-28`, `a3b4`, `3228`), a move number (`1.`) or a setup (`/FEN`), since these begin a game
//!    without tags;
//! 4. with a comment that is never closed.
//!
//! Blanks and comments between belong to the record before, as do further results and words without meaning after a
//! terminator. Movetext is everything that is neither blank, comment, tag nor a line end typed as `\r` or `\n`. A
//! *tag* here is `[Name "...`, `[Name]`, or `Name "..."]` alone on a line, its bracket lost; before the moves also
//! `[Name ...]` alone on a line ([`syntax::tag`](crate::syntax::tag)).
//! A *terminator* is `*` that does not touch a move, or a result that cannot be a move, outside variations
//! ([`syntax::plain_result`](crate::syntax::plain_result), [`syntax::result_may_start`](crate::syntax::result_may_start)).
//!
//! Brackets inside comments (`{...}`, `;...`, `%...`), values and setups are text. So they are inside variations,
//! unless an empty line or a terminator stands right before a tag with a value at the start of a line: then the variation was never closed. How
//! a comment ends that is nested or never closed is told in [`syntax::CommentFinder`](crate::syntax::CommentFinder). A record
//! longer than [`Limits::game_bytes`](crate::limits::Limits::game_bytes) is cut there, after the last blank of its
//! last 4096 bytes if they have one, and goes on as the next record; what lies beyond is looked at for nothing else.
//!
//! # Cost
//!
//! Linear. Records as nearly all are, plain tags, moves and a result, are passed sixty-four bytes at a time without a
//! branch for a tag or a move; of others movetext is passed that way too, tags and comments with `memchr`. Nothing is allocated for a game unless it has empty lines between its tags or braces
//! that do not match, and then once.

mod names;
mod pieces;
mod plain;
mod splitter;

use std::ops::ControlFlow;

use crate::limits::Limits;

pub use pieces::{Chunk, Chunks};
pub use splitter::{RecordEnd, Splitter};

/// One record of an archive, as found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its bytes, trailing blanks and comments included.
    pub bytes: &'a [u8],
    /// Offset of its first byte in the input.
    pub offset: u64,
    /// The record was longer than allowed; what was cut off follows as the next one.
    pub cut: bool,
}

/// The records of `bytes`, with the default [`Limits`].
///
/// ```
/// let text = b"[White \"a\"]\n1. 32-28 *\n\n[White \"b\"]\n1. 33-28 *\n";
/// let games: Vec<_> = pdn::split::games(text).collect();
/// assert_eq!(games.len(), 2);
/// assert_eq!(games[1].offset, 24);
/// assert_eq!(games.iter().map(|g| g.bytes).collect::<Vec<_>>().concat(), text);
/// ```
pub fn games(bytes: &[u8]) -> Records<'_> {
    Records::new(bytes, Limits::DEFAULT)
}

/// Iterator over the records of bytes in memory.
#[derive(Debug)]
pub struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    splitter: Splitter,
    /// Ends found ahead, the next one last.
    ahead: Vec<RecordEnd>,
}

/// So many ends are found ahead.
const AHEAD: usize = 64;
/// And no more once they are so far ahead.
const AHEAD_BYTES: usize = 64 << 10;

impl<'a> Records<'a> {
    /// The records of `bytes`, bounded by `limits`.
    pub fn new(bytes: &'a [u8], limits: Limits) -> Self {
        Self { bytes, at: 0, splitter: Splitter::new(limits), ahead: Vec::with_capacity(AHEAD) }
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    #[inline]
    fn next(&mut self) -> Option<Record<'a>> {
        if self.ahead.is_empty() {
            let (ahead, at) = (&mut self.ahead, self.at);
            self.splitter.each(self.bytes, at, true, |record| {
                ahead.push(record);
                let more = ahead.len() < AHEAD && record.end - at < AHEAD_BYTES;
                if more { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            ahead.reverse();
        }
        let record = self.ahead.pop()?;
        let game =
            Record { bytes: &self.bytes[self.at..record.end], offset: self.at as u64, cut: record.cut };
        self.at = record.end;
        Some(game)
    }
}
