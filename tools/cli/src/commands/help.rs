//! `pdn help`: prints the help of the program, of a command or of a topic.

use std::io::Write;

use clap::{Args, Command};
use pdn_app::{AppError, ErrorCode};

use crate::args::query_topic::query_topic;
use crate::output::{CommandResult, Exit, Output};

pub(crate) const AFTER_HELP: &str = "\
Topics: `query` is the language of --query, of names and of patterns.";

#[derive(Args, Debug)]
pub(crate) struct HelpArgs {
    /// Name of a command or a topic [default: overview]
    #[arg(value_name = "COMMAND or TOPIC")]
    pub(crate) topic: Option<String>,
}

/// The names of the page about queries, which also describes patterns and names.
const QUERY_TOPICS: [&str; 5] = ["query", "queries", "pattern", "patterns", "filters"];

/// Runs `pdn help` for the whole command line.
pub(crate) fn run(args: &HelpArgs, mut cli: Command, out: &mut Output) -> CommandResult {
    let topic = args.topic.as_deref();
    let is_query = |topic: &str| QUERY_TOPICS.iter().any(|name| topic.eq_ignore_ascii_case(name));
    if topic.is_some_and(is_query) {
        out.write_all(query_topic().as_bytes())?;
        return Ok(Exit::Success);
    }
    if let Some(topic) = topic
        && cli.find_subcommand(topic).is_none()
    {
        let names: Vec<_> = cli.get_subcommands().map(|command| command.get_name()).collect();
        let message = format!(
            "`{topic}` is neither a command nor a topic; commands are {}; the topic is query",
            names.join(", ")
        );
        return Err(AppError::plain(ErrorCode::NotFound, message).into());
    }
    cli.build();
    let command = match topic {
        Some(topic) => cli.find_subcommand_mut(topic),
        None => Some(&mut cli),
    };
    if let Some(command) = command {
        let page = command.render_long_help();
        if out.coloured() { write!(out, "{}", page.ansi())? } else { write!(out, "{page}")? }
    }
    Ok(Exit::Success)
}
