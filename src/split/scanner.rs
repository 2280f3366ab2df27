//! Finds the end of one record byte by byte, by the definition in [`split`](crate::split).

use super::tag_names::TagNames;
use crate::limits::Limits;
use crate::simd::{Isa, Task};
use crate::syntax::{
    CommentClosing, CommentFinder, MAX_VALUE_BYTES, PlayWord, PlayWords, StructuralBytes, TagForm,
    after_empty_line, bracketed_words_end, heading_end, is_certainly_variation, is_cut_off, is_glued_star,
    is_line_end, is_name_byte, is_play, is_whitespace, line_end, lost_bracket, move_len, opens_setup,
    prose_end, result_end_around, result_len, run_end, scan_tag_with, setup_end, skip_whitespace,
    starts_line, tag_after_result, tag_form_with,
};

/// The end of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordEnd {
    /// The offset of the first byte of the next record, or the length of the input.
    pub end: usize,
    /// `true` if the record exceeded [`Limits::record_bytes`](crate::limits::Limits::record_bytes) and was cut here.
    pub cut: bool,
}

/// The number of bytes after the end of a record that its end can depend on, comments excepted.
pub(super) const LOOK_AHEAD: usize = 2 * MAX_VALUE_BYTES;

/// The number of bytes before the limit of a record in which whitespace is searched for to cut at.
const CUT_BACK: usize = 4096;

/// Scans one record at a time.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    limits: Limits,
    comments: CommentFinder,
    names: TagNames,
}

impl Scanner {
    /// Creates a scanner with the given limits.
    pub(super) fn new(limits: Limits) -> Self {
        let mut scanner = Self { limits, ..Self::default() };
        // So that no allocation is needed for a common record.
        scanner.names.reserve();
        scanner
    }

    /// Returns the limits of a record.
    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    /// Replaces the limits.
    pub(super) fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Forgets what is remembered of the input.
    pub(super) fn forget_input(&mut self) {
        self.comments.reset();
    }

    /// Returns the end of the record that starts at offset `from`, or `None` if it depends on bytes to come.
    ///
    /// `moves` is an offset in the movetext before which no structural byte matters, if the tags have been passed
    /// already.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn record_end<I: Isa>(
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
            let whitespace = bytes[earliest.min(limit)..limit].iter().rposition(|&b| is_whitespace(b));
            let end = whitespace.map_or(limit, |n| earliest + n + 1);
            // A line end of two bytes stays whole, so that the lines of consecutive records add up.
            let is_in_line_end = end > from + 1 && matches!(bytes.get(end - 1..=end), Some(b"\r\n"));
            RecordEnd { end: end - usize::from(is_in_line_end), cut: true }
        })
    }

    /// Returns the end of the record in `bytes`, and `true` if a comment in it could close in bytes to come.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scan<I: Isa>(&mut self, isa: I, bytes: &[u8], from: usize, moves: Option<usize>) -> (usize, bool) {
        let mut open_ended = false;
        let at = match moves {
            Some(at) => at,
            None => match isa.run(SkipTags { scanner: self, bytes, from, open_ended: &mut open_ended }) {
                ScanStep::End(end) => return (end, open_ended),
                ScanStep::Continue(at) => at,
            },
        };
        (self.skip_movetext(isa, bytes, from, at, &mut open_ended), open_ended)
    }

    /// Skips the whitespace, comments and tags at the start of a record.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn skip_tags<I: Isa>(&mut self, isa: I, bytes: &[u8], from: usize, open_ended: &mut bool) -> ScanStep {
        self.names.clear();
        let mut at = if bytes[from..].starts_with(b"\xEF\xBB\xBF") { from + 3 } else { from };
        let mut empty_line = false;
        let mut lines = 0;
        loop {
            let whitespace = skip_whitespace(bytes, at);
            at = whitespace.end;
            lines += whitespace.lines;
            if is_typed_escape(&bytes[at..]) {
                at += 2;
                continue;
            }
            empty_line |= lines > 1;
            lines = 0;
            let (name, end) = match bytes.get(at) {
                None => return ScanStep::End(bytes.len()),
                Some(b'[') => match scan_tag_with(isa, bytes, from, at) {
                    Some(tag) if tag.form != TagForm::None => (tag.name, tag.end),
                    _ => return ScanStep::Continue(at),
                },
                Some(b'A'..=b'Z') => match lost_bracket_name(bytes, from, at) {
                    Some(name) => (name, line_end(bytes, at)),
                    None => return ScanStep::Continue(at),
                },
                Some(&byte) => match self.skip_comment(isa, bytes, from, at, byte, open_ended) {
                    Some(ScanStep::Continue(end)) => {
                        at = end;
                        continue;
                    }
                    Some(end) => return end,
                    None => return ScanStep::Continue(at),
                },
            };
            if empty_line && self.names.contains(bytes, name) {
                return ScanStep::End(at);
            }
            self.names.push(bytes, name);
            empty_line = false;
            at = end;
        }
    }

    /// Skips the movetext and the text after the terminator. Returns the end of the record.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn skip_movetext<I: Isa>(
        &mut self,
        isa: I,
        bytes: &[u8],
        from: usize,
        mut at: usize,
        open_ended: &mut bool,
    ) -> usize {
        if starts_heading(bytes, from, at)
            && let Some(end) = heading_end(bytes, at)
        {
            at = end;
        }
        let mut structural = StructuralBytes::new(at);
        let mut depth = 0u32;
        // The end of a result inside a variation, until a structural byte follows.
        let mut result_in_variation = None;
        loop {
            at = structural.next(isa, bytes, at);
            if depth == 0
                && let Some(end) = tag_after_result(isa, bytes, at)
            {
                return end;
            }
            let Some(&byte) = bytes.get(at) else { return bytes.len() };
            let mut result = None;
            match byte {
                b'[' => {
                    let form = tag_form_with(isa, bytes, at);
                    let is_unclosed =
                        result_in_variation.take().is_some_and(|end| skip_whitespace(bytes, end).end == at);
                    if is_record_start(bytes, from, at, form, depth, is_unclosed) {
                        return at;
                    }
                    if matches!(form, TagForm::Loose | TagForm::None)
                        && let Some(end) = bracketed_words_end(bytes, at)
                    {
                        at = end;
                        continue;
                    }
                    let tag =
                        if form == TagForm::Quoted { scan_tag_with(isa, bytes, from, at) } else { None };
                    at = tag.map_or_else(|| skip_equal_bytes(bytes, at), |tag| tag.end);
                    continue;
                }
                b'"' => {
                    if let Some(start) = lost_bracket(bytes, from, at)
                        && start > from
                        && (depth == 0
                            || result_in_variation
                                .take()
                                .is_some_and(|end| skip_whitespace(bytes, end).end == start)
                            || after_empty_line(bytes, from, start))
                    {
                        return start;
                    }
                }
                b'(' => {
                    let prose =
                        if is_certainly_variation(isa, bytes, at) { None } else { prose_end(bytes, at) };
                    match prose {
                        Some(end) => at = end,
                        None => {
                            depth = depth.saturating_add(1);
                            at += 1;
                        }
                    }
                    continue;
                }
                b')' => {
                    let end = run_end(bytes, at);
                    depth = depth.saturating_sub((end - at) as u32);
                    at = end;
                    continue;
                }
                b'*' if !is_glued_star(bytes, from, at) => result = Some(at + 1),
                b'/' => match bytes[from..at].last() {
                    Some(b'0'..=b'9') => match result_end_around(bytes, from, at) {
                        None => {
                            // The next slash may open a setup, so a run of slashes is not skipped here.
                            at += 1;
                            continue;
                        }
                        end => result = end,
                    },
                    _ => {
                        // Of a run of slashes, the last one may open a setup.
                        let last = run_end(bytes, at) - 1;
                        at = if opens_setup(bytes, last) { setup_end(bytes, last).end } else { last + 1 };
                        continue;
                    }
                },
                b'-' | b':' | 0x96 | 0xE2 | b'+' | 0xBD | b'&' => result = result_end_around(bytes, from, at),
                b';' if depth == 0 && ends_play(bytes, at) => result = Some(line_end(bytes, at)),
                _ => match self.skip_comment(isa, bytes, from, at, byte, open_ended) {
                    Some(ScanStep::Continue(end)) => {
                        at = end;
                        continue;
                    }
                    Some(ScanStep::End(end)) => return end,
                    None => {}
                },
            }
            match result {
                Some(end) if depth == 0 => {
                    if let Some(start) = heading_around(bytes, from, at) {
                        return start;
                    }
                    return self.skip_after_terminator(isa, bytes, from, end, open_ended);
                }
                Some(end) => {
                    result_in_variation = Some(end);
                    at = end;
                }
                None => at = skip_equal_bytes(bytes, at),
            }
        }
    }

    /// Skips the text after a terminator. Returns the start of the next record.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn skip_after_terminator<I: Isa>(
        &mut self,
        isa: I,
        bytes: &[u8],
        from: usize,
        mut at: usize,
        open_ended: &mut bool,
    ) -> usize {
        // The first of the line comments after an empty line, which belong to the next record if there is one.
        let mut lines = None;
        loop {
            let whitespace = skip_whitespace(bytes, at);
            at = whitespace.end;
            let Some(&byte) = bytes.get(at) else { return bytes.len() };
            if lines.is_none() && whitespace.lines > 1 && matches!(byte, b';' | b'%') {
                lines = Some(at);
            }
            match self.skip_comment(isa, bytes, from, at, byte, open_ended) {
                Some(ScanStep::Continue(end)) => {
                    at = end;
                    continue;
                }
                Some(ScanStep::End(end)) => return end,
                None => {}
            }
            let tag =
                byte == b'[' && matches!(tag_form_with(isa, bytes, at), TagForm::Quoted | TagForm::Bare);
            let begins_record = tag
                || byte.is_ascii_uppercase() && lost_bracket_name(bytes, from, at).is_some()
                || begins_heading(bytes, from, at, whitespace.lines);
            if begins_record || result_len(bytes, at).is_none() && opens_moves(&bytes[at..]) {
                *open_ended |= lines.is_some() && at + LOOK_AHEAD > bytes.len();
                return lines.unwrap_or(at);
            }
            lines = None;
            if byte == b'*' {
                at = run_end(bytes, at);
            } else if let Some(len) = result_len(bytes, at) {
                at += len;
            } else if is_typed_escape(&bytes[at..]) {
                at += 2;
            } else {
                // A word without meaning.
                at += 1;
                at += bytes[at..]
                    .iter()
                    .take_while(|&&b| !is_whitespace(b) && !matches!(b, b'{' | b'[' | b';'))
                    .count();
            }
        }
    }

    /// Skips the comment that `byte` at offset `at` opens, or returns `None` if it opens none. An unclosed comment
    /// ends the record.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn skip_comment<I: Isa>(
        &mut self,
        isa: I,
        bytes: &[u8],
        from: usize,
        at: usize,
        byte: u8,
        open_ended: &mut bool,
    ) -> Option<ScanStep> {
        match byte {
            b'{' => {
                if let Some(len) = CommentFinder::simple_len(isa, &bytes[at..], self.limits.comment_bytes) {
                    return Some(ScanStep::Continue(at + len));
                }
                let comment = self.comments.end(bytes, at, self.limits.comment_bytes);
                *open_ended |= comment.open_ended;
                Some(match comment.closing {
                    CommentClosing::Unclosed => ScanStep::End(comment.end),
                    _ => ScanStep::Continue(comment.end),
                })
            }
            b';' => Some(ScanStep::Continue(line_end(bytes, at))),
            b'%' if starts_line(bytes, from, at) => Some(ScanStep::Continue(line_end(bytes, at))),
            _ => None,
        }
    }
}

/// Runs [`Scanner::skip_tags`] as a task of its own, so that its code is kept apart from the fast path.
struct SkipTags<'s, 'a> {
    scanner: &'s mut Scanner,
    bytes: &'a [u8],
    from: usize,
    open_ended: &'s mut bool,
}

impl Task for SkipTags<'_, '_> {
    type Output = ScanStep;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> ScanStep {
        self.scanner.skip_tags(isa, self.bytes, self.from, self.open_ended)
    }
}

/// The result of skipping one part of a record.
enum ScanStep {
    /// The record ends at this offset.
    End(usize),
    /// The record continues at this offset.
    Continue(usize),
}

/// Returns `true` if the bracket at offset `at` opens the tags of the next record. `depth` is the number of open
/// variations; `is_unclosed` says that a result right before the bracket shows these to be unclosed.
fn is_record_start(
    bytes: &[u8],
    from: usize,
    at: usize,
    form: TagForm,
    depth: u32,
    is_unclosed: bool,
) -> bool {
    match form {
        TagForm::Quoted if depth > 0 && !is_unclosed => {
            after_empty_line(bytes, from, at) || !starts_line(bytes, from, at) && is_cut_off(bytes, at)
        }
        TagForm::Quoted => starts_line(bytes, from, at) || is_cut_off(bytes, at),
        TagForm::Bare => depth == 0 && starts_line(bytes, from, at),
        TagForm::Loose | TagForm::None => false,
    }
}

/// Returns `true` if what stands at offset `at` may start a heading.
#[cfg_attr(not(debug_assertions), inline(always))]
fn starts_heading(bytes: &[u8], from: usize, at: usize) -> bool {
    matches!(bytes.get(at), Some(b'A'..=b'Z' | 0x80..)) && starts_line(bytes, from, at)
}

/// Returns `true` if a heading of the next record starts at offset `at`, after `lines` line ends. What follows a terminator in the next
/// line and has an empty line after it belongs to the terminator.
fn begins_heading(bytes: &[u8], from: usize, at: usize, lines: u32) -> bool {
    lines > 0
        && starts_heading(bytes, from, at)
        && heading_end(bytes, at).is_some_and(|end| lines > 1 || skip_whitespace(bytes, end).lines == 1)
}

/// Returns the start of the heading of the next record if the result at offset `at` stands in it. An empty line precedes the heading.
#[cold]
fn heading_around(bytes: &[u8], from: usize, at: usize) -> Option<usize> {
    let mut line = at;
    loop {
        let line_start = from + bytes[from..line].iter().rposition(|&byte| is_line_end(byte))? + 1;
        let start = skip_whitespace(bytes, line_start).end;
        if !starts_heading(bytes, from, start) {
            return None;
        }
        if after_empty_line(bytes, from, start) {
            return heading_end(bytes, start).filter(|&end| end > at).map(|_| start);
        }
        // Before the line end.
        line = line_start - if bytes[from..line_start].ends_with(b"\r\n") { 2 } else { 1 };
    }
}

/// Returns `true` if the semicolon at offset `at` separates moves up to a result that ends its line, and a first move follows that
/// line: the game of this line has ended.
#[cold]
fn ends_play(bytes: &[u8], at: usize) -> bool {
    let end = line_end(bytes, at);
    let line = &bytes[at + 1..end];
    let last = line.rsplit(|&byte| byte == b';').find(|piece| !piece.trim_ascii().is_empty()).unwrap_or(line);
    let next = skip_whitespace(bytes, end).end;
    let is_first = bytes[next..].starts_with(b"1.") && bytes.get(next + 2) != Some(&b'.');
    is_first && is_play(last) && PlayWords::new(last).last() == Some(PlayWord::Result)
}

/// Returns the offset at which to continue after the byte at offset `at`, which has no meaning. Of a run of equal bytes
/// only the first and the last one can have a meaning, since all others stand between equal bytes.
#[inline]
fn skip_equal_bytes(bytes: &[u8], at: usize) -> usize {
    (at + 1).max(run_end(bytes, at) - 1)
}

/// Returns `true` if `rest` starts with a line end that a program typed as two characters, `\r` or `\n`.
fn is_typed_escape(rest: &[u8]) -> bool {
    matches!(rest, [b'\\', b'r' | b'n', ..])
}

/// Returns the start of the name at offset `at` and the offset just after it, if a tag that lost its opening bracket
/// starts there.
fn lost_bracket_name(bytes: &[u8], from: usize, at: usize) -> Option<(usize, usize)> {
    let name = bytes[at..].iter().take(256).take_while(|&&b| is_name_byte(b)).count();
    let quote =
        at + name + bytes[at + name..].iter().take(256).take_while(|&&b| b == b' ' || b == b'\t').count();
    if bytes.get(quote) != Some(&b'"') {
        return None;
    }
    (lost_bracket(bytes, from, quote) == Some(at)).then_some((at, at + name))
}

/// Returns `true` if `rest` starts with a move, a move number or a setup: `1.`, `1 .`, `1) 32-28`, `1 32-28`, `32-28`, `32 - 28`, `3228`,
/// `a3b4`, `c3:e5`, `/FEN`.
fn opens_moves(rest: &[u8]) -> bool {
    let get = |i: usize| rest.get(i).copied().unwrap_or(b' ');
    let skip_spaces =
        |from: usize| from + rest[from.min(rest.len())..].iter().take(4).take_while(|&&b| b == b' ').count();
    match get(0) {
        b'0'..=b'9' => {
            let digits = rest.iter().take(5).take_while(|b| b.is_ascii_digit()).count();
            let next = skip_spaces(digits);
            match get(next) {
                b'.' => true,
                b'-' | b'x' | b'X' | b':' => {
                    let after = skip_spaces(next + 1);
                    digits <= 2 && get(after).is_ascii_digit()
                        || rest[0] == b'1' && digits == 1 && rest.get(after..).and_then(move_len).is_some()
                }
                b')' if rest[0] == b'1' && next == 1 => move_len(&rest[skip_spaces(2)..]).is_some(),
                _ if rest[0] == b'1' && digits == 1 => move_len(&rest[next..]).is_some(),
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
