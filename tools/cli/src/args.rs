//! The command line. Help, completions and man pages all come from these definitions.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use pdn::source::{Encoding, MapMode};

/// Check, count and explain archives of draughts games (PDN).
#[derive(Parser, Debug)]
#[command(name = "pdn", version, about, arg_required_else_help = true, disable_help_subcommand = true)]
#[command(
    after_help = "Exit codes: 0 done, 1 findings, 2 usage or unreadable input. A pipe that closes early is no error."
)]
pub(crate) struct Cli {
    /// When to use colours; `auto` means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Report everything that is wrong, where, and how bad it is
    #[command(after_help = CHECK_HELP)]
    Check(CheckArgs),
    /// Count games by variant, result, length, tags and encoding
    Stats(StatsArgs),
    /// Explain a diagnostic code, or list all of them
    Explain(ExplainArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all subcommands to a folder
    Man(ManArgs),
}

const CHECK_HELP: &str = "\
A game counts as damaged if part of it was not understood (a finding of severity `error`), as empty if it has neither \
moves nor a position, and as unsupported if its GameType is not draughts. Moves are not replayed by this version: \
`legal`, `illegal` and `ambiguous` are 0.

Lines and columns count from 1, columns in characters; offset and length count bytes.";

/// What is read, and how.
#[derive(Args, Debug)]
pub(crate) struct InputArgs {
    /// Files, folders (searched for PDN files) or `-` for standard input; .gz, .zst, .bz2 and .zip are unpacked
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Encoding of the text, such as cp1251 or latin1, instead of guessing it for each game
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<Encoding>,

    /// Whether files may be mapped into memory; `never` is for files that others may shorten meanwhile
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) mmap: Mmap,

    /// Threads to work on [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

/// Whether files may be mapped.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mmap {
    Auto,
    Never,
}

impl From<Mmap> for MapMode {
    fn from(mmap: Mmap) -> Self {
        match mmap {
            Mmap::Auto => Self::Auto,
            Mmap::Never => Self::Never,
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Also report what is understood but not how PDN 3.0 says to write it
    #[arg(long)]
    pub(crate) strict: bool,

    /// How findings are printed
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,

    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Most findings of one code printed for one file, 0 for all; the rest is counted [default: 5 for human, else 0]
    #[arg(long, value_name = "N")]
    pub(crate) max_findings: Option<u64>,

    /// Print the summary only
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl CheckArgs {
    /// The format asked for, in either way.
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// How findings are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// For people: the line, the place in it, and what it means
    Human,
    /// A JSON object a line; the last one is the summary
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The code, such as L002, in either case; without it, all codes are listed
    pub(crate) code: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Folder to write `pdn.1` and a page for each subcommand to, instead of printing `pdn.1`
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_sound() {
        Cli::command().debug_assert();
    }
}
