//! Options of `pdn novelty`.

use std::num::NonZeroUsize;

use clap::Args;

use super::choice::choice;
use super::filter::GameFilterArgs;
use super::help;
use super::number::number;
use super::shared::{FormatArgs, SearchedArgs};
use pdn_app::novelty::NoveltySort;
use pdn_app::numbers::parse_threads;

pub(super) const AFTER_HELP: &str = "\
A game leaves all earlier games with the first move that leads to a position which none of them has, by any order of moves. Earlier \
is a game of the same variant if every day that its date allows comes before every day that the date of the other allows. So games \
without a year are earlier than none, and games of the same day are not compared with each other. The predecessor is the first of the \
earlier games with the position before that move.

The options under `Games` choose the games that are listed, as in `pdn find`; all games are compared: `pdn novelty games.idx --player \
like:wiersma --sort ply --reverse` lists the games of a player that followed others longest.

Games without a novelty are counted below the table: those that repeat earlier games to their end, those without an earlier game, and those \
without a year. The exit code is 1 if no game has a novelty.";

#[derive(Args, Debug)]
pub(crate) struct NoveltyArgs {
    #[command(flatten)]
    pub(crate) games: GameFilterArgs,

    /// Order of the games
    #[arg(long, value_name = "KEY", default_value = "game", value_parser = choice::<NoveltySort>())]
    pub(crate) sort: NoveltySort,

    /// Reverse the order
    #[arg(long)]
    pub(crate) reverse: bool,

    /// Print at most this many games, 0 for no limit [default: 100 for a table, else 0]
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..=u64::MAX))]
    pub(crate) limit: Option<usize>,

    #[command(flatten)]
    pub(crate) searched: SearchedArgs,

    #[arg(long, value_name = "N", help = help::THREADS, value_parser = parse_threads, help_heading = help::GENERAL)]
    pub(crate) threads: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
