//! Runs a command as a function: its output stays in memory, its messages are collected, and its caller can stop it.

use std::ffi::OsString;

use clap::Parser;
use pdn::stop::Stop;

use crate::args::{Cli, Command};
use crate::commands;
use crate::output::exit::exit_code;
use crate::output::{Output, complaints, interrupt};

/// What a command did that was called as a function.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CallResult {
    /// The exit code that the command would have; see [`run`](crate::run).
    pub exit_code: u8,
    /// What the command would write to standard output.
    pub output: Vec<u8>,
    /// What the command would write to standard error, message by message, without the name of the program and without
    /// summaries for people.
    pub messages: Vec<String>,
}

/// Runs `pdn convert`, `pdn fix` or `pdn dedup` with these arguments, the first of which is the name of the program.
///
/// Nothing is printed, no signal is handled, and the process does not end. If another thread requests a stop, the command stops
/// within some ten milliseconds, leaves no unfinished file and returns exit code 130. With `--json`, the summary is the last line of
/// the output, also if the games of `pdn convert` come before it. Other commands are a usage error.
pub fn call(arguments: impl IntoIterator<Item = OsString>, stop: Stop) -> CallResult {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return usage_error(&error.to_string()),
    };
    let mut out = Output::in_memory();
    let (exit_code, complaints) = interrupt::with_handle(stop, || {
        complaints::collect(|| {
            let outcome = match cli.command {
                Command::Convert(args) => commands::convert::run(&args, &mut out),
                Command::Fix(args) => commands::fix::run(&args, &mut out),
                Command::Dedup(args) => commands::dedup::run(&args, &mut out),
                _ => return None,
            };
            Some(exit_code(outcome))
        })
    });
    let Some(exit_code) = exit_code else {
        return usage_error("this command cannot be called as a function");
    };
    let messages = complaints.into_iter().map(|complaint| match complaint.option {
        Some(option) => format!("{option}: {}", complaint.message),
        None => complaint.message,
    });
    CallResult { exit_code, output: out.into_bytes(), messages: messages.collect() }
}

/// Returns the result of a call with wrong arguments, from a message for people.
fn usage_error(message: &str) -> CallResult {
    // What follows the first paragraph is the usage of the command line.
    let first = message.split("\n\n").next().unwrap_or_default();
    let text = first.strip_prefix("error: ").unwrap_or(first).trim_end().to_owned();
    CallResult { exit_code: 2, output: Vec::new(), messages: vec![text] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    fn call_pdn(arguments: &[&str], stop: bool) -> CallResult {
        let arguments = ["pdn"].iter().chain(arguments).map(OsString::from);
        {
            let handle = Stop::new();
            if stop {
                handle.request();
            }
            call(arguments, handle)
        }
    }

    fn text(path: &Path) -> &str {
        path.to_str().expect("UTF-8")
    }

    const GAMES: &str = "[White \"A\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n";

    #[test]
    fn summary_follows_the_games_that_are_converted_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        fs::write(&path, GAMES).unwrap();
        let result = call_pdn(&["convert", "--json", text(&path)], false);
        let output = String::from_utf8(result.output).unwrap();
        let (games, summary) = output.trim_end().rsplit_once('\n').unwrap();
        assert!(games.starts_with("[White") && games.contains("28x19 14x23"), "{games}");
        let summary: serde_json::Value = serde_json::from_str(summary).unwrap();
        assert_eq!(summary["written"], 1);
        assert_eq!((result.exit_code, result.messages), (0, vec![]));
    }

    #[test]
    fn messages_are_collected() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("none.pdn");
        let result = call_pdn(&["fix", "--json", text(&missing)], false);
        assert_eq!(result.exit_code, 2);
        assert!(result.messages.iter().any(|message| message.contains("none.pdn")), "{:?}", result.messages);
        let result = call_pdn(&["convert", "--json", "--sort=colour", "games.pdn"], false);
        assert_eq!(result.exit_code, 2);
        let [message] = &result.messages[..] else { panic!("{:?}", result.messages) };
        assert!(message.starts_with("invalid value 'colour' for '--sort"), "{message}");
        assert!(!message.contains("Usage"), "{message}");
        let result = call_pdn(&["convert", "--json", "--query=plies >", "games.pdn"], false);
        assert!(result.messages[0].starts_with("--query: expected"), "{:?}", result.messages);
    }

    #[test]
    fn stopped_call_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let [path, out] = ["games.pdn", "out.pdn"].map(|name| folder.path().join(name));
        let damaged = GAMES.replace("2-0", "").repeat(100);
        fs::write(&path, &damaged).unwrap();
        let (path_text, out_text) = (text(&path), text(&out));
        let write = format!("--write={out_text}");
        for arguments in [
            &["convert", "--json", "-o", out_text, path_text][..],
            &["convert", "--json", "--sort=white", "-o", out_text, path_text],
            &["convert", "--json", "--query=wk = 0", "-o", out_text, path_text],
            &["fix", "--json", "--write", path_text],
            &["dedup", "--json", &write, path_text],
        ] {
            let result = call_pdn(arguments, true);
            assert_eq!(result.exit_code, 130, "{arguments:?}: {result:?}");
            let names: Vec<_> =
                fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
            assert_eq!(names, ["games.pdn"], "{arguments:?}");
            assert_eq!(fs::read_to_string(&path).unwrap(), damaged, "{arguments:?}");
        }
        assert!(!interrupt::handle().is_requested(), "the flag of a call concerns no other");
    }

    #[test]
    fn commands_that_print_for_people_are_refused() {
        let result = call_pdn(&["perft", "--depth", "1"], false);
        assert_eq!(result.exit_code, 2);
        assert_eq!(result.messages, ["this command cannot be called as a function"]);
    }
}
