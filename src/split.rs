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
//! `[Name ...]` alone on a line ([`shape::tag`](crate::shape::tag)).
//! A *terminator* is `*` that does not touch a move, or a result that cannot be a move, outside variations
//! ([`shape::plain_result`](crate::shape::plain_result), [`shape::result_may_start`](crate::shape::result_may_start)).
//!
//! Brackets inside comments (`{...}`, `;...`, `%...`), values and setups are text. So they are inside variations,
//! unless an empty line or a terminator stands right before a tag with a value at the start of a line: then the variation was never closed. How
//! a comment ends that is nested or never closed is told in [`shape::Comments`](crate::shape::Comments). A record
//! longer than [`Limits::game_bytes`](crate::limits::Limits::game_bytes) is cut there, after the last blank of its
//! last 4096 bytes if they have one, and goes on as the next record; what lies beyond is looked at for nothing else.
//!
//! # Cost
//!
//! Linear. Movetext is passed sixty-four bytes at a time (`shape::Specials`), tags and
//! comments with `memchr`. Nothing is allocated for a game unless it has empty lines between its tags or braces
//! that do not match, and then once.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use crate::limits::Limits;
use crate::shape::{
    CommentShape, Comments, Specials, TagForm, VALUE_BYTES, after_empty_line, is_blank, is_glued_star,
    is_line_end, is_name_byte, line_end, lost_bracket, plain_result, result_may_start, setup_end,
    skip_blanks, starts_line, tag_starts_with, tag_with,
};
use crate::simd::{self, Isa, Task};

/// One record of an archive, as found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSlice<'a> {
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
pub fn games(bytes: &[u8]) -> Games<'_> {
    Games::new(bytes, Limits::DEFAULT)
}

/// Iterator over the records of bytes in memory.
#[derive(Debug)]
pub struct Games<'a> {
    bytes: &'a [u8],
    at: usize,
    splitter: Splitter,
}

impl<'a> Games<'a> {
    /// The records of `bytes`, bounded by `limits`.
    pub fn new(bytes: &'a [u8], limits: Limits) -> Self {
        Self { bytes, at: 0, splitter: Splitter::new(limits) }
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = GameSlice<'a>;

    #[inline]
    fn next(&mut self) -> Option<GameSlice<'a>> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let record = self.splitter.next(self.bytes, self.at, true)?;
        let game =
            GameSlice { bytes: &self.bytes[self.at..record.end], offset: self.at as u64, cut: record.cut };
        self.at = record.end;
        Some(game)
    }
}

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
    limits: Limits,
    comments: Comments,
    names: Names,
}

/// How many bytes beyond the end of a record its end can depend on, comments apart.
const LOOK_AHEAD: usize = 2 * VALUE_BYTES;
/// How far back from the limit a blank is looked for to cut at.
const CUT_BACK: usize = 4096;

impl Splitter {
    /// A splitter bounded by `limits`.
    pub fn new(limits: Limits) -> Self {
        let mut splitter = Self { limits, ..Self::default() };
        // So that common games never find it too small.
        splitter.names.spans.reserve(Names::FEW);
        splitter
    }

    /// The end of the record that starts at `from < bytes.len()`; `None` if that depends on bytes to come, which it never
    /// does when the input is `complete`.
    ///
    /// Call [`Splitter::moved`] when the same offsets come to mean other bytes.
    pub fn next(&mut self, bytes: &[u8], from: usize, complete: bool) -> Option<RecordEnd> {
        let limit = from.saturating_add(self.limits.game_bytes.clamp(1, Limits::MAX_GAME_BYTES));
        let beyond = bytes.len() > limit;
        let window = &bytes[..bytes.len().min(limit)];
        let (end, open_ended) = simd::run(Scan { splitter: self, bytes: window, from });
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

    /// Forgets what it knows of the input: its bytes have moved.
    pub fn moved(&mut self) {
        self.comments.reset();
    }

    /// The end of the record in `bytes`, and whether a comment in it could close in bytes to come.
    #[inline(always)]
    fn scan<I: Isa>(&mut self, isa: I, bytes: &[u8], from: usize) -> (usize, bool) {
        let mut open_ended = false;
        let at = match self.pass_tags(isa, bytes, from, &mut open_ended) {
            Progress::Ends(end) => return (end, open_ended),
            Progress::Goes(at) => at,
        };
        (self.pass_moves(isa, bytes, from, at, &mut open_ended), open_ended)
    }

    /// Passes blanks, comments and tags.
    #[inline(always)]
    fn pass_tags<I: Isa>(&mut self, isa: I, bytes: &[u8], from: usize, open_ended: &mut bool) -> Progress {
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
                None => return Progress::Ends(bytes.len()),
                Some(b'[') => match tag_with(isa, bytes, from, at) {
                    Some(tag) if tag.form != TagForm::None => (tag.name, tag.end),
                    _ => return Progress::Goes(at),
                },
                Some(b'A'..=b'Z') => match bare_name(bytes, from, at) {
                    Some(name) => (name, line_end(bytes, at)),
                    None => return Progress::Goes(at),
                },
                Some(&byte) => match self.pass_comment(bytes, from, at, byte, open_ended) {
                    Some(Progress::Goes(end)) => {
                        at = end;
                        continue;
                    }
                    Some(ends) => return ends,
                    None => return Progress::Goes(at),
                },
            };
            if empty_line && self.names.contains(bytes, name) {
                return Progress::Ends(at);
            }
            self.names.push(bytes, name);
            empty_line = false;
            at = end;
        }
    }

    /// Passes movetext and what follows the terminator; answers with the end of the record.
    #[inline(always)]
    fn pass_moves<I: Isa>(
        &mut self,
        isa: I,
        bytes: &[u8],
        from: usize,
        mut at: usize,
        open_ended: &mut bool,
    ) -> usize {
        let mut specials = Specials::new(at);
        let mut depth = 0u32;
        // End of a result inside a variation, until something follows.
        let mut verdict = None;
        loop {
            at = specials.next(isa, bytes, at);
            let Some(&byte) = bytes.get(at) else { return bytes.len() };
            let mut result = None;
            match byte {
                b'[' => {
                    let form = tag_starts_with(isa, bytes, at);
                    let unclosed = verdict.take().is_some_and(|end| skip_blanks(bytes, end).end == at);
                    if boundary(bytes, from, at, form, depth, unclosed) {
                        return at;
                    }
                    at = match tag_with(isa, bytes, from, at) {
                        Some(tag) if form == TagForm::Quoted => tag.end,
                        _ => at + 1,
                    };
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
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b'*' if !is_glued_star(bytes, from, at) => result = Some(at + 1),
                b'-' | b'+' => result = result_around(bytes, from, at, 1),
                b'/' => match bytes[from..at].last() {
                    Some(b'0'..=b'9') => result = result_around(bytes, from, at, 1),
                    _ => {
                        at = setup_end(bytes, at).end;
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
                    Some(Progress::Goes(end)) => {
                        at = end;
                        continue;
                    }
                    Some(Progress::Ends(end)) => return end,
                    None => {}
                },
            }
            match result {
                Some(end) if depth == 0 => return self.pass_end(isa, bytes, from, end, open_ended),
                Some(end) => {
                    verdict = Some(end);
                    at = end;
                }
                None => at += 1,
            }
        }
    }

    /// Passes what follows a terminator, up to the start of the next record.
    #[inline(always)]
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
                Some(Progress::Goes(end)) => {
                    at = end;
                    continue;
                }
                Some(Progress::Ends(end)) => return end,
                None => {}
            }
            let tag =
                byte == b'[' && matches!(tag_starts_with(isa, bytes, at), TagForm::Quoted | TagForm::Bare);
            if tag || (byte.is_ascii_uppercase() && bare_name(bytes, from, at).is_some()) {
                return at;
            }
            if byte == b'*' {
                at += 1;
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
    ) -> Option<Progress> {
        match byte {
            b'{' => {
                let comment = self.comments.end(bytes, at, self.limits.comment_bytes);
                *open_ended |= comment.open_ended;
                Some(match comment.shape {
                    CommentShape::Unclosed => Progress::Ends(comment.end),
                    _ => Progress::Goes(comment.end),
                })
            }
            b';' => Some(Progress::Goes(line_end(bytes, at))),
            b'%' if starts_line(bytes, from, at) => Some(Progress::Goes(line_end(bytes, at))),
            _ => None,
        }
    }
}

/// The search for the end of a record, for the instruction set of this processor.
struct Scan<'s, 'a> {
    splitter: &'s mut Splitter,
    bytes: &'a [u8],
    from: usize,
}

impl Task for Scan<'_, '_> {
    type Output = (usize, bool);

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> (usize, bool) {
        self.splitter.scan(isa, self.bytes, self.from)
    }
}

/// What became of a part of a record: where it ends, and whether the record ends with it.
enum Progress {
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

/// The tag names of a record.
#[derive(Debug, Default)]
struct Names {
    spans: Vec<(usize, usize)>,
    /// Hashes of all names once there are many, so that a thousand tags stay linear.
    hashes: HashSet<u64>,
    state: RandomState,
}

impl Names {
    /// So many names are compared one by one.
    const FEW: usize = 32;
    /// Room for more hashes than these is given back.
    const MANY: usize = 1024;

    #[inline]
    fn clear(&mut self) {
        self.spans.clear();
        if self.hashes.capacity() > Self::MANY {
            // Clearing costs what it can hold.
            self.hashes = HashSet::new();
        } else if !self.hashes.is_empty() {
            self.hashes.clear();
        }
    }

    #[inline]
    fn push(&mut self, bytes: &[u8], name: (usize, usize)) {
        self.spans.push(name);
        if self.spans.len() > Self::FEW {
            self.hash_all(bytes);
        }
    }

    #[cold]
    fn hash_all(&mut self, bytes: &[u8]) {
        let new = if self.hashes.is_empty() { 0 } else { self.spans.len() - 1 };
        for &(start, end) in &self.spans[new..] {
            self.hashes.insert(self.state.hash_one(&bytes[start..end]));
        }
    }

    #[cold]
    fn contains(&self, bytes: &[u8], name: (usize, usize)) -> bool {
        let text = &bytes[name.0..name.1];
        if self.spans.len() > Self::FEW && !self.hashes.contains(&self.state.hash_one(text)) {
            return false;
        }
        self.spans.iter().any(|&(start, end)| &bytes[start..end] == text)
    }
}
