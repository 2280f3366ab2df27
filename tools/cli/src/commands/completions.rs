//! `pdn completions`: prints a completion script for a shell.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, ValueHint};
use clap_complete::Shell;
use pdn::diag::Code;
use pdn::rules::Variant;
use pdn::write::Profile;

use crate::output::{CommandResult, Exit, Output};

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// Shell that runs the script
    pub(crate) shell: Shell,
}

/// Encodings of archives, by the names that people give them.
const ENCODINGS: [&str; 13] = [
    "utf-8",
    "windows-1252",
    "windows-1251",
    "windows-1250",
    "windows-1257",
    "iso-8859-2",
    "koi8-r",
    "cp866",
    "cp437",
    "cp850",
    "cp852",
    "utf-16le",
    "utf-16be",
];
/// Names of values that are paths.
const PATHS: [&str; 5] = ["FILE", "DIR", "FOLDER", "PATH", "JOURNAL"];

/// Runs `pdn completions` for the whole command line.
pub(crate) fn run(args: &CompletionsArgs, cli: Command, out: &mut Output) -> CommandResult {
    // The generator panics if a write fails, as on a closed pipe, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut completed(cli), "pdn", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Success)
}

/// Returns the command line with the values that a shell can complete. A value that is neither one of them nor a path is not
/// completed by the names of files.
fn completed(cli: Command) -> Command {
    let mut topics: Vec<String> =
        cli.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    topics.push("query".to_owned());
    cli.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        command.mut_args(|arg| with_values(&name, arg, &topics))
    })
}

fn with_values(command: &str, arg: Arg, topics: &[String]) -> Arg {
    let values: Vec<String> = match (command, arg.get_id().as_str()) {
        (_, "variant" | "untagged") => Variant::ALL.iter().map(|variant| variant.name().to_owned()).collect(),
        (_, "encoding") => ENCODINGS.map(str::to_owned).to_vec(),
        ("convert", "for") => Profile::ALL.iter().map(|profile| profile.name().to_owned()).collect(),
        ("convert", "split") => {
            ["event", "year", "variant", "player", "status", "games:", "size:"].map(str::to_owned).to_vec()
        }
        ("explain", "code") => Code::ALL.iter().map(|code| code.id().to_owned()).collect(),
        ("help", "topic") => topics.to_vec(),
        _ => {
            let takes_value = arg.is_positional() || arg.get_action().takes_values();
            let names = arg.get_value_names().unwrap_or_default();
            let is_path = names.iter().any(|name| PATHS.contains(&name.as_str()));
            let is_free = takes_value && !is_path && arg.get_possible_values().is_empty();
            return if is_free { arg.value_hint(ValueHint::Other) } else { arg };
        }
    };
    arg.value_parser(PossibleValuesParser::new(values))
}
