//! The tree and its parts.

use crate::diag::Diagnostic;
use crate::parse::{
    Comment, CommentKind, Missing, MissingKind, Move, MoveNumber, Setup, Strength, Tag, Terminator,
};
use crate::span::Span;

/// A game as a tree. Borrows the text of the game and an arena.
#[derive(Clone, Copy, Debug)]
pub struct Tree<'a> {
    pub(super) game: &'a [u8],
    pub(super) nodes: &'a [Node],
    pub(super) diagnostics: &'a [Diagnostic],
}

/// A part of a game, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Part<'a> {
    /// A tag pair.
    Tag(Tag<'a>),
    /// `12.`
    Number(MoveNumber),
    /// A move.
    Move(Move<'a>),
    /// The squares that the move before captures: `<42,29>`.
    Captures(Move<'a>),
    /// A mark in place of a move.
    Missing(Missing),
    /// `!`, `(?)`, `*`.
    Strength(Strength<'a>),
    /// `$1`
    Nag(u32, Span),
    /// A comment.
    Comment(Comment<'a>),
    /// A setup or a null move.
    Setup(Setup<'a>),
    /// An alternative to the move before.
    Variation(VariationPart<'a>),
    /// The end of the game as written.
    Terminator(Terminator<'a>),
    /// Text without meaning.
    Text(&'a [u8], Span),
}

/// A variation and what is in it.
#[derive(Clone, Copy, Debug)]
pub struct VariationPart<'a> {
    game: &'a [u8],
    nodes: &'a [Node],
    /// From its opening parenthesis to its closing one, or to where that should stand.
    pub span: Span,
}

impl PartialEq for VariationPart<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.span == other.span && self.nodes == other.nodes && self.game == other.game
    }
}

impl<'a> Tree<'a> {
    /// The bytes of the game.
    pub const fn raw(&self) -> &'a [u8] {
        self.game
    }

    /// Everything in the game, in order; variations as one part each.
    pub fn parts(&self) -> Parts<'a> {
        Parts { game: self.game, nodes: self.nodes }
    }

    /// The tags, wherever they stand.
    pub fn tags(&self) -> impl Iterator<Item = Tag<'a>> + use<'a> {
        self.parts().filter_map(|part| match part {
            Part::Tag(tag) => Some(tag),
            _ => None,
        })
    }

    /// The raw value of the first tag of that name.
    pub fn tag(&self, name: &str) -> Option<&'a [u8]> {
        self.tags().find(|tag| tag.name == name.as_bytes()).map(|tag| tag.value)
    }

    /// The moves of the main line.
    pub fn moves(&self) -> Moves<'a> {
        Moves { game: self.game, nodes: self.nodes }
    }

    /// What ends the game.
    pub fn terminator(&self) -> Option<Terminator<'a>> {
        self.parts().find_map(|part| match part {
            Part::Terminator(terminator) => Some(terminator),
            _ => None,
        })
    }

    /// What the parser found wrong, in the order found.
    pub const fn diagnostics(&self) -> &'a [Diagnostic] {
        self.diagnostics
    }
}

impl<'a> VariationPart<'a> {
    /// Everything in the variation, in order.
    pub fn parts(&self) -> Parts<'a> {
        Parts { game: self.game, nodes: self.nodes }
    }
}

/// Iterator over parts that stand side by side.
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    game: &'a [u8],
    nodes: &'a [Node],
}

/// Iterator over the moves among parts that stand side by side.
#[derive(Clone, Debug)]
pub struct Moves<'a> {
    game: &'a [u8],
    nodes: &'a [Node],
}

impl<'a> Iterator for Moves<'a> {
    type Item = Move<'a>;

    #[inline]
    fn next(&mut self) -> Option<Move<'a>> {
        loop {
            let (node, rest) = self.nodes.split_first()?;
            match node.kind {
                NodeKind::Move => {
                    self.nodes = rest;
                    return Some(Move { text: node.span.of(self.game), span: node.span });
                }
                NodeKind::Variation => self.nodes = rest.get(node.extra as usize..).unwrap_or_default(),
                _ => self.nodes = rest,
            }
        }
    }

    /// Their number; up to the first variation without a look at each.
    #[inline]
    fn count(mut self) -> usize {
        let variation = self.nodes.iter().position(|node| node.kind == NodeKind::Variation);
        let (plain, rest) = self.nodes.split_at(variation.unwrap_or(self.nodes.len()));
        self.nodes = rest;
        let plain = plain.iter().filter(|node| node.kind == NodeKind::Move).count();
        plain + self.fold(0, |count, _| count + 1)
    }
}

/// A node: what it is, where it stands, and a number that depends on what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) kind: NodeKind,
    /// Nodes inside a variation; the number of a move or an annotation; where the value of a tag or setup starts
    /// in the span, in the lower half the end of it, in the upper.
    pub(super) extra: u32,
}

const _: () = assert!(size_of::<Node>() == 16, "a node is a quarter of a cache line");
const _: () = assert!(!std::mem::needs_drop::<Node>(), "an arena drops nothing");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum NodeKind {
    /// The name and value are spans of their own, in the two nodes after this one.
    Tag,
    TagInMoves,
    Number,
    SecondNumber,
    Move,
    Captures,
    Ellipsis,
    Dash,
    Strength,
    Nag,
    Braces,
    UnclosedBraces,
    Semicolon,
    Percent,
    /// The position is a span of its own, in the node after this one.
    Setup,
    Variation,
    Terminator,
    Text,
    /// A span that belongs to the node before.
    Detail,
}

impl NodeKind {
    /// How many nodes after one of this kind belong to it, for all but variations.
    const fn details(self) -> usize {
        match self {
            Self::Tag | Self::TagInMoves => 2,
            Self::Setup => 1,
            _ => 0,
        }
    }
}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    #[inline]
    fn next(&mut self) -> Option<Part<'a>> {
        let (node, rest) = self.nodes.split_first()?;
        let inner = if node.kind == NodeKind::Variation { node.extra as usize } else { node.kind.details() };
        let (inner, rest) = rest.split_at(inner);
        self.nodes = rest;
        let span = node.span;
        let text = span.of(self.game);
        Some(match node.kind {
            NodeKind::Move => Part::Move(Move { text, span }),
            NodeKind::Number | NodeKind::SecondNumber => Part::Number(MoveNumber {
                number: node.extra,
                second: node.kind == NodeKind::SecondNumber,
                span,
            }),
            NodeKind::Tag | NodeKind::TagInMoves => {
                let (name_span, value_span) = (inner[0].span, inner[1].span);
                Part::Tag(Tag {
                    name: name_span.of(self.game),
                    value: value_span.of(self.game),
                    span,
                    name_span,
                    value_span,
                    in_moves: node.kind == NodeKind::TagInMoves,
                })
            }
            NodeKind::Captures => Part::Captures(Move { text, span }),
            NodeKind::Ellipsis => Part::Missing(Missing { kind: MissingKind::Ellipsis, span }),
            NodeKind::Dash => Part::Missing(Missing { kind: MissingKind::Dash, span }),
            NodeKind::Strength => Part::Strength(Strength { text, span }),
            NodeKind::Nag => Part::Nag(node.extra, span),
            NodeKind::Braces => comment(&text[1..text.len() - 1], CommentKind::Braces, span),
            NodeKind::UnclosedBraces => comment(&text[1..], CommentKind::Braces, span),
            NodeKind::Semicolon => comment(&text[1..], CommentKind::Semicolon, span),
            NodeKind::Percent => comment(&text[1..], CommentKind::Percent, span),
            NodeKind::Setup => {
                let fen_span = inner[0].span;
                Part::Setup(Setup { fen: fen_span.of(self.game), fen_span, span })
            }
            NodeKind::Variation => Part::Variation(VariationPart { game: self.game, nodes: inner, span }),
            NodeKind::Terminator => Part::Terminator(Terminator { text, span }),
            NodeKind::Text | NodeKind::Detail => Part::Text(text, span),
        })
    }
}

fn comment(text: &[u8], kind: CommentKind, span: Span) -> Part<'_> {
    Part::Comment(Comment { text, kind, span })
}

impl Part<'_> {
    /// Where the part stands.
    pub const fn span(&self) -> Span {
        match self {
            Part::Tag(tag) => tag.span,
            Part::Number(number) => number.span,
            Part::Move(mv) | Part::Captures(mv) => mv.span,
            Part::Missing(missing) => missing.span,
            Part::Strength(strength) => strength.span,
            Part::Nag(_, span) | Part::Text(_, span) => *span,
            Part::Comment(comment) => comment.span,
            Part::Setup(setup) => setup.span,
            Part::Variation(variation) => variation.span,
            Part::Terminator(terminator) => terminator.span,
        }
    }
}
