//! `pdn help`: prints the help of the program, of a command or of a topic.

use std::io::Write;

use clap::CommandFactory;
use pdn_app::{AppError, ErrorCode};

use crate::args::{Cli, HelpArgs, QUERY_TOPIC};
use crate::output::{CommandResult, Exit, Output};

/// Runs `pdn help`.
pub(crate) fn run(args: &HelpArgs, out: &mut Output) -> CommandResult {
    let topic = args.topic.as_deref();
    if topic.is_some_and(|topic| topic.eq_ignore_ascii_case("query")) {
        out.write_all(QUERY_TOPIC.as_bytes())?;
        return Ok(Exit::Success);
    }
    let mut program = Cli::command();
    program.build();
    let names: Vec<_> = program.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let page = match topic {
        None => program.render_long_help(),
        Some(topic) => match program.find_subcommand_mut(topic) {
            Some(command) => command.render_long_help(),
            None => {
                let names = names.join(", ");
                let message = format!(
                    "`{topic}` is neither a command nor a topic; commands are {names}; the topic is query"
                );
                return Err(AppError::new(ErrorCode::NotFound, message).into());
            }
        },
    };
    if out.coloured() {
        write!(out, "{}", page.ansi())?
    } else {
        write!(out, "{page}")?
    }
    Ok(Exit::Success)
}
