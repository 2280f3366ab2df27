//! The `pdn` command: checks, formats, counts, indexes, searches and explains archives of draughts games, and lists positions and
//! moves of every variant.
//!
//! Results go to standard output, all messages to standard error. The exit codes are those of [`output::Exit`].

mod args;
mod output;
mod input;
mod board;
mod findings;
mod commands;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use output::Output;
use output::exit::exit_code;

fn main() -> ExitCode {
    let cli = Cli::parse();
    #[cfg(target_os = "linux")]
    output::shortened_file::install_handler();
    let mut out = Output::new(cli.color);
    let outcome = match cli.command {
        Command::Check(args) => commands::check::run(&args, &mut out),
        Command::Fmt(args) => commands::fmt::run(&args, &mut out),
        Command::Stats(args) => commands::stats::run(&args, &mut out),
        Command::Index(args) => commands::index::run(&args, &mut out),
        Command::Merge(args) => commands::merge::run(&args, &mut out),
        Command::Find(args) => commands::find::run(&args, &mut out),
        Command::Convert(args) => commands::convert::run(&args, &mut out),
        Command::Export(args) => commands::export::run(&args, &mut out),
        Command::SplitPoints(args) => commands::split_points::run(&args, &mut out),
        Command::Dataset(args) => commands::dataset::run(&args, &mut out),
        Command::Dedup(args) => commands::dedup::run(&args, &mut out),
        Command::Verify(args) => commands::verify::run(&args, &mut out),
        Command::Tree(args) => commands::tree::run(&args, &mut out),
        Command::Perft(args) => commands::perft::run(&args, &mut out),
        Command::Moves(args) => commands::moves::run(&args, &mut out),
        Command::Show(args) => commands::show::run(&args, &mut out),
        Command::Serve(args) => commands::serve::run(&args, &mut out),
        Command::Bench(args) => commands::bench::run(&args, &mut out),
        Command::Fix(args) => commands::fix::run(&args, &mut out),
        Command::Names(args) => commands::names::run(&args, &mut out),
        Command::Explain(args) => commands::explain::run(&args, &mut out),
        Command::Completions(args) => commands::completions::run(&args, &mut out),
        Command::Man(args) => commands::man::run(&args, &mut out),
        Command::Help(args) => commands::help::run(&args, &mut out),
    };
    let outcome = outcome.and_then(|exit| out.finish().map(|()| exit));
    // For tests of debug builds; a release build counts no steps.
    if let (Some(steps), Some(_)) = (pdn::steps::count(), std::env::var_os("PDN_COUNT_STEPS")) {
        output::exit::print_error(&format!("steps: {steps}"));
    }
    exit_code(outcome)
}
