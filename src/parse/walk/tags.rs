//! The tags before the moves, sound and damaged.

use std::ops::ControlFlow;

use super::super::event::TagPair;
use super::super::header::{Header, HeaderPart};
use super::{Flow, Visitor, Walk};
use crate::diag::Code;
use crate::simd::Isa;
use crate::span::Span;
use crate::syntax::{TagForm, TagSpans};

impl<'g, V: Visitor<'g>> Walk<'g, '_, V> {
    /// Tells of tags and comments up to the first byte of movetext, and answers with its offset.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tags<I: Isa>(&mut self, isa: I) -> ControlFlow<(), usize> {
        let mut header = Header::new(self.game, self.limits);
        loop {
            while let Some(spans) = header.next_plain(isa) {
                self.tag(spans, false)?;
            }
            if header.is_over() {
                break;
            }
            match header.next() {
                Some(part) => self.header_part(part)?,
                None => break,
            }
        }
        let at = header.at();
        self.comments = header.into_comments();
        ControlFlow::Continue(at)
    }

    #[inline(never)]
    fn header_part(&mut self, part: HeaderPart) -> Flow {
        match part {
            HeaderPart::Tag(spans) => self.tag(spans, false),
            HeaderPart::LostBracket(spans) => self.tag_without_bracket(spans),
            HeaderPart::Comment(span, shape) => self.comment(span, shape),
            HeaderPart::LineComment(span) => self.line_comment(span),
            HeaderPart::Control(span) => self.control(span),
            HeaderPart::TypedEscape(span) => self.report(Code::TypedEscape, span),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn tag(&mut self, spans: TagSpans, in_moves: bool) -> Flow {
        let span = |(start, end): (usize, usize)| Span::new(start as u32, end as u32);
        let (name_span, value_span) = (span(spans.name), span(spans.value));
        let whole = Span::new(spans.start as u32, spans.end as u32);
        let (name, value) = (name_span.of(self.game), value_span.of(self.game));
        if name.len() == 6 && name.eq_ignore_ascii_case(b"result") {
            self.set_result(value.trim_ascii());
        }
        self.visitor.tag(TagPair { name, value, span: whole, name_span, value_span, in_moves })?;
        let sound = spans.quote_closed
            && spans.bracket_closed
            && !spans.inner_quotes
            && spans.form == TagForm::Quoted;
        if !sound {
            self.damaged_tag(spans, whole)?;
        }
        let brief = name.len() + value.len() + 5;
        if V::STYLE && sound && self.game[spans.start] == b'[' && whole.len() as usize != brief {
            self.report(Code::TagForm, whole)?;
        }
        Flow::Continue(())
    }

    #[cold]
    pub(super) fn damaged_tag(&mut self, spans: TagSpans, whole: Span) -> Flow {
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

    #[cold]
    pub(super) fn tag_without_bracket(&mut self, spans: TagSpans) -> Flow {
        self.tag(spans, self.ended || self.line.plies > 0)?;
        self.report(Code::LostBracket, Span::new(spans.start as u32, spans.end as u32))
    }
}
