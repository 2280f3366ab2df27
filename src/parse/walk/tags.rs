//! The tags before the moves, sound and damaged.

use std::ops::ControlFlow;

use super::super::event::Tag;
use super::{Flow, Visitor, Walk};
use crate::diag::Code;
use crate::shape::{
    NAME_BYTES, TagForm, TagSpans, is_name_byte, line_end, lost_bracket, skip_blanks, starts_line, tag,
};
use crate::span::Span;

impl<'g, V: Visitor<'g>> Walk<'g, '_, V> {
    /// Tells of blanks, comments and tags up to the first byte of movetext, and answers with its offset.
    #[inline]
    pub(super) fn tags(&mut self) -> ControlFlow<(), usize> {
        let game = self.game;
        let mut at = if game.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        loop {
            let blanks = at;
            at = skip_blanks(game, at).end;
            if let Some(n) = game[blanks..at].iter().position(|&b| is_control(b)) {
                self.control(Span::new((blanks + n) as u32, at as u32))?;
            }
            match game.get(at) {
                Some(b'[') => match tag(game, at) {
                    Some(spans) if spans.form != TagForm::None => {
                        at = spans.end;
                        self.tag(spans, at, false)?;
                    }
                    _ => break,
                },
                Some(b'{') => {
                    let found = self.comments.end(game, at, self.limits.comment_bytes);
                    self.comment(Span::new(at as u32, found.end as u32), found.shape)?;
                    at = found.end;
                }
                Some(b';') => {
                    let end = line_end(game, at);
                    self.line_comment(Span::new(at as u32, end as u32))?;
                    at = end;
                }
                Some(b'%') if starts_line(game, 0, at) => {
                    let end = line_end(game, at);
                    self.line_comment(Span::new(at as u32, end as u32))?;
                    at = end;
                }
                Some(b'\\') if matches!(game.get(at + 1), Some(b'r' | b'n')) => {
                    self.report(Code::TypedEscape, Span::new(at as u32, at as u32 + 2))?;
                    at += 2;
                }
                Some(b'A'..=b'Z') => match self.tag_without_bracket(at)? {
                    Some(end) => at = end,
                    None => break,
                },
                _ => break,
            }
        }
        ControlFlow::Continue(at)
    }

    #[inline]
    pub(super) fn tag(&mut self, spans: TagSpans, end: usize, in_moves: bool) -> Flow {
        let span = |(start, end): (usize, usize)| Span::new(start as u32, end as u32);
        let (name_span, value_span) = (span(spans.name), span(spans.value));
        let whole = Span::new(spans.start as u32, end as u32);
        let (name, value) = (name_span.of(self.game), value_span.of(self.game));
        if name.len() == 6 && name.eq_ignore_ascii_case(b"result") {
            self.result = value.trim_ascii();
        }
        self.visitor.tag(Tag { name, value, span: whole, name_span, value_span, in_moves })?;
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

    /// Reads `Event "x"]` at `at`, and answers where it ends if that is what stands there.
    #[cold]
    pub(super) fn tag_without_bracket(&mut self, at: usize) -> ControlFlow<(), Option<usize>> {
        let game = self.game;
        let name = at + game[at..].iter().take(NAME_BYTES + 1).take_while(|&&b| is_name_byte(b)).count();
        let quote = skip_blanks(game, name).end;
        if game.get(quote) != Some(&b'"') || lost_bracket(game, 0, quote) != Some(at) {
            return ControlFlow::Continue(None);
        }
        let end = line_end(game, quote);
        // The line ends with quote, bracket and perhaps blanks.
        let bracket = at + memchr::memrchr(b']', &game[at..end]).unwrap_or(0);
        let close = at + memchr::memrchr(b'"', &game[at..bracket]).unwrap_or(0);
        let spans = TagSpans {
            start: at,
            name: (at, name),
            value: (quote + 1, close.max(quote + 1)),
            end: bracket + 1,
            form: TagForm::Quoted,
            quote_closed: true,
            bracket_closed: true,
            inner_quotes: false,
        };
        self.tag(spans, bracket + 1, self.ended || self.line.plies > 0)?;
        self.report(Code::LostBracket, Span::new(at as u32, bracket as u32 + 1))?;
        ControlFlow::Continue(Some(bracket + 1))
    }
}

/// Whether `byte` is a control character that ends no line and moves no column.
fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t'..=b'\r')
}
