//! Reports text without meaning, and brackets in the movetext.

use super::super::tag_section::tag_without_bracket;
use super::super::visitor::{Flow, Visitor};
use super::Walk;
use crate::diag::Code;
use crate::lex::{Lexer, Token, TokenKind};
use crate::span::Span;
use crate::syntax::{TagForm, run_end, scan_tag};

impl<'g, V: Visitor<'g>> Walk<'g, '_, V> {
    /// Reports a bracket in the movetext: a tag in the wrong place, or damage.
    #[cold]
    pub(super) fn bracket(&mut self, token: Token, lexer: &mut Lexer<'g>) -> Flow {
        let at = token.span.start as usize;
        match scan_tag(self.game, at) {
            Some(spans) if matches!(spans.form, TagForm::Quoted | TagForm::Bare) => {
                lexer.skip_to(spans.end as u32);
                let whole = Span::new(token.span.start, spans.end as u32);
                if self.depth > 0 {
                    // A tag inside a variation does not describe the game.
                    return self.text(whole, Code::TagInMoves);
                }
                self.tag(spans, true)?;
                self.report(Code::TagInMoves, whole)
            }
            _ => {
                // The last bracket of a run may open a tag.
                let end = run_end(self.game, at);
                let stray = end - usize::from(end > at + 1);
                lexer.skip_to(stray as u32);
                self.report(Code::StrayBracket, Span::new(token.span.start, stray as u32))
            }
        }
    }

    /// Reports a run of closing brackets, braces or parentheses that close nothing.
    #[cold]
    pub(super) fn stray(&mut self, code: Code, span: Span, lexer: &mut Lexer<'g>) -> Flow {
        let end = run_end(self.game, span.start as usize) as u32;
        lexer.skip_to(end);
        self.report(code, Span::new(span.start, end))
    }

    /// Adds a token without meaning to the pending text, unless it starts a tag that lost its opening bracket.
    #[cold]
    pub(super) fn gather_text(&mut self, token: Token, lexer: &mut Lexer<'g>) -> Flow {
        let span = token.span;
        if self.pending_text.is_none()
            && token.kind == TokenKind::Word
            && self.game[span.start as usize].is_ascii_uppercase()
            && let Some(spans) = tag_without_bracket(self.game, span.start as usize)
        {
            lexer.skip_to(spans.end as u32);
            return self.tag_without_bracket(spans);
        }
        let code = match self.pending_text {
            Some((_, code)) if !(code == Code::UnknownBytes && token.kind != TokenKind::Unknown) => code,
            _ if self.ended => Code::TextAfterEnd,
            _ if token.kind == TokenKind::Unknown => Code::UnknownBytes,
            _ if span.start == self.last_move_end && span.start > 0 => Code::GluedText,
            _ => Code::UnexpectedText,
        };
        let mut whole = self.pending_text.map_or(span, |(text, _)| text.to(span));
        if token.kind != TokenKind::Word && span.len() == 1 {
            // Of a run of equal bytes, all but the last are text too; the last one may begin a token.
            let last = run_end(self.game, span.start as usize) as u32 - 1;
            whole.end = whole.end.max(last);
            lexer.skip_to(whole.end);
        }
        self.pending_text = Some((whole, code));
        Flow::Continue(())
    }

    /// Reports the pending text, if there is any.
    #[inline]
    pub(super) fn flush_text(&mut self) -> Flow {
        match self.pending_text.take() {
            Some((span, code)) => self.text(span, code),
            None => Flow::Continue(()),
        }
    }

    /// Reports text without meaning and a diagnostic with the given code.
    #[cold]
    pub(super) fn text(&mut self, span: Span, code: Code) -> Flow {
        if !self.is_reporting() {
            return Flow::Continue(());
        }
        self.visitor.text(span.of(self.game), span)?;
        self.report_part(code, span)
    }
}
