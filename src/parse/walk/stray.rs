//! Reports text without meaning, and brackets in the movetext.

use super::super::event::{Comment, CommentKind};
use super::super::tag_section::tag_without_bracket;
use super::super::visitor::{Flow, Visitor};
use super::Walk;
use crate::diag::Code;
use crate::lex::{Lexer, Token, TokenKind};
use crate::span::Span;
use crate::syntax::{
    TagForm, after_empty_line, bracketed_words_end, heading_end, paragraph_end, result_len, run_end,
    scan_tag, skip_whitespace, starts_line,
};
use crate::value::{Nag, Verdict};

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
                if let Some(end) = bracketed_words_end(self.game, at)
                    && !self.ended
                {
                    lexer.skip_to(end as u32);
                    let span = Span::new(token.span.start, end as u32);
                    return self.bare_comment(Span::new(span.start + 1, span.end - 1), span);
                }
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
        if let Some(number) = self.numbers.pending.filter(|number| number.end == span.start)
            && matches!(span.of(self.game), [b'W' | b'w' | b'B' | b'b'])
        {
            // `1.W` and `1.B` name the side that moves.
            self.numbers.pending = Some(number.to(span));
            return self.style_of_part(Code::MoveNumberForm, number.to(span));
        }
        if self.pending_text.is_none()
            && token.kind == TokenKind::Word
            && let Some(end) = self.end_of_words(span.start as usize)
        {
            lexer.skip_to(end as u32);
            let span = Span::new(span.start, end as u32);
            return self.bare_comment(span, span);
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

    /// Returns the end of the heading or the paragraph that starts with the word at offset `at`.
    fn end_of_words(&self, at: usize) -> Option<usize> {
        if self.ended || self.depth > 0 || !starts_line(self.game, 0, at) {
            return None;
        }
        let heading = if self.numbers.plies == 0 { heading_end(self.game, at) } else { None };
        heading.or_else(|| {
            // Before the first move, only a heading is certain.
            let is_apart = self.numbers.plies > 0 && after_empty_line(self.game, 0, at);
            let end = is_apart.then(|| paragraph_end(self.game, at)).flatten()?;
            // A paragraph that gives the result is no comment.
            Verdict::read(&self.game[at..end]).is_none().then_some(end)
        })
    }

    /// Reports a comment without braces, given the span of its text.
    pub(super) fn bare_comment(&mut self, text: Span, span: Span) -> Flow {
        if !self.is_reporting() {
            return Flow::Continue(());
        }
        self.visitor.comment(Comment { text: text.of(self.game), kind: CommentKind::Bare, span })?;
        self.style_part(Code::BareComment, span)
    }

    /// Reports the pending text, if there is any.
    #[inline]
    pub(super) fn flush_text(&mut self) -> Flow {
        match self.pending_text.take() {
            Some((span, code)) => self.gathered_text(span, code),
            None => Flow::Continue(()),
        }
    }

    /// Reports text; after the last move it may give the result in words.
    #[cold]
    fn gathered_text(&mut self, span: Span, code: Code) -> Flow {
        let is_verdict_place = self.depth == 0 && !self.ended && self.numbers.plies > 0;
        if !(is_verdict_place || code == Code::TextAfterEnd) || Verdict::read(span.of(self.game)).is_none() {
            return self.other_text(span, code);
        }
        if is_verdict_place { self.verdict(span) } else { self.bare_comment(span, span) }
    }

    /// Reports text that is no result: the sign of an evaluation as a glyph, a sign that belongs to a move as a comment.
    fn other_text(&mut self, span: Span, code: Code) -> Flow {
        let follows_move = !self.ended && self.last_move_end > 0;
        if let Some(nag) = Nag::of_sign(span.of(self.game)).filter(|_| follows_move) {
            if !self.is_reporting() {
                return Flow::Continue(());
            }
            self.visitor.nag(nag, span)?;
            return self.style_part(Code::EvaluationSign, span);
        }
        let is_comment = code == Code::UnknownBytes && self.is_sign_of_move(span);
        if is_comment { self.bare_comment(span, span) } else { self.text(span, code) }
    }

    /// Returns `true` for `+` and `#` that touch a move or its strength, where people who know chess write them.
    fn is_sign_of_move(&self, span: Span) -> bool {
        let between = self.game.get(self.last_move_end as usize..span.start as usize).unwrap_or_default();
        !self.ended
            && self.last_move_end > 0
            && between.iter().all(|byte| matches!(byte, b'!' | b'?'))
            && matches!(span.of(self.game), b"+" | b"++" | b"#")
    }

    /// Reports a result in words: as the terminator if nothing follows, else as a comment before what follows.
    #[cold]
    fn verdict(&mut self, span: Span) -> Flow {
        let next = skip_whitespace(self.game, span.end as usize).end;
        match self.game.get(next) {
            None => self.terminator(span),
            Some(b'*') => self.bare_comment(span, span),
            Some(_) if result_len(self.game, next).is_some() => self.bare_comment(span, span),
            Some(_) => self.other_text(span, Code::UnexpectedText),
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
