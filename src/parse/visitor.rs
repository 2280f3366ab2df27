//! The visitor decides what a game becomes.

use std::ops::ControlFlow;

use super::event::{
    Comment, MissingMove, MoveNumber, MoveRun, Numbered, NumberedMoveRun, SetupCommand, StrengthMark,
    TagPair, Terminator, VariationMark, WrittenMove,
};
use crate::diag::Diagnostic;
use crate::span::Span;

/// Whether the walk goes on. Breaking off costs nothing and harms no other game.
pub type Flow = ControlFlow<()>;

/// What to do with a variation that opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariationAction {
    /// Hear of its parts.
    Enter,
    /// Hear nothing until it closes, not even that.
    Skip,
}

/// Hears of the parts of one game in the order of the text.
///
/// Every method has an empty default, so a visitor implements what it cares about; calls that it leaves out cost
/// nothing. `'g` is the life of the game's bytes: parts can be kept.
#[expect(unused_variables, reason = "defaults ignore their arguments")]
pub trait Visitor<'g> {
    /// Whether findings of severity `style` are wanted.
    const STYLE: bool = false;

    /// Whether move numbers are wanted. Plain moves are told many at once, without them by
    /// [`plays`](Self::move_run), with them by [`numbered_plays`](Self::numbered_plays).
    const NUMBERS: bool = true;

    /// A tag pair.
    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        Flow::Continue(())
    }

    /// The tags are over and movetext begins, or nothing follows. Break here to read tags only. Called once a game.
    #[inline]
    fn end_tags(&mut self) -> Flow {
        Flow::Continue(())
    }

    /// A move number; only if [`Visitor::NUMBERS`] is set.
    #[inline]
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        Flow::Continue(())
    }

    /// A move.
    #[inline]
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        Flow::Continue(())
    }

    /// Several moves that follow each other. Called only where [`Visitor::NUMBERS`] is not set; says the same as
    /// [`play`](Self::written_move) for each, which is what it does unless it is told otherwise.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_run(&mut self, moves: MoveRun<'g>) -> Flow {
        for mv in moves {
            self.written_move(mv)?;
        }
        Flow::Continue(())
    }

    /// Several numbers and moves that follow each other. Called only where [`Visitor::NUMBERS`] is set; says the same as
    /// [`move_number`](Self::move_number) and [`play`](Self::written_move) for each, which is what it does unless it is told
    /// otherwise.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn numbered_plays(&mut self, parts: NumberedMoveRun<'g>) -> Flow {
        for part in parts {
            match part {
                Numbered::Number(number) => self.move_number(number)?,
                Numbered::Move(mv) => self.written_move(mv)?,
            }
        }
        Flow::Continue(())
    }

    /// The squares that the move before captures, as `<42,29>`.
    #[inline]
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        Flow::Continue(())
    }

    /// A mark in place of a move.
    #[inline]
    fn missing(&mut self, missing: MissingMove) -> Flow {
        Flow::Continue(())
    }

    /// The strength of the move before.
    #[inline]
    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        Flow::Continue(())
    }

    /// A numeric annotation; [`u32::MAX`] if it is larger than that.
    #[inline]
    fn nag(&mut self, nag: u32, span: Span) -> Flow {
        Flow::Continue(())
    }

    /// A comment, among the tags or the moves.
    #[inline]
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        Flow::Continue(())
    }

    /// A setup or a null move.
    #[inline]
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        Flow::Continue(())
    }

    /// A variation opens: an alternative to the move before.
    #[inline]
    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        VariationAction::Enter
    }

    /// A variation closes. Called for each one entered, also where the parenthesis is missing.
    #[inline]
    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        Flow::Continue(())
    }

    /// The end of the game as written. What follows it is comments at most, or damage.
    #[inline]
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        Flow::Continue(())
    }

    /// Text that has no meaning here. A diagnostic with the same span follows.
    #[inline]
    fn text(&mut self, text: &'g [u8], span: Span) -> Flow {
        Flow::Continue(())
    }

    /// A finding. Those of severity `style` come only if [`Visitor::STYLE`] is set.
    #[inline]
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        Flow::Continue(())
    }

    /// The game is over. Not called after breaking off.
    #[inline]
    fn end(&mut self) {}
}
