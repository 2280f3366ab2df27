//! Splits regular records by whole 64-byte blocks.
//!
//! A regular record has regular tag lines, at most one empty line, moves, and a result right before the tags of the
//! next record. Nearly all records of an archive are regular. Only two of their properties are unpredictable, the
//! length of the tag section and that of the movetext, and only these cost a mispredicted branch. The scanner takes
//! over where a record is not regular. The blocks are those of one grid, so that no load waits for the end of a record.

use std::ops::ControlFlow;

use super::scanner::{LOOK_AHEAD, RecordEnd};
use crate::limits::Limits;
use crate::simd::{BLOCK, Block, Isa};
use crate::syntax::{STRUCTURAL_LOOK_BEHIND, regular_tags, structural_bytes, tag_after_result};

/// The number of bytes that must follow the bytes in question, so that whole blocks can be loaded.
const MARGIN: usize = 2 * BLOCK;

/// The state in which the fast path ends.
pub(super) struct FastPathExit {
    /// The start of the first record that is not known to be regular.
    pub(super) from: usize,
    /// If the tags of that record are regular: an offset in its movetext, before which no structural byte matters.
    pub(super) moves: Option<usize>,
    /// `true` if `consume` broke off: no further record is wanted.
    pub(super) stopped: bool,
}

/// The input of the fast path.
#[derive(Clone, Copy)]
pub(super) struct RegularRecords<'a> {
    /// The bytes to split.
    pub(super) bytes: &'a [u8],
    /// `true` if no more bytes follow.
    pub(super) complete: bool,
    /// The limits of a record.
    pub(super) limits: Limits,
}

impl RegularRecords<'_> {
    /// Passes the ends of the regular records from offset `from` on to `consume`.
    // Twin: tests/it/naive_split; tests: split_agrees::splitters_agree_on_regular_records,
    // split_agrees::splitters_agree_on_pdn_like_text, split_agrees::splitters_agree_on_damaged_fixtures.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn split<I: Isa>(
        self,
        isa: I,
        from: usize,
        consume: &mut dyn FnMut(RecordEnd) -> ControlFlow<()>,
    ) -> FastPathExit {
        let start: Option<&[u8; BLOCK]> = self.bytes.get(from..).and_then(|bytes| bytes.first_chunk());
        let crlf = start.is_some_and(|start| {
            let line_end = isa.load(start).among([b'\n']).trailing_zeros() as usize;
            line_end < BLOCK && line_end > 0 && start[line_end - 1] == b'\r'
        });
        if crlf {
            self.split_lines::<I, true>(isa, from, consume)
        } else {
            self.split_lines::<I, false>(isa, from, consume)
        }
    }

    /// Splits records whose lines end with CR LF or with LF alone.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn split_lines<I: Isa, const CRLF: bool>(
        self,
        isa: I,
        mut from: usize,
        consume: &mut dyn FnMut(RecordEnd) -> ControlFlow<()>,
    ) -> FastPathExit {
        let bytes = self.bytes;
        let mut base = from - from % BLOCK;
        loop {
            let exit = |moves| FastPathExit { from, moves, stopped: false };
            // The first block of the input has no bytes before it to read.
            let Some(bound) = self.bound(from).filter(|_| base > 0) else { return exit(None) };
            let Some(tags) = regular_tags::<I, CRLF>(isa, bytes, from, base) else { return exit(None) };
            if tags.at > bound || !self.moves_begin::<CRLF>(tags.at) {
                return exit(None);
            }
            base = tags.base;
            let inside = &bytes[..bound + MARGIN];
            // In the first block, only the bytes after the line end that ends the tags.
            let mut wanted = (u64::MAX << (tags.at - base - 1)) << 1;
            let end = 'record: loop {
                let Some(window) = inside.get(base - STRUCTURAL_LOOK_BEHIND..).and_then(<[u8]>::first_chunk)
                else {
                    return exit(Some(base));
                };
                let mut structural = structural_bytes(isa, window) & wanted;
                while structural != 0 {
                    let at = base + structural.trailing_zeros() as usize;
                    match tag_after_result(isa, bytes, at) {
                        Some(end) if end <= bound => break 'record end,
                        None if is_separator_of_move(bytes, at) => structural &= structural - 1,
                        _ => return exit(Some(at)),
                    }
                }
                wanted = u64::MAX;
                base += BLOCK;
            };
            if consume(RecordEnd { end, cut: false }).is_break() {
                return FastPathExit { from: end, moves: None, stopped: true };
            }
            from = end;
        }
    }

    /// Returns the greatest offset at which the end of the record that starts at offset `from` is certain and not a
    /// cut. `None` if there is no such offset.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bound(self, from: usize) -> Option<usize> {
        let limit = self.limits.record_end(from);
        if limit < self.bytes.len() {
            limit.checked_sub(MARGIN)
        } else {
            self.bytes.len().checked_sub(if self.complete { MARGIN } else { LOOK_AHEAD })
        }
    }

    /// Returns `true` if a move, a move number or a star follows the tags, which end at offset `at`, or follows one
    /// empty line after them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn moves_begin<const CRLF: bool>(self, at: usize) -> bool {
        let empty = if CRLF { &b"\r\n"[..] } else { b"\n" };
        let rest = &self.bytes[at..];
        let first = rest.strip_prefix(empty).unwrap_or(rest).first();
        matches!(first, Some(b'0'..=b'9' | b'a'..=b'z' | b'*'))
    }
}

/// Returns `true` if the byte at offset `at` is the separator of a move such as `2-24`, which begins like a result.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_separator_of_move(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at..], [b'-' | b':', b'0'..=b'9', b'0'..=b'9', after, ..] if !matches!(after, b'0'..=b'9' | b'.'))
}
