//! Reports the tag section, sound and damaged.

use std::ops::ControlFlow;

use super::super::event::TagPair;
use super::super::tag_section::{TagSection, TagSectionPart};
use super::super::visitor::{Flow, Visitor};
use super::Walk;
use crate::diag::Code;
use crate::simd::Isa;
use crate::span::Span;
use crate::syntax::{TagForm, TagSpans};
use crate::value::TagName;

impl<'g, V: Visitor<'g>> Walk<'g, '_, V> {
    /// Reports the tags and comments of the tag section. Returns the offset of the first byte of movetext.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tags<I: Isa>(&mut self, isa: I) -> ControlFlow<(), usize> {
        let mut section = TagSection::new(self.game, self.limits);
        loop {
            while let Some(spans) = section.next_regular(isa) {
                self.tag(spans, false)?;
            }
            if section.is_over() {
                break;
            }
            match section.next() {
                Some(part) => self.tag_section_part(part)?,
                None => break,
            }
        }
        let at = section.at();
        self.comments = section.into_comments();
        ControlFlow::Continue(at)
    }

    #[inline(never)]
    fn tag_section_part(&mut self, part: TagSectionPart) -> Flow {
        match part {
            TagSectionPart::Tag(spans) => self.tag(spans, false),
            TagSectionPart::LostBracket(spans) => self.tag_without_bracket(spans),
            TagSectionPart::Comment(span, closing) => self.comment(span, closing),
            TagSectionPart::LineComment(span) => self.line_comment(span),
            TagSectionPart::Control(span) => self.control(span),
            TagSectionPart::TypedEscape(span) => self.report(Code::TypedEscape, span),
        }
    }

    /// Reports a tag and what is wrong with it. Keeps the value of the Result tag.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tag(&mut self, spans: TagSpans, in_moves: bool) -> Flow {
        let span = |(start, end): (usize, usize)| Span::new(start as u32, end as u32);
        let (name_span, value_span) = (span(spans.name), span(spans.value));
        let whole = Span::new(spans.start as u32, spans.end as u32);
        let (name, value) = (name_span.of(self.game), value_span.of(self.game));
        let tag = TagPair { name, value, span: whole, name_span, value_span, in_moves };
        if name.len() == 6 && name.eq_ignore_ascii_case(b"result") {
            self.set_result(value.trim_ascii());
        } else if is_score(value) {
            self.score_tag(&tag);
        }
        self.visitor.tag(tag)?;
        let is_sound = spans.quote_closed
            && spans.bracket_closed
            && !spans.inner_quotes
            && spans.form == TagForm::Quoted;
        if !is_sound {
            self.damaged_tag(spans, whole)?;
        }
        // Two brackets, two quotes and one space.
        let shortest = name.len() + value.len() + 5;
        if V::STYLE && is_sound && self.game[spans.start] == b'[' && whole.len() as usize != shortest {
            self.report(Code::TagForm, whole)?;
        }
        Flow::Continue(())
    }

    /// Keeps a score that is the value of a Result tag under another name, unless there was a Result tag before.
    #[cold]
    fn score_tag(&mut self, tag: &TagPair<'g>) {
        if self.result.is_empty() && tag.recognised().is_some_and(|found| found.tag == TagName::Result) {
            self.set_result(tag.value.trim_ascii());
        }
    }

    /// Reports the diagnostics of a tag that is not sound.
    #[cold]
    fn damaged_tag(&mut self, spans: TagSpans, whole: Span) -> Flow {
        if spans.form == TagForm::Bare {
            return self.report(Code::TagWithoutValue, whole);
        }
        if spans.form == TagForm::Loose || spans.inner_quotes {
            return self.report(Code::TagQuotes, whole);
        }
        if !spans.quote_closed {
            self.report(Code::UnclosedString, Span::new(spans.value.0 as u32 - 1, spans.value.1 as u32))?;
        }
        if !spans.bracket_closed {
            self.report(Code::UnclosedTag, whole)?;
        }
        Flow::Continue(())
    }

    /// Reports a tag that lost its opening bracket.
    #[cold]
    pub(super) fn tag_without_bracket(&mut self, spans: TagSpans) -> Flow {
        self.tag(spans, self.ended || self.numbers.plies > 0)?;
        self.report(Code::LostBracket, Span::new(spans.start as u32, spans.end as u32))
    }
}

/// Returns `true` if a tag value is a score that can look like a move: at most 8 bytes with a hyphen after the first or
/// second digit. Only for these, and never for dates, names or ratings, a tag name is recognised during the walk.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_score(value: &[u8]) -> bool {
    value.len() <= 8 && matches!(value, [b'0'..=b'9', b'-', ..] | [b'0'..=b'9', b'0'..=b'9', b'-', ..])
}
