//! The tree, its parts, and iterators over them.

use super::node::{DecodedNode, Node, NodeKind};
use crate::diag::Diagnostic;
use crate::parse::{
    Comment, CommentKind, MissingMark, MissingMove, MoveNumber, SetupCommand, StrengthMark, TagPair,
    Terminator, WrittenMove, leading_number, nag_number,
};
use crate::span::Span;
use crate::value::Nag;

/// The syntax tree of one record. Borrows the bytes of the record and an [`Arena`](super::Arena).
///
/// ```
/// use pdn::ast::{Arena, TreeBuilder};
/// use pdn::diag::Code;
///
/// let arena = Arena::new();
/// let tree = TreeBuilder::new().build(b"[Event \"Suikerdam\"]\n1. 32-28 19-23 {never closed", &arena);
/// assert_eq!(tree.tag("Event"), Some(&b"Suikerdam"[..]));
/// assert_eq!((tree.moves().len(), tree.terminator()), (2, None));
/// assert_eq!(tree.diagnostics()[0].code, Code::UnclosedComment);
/// assert_eq!(tree.print(), tree.raw());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SyntaxTree<'a> {
    pub(super) game: &'a [u8],
    pub(super) nodes: &'a [Node],
    pub(super) diagnostics: &'a [Diagnostic],
    /// Number of moves of the main line.
    pub(super) moves: u32,
}

/// A part of a record.
///
/// ```
/// use pdn::ast::{Arena, Part, TreeBuilder};
///
/// let arena = Arena::new();
/// let tree = TreeBuilder::new().build(b"1. 32-28! 18-23 $2 {too early} 2. 33-29 *", &arena);
/// let mut judged = Vec::new();
/// let mut last = None;
/// for part in &tree {
///     match part {
///         Part::Move(mv) => last = Some(mv.text),
///         Part::Strength(mark) => judged.push((last.unwrap(), mark.text)),
///         Part::Nag(..) => judged.push((last.unwrap(), part.span().of(tree.raw()))),
///         _ => {}
///     }
/// }
/// assert_eq!(judged, [(&b"32-28"[..], &b"!"[..]), (b"18-23", b"$2")]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Part<'a> {
    /// A tag pair.
    Tag(TagPair<'a>),
    /// A move number, such as `12.`.
    Number(MoveNumber),
    /// A written move.
    Move(WrittenMove<'a>),
    /// The list of squares that the move before it captures, such as `<42,29>`.
    Captures(WrittenMove<'a>),
    /// A mark in place of a missing move, `...` or `-`.
    Missing(MissingMove),
    /// A move strength, such as `!`, `(?)` or `*`.
    Strength(StrengthMark<'a>),
    /// A NAG: its number, and the span of `$1`.
    Nag(Nag, Span),
    /// A comment.
    Comment(Comment<'a>),
    /// A position set in the movetext, or a null move.
    Setup(SetupCommand<'a>),
    /// A variation: an alternative to the move before it.
    Variation(VariationPart<'a>),
    /// The terminator: what ends the movetext.
    Terminator(Terminator<'a>),
    /// Bytes without meaning.
    Text(&'a [u8], Span),
}

/// A variation and the parts inside it.
///
/// ```
/// use pdn::ast::{Arena, Part, Parts, TreeBuilder};
///
/// /// Counts the moves in all lines. Variations are nested as deep as the limits of the builder allow.
/// fn moves_in(parts: Parts<'_>) -> usize {
///     let moves = parts.map(|part| match part {
///         Part::Move(_) => 1,
///         Part::Variation(variation) => moves_in(variation.parts()),
///         _ => 0,
///     });
///     moves.sum()
/// }
///
/// let arena = Arena::new();
/// let tree = TreeBuilder::new().build(b"1. 32-28 (1. 33-28 19-23 (1... 18-23)) 19-23 *", &arena);
/// assert_eq!((tree.moves().count(), moves_in(tree.parts())), (2, 5));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct VariationPart<'a> {
    game: &'a [u8],
    nodes: &'a [Node],
    /// From the opening parenthesis to the closing one; without a closing one, to where the parser ends the variation.
    pub span: Span,
}

impl PartialEq for VariationPart<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.span == other.span && self.nodes == other.nodes && self.game == other.game
    }
}

impl<'a> SyntaxTree<'a> {
    /// Returns the bytes of the record.
    pub const fn raw(&self) -> &'a [u8] {
        self.game
    }

    /// Iterates over the parts of the record in text order. A variation is one part.
    pub fn parts(&self) -> Parts<'a> {
        Parts { game: self.game, nodes: self.nodes }
    }

    /// Iterates over the tags, those among the moves included.
    pub fn tags(&self) -> impl Iterator<Item = TagPair<'a>> + use<'a> {
        self.parts().filter_map(|part| match part {
            Part::Tag(tag) => Some(tag),
            _ => None,
        })
    }

    /// Returns the value of the first tag with this name, as written, with escapes. Names are compared byte by byte.
    pub fn tag(&self, name: &str) -> Option<&'a [u8]> {
        self.tags().find(|tag| tag.name == name.as_bytes()).map(|tag| tag.value)
    }

    /// Iterates over the moves of the main line. Their number is stored, so `len` and `count` are O(1).
    pub fn moves(&self) -> impl ExactSizeIterator<Item = WrittenMove<'a>> + Clone + use<'a> {
        TreeMoves { game: self.game, nodes: self.nodes, remaining: self.moves as usize }
    }

    /// Returns the terminator, if there is one.
    pub fn terminator(&self) -> Option<Terminator<'a>> {
        self.parts().find_map(|part| match part {
            Part::Terminator(terminator) => Some(terminator),
            _ => None,
        })
    }

    /// Returns the diagnostics of the parser, in the order in which it reported them.
    pub const fn diagnostics(&self) -> &'a [Diagnostic] {
        self.diagnostics
    }
}

impl<'a> IntoIterator for &SyntaxTree<'a> {
    type Item = Part<'a>;
    type IntoIter = Parts<'a>;

    /// As [`SyntaxTree::parts`].
    fn into_iter(self) -> Parts<'a> {
        self.parts()
    }
}

impl<'a> VariationPart<'a> {
    /// Iterates over the parts inside the variation in text order.
    pub fn parts(&self) -> Parts<'a> {
        Parts { game: self.game, nodes: self.nodes }
    }
}

/// Iterator over the parts of a record or of one variation; see [`SyntaxTree::parts`].
///
/// [`Part`] and [`VariationPart`] have examples.
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    game: &'a [u8],
    nodes: &'a [Node],
}

/// Iterator over the moves of the main line; see [`SyntaxTree::moves`].
#[derive(Clone, Debug)]
struct TreeMoves<'a> {
    game: &'a [u8],
    nodes: &'a [Node],
    remaining: usize,
}

impl<'a> Iterator for TreeMoves<'a> {
    type Item = WrittenMove<'a>;

    #[inline]
    fn next(&mut self) -> Option<WrittenMove<'a>> {
        while self.remaining > 0 {
            let (part, rest) = DecodedNode::split_first(self.nodes)?;
            self.nodes = rest;
            if part.kind == NodeKind::Move {
                self.remaining -= 1;
                return Some(WrittenMove { text: part.span.of(self.game), span: part.span });
            }
        }
        None
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }

    #[inline]
    fn count(self) -> usize {
        self.remaining
    }
}

impl ExactSizeIterator for TreeMoves<'_> {}

impl<'a> Iterator for Parts<'a> {
    type Item = Part<'a>;

    #[inline]
    fn next(&mut self) -> Option<Part<'a>> {
        let (DecodedNode { kind, span, details, inner }, rest) = DecodedNode::split_first(self.nodes)?;
        self.nodes = rest;
        let text = span.of(self.game);
        Some(match kind {
            NodeKind::Move => Part::Move(WrittenMove { text, span }),
            NodeKind::Number | NodeKind::SecondNumber => Part::Number(MoveNumber {
                number: leading_number(text).0,
                second: kind == NodeKind::SecondNumber,
                span,
            }),
            NodeKind::Tag | NodeKind::TagInMoves | NodeKind::IrregularTag | NodeKind::IrregularTagInMoves => {
                let (name_span, value_span) = match *details {
                    [name, value, ..] => (detail_span(name), detail_span(value)),
                    _ => regular_tag_spans(text, span),
                };
                Part::Tag(TagPair {
                    name: name_span.of(self.game),
                    value: value_span.of(self.game),
                    span,
                    name_span,
                    value_span,
                    in_moves: matches!(kind, NodeKind::TagInMoves | NodeKind::IrregularTagInMoves),
                })
            }
            NodeKind::Captures => Part::Captures(WrittenMove { text, span }),
            NodeKind::Ellipsis => Part::Missing(MissingMove { kind: MissingMark::Ellipsis, span }),
            NodeKind::Dash => Part::Missing(MissingMove { kind: MissingMark::Dash, span }),
            NodeKind::Strength => Part::Strength(StrengthMark { text, span }),
            NodeKind::Nag => Part::Nag(Nag(nag_number(text)), span),
            NodeKind::Braces => comment(&text[1..text.len() - 1], CommentKind::Braces, span),
            NodeKind::UnclosedBraces => comment(&text[1..], CommentKind::Braces, span),
            NodeKind::Semicolon => comment(&text[1..], CommentKind::Semicolon, span),
            NodeKind::Prose => comment(&text[1..text.len() - 1], CommentKind::Parentheses, span),
            NodeKind::Bare => comment(bare_text(text), CommentKind::Bare, span),
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

/// Returns the spans of the name and the value of the regular tag `text` at `span`.
fn regular_tag_spans(text: &[u8], span: Span) -> (Span, Span) {
    let name_end = memchr::memchr(b' ', text).unwrap_or(text.len()) as u32 + span.start;
    (Span::new(span.start + 1, name_end), Span::new(name_end + 2, span.end - 2))
}

fn detail_span(detail: Node) -> Span {
    let (start, end) = detail.detail_numbers();
    Span::new(start, end)
}

/// Returns the text of a comment without braces: all of it, or what stands in brackets or behind a hyphen.
fn bare_text(text: &[u8]) -> &[u8] {
    match text {
        [b'[', text @ .., b']'] | [b'-', text @ ..] => text,
        _ => text,
    }
}

fn comment(text: &[u8], kind: CommentKind, span: Span) -> Part<'_> {
    Part::Comment(Comment { text, kind, span })
}

impl Part<'_> {
    /// Returns the span of the part in the record.
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
