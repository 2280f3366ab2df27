//! `pdn help`: prints the help of the program, of a command or of a topic.

use std::io::Write;

use clap::CommandFactory;
use pdn_app::{AppError, ErrorCode};

use crate::args::{Cli, HelpArgs, QUERY_TOPIC};
use crate::output::{CommandResult, Exit, Output};

/// The names of the page about queries, which also describes patterns and names.
const QUERY_TOPICS: [&str; 5] = ["query", "queries", "pattern", "patterns", "filters"];

/// Runs `pdn help`.
pub(crate) fn run(args: &HelpArgs, out: &mut Output) -> CommandResult {
    let topic = args.topic.as_deref();
    let is_query = |topic: &str| QUERY_TOPICS.iter().any(|name| topic.eq_ignore_ascii_case(name));
    if topic.is_some_and(is_query) {
        out.write_all(QUERY_TOPIC.as_bytes())?;
        return Ok(Exit::Success);
    }
    let program = Cli::command();
    if let Some(topic) = topic
        && program.find_subcommand(topic).is_none()
    {
        let names: Vec<_> = program.get_subcommands().map(|command| command.get_name()).collect();
        let message = format!(
            "`{topic}` is neither a command nor a topic; commands are {}; the topic is query",
            names.join(", ")
        );
        return Err(AppError::new(ErrorCode::NotFound, message).into());
    }
    // The page is that of `--help`, which clap makes only for one who asks so.
    if let Err(page) = program.try_get_matches_from(["pdn"].into_iter().chain(topic).chain(["--help"])) {
        let page = page.render();
        if out.coloured() { write!(out, "{}", page.ansi())? } else { write!(out, "{page}")? }
    }
    Ok(Exit::Success)
}
