//! Exit codes and messages on standard error.

use std::io::{self, Write};

use pdn_app::error::without_numbers;

use super::{CommandError, CommandResult, error};

/// The outcome of a command; the number is the exit code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    /// Success.
    Success = 0,
    /// The command ran, with a negative result: diagnostics, no match, damage.
    Negative = 1,
    /// A usage error, or part of the input could not be read.
    Failure = 2,
    /// Stopped by Ctrl-C: 128 plus the number of SIGINT, as shells report it.
    Interrupted = 130,
}

/// Converts the outcome of a command to the exit code of the process, and prints its error. A closed pipe counts as success.
pub(crate) fn exit_code(outcome: CommandResult) -> u8 {
    match outcome {
        Ok(exit) => exit as u8,
        // The reader has all it wanted, as in `pdn check ... | head`.
        Err(CommandError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success as u8,
        Err(CommandError::App(error)) => {
            error::print(&error);
            error::exit_of(&error) as u8
        }
        Err(CommandError::Output(error)) => {
            print_error(&format!("cannot write the results: {error}"));
            Exit::Failure as u8
        }
    }
}

/// Prints a message to standard error, after the name of the program.
pub(crate) fn print_error(message: &str) {
    // If standard error is closed, there is no other place to report to.
    let _ = writeln!(anstream::stderr(), "pdn: {}", without_numbers(message));
}
