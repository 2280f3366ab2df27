//! The walk: tags by shape, movetext by tokens.

use std::ops::ControlFlow;

use super::event::{
    Comment, CommentKind, Missing, MissingKind, Move, MoveNumber, Setup, Strength, Tag, Terminator, Variation,
};
use super::header::{Header, HeaderPart, tag_without_bracket};
use super::visitor::{Flow, Variations, Visitor};
use crate::diag::{Code, Diagnostic};
use crate::lex::{Kind, Lexer, Token};
use crate::limits::Limits;
use crate::shape::{CommentShape, Comments, TagForm, TagSpans, is_blank, is_glued_star, skip_blanks, tag};
use crate::span::Span;

/// Walks over one game, a record as [`split`](crate::split) finds them, and tells `visitor` of its parts in order.
///
/// ```
/// use pdn::parse::{Flow, Move, Visitor, walk};
///
/// #[derive(Default)]
/// struct Captures(u32);
///
/// impl Visitor<'_> for Captures {
///     fn play(&mut self, mv: Move<'_>) -> Flow {
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
    let mut walk = Walk {
        game,
        limits,
        visitor,
        line: Line::default(),
        depth: 0,
        skipping: 0,
        result: &[],
        ended: false,
    };
    let moves = walk.tags()?;
    walk.visitor.end_tags()?;
    walk.moves(moves)?;
    walk.visitor.end();
    Flow::Continue(())
}

/// Walks on from `at`, a place between two tokens of the main line, without tags. `result` is the trimmed value of
/// the Result tag.
pub(crate) fn resume<'g, V: Visitor<'g>>(
    game: &'g [u8],
    at: usize,
    result: &'g [u8],
    visitor: &mut V,
) -> Flow {
    let limits = &Limits::DEFAULT;
    let line = Line::default();
    Walk { game, limits, visitor, line, depth: 0, skipping: 0, result, ended: false }.moves(at)
}

/// Everything the walk remembers of a game.
struct Walk<'g, 'v, V> {
    game: &'g [u8],
    limits: &'v Limits,
    visitor: &'v mut V,
    line: Line,
    /// Variations open.
    depth: u32,
    /// The depth at which skipping began, 0 if not skipping.
    skipping: u32,
    /// Value of the Result tag, trimmed.
    result: &'g [u8],
    /// The terminator has been met.
    ended: bool,
}

/// What the main line has had so far, to tell whether a move number fits.
#[derive(Default)]
struct Line {
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

impl<'g, V: Visitor<'g>> Walk<'g, '_, V> {
    #[cold]
    #[inline(never)]
    fn report(&mut self, code: Code, span: Span) -> Flow {
        self.visitor.diagnostic(Diagnostic::new(code, span))
    }

    #[inline(always)]
    fn style(&mut self, code: Code, span: Span) -> Flow {
        if V::STYLE { self.report(code, span) } else { Flow::Continue(()) }
    }

    /// Whether parts are told; in a skipped variation they are not.
    #[inline(always)]
    fn heard(&self) -> bool {
        self.skipping == 0
    }

    // -- tags

    /// Tells of tags and comments up to the first byte of movetext, and answers with its offset.
    #[inline]
    fn tags(&mut self) -> ControlFlow<(), usize> {
        let mut header = Header::new(self.game, self.limits);
        for part in header.by_ref() {
            match part {
                HeaderPart::Tag(spans) => self.tag(spans, false)?,
                HeaderPart::LostBracket(spans) => self.tag_without_bracket(spans)?,
                HeaderPart::Comment(span) => self.comment(span)?,
                HeaderPart::LineComment(span) => self.line_comment(span)?,
            }
        }
        ControlFlow::Continue(header.at())
    }

    #[inline]
    fn tag(&mut self, spans: TagSpans, in_moves: bool) -> Flow {
        let span = |(start, end): (usize, usize)| Span::new(start as u32, end as u32);
        let (name_span, value_span) = (span(spans.name), span(spans.value));
        let whole = Span::new(spans.start as u32, spans.end as u32);
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
        if V::STYLE && sound && whole.len() as usize != name.len() + value.len() + 5 {
            self.report(Code::TagForm, whole)?;
        }
        Flow::Continue(())
    }

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

    #[cold]
    fn tag_without_bracket(&mut self, spans: TagSpans) -> Flow {
        self.tag(spans, self.ended || self.line.plies > 0)?;
        self.report(Code::LostBracket, Span::new(spans.start as u32, spans.end as u32))
    }

    // -- movetext

    /// Tells of everything from `at` on.
    #[inline]
    fn moves(&mut self, at: usize) -> Flow {
        let mut lexer = Lexer::new(self.game, at, self.limits);
        while let Some(token) = lexer.next_token() {
            match token.kind {
                Kind::Move => self.play(token)?,
                Kind::MoveNumber => self.number(token, token.span)?,
                _ => self.rare(token, &mut lexer)?,
            }
        }
        self.close()
    }

    #[inline(always)]
    fn play(&mut self, token: Token) -> Flow {
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
            self.visitor.play(Move { text, span })?;
            if V::STYLE {
                self.move_style(text, span)?;
            }
        }
        Flow::Continue(())
    }

    /// A number with its dots; `span` covers both.
    #[inline(always)]
    fn number(&mut self, token: Token, span: Span) -> Flow {
        if self.line.text.is_some() {
            self.flush_text()?;
        }
        let text = span.of(self.game);
        let mut number = 0u32;
        let mut digits = 0;
        for &byte in text.iter().take_while(|b| b.is_ascii_digit()) {
            number = number.saturating_mul(10).saturating_add(u32::from(byte - b'0'));
            digits += 1;
        }
        let dots = text.len() - digits;
        let second = dots >= 3;
        if let Some(earlier) = self.line.pending.replace(span) {
            self.report(Code::NumberWithoutMove, earlier)?;
        }
        if self.depth == 0 {
            self.check_number(number, second, span)?;
        }
        if self.heard() {
            self.visitor.move_number(MoveNumber { number, second, span })?;
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
        if self.line.text.is_some()
            && !matches!(token.kind, Kind::Word | Kind::Number | Kind::Unknown | Kind::Quote)
        {
            self.flush_text()?;
        }
        match token.kind {
            Kind::Move => self.play(token),
            Kind::MoveNumber => self.number(token, span),
            Kind::Number => self.lone_number(token, lexer),
            Kind::Result => self.result(span),
            Kind::Star if is_glued_star(self.game, 0, span.start as usize) => {
                self.style(Code::StarStrength, span)?;
                self.strength(span)
            }
            Kind::Star => self.result(span),
            Kind::Strength => {
                if V::STYLE && span.start != self.line.glue && self.heard() {
                    self.report(Code::SpacedStrength, span)?;
                }
                let plain = |b: &u8| matches!(b, b'!' | b'?' | b'(' | b')');
                if V::STYLE && self.heard() && !span.of(self.game).iter().all(plain) {
                    self.report(Code::StrengthForm, span)?;
                }
                self.strength(span)
            }
            Kind::Nag => {
                let digits = &span.of(self.game)[1..];
                let nag = std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok()).unwrap_or(u32::MAX);
                if self.heard() { self.visitor.nag(nag, span) } else { Flow::Continue(()) }
            }
            Kind::OpenVariation => self.open_variation(span),
            Kind::CloseVariation => self.close_variation(span),
            Kind::Comment => self.comment(span),
            Kind::LineComment => self.line_comment(span),
            Kind::Dashes => self.dashes(span),
            Kind::Dots => self.dots(span),
            Kind::Setup => self.setup(span),
            Kind::CaptureList => {
                if !self.heard() {
                    return Flow::Continue(());
                }
                self.visitor.captures(Move { text: span.of(self.game), span })?;
                self.style(Code::CaptureList, span)
            }
            Kind::OpenBracket => self.bracket(token, lexer),
            Kind::CloseBracket => self.report(Code::StrayBracket, span),
            Kind::StrayBrace => self.report(Code::StrayBrace, span),
            Kind::TypedEscape => self.report(Code::TypedEscape, span),
            Kind::Word | Kind::Unknown | Kind::Quote => self.gather_text(token, lexer),
        }
    }

    fn strength(&mut self, span: Span) -> Flow {
        self.line.glue = span.end;
        if self.heard() {
            self.visitor.strength(Strength { text: span.of(self.game), span })?;
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
                return self.play(Token { kind: Kind::Move, span });
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

    // -- the end of the game

    /// A result or a lone star.
    fn result(&mut self, span: Span) -> Flow {
        if self.depth > 0 && self.is_last(span.end) {
            self.close_variations(span.start)?;
        }
        if self.depth > 0 {
            // The result of a variation: an opinion, not the end of the game.
            return if self.heard() { self.text(span, Code::ResultInVariation) } else { Flow::Continue(()) };
        }
        self.terminator(span)
    }

    fn terminator(&mut self, span: Span) -> Flow {
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
    fn is_last(&self, at: u32) -> bool {
        let next = skip_blanks(self.game, at as usize).end;
        matches!(self.game.get(next), None | Some(b'{' | b';'))
    }

    /// Closes what is open at the end of the game.
    fn close(&mut self) -> Flow {
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
    fn close_variations(&mut self, at: u32) -> Flow {
        self.report(Code::UnclosedVariation, self.line.open)?;
        while self.depth > 0 {
            let depth = self.depth;
            self.leave_variation(Variation { span: Span::at(at), depth })?;
        }
        Flow::Continue(())
    }

    fn open_variation(&mut self, span: Span) -> Flow {
        self.depth += 1;
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
            return self.report(Code::VariationTooDeep, span);
        }
        if self.visitor.begin_variation(Variation { span, depth: self.depth }) == Variations::Skip {
            self.skipping = self.depth;
        }
        Flow::Continue(())
    }

    fn close_variation(&mut self, span: Span) -> Flow {
        if self.depth == 0 {
            return self.report(Code::StrayParenthesis, span);
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
        self.leave_variation(Variation { span, depth })
    }

    fn leave_variation(&mut self, variation: Variation) -> Flow {
        self.depth -= 1;
        if self.skipping == 0 {
            return self.visitor.end_variation(variation);
        }
        if self.skipping > self.depth {
            self.skipping = 0;
        }
        Flow::Continue(())
    }

    // -- what stands between moves

    /// A comment in braces.
    #[inline]
    fn comment(&mut self, span: Span) -> Flow {
        let bytes = span.of(self.game);
        let inner = &bytes[1..];
        let (text, shape) = match inner.split_last() {
            Some((b'}', text)) if memchr::memchr(b'{', text).is_none() => (text, CommentShape::Plain),
            _ => self.odd_comment(span),
        };
        match shape {
            CommentShape::Plain => {}
            CommentShape::Nested | CommentShape::Unbalanced => self.report(Code::NestedComment, span)?,
            CommentShape::Unclosed => self.report(Code::UnclosedComment, span)?,
        }
        if !self.heard() {
            return Flow::Continue(());
        }
        self.visitor.comment(Comment { text, kind: CommentKind::Braces, span })
    }

    /// A comment that contains a brace or lacks one.
    #[cold]
    fn odd_comment(&self, span: Span) -> (&'g [u8], CommentShape) {
        let bytes = span.of(self.game);
        let shape = Comments::new().end(self.game, span.start as usize, self.limits.comment_bytes).shape;
        let closed = shape != CommentShape::Unclosed;
        (&bytes[1..bytes.len() - usize::from(closed)], shape)
    }

    fn line_comment(&mut self, span: Span) -> Flow {
        if !self.heard() {
            return Flow::Continue(());
        }
        let bytes = span.of(self.game);
        let kind = if bytes[0] == b';' { CommentKind::Semicolon } else { CommentKind::Percent };
        self.visitor.comment(Comment { text: &bytes[1..], kind, span })?;
        if kind == CommentKind::Semicolon { self.style(Code::LineComment, span) } else { Flow::Continue(()) }
    }

    /// `-`, `--`: an unknown move; a lone `-` at the very end, apart from a number: no result.
    fn dashes(&mut self, span: Span) -> Flow {
        let last =
            self.depth == 0 && span.len() == 1 && self.line.pending.is_none() && self.is_last(span.end);
        if last && !self.ended && self.line.glue != span.start {
            return self.terminator(span);
        }
        self.missing(MissingKind::Dash, span, Code::MissingMove)
    }

    /// `...`: the first side's move, left out because the second one's is meant, or an unknown move.
    fn dots(&mut self, span: Span) -> Flow {
        if span.len() < 3 {
            return self.text(span, Code::UnexpectedText);
        }
        let placeholder = self.line.pending.is_some();
        let code = if placeholder { Code::MoveNumberForm } else { Code::MissingMove };
        self.missing(MissingKind::Ellipsis, span, code)
    }

    fn missing(&mut self, kind: MissingKind, span: Span, code: Code) -> Flow {
        self.line.pending = None;
        self.line.plies += u32::from(self.depth == 0);
        if !self.heard() {
            return Flow::Continue(());
        }
        self.visitor.missing(Missing { kind, span })?;
        if code == Code::MoveNumberForm { self.style(code, span) } else { self.report(code, span) }
    }

    fn setup(&mut self, span: Span) -> Flow {
        let bytes = span.of(self.game);
        let closed = bytes.len() > 1 && bytes.ends_with(b"/");
        let inner = bytes[1..bytes.len() - usize::from(closed)].trim_ascii_start();
        let Some(value) = inner.strip_prefix(b"FEN").or_else(|| inner.strip_prefix(b"fen")) else {
            return self.text(span, Code::UnexpectedText);
        };
        let trim = |b: &u8| is_blank(*b) || *b == b'"';
        let skip = value.iter().take_while(|b| trim(b)).count();
        let len = value[skip..].iter().rposition(|b| !trim(b)).map_or(0, |n| n + 1);
        let start = (bytes.len() - usize::from(closed) - value.len() + skip) as u32 + span.start;
        let fen_span = Span::new(start, start + len as u32);
        if !closed {
            self.report(Code::UnclosedSetup, span)?;
        }
        self.line.pending = None;
        self.line.empty = false;
        // Numbers may start anew.
        self.line.first = None;
        if !self.heard() {
            return Flow::Continue(());
        }
        self.visitor.setup(Setup { fen: fen_span.of(self.game), fen_span, span })
    }

    /// A bracket among the moves: a tag in the wrong place, or damage.
    #[cold]
    fn bracket(&mut self, token: Token, lexer: &mut Lexer<'g>) -> Flow {
        let at = token.span.start as usize;
        match tag(self.game, at) {
            Some(spans) if matches!(spans.form, TagForm::Quoted | TagForm::Bare) => {
                lexer.skip_to(spans.end as u32);
                self.tag(spans, true)?;
                self.report(Code::TagInMoves, Span::new(token.span.start, spans.end as u32))
            }
            _ => self.report(Code::StrayBracket, token.span),
        }
    }

    // -- text without meaning

    #[cold]
    fn gather_text(&mut self, token: Token, lexer: &mut Lexer<'g>) -> Flow {
        let span = token.span;
        if self.line.text.is_none()
            && token.kind == Kind::Word
            && self.game[span.start as usize].is_ascii_uppercase()
            && let Some(spans) = tag_without_bracket(self.game, span.start as usize)
        {
            lexer.skip_to(spans.end as u32);
            return self.tag_without_bracket(spans);
        }
        let code = match self.line.text {
            Some((_, code)) if !(code == Code::UnknownBytes && token.kind != Kind::Unknown) => code,
            _ if self.ended => Code::TextAfterEnd,
            _ if token.kind == Kind::Unknown => Code::UnknownBytes,
            _ if span.start == self.line.glue && span.start > 0 => Code::GluedText,
            _ => Code::UnexpectedText,
        };
        let whole = self.line.text.map_or(span, |(text, _)| text.to(span));
        self.line.text = Some((whole, code));
        Flow::Continue(())
    }

    #[inline]
    fn flush_text(&mut self) -> Flow {
        match self.line.text.take() {
            Some((span, code)) if self.heard() => self.text(span, code),
            _ => Flow::Continue(()),
        }
    }

    #[cold]
    fn text(&mut self, span: Span, code: Code) -> Flow {
        self.visitor.text(span.of(self.game), span)?;
        self.report(code, span)
    }
}
