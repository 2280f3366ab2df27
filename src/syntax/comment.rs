//! Where a comment in braces ends, also when braces nest or never close.
//!
//! The rule, a function of the bytes from the opening brace on:
//!
//! 1. braces are counted; the comment ends with the brace that brings the count to nought, if that one comes
//!    within [`Limits::comment_bytes`](crate::limits::Limits::comment_bytes);
//! 2. else with the first closing brace, if that one comes before the next line that starts with a tag;
//! 3. else before that line, or at the end of the input.
//!
//! So a comment may contain whole games, brackets and comments, and yet one that was never closed costs its own
//! game only. Looking far ahead for every brace would be quadratic on hostile input; [`CommentFinder`] remembers what
//! it has seen, passes each byte at most twice, and forgets what lies behind.

use super::blank::starts_line;
use super::tag::{TagForm, tag_starts};

/// How a comment ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommentClosing {
    /// With its brace, and without another comment inside.
    Plain,
    /// With its brace, and with matched braces inside.
    Nested,
    /// With the first closing brace although another one was opened inside: one brace is missing.
    Unbalanced,
    /// Never: it runs to the next line that starts with a tag or to the end of the input.
    Unclosed,
}

/// The end of a comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommentEnd {
    /// Offset just past the comment, closing brace included.
    pub end: usize,
    /// How it ended.
    pub shape: CommentClosing,
    /// The answer could differ if more bytes followed the input.
    pub open_ended: bool,
}

/// Finds the ends of comments in one input, in order, in linear time.
///
/// Allocates only when braces nest and do not match, and then at most a few words for each brace in reach.
#[derive(Debug, Default)]
pub struct CommentFinder {
    /// Every opening brace in `from..to`, with the place of its partner once known.
    pairs: Vec<(usize, usize)>,
    /// Indices into `pairs` of the braces still open at `to`.
    open: Vec<usize>,
    from: usize,
    to: usize,
    /// First and last offset of bytes without a closing brace: all that is remembered of braces that never close.
    bare: (usize, usize),
}

/// Stands for a partner not met yet.
const OPEN: usize = usize::MAX;
/// So many pairs may lie behind before they are forgotten.
const BEHIND: usize = 4096;

impl CommentFinder {
    /// A finder that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything: call it when offsets come to mean other bytes.
    pub fn reset(&mut self) {
        self.pair_from(0);
        self.bare = (0, 0);
    }

    /// Forgets all pairs; the next are those from `at` on.
    fn pair_from(&mut self, at: usize) {
        self.pairs.clear();
        self.open.clear();
        (self.from, self.to) = (at, at);
    }

    /// The end of the comment that opens at `at`, looking for its brace over at most `reach` bytes.
    ///
    /// `bytes[at]` is the opening brace.
    #[inline]
    pub fn end(&mut self, bytes: &[u8], at: usize, reach: usize) -> CommentEnd {
        debug_assert_eq!(bytes.get(at), Some(&b'{'));
        let reach = reach.max(1);
        let horizon = bytes.len().min(at.saturating_add(reach));
        if let Some(n) = memchr::memchr2(b'{', b'}', &bytes[at + 1..horizon])
            && bytes[at + 1 + n] == b'}'
        {
            return CommentEnd { end: at + n + 2, shape: CommentClosing::Plain, open_ended: false };
        }
        self.end_of_odd(bytes, at, horizon, reach)
    }

    #[cold]
    fn end_of_odd(&mut self, bytes: &[u8], at: usize, horizon: usize, reach: usize) -> CommentEnd {
        let near = near_partner(bytes, at, horizon);
        if let Some(close) = near.or_else(|| self.partner(bytes, at, horizon)) {
            return CommentEnd { end: close + 1, shape: CommentClosing::Nested, open_ended: false };
        }
        let open_ended = horizon - at < reach;
        let mut from = at + 1;
        while let Some(n) = memchr::memchr2(b'}', b'[', &bytes[from..]) {
            let place = from + n;
            if bytes[place] == b'}' {
                return CommentEnd { end: place + 1, shape: CommentClosing::Unbalanced, open_ended };
            }
            if starts_line(bytes, at, place) && tag_starts(bytes, place) == TagForm::Quoted {
                return CommentEnd { end: place, shape: CommentClosing::Unclosed, open_ended };
            }
            from = place + 1;
        }
        CommentEnd { end: bytes.len(), shape: CommentClosing::Unclosed, open_ended: true }
    }

    /// The closing brace that brings the count from `at` to nought before `horizon`.
    fn partner(&mut self, bytes: &[u8], at: usize, horizon: usize) -> Option<usize> {
        if self.is_bare(bytes, at, horizon) {
            return None;
        }
        if at < self.from || at >= self.to {
            self.pair_from(at);
        }
        loop {
            // The brace itself may not have been passed yet; then no pair has its place.
            let index = self.pairs.binary_search_by_key(&at, |pair| pair.0);
            let known = index.map(|i| self.pairs[i].1);
            if let Ok(behind) = index {
                self.forget(behind, at);
            }
            if let Ok(close) = known
                && close != OPEN
            {
                return (close < horizon).then_some(close);
            }
            if self.to >= horizon {
                return None;
            }
            // In steps, so that a partner close by is found without reading to the horizon.
            let step = horizon.min(self.to.max(at) + 4096);
            for n in memchr::memchr2_iter(b'{', b'}', &bytes[self.to..step]) {
                let place = self.to + n;
                if bytes[place] == b'{' {
                    self.open.push(self.pairs.len());
                    self.pairs.push((place, OPEN));
                } else if let Some(opener) = self.open.pop() {
                    self.pairs[opener].1 = place;
                }
            }
            self.to = step;
        }
    }

    /// Whether no closing brace stands between `at` and `horizon`.
    fn is_bare(&mut self, bytes: &[u8], at: usize, horizon: usize) -> bool {
        let (from, to) = self.bare;
        let known = if (from..to).contains(&at) { to } else { at };
        let close = memchr::memchr(b'}', &bytes[known.min(horizon)..horizon]);
        self.bare = (at, close.map_or(horizon.max(known), |n| known + n));
        close.is_none()
    }

    /// Forgets the first `behind` pairs, which lie before `at`, once they are many and most.
    fn forget(&mut self, behind: usize, at: usize) {
        if behind < BEHIND || behind < self.pairs.len() / 2 {
            return;
        }
        self.pairs.drain(..behind);
        self.open.retain_mut(|index| {
            let kept = *index >= behind;
            *index = index.saturating_sub(behind);
            kept
        });
        self.from = at;
    }
}

/// How many braces are looked at before anything is remembered.
const NEAR: usize = 64;

/// The partner of the brace at `at`, if few others stand between: what people nest is found without scratch memory.
fn near_partner(bytes: &[u8], at: usize, horizon: usize) -> Option<usize> {
    let mut depth = 0usize;
    for n in memchr::memchr2_iter(b'{', b'}', &bytes[at..horizon]).take(NEAR) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, end: usize, shape: CommentClosing) {
        let got = CommentFinder::new().end(text.as_bytes(), 0, 1 << 20);
        assert_eq!((got.end, got.shape), (end, shape), "{text:?}");
    }

    #[test]
    fn braces_are_counted_and_what_never_closes_ends_at_a_tag() {
        use CommentClosing::*;
        check("{}", 2, Plain);
        check("{a\n[b] c} d }", 9, Plain);
        check("{ nested { comment } } 1", 22, Nested);
        check("{ a { b } 32-28 1-0", 9, Unbalanced);
        check("{ never", 7, Unclosed);
        check("{ never\n\n[Event \"x\"]\n1. 32-28 { ok }", 9, Unclosed);
        check("{ out\n\n[Event \"x\"]\n1. 32-28 { ok } } 1", 36, Nested);
        check("{ never [Event \"x\"]", 19, Unclosed);
    }

    #[test]
    fn reach_bounds_the_look_ahead() {
        let text = b"{ {} 56789 }";
        assert_eq!(CommentFinder::new().end(text, 0, 12).shape, CommentClosing::Nested);
        assert_eq!(CommentFinder::new().end(text, 0, 11).shape, CommentClosing::Unbalanced);
    }

    #[test]
    fn a_finder_that_remembers_answers_as_a_fresh_one() {
        let text = b"{{}{{}{}}{ {{ } } {\n[A \"\"] {} {}{{{}}{ } }}} {";
        let bare = "{x".repeat(300);
        let text = &[&text[..], "{".repeat(70).as_bytes(), "}".repeat(70).as_bytes(), text].concat();
        let text = &[&text[..], bare.as_bytes(), b"{}", bare.as_bytes()].concat();
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
    fn what_lies_behind_is_forgotten() {
        let text = b"{{}{{}}{{{}".repeat(20_000);
        let mut comments = CommentFinder::new();
        for at in memchr::memchr_iter(b'{', &text) {
            let end = comments.end(&text, at, 999);
            if at % 7 == 0 {
                assert_eq!(end, CommentFinder::new().end(&text, at, 999), "{at}");
            }
        }
        assert!(comments.pairs.len() <= 2 * BEHIND + 5000, "{} pairs kept", comments.pairs.len());
        assert!(comments.open.len() <= comments.pairs.len());
    }
}
