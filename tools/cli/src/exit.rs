//! How the command ends.

use std::io::{self, Write};
use std::process::ExitCode;

/// What a subcommand ended with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    /// All done.
    Done = 0,
    /// Done, and there are findings.
    Findings = 1,
    /// Bad usage, or part of the input could not be read.
    Failed = 2,
    /// Somebody pressed Ctrl-C; as shells have it.
    Stopped = 130,
}

/// Turns the end of a subcommand into what the shell sees. Errors here are those of writing results.
pub(crate) fn code(done: io::Result<Exit>) -> ExitCode {
    match done {
        Ok(exit) => ExitCode::from(exit as u8),
        // Whoever read the output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("cannot write the results: {error}"));
            ExitCode::from(Exit::Failed as u8)
        }
    }
}

/// Tells the user something that is not a result.
pub(crate) fn complain(message: &str) {
    // If even standard error is gone, nobody listens.
    let _ = writeln!(anstream::stderr(), "pdn: {message}");
}
