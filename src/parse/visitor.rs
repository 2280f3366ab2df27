//! The trait of visitors, which decide what becomes of a record.

use std::ops::ControlFlow;

use super::event::{
    Comment, MissingMove, MoveNumber, SetupCommand, StrengthMark, TagPair, Terminator, VariationMark,
    WrittenMove,
};
use super::move_run::{MoveRun, Numbered, NumberedMoveRun};
use crate::diag::Diagnostic;
use crate::span::Span;
use crate::value::Nag;

/// The decision whether a walk continues. Breaking off is free and does not affect other records.
///
/// [`Visitor`] has an example of both.
pub type Flow = ControlFlow<()>;

/// The decision what to do with a variation that opens.
///
/// Returned by [`Visitor::begin_variation`]; [`VariationMark`] has an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariationAction {
    /// Receive the parts of the variation.
    Enter,
    /// Receive no part of the variation, not even its end.
    Skip,
}

/// Receives the parts of one record in text order.
///
/// Every method has an empty default, so a visitor implements only the methods that it needs. Calls of the others cost
/// nothing. `'g` is the lifetime of the record's bytes, so parts can be kept. Two visitors share a walk by
/// [`Both`](super::Both).
///
/// ```
/// use pdn::limits::Limits;
/// use pdn::parse::{Flow, TagPair, Visitor, walk_with};
///
/// /// Finds the date of a game, and reads none of its moves.
/// #[derive(Default)]
/// struct FindDate<'g>(Option<&'g [u8]>);
///
/// impl<'g> Visitor<'g> for FindDate<'g> {
///     fn tag(&mut self, tag: TagPair<'g>) -> Flow {
///         if tag.name != b"Date" {
///             return Flow::Continue(());
///         }
///         self.0 = Some(tag.value);
///         Flow::Break(())
///     }
///
///     fn end_tags(&mut self) -> Flow {
///         Flow::Break(())
///     }
/// }
///
/// let mut find = FindDate::default();
/// let flow = walk_with(b"[Date \"1972.11.30\"] 1. 32-28 *", &Limits::DEFAULT, &mut find);
/// assert_eq!((flow, find.0), (Flow::Break(()), Some(&b"1972.11.30"[..])));
/// ```
#[expect(unused_variables, reason = "defaults ignore their arguments")]
pub trait Visitor<'g> {
    /// `true` if the visitor wants diagnostics of severity `style`.
    #[doc(hidden)]
    const STYLE: bool = false;

    /// `true` if the visitor wants move numbers. Otherwise [`move_number`](Self::move_number) is not called.
    #[doc(hidden)]
    const NUMBERS: bool = true;

    /// `true` if the visitor wants diagnostics of wrong move numbers. Otherwise [`Code::MoveNumber`](crate::diag::Code::MoveNumber)
    /// may not be reported; everything else is.
    #[doc(hidden)]
    const NUMBER_CHECKS: bool = true;

    /// `true` if the walk is compiled for one instruction set, the one that all processors have, not for each. Saves 14 KB of
    /// code, and makes the walk slower; for visitors that see few records.
    #[doc(hidden)]
    const COMPACT: bool = false;

    /// Receives a tag pair. Tag pairs stand in the tag section or, as damage, in the movetext.
    #[inline]
    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        Flow::Continue(())
    }

    /// Receives the end of the tag section; movetext or nothing follows. Called once per record. A visitor that
    /// reads tags only breaks off here.
    #[inline]
    fn end_tags(&mut self) -> Flow {
        Flow::Continue(())
    }

    /// Receives a move number. Called only if [`Visitor::NUMBERS`] is set.
    #[inline]
    fn move_number(&mut self, number: MoveNumber) -> Flow {
        Flow::Continue(())
    }

    /// Receives a move.
    #[inline]
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        Flow::Continue(())
    }

    /// Receives several consecutive moves. Called only if [`Visitor::NUMBERS`] is not set. The default calls
    /// [`written_move`](Self::written_move) for each move; an override must have the same effect.
    // Twin: written_move, move by move; test: move_runs_equal_single_moves.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_run(&mut self, moves: MoveRun<'g>) -> Flow {
        for mv in moves {
            self.written_move(mv)?;
        }
        Flow::Continue(())
    }

    /// Receives several consecutive numbers and moves. Called only if [`Visitor::NUMBERS`] is set. The default calls
    /// [`move_number`](Self::move_number) and [`written_move`](Self::written_move) for each part; an override must
    /// have the same effect.
    // Twin: move_number and written_move, part by part; test: move_runs_equal_single_moves.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn numbered_move_run(&mut self, parts: NumberedMoveRun<'g>) -> Flow {
        for part in parts {
            match part {
                Numbered::Number(number) => self.move_number(number)?,
                Numbered::Move(mv) => self.written_move(mv)?,
            }
        }
        Flow::Continue(())
    }

    /// Receives the list of the squares that the move before it captures, `<42,29>`.
    #[inline]
    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        Flow::Continue(())
    }

    /// Receives a missing move.
    #[inline]
    fn missing(&mut self, missing: MissingMove) -> Flow {
        Flow::Continue(())
    }

    /// Receives the strength of the move before it.
    #[inline]
    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        Flow::Continue(())
    }

    /// Receives a numeric annotation glyph and its span. The number is [`u32::MAX`] if a greater one is written.
    #[inline]
    fn nag(&mut self, nag: Nag, span: Span) -> Flow {
        Flow::Continue(())
    }

    /// Receives a comment in the tag section or the movetext.
    #[inline]
    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        Flow::Continue(())
    }

    /// Receives a setup or a null move.
    #[inline]
    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        Flow::Continue(())
    }

    /// Receives the start of a variation, an alternative to the move before it, and returns whether to enter it.
    #[inline]
    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        VariationAction::Enter
    }

    /// Receives the end of a variation. Called for each variation that was entered, also if its parenthesis is missing.
    #[inline]
    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        Flow::Continue(())
    }

    /// Receives the terminator. Only comments or damage follow it.
    #[inline]
    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        Flow::Continue(())
    }

    /// Receives text that has no meaning where it stands. A diagnostic with the same span follows.
    #[inline]
    fn text(&mut self, text: &'g [u8], span: Span) -> Flow {
        Flow::Continue(())
    }

    /// Receives a diagnostic. Diagnostics of severity `style` come only if [`Visitor::STYLE`] is set.
    ///
    /// Damage that can hide other text, such as an unclosed comment, is also reported in variations that are skipped.
    #[inline]
    fn diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        Flow::Continue(())
    }

    /// Receives a diagnostic that is reported only outside of skipped variations. [`Both`](super::Both) needs the
    /// difference; other visitors implement [`diagnostic`](Self::diagnostic), which the default calls.
    #[doc(hidden)]
    #[inline]
    fn part_diagnostic(&mut self, diagnostic: Diagnostic) -> Flow {
        self.diagnostic(diagnostic)
    }

    /// Receives the end of the record. Not called if the visitor broke off.
    #[inline]
    fn end(&mut self) {}
}

/// Implements the methods of a visitor that contains another one: each calls the same method of the inner visitor.
/// `all, self => self.inner` forwards every method, `parts, self => self.inner` every method but `tag`.
///
/// This is the only list of methods to forward. Forwarding is free once it is inlined. [`Both`](super::Both) is for two
/// visitors that do not know each other: it stores for each whether it broke off and which variations it skips, and
/// tests that before each call. A visitor that filters for an inner one, such as the tag collector of an import, always
/// runs with it and may keep parts from it; so it forwards.
macro_rules! forward_to {
    (all, $self:ident => $inner:expr) => {
        $crate::parse::forward_to! { @ $self, $inner; tag(tag: $crate::parse::TagPair<'g>) -> $crate::parse::Flow; }
        $crate::parse::forward_to! { parts, $self => $inner }
    };
    (parts, $self:ident => $inner:expr) => {
        $crate::parse::forward_to! { @ $self, $inner;
            end_tags() -> $crate::parse::Flow;
            move_number(number: $crate::parse::MoveNumber) -> $crate::parse::Flow;
            written_move(mv: $crate::parse::WrittenMove<'g>) -> $crate::parse::Flow;
            move_run(moves: $crate::parse::MoveRun<'g>) -> $crate::parse::Flow;
            numbered_move_run(parts: $crate::parse::NumberedMoveRun<'g>) -> $crate::parse::Flow;
            captures(list: $crate::parse::WrittenMove<'g>) -> $crate::parse::Flow;
            missing(missing: $crate::parse::MissingMove) -> $crate::parse::Flow;
            strength(strength: $crate::parse::StrengthMark<'g>) -> $crate::parse::Flow;
            nag(nag: $crate::value::Nag, span: $crate::span::Span) -> $crate::parse::Flow;
            comment(comment: $crate::parse::Comment<'g>) -> $crate::parse::Flow;
            setup(setup: $crate::parse::SetupCommand<'g>) -> $crate::parse::Flow;
            begin_variation(variation: $crate::parse::VariationMark) -> $crate::parse::VariationAction;
            end_variation(variation: $crate::parse::VariationMark) -> $crate::parse::Flow;
            terminator(terminator: $crate::parse::Terminator<'g>) -> $crate::parse::Flow;
            text(text: &'g [u8], span: $crate::span::Span) -> $crate::parse::Flow;
            diagnostic(diagnostic: $crate::diag::Diagnostic) -> $crate::parse::Flow;
            part_diagnostic(diagnostic: $crate::diag::Diagnostic) -> $crate::parse::Flow;
            end() -> ();
        }
    };
    (@ $self:ident, $inner:expr; $($method:ident($($arg:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[doc(hidden)]
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(&mut $self, $($arg: $type),*) -> $result {
            $crate::parse::Visitor::$method(&mut $inner, $($arg),*)
        }
    )*};
}
pub(crate) use forward_to;
