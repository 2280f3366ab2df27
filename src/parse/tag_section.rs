//! Reads the tag section: the tag pairs before the movetext, and the comments between them.

use crate::limits::Limits;
use crate::simd::{self, Isa, Task};
use crate::span::Span;
use crate::steps;
use crate::syntax::{
    CommentClosing, CommentFinder, MAX_NAME_BYTES, TagForm, TagSpans, is_name_byte, line_end, lost_bracket,
    regular_tag, scan_tag, skip_whitespace, starts_line,
};

/// An iterator over the parts of a tag section. After the last part, [`TagSection::at`] is the start of the movetext.
#[derive(Debug)]
pub(crate) struct TagSection<'g> {
    game: &'g [u8],
    /// The offset of the first byte that has not been passed.
    at: usize,
    /// The greatest length of a comment in bytes.
    reach: usize,
    comments: CommentFinder,
}

/// A part of a tag section.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TagSectionPart {
    /// A tag with its opening bracket.
    Tag(TagSpans),
    /// A tag that lost its opening bracket.
    LostBracket(TagSpans),
    /// A comment in braces.
    Comment(Span, CommentClosing),
    /// A comment to the end of the line.
    LineComment(Span),
    /// Whitespace that contains a control character, from that character on.
    Control(Span),
    /// A line end typed as two characters.
    TypedEscape(Span),
}

impl<'g> TagSection<'g> {
    /// Creates an iterator over the parts of the tag section of `game`.
    #[inline]
    pub(crate) fn new(game: &'g [u8], limits: &Limits) -> Self {
        let at = if game.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Self { game, at, reach: limits.comment_bytes, comments: CommentFinder::new() }
    }

    /// Returns the next part if it is a regular tag after spaces, tabs and line ends only. Otherwise the position
    /// does not change.
    // Twin: next; test: next_regular_equals_next.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next_regular<I: Isa>(&mut self, isa: I) -> Option<TagSpans> {
        let mut at = self.at;
        while let Some(b'\n' | b'\r' | b'\t' | b' ') = self.game.get(at) {
            at += 1;
        }
        let spans = regular_tag(isa, self.game, at)?.spans(at);
        self.at = spans.end;
        Some(spans)
    }

    /// Returns `true` if only spaces, tabs and line ends stand before a digit: then the tag section is over, and
    /// they are skipped.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_over(&mut self) -> bool {
        let rest = self.game.get(self.at..).unwrap_or_default();
        let len = rest.iter().take_while(|byte| matches!(byte, b'\n' | b'\r' | b'\t' | b' ')).count();
        let over = rest.get(len).is_some_and(u8::is_ascii_digit);
        if over {
            self.at += len;
        }
        over
    }

    /// Returns the next tag and skips other parts before it.
    #[inline]
    pub(crate) fn next_tag(&mut self) -> Option<TagSpans> {
        if let Some(spans) = simd::run(NextRegular { section: self }) {
            return Some(spans);
        }
        loop {
            if let TagSectionPart::Tag(spans) | TagSectionPart::LostBracket(spans) = self.next()? {
                return Some(spans);
            }
        }
    }

    /// Returns the offset of the first byte that has not been passed.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Returns the comment finder, which remembers braces after the current offset.
    pub(crate) fn into_comments(self) -> CommentFinder {
        self.comments
    }
}

/// Runs [`TagSection::next_regular`] with the instruction set of this processor.
struct NextRegular<'s, 'g> {
    section: &'s mut TagSection<'g>,
}

impl Task for NextRegular<'_, '_> {
    type Output = Option<TagSpans>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> Option<TagSpans> {
        self.section.next_regular(isa)
    }
}

impl Iterator for TagSection<'_> {
    type Item = TagSectionPart;

    #[inline]
    fn next(&mut self) -> Option<TagSectionPart> {
        let game = self.game;
        let start = self.at;
        steps::add(1);
        self.at = skip_whitespace(game, start).end;
        let at = self.at;
        if let Some(n) = game[start..at].iter().position(|&b| is_control(b)) {
            return Some(TagSectionPart::Control(Span::new((start + n) as u32, at as u32)));
        }
        let span = |end: usize| Span::new(at as u32, end as u32);
        match *game.get(at)? {
            b'[' => {
                let spans = scan_tag(game, at).filter(|spans| spans.form != TagForm::None)?;
                self.at = spans.end;
                Some(TagSectionPart::Tag(spans))
            }
            b'{' => {
                let comment = self.comments.end(game, at, self.reach);
                self.at = comment.end;
                Some(TagSectionPart::Comment(span(self.at), comment.closing))
            }
            b'%' if !starts_line(game, 0, at) => None,
            b';' | b'%' => {
                self.at = line_end(game, at);
                Some(TagSectionPart::LineComment(span(self.at)))
            }
            b'\\' if matches!(game.get(at + 1), Some(b'r' | b'n')) => {
                self.at = at + 2;
                Some(TagSectionPart::TypedEscape(span(self.at)))
            }
            b'A'..=b'Z' => {
                let spans = tag_without_bracket(game, at)?;
                self.at = spans.end;
                Some(TagSectionPart::LostBracket(spans))
            }
            _ => None,
        }
    }
}

/// Returns the tag at offset `at` if it is one that lost its opening bracket: `Event "x"]`.
#[cold]
pub(crate) fn tag_without_bracket(game: &[u8], at: usize) -> Option<TagSpans> {
    let name = at + game[at..].iter().take(MAX_NAME_BYTES + 1).take_while(|&&b| is_name_byte(b)).count();
    let quote = skip_whitespace(game, name).end;
    if game.get(quote) != Some(&b'"') || lost_bracket(game, 0, quote) != Some(at) {
        return None;
    }
    // The line ends with a quote, a bracket and perhaps whitespace.
    let line = line_end(game, quote);
    let bracket = at + memchr::memrchr(b']', &game[at..line])?;
    let close = at + memchr::memrchr(b'"', &game[at..bracket])?;
    Some(TagSpans {
        start: at,
        name: (at, name),
        value: (quote + 1, close.max(quote + 1)),
        end: bracket + 1,
        form: TagForm::Quoted,
        quote_closed: true,
        bracket_closed: true,
        inner_quotes: false,
    })
}

/// Returns `true` if `byte` is a control character other than tabs, line ends, vertical tabs and form feeds.
fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t'..=b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::run_on_all;
    use proptest::prelude::*;

    /// Calls [`TagSection::next_regular`] at an offset, and returns the spans and the offset after the call.
    #[derive(Clone)]
    struct NextRegularAt<'g>(&'g [u8], usize);

    impl Task for NextRegularAt<'_> {
        type Output = (Option<TagSpans>, usize);

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> Self::Output {
            let mut section = TagSection::new(self.0, &Limits::DEFAULT);
            section.at = self.1;
            (section.next_regular(isa), section.at)
        }
    }

    proptest! {
        #[test]
        fn next_regular_equals_next(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "[Event \"x\"]\n", "[White \"Sijbrands, T.\"]\r\n", "[A \"\"]", "[Result \"2-0\"] ", "[B \"a\\\"b\"]\n",
                    "[C \"a\"b\"]\n", "[D x]\n", "[E]\n", " ", "\n", "\t", "\u{1}", "\u{a0}", "{c}\n", "; d\n", "[F \"", "\"]",
                    "Black \"b\"]\n", "[Long \"0123456789012345678901234567890123456789012345678901234567890123\"]\n",
                ]),
                0..20,
            ),
        ) {
            let text = parts.concat();
            let game = text.as_bytes();
            let mut naive = TagSection::new(game, &Limits::DEFAULT);
            loop {
                let start = naive.at;
                let part = naive.next();
                for (regular, at) in run_on_all(NextRegularAt(game, start)) {
                    match (regular, part) {
                        (None, _) => prop_assert_eq!(at, start),
                        (Some(spans), Some(TagSectionPart::Tag(expected))) => {
                            prop_assert_eq!((spans, at), (expected, naive.at));
                        }
                        (Some(spans), other) => prop_assert!(false, "{spans:?} instead of {other:?} in {text:?}"),
                    }
                }
                if part.is_none() {
                    break;
                }
            }
        }
    }
}
