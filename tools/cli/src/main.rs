//! The `pdn` command: checks, counts and explains archives of draughts games, and knows the rules of all of
//! them.
//!
//! Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 findings, 2 usage
//! or unreadable input; a pipe that closes early is no error.

mod args;
mod bench;
mod board;
mod check;
mod clean;
mod exit;
mod explain;
mod filter;
mod find;
mod game;
mod head;
mod index;
mod input;
mod judge;
mod output;
mod positions;
mod render;
mod rules;
mod shell;
mod stats;
mod stop;
mod totals;
mod tree;
mod words;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use output::Output;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = Output::new(cli.color);
    let done = match cli.command {
        Command::Check(args) => check::run(&args, &mut out),
        Command::Stats(args) => stats::run(&args, &mut out),
        Command::Index(args) => index::build(&args, &mut out),
        Command::Merge(args) => index::merge(&args, &mut out),
        Command::Find(args) => find::run(&args, &mut out),
        Command::Verify(args) => index::verify(&args, &mut out),
        Command::Tree(args) => tree::run(&args, &mut out),
        Command::Perft(args) => rules::perft(&args, &mut out),
        Command::Moves(args) => rules::moves(&args, &mut out),
        Command::Show(args) => game::run(&args, &mut out),
        Command::Bench(args) => bench::run(&args, &mut out),
        Command::Explain(args) => explain::run(&args, &mut out),
        Command::Completions(args) => shell::completions(&args, &mut out),
        Command::Man(args) => shell::man(&args, &mut out),
    };
    exit::code(done.and_then(|exit| out.finish().map(|()| exit)))
}
