//! Checks the parts of a record in one walk.

use super::report::{PartCounts, RecordContents, RecordStatus, RecordSummary};
use super::tags::Tags;
use super::text::TextKind;
use super::{Scratch, clocks, tags};
use crate::diag::{Code, Diagnostic};
use crate::limits::Limits;
use crate::parse::{
    Comment, Flow, MissingMark, MissingMove, SetupCommand, TagPair, Terminator, VariationAction,
    VariationMark, Visitor, WrittenMove, walk_with,
};
use crate::span::Span;
use crate::value::{GameResult, GameType, Nag, NotationStyle, Verdict};

/// Walks over `game` and reports every diagnostic of the grammar, the tags and the comments.
///
/// The status and the encoding in the summary are placeholders, which
/// [`CheckReport::new`](super::report::CheckReport::new) sets.
pub(super) fn run<'g, const STYLE: bool>(
    game: &'g [u8],
    limits: &Limits,
    scratch: &mut Scratch,
) -> RecordSummary<'g> {
    let mut visitor = CheckVisitor::<STYLE> {
        game,
        scratch,
        tags: Tags::default(),
        counts: PartCounts::default(),
        depth: 0,
        notation: RequiredNotation::default(),
        terminator: None,
        has_move: false,
        has_setup: false,
        has_lost_text: false,
    };
    // `CheckVisitor` never breaks, so the walk always reaches the end.
    let _ = walk_with(game, limits, &mut visitor);
    visitor.finish();
    let has_position = visitor.tags.fen.is_some() || visitor.has_setup;
    RecordSummary {
        status: RecordStatus::Sound,
        text: TextKind::Ascii,
        game_type: visitor.tags.game_type.or(visitor.tags.variant.map(|(variant, _)| variant)),
        result: visitor.tags.result.map(|(result, _)| result),
        terminator: visitor.terminator.map(|(result, _)| result),
        has_fen: visitor.tags.fen.is_some(),
        counts: visitor.counts,
        contents: match (visitor.has_move, visitor.has_lost_text || visitor.tags.bad_fen, has_position) {
            (true, ..) => RecordContents::Moves,
            (false, true, _) => RecordContents::Lost,
            (false, false, true) => RecordContents::Position,
            (false, false, false) => RecordContents::Nothing,
        },
    }
}

/// Returns `true` if the mark only fills the place of the other side's move before the first ply, as in `1. ... 18-23`.
pub(super) fn is_placeholder(missing: &MissingMove, plies: u32) -> bool {
    missing.kind == MissingMark::Ellipsis && plies == 0
}

struct CheckVisitor<'g, 'c, const STYLE: bool> {
    game: &'g [u8],
    scratch: &'c mut Scratch,
    tags: Tags<'g>,
    counts: PartCounts,
    /// Number of open variations; 0 on the main line.
    depth: u32,
    notation: RequiredNotation,
    terminator: Option<(GameResult<'g>, Span)>,
    /// The main line has a move before the terminator.
    has_move: bool,
    /// The main line has a setup before the terminator.
    has_setup: bool,
    /// Before the terminator stands text without meaning, or a comment that is never closed.
    has_lost_text: bool,
}

impl<const STYLE: bool> CheckVisitor<'_, '_, STYLE> {
    /// Reports what needs all tags and the number of plies.
    fn finish(&mut self) {
        tags::report_duplicates(self.game, self.scratch);
        if STYLE {
            tags::report_missing(self.game, self.scratch);
        }
        self.tags.finish(STYLE, self.counts.plies, self.terminator, self.scratch);
    }

    /// Counts a move or a missing move.
    fn count_ply(&mut self) {
        let plies = if self.depth == 0 { &mut self.counts.plies } else { &mut self.counts.variation_plies };
        *plies += 1;
    }
}

impl<'g, const STYLE: bool> Visitor<'g> for CheckVisitor<'g, '_, STYLE> {
    const STYLE: bool = STYLE;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.counts.tags += 1;
        self.scratch.names.push(tag.name_span);
        self.tags.tag(&tag, STYLE, self.scratch);
        Flow::Continue(())
    }

    fn end_tags(&mut self) -> Flow {
        self.notation = RequiredNotation::of(self.tags.game_type);
        Flow::Continue(())
    }

    #[inline]
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.count_ply();
        self.has_move |= self.depth == 0 && self.terminator.is_none();
        if STYLE {
            self.notation.check(&mv, self.scratch);
        }
        Flow::Continue(())
    }

    fn missing(&mut self, missing: MissingMove) -> Flow {
        if !is_placeholder(&missing, self.counts.plies) {
            self.count_ply();
        }
        Flow::Continue(())
    }

    fn nag(&mut self, nag: Nag, span: Span) -> Flow {
        self.counts.nags += 1;
        if STYLE && !nag.is_known() {
            self.scratch.push(Diagnostic::new(Code::BadNag, span));
        }
        Flow::Continue(())
    }

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.counts.comments += 1;
        if STYLE {
            tags::check_entity(comment.text, comment.span.start + 1, self.scratch);
        }
        tags::check_misread(comment.text, comment.span.start + 1, STYLE, self.scratch);
        let clocks = (self.depth == 0).then_some((&mut self.tags.clocks, self.counts.plies));
        clocks::check(&comment, STYLE, clocks, self.scratch);
        Flow::Continue(())
    }

    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.counts.setups += 1;
        self.has_setup |= self.depth == 0 && self.terminator.is_none();
        let _ = tags::check_fen(setup.fen, setup.fen_span, STYLE, self.scratch);
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
        // The meaning of words depends on the side that starts.
        if Verdict::read(terminator.text).is_none() {
            self.terminator = Some((GameResult::parse(terminator.text), terminator.span));
        }
        Flow::Continue(())
    }

    fn text(&mut self, _: &'g [u8], _: Span) -> Flow {
        self.has_lost_text |= self.depth == 0 && self.terminator.is_none();
        Flow::Continue(())
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        if diagnostic.code == Code::UnclosedComment {
            self.has_lost_text |= self.terminator.is_none();
        }
        // `text::check` reports control characters in the whole record, tags and comments included.
        if diagnostic.code != Code::ControlBytes {
            self.scratch.push(diagnostic);
        }
        Flow::Continue(())
    }
}

/// The notation that the game type requires: restrictions 6 and 7 of PDN 3.0.
///
/// Each deviation is reported once per record, at the first move that deviates, because a program that deviates does so in
/// all moves.
#[derive(Clone, Copy, Debug, Default)]
struct RequiredNotation {
    /// The style of square names; `None` if it is not checked or a deviation has been reported.
    style: Option<NotationStyle>,
    /// The separator of captures in lower case; `None` as for `style`.
    separator: Option<u8>,
}

impl RequiredNotation {
    /// Returns the notation of `game_type`; nothing is checked without one, and the style is not checked if it is SAN.
    fn of(game_type: Option<GameType>) -> Self {
        let style = game_type.and_then(|game_type| game_type.details()).map(|details| details.notation.style);
        let separator =
            game_type.and_then(|game_type| game_type.capture_separator()).and_then(|c| u8::try_from(c).ok());
        Self { style: style.filter(|style| *style != NotationStyle::San), separator }
    }

    /// Reports the first move that deviates from the style, and the first that deviates from the separator.
    fn check(&mut self, mv: &WrittenMove<'_>, scratch: &mut Scratch) {
        if let Some(style) = self.style {
            let numeric = mv.text.first().is_some_and(u8::is_ascii_digit);
            if numeric != (style == NotationStyle::Numeric) {
                self.style = None;
                scratch.push(Diagnostic::new(Code::MoveNotation, mv.span));
            }
        }
        // A move written with a dash may be a capture as well; the rules decide that, not the text.
        if let Some(separator) = self.separator
            && let Some(written) = mv.text.iter().find(|b| matches!(b, b'x' | b'X' | b':'))
            && written.to_ascii_lowercase() != separator
        {
            self.separator = None;
            scratch.push(Diagnostic::new(Code::CaptureSeparator, mv.span));
        }
    }
}
