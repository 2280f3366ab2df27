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
    let mut out = Output::new(cli.color);
    let outcome = match cli.command {
        Command::Check(args) => commands::check::run(&args, &mut out),
        Command::Fmt(args) => commands::fmt::run(&args, &mut out),
        Command::Stats(args) => commands::stats::run(&args, &mut out),
        Command::Index(args) => commands::index::run(&args, &mut out),
        Command::Merge(args) => commands::merge::run(&args, &mut out),
        Command::Find(args) => commands::find::run(&args, &mut out),
        Command::Verify(args) => commands::verify::run(&args, &mut out),
        Command::Tree(args) => commands::tree::run(&args, &mut out),
        Command::Perft(args) => commands::perft::run(&args, &mut out),
        Command::Moves(args) => commands::moves::run(&args, &mut out),
        Command::Show(args) => commands::show::run(&args, &mut out),
        Command::Bench(args) => commands::bench::run(&args, &mut out),
        Command::Explain(args) => commands::explain::run(&args, &mut out),
        Command::Completions(args) => commands::completions::run(&args, &mut out),
        Command::Man(args) => commands::man::run(&args, &mut out),
    };
    exit_code(outcome.and_then(|exit| out.finish().map(|()| exit)))
}
