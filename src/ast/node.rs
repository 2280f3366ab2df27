//! A node of a tree: eight bytes, told apart by their kind.

use crate::span::Span;

/// What stands where. Some kinds have details, nodes behind them that are two numbers and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    start: u32,
    /// The kind in the lowest byte, the length in the other three. Of a detail any number.
    rest: u32,
}

const _: () = assert!(size_of::<Node>() == 8, "trees are written as fast as memory is");
const _: () = assert!(!std::mem::needs_drop::<Node>(), "an arena drops nothing");

/// Stands for this length and all that are longer: the end is the first detail.
const LONG: u32 = 0xFF_FFFF;

impl Node {
    /// In place of a node that is still to be written.
    pub(super) const NONE: Self = Self { start: 0, rest: 0 };

    /// A node of a kind without details for `span`, shorter than [`LONG`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn short(kind: NodeKind, span: Span) -> Self {
        Self { start: span.start, rest: span.len() << 8 | kind as u32 }
    }

    /// A number or a move that is not long. Without a branch.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn number_or_move(start: u32, len: u32, number: bool) -> Self {
        const { assert!(NodeKind::Move as u32 == 0 && NodeKind::Number as u32 == 1) };
        Self { start, rest: len << 8 | u32::from(number) }
    }

    /// A node for `span` and, if that is too long for it, its detail.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(kind: NodeKind, span: Span) -> (Self, Option<Self>) {
        if span.len() < LONG {
            return (Self::short(kind, span), None);
        }
        (Self { start: span.start, rest: LONG << 8 | kind as u32 }, Some(Self::detail(span.end, 0)))
    }

    /// Two numbers about the node before.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn detail(one: u32, other: u32) -> Self {
        Self { start: one, rest: other }
    }

    /// What it was made of, if it is a detail.
    pub(super) fn numbers(self) -> (u32, u32) {
        (self.start, self.rest)
    }

    #[inline]
    pub(super) fn kind(self) -> NodeKind {
        NodeKind::ALL.get(usize::from(self.rest as u8)).copied().unwrap_or(NodeKind::Text)
    }

    /// How many details follow it.
    #[inline]
    fn details(self) -> usize {
        let long = usize::from(self.rest >> 8 == LONG);
        match self.kind() {
            NodeKind::OddTag | NodeKind::OddTagInMoves => 2 + long,
            NodeKind::Setup => 1 + long,
            NodeKind::Variation => 1,
            _ => long,
        }
    }
}

/// A node with its details, and for a variation what is in it.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a> {
    pub(super) kind: NodeKind,
    pub(super) span: Span,
    /// Details of its kind.
    pub(super) details: &'a [Node],
    /// What is in a variation.
    pub(super) inner: &'a [Node],
}

impl<'a> Whole<'a> {
    /// The first of `nodes`, and those behind it and all that belongs to it.
    #[inline]
    pub(super) fn first(nodes: &'a [Node]) -> Option<(Self, &'a [Node])> {
        let (&node, rest) = nodes.split_first()?;
        let kind = node.kind();
        let (mut details, mut rest) = rest.split_at_checked(node.details())?;
        let mut end = node.start + (node.rest >> 8);
        if node.rest >> 8 == LONG {
            let (first, others) = details.split_first()?;
            (end, details) = (first.start, others);
        }
        let mut inner = &[][..];
        if kind == NodeKind::Variation {
            let (place, len) = details.first()?.numbers();
            (inner, rest) = rest.split_at_checked(len as usize)?;
            end = place;
        }
        Some((Self { kind, span: Span { start: node.start, end }, details, inner }, rest))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum NodeKind {
    Move,
    /// Its number is read from the text.
    Number,
    SecondNumber,
    /// Name and value are read from the text: `[Name "value"]` with one blank and no others, and two quotes where
    /// they belong.
    Tag,
    TagInMoves,
    /// Two details: first and last offset of the name, and of the value.
    OddTag,
    OddTagInMoves,
    Captures,
    Ellipsis,
    Dash,
    Strength,
    /// Its number is read from the text.
    Nag,
    Braces,
    UnclosedBraces,
    Semicolon,
    Percent,
    /// A detail: first and last offset of the position.
    Setup,
    /// A detail: its end, and how many nodes behind that are in it.
    Variation,
    Terminator,
    Text,
}

impl NodeKind {
    /// All of them, each in its place.
    const ALL: [Self; 20] = [
        Self::Move,
        Self::Number,
        Self::SecondNumber,
        Self::Tag,
        Self::TagInMoves,
        Self::OddTag,
        Self::OddTagInMoves,
        Self::Captures,
        Self::Ellipsis,
        Self::Dash,
        Self::Strength,
        Self::Nag,
        Self::Braces,
        Self::UnclosedBraces,
        Self::Semicolon,
        Self::Percent,
        Self::Setup,
        Self::Variation,
        Self::Terminator,
        Self::Text,
    ];
}

const _: () = {
    let mut n = 0;
    while n < NodeKind::ALL.len() {
        assert!(NodeKind::ALL[n] as usize == n, "each kind in its place");
        n += 1;
    }
};
