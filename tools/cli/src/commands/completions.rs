//! `pdn completions`: prints a completion script for a shell.

use std::io::Write;

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::output::{CommandResult, Exit, Output};

/// Runs `pdn completions`.
pub(crate) fn run(args: &CompletionsArgs, out: &mut Output) -> CommandResult {
    // The generator panics if a write fails, as on a closed pipe, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "pdn", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Success)
}
