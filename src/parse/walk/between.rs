//! What stands between moves: comments, setups, marks for missing moves, brackets, and text without meaning.

use super::super::event::{Comment, CommentKind, MissingMark, MissingMove, SetupCommand};
use super::super::header::tag_without_bracket;
use super::{Flow, Lexer, Token, Visitor, Walk};
use crate::diag::Code;
use crate::lex::TokenKind;
use crate::span::Span;
use crate::syntax::{CommentClosing, TagForm, is_blank, run_end, skip_blanks, tag};

impl<'g, V: Visitor<'g>> Walk<'g, '_, V> {
    /// A comment in braces.
    #[inline]
    pub(super) fn comment(&mut self, span: Span, shape: CommentClosing) -> Flow {
        let mut text = &span.of(self.game)[1..];
        if shape != CommentClosing::Unclosed {
            text = &text[..text.len() - 1];
        }
        match shape {
            CommentClosing::Plain => {}
            CommentClosing::Nested | CommentClosing::Unbalanced => self.report(Code::NestedComment, span)?,
            CommentClosing::Unclosed => self.report(Code::UnclosedComment, span)?,
        }
        if !self.heard() {
            return Flow::Continue(());
        }
        self.visitor.comment(Comment { text, kind: CommentKind::Braces, span })
    }

    pub(super) fn line_comment(&mut self, span: Span) -> Flow {
        if !self.heard() {
            return Flow::Continue(());
        }
        let bytes = span.of(self.game);
        let kind = if bytes[0] == b';' { CommentKind::Semicolon } else { CommentKind::Percent };
        self.visitor.comment(Comment { text: &bytes[1..], kind, span })?;
        if kind == CommentKind::Semicolon { self.style(Code::LineComment, span) } else { Flow::Continue(()) }
    }

    /// Control characters; those after the last word are how DOS filled its files.
    #[cold]
    pub(super) fn control(&mut self, span: Span) -> Flow {
        if self.control || skip_blanks(self.game, span.end as usize).end == self.game.len() {
            return Flow::Continue(());
        }
        self.control = true;
        self.report(Code::ControlBytes, span)
    }

    /// `-`, `--`: an unknown move; a lone `-` at the very end, apart from a number: no result.
    pub(super) fn dashes(&mut self, span: Span) -> Flow {
        let last =
            self.depth == 0 && span.len() == 1 && self.line.pending.is_none() && self.is_last(span.end);
        if last && !self.ended && self.line.glue != span.start {
            return self.terminator(span);
        }
        self.missing(MissingMark::Dash, span, Code::MissingMove)
    }

    /// `...`: the first side's move, left out because the second one's is meant, or an unknown move.
    pub(super) fn dots(&mut self, span: Span) -> Flow {
        if span.len() < 3 {
            return self.text(span, Code::UnexpectedText);
        }
        let placeholder = self.line.pending.is_some();
        let code = if placeholder { Code::MoveNumberForm } else { Code::MissingMove };
        self.missing(MissingMark::Ellipsis, span, code)
    }

    pub(super) fn missing(&mut self, kind: MissingMark, span: Span, code: Code) -> Flow {
        self.line.pending = None;
        self.line.plies += u32::from(self.depth == 0);
        if !self.heard() {
            return Flow::Continue(());
        }
        self.visitor.missing(MissingMove { kind, span })?;
        if code == Code::MoveNumberForm { self.style(code, span) } else { self.report(code, span) }
    }

    pub(super) fn setup(&mut self, span: Span, lexer: &mut Lexer<'g>) -> Flow {
        let bytes = span.of(self.game);
        let closed = bytes.len() > 1 && bytes.ends_with(b"/");
        let inner = bytes[1..bytes.len() - usize::from(closed)].trim_ascii_start();
        let Some(value) = inner.strip_prefix(b"FEN").or_else(|| inner.strip_prefix(b"fen")) else {
            // Each second slash of many closes what the one before it opened.
            let slashes = run_end(self.game, span.start as usize) as u32 - span.start;
            let span = span.to(Span::at(span.start + slashes / 2 * 2));
            lexer.skip_to(span.end);
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
        self.visitor.setup(SetupCommand { fen: fen_span.of(self.game), fen_span, span })
    }

    /// A bracket among the moves: a tag in the wrong place, or damage.
    #[cold]
    pub(super) fn bracket(&mut self, token: Token, lexer: &mut Lexer<'g>) -> Flow {
        let at = token.span.start as usize;
        match tag(self.game, at) {
            Some(spans) if matches!(spans.form, TagForm::Quoted | TagForm::Bare) => {
                lexer.skip_to(spans.end as u32);
                let whole = Span::new(token.span.start, spans.end as u32);
                if self.depth > 0 {
                    // Inside a variation it says nothing of the game.
                    return self.text(whole, Code::TagInMoves);
                }
                self.tag(spans, true)?;
                self.report(Code::TagInMoves, whole)
            }
            _ => {
                // The last of many may open a tag.
                let end = run_end(self.game, at);
                let stray = end - usize::from(end > at + 1);
                lexer.skip_to(stray as u32);
                self.report(Code::StrayBracket, Span::new(token.span.start, stray as u32))
            }
        }
    }

    /// Closing brackets or braces that close nothing, all that touch each other at once.
    #[cold]
    pub(super) fn stray(&mut self, code: Code, span: Span, lexer: &mut Lexer<'g>) -> Flow {
        let end = run_end(self.game, span.start as usize) as u32;
        lexer.skip_to(end);
        self.report(code, Span::new(span.start, end))
    }

    // -- text without meaning

    #[cold]
    pub(super) fn gather_text(&mut self, token: Token, lexer: &mut Lexer<'g>) -> Flow {
        let span = token.span;
        if self.line.text.is_none()
            && token.kind == TokenKind::Word
            && self.game[span.start as usize].is_ascii_uppercase()
            && let Some(spans) = tag_without_bracket(self.game, span.start as usize)
        {
            lexer.skip_to(spans.end as u32);
            return self.tag_without_bracket(spans);
        }
        let code = match self.line.text {
            Some((_, code)) if !(code == Code::UnknownBytes && token.kind != TokenKind::Unknown) => code,
            _ if self.ended => Code::TextAfterEnd,
            _ if token.kind == TokenKind::Unknown => Code::UnknownBytes,
            _ if span.start == self.line.glue && span.start > 0 => Code::GluedText,
            _ => Code::UnexpectedText,
        };
        let mut whole = self.line.text.map_or(span, |(text, _)| text.to(span));
        if token.kind != TokenKind::Word && span.len() == 1 {
            // Of many bytes that are equal all but the last are text as well; that may begin something.
            let last = run_end(self.game, span.start as usize) as u32 - 1;
            whole.end = whole.end.max(last);
            lexer.skip_to(whole.end);
        }
        self.line.text = Some((whole, code));
        Flow::Continue(())
    }

    #[inline]
    pub(super) fn flush_text(&mut self) -> Flow {
        match self.line.text.take() {
            Some((span, code)) => self.text(span, code),
            None => Flow::Continue(()),
        }
    }

    #[cold]
    pub(super) fn text(&mut self, span: Span, code: Code) -> Flow {
        if !self.heard() {
            return Flow::Continue(());
        }
        self.visitor.text(span.of(self.game), span)?;
        self.report(code, span)
    }
}
