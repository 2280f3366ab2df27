//! Exit codes and messages on standard error.

use std::io::Write;

use pdn_app::ask::error::without_numbers;
use pdn_app::check::safe_text::text;

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

/// Prints a message of one or more lines to standard error, after the name of the program. Nothing in it acts on a terminal.
pub(crate) fn print_error(message: &str) {
    let lines: Vec<_> = message.split('\n').map(text).collect();
    let message = lines.join("\n");
    // If standard error is closed, there is no other place to report to.
    let _ = writeln!(anstream::stderr(), "pdn: {}", without_numbers(&message));
}
