//! The `pdn` command as a library: checks, formats, counts, indexes, searches and explains archives of draughts games, and lists
//! positions and moves of every variant.
//!
//! [`run`] is the whole command. The program `pdn` calls it, and so does the Python module `pdn`, whose wheel has the command
//! inside. Results go to standard output, all messages to standard error. What the command can do stands in the crate
//! `pdn-app`, as questions that the module asks, too.
//!
//! What the command is made of is not public. Other programs use the library `pdn`.

#[cfg(test)]
#[macro_use(message)]
extern crate pdn;

mod args;
mod output;
mod board;
mod commands;
mod cli;
#[cfg(test)]
mod reference;

use std::ffi::OsString;

use clap::{CommandFactory, Parser};

use cli::{Cli, Command};
use output::error::exit_code;
use output::{Output, sanitize};

/// Runs the command with these arguments, the first of which is the name of the program, and returns its exit code.
///
/// The codes are 0 for success, 1 for a negative result such as diagnostics or no match, 2 for a usage error or an input that
/// cannot be read, and 130 after Ctrl-C.
///
/// The function belongs at the start of a process that does nothing else. It may install handlers of signals: of SIGBUS and SIGABRT on
/// Linux, where it also ignores SIGXFSZ, and, while there are files to clean up, of SIGINT and SIGTERM. The handlers may end the process.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let error = cli::suggested(error);
            print_usage(&error, &arguments);
            return u8::try_from(error.exit_code()).unwrap_or(u8::MAX);
        }
    };
    #[cfg(target_os = "linux")]
    {
        output::shortened_file::install_handler();
        output::out_of_memory::install_handler();
        output::ignored_signals::ignore_file_limit();
    }
    if cli.command.writes_files() {
        output::interrupt::install_handler();
    }
    let mut out = Output::new(cli.color, cli.quiet);
    let outcome = match cli.command {
        Command::Check(args) => commands::check::run(&args, &mut out),
        Command::Fmt(args) => commands::fmt::run(&args, &mut out),
        Command::Stats(args) => commands::stats::run(&args, &mut out),
        Command::Index(args) => commands::index::run(&args, &mut out),
        Command::Merge(args) => commands::merge::run(&args, &mut out),
        Command::Find(args) => commands::find::run(&args, &mut out),
        Command::Convert(args) => commands::convert::run(&args, &mut out),
        Command::Export(args) => commands::export::run(&args, &mut out),
        Command::Dataset(args) => commands::dataset::run(&args, &mut out),
        Command::Dedup(args) => commands::dedup::run(&args, &mut out),
        Command::Verify(args) => commands::verify::run(&args, &mut out),
        Command::Novelty(args) => commands::novelty::run(&args, &mut out),
        Command::Tree(args) => commands::tree::run(&args, &mut out),
        Command::Endgame(args) => commands::endgame::run(&args, &mut out),
        Command::Perft(args) => commands::perft::run(&args, &mut out),
        Command::Moves(args) => commands::moves::run(&args, &mut out),
        Command::Show(args) => commands::show::run(&args, &mut out),
        Command::Sheet(args) => commands::sheet::run(&args, &mut out),
        Command::Solve(args) => commands::solve::run(&args, &mut out),
        Command::Serve(args) => commands::serve::run(&args, &mut out),
        Command::ExportSite(args) => commands::serve::export_site(&args, &mut out),
        Command::Bench(args) => commands::bench::run(&args, &mut out),
        Command::Fix(args) => commands::fix::run(&args, &mut out),
        Command::Names(args) => commands::names::run(&args, &mut out),
        Command::Player(args) => commands::player::run(&args, &mut out),
        Command::Event(args) => commands::event::run(&args, &mut out),
        Command::Explain(args) => commands::explain::run(&args, &mut out),
        Command::Completions(args) => commands::completions::run(&args, Cli::command(), &mut out),
        Command::Man(args) => commands::man::run(&args, Cli::command(), &mut out),
        Command::Help(args) => commands::help::run(&args, Cli::command(), &mut out),
    };
    let outcome = outcome.and_then(|exit| Ok(out.finish().map(|()| exit)?));
    // For tests of debug builds; a release build counts no steps.
    if let (Some(steps), Some(_)) = (pdn_rules::internal::steps::count(), std::env::var_os("PDN_COUNT_STEPS"))
    {
        output::exit::print_error(&format!("steps: {steps}"));
    }
    exit_code(outcome)
}

/// Prints what is wrong with the arguments, or the help that they ask for. The message repeats arguments, such as the name of a file
/// that was taken for an option; nothing in them acts on a terminal.
fn print_usage(error: &clap::Error, arguments: &[OsString]) {
    let safe = |argument: &OsString| sanitize::text(&argument.to_string_lossy()).into_owned();
    let is_safe = |argument: &OsString| argument.to_str().is_some_and(|text| text == safe(argument));
    // If there is no place to print to, the exit code has to do.
    if arguments.iter().all(is_safe) {
        let _ = error.print();
        return;
    }
    match Cli::try_parse_from(arguments.iter().map(safe)) {
        Err(same) if same.kind() == error.kind() => _ = same.print(),
        _ => {
            let message = error.render().to_string();
            output::exit::print_error(message.trim_end().trim_start_matches("error: "));
        }
    }
}
