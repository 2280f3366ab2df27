//! Options of `pdn tree`.

use std::num::NonZeroUsize;

use clap::Args;
use pdn::rules::Variant;

use super::choice::choice;
use super::filter::GameArgs;
use super::help;
use super::number::number;
use super::shared::{FormatArgs, SearchedArgs};
use pdn_app::numbers::parse_threads;
use pdn_app::tree::TreeSort;
use pdn_app::values::parse_variant;

pub(super) const AFTER_HELP: &str = "\
A game counts if it reaches the position at any ply, by any moves: once for the position, and once for each different move \
that it plays there. The score is that of the side to move, in percent of the points of games with a result. Examples are \
numbers for `pdn show PATH NUMBER`: games of the highest rated players first, then the latest games. Of several archives, \
games are numbered through all of them.

All options under `Games` must hold for a game to count, as in `pdn find`; `pdn help query` describes the language of \
--query: `pdn tree games.idx --player like:wiersma --date 1980.. -q 'ever w-b >= 2'`.

The moves that follow a pattern, wherever it comes, are groups of `find`: `pdn find games.idx -q 'pattern \"w27,32 b18,23\"' --by move`.

The exit code is 1 if no game reaches the position. With key tables (`pdn index --positions`) a position is found at once \
in archives of any size, and the tree of a position that many games have is looked up.";

#[derive(Args, Debug)]
pub(crate) struct TreeArgs {
    #[arg(long, value_name = "MOVES", help = moves_help())]
    pub(crate) moves: Option<String>,

    #[arg(long, value_name = "FEN", help = help::FEN)]
    pub(crate) fen: Option<String>,

    /// Variant: a name, a GameType number or a GameType value [default: the commonest of the games that the filters leave
    /// and that have the position]
    #[arg(long, short = 'g', value_name = "VARIANT", value_parser = parse_variant)]
    pub(crate) variant: Option<Variant>,

    #[command(flatten)]
    pub(crate) filter: GameArgs,

    /// Also count the games that reach the position after each move by another move order, and name the moves that nobody
    /// played and that lead to positions of games; takes as long again for each legal move
    #[arg(long)]
    pub(crate) transpositions: bool,

    /// Order of the moves
    #[arg(long, value_name = "KEY", default_value = "games", value_parser = choice::<TreeSort>())]
    pub(crate) sort: TreeSort,

    /// Print at most this many moves, 0 for no limit
    #[arg(long, value_name = "N", default_value = "0", value_parser = number::<usize>(0..=u64::MAX))]
    pub(crate) limit: usize,

    #[command(flatten)]
    pub(crate) searched: SearchedArgs,

    #[arg(long, value_name = "N", help = help::THREADS, value_parser = parse_threads, help_heading = help::GENERAL)]
    pub(crate) threads: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Returns the help of `--moves` with its default, which `pdn find` does not have.
fn moves_help() -> String {
    format!("{} [default: start position]", help::MOVES)
}
