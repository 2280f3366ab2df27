//! The walk: tags by shape, movetext by tokens.

mod between;
mod end;
mod tags;

use std::ops::ControlFlow;

use super::event::{MoveNumber, MoveRun, NumberedMoveRun, StrengthMark, WrittenMove};
use super::text::{leading_number, nag_number};
use super::visitor::{Flow, Visitor};
use crate::diag::{Code, Diagnostic};
use crate::lex::{Lexer, Run, Token, TokenKind};
use crate::limits::Limits;
use crate::simd::{self, Isa, NumberReader, Task};
use crate::span::Span;
use crate::syntax::{CommentFinder, is_blank, is_glued_star, run_end, skip_blanks};

/// Walks over one game, a record as [`split`](crate::split) finds them, and tells `visitor` of its parts in order.
///
/// ```
/// use pdn::parse::{Flow, WrittenMove, Visitor, walk};
///
/// #[derive(Default)]
/// struct Captures(u32);
///
/// impl Visitor<'_> for Captures {
///     fn written_move(&mut self, mv: WrittenMove<'_>) -> Flow {
///         self.0 += u32::from(mv.text.contains(&b'x'));
///         Flow::Continue(())
///     }
/// }
///
/// let mut captures = Captures::default();
/// walk(b"[White \"a\"] 1. 32-28 19-23 2. 28x19 14x23 *", &mut captures);
/// assert_eq!(captures.0, 2);
/// ```
#[inline]
pub fn walk<'g, V: Visitor<'g>>(game: &'g [u8], visitor: &mut V) {
    // Whether the visitor broke off is its own affair.
    let _ = walk_with(game, &Limits::DEFAULT, visitor);
}

/// As [`walk`], within `limits`. Answers whether the visitor let it go to the end.
///
/// A game longer than [`Limits::MAX_GAME_BYTES`] is read up to there; the splitter never makes one.
#[inline]
pub fn walk_with<'g, V: Visitor<'g>>(game: &'g [u8], limits: &Limits, visitor: &mut V) -> Flow {
    let game = &game[..game.len().min(Limits::MAX_GAME_BYTES)];
    simd::run(WholeGame { walk: Walk::new(game, limits, visitor) })
}

/// As [`walk_with`], for whoever runs with an instruction set already.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn walk_on<'g, I: Isa, V: Visitor<'g>>(
    isa: I,
    game: &'g [u8],
    limits: &Limits,
    visitor: &mut V,
) -> Flow {
    let game = &game[..game.len().min(Limits::MAX_GAME_BYTES)];
    WholeGame { walk: Walk::new(game, limits, visitor) }.run(isa)
}

/// A walk over a whole game, for the instruction set of this processor.
struct WholeGame<'g, 'v, V> {
    walk: Walk<'g, 'v, V>,
}

impl<'g, V: Visitor<'g>> Task for WholeGame<'g, '_, V> {
    type Output = Flow;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> Flow {
        let Self { mut walk } = self;
        let moves = walk.tags(isa)?;
        walk.visitor.end_tags()?;
        walk.moves(isa, moves)?;
        walk.visitor.end();
        Flow::Continue(())
    }
}

/// Walks on from `at`, a place between two tokens of the main line, without tags. `result` is the trimmed value of
/// the Result tag.
pub(crate) fn resume<'g, V: Visitor<'g>>(
    game: &'g [u8],
    at: usize,
    result: &'g [u8],
    visitor: &mut V,
) -> Flow {
    let mut walk = Walk::new(game, &Limits::DEFAULT, visitor);
    walk.set_result(result);
    simd::run(Moves { walk, at })
}

/// A walk over moves from a given place on, for the instruction set of this processor.
struct Moves<'g, 'v, V> {
    walk: Walk<'g, 'v, V>,
    at: usize,
}

impl<'g, V: Visitor<'g>> Task for Moves<'g, '_, V> {
    type Output = Flow;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(mut self, isa: I) -> Flow {
        self.walk.moves(isa, self.at)
    }
}

/// Everything the walk remembers of a game.
struct Walk<'g, 'v, V> {
    game: &'g [u8],
    limits: &'v Limits,
    visitor: &'v mut V,
    /// Where comments end; passed on to the lexer when the moves begin.
    comments: CommentFinder,
    line: MoveNumberCheck,
    /// Variations open.
    depth: u32,
    /// The depth at which skipping began, 0 if not skipping.
    skipping: u32,
    /// The parenthesis that opened what is skipped, if it is skipped for its depth.
    too_deep: Option<Span>,
    /// Value of the Result tag, trimmed.
    result: &'g [u8],
    /// That value may look like a plain move.
    result_as_move: bool,
    /// The terminator has been met.
    ended: bool,
    /// Control characters have been reported; once is enough.
    control: bool,
}

/// What the main line has had so far, to tell whether a move number fits.
#[derive(Default)]
struct MoveNumberCheck {
    plies: u32,
    /// Number of the move that ply 0 belongs to, once known.
    first: Option<u32>,
    /// A wrong number has been reported; one is enough.
    reported: bool,
    /// The last number has no move yet.
    pending: Option<Span>,
    /// End of the last move or its strength, for what is glued to it.
    glue: u32,
    /// Text without meaning that is being gathered.
    text: Option<(Span, Code)>,
    /// The opening parenthesis of the outermost open variation.
    open: Span,
    /// The variation that opened last has no move yet.
    empty: bool,
}

impl MoveNumberCheck {
    /// Passes over a short run in the main line, if each of its numbers fits and has a move of its own. Else nothing
    /// is changed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pass(&mut self, run: &Run, game: &[u8], reader: NumberReader) -> bool {
        let (moves, numbers) = (run.moves(), run.number_starts());
        let block = game[run.at() as usize..].first_chunk();
        let first = match block.and_then(|block| reader.count_up(block, numbers, moves | numbers)) {
            Some((number, before)) => self.fits(number.into(), before, self.pending.is_some()),
            None => self.fit(run, game),
        };
        let Some(first) = first else { return false };
        self.first = first;
        self.plies += moves.count_ones();
        self.glue = run.at() + 63 - run.move_ends().leading_zeros();
        self.empty = false;
        let last = numbers.leading_zeros();
        self.pending = None;
        if last < moves.leading_zeros() {
            let start = run.at() + 63 - last;
            let two = game.get(start as usize + 1).is_some_and(u8::is_ascii_digit);
            self.pending = Some(Span::new(start, start + 2 + u32::from(two)));
        }
        true
    }

    /// The number of the first move, if it is known, where each number of a run fits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fit(&self, run: &Run, game: &[u8]) -> Option<Option<u32>> {
        let (moves, mut numbers) = (run.moves(), run.number_starts());
        let mut first = self.first;
        // Moves of the run before the last number; beyond all measure for no number.
        let mut last = if self.pending.is_some() { 0 } else { u32::MAX };
        let mut fits = true;
        while numbers != 0 {
            let start = numbers.trailing_zeros();
            let before = (moves & ((numbers & numbers.wrapping_neg()) - 1)).count_ones();
            numbers &= numbers - 1;
            let (number, _) = leading_number(&game[(run.at() + start) as usize..]);
            let passed = (self.plies + before) / 2;
            // `first` may only be found out where the number is not too small.
            fits &= number >= passed && before != last;
            fits &= first.get_or_insert(number.wrapping_sub(passed)).wrapping_add(passed) == number;
            last = before;
        }
        fits.then_some(first)
    }

    /// The same where numbers count up: if the first of them fits, `before` moves of the run before it, all do.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fits(&self, number: u32, before: u32, pending: bool) -> Option<Option<u32>> {
        let passed = (self.plies + before) / 2;
        let first = self.first.unwrap_or(number.wrapping_sub(passed));
        let fits = number >= passed && !(pending && before == 0) && first.wrapping_add(passed) == number;
        fits.then_some(Some(first))
    }
}

impl<'g, 'v, V: Visitor<'g>> Walk<'g, 'v, V> {
    #[inline]
    fn new(game: &'g [u8], limits: &'v Limits, visitor: &'v mut V) -> Self {
        Self {
            game,
            limits,
            visitor,
            comments: CommentFinder::new(),
            line: MoveNumberCheck::default(),
            depth: 0,
            skipping: 0,
            too_deep: None,
            result: &[],
            result_as_move: false,
            ended: false,
            control: false,
        }
    }

    #[cold]
    #[inline(never)]
    fn report(&mut self, code: Code, span: Span) -> Flow {
        self.visitor.diagnostic(Diagnostic::new(code, span))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn style(&mut self, code: Code, span: Span) -> Flow {
        if V::STYLE { self.report(code, span) } else { Flow::Continue(()) }
    }

    /// Whether parts are told; in a skipped variation they are not.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn heard(&self) -> bool {
        self.skipping == 0
    }

    // -- movetext

    /// Tells of everything from `at` on.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn moves<I: Isa>(&mut self, isa: I, at: usize) -> Flow {
        let comments = std::mem::take(&mut self.comments);
        let mut lexer = Lexer::with_comments(self.game, at, self.limits, comments);
        loop {
            let run = lexer.next_run(isa);
            if run.is_empty() {
                if self.line.text.is_none()
                    && let Some(token) = lexer.next_result()
                {
                    self.result(token.span)?;
                    if lexer.is_over() {
                        return self.close();
                    }
                    continue;
                }
                let Some(token) = lexer.next_from_automaton() else { return self.close() };
                self.rare(token, &mut lexer)?;
                continue;
            }
            if self.plays(isa, &run)? {
                continue;
            }
            let plain = run.is_plain();
            for token in run {
                if token.kind == TokenKind::Move {
                    self.play(token, plain)?;
                } else {
                    self.number(token, token.span)?;
                }
            }
        }
    }

    /// Tells of a whole run at once, if it is part of the main line and all is as it should be. What it leaves to
    /// [`play`](Self::play) and [`number`](Self::number) they do just as it would.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plays<I: Isa>(&mut self, isa: I, run: &Run) -> ControlFlow<(), bool> {
        let special = (V::STYLE && !run.is_plain())
            || self.depth > 0
            || self.ended
            || self.result_as_move
            || self.line.text.is_some();
        let before = self.line.plies;
        if special
            || !run.is_short()
            || run.moves() == 0
            || !self.line.pass(run, self.game, isa.number_reader())
        {
            return ControlFlow::Continue(false);
        }
        if V::NUMBERS {
            // Of use only if there are numbers, and then `first` is small.
            let plies = self.line.first.unwrap_or_default().wrapping_mul(2).wrapping_add(before);
            let parts = NumberedMoveRun::new(self.game, run.at(), run.tokens(), run.number_starts(), plies);
            self.visitor.numbered_plays(parts)?;
            return ControlFlow::Continue(true);
        }
        let moves = MoveRun::new(self.game, run.at(), run.moves(), run.move_ends(), isa.number_reader());
        self.visitor.move_run(moves)?;
        ControlFlow::Continue(true)
    }

    /// Keeps the value of the Result tag.
    #[inline]
    fn set_result(&mut self, result: &'g [u8]) {
        self.result = result;
        // These are never tokens of a run, nor is anything so short or so long.
        self.result_as_move = !matches!(result, b"1-0" | b"0-1" | b"2-0" | b"0-2" | b"1-1" | b"0-0")
            && (3..=5).contains(&result.len());
    }

    /// A move; a `plain` one is known to be beyond all questions of style.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn play(&mut self, token: Token, plain: bool) -> Flow {
        let span = token.span;
        if self.line.text.is_some() {
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
        self.line.pending = None;
        self.line.empty = false;
        self.line.glue = span.end;
        self.line.plies += u32::from(self.depth == 0);
        if self.heard() {
            self.visitor.written_move(WrittenMove { text, span })?;
            if V::STYLE && !plain {
                self.move_style(text, span)?;
            }
        }
        Flow::Continue(())
    }

    /// A number with its dots; `span` covers both.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn number(&mut self, token: Token, span: Span) -> Flow {
        if self.line.text.is_some() {
            self.flush_text()?;
        }
        let text = span.of(self.game);
        let (number, digits) = leading_number(text);
        let dots = text.len() - digits;
        let second = dots >= 3;
        if let Some(earlier) = self.line.pending.replace(span) {
            self.report(Code::NumberWithoutMove, earlier)?;
        }
        if self.depth == 0 {
            self.check_number(number, second, span)?;
        }
        if self.heard() {
            if V::NUMBERS {
                self.visitor.move_number(MoveNumber { number, second, span })?;
            }
            if V::STYLE && (token.span != span || (dots != 1 && text[digits..] != *b"...") || text[0] == b'0')
            {
                self.report(Code::MoveNumberForm, span)?;
            }
        }
        Flow::Continue(())
    }

    /// Compares a number of the main line with the moves so far.
    #[inline]
    fn check_number(&mut self, number: u32, second: bool, span: Span) -> Flow {
        let line = &mut self.line;
        if second && line.plies == 0 {
            // `1... 18-23` at the start: the second side begins.
            line.plies = 1;
        }
        let passed = line.plies / 2;
        match line.first {
            Some(first) if first.saturating_add(passed) == number => {}
            Some(_) if !line.reported => {
                line.reported = true;
                line.first = number.checked_sub(passed);
                return self.report(Code::MoveNumber, span);
            }
            _ => line.first = number.checked_sub(passed),
        }
        Flow::Continue(())
    }

    #[inline(never)]
    fn rare(&mut self, token: Token, lexer: &mut Lexer<'g>) -> Flow {
        let span = token.span;
        if let Some((text, _)) = self.line.text {
            match token.kind {
                TokenKind::Word | TokenKind::Number | TokenKind::Unknown | TokenKind::Quote => {}
                // The full stop or the hyphen of a sentence.
                TokenKind::Dots | TokenKind::Dashes if text.end == span.start => {
                    return self.gather_text(token, lexer);
                }
                _ => self.flush_text()?,
            }
        }
        match token.kind {
            TokenKind::Move => self.play(token, false),
            TokenKind::MoveNumber => self.number(token, span),
            TokenKind::Number => self.lone_number(token, lexer),
            TokenKind::Result => self.result(span),
            TokenKind::Star if !self.ended && is_glued_star(self.game, 0, span.start as usize) => {
                self.style(Code::StarStrength, span)?;
                self.strength(span)
            }
            TokenKind::Star => {
                // One ends the game, all others that touch each other are said to at once.
                let more = self.ended && self.depth == 0;
                let end = if more { run_end(self.game, span.start as usize) as u32 } else { span.end };
                lexer.skip_to(end);
                self.result(Span::new(span.start, end))
            }
            TokenKind::Strength => {
                if V::STYLE && span.start != self.line.glue && self.heard() {
                    self.report(Code::SpacedStrength, span)?;
                }
                let plain = |b: &u8| matches!(b, b'!' | b'?' | b'(' | b')');
                if V::STYLE && self.heard() && !span.of(self.game).iter().all(plain) {
                    self.report(Code::StrengthForm, span)?;
                }
                self.strength(span)
            }
            TokenKind::Nag => {
                if !self.heard() {
                    return Flow::Continue(());
                }
                self.visitor.nag(nag_number(span.of(self.game)), span)
            }
            TokenKind::OpenVariation => self.open_variation(span, lexer),
            TokenKind::CloseVariation => self.close_variation(span, lexer),
            TokenKind::Comment => self.comment(span, lexer.comment_shape()),
            TokenKind::LineComment => self.line_comment(span),
            TokenKind::Dashes => self.dashes(span),
            TokenKind::Dots => self.dots(span),
            TokenKind::Setup => self.setup(span, lexer),
            TokenKind::CaptureList => {
                if !self.heard() {
                    return Flow::Continue(());
                }
                self.visitor.captures(WrittenMove { text: span.of(self.game), span })?;
                self.style(Code::CaptureList, span)
            }
            TokenKind::OpenBracket => self.bracket(token, lexer),
            TokenKind::CloseBracket => self.stray(Code::StrayBracket, span, lexer),
            TokenKind::StrayBrace => self.stray(Code::StrayBrace, span, lexer),
            TokenKind::TypedEscape => self.report(Code::TypedEscape, span),
            TokenKind::Control => self.control(span),
            TokenKind::Word | TokenKind::Unknown | TokenKind::Quote => self.gather_text(token, lexer),
        }
    }

    fn strength(&mut self, span: Span) -> Flow {
        self.line.glue = span.end;
        if self.heard() {
            self.visitor.strength(StrengthMark { text: span.of(self.game), span })?;
        }
        Flow::Continue(())
    }

    /// A number without dots behind it: a number after all, if dots follow; a move, if it can be one; or text.
    fn lone_number(&mut self, token: Token, lexer: &mut Lexer<'g>) -> Flow {
        let span = token.span;
        let next = skip_blanks(self.game, span.end as usize).end;
        if self.game.get(next) == Some(&b'.') {
            let dots = self.game[next..].iter().take_while(|&&b| b == b'.').count();
            let whole = Span::new(span.start, (next + dots) as u32);
            lexer.skip_to(whole.end);
            return self.number(token, whole);
        }
        if matches!(span.len(), 3 | 4) && self.line.text.is_none() {
            let move_ends =
                |b: &u8| is_blank(*b) || matches!(b, b'{' | b'(' | b')' | b'!' | b'?' | b'*' | b'$' | b';');
            if self.game.get(span.end as usize).is_none_or(move_ends) {
                return self.play(Token { kind: TokenKind::Move, span }, false);
            }
        }
        self.gather_text(token, lexer)
    }

    /// Breaches of restrictions 1 and 5 of PDN 3.0 and of its tokens for moves.
    fn move_style(&mut self, text: &[u8], span: Span) -> Flow {
        if text.contains(&b' ') {
            self.report(Code::SpacedMove, span)?;
        }
        if text.iter().any(u8::is_ascii_uppercase) {
            self.report(Code::CapitalInMove, span)?;
        }
        let mut squares = text.split(|b| !b.is_ascii_digit());
        if text[0].is_ascii_digit() {
            if squares.any(|square| square.first() == Some(&b'0')) {
                self.report(Code::LeadingZero, span)?;
            }
            if text.iter().all(u8::is_ascii_digit) {
                self.report(Code::MissingSeparator, span)?;
            }
        }
        Flow::Continue(())
    }
}
