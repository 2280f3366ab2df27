//! Reports results, terminators and the parentheses of variations.

use super::super::event::{Terminator, VariationMark};
use super::super::visitor::{Flow, VariationAction, Visitor};
use super::Walk;
use crate::diag::Code;
use crate::lex::Lexer;
use crate::span::Span;
use crate::syntax::{result_len, run_end, skip_whitespace};
use crate::value::GameResult;

impl<'g, V: Visitor<'g>> Walk<'g, '_, V> {
    /// Reports a result, or a star that does not touch a move.
    pub(super) fn result(&mut self, span: Span) -> Flow {
        if self.depth > 0 && self.is_last(span.end) {
            self.close_variations(span.start)?;
        }
        if self.depth > 0 {
            // The result of a variation is an opinion, not the end of the game.
            return self.text(span, Code::ResultInVariation);
        }
        self.terminator(span)
    }

    /// Reports a second terminator: text without meaning, unless it says nothing new.
    #[cold]
    fn second_terminator(&mut self, span: Span) -> Flow {
        let says_the_same = |first, second| {
            let [first, second] = [first, second].map(GameResult::parse);
            first.same_outcome(&second) && first.advantage() == second.advantage()
        };
        let (first, second) = (self.terminator_span.of(self.game), span.of(self.game));
        if second.iter().all(|&byte| byte == b'*') || first == second || says_the_same(first, second) {
            return self.style(Code::RepeatedTerminator, span);
        }
        self.text(span, Code::SecondTerminator)
    }

    /// Reports a star that touches no move; a result after it is the terminator in its place.
    pub(super) fn star(&mut self, span: Span, lexer: &mut Lexer<'g>) -> Flow {
        if self.ended && self.depth == 0 {
            // Stars that touch each other are reported together.
            let end = run_end(self.game, span.start as usize) as u32;
            lexer.skip_to(end);
            return self.result(Span::new(span.start, end));
        }
        let next = skip_whitespace(self.game, span.end as usize).end;
        if self.depth == 0
            && next < self.game.len()
            && let Some(len) = result_len(self.game, next)
        {
            self.style(Code::RepeatedTerminator, span)?;
            lexer.skip_to((next + len) as u32);
            return self.terminator(Span::new(next as u32, (next + len) as u32));
        }
        self.result(span)
    }

    /// Reports a terminator; a second one is text without meaning, unless it says nothing new.
    pub(super) fn terminator(&mut self, span: Span) -> Flow {
        let text = span.of(self.game);
        if self.ended {
            return self.second_terminator(span);
        }
        self.ended = true;
        self.terminator_span = span;
        if let Some(number) = self.numbers.pending.take()
            && self.numbers.plies > 0
        {
            self.report(Code::NumberWithoutMove, number)?;
        }
        self.visitor.terminator(Terminator { text, span })?;
        if text == b"*" { Flow::Continue(()) } else { self.style(Code::ResultAsTerminator, span) }
    }

    /// Returns `true` if a comment or the end of the record follows offset `at` after whitespace. Text after that
    /// comment is ignored.
    #[cold]
    pub(super) fn is_last(&self, at: u32) -> bool {
        let next = skip_whitespace(self.game, at as usize).end;
        matches!(self.game.get(next), None | Some(b'{' | b';'))
    }

    /// Reports the pending text, unclosed variations and missing parts at the end of the record.
    pub(super) fn close(&mut self) -> Flow {
        self.flush_text()?;
        if self.depth > 0 {
            self.close_variations(self.game.len() as u32)?;
        }
        if let Some(number) = self.numbers.pending.take() {
            self.report(Code::NumberWithoutMove, number)?;
        }
        if V::STYLE && !self.ended {
            self.report(Code::MissingTerminator, Span::at(self.game.trim_ascii_end().len() as u32))?;
        }
        Flow::Continue(())
    }

    /// Closes all open variations at offset `at` without a parenthesis.
    #[cold]
    pub(super) fn close_variations(&mut self, at: u32) -> Flow {
        self.report(Code::UnclosedVariation, self.outermost_open)?;
        if !self.is_reporting() {
            self.depth = self.skipping;
        }
        while self.depth > 0 {
            let depth = self.depth;
            self.leave_variation(VariationMark { span: Span::at(at), depth })?;
        }
        Flow::Continue(())
    }

    /// Opens a variation, and asks the visitor whether to enter it.
    pub(super) fn open_variation(&mut self, span: Span) -> Flow {
        self.depth += 1;
        if self.depth == 1 {
            self.outermost_open = span;
        }
        self.numbers.pending = None;
        self.variation_is_empty = true;
        if !self.is_reporting() {
            return Flow::Continue(());
        }
        if self.depth > self.limits.variation_depth {
            self.skipping = self.depth;
            self.too_deep = Some(span);
            return Flow::Continue(());
        }
        if self.visitor.begin_variation(VariationMark { span, depth: self.depth }) == VariationAction::Skip {
            self.skipping = self.depth;
        }
        Flow::Continue(())
    }

    /// Closes the innermost variation; several at once inside a skipped one.
    pub(super) fn close_variation(&mut self, span: Span, lexer: &mut Lexer<'g>) -> Flow {
        if self.depth == 0 {
            return self.stray(Code::StrayParenthesis, span, lexer);
        }
        if self.depth > self.skipping && !self.is_reporting() {
            // Up to the parenthesis that closes the skipped variation.
            let following = run_end(self.game, span.start as usize) as u32 - span.end;
            let closed = following.min(self.depth - self.skipping - 1);
            self.depth -= closed;
            lexer.skip_to(span.end + closed);
        }
        if V::STYLE && self.variation_is_empty && self.is_reporting() {
            self.report_part(Code::EmptyVariation, span)?;
        }
        self.variation_is_empty = false;
        if let Some(number) = self.numbers.pending.take()
            && self.is_reporting()
        {
            self.report_part(Code::NumberWithoutMove, number)?;
        }
        let depth = self.depth;
        self.leave_variation(VariationMark { span, depth })
    }

    /// Leaves the innermost variation and ends skipping if that variation was skipped.
    fn leave_variation(&mut self, variation: VariationMark) -> Flow {
        self.depth -= 1;
        if self.skipping == 0 {
            return self.visitor.end_variation(variation);
        }
        if self.skipping > self.depth {
            self.skipping = 0;
            if let Some(open) = self.too_deep.take() {
                return self.report_part(Code::VariationTooDeep, open.to(variation.span));
            }
        }
        Flow::Continue(())
    }
}
