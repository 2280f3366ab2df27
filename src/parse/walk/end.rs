//! Results, terminators and the parentheses of variations: what opens and closes.

use super::super::event::{Terminator, VariationMark};
use super::super::visitor::VariationAction;
use super::{Flow, Lexer, Visitor, Walk};
use crate::diag::Code;
use crate::span::Span;
use crate::syntax::{run_end, skip_blanks};

impl<'g, V: Visitor<'g>> Walk<'g, '_, V> {
    /// A result or a lone star.
    pub(super) fn result(&mut self, span: Span) -> Flow {
        if self.depth > 0 && self.is_last(span.end) {
            self.close_variations(span.start)?;
        }
        if self.depth > 0 {
            // The result of a variation: an opinion, not the end of the game.
            return self.text(span, Code::ResultInVariation);
        }
        self.terminator(span)
    }

    pub(super) fn terminator(&mut self, span: Span) -> Flow {
        let text = span.of(self.game);
        if self.ended {
            return self.text(span, Code::SecondTerminator);
        }
        self.ended = true;
        if let Some(number) = self.line.pending.take()
            && self.line.plies > 0
        {
            self.report(Code::NumberWithoutMove, number)?;
        }
        self.visitor.terminator(Terminator { text, span })?;
        if text == b"*" { Flow::Continue(()) } else { self.style(Code::ResultAsTerminator, span) }
    }

    /// Whether only blanks and comments follow `at`, as far as the first of them tells.
    #[cold]
    pub(super) fn is_last(&self, at: u32) -> bool {
        let next = skip_blanks(self.game, at as usize).end;
        matches!(self.game.get(next), None | Some(b'{' | b';'))
    }

    /// Closes what is open at the end of the game.
    pub(super) fn close(&mut self) -> Flow {
        self.flush_text()?;
        if self.depth > 0 {
            self.close_variations(self.game.len() as u32)?;
        }
        if let Some(number) = self.line.pending.take() {
            self.report(Code::NumberWithoutMove, number)?;
        }
        if V::STYLE && !self.ended {
            self.report(Code::MissingTerminator, Span::at(self.game.trim_ascii_end().len() as u32))?;
        }
        Flow::Continue(())
    }

    // -- variations

    /// Closes at `at` what no parenthesis closed.
    #[cold]
    pub(super) fn close_variations(&mut self, at: u32) -> Flow {
        self.report(Code::UnclosedVariation, self.line.open)?;
        if !self.heard() {
            self.depth = self.skipping;
        }
        while self.depth > 0 {
            let depth = self.depth;
            self.leave_variation(VariationMark { span: Span::at(at), depth })?;
        }
        Flow::Continue(())
    }

    pub(super) fn open_variation(&mut self, span: Span, lexer: &mut Lexer<'g>) -> Flow {
        self.depth += 1;
        if !self.heard() {
            // Of many, the last one may open a strength, `(!)`.
            let last = run_end(self.game, span.start as usize) as u32 - 1;
            self.depth += last.saturating_sub(span.end);
            lexer.skip_to(last);
        }
        if self.depth == 1 {
            self.line.open = span;
        }
        self.line.pending = None;
        self.line.empty = true;
        if !self.heard() {
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

    pub(super) fn close_variation(&mut self, span: Span, lexer: &mut Lexer<'g>) -> Flow {
        if self.depth == 0 {
            return self.stray(Code::StrayParenthesis, span, lexer);
        }
        if self.depth > self.skipping && !self.heard() {
            // Up to the one that closes what is skipped.
            let more = run_end(self.game, span.start as usize) as u32 - span.end;
            let closed = more.min(self.depth - self.skipping - 1);
            self.depth -= closed;
            lexer.skip_to(span.end + closed);
        }
        if V::STYLE && self.line.empty && self.heard() {
            self.report(Code::EmptyVariation, span)?;
        }
        self.line.empty = false;
        if let Some(number) = self.line.pending.take()
            && self.heard()
        {
            self.report(Code::NumberWithoutMove, number)?;
        }
        let depth = self.depth;
        self.leave_variation(VariationMark { span, depth })
    }

    pub(super) fn leave_variation(&mut self, variation: VariationMark) -> Flow {
        self.depth -= 1;
        if self.skipping == 0 {
            return self.visitor.end_variation(variation);
        }
        if self.skipping > self.depth {
            self.skipping = 0;
            if let Some(open) = self.too_deep.take() {
                return self.report(Code::VariationTooDeep, open.to(variation.span));
            }
        }
        Flow::Continue(())
    }
}
