//! Reports the tag section, sound and damaged.

use std::ops::ControlFlow;

use super::super::event::{TagPair, recognise_tag};
use super::super::tag_section::{TagSection, TagSectionPart};
use super::super::visitor::{Flow, Visitor};
use super::Walk;
use crate::diag::Code;
use crate::simd::Isa;
use crate::span::Span;
use crate::syntax::{TagForm, TagSpans};
use crate::value::{GameResult, TagName};

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
        if let Some(result) = result_of_tag(name, value, self.result) {
            self.set_result(result);
        }
        self.visitor.tag(TagPair { name, value, span: whole, name_span, value_span, in_moves })?;
        let is_sound = spans.quote_closed
            && spans.bracket_closed
            && !spans.inner_quotes
            && spans.form == TagForm::Quoted;
        if !is_sound {
            self.damaged_tag(spans, whole)?;
        }
        // Two brackets, two quotes and one space.
        let shortest = name.len() + value.len() + 5;
        let is_standard =
            || whole.len() as usize == shortest && !name.contains(&b' ') && !name.contains(&b'\t');
        if V::STYLE && is_sound && self.game[spans.start] == b'[' && !is_standard() {
            self.report(Code::TagForm, whole)?;
        }
        Flow::Continue(())
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

/// Returns the result that a tag gives, if it decides whether a last `4-6` is a move or the terminator. `earlier` is the
/// result that the tags before it gave; a tag replaces it only by the rule of [`GameResult::or_later`].
// Twin of the comparison: `recognise_tag`; test: `score_under_foreign_result_name_is_terminator`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn result_of_tag<'g>(name: &[u8], value: &'g [u8], earlier: &[u8]) -> Option<&'g [u8]> {
    let is_result = if name.len() == 6 && name.eq_ignore_ascii_case(b"result") {
        true
    } else {
        is_score(value) && means_result(name)
    };
    (is_result && (earlier.is_empty() || says_more(value, earlier))).then(|| value.trim_ascii())
}

/// Returns `true` if the later of two results counts.
#[cold]
fn says_more(later: &[u8], earlier: &[u8]) -> bool {
    GameResult::parse(later).weight() > GameResult::parse(earlier).weight()
}

/// Returns `true` if a tag name means Result.
#[cold]
fn means_result(name: &[u8]) -> bool {
    recognise_tag(name).is_some_and(|found| found.tag == TagName::Result)
}

/// Returns `true` if a tag value is a score that can look like a move: at most 8 bytes with a hyphen after the first or
/// second digit. Only for these, and never for dates, names or ratings, a tag name is recognised during the walk.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_score(value: &[u8]) -> bool {
    value.len() <= 8 && matches!(value, [b'0'..=b'9', b'-', ..] | [b'0'..=b'9', b'0'..=b'9', b'-', ..])
}
