//! Splits bytes into records: disjoint slices, in order, that join to the whole input.
//!
//! ```
//! let text = b"[White \"Ames\"]\n1. 32-28 *\n\n[White \"Bell\"]\n1. 33-29 *\n";
//! let records: Vec<_> = pdn::split::records(text).collect();
//! assert_eq!((records.len(), records[1].offset), (2, 27));
//! assert!(records[1].bytes.starts_with(b"[White \"Bell\"]"));
//! ```
//!
//! # What a record is
//!
//! A record is a function of the bytes from its start on and of nothing before it. So readers may begin at any known
//! boundary, and a stream is split as the whole file is. From its start, a record ends
//!
//! 1. before a tag at the start of a line, once there was movetext or a terminator; and before a tag of the standard within a line, if
//!    it ends that line and the next one starts with a tag: there a writer was killed;
//! 2. before a tag whose name the record already has, if an empty line precedes the tag;
//! 3. after a terminator, before a tag with a value or a bare tag wherever it stands, and before the first word that
//!    looks like a move (`32-28`, `a3b4`, `3228`), a move number (`1.`, `1) 32-28`) or a setup (`/FEN`), since these begin a game
//!    without tags;
//! 4. with a comment that is never closed.
//!
//! Whitespace and comments between two records belong to the first of them. So do further results, and words without
//! meaning after a terminator. Two things belong to the second: comments from `;` or `%` to the end of their line, and what follows
//! them, if an empty line precedes them and only comments and whitespace follow up to the record; and a heading.
//!
//! A *heading* consists of up to eight lines of words above the first move, as `heading_end` in `src/syntax/play.rs` defines. A
//! result in it ends nothing. After a terminator, an empty line precedes it, or none follows it. After moves without a terminator, a
//! heading with a result is one if an empty line precedes it.
//!
//! A `;` opens a comment to the end of its line. If the text after its last `;` has moves, numbers and results only and ends with a
//! result, and `1.` follows the line, then the line ends with a terminator all the same: there `;` separates moves.
//!
//! *Movetext* is everything except whitespace, comments, tags and line ends typed as `\r` or `\n`.
//!
//! A *tag* is `[Name "...`, `[Name]`, or `Name "..."]` alone on a line, its bracket lost. Before the movetext,
//! `[Name ...]` alone on a line is a tag too. In `[Several words "..."]` the name has several words. It begins with a
//! capital letter, a byte beyond ASCII or a character reference, and has at most 64 bytes; and the closing quote and
//! bracket are the last on their line, or the last before its next opening bracket. So `[some comment "quoted"]` and
//! `[White "wins" here]` among the moves are no tags of several words.
//!
//! A *terminator* is `*` that does not touch a move, or a result that cannot be a move, outside of variations.
//!
//! Words in parentheses, `(see game 5)`, are a comment, as `prose_end` in `src/syntax/prose.rs` defines; and so are words in brackets on
//! one line, `[see game 5]`, unless they are a tag, as `bracketed_words_end` defines there.
//!
//! Brackets inside comments (`{...}`, `;...`, `%...`), values and setups are text. Brackets inside variations are text
//! too, with one exception. If an empty line or a terminator stands right before a tag with a value at the start of a
//! line, the variation was never closed.
//!
//! A comment in braces ends with the closing brace that matches it, if that comes within
//! [`Limits::comment_bytes`](crate::limits::Limits::comment_bytes). Otherwise it ends with the first closing brace
//! before the next line that starts with a tag, and if there is none, before that line.
//!
//! A record longer than [`Limits::record_bytes`](crate::limits::Limits::record_bytes) is cut there: after the last
//! whitespace byte of its last 4096 bytes if they contain one, or before it if it is a CR that an LF follows. The rest is
//! the next record. Bytes beyond the limit influence nothing else.
//!
//! # Cost
//!
//! Linear. Regular records have tags of the common form, moves and a result. They are passed 64 bytes at a time,
//! without a branch for each tag or move. In all other records, movetext is passed 64 bytes at a time too; tags and
//! comments are searched with `memchr`. A record allocates only if it has empty lines between its tags or unmatched
//! braces, and then once.

mod tag_names;
pub(crate) mod scanner;
mod regular_records;
pub(crate) mod splitter;
pub(crate) mod join;
pub(crate) mod chunks;

use std::ops::ControlFlow;

use crate::limits::Limits;

pub(crate) use chunks::{Chunks, RecordChain};
pub(crate) use scanner::RecordEnd;
pub(crate) use splitter::Splitter;

/// One record of an archive: the bytes of one game.
///
/// ```
/// let record = pdn::split::Record::from(&b"1. 32-28 *"[..]);
/// assert_eq!((record.offset, record.cut), (0, false));
/// assert_eq!(record.as_ref(), b"1. 32-28 *");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// The bytes of the record, trailing whitespace and comments included.
    pub bytes: &'a [u8],
    /// The offset of the first byte in the input.
    pub offset: u64,
    /// `true` if the record exceeded [`Limits::record_bytes`] and was cut; the rest follows as the next record.
    pub cut: bool,
}

/// Creates a record at offset 0 that was not cut.
impl<'a> From<&'a [u8]> for Record<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0, cut: false }
    }
}

/// Returns the bytes of the record.
impl AsRef<[u8]> for Record<'_> {
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}

/// Iterates over the records of `bytes`, with the default [`Limits`].
///
/// ```
/// let text = b"[White \"a\"]\n1. 32-28 *\n\n[White \"b\"]\n1. 33-28 *\n";
/// let records: Vec<_> = pdn::split::records(text).collect();
/// assert_eq!(records.len(), 2);
/// assert_eq!(records[1].offset, 24);
/// assert_eq!(records.iter().map(|record| record.bytes).collect::<Vec<_>>().concat(), text);
/// ```
pub fn records(bytes: &[u8]) -> Records<'_> {
    Records::new(bytes, Limits::DEFAULT)
}

/// An iterator over the records of bytes in memory.
///
/// ```
/// use pdn::limits::Limits;
/// use pdn::split::Records;
///
/// // A record of more than 20 bytes is cut behind whitespace.
/// let limits = Limits::new().record_bytes(20);
/// let records: Vec<_> = Records::new(b"1. 32-28 19-23 2. 28x19 *", limits).collect();
/// assert_eq!((records[0].bytes, records[0].cut), (&b"1. 32-28 19-23 2. "[..], true));
/// assert_eq!((records[1].bytes, records[1].cut), (&b"28x19 *"[..], false));
/// ```
#[derive(Debug)]
pub struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    splitter: Splitter,
    /// The ends that were found ahead, the next one last.
    ahead: Vec<RecordEnd>,
}

/// The greatest number of ends found ahead.
const MAX_AHEAD: usize = 64;
/// The distance in bytes after which no further ends are found ahead.
const MAX_AHEAD_BYTES: usize = 64 << 10;

impl<'a> Records<'a> {
    /// Creates an iterator over the records of `bytes`, with the given limits.
    pub fn new(bytes: &'a [u8], limits: Limits) -> Self {
        Self { bytes, at: 0, splitter: Splitter::new(limits), ahead: Vec::with_capacity(MAX_AHEAD) }
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
                let more = ahead.len() < MAX_AHEAD && record.end - at < MAX_AHEAD_BYTES;
                if more { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            ahead.reverse();
        }
        let next = self.ahead.pop()?;
        let record = Record { bytes: &self.bytes[self.at..next.end], offset: self.at as u64, cut: next.cut };
        self.at = next.end;
        Some(record)
    }
}
