//! Records that are plain, one after the other, told from the masks of blocks.
//!
//! Nearly all records of an archive are plain tag lines, an empty line, moves, and a result before the tags of the next
//! one. Only two things about these cannot be foretold, how long the tags are and how long the moves, and only these
//! cost a branch that the processor has to guess. What is not plain is left to the search byte by byte, which goes on
//! where this one stopped. The blocks are those of one grid, so that no load waits for the end of a record.

use std::ops::ControlFlow;

use super::splitter::{LOOK_AHEAD, RecordEnd};
use crate::limits::Limits;
use crate::simd::{BLOCK, Block, Isa};
use crate::syntax::{BEFORE_SPECIALS, plain_tags, special_bytes, tag_after_result};

/// Bytes that must lie behind what is looked at.
const MARGIN: usize = 2 * BLOCK;

/// Where plain records were left.
pub(super) struct FastPathExit {
    /// The start of the first record that is not known to be plain.
    pub(super) from: usize,
    /// How far its moves are known to hold nothing that matters, if its tags are plain.
    pub(super) moves: Option<usize>,
    /// Whether no further record is wanted.
    pub(super) broken_off: bool,
}

/// Records in these bytes, bounded by `limits`; more bytes may follow unless they are `complete`.
#[derive(Clone, Copy)]
pub(super) struct RegularRecords<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) complete: bool,
    pub(super) limits: Limits,
}

impl RegularRecords<'_> {
    /// Tells `consume` the ends of the plain records from `from` on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn records<I: Isa>(
        self,
        isa: I,
        from: usize,
        consume: &mut impl FnMut(RecordEnd) -> ControlFlow<()>,
    ) -> FastPathExit {
        let start: Option<&[u8; BLOCK]> = self.bytes.get(from..).and_then(|bytes| bytes.first_chunk());
        let crlf = start.is_some_and(|start| {
            let line_end = isa.load(start).among([b'\n']).trailing_zeros() as usize;
            line_end < BLOCK && line_end > 0 && start[line_end - 1] == b'\r'
        });
        if crlf {
            self.lines::<I, true>(isa, from, consume)
        } else {
            self.lines::<I, false>(isa, from, consume)
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn lines<I: Isa, const CRLF: bool>(
        self,
        isa: I,
        mut from: usize,
        consume: &mut impl FnMut(RecordEnd) -> ControlFlow<()>,
    ) -> FastPathExit {
        let bytes = self.bytes;
        let mut base = from - from % BLOCK;
        loop {
            let left = |moves| FastPathExit { from, moves, broken_off: false };
            // The first block has none before it to look back to.
            let Some(bound) = self.bound(from).filter(|_| base > 0) else { return left(None) };
            let Some(tags) = plain_tags::<I, CRLF>(isa, bytes, from, base) else { return left(None) };
            if tags.at > bound || !self.moves_begin::<CRLF>(tags.at) {
                return left(None);
            }
            base = tags.base;
            let inside = &bytes[..bound + MARGIN];
            // Of the first block, what is behind the line end that ends the tags.
            let mut wanted = (u64::MAX << (tags.at - base - 1)) << 1;
            let end = 'found: loop {
                let Some(window) = inside.get(base - BEFORE_SPECIALS..).and_then(<[u8]>::first_chunk) else {
                    return left(Some(base));
                };
                let mut specials = special_bytes(isa, window) & wanted;
                while specials != 0 {
                    let at = base + specials.trailing_zeros() as usize;
                    match tag_after_result(isa, bytes, at) {
                        Some(end) if end <= bound => break 'found end,
                        None if is_dash_of_move(bytes, at) => specials &= specials - 1,
                        _ => return left(Some(at)),
                    }
                }
                wanted = u64::MAX;
                base += BLOCK;
            };
            if consume(RecordEnd { end, cut: false }).is_break() {
                return FastPathExit { from: end, moves: None, broken_off: true };
            }
            from = end;
        }
    }

    /// Where the record that starts at `from` must have ended for its end to be certain, and not to be cut.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bound(self, from: usize) -> Option<usize> {
        let limit = self.limits.record_end(from);
        if limit < self.bytes.len() {
            limit.checked_sub(MARGIN)
        } else {
            self.bytes.len().checked_sub(if self.complete { MARGIN } else { LOOK_AHEAD })
        }
    }

    /// Whether a move, a move number or a star stands behind the tags, or behind one empty line.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn moves_begin<const CRLF: bool>(self, at: usize) -> bool {
        let empty = if CRLF { &b"\r\n"[..] } else { b"\n" };
        let rest = &self.bytes[at..];
        let first = rest.strip_prefix(empty).unwrap_or(rest).first();
        matches!(first, Some(b'0'..=b'9' | b'a'..=b'z' | b'*'))
    }
}

/// Whether the byte at `at` is the dash of a move such as `2-24`, which begins as a result does.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_dash_of_move(bytes: &[u8], at: usize) -> bool {
    matches!(bytes[at..], [b'-', b'0'..=b'9', b'0'..=b'9', ..])
}
