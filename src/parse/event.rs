//! What a visitor hears of: raw parts of a game, borrowed from its bytes, not yet interpreted.

use crate::span::Span;

/// A tag pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tag<'g> {
    /// The name as written.
    pub name: &'g [u8],
    /// The value as written, without its quotes; `\"` and `\\` are still escaped, see [`unescape`](super::unescape).
    pub value: &'g [u8],
    /// The whole pair, brackets included.
    pub span: Span,
    /// Where the name stands.
    pub name_span: Span,
    /// Where the value stands.
    pub value_span: Span,
    /// It stands among the moves, not before them.
    pub in_moves: bool,
}

/// `12.` or `12...`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveNumber {
    /// The number; [`u32::MAX`] if it is larger than that.
    pub number: u32,
    /// Three dots: the second side moves.
    pub second: bool,
    /// Where it stands.
    pub span: Span,
}

/// A move as written: `32-28`, `26x17x10`, `a3b4`, `3228`, `32 - 28`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move<'g> {
    /// Its bytes.
    pub text: &'g [u8],
    /// Where it stands.
    pub span: Span,
}

/// What stands in place of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingKind {
    /// `...`: the first side's move in `1. ... 18-23`, an unknown one elsewhere.
    Ellipsis,
    /// `-` or `--`.
    Dash,
}

/// A mark in place of a move that is missing or unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missing {
    /// Which mark.
    pub kind: MissingKind,
    /// Where it stands.
    pub span: Span,
}

/// `!`, `(?)`, `*`, `□`: what the annotator thinks of the move before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength<'g> {
    /// Its bytes.
    pub text: &'g [u8],
    /// Where it stands.
    pub span: Span,
}

/// How a comment is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CommentKind {
    /// `{...}`
    Braces,
    /// `;` to the end of the line.
    Semicolon,
    /// `%` at the start of a line, to its end.
    Percent,
}

/// A comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment<'g> {
    /// Its text without braces, semicolon or percent sign.
    pub text: &'g [u8],
    /// How it is written.
    pub kind: CommentKind,
    /// All of it, braces included.
    pub span: Span,
}

/// A setup of a new position, or a null move: `/FEN "W:W31-50:B1-20"/` (PDN 3.0, 5.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup<'g> {
    /// What stands between the quotes.
    pub fen: &'g [u8],
    /// Where that stands.
    pub fen_span: Span,
    /// All of it, slashes included.
    pub span: Span,
}

/// The opening or closing parenthesis of a variation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variation {
    /// Where it stands; empty for a closing one that is missing.
    pub span: Span,
    /// How many variations are open, this one included.
    pub depth: u32,
}

/// What ends a game: `*`, a result, or `-` for none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terminator<'g> {
    /// Its bytes.
    pub text: &'g [u8],
    /// Where it stands.
    pub span: Span,
}
