//! Options of `pdn player`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::filter::GameFilterArgs;
use super::help;
use super::number::number;
use super::shared::{FormatArgs, SearchedArgs, of_argument};
use pdn_app::name_map;
use pdn_app::numbers::parse_threads;
use pdn_app::player::PlayerRequest;

/// Default of `--limit` for text.
pub(super) const TEXT_LIMIT: usize = 20;

pub(super) const AFTER_HELP: &str = "\
NAME is matched as in a query, `player : NAME`. If the names of several persons match, the report is about the one with the most \
games, and says who else matches; 'is:NAME' means that whole name. Spellings that differ in case, accents and punctuation are one person, \
and the family name may stand first or last: 'Litov, Elena' and 'Elena Litov' are one. Nothing else is, unless a file of names (see \
`pdn names`) says so.

The score is in percent of the points of games with a result, from the side of the player. Every row has the query for its games, which \
--queries prints; `pdn find PATH -q QUERY` lists them. Openings are the positions after two moves of each side of games from the \
start position. Named openings are the names that the moves of games show (`opening_played`).

The exit code is 1 if no game has the name.";

#[derive(Args, Debug)]
pub(crate) struct PlayerArgs {
    /// Name of the player: words in any order ('harm wiersma'), 'is:whole name', 'begins:beginning' or 'like:misspelt'
    #[arg(value_name = "NAME")]
    name: String,

    #[command(flatten)]
    pub(crate) searched: SearchedArgs,

    /// Count only the games against this player, and list them
    #[arg(long, value_name = "NAME")]
    against: Option<String>,

    #[arg(long, value_name = "FILE", help = help::NAMES)]
    names: Option<PathBuf>,

    /// Print at most this many opponents, events, and openings with each colour, 0 for no limit [default: 20, no limit with --json]
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..=u64::MAX))]
    limit: Option<usize>,

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

impl PlayerArgs {
    /// Returns the question.
    ///
    /// # Errors
    ///
    /// If an option or the file of names cannot be read.
    pub(crate) fn read(&self) -> pdn_app::Result<PlayerRequest> {
        Ok(PlayerRequest {
            filter: self.games.read()?,
            names: self.names.as_deref().map(name_map::read).transpose()?.map(Arc::new),
            limit: self.limit.unwrap_or(if self.format.is_json() { 0 } else { TEXT_LIMIT }),
            ..PlayerRequest::new(&self.name, self.against.as_deref()).map_err(of_argument)?
        })
    }
}
