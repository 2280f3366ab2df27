//! Builds trees: a visitor writes nodes into reused memory, and one copy moves them into the arena.

use super::node::{Arena, Node, NodeKind};
use super::tree::SyntaxTree;
use crate::diag::Diagnostic;
use crate::limits::Limits;
use crate::parse::{
    Comment, CommentKind, Flow, MissingMark, MissingMove, MoveNumber, NumberedMoveRun, SetupCommand,
    StrengthMark, TagPair, Terminator, VariationAction, VariationMark, Visitor, WrittenMove, walk_on,
};
use crate::simd::{self, Isa, Task};
use crate::span::Span;
use crate::value::Nag;

/// Builds syntax trees, one record after another.
///
/// A builder keeps its working memory. Once it has seen the largest record, building a tree allocates only in the arena,
/// and not there either if the arena is reset between records.
///
/// The page of [`ast`](crate::ast) has an example.
#[derive(Debug, Default)]
pub struct TreeBuilder {
    limits: Limits,
    /// The nodes so far, followed by initialised memory for further ones.
    nodes: Vec<Node>,
    /// Number of nodes so far.
    len: usize,
    /// Number of moves of the main line.
    moves: u32,
    /// Indices in `nodes` of the variations that are open, outermost first.
    open: Vec<usize>,
    diagnostics: Vec<Diagnostic>,
}

impl TreeBuilder {
    /// Creates a builder with the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a builder with `limits`. A tree keeps at most [`Limits::diagnostics`] diagnostics.
    pub fn with_limits(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Builds the tree of a record in `arena`. [`split`](crate::split) finds the records of an input.
    ///
    /// Never fails: bytes without meaning become parts of kind [`Part::Text`](super::Part::Text) and
    /// [diagnostics](SyntaxTree::diagnostics). O(bytes of the record).
    pub fn build<'a>(&mut self, game: &'a [u8], arena: &'a Arena) -> SyntaxTree<'a> {
        self.len = 0;
        self.moves = 0;
        self.open.clear();
        self.diagnostics.clear();
        simd::run(BuildTask { builder: self, game });
        SyntaxTree {
            game,
            nodes: arena.copy(&self.nodes[..self.len]),
            diagnostics: arena.copy(&self.diagnostics),
            moves: self.moves,
        }
    }

    /// Returns memory for the next `N` nodes. The caller writes some of them and adds their number to `len`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn reserve<const N: usize>(&mut self) -> &mut [Node; N] {
        if self.nodes.len() - self.len < N {
            self.grow(N);
        }
        self.nodes[self.len..].first_chunk_mut().expect("`grow` has made room for N nodes")
    }

    /// Makes room for at least `more` nodes; doubles the memory, so that growing is linear in all.
    #[cold]
    fn grow(&mut self, more: usize) {
        let len = (2 * self.nodes.len()).max(self.len + more);
        self.nodes.resize(len, Node::NONE);
    }

    /// Appends a node, with a detail if its span is long.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push(&mut self, kind: NodeKind, span: Span) -> Flow {
        let (node, detail) = Node::new(kind, span);
        self.reserve::<2>()[0] = node;
        self.len += 1;
        match detail {
            Some(detail) => self.push_detail(detail),
            None => Flow::Continue(()),
        }
    }

    fn push_detail(&mut self, detail: Node) -> Flow {
        self.reserve::<1>()[0] = detail;
        self.len += 1;
        Flow::Continue(())
    }
}

/// The task of building a tree, compiled for each instruction set.
struct BuildTask<'b, 'g> {
    builder: &'b mut TreeBuilder,
    game: &'g [u8],
}

impl Task for BuildTask<'_, '_> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) {
        let limits = self.builder.limits;
        let mut writer = NodeWriter { isa, game: self.game, builder: self.builder };
        // `NodeWriter` never breaks, so the walk always reaches the end.
        let _ = walk_on(isa, self.game, &limits, &mut writer);
    }
}

/// A visitor that writes a node for each part.
struct NodeWriter<'b, 'g, I> {
    isa: I,
    game: &'g [u8],
    builder: &'b mut TreeBuilder,
}

impl<'g, I: Isa> Visitor<'g> for NodeWriter<'_, 'g, I> {
    const STYLE: bool = true;

    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        let is_regular = tag.name_span.start == tag.span.start + 1
            && tag.value_span.start == tag.name_span.end + 2
            && tag.value_span.end + 2 == tag.span.end
            && self.game.get(tag.name_span.end as usize) == Some(&b' ');
        if is_regular {
            return self
                .builder
                .push(if tag.in_moves { NodeKind::TagInMoves } else { NodeKind::Tag }, tag.span);
        }
        let kind = if tag.in_moves { NodeKind::IrregularTagInMoves } else { NodeKind::IrregularTag };
        self.builder.push(kind, tag.span)?;
        self.builder.push_detail(Node::detail(tag.name_span.start, tag.name_span.end))?;
        self.builder.push_detail(Node::detail(tag.value_span.start, tag.value_span.end))
    }

    #[inline]
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        let kind = if number.second { NodeKind::SecondNumber } else { NodeKind::Number };
        self.builder.push(kind, number.span)
    }

    #[inline]
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.builder.moves += u32::from(self.builder.open.is_empty());
        self.builder.push(NodeKind::Move, mv.span)
    }

    // Twin: `move_number` and `written_move`, which write one node a call; test: `tree_equals_visitor_events`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn numbered_move_run(&mut self, parts: NumberedMoveRun<'g>) -> Flow {
        /// Nodes written at once. Most blocks of 64 bytes hold fewer moves and numbers.
        const STEP: usize = 16;
        let len = parts.len();
        let (at, numbers) = (parts.at(), parts.numbers());
        let (starts, ends) = parts.places();
        let (starts, ends) = (self.isa.places(starts), self.isa.places(ends));
        let room: &mut [Node; NumberedMoveRun::MAX_PARTS] = self.builder.reserve();
        let places = starts.chunks_exact(STEP).zip(ends.chunks_exact(STEP));
        for (nodes, (starts, ends)) in room.chunks_exact_mut(STEP).zip(places) {
            // Nodes after the last part are arbitrary; they are not counted in `len`, so the next write replaces them.
            for (node, (&start, &end)) in nodes.iter_mut().zip(starts.iter().zip(ends)) {
                let is_number = numbers >> (start & 63) & 1 != 0;
                let len = u32::from(end.wrapping_sub(start));
                *node = Node::number_or_move(at + u32::from(start), len, is_number);
            }
            if len <= STEP {
                break;
            }
        }
        self.builder.len += len;
        self.builder.moves += len as u32 - numbers.count_ones();
        Flow::Continue(())
    }

    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.builder.push(NodeKind::Captures, list.span)
    }

    fn missing(&mut self, missing: MissingMove) -> Flow {
        let kind = match missing.kind {
            MissingMark::Ellipsis => NodeKind::Ellipsis,
            MissingMark::Dash => NodeKind::Dash,
        };
        self.builder.push(kind, missing.span)
    }

    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.builder.push(NodeKind::Strength, strength.span)
    }

    fn nag(&mut self, _: Nag, span: Span) -> Flow {
        self.builder.push(NodeKind::Nag, span)
    }

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        let kind = match comment.kind {
            CommentKind::Braces if comment.text.len() + 1 == comment.span.len() as usize => {
                NodeKind::UnclosedBraces
            }
            CommentKind::Braces => NodeKind::Braces,
            CommentKind::Semicolon => NodeKind::Semicolon,
            CommentKind::Percent => NodeKind::Percent,
            CommentKind::Parentheses => NodeKind::Prose,
            CommentKind::Bare => NodeKind::Bare,
        };
        self.builder.push(kind, comment.span)
    }

    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.builder.push(NodeKind::Setup, setup.span)?;
        self.builder.push_detail(Node::detail(setup.fen_span.start, setup.fen_span.end))
    }

    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        let builder = &mut *self.builder;
        builder.open.push(builder.len);
        let _ = builder.push(NodeKind::Variation, Span::at(variation.span.start));
        let _ = builder.push_detail(Node::NONE);
        VariationAction::Enter
    }

    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        let builder = &mut *self.builder;
        if let Some(opener) = builder.open.pop() {
            let first = opener + 2;
            builder.nodes[opener + 1] = Node::detail(variation.span.end, (builder.len - first) as u32);
        }
        Flow::Continue(())
    }

    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.builder.push(NodeKind::Terminator, terminator.span)
    }

    fn text(&mut self, _: &'g [u8], span: Span) -> Flow {
        self.builder.push(NodeKind::Text, span)
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        if self.builder.diagnostics.len() < self.builder.limits.diagnostics as usize {
            self.builder.diagnostics.push(diagnostic);
        }
        Flow::Continue(())
    }
}
