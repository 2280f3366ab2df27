//! Finds the end of a comment in braces, also when braces nest or never close, and that of a setup command.
//!
//! The rule is a function of the bytes from the opening brace on:
//!
//! 1. Braces are counted. The comment ends with the brace that brings the count to zero, if that brace comes within
//!    [`Limits::comment_bytes`](crate::limits::Limits::comment_bytes).
//! 2. Otherwise it ends with the first closing brace, if that brace comes before the next line that starts with a tag, and before a
//!    tag of the standard within a line if it ends that line and the next one starts with a tag: there a writer was killed.
//! 3. Otherwise it ends before that tag, or at the end of the input.
//!
//! So a comment may contain whole games, brackets and comments, yet an unclosed comment damages only its own game.
//! Looking ahead from every brace would be quadratic on hostile input. [`CommentFinder`] therefore remembers pairs of
//! braces, passes each byte at most twice, and forgets the pairs before the comment in question.

use super::regular_tag::TagForm;
use super::tag::{is_cut_off, tag_form};
use super::whitespace::{is_line_end, starts_line};
use crate::simd::{BLOCK, Block, Isa};

/// The way in which a comment ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommentClosing {
    /// With its own brace; no comment is nested in it.
    Simple,
    /// With its own brace; matched braces are nested in it.
    Nested,
    /// With the first closing brace although another comment was opened inside: one brace is missing.
    Unbalanced,
    /// Without a brace: the comment extends to the next line that starts with a tag, or to the end of the input.
    Unclosed,
}

/// The end of a comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommentEnd {
    /// The offset just after the comment, closing brace included.
    pub end: usize,
    /// The way in which the comment ends.
    pub closing: CommentClosing,
    /// `true` if the result could differ if more bytes followed the input.
    pub open_ended: bool,
}

/// Finds the ends of comments in one input, in linear time if the comments are asked for in order.
///
/// Allocates only when braces nest without matching within 64 braces: a few words for each opening brace within
/// reach.
// One word, so that it is cheap to create and to hand on: few records need its memory.
#[derive(Debug, Default)]
pub struct CommentFinder(Option<Box<Braces>>);

/// The braces that a [`CommentFinder`] remembers.
#[derive(Debug, Default)]
struct Braces {
    /// Every opening brace in `from..to` with the offset of its partner, or [`NO_PARTNER`].
    pairs: Vec<(usize, usize)>,
    /// The indices into `pairs` of the braces that are still open at `to`.
    open: Vec<usize>,
    from: usize,
    to: usize,
    /// A range of offsets without a closing brace; remembered so that braces that never close stay linear.
    without_close: (usize, usize),
}

/// Marks a brace whose partner has not been found yet.
const NO_PARTNER: usize = usize::MAX;
/// The number of pairs before the current comment that are kept before any are forgotten.
const MAX_PASSED_PAIRS: usize = 4096;

impl CommentFinder {
    /// Creates a finder that remembers nothing.
    pub const fn new() -> Self {
        Self(None)
    }

    /// Forgets everything. Must be called before the same offsets refer to other bytes.
    pub fn reset(&mut self) {
        if let Some(braces) = &mut self.0 {
            braces.restart_at(0);
            braces.without_close = (0, 0);
        }
    }

    /// Returns the end of the comment whose opening brace stands at offset `at`. Its own closing brace is searched for
    /// in at most `reach` bytes, the opening brace included.
    // Twin: a fresh finder for each brace; test: used_finder_equals_fresh_finder.
    #[inline]
    pub fn end(&mut self, bytes: &[u8], at: usize, reach: usize) -> CommentEnd {
        debug_assert_eq!(bytes.get(at), Some(&b'{'));
        let reach = reach.max(1);
        let horizon = bytes.len().min(at.saturating_add(reach));
        if let Some(n) = memchr::memchr2(b'{', b'}', &bytes[at + 1..horizon])
            && bytes[at + 1 + n] == b'}'
        {
            return CommentEnd { end: at + n + 2, closing: CommentClosing::Simple, open_ended: false };
        }
        self.irregular_end(bytes, at, horizon, reach)
    }

    /// Returns the length of the comment that `text` begins with, if the first brace in it closes it and stands within `reach`
    /// bytes. `None` where [`end`](Self::end) has to decide; that may be so in the last 64 bytes of the text, too.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn simple_len<I: Isa>(isa: I, text: &[u8], reach: usize) -> Option<usize> {
        let mut at = 1;
        while let Some(block) = text.get(at..).and_then(|rest| rest.first_chunk()) {
            let block = isa.load(block);
            let braces = block.among([b'{', b'}']);
            if braces != 0 {
                let end = at + braces.trailing_zeros() as usize + 1;
                return (text[end - 1] == b'}' && end <= reach).then_some(end);
            }
            at += BLOCK;
        }
        None
    }

    #[cold]
    fn irregular_end(&mut self, bytes: &[u8], at: usize, horizon: usize, reach: usize) -> CommentEnd {
        let nearby = nearby_partner(bytes, at, horizon);
        if let Some(close) = nearby.or_else(|| self.0.get_or_insert_default().partner(bytes, at, horizon)) {
            return CommentEnd { end: close + 1, closing: CommentClosing::Nested, open_ended: false };
        }
        let open_ended = horizon - at < reach;
        let mut from = at + 1;
        while let Some(n) = memchr::memchr2(b'}', b'[', &bytes[from..]) {
            let offset = from + n;
            if bytes[offset] == b'}' {
                return CommentEnd { end: offset + 1, closing: CommentClosing::Unbalanced, open_ended };
            }
            if starts_line(bytes, at, offset) && tag_form(bytes, offset) == TagForm::Quoted
                || is_cut_off(bytes, offset)
            {
                return CommentEnd { end: offset, closing: CommentClosing::Unclosed, open_ended };
            }
            from = offset + 1;
        }
        CommentEnd { end: bytes.len(), closing: CommentClosing::Unclosed, open_ended: true }
    }
}

impl Braces {
    /// Forgets all pairs and starts pairing at offset `at`.
    fn restart_at(&mut self, at: usize) {
        self.pairs.clear();
        self.open.clear();
        (self.from, self.to) = (at, at);
    }

    /// Returns the offset of the closing brace that matches the brace at offset `at`, if it stands before `horizon`.
    fn partner(&mut self, bytes: &[u8], at: usize, horizon: usize) -> Option<usize> {
        if self.has_no_close(bytes, at, horizon) {
            return None;
        }
        if at < self.from || at >= self.to {
            self.restart_at(at);
        }
        loop {
            // The brace itself may not have been passed yet; then there is no pair for it.
            let index = self.pairs.binary_search_by_key(&at, |pair| pair.0);
            let partner = index.map(|i| self.pairs[i].1);
            if let Ok(passed) = index {
                self.forget_passed(passed, at);
            }
            if let Ok(close) = partner
                && close != NO_PARTNER
            {
                return (close < horizon).then_some(close);
            }
            if self.to >= horizon {
                return None;
            }
            // In steps, so that a nearby partner is found without reading up to the horizon.
            let step = horizon.min(self.to.max(at) + 4096);
            for n in memchr::memchr2_iter(b'{', b'}', &bytes[self.to..step]) {
                let offset = self.to + n;
                if bytes[offset] == b'{' {
                    self.open.push(self.pairs.len());
                    self.pairs.push((offset, NO_PARTNER));
                } else if let Some(opener) = self.open.pop() {
                    self.pairs[opener].1 = offset;
                }
            }
            self.to = step;
        }
    }

    /// Returns `true` if no closing brace stands between the offsets `at` and `horizon`.
    fn has_no_close(&mut self, bytes: &[u8], at: usize, horizon: usize) -> bool {
        let (from, to) = self.without_close;
        let searched = if (from..to).contains(&at) { to } else { at };
        let close = memchr::memchr(b'}', &bytes[searched.min(horizon)..horizon]);
        self.without_close = (at, close.map_or(horizon.max(searched), |n| searched + n));
        close.is_none()
    }

    /// Forgets the first `passed` pairs, which lie before offset `at`, once they are at least [`MAX_PASSED_PAIRS`] and
    /// half of all: so the cost of moving the others is amortised.
    fn forget_passed(&mut self, passed: usize, at: usize) {
        if passed < MAX_PASSED_PAIRS || passed < self.pairs.len() / 2 {
            return;
        }
        self.pairs.drain(..passed);
        self.open.retain_mut(|index| {
            let kept = *index >= passed;
            *index = index.saturating_sub(passed);
            kept
        });
        self.from = at;
    }
}

/// The number of braces examined before any pair is remembered.
const NEARBY_BRACES: usize = 64;

/// Returns the partner of the brace at offset `at` if fewer than [`NEARBY_BRACES`] braces stand between them. Comments
/// that people nest by hand are found this way, without an allocation.
fn nearby_partner(bytes: &[u8], at: usize, horizon: usize) -> Option<usize> {
    let mut depth = 0usize;
    for n in memchr::memchr2_iter(b'{', b'}', &bytes[at..horizon]).take(NEARBY_BRACES) {
        if bytes[at + n] == b'{' {
            depth += 1;
        } else {
            depth -= 1;
            if depth == 0 {
                return Some(at + n);
            }
        }
    }
    None
}

/// The end of a setup command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SetupEnd {
    /// The offset just after the command, closing slash included.
    pub end: usize,
    /// `true` if the closing slash is present.
    pub closed: bool,
}

/// Returns `true` if the slash at offset `at` opens a setup: `FEN` follows.
pub(crate) fn opens_setup(bytes: &[u8], at: usize) -> bool {
    let rest = bytes[at + 1..].trim_ascii_start();
    rest.starts_with(b"FEN") || rest.starts_with(b"fen")
}

/// Returns the end of the setup that the slash at offset `at` opens.
///
/// The setup ends with the next slash if that comes before an empty line, a brace, a bracket or a parenthesis, and
/// within 2,048 bytes. Otherwise it ends with the line, or before the brace, bracket or parenthesis if that is
/// nearer. A position of 72 squares takes about 250 bytes, so the limit is generous.
pub(crate) fn setup_end(bytes: &[u8], at: usize) -> SetupEnd {
    let window = &bytes[..bytes.len().min(at + 2048)];
    let mut first_line_end = None;
    let mut line_is_empty = false;
    for (offset, &byte) in window.iter().enumerate().skip(at + 1) {
        match byte {
            b'/' => return SetupEnd { end: offset + 1, closed: true },
            b'{' | b'}' | b'[' | b']' | b'(' | b')' => break,
            b'\n' if line_is_empty => break,
            _ if is_line_end(byte) => {
                first_line_end.get_or_insert(offset);
                line_is_empty |= byte == b'\n' || window.get(offset + 1) != Some(&b'\n');
            }
            b' ' | b'\t' => {}
            _ => line_is_empty = false,
        }
    }
    let end = first_line_end.unwrap_or_else(|| {
        window[at + 1..]
            .iter()
            .position(|&b| is_line_end(b) || matches!(b, b'{' | b'}' | b'[' | b']' | b'(' | b')'))
            .map_or(window.len(), |n| at + 1 + n)
    });
    SetupEnd { end, closed: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, end: usize, closing: CommentClosing) {
        let got = CommentFinder::new().end(text.as_bytes(), 0, 1 << 20);
        assert_eq!((got.end, got.closing), (end, closing), "{text:?}");
    }

    #[test]
    fn comment_ends_at_matching_brace_or_tag() {
        use CommentClosing::*;
        check("{}", 2, Simple);
        check("{a\n[b] c} d }", 9, Simple);
        check("{ nested { comment } } 1", 22, Nested);
        check("{ a { b } 32-28 1-0", 9, Unbalanced);
        check("{ never", 7, Unclosed);
        check("{ never\n\n[Event \"x\"]\n1. 32-28 { ok }", 9, Unclosed);
        check("{ out\n\n[Event \"x\"]\n1. 32-28 { ok } } 1", 36, Nested);
        check("{ never [Event \"x\"]", 19, Unclosed);
        check("{ cut[Event \"x\"]\n[Site \"y\"]\n1. 32-28 { ok }", 5, Unclosed);
        check("{ cut[Other \"x\"]\n[Site \"y\"]", 17, Unclosed);
    }

    #[test]
    fn matching_brace_is_found_within_reach_only() {
        let text = b"{ {} 56789 }";
        assert_eq!(CommentFinder::new().end(text, 0, 12).closing, CommentClosing::Nested);
        assert_eq!(CommentFinder::new().end(text, 0, 11).closing, CommentClosing::Unbalanced);
    }

    #[test]
    fn used_finder_equals_fresh_finder() {
        let text = b"{{}{{}{}}{ {{ } } {\n[A \"\"] {} {}{{{}}{ } }}} {";
        let unclosed = "{x".repeat(300);
        let text = &[&text[..], "{".repeat(70).as_bytes(), "}".repeat(70).as_bytes(), text].concat();
        let text = &[&text[..], unclosed.as_bytes(), b"{}", unclosed.as_bytes()].concat();
        for reach in [3, 5, 9, 17, 100, 1000] {
            let mut comments = CommentFinder::new();
            for at in memchr::memchr_iter(b'{', text) {
                assert_eq!(
                    comments.end(text, at, reach),
                    CommentFinder::new().end(text, at, reach),
                    "{at} {reach}"
                );
            }
        }
    }

    #[test]
    fn finder_forgets_passed_pairs() {
        let text = b"{{}{{}}{{{}".repeat(20_000);
        let mut comments = CommentFinder::new();
        for at in memchr::memchr_iter(b'{', &text) {
            let end = comments.end(&text, at, 999);
            if at % 7 == 0 {
                assert_eq!(end, CommentFinder::new().end(&text, at, 999), "{at}");
            }
        }
        let Braces { pairs, open, .. } =
            *comments.0.expect("braces that nest without matching are remembered");
        assert!(pairs.len() <= 2 * MAX_PASSED_PAIRS + 5000, "{} pairs kept", pairs.len());
        assert!(open.len() <= pairs.len());
    }

    #[test]
    fn setup_ends_with_slash_or_line() {
        let check = |text: &str, end, closed| {
            assert_eq!(setup_end(text.as_bytes(), 0), SetupEnd { end, closed }, "{text:?}");
        };
        check("/FEN \"B:::\"/ 1", 12, true);
        check("/FEN \"W:W1,\n2:B3\"/", 18, true);
        check("/FEN \"W:W1\n\n1/2-1/2", 10, false);
        check("/FEN \"W:W1 {a/}", 11, false);
        check("/", 1, false);
    }
}
