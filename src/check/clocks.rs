//! Checks embedded commands in comments, such as `[%clk 1:55:21]`, and detects clocks that run backwards.
//!
//! Elapsed time, of a player or of the game, never falls. Remaining time rises by the increment at most. The second rule is
//! checked only if the TimeControl tag has a single stage, because further stages add time.

use super::Scratch;
use crate::diag::{Code, Diagnostic, Severity};
use crate::parse::Comment;
use crate::span::Span;
use crate::value::{Clock, CommandValue, CommentParts, TimeControl, TimeControlStage};

/// Milliseconds by which remaining time may exceed the expected maximum: people read clocks to the second.
const TOLERANCE_MS: u64 = 1000;

/// The last readings of the clocks of the main line.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    /// Elapsed time: of the first and the second player if the text does not name a side, then of White and of Black.
    elapsed: [Option<Reading>; 4],
    /// Remaining time, in the same order.
    remaining: [Option<Reading>; 4],
    /// Time since the start of the game.
    game: Option<Reading>,
    /// That time has fallen.
    game_time_fell: bool,
    /// Milliseconds added per move; `None` if the time control is unknown or may add more.
    increment: Option<u64>,
}

/// A clock reading in a comment.
#[derive(Clone, Copy, Debug)]
struct Reading {
    milliseconds: u32,
    /// Plies played before the comment.
    plies: u32,
    /// Span of the whole embedded command.
    span: Span,
}

impl Clocks {
    /// Sets the time control of the game.
    pub(super) fn set_control(&mut self, control: TimeControl<'_>) {
        let TimeControl::Stages(mut stages) = control else { return };
        self.increment = match (stages.next(), stages.next()) {
            (Some(TimeControlStage::SuddenDeath { .. }), None) => Some(0),
            (Some(TimeControlStage::Increment { increment, .. }), None) => Some(u64::from(increment) * 1000),
            _ => None,
        };
    }

    /// Compares the clocks of the embedded command at `span` with their last readings. `plies` plies of the main line were
    /// played before it.
    pub(super) fn add(&mut self, value: CommandValue, span: Span, plies: u32, scratch: &mut Scratch) {
        let reading = |milliseconds| Reading { milliseconds, plies, span };
        let contradicted = match value {
            // Once it falls, it is the time of each move, which some programs write so; that is reported once.
            CommandValue::GameTime(_) if self.game_time_fell => None,
            CommandValue::GameTime(time) => {
                let now = reading(time.milliseconds());
                let later = self.game.replace(now).filter(|before| before.milliseconds > now.milliseconds);
                self.game_time_fell = later.is_some();
                later
            }
            CommandValue::Elapsed(clocks) => {
                let all = [Some(clocks.first), clocks.second].into_iter().flatten();
                let mut fallen = None;
                for clock in all {
                    let Some(slot) = slot(&clock, plies) else { continue };
                    let now = reading(clock.time.milliseconds());
                    let before = self.elapsed[slot].replace(now);
                    fallen = fallen.or(before.filter(|before| before.milliseconds > now.milliseconds));
                }
                fallen
            }
            CommandValue::Remaining(clocks) => {
                let all = [Some(clocks.first), clocks.second].into_iter().flatten();
                let mut risen = None;
                for clock in all {
                    let Some(slot) = slot(&clock, plies) else { continue };
                    let now = reading(clock.time.milliseconds());
                    let (before, increment) = (self.remaining[slot].replace(now), self.increment);
                    let is_too_much = |before: &Reading| {
                        let moves = u64::from(now.plies.saturating_sub(before.plies)) / 2 + 1;
                        let max = increment.map(|increment| {
                            u64::from(before.milliseconds) + moves * increment + TOLERANCE_MS
                        });
                        max.is_some_and(|max| u64::from(now.milliseconds) > max)
                    };
                    risen = risen.or(before.filter(is_too_much));
                }
                risen
            }
            _ => None,
        };
        if let Some(before) = contradicted {
            scratch.push(Diagnostic::new(Code::ClockBackwards, span).with_related(before.span));
        }
    }
}

/// Returns the index of a clock in [`Clocks::elapsed`] and [`Clocks::remaining`]. A clock without a side belongs to the
/// player who has just moved; before the first move it belongs to no player (`None`).
fn slot(clock: &Clock, plies: u32) -> Option<usize> {
    match clock.side {
        Some(side) => Some(2 + side as usize),
        None => plies.checked_sub(1).map(|ply| ply as usize % 2),
    }
}

/// Reports the commands of a comment that cannot be read and, if asked for `style`, those that are read although the standard has no such
/// form. Passes the others to `clocks`.
///
/// `clocks` comes with the number of plies before the comment; it is `None` inside a variation.
pub(super) fn check(
    comment: &Comment<'_>,
    style: bool,
    clocks: Option<(&mut Clocks, u32)>,
    scratch: &mut Scratch,
) {
    if memchr::memchr(b'%', comment.text).is_none() {
        return;
    }
    // The text starts one byte after the brace, semicolon or percent sign.
    let start = comment.span.start + 1;
    let mut clocks = clocks;
    for command in CommentParts::new(comment.text).commands() {
        let command_span = command.span.shifted(start);
        match (command.value, &mut clocks) {
            (Err(error), _) => {
                let span = error.span.shifted(start);
                let mut diagnostic = Diagnostic::new(Code::BadCommand, span).with_related(command_span);
                if command.loose_value(comment.text).is_some() {
                    diagnostic.severity = Severity::Style;
                }
                if style || diagnostic.severity > Severity::Style {
                    scratch.push(diagnostic);
                }
            }
            (Ok(value), Some((clocks, plies))) => clocks.add(value, command_span, *plies, scratch),
            (Ok(_), None) => {}
        }
    }
}
