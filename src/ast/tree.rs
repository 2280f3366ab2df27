//! The tree and its parts.

use super::node::{Node, NodeKind, Whole};
use crate::diag::Diagnostic;
use crate::parse::{
    Comment, CommentKind, MissingMark, MissingMove, MoveNumber, SetupCommand, StrengthMark, TagPair,
    Terminator, WrittenMove, leading_number, nag_number,
};
use crate::span::Span;

/// A game as a tree. Borrows the text of the game and an arena.
#[derive(Clone, Copy, Debug)]
pub struct SyntaxTree<'a> {
    pub(super) game: &'a [u8],
    pub(super) nodes: &'a [Node],
    pub(super) diagnostics: &'a [Diagnostic],
    /// Moves of the main line.
    pub(super) moves: u32,
}

/// A part of a game, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Part<'a> {
    /// A tag pair.
    Tag(TagPair<'a>),
    /// `12.`
    Number(MoveNumber),
    /// A move.
    Move(WrittenMove<'a>),
    /// The squares that the move before captures: `<42,29>`.
    Captures(WrittenMove<'a>),
    /// A mark in place of a move.
    Missing(MissingMove),
    /// `!`, `(?)`, `*`.
    Strength(StrengthMark<'a>),
    /// `$1`
    Nag(u32, Span),
    /// A comment.
    Comment(Comment<'a>),
    /// A setup or a null move.
    Setup(SetupCommand<'a>),
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

impl<'a> SyntaxTree<'a> {
    /// The bytes of the game.
    pub const fn raw(&self) -> &'a [u8] {
        self.game
    }

    /// Everything in the game, in order; variations as one part each.
    pub fn parts(&self) -> Parts<'a> {
        Parts { game: self.game, nodes: self.nodes }
    }

    /// The tags, wherever they stand.
    pub fn tags(&self) -> impl Iterator<Item = TagPair<'a>> + use<'a> {
        self.parts().filter_map(|part| match part {
            Part::Tag(tag) => Some(tag),
            _ => None,
        })
    }

    /// The raw value of the first tag of that name.
    pub fn tag(&self, name: &str) -> Option<&'a [u8]> {
        self.tags().find(|tag| tag.name == name.as_bytes()).map(|tag| tag.value)
    }

    /// The moves of the main line, whose number is known.
    pub fn moves(&self) -> TreeMoves<'a> {
        TreeMoves { game: self.game, nodes: self.nodes, left: self.moves as usize }
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

/// Iterator over the moves of a main line.
#[derive(Clone, Debug)]
pub struct TreeMoves<'a> {
    game: &'a [u8],
    nodes: &'a [Node],
    left: usize,
}

impl<'a> Iterator for TreeMoves<'a> {
    type Item = WrittenMove<'a>;

    #[inline]
    fn next(&mut self) -> Option<WrittenMove<'a>> {
        while self.left > 0 {
            let (part, rest) = Whole::first(self.nodes)?;
            self.nodes = rest;
            if part.kind == NodeKind::Move {
                self.left -= 1;
                return Some(WrittenMove { text: part.span.of(self.game), span: part.span });
            }
        }
        None
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    #[inline]
    fn count(self) -> usize {
        self.left
    }
}

impl ExactSizeIterator for TreeMoves<'_> {}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    #[inline]
    fn next(&mut self) -> Option<Part<'a>> {
        let (Whole { kind, span, details, inner }, rest) = Whole::first(self.nodes)?;
        self.nodes = rest;
        let text = span.of(self.game);
        Some(match kind {
            NodeKind::Move => Part::Move(WrittenMove { text, span }),
            NodeKind::Number | NodeKind::SecondNumber => Part::Number(MoveNumber {
                number: leading_number(text).0,
                second: kind == NodeKind::SecondNumber,
                span,
            }),
            NodeKind::Tag | NodeKind::TagInMoves | NodeKind::OddTag | NodeKind::OddTagInMoves => {
                let (name_span, value_span) = match *details {
                    [name, value, ..] => (detail_span(name), detail_span(value)),
                    _ => plain_tag(text, span),
                };
                Part::Tag(TagPair {
                    name: name_span.of(self.game),
                    value: value_span.of(self.game),
                    span,
                    name_span,
                    value_span,
                    in_moves: matches!(kind, NodeKind::TagInMoves | NodeKind::OddTagInMoves),
                })
            }
            NodeKind::Captures => Part::Captures(WrittenMove { text, span }),
            NodeKind::Ellipsis => Part::Missing(MissingMove { kind: MissingMark::Ellipsis, span }),
            NodeKind::Dash => Part::Missing(MissingMove { kind: MissingMark::Dash, span }),
            NodeKind::Strength => Part::Strength(StrengthMark { text, span }),
            NodeKind::Nag => Part::Nag(nag_number(text), span),
            NodeKind::Braces => comment(&text[1..text.len() - 1], CommentKind::Braces, span),
            NodeKind::UnclosedBraces => comment(&text[1..], CommentKind::Braces, span),
            NodeKind::Semicolon => comment(&text[1..], CommentKind::Semicolon, span),
            NodeKind::Percent => comment(&text[1..], CommentKind::Percent, span),
            NodeKind::Setup => {
                let fen_span = details.first().map_or(Span::at(span.end), |&fen| detail_span(fen));
                Part::Setup(SetupCommand { fen: fen_span.of(self.game), fen_span, span })
            }
            NodeKind::Variation => Part::Variation(VariationPart { game: self.game, nodes: inner, span }),
            NodeKind::Terminator => Part::Terminator(Terminator { text, span }),
            NodeKind::Text => Part::Text(text, span),
        })
    }
}

/// Where the name and the value of a plain tag stand.
fn plain_tag(text: &[u8], span: Span) -> (Span, Span) {
    let name = memchr::memchr(b' ', text).unwrap_or(text.len()) as u32 + span.start;
    (Span::new(span.start + 1, name), Span::new(name + 2, span.end - 2))
}

fn detail_span(detail: Node) -> Span {
    let (start, end) = detail.numbers();
    Span::new(start, end)
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
