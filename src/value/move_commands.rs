//! What the embedded commands after a move say: the clocks, the time of the move, the evaluation.

use super::Colour;
use super::clock::Clocks;
use super::command::{CommandValue, CommentParts};
use super::time::ClockTime;

/// The values of the embedded commands in the comments after a move; the last of each kind counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCommands {
    /// The time remaining, from a `clk` or `clock` command.
    clocks: Option<Clocks>,
    /// The time spent on the move, from an `emt` command.
    move_time: Option<ClockTime>,
    /// The evaluation in hundredths of a man, with the sign as written, from an `eval` command.
    evaluation: Option<i32>,
}

impl MoveCommands {
    /// Reads the commands of the next comment, given without its braces. Other commands and unreadable values change nothing.
    pub fn read(&mut self, comment: &[u8]) {
        for command in CommentParts::new(comment).commands() {
            match command.value {
                Ok(CommandValue::Remaining(clocks)) => self.clocks = Some(clocks),
                Ok(CommandValue::MoveTime(time)) => self.move_time = Some(time),
                _ => self.evaluation = command.evaluation(comment).or(self.evaluation),
            }
        }
    }

    /// Returns `true` if no comment had such a command.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the time that `side`, which made the move, has left.
    pub fn clock(&self, side: Colour) -> Option<ClockTime> {
        let clocks = self.clocks?;
        // A clock without the letter of a side belongs to the side that just moved.
        let unnamed = Some(clocks.first).filter(|clock| clock.side.is_none());
        clocks.of(side).or(unnamed).map(|clock| clock.time)
    }

    /// Returns the time spent on the move.
    pub const fn move_time(&self) -> Option<ClockTime> {
        self.move_time
    }

    /// Returns the evaluation in hundredths of a man, with the sign as written.
    pub const fn evaluation(&self) -> Option<i32> {
        self.evaluation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_command_of_each_kind_counts() {
        for (comments, clock, move_time, evaluation) in [
            (&["[%clk 0:01:00] [%emt 0:00:05.5] [%eval 0.5]"][..], Some(60_000), Some(5_500), Some(50)),
            (&["[%clk 0:01:00]", "[%clk 0:00:59] [%emt 7]"], Some(59_000), None, None),
            (&["[%clock w0:00:09 B0:00:08]"], Some(8_000), None, None),
            (&["[%clock w0:00:09]", "%emt 0:00:01", "%eval 1"], None, Some(1_000), Some(100)),
            (&["quiet", "[%depth 5] [%egt 0:01:00]"], None, None, None),
        ] {
            let mut commands = MoveCommands::default();
            comments.iter().for_each(|comment| commands.read(comment.as_bytes()));
            let milliseconds = |time: ClockTime| time.milliseconds();
            let found = (
                commands.clock(Colour::Black).map(milliseconds),
                commands.move_time().map(milliseconds),
                commands.evaluation(),
            );
            assert_eq!(found, (clock, move_time, evaluation), "{comments:?}");
        }
    }
}
