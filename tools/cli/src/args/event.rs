//! Options of `pdn event`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::choice::choice;
use super::filter::GameFilterArgs;
use super::help;
use super::number::number;
use super::shared::{FormatArgs, SearchedArgs, of_argument};
use pdn_app::event::{EventRequest, TIE_BREAKS, TieBreak};
use pdn_app::name_map;
use pdn_app::numbers::parse_threads;

pub(super) const AFTER_HELP: &str = "\
NAME is matched as in a query, `event : NAME`. If several events match, the report is about the one with the most games, and says \
which others match; 'is:NAME' means that whole name. Events of one name in several years are one event: `--date 1999` chooses a year.

There are standings for each scoring system in which results are written: 1-1/2-0, 2-1-0, with plus draws, Delfts, Goes, or ten points. \
In each of them, a result that is written in another one has the value of a win, a draw or a loss. Every player's games with a result \
count, also those of a player who withdrew, and results without moves. A game that is given twice counts once. Games of a player \
without a name count for nobody.

Between equal points decide, unless --tie-breaks says otherwise: the points in the games between these players, if each has met each; \
Sonneborn-Berger; Buchholz (also called Solkoff); the number of wins. The exit code is 1 if no game has the name.";

#[derive(Args, Debug)]
pub(crate) struct EventArgs {
    /// Name of the event: words in any order ('wk 2003'), 'is:whole name', 'begins:beginning' or 'like:misspelt'
    #[arg(value_name = "NAME")]
    name: String,

    #[command(flatten)]
    pub(crate) searched: SearchedArgs,

    /// What decides between equal points, in this order, separated by commas [default: head-to-head, sonneborn-berger, buchholz, wins]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = choice::<TieBreak>())]
    tie_breaks: Vec<TieBreak>,

    /// Print the games round by round
    #[arg(long)]
    pub(crate) by_round: bool,

    #[arg(long, value_name = "FILE", help = help::NAMES)]
    names: Option<PathBuf>,

    /// Print at most this many players, 0 for no limit
    #[arg(long, value_name = "N", default_value = "0", value_parser = number::<usize>(0..=u64::MAX))]
    limit: usize,

    /// Print below each row the query for its games
    #[arg(long)]
    pub(crate) queries: bool,

    #[command(flatten)]
    games: GameFilterArgs,

    #[arg(long, value_name = "N", help = help::THREADS, value_parser = parse_threads, help_heading = help::GENERAL)]
    pub(crate) threads: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl EventArgs {
    /// Returns the question.
    ///
    /// # Errors
    ///
    /// If an option or the file of names cannot be read.
    pub(crate) fn read(&self) -> pdn_app::Result<EventRequest> {
        let tie_breaks =
            if self.tie_breaks.is_empty() { TIE_BREAKS.to_vec() } else { self.tie_breaks.clone() };
        Ok(EventRequest {
            filter: self.games.read()?,
            names: self.names.as_deref().map(name_map::read).transpose()?.map(Arc::new),
            tie_breaks,
            limit: self.limit,
            ..EventRequest::new(&self.name).map_err(of_argument)?
        })
    }
}
