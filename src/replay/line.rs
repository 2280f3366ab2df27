//! What is kept of a game while it is heard: twelve bytes a move of the main line, and where its tags stand.

use crate::diag::{Code, Diagnostic};
use crate::notation::{SquareCode, pair};
use crate::parse::{
    Comment, Flow, Missing, MissingKind, Move, Setup, Tag, Terminator, Variation, Variations, Visitor,
};
use crate::span::Span;

/// A part of the main line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) span: Span,
    pub(super) kind: TokenKind,
    /// The squares of a [`TokenKind::Pair`].
    pub(super) from: SquareCode,
    pub(super) to: SquareCode,
}

const _: () = assert!(size_of::<Token>() == 12);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum TokenKind {
    /// A move of two squares, decoded.
    Pair,
    /// A move whose text must be looked at again.
    Text,
    /// The squares that the move before captures.
    Captures,
    /// `...` in place of a move.
    Ellipsis,
    /// `-` in place of a move.
    Dash,
    /// The FEN of a setup.
    Setup,
    /// Text without a meaning.
    Lost,
}

impl TokenKind {
    pub(super) const fn is_move(self) -> bool {
        matches!(self, Self::Pair | Self::Text)
    }
}

/// The main line of a game and the tags that a replay needs. Used again for game after game.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub(super) tokens: Vec<Token>,
    /// How many of them are moves.
    pub(super) written: u32,
    pub(super) fen: Option<Span>,
    pub(super) game_type: Option<Span>,
    pub(super) result: Option<Span>,
    pub(super) terminator: Option<Span>,
    /// A comment that is never closed and hides what followed.
    pub(super) unclosed: Option<Span>,
    /// What the walk found; at most as many as `limit`.
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) limit: u32,
}

impl Line {
    pub(super) fn clear(&mut self) {
        self.tokens.clear();
        self.diagnostics.clear();
        (self.written, self.fen, self.game_type, self.result, self.terminator, self.unclosed) =
            (0, None, None, None, None, None);
    }

    #[cold]
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < self.limit as usize {
            self.diagnostics.push(diagnostic);
        }
    }

    #[cold]
    fn rare(&mut self, kind: TokenKind, span: Span) -> Flow {
        if self.terminator.is_none() {
            self.tokens.push(Token { span, kind, from: SquareCode(0), to: SquareCode(0) });
        }
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for Line {
    #[inline]
    fn tag(&mut self, tag: Tag<'g>) -> Flow {
        // The first of several counts; names differ in length, so most are dismissed by that.
        let slot = match tag.name.len() {
            3 if tag.name.eq_ignore_ascii_case(b"fen") => &mut self.fen,
            6 if tag.name.eq_ignore_ascii_case(b"result") => &mut self.result,
            8 if tag.name.eq_ignore_ascii_case(b"gametype") => &mut self.game_type,
            _ => return Flow::Continue(()),
        };
        if slot.is_none() && !tag.value.trim_ascii().is_empty() {
            *slot = Some(tag.value_span);
        }
        Flow::Continue(())
    }

    #[inline(always)]
    fn play(&mut self, mv: Move<'g>) -> Flow {
        if self.terminator.is_some() {
            return Flow::Continue(());
        }
        self.written += 1;
        match pair(mv.text) {
            Some((from, to)) => self.tokens.push(Token { span: mv.span, kind: TokenKind::Pair, from, to }),
            None => return self.rare(TokenKind::Text, mv.span),
        }
        Flow::Continue(())
    }

    #[inline]
    fn captures(&mut self, list: Move<'g>) -> Flow {
        self.rare(TokenKind::Captures, list.span)
    }

    #[inline]
    fn missing(&mut self, missing: Missing) -> Flow {
        self.rare(
            match missing.kind {
                MissingKind::Ellipsis => TokenKind::Ellipsis,
                MissingKind::Dash => TokenKind::Dash,
            },
            missing.span,
        )
    }

    #[inline]
    fn setup(&mut self, setup: Setup<'g>) -> Flow {
        self.rare(TokenKind::Setup, setup.fen_span)
    }

    #[inline(always)]
    fn comment(&mut self, _: Comment<'g>) -> Flow {
        Flow::Continue(())
    }

    #[inline]
    fn begin_variation(&mut self, _: Variation) -> Variations {
        Variations::Skip
    }

    #[inline]
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.terminator.get_or_insert(terminator.span);
        Flow::Continue(())
    }

    #[inline]
    fn text(&mut self, _: &'g [u8], span: Span) -> Flow {
        self.rare(TokenKind::Lost, span)
    }

    #[cold]
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        if matches!(diagnostic.code, Code::UnclosedComment) {
            self.unclosed.get_or_insert(diagnostic.span);
        }
        self.report(diagnostic);
        Flow::Continue(())
    }
}
