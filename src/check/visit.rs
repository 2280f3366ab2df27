//! One walk over a game, hearing everything.

use super::report::{PartCounts, RecordStatus, RecordSummary};
use super::tags::Tags;
use super::text::TextKind;
use super::{Scratch, commands, moves, tags};
use crate::diag::{Code, Diagnostic};
use crate::limits::Limits;
use crate::parse::{
    Comment, Flow, MissingMark, MissingMove, SetupCommand, TagPair, Terminator, VariationAction,
    VariationMark, Visitor, WrittenMove, walk_with,
};
use crate::span::Span;
use crate::value::{GameResult, Nag};

/// Walks over `game` and notes every finding of the grammar, the tags and the comments.
pub(super) fn run<'g, const STYLE: bool>(
    game: &'g [u8],
    limits: &Limits,
    scratch: &mut Scratch,
) -> RecordSummary<'g> {
    let mut visit = Visit::<STYLE> {
        game,
        scratch,
        tags: Tags::default(),
        counts: PartCounts::default(),
        depth: 0,
        moves: moves::Writing::default(),
        terminator: None,
    };
    // Nothing here breaks off.
    let _ = walk_with(game, limits, &mut visit);
    visit.finish();
    RecordSummary {
        status: RecordStatus::Sound,
        text: TextKind::Ascii,
        game_type: visit.tags.game_type,
        result: visit.tags.result.map(|(result, _)| result),
        terminator: visit.terminator.map(|(result, _)| result),
        has_fen: visit.tags.fen.is_some(),
        counts: visit.counts,
    }
}

/// Whether the mark stands for a move that was not part of the game, as in `1. ... 18-23`.
pub(super) fn is_placeholder(missing: &MissingMove, plies: u32) -> bool {
    missing.kind == MissingMark::Ellipsis && plies == 0
}

struct Visit<'g, 'c, const STYLE: bool> {
    game: &'g [u8],
    scratch: &'c mut Scratch,
    tags: Tags<'g>,
    counts: PartCounts,
    /// Variations open.
    depth: u32,
    moves: moves::Writing,
    terminator: Option<(GameResult<'g>, Span)>,
}

impl<const STYLE: bool> Visit<'_, '_, STYLE> {
    /// What can be said only when all is known.
    fn finish(&mut self) {
        tags::duplicates(self.game, self.scratch);
        if STYLE {
            tags::missing(self.game, self.scratch);
        }
        self.tags.finish(STYLE, self.counts.plies, self.terminator, self.scratch);
    }

    fn count_ply(&mut self) {
        let plies = if self.depth == 0 { &mut self.counts.plies } else { &mut self.counts.variation_plies };
        *plies += 1;
    }
}

impl<'g, const STYLE: bool> Visitor<'g> for Visit<'g, '_, STYLE> {
    const STYLE: bool = STYLE;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.counts.tags += 1;
        self.scratch.names.push(tag.name_span);
        self.tags.tag(&tag, STYLE, self.scratch);
        Flow::Continue(())
    }

    fn end_tags(&mut self) -> Flow {
        self.moves = moves::Writing::of(self.tags.game_type);
        Flow::Continue(())
    }

    #[inline]
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.count_ply();
        if STYLE {
            self.moves.check(&mv, self.scratch);
        }
        Flow::Continue(())
    }

    fn missing(&mut self, missing: MissingMove) -> Flow {
        if !is_placeholder(&missing, self.counts.plies) {
            self.count_ply();
        }
        Flow::Continue(())
    }

    fn nag(&mut self, nag: u32, span: Span) -> Flow {
        self.counts.nags += 1;
        if STYLE && !u16::try_from(nag).is_ok_and(|nag| Nag(nag).is_known()) {
            self.scratch.push(Diagnostic::new(Code::BadNag, span));
        }
        Flow::Continue(())
    }

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.counts.comments += 1;
        let clocks = (self.depth == 0).then_some((&mut self.tags.clocks, self.counts.plies));
        commands::check(&comment, clocks, self.scratch);
        Flow::Continue(())
    }

    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.counts.setups += 1;
        tags::fen(setup.fen, setup.fen_span, STYLE, self.scratch);
        Flow::Continue(())
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.counts.variations += 1;
        self.depth += 1;
        VariationAction::Enter
    }

    fn end_variation(&mut self, _: VariationMark) -> Flow {
        self.depth -= 1;
        Flow::Continue(())
    }

    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.terminator = Some((GameResult::parse(terminator.text), terminator.span));
        Flow::Continue(())
    }

    fn diagnostic(&mut self, finding: Diagnostic) -> Flow {
        // Looked for in the whole game, tags and comments included; see `text`.
        if finding.code != Code::ControlBytes {
            self.scratch.push(finding);
        }
        Flow::Continue(())
    }
}
