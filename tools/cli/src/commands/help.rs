//! `pdn help`: prints the help of the program, of a command or of a topic.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::args::{Cli, HelpArgs, QUERY_TOPIC};
use crate::output::exit::print_error;
use crate::output::{Exit, Output, sanitize};

/// Runs `pdn help`.
pub(crate) fn run(args: &HelpArgs, out: &mut Output) -> io::Result<Exit> {
    let mut program = Cli::command();
    // The width of the terminal is that of all other output.
    program = program.term_width(out.width().min(100));
    program.build();
    let page = match args.topic.as_deref() {
        None => program.render_long_help(),
        Some(topic) if topic.eq_ignore_ascii_case("query") => {
            out.write_all(QUERY_TOPIC.as_bytes())?;
            return Ok(Exit::Success);
        }
        Some(topic) => match program.find_subcommand_mut(topic) {
            Some(command) => command.render_long_help(),
            None => {
                let names: Vec<_> = program.get_subcommands().map(|command| command.get_name()).collect();
                let topic = sanitize::text(topic);
                print_error(&format!(
                    "`{topic}` is neither a command nor a topic; commands are {}; the topic is query",
                    names.join(", ")
                ));
                return Ok(Exit::Failure);
            }
        },
    };
    if out.coloured() { write!(out, "{}", page.ansi())? } else { write!(out, "{page}")? }
    Ok(Exit::Success)
}
