//! Records the parts of a record that are written besides its moves.

use super::unwritten::Unwritten;
use crate::diag::{Code, Diagnostic};
use crate::parse::{
    Comment, CommentKind, Flow, MissingMark, MissingMove, MoveNumber, MoveRun, SetupCommand, StrengthMark,
    TagPair, Terminator, VariationAction, VariationMark, Visitor, WrittenMove,
};
use crate::span::Span;
use crate::value::Nag;

/// A tag of the record.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordedTag {
    pub(super) name: Span,
    pub(super) value: Span,
}

/// An annotation of a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// The number of moves of the main line before it.
    pub(super) after: u32,
    pub(super) kind: MarkKind,
    /// The span of its text: of a comment without its braces.
    pub(super) span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MarkKind {
    Strength,
    Nag,
    /// A comment that is written in braces.
    Comment,
    /// A comment that is a line of its own.
    Line,
}

/// The parts of a record. Its memory is reused for the next record.
#[derive(Debug, Default)]
pub(super) struct RecordParts {
    pub(super) tags: Vec<RecordedTag>,
    pub(super) marks: Vec<Mark>,
    pub(super) terminator: Option<Span>,
    /// The number of moves of the main line.
    pub(super) moves: u32,
    /// Offset of the first move of the main line.
    pub(super) first_move: Option<u32>,
    /// The main line is not a sequence of moves only, or there are variations.
    pub(super) is_irregular: bool,
    /// The first defect that a rewrite would hide.
    pub(super) defect: Option<Code>,
}

impl RecordParts {
    pub(super) fn clear(&mut self) {
        self.tags.clear();
        self.marks.clear();
        (self.terminator, self.first_move, self.defect) = (None, None, None);
        (self.moves, self.is_irregular) = (0, false);
    }

    #[cold]
    fn irregular(&mut self) {
        self.is_irregular = true;
    }

    fn mark(&mut self, kind: MarkKind, span: Span) {
        self.marks.push(Mark { after: self.moves, kind, span });
    }
}

/// Returns `true` if writing the canonical form cures a defect without a decision.
///
/// Severity `style` is cured always. The others either lose text or stand for a decision, such as which of two
/// terminators counts.
pub(super) const fn is_curable(code: Code) -> bool {
    matches!(
        code,
        Code::TypedEscape
            | Code::ControlBytes
            | Code::LostBracket
            | Code::TagWithoutValue
            | Code::TagQuotes
            | Code::MoveNumber
            // By the letter of PDN it is a comment, and is written as one.
            | Code::MovesInComment
            | Code::NumberWithoutMove
            // Only a closing brace inside of a comment is lost; the writer refuses it.
            | Code::NestedComment
            | Code::SplitCapture
            | Code::SettledMove
            | Code::OddPosition
            | Code::OtherSideMoves
    ) || matches!(code.severity(), crate::diag::Severity::Style)
}

/// Returns the mark of a comment.
pub(super) fn comment_kind(kind: CommentKind) -> MarkKind {
    if kind == CommentKind::Percent { MarkKind::Line } else { MarkKind::Comment }
}

impl<'g> Visitor<'g> for RecordParts {
    const NUMBERS: bool = false;

    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        self.tags.push(RecordedTag { name: tag.name_span, value: tag.value_span });
        Flow::Continue(())
    }

    #[inline]
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.moves += 1;
        self.first_move.get_or_insert(mv.span.start);
        Flow::Continue(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_run(&mut self, moves: MoveRun<'g>) -> Flow {
        self.moves += moves.len() as u32;
        if self.first_move.is_none() {
            self.first_move = moves.places().next().map(|(start, _)| moves.at() + start);
        }
        Flow::Continue(())
    }

    fn captures(&mut self, _: WrittenMove<'g>) -> Flow {
        self.irregular();
        Flow::Continue(())
    }

    fn missing(&mut self, _: MissingMove) -> Flow {
        self.irregular();
        Flow::Continue(())
    }

    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.mark(MarkKind::Strength, strength.span);
        Flow::Continue(())
    }

    fn nag(&mut self, _: Nag, span: Span) -> Flow {
        self.mark(MarkKind::Nag, span);
        Flow::Continue(())
    }

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.mark(comment_kind(comment.kind), comment.text_span());
        Flow::Continue(())
    }

    fn setup(&mut self, _: SetupCommand<'g>) -> Flow {
        self.irregular();
        Flow::Continue(())
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.irregular();
        VariationAction::Skip
    }

    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.terminator.get_or_insert(terminator.span);
        Flow::Continue(())
    }

    fn text(&mut self, _: &'g [u8], _: Span) -> Flow {
        self.irregular();
        Flow::Continue(())
    }

    #[cold]
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        // A mark before the first move only says that the second side begins.
        let is_placeholder = diagnostic.code == Code::MissingMove && self.moves == 0;
        if !is_curable(diagnostic.code) && !is_placeholder {
            self.defect.get_or_insert(diagnostic.code);
        }
        Flow::Continue(())
    }
}

/// A part of the movetext of an irregular record, in text order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// A move number.
    Number(u32),
    /// A move, a mark in place of a move, or a list of captured squares, by the offset of its text.
    Token(u32),
    /// An annotation.
    Mark(MarkKind, Span),
    /// A setup, by the span of its FEN.
    Setup(Span),
    /// The start of a variation.
    Open {
        /// The offset of its parenthesis.
        at: u32,
        /// Why it cannot be written as one, if its text says so.
        problem: Option<Unwritten>,
    },
    /// The end of a variation, by the offset after its parenthesis.
    Close(u32),
}

/// A visitor that records every part of the movetext in text order.
#[derive(Default)]
pub(super) struct EventRecorder {
    pub(super) events: Vec<Event>,
    /// Why the record cannot be written, in spite of its variations.
    pub(super) problem: Option<Unwritten>,
    has_moves: bool,
    /// The events that open the open variations.
    open: Vec<usize>,
}

impl EventRecorder {
    fn push(&mut self, event: Event) -> Flow {
        self.events.push(event);
        Flow::Continue(())
    }

    /// Notes a defect of the innermost open variation, or of the main line.
    #[cold]
    fn defect(&mut self, code: Code) {
        let slot = match self.open.last().map(|&index| &mut self.events[index]) {
            Some(Event::Open { problem, .. }) => problem,
            _ => &mut self.problem,
        };
        slot.get_or_insert(Unwritten::Defect(code));
    }
}

impl<'g> Visitor<'g> for EventRecorder {
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        self.push(Event::Number(number.number))
    }

    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.has_moves = true;
        self.push(Event::Token(mv.span.start))
    }

    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.push(Event::Token(list.span.start))
    }

    fn missing(&mut self, missing: MissingMove) -> Flow {
        if missing.kind == MissingMark::Dash {
            self.defect(Code::MissingMove);
        }
        self.push(Event::Token(missing.span.start))
    }

    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.push(Event::Mark(MarkKind::Strength, strength.span))
    }

    fn nag(&mut self, _: Nag, span: Span) -> Flow {
        self.push(Event::Mark(MarkKind::Nag, span))
    }

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.push(Event::Mark(comment_kind(comment.kind), comment.text_span()))
    }

    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.push(Event::Setup(setup.fen_span))
    }

    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        self.open.push(self.events.len());
        self.events.push(Event::Open { at: variation.span.start, problem: None });
        VariationAction::Enter
    }

    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        self.open.pop();
        self.push(Event::Close(variation.span.end))
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        let is_placeholder = diagnostic.code == Code::MissingMove && !self.has_moves;
        if !is_curable(diagnostic.code) && !is_placeholder {
            self.defect(diagnostic.code);
        }
        Flow::Continue(())
    }
}
