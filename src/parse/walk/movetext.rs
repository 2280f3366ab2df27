//! Reports the moves and move numbers of the movetext, and hands all other tokens to their own methods.

use std::ops::ControlFlow;

use super::super::event::{MoveNumber, StrengthMark, WrittenMove};
use super::super::move_run::{MoveRun, NumberedMoveRun};
use super::super::number::{leading_number, nag_number};
use super::super::visitor::{Flow, Visitor};
use super::Walk;
use crate::diag::Code;
use crate::lex::{Lexer, Token, TokenKind, TokenRun};
use crate::simd::Isa;
use crate::span::Span;
use crate::syntax::{PlayWord, PlayWords, is_glued_star, is_play, is_whitespace, move_len, skip_whitespace};
use crate::value::Nag;

/// The diagnostics of a byte in a move, each with its bit in [`BYTE_TRAITS`].
const MOVE_TRAITS: [(Code, u8); 3] =
    [(Code::SpacedMove, 1), (Code::CapitalInMove, 2), (Code::SeparatorForm, 4)];

/// For each byte, the bit of the diagnostic that it deserves in a move.
static BYTE_TRAITS: [u8; 256] = {
    let mut traits = [0; 256];
    traits[b' ' as usize] = 1;
    let mut byte = 0;
    while byte < 256 {
        if (byte as u8).is_ascii_uppercase() {
            traits[byte] = 2;
        } else if byte >= 0x80 {
            traits[byte] = 4;
        }
        byte += 1;
    }
    traits
};

/// The greatest length in bytes of a reply in parentheses.
const MAX_REPLY_BYTES: usize = 64;

/// Returns `true` if a text ends with a single move in parentheses.
#[cold]
fn ends_with_reply(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let text = &text[text.len().saturating_sub(MAX_REPLY_BYTES)..];
    let inside = text.strip_suffix(b")").and_then(|text| Some(&text[memchr::memrchr(b'(', text)? + 1..]));
    inside.is_some_and(|inside| {
        is_play(inside) && PlayWords::new(inside).filter(|word| *word == PlayWord::Move).count() == 1
    })
}

impl<'g, V: Visitor<'g>> Walk<'g, '_, V> {
    /// Reports everything from offset `at` on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn movetext<I: Isa>(&mut self, isa: I, at: usize) -> Flow {
        let comments = std::mem::take(&mut self.comments);
        let mut lexer = Lexer::with_comments(self.game, at, self.limits, comments);
        loop {
            let run = lexer.next_run(isa);
            if run.is_empty() {
                if self.pending_text.is_none()
                    && let Some(token) = lexer.next_result()
                {
                    self.result(token.span)?;
                    if lexer.is_over() {
                        return self.close();
                    }
                    continue;
                }
                if let Some(mark) = lexer.next_mark(isa) {
                    if self.pending_text.is_some() {
                        self.flush_text()?;
                    }
                    self.mark(mark, &mut lexer)?;
                    continue;
                }
                let Some(token) = lexer.next_from_automaton() else { return self.close() };
                self.token(token, &mut lexer)?;
                continue;
            }
            if self.whole_run(isa, &run)? || self.variation_run(isa, &run)? {
                continue;
            }
            let is_strict = run.is_strict();
            let mut rest = run;
            while let Some(token) = rest.next() {
                if token.kind == TokenKind::Move {
                    self.single_move(token, is_strict)?;
                } else {
                    self.number(token, token.span)?;
                }
                // After the last long token, which may be a number such as `17...`, the others can be passed at once.
                let is_after_long = run.is_long(token) && !rest.is_empty();
                if is_after_long && (self.whole_run(isa, &rest)? || self.variation_run(isa, &rest)?) {
                    break;
                }
            }
        }
    }

    /// Passes a whole run of a variation at once and returns `true`, if it needs no diagnostic and the visitor wants no numbers of a
    /// variation that it enters. Otherwise nothing changes, and the caller reports the tokens one by one.
    // Twin: single_move and number, token by token; test: move_runs_equal_single_moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variation_run<I: Isa>(&mut self, isa: I, run: &TokenRun) -> ControlFlow<(), bool> {
        let is_entered = self.is_reporting();
        let is_irregular = self.depth == 0
            || self.ended
            || self.result_as_move
            || self.pending_text.is_some()
            || is_entered && (V::STYLE || V::NUMBERS || !run.is_short());
        if is_irregular {
            return ControlFlow::Continue(false);
        }
        let Some(pending) = self.numbers.pending_after(run) else { return ControlFlow::Continue(false) };
        self.numbers.pending = pending;
        if run.moves() != 0 {
            self.variation_is_empty = false;
            self.last_move_end = run.at() + 63 - run.move_ends().leading_zeros();
            if is_entered {
                let (moves, ends) = (run.moves(), run.move_ends());
                let moves = MoveRun::new(self.game, run.at(), moves, ends, isa.number_reader());
                self.visitor.move_run(moves)?;
            }
        }
        ControlFlow::Continue(true)
    }

    /// Reports a whole run at once and returns `true`, if it belongs to the main line and needs no diagnostic.
    /// Otherwise nothing changes, and the caller reports the tokens one by one.
    // Twin: single_move and number, token by token; test: move_runs_equal_single_moves.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn whole_run<I: Isa>(&mut self, isa: I, run: &TokenRun) -> ControlFlow<(), bool> {
        let is_irregular = (V::STYLE && !run.is_strict())
            || self.depth > 0
            || self.ended
            || self.result_as_move
            || self.pending_text.is_some();
        let plies_before = self.numbers.plies;
        if is_irregular || !run.is_short() || run.moves() == 0 {
            return ControlFlow::Continue(false);
        }
        let passes_unread = !V::NUMBERS && !V::NUMBER_CHECKS && self.numbers.pass_unread(run, self.game);
        if !passes_unread && !self.numbers.pass(run, self.game, isa.number_reader()) {
            return ControlFlow::Continue(false);
        }
        self.last_move_end = run.at() + 63 - run.move_ends().leading_zeros();
        self.variation_is_empty = false;
        if V::NUMBERS {
            // Used only if the run has numbers, and then `first` is small.
            let first = self.numbers.first.unwrap_or_default();
            let plies = first.wrapping_mul(2).wrapping_add(plies_before);
            let (starts, reader) = (run.number_starts(), isa.number_reader());
            let parts = NumberedMoveRun::new(self.game, run.at(), run.tokens(), starts, plies, reader);
            self.visitor.numbered_move_run(parts)?;
            return ControlFlow::Continue(true);
        }
        let moves = MoveRun::new(self.game, run.at(), run.moves(), run.move_ends(), isa.number_reader());
        self.visitor.move_run(moves)?;
        ControlFlow::Continue(true)
    }

    /// Keeps the trimmed value of the Result tag.
    #[inline]
    pub(super) fn set_result(&mut self, result: &'g [u8]) {
        self.result = result;
        // These six are never tokens of a run, nor is any text of another length.
        self.result_as_move = !matches!(result, b"1-0" | b"0-1" | b"2-0" | b"0-2" | b"1-1" | b"0-0")
            && (3..=5).contains(&result.len());
    }

    /// Reports a move. A strict one is known to break no rule of style.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn single_move(&mut self, token: Token, is_strict: bool) -> Flow {
        let span = token.span;
        if self.pending_text.is_some() {
            self.flush_text()?;
        }
        let text = span.of(self.game);
        if self.depth == 0 && text.len() == self.result.len() && text == self.result && self.is_last(span.end)
        {
            return self.terminator(span);
        }
        if self.ended {
            self.report(Code::TextAfterEnd, span)?;
        }
        self.numbers.pending = None;
        self.variation_is_empty = false;
        self.last_move_end = span.end;
        self.numbers.plies += u32::from(self.depth == 0);
        if self.is_reporting() {
            self.visitor.written_move(WrittenMove { text, span })?;
            if V::STYLE && !is_strict {
                self.move_style(text, span)?;
            }
        }
        Flow::Continue(())
    }

    /// Reports a move number; `span` covers the number and its dots.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn number(&mut self, token: Token, span: Span) -> Flow {
        if self.pending_text.is_some() {
            self.flush_text()?;
        }
        let text = span.of(self.game);
        let (number, digits) = leading_number(text);
        let dots = text.len() - digits;
        let second = dots >= 3;
        if let Some(earlier) = self.numbers.pending.replace(span) {
            self.report(Code::NumberWithoutMove, earlier)?;
        }
        if self.depth == 0 {
            self.check_number(number, second, span)?;
        }
        if self.is_reporting() {
            if V::NUMBERS {
                self.visitor.move_number(MoveNumber { number, second, span })?;
            }
            if V::STYLE && (token.span != span || (dots != 1 && text[digits..] != *b"...") || text[0] == b'0')
            {
                self.report_part(Code::MoveNumberForm, span)?;
            }
        }
        Flow::Continue(())
    }

    /// Compares a number of the main line with the moves before it.
    #[inline]
    fn check_number(&mut self, number: u32, second: bool, span: Span) -> Flow {
        let numbers = &mut self.numbers;
        numbers.read_last(self.game);
        if second && numbers.plies == 0 {
            // `1... 18-23` at the start of the game: the second side moves first.
            numbers.plies = 1;
        } else if numbers.first.is_none() && second != (numbers.plies % 2 == 1) {
            // After a setup, either side may be to move.
            numbers.plies += 1;
        }
        let passed = numbers.plies / 2;
        match numbers.first {
            Some(first) if first.saturating_add(passed) == number => {}
            Some(first)
                if !second
                    && numbers.plies % 2 == 1
                    && first.saturating_add(passed + 1) == number
                    && ends_with_reply(&self.game[..span.start as usize]) =>
            {
                // The reply of the other side stands in parentheses.
                numbers.plies += 1;
            }
            Some(_) if !numbers.reported => {
                numbers.reported = true;
                numbers.first = number.checked_sub(passed);
                return self.report(Code::MoveNumber, span);
            }
            _ => numbers.first = number.checked_sub(passed),
        }
        Flow::Continue(())
    }

    /// Reports a token that is not part of a run.
    #[inline(never)]
    fn token(&mut self, token: Token, lexer: &mut Lexer<'g>) -> Flow {
        let span = token.span;
        if let Some((text, _)) = self.pending_text {
            match token.kind {
                TokenKind::Word | TokenKind::Number | TokenKind::Unknown | TokenKind::Quote => {}
                // A comma in a sentence.
                TokenKind::Separator if self.game[span.start as usize] != b';' => {}
                // A full stop or a hyphen in a sentence.
                TokenKind::Dots | TokenKind::Dashes if text.end == span.start => {
                    return self.gather_text(token, lexer);
                }
                _ => self.flush_text()?,
            }
        }
        match token.kind {
            TokenKind::Move => {
                if let Some(number) = self.number_in_move(span) {
                    lexer.return_to(number.end);
                    return self.number(token, number);
                }
                self.single_move(token, false)
            }
            TokenKind::MoveNumber => self.number(token, span),
            TokenKind::Number => self.lone_number(token, lexer),
            TokenKind::Result => self.result(span),
            TokenKind::Star if !self.ended && is_glued_star(self.game, 0, span.start as usize) => {
                self.style(Code::StarStrength, span)?;
                self.strength(span)
            }
            TokenKind::Star => self.star(span, lexer),
            TokenKind::Strength
            | TokenKind::Nag
            | TokenKind::OpenVariation
            | TokenKind::CloseVariation
            | TokenKind::Comment => self.mark(token, lexer),
            TokenKind::Prose => self.prose(span),
            TokenKind::LineComment => self.line_comment(span),
            TokenKind::Separator => self.separator(token, lexer),
            TokenKind::Dashes => self.dashes(span, lexer),
            TokenKind::Dots => self.dots(span),
            TokenKind::Setup => self.setup(span, lexer),
            TokenKind::CaptureList => {
                if !self.is_reporting() {
                    return Flow::Continue(());
                }
                self.visitor.captures(WrittenMove { text: span.of(self.game), span })?;
                self.style_part(Code::CaptureList, span)
            }
            TokenKind::OpenBracket => self.bracket(token, lexer),
            TokenKind::CloseBracket => self.stray(Code::StrayBracket, span, lexer),
            TokenKind::StrayBrace => self.stray(Code::StrayBrace, span, lexer),
            TokenKind::TypedEscape => self.report(Code::TypedEscape, span),
            TokenKind::Control => self.control(span),
            TokenKind::Word | TokenKind::Unknown | TokenKind::Quote => self.gather_text(token, lexer),
        }
    }

    /// Reports a token that annotated games are full of: see [`Lexer::next_mark`]. No text is pending.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mark(&mut self, token: Token, lexer: &mut Lexer<'g>) -> Flow {
        let span = token.span;
        match token.kind {
            TokenKind::OpenVariation => self.open_variation(span),
            TokenKind::CloseVariation => self.close_variation(span, lexer),
            TokenKind::Comment => self.comment(span, lexer.comment_closing()),
            TokenKind::Nag if !self.is_reporting() => Flow::Continue(()),
            TokenKind::Nag => self.visitor.nag(Nag(nag_number(span.of(self.game))), span),
            _ => {
                if V::STYLE && span.start != self.last_move_end && self.is_reporting() {
                    self.report_part(Code::SpacedStrength, span)?;
                }
                let is_standard = |b: &u8| matches!(b, b'!' | b'?' | b'(' | b')');
                if V::STYLE && self.is_reporting() && !span.of(self.game).iter().all(is_standard) {
                    self.report_part(Code::StrengthForm, span)?;
                }
                self.strength(span)
            }
        }
    }

    /// Reports a move strength.
    fn strength(&mut self, span: Span) -> Flow {
        self.last_move_end = span.end;
        if self.is_reporting() {
            self.visitor.strength(StrengthMark { text: span.of(self.game), span })?;
        }
        Flow::Continue(())
    }

    /// Reports a number that no dot touches: a move number if dots follow after whitespace, a move if it has three
    /// or four digits and stands alone, else text without meaning.
    fn lone_number(&mut self, token: Token, lexer: &mut Lexer<'g>) -> Flow {
        let span = token.span;
        let next = skip_whitespace(self.game, span.end as usize).end;
        if self.game.get(next) == Some(&b'.') {
            let dots = self.game[next..].iter().take_while(|&&b| b == b'.').count();
            let whole = Span::new(span.start, (next + dots) as u32);
            lexer.skip_to(whole.end);
            return self.number(token, whole);
        }
        if let Some(number) = self.number_without_dot(span) {
            lexer.skip_to(number.end);
            return self.number(Token { kind: TokenKind::MoveNumber, span }, number);
        }
        if matches!(span.len(), 3 | 4) && self.pending_text.is_none() {
            let move_ends = |b: &u8| {
                is_whitespace(*b) || matches!(b, b'{' | b'(' | b')' | b'!' | b'?' | b'*' | b'$' | b';')
            };
            if self.game.get(span.end as usize).is_none_or(move_ends) {
                return self.single_move(Token { kind: TokenKind::Move, span }, false);
            }
        }
        // `2025-07-12`
        let rest = &self.game[span.end as usize..];
        let is_date = |rest: &[u8]| matches!(rest, [b'-', a, b, b'-', c, d, ..] if [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()));
        if span.len() == 4 && is_date(rest) {
            let whole = Span::new(span.start, span.end + 6);
            lexer.skip_to(whole.end);
            return self.gather_text(Token { kind: TokenKind::Word, span: whole }, lexer);
        }
        self.gather_text(token, lexer)
    }

    /// Returns `true` if a number that continues the count of the first side's moves may stand here.
    fn is_expected(&self, number: u32) -> bool {
        let plies = self.numbers.plies;
        let is_possible = self.depth == 0 && !self.ended && self.pending_text.is_none();
        let first = self.numbers.first(self.game).or((plies == 0).then_some(1));
        is_possible
            && self.numbers.pending.is_none()
            && plies.is_multiple_of(2)
            && first.is_some_and(|first| first.saturating_add(plies / 2) == number)
    }

    /// Returns the span of a move number that is written `1`, `1)`, `1:` or `1 -`, with its sign, given the span of its digits. It
    /// continues the count, and a move follows.
    fn number_without_dot(&self, digits: Span) -> Option<Span> {
        let (number, len) = leading_number(digits.of(self.game));
        if len > 3 || !self.is_expected(number) {
            return None;
        }
        let mut end = digits.end as usize;
        let sign = skip_whitespace(self.game, end).end;
        match self.game.get(sign) {
            Some(b')' | b':') if sign == end => end += 1,
            Some(b'-') if self.game.get(sign + 1) == Some(&b' ') && sign - end <= 1 => end = sign + 1,
            _ => {}
        }
        let next = skip_whitespace(self.game, end).end;
        self.game.get(next..).and_then(move_len).map(|_| Span::new(digits.start, end as u32))
    }

    /// Returns the span of the move number with which what was taken for a capture begins, `1: 32-28` or `1 - 32-28`.
    fn number_in_move(&self, span: Span) -> Option<Span> {
        let text = span.of(self.game);
        let (number, digits) = leading_number(text);
        let sign = digits + usize::from(text.get(digits) == Some(&b' '));
        let is_number = matches!(text.get(sign..), Some([b'-' | b':', b' ', ..])) && self.is_expected(number);
        let rest = text.get(sign + 1..)?.trim_ascii_start();
        let is_move = is_number && move_len(rest) == Some(rest.len());
        is_move.then(|| Span::new(span.start, span.start + sign as u32 + 1))
    }

    /// Reports how a move breaks restrictions 1 and 5 of PDN 3.0, or the form of its move tokens.
    fn move_style(&mut self, text: &[u8], span: Span) -> Flow {
        let traits = text.iter().fold(0, |traits, &byte| traits | BYTE_TRAITS[usize::from(byte)]);
        for (code, of_code) in MOVE_TRAITS {
            if traits & of_code != 0 {
                self.report_part(code, span)?;
            }
        }
        let mut squares = text.split(|b| !b.is_ascii_digit());
        if text[0].is_ascii_digit() {
            if squares.any(|square| square.first() == Some(&b'0')) {
                self.report_part(Code::LeadingZero, span)?;
            }
            if text.iter().all(u8::is_ascii_digit) {
                self.report_part(Code::MissingSeparator, span)?;
            }
        }
        Flow::Continue(())
    }
}
