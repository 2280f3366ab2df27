//! Options of `pdn find`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pdn::rules::Variant;

use super::filter::{FilterArgs, PositionFilterArgs};
use super::help;
use super::variant::parse_variant;

pub(super) const AFTER_HELP: &str = "\
All given options must match; those about positions must match in the same position. The ply shown is that of the first \
such position, 0 for the start position. Names are compared without case, accents and punctuation.

Patterns: `w W b B` are men and kings, `o` any white piece, `x` any black one, `m k p` any man, king, piece, `.` an empty \
square, `!` the opposite: 'w32,28 W5 bB19 .23 !x14', with square letters 'w:c3,d4 b:e5'. A board diagram has one letter \
per square, row by row from Black's side, with `/` or a line end between rows; `?` matches anything.

The language of --query: conditions with `and`, `or`, `not` and parentheses:
  white : wiersma          words of the name; `= whole name`, `= begin*`, `~ misspelt`; also black, player, winner, loser, \
event, site, round, result
  date 1999..2001.06       rating >= 2000   rating white >= 2300 (or black, both, either)   round 3   plies < 40
  result 2-0 | draw        winner white | nobody   status legal   variant russian
  fen \"W:WK3:B18,24\"      pattern \"w28 b19\" flipped   line \"1. 32-28 19-23\"   white to move   ply 10..20   last
  w-b >= 2                 sums of w b (pieces), wm wk bm bk, m k p (men, kings, pieces of both sides)
  move 32-28               move from 5 by king takes >= 3 over 19   move promotes
  sacrifice 2 within 8     2 pieces sacrificed; with `regained` or `lost`: won back within this many plies, or not
  A then B within 10       B at most 10 plies after A
  A for 4                  A now and after each of the next 4 plies
  ever A, never A          A in at least one position, or in no position, of the game

Examples: `pdn find games.idx --player '~wiersma' --date 1980..` and `pdn find games.idx -q 'wk=1 and bk=0 and ever \
(move promotes then w-b >= 3 within 10)' --count`.

A table shows the first 100 games. The exit code is 1 if no game matches.";

#[derive(Args, Debug)]
pub(crate) struct FindArgs {
    #[arg(value_name = "DIR", help = help::DIR)]
    pub(crate) dir: PathBuf,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    #[arg(long, value_name = "FOLDER", help = help::ROOT)]
    pub(crate) root: Option<PathBuf>,

    /// Variant: a name, a GameType number or a GameType value
    #[arg(long, short = 'V', value_name = "VARIANT", help_heading = "Games", value_parser = parse_variant)]
    pub(crate) variant: Option<Variant>,

    #[command(flatten)]
    pub(crate) position: PositionFilterArgs,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: FindFormat,

    /// With `--format pdn`: print the bytes of the archives and add nothing, instead of UTF-8 in which each game is read
    /// back as one game
    #[arg(long)]
    pub(crate) raw: bool,

    /// With `--format pdn`: add this tag to games without one, with the value that the index has
    #[arg(long, value_name = "TAGS", value_delimiter = ',', conflicts_with = "raw")]
    pub(crate) add: Vec<AddedTag>,

    /// Short for `--format jsonl`; with `--count`, print one JSON object
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Print only the number of matching games
    #[arg(long)]
    pub(crate) count: bool,

    /// Order of the games
    #[arg(long, value_name = "KEY", default_value = "game")]
    pub(crate) sort: FindSort,

    /// Reverse the order
    #[arg(long)]
    pub(crate) reverse: bool,

    /// Print at most this many games, 0 for no limit [default: 100 for a table, else 0]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    /// Print this many games, chosen at random
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<usize>,

    /// Seed of the random choice of `--sample`
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample")]
    pub(crate) seed: u64,

    /// Print the query plan and the number of games left after each step, on standard error
    #[arg(long)]
    pub(crate) explain: bool,

    #[arg(long, value_name = "N", help = help::THREADS)]
    pub(crate) threads: Option<NonZeroUsize>,
}

/// Output format of `pdn find`.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FindFormat {
    /// Aligned columns
    Table,
    /// One JSON object per line
    Jsonl,
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

/// Sort key of the matching games.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FindSort {
    /// Order of the index
    Game,
    Date,
    White,
    Black,
    Event,
    /// Sum of both ratings
    Rating,
    /// Length of the game in plies
    Plies,
    /// Ply of the matching position
    Ply,
}
