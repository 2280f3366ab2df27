//! Declares the command line: its commands and the options that all of them have. The other options of a command are declared in its
//! file in `commands`. Help, completions and manual pages are generated from these declarations.

use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, Parser, Subcommand};

use crate::args::{ColorMode, help};
use crate::commands;
use crate::commands::bench::BenchArgs;
use crate::commands::check::CheckArgs;
use crate::commands::completions::CompletionsArgs;
use crate::commands::convert::ConvertArgs;
use crate::commands::dataset::DatasetArgs;
use crate::commands::dedup::DedupArgs;
use crate::commands::endgame::EndgameArgs;
use crate::commands::event::EventArgs;
use crate::commands::explain::ExplainArgs;
use crate::commands::export::ExportArgs;
use crate::commands::find::FindArgs;
use crate::commands::fix::FixArgs;
use crate::commands::fmt::FmtArgs;
use crate::commands::help::HelpArgs;
use crate::commands::index::IndexArgs;
use crate::commands::man::ManArgs;
use crate::commands::merge::MergeArgs;
use crate::commands::moves::MovesArgs;
use crate::commands::names::NamesArgs;
use crate::commands::novelty::NoveltyArgs;
use crate::commands::perft::PerftArgs;
use crate::commands::player::PlayerArgs;
use crate::commands::serve::{ExportSiteArgs, ServeArgs};
use crate::commands::sheet::SheetArgs;
use crate::commands::show::ShowArgs;
use crate::commands::solve::SolveArgs;
use crate::commands::stats::StatsArgs;
use crate::commands::tree::TreeArgs;
use crate::commands::verify::VerifyArgs;

/// Words that other programs have for what a command does.
const OTHER_WORDS: [(&str, &str); 22] = [
    ("search", "find"),
    ("grep", "find"),
    ("query", "find"),
    ("filter", "find"),
    ("list", "find"),
    ("ls", "find"),
    ("select", "find"),
    ("validate", "check"),
    ("lint", "check"),
    ("repair", "fix"),
    ("format", "fmt"),
    ("view", "show"),
    ("open", "show"),
    ("cat", "show"),
    ("print", "show"),
    ("openings", "tree"),
    ("explorer", "serve"),
    ("merge-files", "convert"),
    ("split", "convert"),
    ("count", "stats"),
    ("endings", "endgame"),
    ("tablebase", "endgame"),
];

/// Returns an error of the command line with the command or option that was probably meant, where only we know it.
pub(crate) fn suggested(mut error: clap::Error) -> clap::Error {
    let of = |error: &clap::Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    if let Some(word) = of(&error, ContextKind::InvalidSubcommand)
        && let Some((_, command)) = OTHER_WORDS.iter().find(|(other, _)| word.eq_ignore_ascii_case(other))
    {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![(*command).to_owned()]));
    }
    // Where games cannot be filtered, only the variant of those without a tag can be meant.
    if error.kind() == ErrorKind::UnknownArgument
        && of(&error, ContextKind::InvalidArg).is_some_and(|arg| matches!(&*arg, "-g" | "--variant"))
    {
        error.insert(ContextKind::SuggestedArg, ContextValue::String("--untagged".to_owned()));
    }
    error
}

/// Check, index, search and explain archives of draughts games (PDN), and list positions and moves of every variant.
#[derive(Parser, Debug)]
#[command(
    name = "pdn",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    disable_help_flag = true,
    propagate_version = true
)]
#[command(
    after_help = "Exit codes: 0 success; 1 diagnostics, no match or another negative result; 2 usage error or \
                        unreadable input; 130 stopped by Ctrl-C. A pipe that is closed early is no error."
)]
pub(crate) struct Cli {
    /// When to use colours; `auto` means on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = help::GENERAL)]
    pub(crate) color: ColorMode,

    /// Print results and errors only: no notes, no progress, and no summary on standard error
    #[arg(long, global = true, help_heading = help::GENERAL)]
    pub(crate) quiet: bool,

    /// Print the options; `pdn help COMMAND` also explains their values
    #[arg(long, short, global = true, action = ArgAction::HelpShort, help_heading = help::GENERAL)]
    help: Option<bool>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Report everything that is wrong in an archive, with its place and severity
    #[command(after_help = commands::check::AFTER_HELP)]
    Check(CheckArgs),
    /// Rewrite archives in the canonical form of PDN 3.0, without changing what they say
    #[command(after_help = commands::fmt::AFTER_HELP)]
    Fmt(FmtArgs),
    /// Count games by variant, result, length, tag and encoding
    Stats(StatsArgs),
    /// Replay every game and build a searchable index
    #[command(visible_alias = "import", after_help = commands::index::AFTER_HELP)]
    Index(IndexArgs),
    /// Merge the segments of an index into as few as possible
    #[command(after_help = commands::merge::AFTER_HELP)]
    Merge(MergeArgs),
    /// Find games in an index by players, results, positions, material and moves
    #[command(after_help = commands::find::AFTER_HELP)]
    Find(Box<FindArgs>),
    /// Write games of any archives as one clean archive, or several: filtered, repaired, sorted, for a program
    #[command(after_help = commands::convert::AFTER_HELP)]
    Convert(Box<ConvertArgs>),
    /// Write games, moves, positions, comments or diagnostics as a table: CSV, JSON lines or SQLite
    #[command(after_help = commands::export::AFTER_HELP)]
    Export(Box<ExportArgs>),
    /// Write positions with the results of their games, for programs that learn to evaluate positions
    #[command(after_help = commands::dataset::AFTER_HELP)]
    Dataset(Box<DatasetArgs>),
    /// Find records of the same game, and write archives without them
    #[command(after_help = commands::dedup::AFTER_HELP)]
    Dedup(Box<DedupArgs>),
    /// Verify the checksums of an index and that its archives have not changed
    Verify(VerifyArgs),
    /// Show the moves played in a position, and how those games ended
    #[command(after_help = commands::tree::AFTER_HELP)]
    Tree(Box<TreeArgs>),
    /// Show where games leave all earlier games, and the game that they followed
    #[command(after_help = commands::novelty::AFTER_HELP)]
    Novelty(Box<NoveltyArgs>),
    /// Show the results of a player by colour, year, opponent, opening, length and rating, or head-to-head
    #[command(after_help = commands::player::AFTER_HELP)]
    Player(Box<PlayerArgs>),
    /// Show the standings of an event by every scoring system and tie-break, its cross table and its rounds
    #[command(after_help = commands::event::AFTER_HELP)]
    Event(Box<EventArgs>),
    /// Show a game of an archive or an index, or a position, with its board in the terminal or as an SVG picture
    #[command(after_help = commands::show::AFTER_HELP)]
    Show(ShowArgs),
    /// Draw the diagrams of all games or problems on pages to print, as HTML or SVG
    #[command(after_help = commands::sheet::AFTER_HELP)]
    Sheet(SheetArgs),
    /// Say whether the solutions of problems are the only ones, and prove second solutions
    #[command(after_help = commands::solve::AFTER_HELP)]
    Solve(SolveArgs),
    /// Prove endings of a few pieces by the rules of any variant, and say what a position is worth
    #[command(after_help = commands::endgame::AFTER_HELP)]
    Endgame(EndgameArgs),
    /// Show an archive in the browser: opening tree, search, games, players and a check of files
    #[command(after_help = commands::serve::AFTER_HELP)]
    Serve(ServeArgs),
    /// Write an archive as a web site of files: the page of `serve` for web servers without programs
    #[command(after_help = commands::serve::SITE_AFTER_HELP)]
    ExportSite(ExportSiteArgs),
    /// List the legal moves of a position
    Moves(MovesArgs),
    /// Count the sequences of legal moves from a position, to compare the rules with published counts
    Perft(PerftArgs),
    /// Measure the speed of every stage on an archive, on one and more threads
    #[command(after_help = commands::bench::AFTER_HELP)]
    Bench(BenchArgs),
    /// Repair damaged games where a replay proves the repair; prints a diff unless told to write
    #[command(after_help = commands::fix::AFTER_HELP)]
    Fix(FixArgs),
    /// Find spellings that probably mean one player, event or site, as a file to edit
    #[command(after_help = commands::names::AFTER_HELP)]
    Names(Box<NamesArgs>),
    /// Explain a diagnostic code, or list all codes
    Explain(ExplainArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all commands to a folder
    Man(ManArgs),
    /// Print the help of the program, of a command, or of a topic such as `query`
    #[command(after_help = commands::help::AFTER_HELP)]
    Help(HelpArgs),
}

impl Command {
    /// Returns `true` if the command leaves files that are not complete when it is ended from outside, so that it has to be stopped
    /// instead.
    pub(crate) fn writes_files(&self) -> bool {
        let is_file = |path: &Option<PathBuf>| path.as_deref().is_some_and(|path| path != Path::new("-"));
        match self {
            Self::Index(_) | Self::Merge(_) | Self::Dataset(_) | Self::ExportSite(_) => true,
            Self::Fmt(args) => !args.input.paths.iter().any(|path| path.as_os_str() == "-"),
            Self::Fix(args) => args.files.write || args.undo.is_some(),
            Self::Convert(args) => {
                let outputs = &args.outputs;
                [&outputs.output, &outputs.rejects, &outputs.others].into_iter().any(is_file)
            }
            Self::Export(args) => is_file(&args.tables.output),
            Self::Dedup(args) => [&args.rules.output, &args.rules.duplicates].into_iter().any(is_file),
            Self::Names(args) => is_file(&args.groups.output),
            Self::Endgame(args) => args.writes_files(),
            Self::Man(args) => args.output.is_some(),
            Self::Show(args) => is_file(&args.svg),
            Self::Sheet(args) => is_file(&Some(args.output.clone())),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn command_line_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
