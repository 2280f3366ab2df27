//! Building trees: a visitor that writes nodes into reused vectors, and one copy into the arena at the end.

use bumpalo::Bump;

use super::node::{Node, NodeKind, Tree};
use crate::diag::Diagnostic;
use crate::limits::Limits;
use crate::parse::{
    Comment, CommentKind, Flow, Missing, MissingKind, Move, MoveNumber, NumberedPlays, Setup, Strength, Tag,
    Terminator, Variation, Variations, Visitor, walk_with,
};
use crate::span::Span;

/// Builds trees, one after the other. Keeps its scratch memory, so that in the long run only the arena grows, and
/// not even that if it is reset between games.
#[derive(Debug, Default)]
pub struct Builder {
    limits: Limits,
    nodes: Vec<Node>,
    /// The variations open, as indices of their nodes.
    open: Vec<u32>,
    diagnostics: Vec<Diagnostic>,
}

impl Builder {
    /// A builder with the default limits.
    pub fn new() -> Self {
        Self::default()
    }

    /// A builder within `limits`. No more than [`Limits::diagnostics`] findings are kept of a game.
    pub fn with_limits(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// The tree of `game`, a record as [`split`](crate::split) finds them, in `arena`.
    pub fn build<'a>(&mut self, game: &'a [u8], arena: &'a Bump) -> Tree<'a> {
        self.nodes.clear();
        self.open.clear();
        self.diagnostics.clear();
        let limits = self.limits;
        // The builder never breaks off.
        let _ = walk_with(game, &limits, self);
        Tree {
            game,
            nodes: arena.alloc_slice_copy(&self.nodes),
            diagnostics: arena.alloc_slice_copy(&self.diagnostics),
        }
    }

    #[inline(always)]
    fn push(&mut self, kind: NodeKind, span: Span, extra: u32) -> Flow {
        self.nodes.push(Node { span, kind, extra });
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for Builder {
    const STYLE: bool = true;

    fn tag(&mut self, tag: Tag<'g>) -> Flow {
        let kind = if tag.in_moves { NodeKind::TagInMoves } else { NodeKind::Tag };
        self.push(kind, tag.span, 0)?;
        self.push(NodeKind::Detail, tag.name_span, 0)?;
        self.push(NodeKind::Detail, tag.value_span, 0)
    }

    #[inline]
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        let kind = if number.second { NodeKind::SecondNumber } else { NodeKind::Number };
        self.push(kind, number.span, number.number)
    }

    #[inline]
    fn play(&mut self, mv: Move<'g>) -> Flow {
        self.push(NodeKind::Move, mv.span, 0)
    }

    #[inline(always)]
    fn numbered_plays(&mut self, mut parts: NumberedPlays<'g>) -> Flow {
        let (first, len) = (self.nodes.len(), parts.len());
        // Room for as many as there may be costs less than asking for each.
        let none = Node { span: Span::new(0, 0), kind: NodeKind::Move, extra: 0 };
        self.nodes.extend_from_slice(&[none; NumberedPlays::MOST]);
        for node in self.nodes[first..].iter_mut().take(len) {
            let (span, number, due) = parts.next_place();
            let kind = if number { NodeKind::Number } else { NodeKind::Move };
            *node = Node { span, kind, extra: if number { due } else { 0 } };
        }
        self.nodes.truncate(first + len);
        Flow::Continue(())
    }

    fn captures(&mut self, list: Move<'g>) -> Flow {
        self.push(NodeKind::Captures, list.span, 0)
    }

    fn missing(&mut self, missing: Missing) -> Flow {
        let kind = match missing.kind {
            MissingKind::Ellipsis => NodeKind::Ellipsis,
            MissingKind::Dash => NodeKind::Dash,
        };
        self.push(kind, missing.span, 0)
    }

    fn strength(&mut self, strength: Strength<'g>) -> Flow {
        self.push(NodeKind::Strength, strength.span, 0)
    }

    fn nag(&mut self, nag: u32, span: Span) -> Flow {
        self.push(NodeKind::Nag, span, nag)
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
        self.push(kind, comment.span, 0)
    }

    fn setup(&mut self, setup: Setup<'g>) -> Flow {
        self.push(NodeKind::Setup, setup.span, 0)?;
        self.push(NodeKind::Detail, setup.fen_span, 0)
    }

    fn begin_variation(&mut self, variation: Variation) -> Variations {
        self.open.push(self.nodes.len() as u32);
        self.nodes.push(Node { span: variation.span, kind: NodeKind::Variation, extra: 0 });
        Variations::Enter
    }

    fn end_variation(&mut self, variation: Variation) -> Flow {
        if let Some(opener) = self.open.pop() {
            let inside = self.nodes.len() as u32 - opener - 1;
            let node = &mut self.nodes[opener as usize];
            node.extra = inside;
            node.span.end = variation.span.end;
        }
        Flow::Continue(())
    }

    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.push(NodeKind::Terminator, terminator.span, 0)
    }

    fn text(&mut self, _: &'g [u8], span: Span) -> Flow {
        self.push(NodeKind::Text, span, 0)
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        if self.diagnostics.len() < self.limits.diagnostics as usize {
            self.diagnostics.push(diagnostic);
        }
        Flow::Continue(())
    }
}
