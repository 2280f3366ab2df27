//! Building trees: a visitor that writes nodes into reused memory, and one copy into the arena at the end.

use bumpalo::Bump;

use super::node::{Node, NodeKind};
use super::tree::SyntaxTree;
use crate::diag::Diagnostic;
use crate::limits::Limits;
use crate::parse::{
    Comment, CommentKind, Flow, MissingMark, MissingMove, MoveNumber, NumberedMoveRun, SetupCommand,
    StrengthMark, TagPair, Terminator, VariationAction, VariationMark, Visitor, WrittenMove, walk_on,
};
use crate::simd::{self, Isa, Task};
use crate::span::Span;

/// Builds trees, one after the other. Keeps its scratch memory, so that in the long run only the arena grows, and
/// not even that if it is reset between games.
#[derive(Debug, Default)]
pub struct TreeBuilder {
    limits: Limits,
    /// Room for nodes; those in use come first.
    nodes: Vec<Node>,
    /// Nodes in use.
    len: usize,
    /// Moves of the main line.
    moves: u32,
    /// The variations open, as places of their nodes.
    open: Vec<usize>,
    diagnostics: Vec<Diagnostic>,
}

impl TreeBuilder {
    /// A builder with the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// A builder within `limits`. No more than [`Limits::diagnostics`] findings are kept of a game.
    pub fn with_limits(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// The tree of `game`, a record as [`split`](crate::split) finds them, in `arena`.
    pub fn build<'a>(&mut self, game: &'a [u8], arena: &'a Bump) -> SyntaxTree<'a> {
        self.len = 0;
        self.moves = 0;
        self.open.clear();
        self.diagnostics.clear();
        simd::run(Build { builder: self, game });
        SyntaxTree {
            game,
            nodes: arena.alloc_slice_copy(&self.nodes[..self.len]),
            diagnostics: arena.alloc_slice_copy(&self.diagnostics),
            moves: self.moves,
        }
    }

    /// Room for the next nodes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn room<const N: usize>(&mut self) -> &mut [Node; N] {
        if self.nodes.len() - self.len < N {
            self.grow(N);
        }
        self.nodes[self.len..].first_chunk_mut().expect("as much room as was asked for")
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let len = (2 * self.nodes.len()).max(self.len + more);
        self.nodes.resize(len, Node::NONE);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn push(&mut self, kind: NodeKind, span: Span) -> Flow {
        let (node, detail) = Node::new(kind, span);
        self.room::<2>()[0] = node;
        self.len += 1;
        match detail {
            Some(detail) => self.push_detail(detail),
            None => Flow::Continue(()),
        }
    }

    fn push_detail(&mut self, detail: Node) -> Flow {
        self.room::<1>()[0] = detail;
        self.len += 1;
        Flow::Continue(())
    }
}

/// Building a tree, for the instruction set of this processor.
struct Build<'b, 'g> {
    builder: &'b mut TreeBuilder,
    game: &'g [u8],
}

impl Task for Build<'_, '_> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) {
        let limits = self.builder.limits;
        // The builder never breaks off.
        let _ =
            walk_on(isa, self.game, &limits, &mut Hearing { isa, game: self.game, builder: self.builder });
    }
}

/// Hears everything and writes it down.
struct Hearing<'b, 'g, I> {
    isa: I,
    game: &'g [u8],
    builder: &'b mut TreeBuilder,
}

impl<'g, I: Isa> Visitor<'g> for Hearing<'_, 'g, I> {
    const STYLE: bool = true;

    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        let plain = tag.name_span.start == tag.span.start + 1
            && tag.value_span.start == tag.name_span.end + 2
            && tag.value_span.end + 2 == tag.span.end
            && self.game.get(tag.name_span.end as usize) == Some(&b' ');
        if plain {
            return self
                .builder
                .push(if tag.in_moves { NodeKind::TagInMoves } else { NodeKind::Tag }, tag.span);
        }
        self.builder.push(if tag.in_moves { NodeKind::OddTagInMoves } else { NodeKind::OddTag }, tag.span)?;
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

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn numbered_move_run(&mut self, parts: NumberedMoveRun<'g>) -> Flow {
        /// So many are written at once: more than nearly all blocks have.
        const STEP: usize = 16;
        let len = parts.len();
        let (at, numbers) = (parts.at(), parts.numbers());
        let (starts, ends) = parts.places();
        let (starts, ends) = (self.isa.places(starts), self.isa.places(ends));
        let room: &mut [Node; NumberedMoveRun::MAX_PARTS] = self.builder.room();
        let places = starts.chunks_exact(STEP).zip(ends.chunks_exact(STEP));
        for (nodes, (starts, ends)) in room.chunks_exact_mut(STEP).zip(places) {
            // What stands behind the last one is nonsense, and written over next.
            for (node, (&start, &end)) in nodes.iter_mut().zip(starts.iter().zip(ends)) {
                let number = numbers >> (start & 63) & 1 != 0;
                *node =
                    Node::number_or_move(at + u32::from(start), u32::from(end.wrapping_sub(start)), number);
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

    fn nag(&mut self, _: u32, span: Span) -> Flow {
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
