//! The nodes of a tree, eight bytes each, and the memory that trees live in.

use crate::span::Span;
use bumpalo::Bump;

/// The kind and span of one part of a record.
///
/// Some kinds are followed by *details*: nodes that carry two plain numbers. Whether a node is a detail follows from the
/// node before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// Offset of the first byte in the record; in a detail, its first number.
    start: u32,
    /// The kind in the low 8 bits, the length in bytes in the high 24 bits; in a detail, its second number.
    kind_and_len: u32,
}

const _: () = assert!(size_of::<Node>() == 8, "building a tree is bound by memory bandwidth");
const _: () = assert!(!std::mem::needs_drop::<Node>(), "an arena runs no destructors");

/// The length field of a node whose span has this many bytes or more; the end of the span is then its first detail.
const LONG_LEN: u32 = 0xFF_FFFF;

impl Node {
    /// A placeholder for a node that is written later.
    pub(super) const NONE: Self = Self { start: 0, kind_and_len: 0 };

    /// Creates a node without details. `span` must be shorter than [`LONG_LEN`] bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn short(kind: NodeKind, span: Span) -> Self {
        Self { start: span.start, kind_and_len: span.len() << 8 | kind as u32 }
    }

    /// Creates a move number or a move shorter than [`LONG_LEN`] bytes, without a branch.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn number_or_move(start: u32, len: u32, is_number: bool) -> Self {
        const { assert!(NodeKind::Move as u32 == 0 && NodeKind::Number as u32 == 1) };
        Self { start, kind_and_len: len << 8 | u32::from(is_number) }
    }

    /// Creates a node for `span`, with a detail if the span is too long for the length field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(kind: NodeKind, span: Span) -> (Self, Option<Self>) {
        if span.len() < LONG_LEN {
            return (Self::short(kind, span), None);
        }
        let node = Self { start: span.start, kind_and_len: LONG_LEN << 8 | kind as u32 };
        (node, Some(Self::detail(span.end, 0)))
    }

    /// Creates a detail of the node before it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn detail(first: u32, second: u32) -> Self {
        Self { start: first, kind_and_len: second }
    }

    /// Returns the two numbers of a detail.
    pub(super) fn detail_numbers(self) -> (u32, u32) {
        (self.start, self.kind_and_len)
    }

    /// Returns the kind of a node that is no detail.
    #[inline]
    pub(super) fn kind(self) -> NodeKind {
        NodeKind::ALL.get(usize::from(self.kind_and_len as u8)).copied().unwrap_or(NodeKind::Text)
    }

    /// Returns the number of details that follow the node.
    #[inline]
    fn detail_count(self) -> usize {
        let long = usize::from(self.kind_and_len >> 8 == LONG_LEN);
        match self.kind() {
            NodeKind::IrregularTag | NodeKind::IrregularTagInMoves => 2 + long,
            NodeKind::Setup => 1 + long,
            NodeKind::Variation => 1,
            _ => long,
        }
    }
}

/// A node together with its details and, for a variation, the nodes inside it.
#[derive(Clone, Copy)]
pub(super) struct DecodedNode<'a> {
    pub(super) kind: NodeKind,
    pub(super) span: Span,
    /// The details that the kind defines, without the one for a long span.
    pub(super) details: &'a [Node],
    /// The nodes inside a variation; empty for all other kinds.
    pub(super) inner: &'a [Node],
}

impl<'a> DecodedNode<'a> {
    /// Decodes the first of `nodes` and returns the nodes after it, its details and its inner nodes; `None` if `nodes` is
    /// empty.
    #[inline]
    pub(super) fn split_first(nodes: &'a [Node]) -> Option<(Self, &'a [Node])> {
        let (&node, rest) = nodes.split_first()?;
        let kind = node.kind();
        let (mut details, mut rest) = rest.split_at_checked(node.detail_count())?;
        let mut end = node.start + (node.kind_and_len >> 8);
        if node.kind_and_len >> 8 == LONG_LEN {
            let (long_end, others) = details.split_first()?;
            (end, details) = (long_end.start, others);
        }
        let mut inner = &[][..];
        if kind == NodeKind::Variation {
            let (variation_end, inner_count) = details.first()?.detail_numbers();
            (inner, rest) = rest.split_at_checked(inner_count as usize)?;
            end = variation_end;
        }
        Some((Self { kind, span: Span { start: node.start, end }, details, inner }, rest))
    }
}

/// The kinds of nodes, and the details of those that have any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum NodeKind {
    Move,
    /// A move number. Its value is read from the text.
    Number,
    SecondNumber,
    /// A regular tag, `[Name "value"]` with a single space and two quotes. Name and value are read from the text.
    Tag,
    TagInMoves,
    /// A tag of any other form. Two details: the start and end offset of the name, and of the value.
    IrregularTag,
    IrregularTagInMoves,
    Captures,
    Ellipsis,
    Dash,
    Strength,
    /// A NAG. Its number is read from the text.
    Nag,
    Braces,
    UnclosedBraces,
    Semicolon,
    Percent,
    Prose,
    Bare,
    /// A setup. One detail: the start and end offset of its FEN.
    Setup,
    /// A variation. One detail: its end offset, and the number of nodes after the detail that are inside it.
    Variation,
    Terminator,
    Text,
}

impl NodeKind {
    /// All kinds, each at the index of its discriminant.
    const ALL: [Self; 22] = [
        Self::Move,
        Self::Number,
        Self::SecondNumber,
        Self::Tag,
        Self::TagInMoves,
        Self::IrregularTag,
        Self::IrregularTagInMoves,
        Self::Captures,
        Self::Ellipsis,
        Self::Dash,
        Self::Strength,
        Self::Nag,
        Self::Braces,
        Self::UnclosedBraces,
        Self::Semicolon,
        Self::Percent,
        Self::Prose,
        Self::Bare,
        Self::Setup,
        Self::Variation,
        Self::Terminator,
        Self::Text,
    ];
}

const _: () = {
    let mut n = 0;
    while n < NodeKind::ALL.len() {
        assert!(NodeKind::ALL[n] as usize == n, "each kind stands at the index of its discriminant");
        n += 1;
    }
};

/// Memory for syntax trees, released for all trees at once.
///
/// A tree borrows its arena, so the arena can be reset only when no tree of it is in use. Resetting keeps the largest
/// block of memory: an arena that is reset after each record stops allocating once it has held the largest tree.
///
/// ```
/// use pdn::ast::{Arena, TreeBuilder};
///
/// let (mut builder, mut arena) = (TreeBuilder::new(), Arena::new());
/// for game in pdn::split::records(b"1. 32-28 19-23 *\n1. 33-29 *\n") {
///     assert!(builder.build(game.bytes, &arena).moves().count() > 0);
///     arena.reset();
/// }
/// ```
#[derive(Debug, Default)]
pub struct Arena(Bump);

impl Arena {
    /// Creates an arena without allocating; the first tree allocates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an arena with room for `bytes` bytes of trees.
    pub fn with_capacity(bytes: usize) -> Self {
        Self(Bump::with_capacity(bytes))
    }

    /// Discards all trees and keeps the memory for the next ones. O(blocks allocated).
    pub fn reset(&mut self) {
        self.0.reset();
    }

    /// Returns the number of bytes allocated from the system, in use or not.
    pub fn allocated_bytes(&self) -> usize {
        self.0.allocated_bytes()
    }

    /// Copies `items` into the arena.
    #[inline]
    pub(super) fn copy<T: Copy>(&self, items: &[T]) -> &[T] {
        self.0.alloc_slice_copy(items)
    }
}
