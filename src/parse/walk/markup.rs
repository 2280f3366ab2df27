//! Reports comments, setups, control characters and marks for missing moves.

use super::super::event::{Comment, CommentKind, MissingMark, MissingMove, SetupCommand};
use super::super::visitor::{Flow, Visitor};
use super::Walk;
use crate::diag::Code;
use crate::lex::{Lexer, Token, TokenKind};
use crate::span::Span;
use crate::syntax::{CommentClosing, is_whitespace, run_end, skip_whitespace};

impl<'g, V: Visitor<'g>> Walk<'g, '_, V> {
    /// Reports a comment in braces.
    #[inline]
    pub(super) fn comment(&mut self, span: Span, closing: CommentClosing) -> Flow {
        let mut text = &span.of(self.game)[1..];
        if closing != CommentClosing::Unclosed {
            text = &text[..text.len() - 1];
        }
        match closing {
            CommentClosing::Simple => {}
            CommentClosing::Nested | CommentClosing::Unbalanced => self.report(Code::NestedComment, span)?,
            CommentClosing::Unclosed => self.report(Code::UnclosedComment, span)?,
        }
        if !self.is_reporting() {
            return Flow::Continue(());
        }
        self.visitor.comment(Comment { text, kind: CommentKind::Braces, span })
    }

    /// Reports words in parentheses as a comment.
    pub(super) fn prose(&mut self, span: Span) -> Flow {
        if !self.is_reporting() {
            return Flow::Continue(());
        }
        let text = Span::new(span.start + 1, span.end - 1).of(self.game);
        self.visitor.comment(Comment { text, kind: CommentKind::Parentheses, span })?;
        self.style_part(Code::ProseInParentheses, span)
    }

    /// Reports a comment that extends to the end of its line.
    pub(super) fn line_comment(&mut self, span: Span) -> Flow {
        if !self.is_reporting() {
            return Flow::Continue(());
        }
        let bytes = span.of(self.game);
        let kind = if bytes[0] == b';' { CommentKind::Semicolon } else { CommentKind::Percent };
        self.visitor.comment(Comment { text: &bytes[1..], kind, span })?;
        if kind != CommentKind::Semicolon {
            return Flow::Continue(());
        }
        self.style_part(Code::LineComment, span)
    }

    /// Reports control characters, once per record. Those at the end are not reported: DOS programs filled up their
    /// files with them.
    #[cold]
    pub(super) fn control(&mut self, span: Span) -> Flow {
        if self.control_reported || skip_whitespace(self.game, span.end as usize).end == self.game.len() {
            return Flow::Continue(());
        }
        self.control_reported = true;
        self.report(Code::ControlBytes, span)
    }

    /// Reports `-` or `--`: a missing move, or the terminator if a single `-` is the last token and neither follows
    /// a move number nor touches a move.
    pub(super) fn dashes(&mut self, span: Span, lexer: &mut Lexer<'g>) -> Flow {
        if span.len() == 1 && self.last_move_end == span.start && self.is_reference(span.end) {
            lexer.skip_to(span.end + 1);
            return self.bare_comment(Span::new(span.end, span.end + 1), Span::new(span.start, span.end + 1));
        }
        if span.len() == 1 && self.game.get(span.end as usize) == Some(&b'+') {
            return self.gather_text(Token { kind: TokenKind::Dashes, span }, lexer);
        }
        let last =
            self.depth == 0 && span.len() == 1 && self.numbers.pending.is_none() && self.is_last(span.end);
        if last && !self.ended && self.last_move_end != span.start {
            return self.terminator(span);
        }
        self.missing(MissingMark::Dash, span, Code::MissingMove)
    }

    /// Returns `true` if a letter at offset `at` stands alone: it refers to a footnote, `32-28-A`.
    fn is_reference(&self, at: u32) -> bool {
        let at = at as usize;
        let continues =
            |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b'-' | b':');
        self.game.get(at).is_some_and(u8::is_ascii_alphabetic)
            && !self.game.get(at + 1).is_some_and(continues)
    }

    /// Reports dots: `...` is a missing move. After a move number it stands for the first side's move, which is left
    /// out because the second side moves.
    pub(super) fn dots(&mut self, span: Span) -> Flow {
        if span.len() < 3 {
            return self.text(span, Code::UnexpectedText);
        }
        let after_number = self.numbers.pending.is_some();
        let code = if after_number { Code::MoveNumberForm } else { Code::MissingMove };
        self.missing(MissingMark::Ellipsis, span, code)
    }

    /// Reports a missing move and a diagnostic with the given code.
    fn missing(&mut self, kind: MissingMark, span: Span, code: Code) -> Flow {
        self.numbers.pending = None;
        // Of a number that is repeated before the second side's move, as in `2. 28x19 2. ... 14x23`, no move is left out.
        let is_written = code == Code::MoveNumberForm && self.numbers.plies % 2 == 1;
        self.numbers.plies += u32::from(self.depth == 0 && !is_written);
        if !self.is_reporting() {
            return Flow::Continue(());
        }
        self.visitor.missing(MissingMove { kind, span })?;
        if code == Code::MoveNumberForm { self.style_part(code, span) } else { self.report_part(code, span) }
    }

    /// Reports a setup, or text without meaning if the slash does not open one.
    pub(super) fn setup(&mut self, span: Span, lexer: &mut Lexer<'g>) -> Flow {
        let bytes = span.of(self.game);
        let closed = bytes.len() > 1 && bytes.ends_with(b"/");
        let inner = bytes[1..bytes.len() - usize::from(closed)].trim_ascii_start();
        let Some(value) = inner.strip_prefix(b"FEN").or_else(|| inner.strip_prefix(b"fen")) else {
            // In a run of slashes, each second one closes what the one before it opened.
            let slashes = run_end(self.game, span.start as usize) as u32 - span.start;
            let span = span.to(Span::at(span.start + slashes / 2 * 2));
            lexer.skip_to(span.end);
            return self.text(span, Code::UnexpectedText);
        };
        let is_margin = |b: &u8| is_whitespace(*b) || *b == b'"';
        let skip = value.iter().take_while(|b| is_margin(b)).count();
        let len = value[skip..].iter().rposition(|b| !is_margin(b)).map_or(0, |n| n + 1);
        let start = (bytes.len() - usize::from(closed) - value.len() + skip) as u32 + span.start;
        let fen_span = Span::new(start, start + len as u32);
        if !closed {
            self.report(Code::UnclosedSetup, span)?;
        }
        self.numbers.pending = None;
        self.variation_is_empty = false;
        // Numbers may start again from 1.
        (self.numbers.first, self.numbers.unread) = (None, None);
        if !self.is_reporting() {
            return Flow::Continue(());
        }
        self.visitor.setup(SetupCommand { fen: fen_span.of(self.game), fen_span, span })
    }
}
