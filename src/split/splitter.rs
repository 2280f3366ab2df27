//! Where records end, byte by byte where it must be.

use crate::limits::Limits;
use crate::syntax::{
    CommentClosing, CommentFinder, StructuralBytes, TagForm, VALUE_BYTES, after_empty_line, is_blank,
    is_glued_star, is_line_end, is_name_byte, line_end, lost_bracket, plain_result, result_may_start,
    run_end, setup_end, skip_blanks, starts_line, tag_after_result, tag_starts_with, tag_with,
};
use std::ops::ControlFlow;

use super::names::Names;
use super::plain::RegularRecords;
use crate::simd::{self, Isa, Task};

/// The end of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordEnd {
    /// Offset of the first byte that belongs to the next record.
    pub end: usize,
    /// The record was longer than allowed.
    pub cut: bool,
}

/// Finds where records end. Holds scratch memory only: what it answers never depends on what it was asked before.
#[derive(Debug, Default)]
pub struct Splitter {
    scanner: Scanner,
}

/// How many bytes beyond the end of a record its end can depend on, comments apart.
pub(super) const LOOK_AHEAD: usize = 2 * VALUE_BYTES;
/// How far back from the limit a blank is looked for to cut at.
const CUT_BACK: usize = 4096;

impl Splitter {
    /// A splitter bounded by `limits`.
    pub fn new(limits: Limits) -> Self {
        let mut splitter = Self::default();
        splitter.scanner.limits = limits;
        // So that common games never find it too small.
        splitter.scanner.names.spans.reserve(Names::FEW);
        splitter
    }

    /// The end of the record that starts at `from < bytes.len()`; `None` if that depends on bytes to come, which it never
    /// does when the input is `complete`.
    ///
    /// Call [`Splitter::moved`] when the same offsets come to mean other bytes.
    pub fn next(&mut self, bytes: &[u8], from: usize, complete: bool) -> Option<RecordEnd> {
        let mut found = None;
        self.each(bytes, from, complete, |record| {
            found = Some(record);
            ControlFlow::Break(())
        });
        found
    }

    /// Tells `consume` the end of one record after the other, from the one that starts at `from` on, until that breaks
    /// off, the bytes are over, or an end depends on bytes to come. Faster than asking for each.
    #[inline]
    pub fn each(
        &mut self,
        bytes: &[u8],
        from: usize,
        complete: bool,
        consume: impl FnMut(RecordEnd) -> ControlFlow<()>,
    ) {
        simd::run(Each { splitter: self, bytes, from, complete, consume });
    }

    /// Sets the bounds.
    pub(super) fn limit(&mut self, limits: Limits) {
        self.scanner.limits = limits;
    }

    /// Forgets what it knows of the input: its bytes have moved.
    pub fn moved(&mut self) {
        self.scanner.comments.reset();
    }
}

/// The search for the ends of records, for the instruction set of this processor.
struct Each<'s, 'a, C> {
    splitter: &'s mut Splitter,
    bytes: &'a [u8],
    from: usize,
    complete: bool,
    consume: C,
}

impl<C: FnMut(RecordEnd) -> ControlFlow<()>> Task for Each<'_, '_, C> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(mut self, isa: I) {
        let scanner = &mut self.splitter.scanner;
        let plain = RegularRecords { bytes: self.bytes, complete: self.complete, limits: scanner.limits };
        let mut from = self.from;
        while from < self.bytes.len() {
            let left = plain.records(isa, from, &mut self.consume);
            if left.broken_off {
                return;
            }
            from = left.from;
            let Some(record) = scanner.record_end(isa, self.bytes, from, left.moves, self.complete) else {
                return;
            };
            if (self.consume)(record).is_break() {
                return;
            }
            from = record.end;
        }
    }
}

/// Looks at one record.
#[derive(Debug, Default)]
struct Scanner {
    limits: Limits,
    comments: CommentFinder,
    names: Names,
}

impl Scanner {
    /// The end of the record that starts at `from`; its `moves` up to there hold nothing that matters, if its tags
    /// have been passed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn record_end<I: Isa>(
        &mut self,
        isa: I,
        bytes: &[u8],
        from: usize,
        moves: Option<usize>,
        complete: bool,
    ) -> Option<RecordEnd> {
        let limit = self.limits.record_end(from);
        let beyond = bytes.len() > limit;
        let window = &bytes[..bytes.len().min(limit)];
        let (end, open_ended) = self.scan(isa, window, from, moves);
        if end < window.len() || (end == bytes.len() && complete) {
            let certain = complete || beyond || (!open_ended && end + LOOK_AHEAD <= bytes.len());
            return certain.then_some(RecordEnd { end, cut: false });
        }
        beyond.then(|| {
            let earliest = (from + 1).max(limit.saturating_sub(CUT_BACK));
            let blank = bytes[earliest.min(limit)..limit].iter().rposition(|&b| is_blank(b));
            RecordEnd { end: blank.map_or(limit, |n| earliest + n + 1), cut: true }
        })
    }

    /// The end of the record in `bytes`, and whether a comment in it could close in bytes to come.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scan<I: Isa>(&mut self, isa: I, bytes: &[u8], from: usize, moves: Option<usize>) -> (usize, bool) {
        let mut open_ended = false;
        let at = match moves {
            Some(at) => at,
            None => match isa.run(Tags { scanner: self, bytes, from, open_ended: &mut open_ended }) {
                ScanStep::Ends(end) => return (end, open_ended),
                ScanStep::Goes(at) => at,
            },
        };
        (self.pass_moves(isa, bytes, from, at, &mut open_ended), open_ended)
    }

    /// Passes blanks, comments and tags.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pass_tags<I: Isa>(&mut self, isa: I, bytes: &[u8], from: usize, open_ended: &mut bool) -> ScanStep {
        self.names.clear();
        let mut at = if bytes[from..].starts_with(b"\xEF\xBB\xBF") { from + 3 } else { from };
        let mut empty_line = false;
        let mut lines = 0;
        loop {
            let blanks = skip_blanks(bytes, at);
            at = blanks.end;
            lines += blanks.lines;
            if is_typed_escape(&bytes[at..]) {
                at += 2;
                continue;
            }
            empty_line |= lines > 1;
            lines = 0;
            let (name, end) = match bytes.get(at) {
                None => return ScanStep::Ends(bytes.len()),
                Some(b'[') => match tag_with(isa, bytes, from, at) {
                    Some(tag) if tag.form != TagForm::None => (tag.name, tag.end),
                    _ => return ScanStep::Goes(at),
                },
                Some(b'A'..=b'Z') => match bare_name(bytes, from, at) {
                    Some(name) => (name, line_end(bytes, at)),
                    None => return ScanStep::Goes(at),
                },
                Some(&byte) => match self.pass_comment(bytes, from, at, byte, open_ended) {
                    Some(ScanStep::Goes(end)) => {
                        at = end;
                        continue;
                    }
                    Some(ends) => return ends,
                    None => return ScanStep::Goes(at),
                },
            };
            if empty_line && self.names.contains(bytes, name) {
                return ScanStep::Ends(at);
            }
            self.names.push(bytes, name);
            empty_line = false;
            at = end;
        }
    }

    /// Passes movetext and what follows the terminator; answers with the end of the record.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pass_moves<I: Isa>(
        &mut self,
        isa: I,
        bytes: &[u8],
        from: usize,
        mut at: usize,
        open_ended: &mut bool,
    ) -> usize {
        let mut specials = StructuralBytes::new(at);
        let mut depth = 0u32;
        // End of a result inside a variation, until something follows.
        let mut verdict = None;
        loop {
            at = specials.next(isa, bytes, at);
            if depth == 0
                && let Some(end) = tag_after_result(isa, bytes, at)
            {
                return end;
            }
            let Some(&byte) = bytes.get(at) else { return bytes.len() };
            let mut result = None;
            match byte {
                b'[' => {
                    let form = tag_starts_with(isa, bytes, at);
                    let unclosed = verdict.take().is_some_and(|end| skip_blanks(bytes, end).end == at);
                    if boundary(bytes, from, at, form, depth, unclosed) {
                        return at;
                    }
                    let tag = if form == TagForm::Quoted { tag_with(isa, bytes, from, at) } else { None };
                    at = tag.map_or_else(|| next_of_run(bytes, at), |tag| tag.end);
                    continue;
                }
                b'"' => {
                    if let Some(start) = lost_bracket(bytes, from, at)
                        && start > from
                        && (depth == 0
                            || verdict.take().is_some_and(|end| skip_blanks(bytes, end).end == start)
                            || after_empty_line(bytes, from, start))
                    {
                        return start;
                    }
                }
                b'(' => {
                    let end = run_end(bytes, at);
                    depth = depth.saturating_add((end - at) as u32);
                    at = end;
                    continue;
                }
                b')' => {
                    let end = run_end(bytes, at);
                    depth = depth.saturating_sub((end - at) as u32);
                    at = end;
                    continue;
                }
                b'*' if !is_glued_star(bytes, from, at) => result = Some(at + 1),
                b'-' | b'+' => result = result_around(bytes, from, at, 1),
                b'/' => match bytes[from..at].last() {
                    Some(b'0'..=b'9') => match result_around(bytes, from, at, 1) {
                        None => {
                            // The one behind it may open a setup, so it is no run of what means nothing.
                            at += 1;
                            continue;
                        }
                        found => result = found,
                    },
                    _ => {
                        // Each second slash of many closes what the one before it opened.
                        let slashes = run_end(bytes, at) - at;
                        at = if slashes > 1 { at + slashes / 2 * 2 } else { setup_end(bytes, at).end };
                        continue;
                    }
                },
                0xBD => {
                    // Second byte of a half sign, or the whole of one.
                    let back = usize::from(bytes[from..at].last() == Some(&0xC2));
                    result =
                        result_around(bytes, from, at, back).or_else(|| result_around(bytes, from, at, 0));
                }
                b'&' => result = result_around(bytes, from, at, 0),
                _ => match self.pass_comment(bytes, from, at, byte, open_ended) {
                    Some(ScanStep::Goes(end)) => {
                        at = end;
                        continue;
                    }
                    Some(ScanStep::Ends(end)) => return end,
                    None => {}
                },
            }
            match result {
                Some(end) if depth == 0 => return self.pass_end(isa, bytes, from, end, open_ended),
                Some(end) => {
                    verdict = Some(end);
                    at = end;
                }
                None => at = next_of_run(bytes, at),
            }
        }
    }

    /// Passes what follows a terminator, up to the start of the next record.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pass_end<I: Isa>(
        &mut self,
        isa: I,
        bytes: &[u8],
        from: usize,
        mut at: usize,
        open_ended: &mut bool,
    ) -> usize {
        loop {
            at = skip_blanks(bytes, at).end;
            let Some(&byte) = bytes.get(at) else { return bytes.len() };
            match self.pass_comment(bytes, from, at, byte, open_ended) {
                Some(ScanStep::Goes(end)) => {
                    at = end;
                    continue;
                }
                Some(ScanStep::Ends(end)) => return end,
                None => {}
            }
            let tag =
                byte == b'[' && matches!(tag_starts_with(isa, bytes, at), TagForm::Quoted | TagForm::Bare);
            if tag || (byte.is_ascii_uppercase() && bare_name(bytes, from, at).is_some()) {
                return at;
            }
            if byte == b'*' {
                at = run_end(bytes, at);
            } else if let Some(len) = plain_result(bytes, at) {
                at += len;
            } else if opens_moves(&bytes[at..]) {
                return at;
            } else if is_typed_escape(&bytes[at..]) {
                at += 2;
            } else {
                // A word of some sentence.
                at += 1;
                at += bytes[at..]
                    .iter()
                    .take_while(|&&b| !is_blank(b) && !matches!(b, b'{' | b'[' | b';'))
                    .count();
            }
        }
    }

    /// Passes the comment that `byte` at `at` opens, if it does. One that never closes ends the record.
    #[inline]
    fn pass_comment(
        &mut self,
        bytes: &[u8],
        from: usize,
        at: usize,
        byte: u8,
        open_ended: &mut bool,
    ) -> Option<ScanStep> {
        match byte {
            b'{' => {
                let comment = self.comments.end(bytes, at, self.limits.comment_bytes);
                *open_ended |= comment.open_ended;
                Some(match comment.shape {
                    CommentClosing::Unclosed => ScanStep::Ends(comment.end),
                    _ => ScanStep::Goes(comment.end),
                })
            }
            b';' => Some(ScanStep::Goes(line_end(bytes, at))),
            b'%' if starts_line(bytes, from, at) => Some(ScanStep::Goes(line_end(bytes, at))),
            _ => None,
        }
    }
}

/// Passing blanks, comments and tags of any kind: code of its own, so that it is out of the way of the common kind.
struct Tags<'s, 'a> {
    scanner: &'s mut Scanner,
    bytes: &'a [u8],
    from: usize,
    open_ended: &'s mut bool,
}

impl Task for Tags<'_, '_> {
    type Output = ScanStep;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> ScanStep {
        self.scanner.pass_tags(isa, self.bytes, self.from, self.open_ended)
    }
}

/// What became of a part of a record: where it ends, and whether the record ends with it.
enum ScanStep {
    Ends(usize),
    Goes(usize),
}

/// Whether the bracket at `at` opens the tags of the next record.
fn boundary(bytes: &[u8], from: usize, at: usize, form: TagForm, depth: u32, unclosed: bool) -> bool {
    match form {
        TagForm::Quoted if depth > 0 && !unclosed => after_empty_line(bytes, from, at),
        TagForm::Quoted => starts_line(bytes, from, at),
        TagForm::Bare => depth == 0 && starts_line(bytes, from, at),
        TagForm::Loose | TagForm::None => false,
    }
}

/// Where to look on behind the byte at `at`, which means nothing: of many that are equal only the first and the last
/// can, since those between touch what they touch.
#[inline]
fn next_of_run(bytes: &[u8], at: usize) -> usize {
    (at + 1).max(run_end(bytes, at) - 1)
}

/// Whether a line end stands here that some program typed as two characters.
fn is_typed_escape(rest: &[u8]) -> bool {
    matches!(rest, [b'\\', b'r' | b'n', ..])
}

/// Offset past the result whose telling byte stands at `at`, `back` bytes after its start.
#[inline]
fn result_around(bytes: &[u8], from: usize, at: usize, back: usize) -> Option<usize> {
    let start = at.checked_sub(back).filter(|&start| start >= from)?;
    let len = plain_result(bytes, start)?;
    result_may_start(bytes, from, start).then_some(start + len)
}

/// First and last offset of the name at `at`, if it is that of a tag whose bracket was lost.
fn bare_name(bytes: &[u8], from: usize, at: usize) -> Option<(usize, usize)> {
    let name = bytes[at..].iter().take(256).take_while(|&&b| is_name_byte(b)).count();
    let quote =
        at + name + bytes[at + name..].iter().take(256).take_while(|&&b| b == b' ' || b == b'\t').count();
    if bytes.get(quote) != Some(&b'"') {
        return None;
    }
    (lost_bracket(bytes, from, quote) == Some(at)).then_some((at, at + name))
}

/// Whether a move, a move number or a setup stands first: `1.`, `1 .`, `32-28`, `32 - 28`, `3228`, `a3b4`, `c3:e5`,
/// `/FEN`.
fn opens_moves(rest: &[u8]) -> bool {
    let get = |i: usize| rest.get(i).copied().unwrap_or(b' ');
    let spaces =
        |from: usize| from + rest[from.min(rest.len())..].iter().take(4).take_while(|&&b| b == b' ').count();
    match get(0) {
        b'0'..=b'9' => {
            let digits = rest.iter().take(5).take_while(|b| b.is_ascii_digit()).count();
            let next = spaces(digits);
            match get(next) {
                b'.' => true,
                b'-' | b'x' | b'X' | b':' => digits <= 2 && get(spaces(next + 1)).is_ascii_digit(),
                byte => matches!(digits, 3 | 4) && (next > digits || is_line_end(byte) || next >= rest.len()),
            }
        }
        b'a'..=b'l' | b'A'..=b'L' if get(1).is_ascii_digit() => {
            let next = if get(2).is_ascii_digit() { 3 } else { 2 };
            let next = next + usize::from(matches!(get(next), b'-' | b'x' | b'X' | b':'));
            matches!(get(next), b'a'..=b'l' | b'A'..=b'L') && get(next + 1).is_ascii_digit()
        }
        b'/' => rest.starts_with(b"/FEN"),
        _ => false,
    }
}
