//! Clocks that run backwards.
//!
//! What a mechanical clock shows and the time since the beginning never fall. What remains rises by the increment at most;
//! that is asked only where the TimeControl tag is of one stage, because further stages give time back.

use super::Scratch;
use crate::diag::{Code, Diagnostic};
use crate::span::Span;
use crate::value::{Clock, CommandValue, TimeControl, TimeControlStage};

/// Clocks are read by people, too.
const SLACK: u64 = 1000;

/// What the clocks of the main line last showed.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    /// For who moved first and second where the text does not say whose clock it is, then for White and Black.
    elapsed: [Option<Shown>; 4],
    remaining: [Option<Shown>; 4],
    game: Option<Shown>,
    /// Added for each move, in milliseconds, where nothing else is ever added.
    increment: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Shown {
    milliseconds: u32,
    /// Plies before it.
    plies: u32,
    /// The whole command.
    span: Span,
}

impl Clocks {
    /// Hears the time control of the game.
    pub(super) fn control(&mut self, control: TimeControl<'_>) {
        let TimeControl::Stages(mut stages) = control else { return };
        self.increment = match (stages.next(), stages.next()) {
            (Some(TimeControlStage::SuddenDeath { .. }), None) => Some(0),
            (Some(TimeControlStage::Increment { increment, .. }), None) => Some(u64::from(increment) * 1000),
            _ => None,
        };
    }

    /// Hears a command after so many plies of the main line.
    pub(super) fn hear(&mut self, value: CommandValue, span: Span, plies: u32, scratch: &mut Scratch) {
        let shown = |milliseconds| Shown { milliseconds, plies, span };
        let before = match value {
            CommandValue::GameTime(time) => {
                let now = shown(time.milliseconds());
                self.game.replace(now).filter(|before| before.milliseconds > now.milliseconds)
            }
            CommandValue::Elapsed(clocks) => {
                let all = [Some(clocks.first), clocks.second].into_iter().flatten();
                let mut fallen = None;
                for clock in all {
                    let Some(slot) = slot(&clock, plies) else { continue };
                    let now = shown(clock.time.milliseconds());
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
                    let now = shown(clock.time.milliseconds());
                    let (before, increment) = (self.remaining[slot].replace(now), self.increment);
                    let too_much = |before: &Shown| {
                        let moves = u64::from(now.plies.saturating_sub(before.plies)) / 2 + 1;
                        let most = increment
                            .map(|increment| u64::from(before.milliseconds) + moves * increment + SLACK);
                        most.is_some_and(|most| u64::from(now.milliseconds) > most)
                    };
                    risen = risen.or(before.filter(too_much));
                }
                risen
            }
            _ => None,
        };
        if let Some(before) = before {
            scratch.push(Diagnostic::new(Code::ClockBackwards, span).with_related(before.span));
        }
    }
}

/// Where the last time of a clock is kept. Without a side it belongs to who has just moved, if anybody has.
fn slot(clock: &Clock, plies: u32) -> Option<usize> {
    match clock.side {
        Some(side) => Some(2 + side as usize),
        None => plies.checked_sub(1).map(|ply| ply as usize % 2),
    }
}
