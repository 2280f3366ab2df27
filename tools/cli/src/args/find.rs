//! Options of `pdn find`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::choice::choice;
use super::filter::{GameFilterArgs, PositionArgs};
use super::help;
use super::number::number;
use super::shared::SearchedArgs;
use pdn_app::fields::{FieldList, parse_fields};
use pdn_app::find::FindSort;
use pdn_app::groups::GroupField;
use pdn_app::numbers::parse_threads;

pub(super) const AFTER_HELP: &str = "\
All given options must match; those about positions must match in the same position. The ply shown is that of the first \
such position, 0 for the start position. Names are compared without case, accents and punctuation.

`pdn help query` describes names, patterns and the language of --query. Examples: `pdn find games.idx --player \
like:wiersma --date 1980..` and `pdn find games.pdn -q 'wk = 1 and bk = 0 and last' --count`.

--fields takes the keys of the JSON, and result_tag, result_end, length, fen, moves, tags (a wrong name lists all), and any tag by its name such as TimeControl, with `tag:` \
before a name that begins with a small letter. Tags that the index does not store, and result_tag and result_end, are read from the texts of the games.

A table shows the first 100 games. The exit code is 1 if no game matches.";

#[derive(Args, Debug)]
pub(crate) struct FindArgs {
    #[command(flatten)]
    pub(crate) games: GameFilterArgs,

    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: FindFormat,

    /// With `--format pdn`: print the bytes of the archives and add nothing, instead of UTF-8 in which each game is read
    /// back as one game
    #[arg(long)]
    pub(crate) raw: bool,

    /// With `--format pdn`: add this tag to games without one, with the value that the index has
    #[arg(long, value_name = "TAGS", value_delimiter = ',', conflicts_with = "raw")]
    pub(crate) add: Vec<AddedTag>,

    /// Short for `--format json`; with `--count`, print one JSON object
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Fields to print: game,white,TimeControl; after `+` besides the usual: +moves
    #[arg(long, value_name = "FIELDS", value_parser = parse_fields)]
    pub(crate) fields: Option<FieldList>,

    /// Print every matching position of a game, instead of the first
    #[arg(long)]
    pub(crate) all_plies: bool,

    /// Print only the number of games, or of positions with `--all-plies`
    #[arg(long)]
    pub(crate) count: bool,

    /// Count the games by move (the next one), player, a field such as year, or a tag such as Opening; each group has its score and
    /// query
    #[arg(long, value_name = "GROUP", value_parser = GroupField::parse, conflicts_with_all = [
        "raw", "add", "fields", "all_plies", "count", "sort", "reverse", "sample", "explain",
    ])]
    pub(crate) by: Option<GroupField>,

    #[arg(long, value_name = "FILE", requires = "by", help = help::NAMES)]
    pub(crate) names: Option<PathBuf>,

    /// Order of the games
    #[arg(long, value_name = "KEY", default_value = "game", value_parser = choice::<FindSort>())]
    pub(crate) sort: FindSort,

    /// Reverse the order; games whose value is unknown stay last
    #[arg(long)]
    pub(crate) reverse: bool,

    /// Print at most this many games, 0 for no limit [default: 100 for a table, else 0]
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..=u64::MAX))]
    pub(crate) limit: Option<usize>,

    /// Print this many games, or positions with `--all-plies`, chosen at random
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..=u64::MAX))]
    pub(crate) sample: Option<usize>,

    /// Seed of the random choice of `--sample`
    #[arg(long, value_name = "N", default_value = "1", requires = "sample", value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Print the plan, and the games left after each step, on standard error
    #[arg(long)]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(crate) searched: SearchedArgs,

    #[arg(long, value_name = "N", help = help::THREADS, value_parser = parse_threads, help_heading = help::GENERAL)]
    pub(crate) threads: Option<NonZeroUsize>,
}

impl FindArgs {
    /// Returns the format chosen by `--format` or `--json`.
    pub(crate) fn format(&self) -> FindFormat {
        if self.json { FindFormat::Json } else { self.format }
    }
}

/// Output format of `pdn find`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FindFormat {
    /// Aligned columns, one line a game
    #[value(aliases = ["human", "text"])]
    Table,
    /// One JSON object per line
    #[value(alias = "jsonl")]
    Json,
    /// The games as PDN, in UTF-8, with one empty line between games
    Pdn,
    /// The matching positions, one FEN per line
    Fen,
}

/// A tag that `pdn find` adds.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AddedTag {
    /// Variant of the game, given by an option or inferred
    #[value(name = "GameType", alias = "gametype")]
    GameType,
}
