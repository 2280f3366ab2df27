//! The options of `pdn find`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pdn::rules::Variant;

use crate::args::exact_variant;
use crate::filter::{FilterArgs, PositionFilter};

pub(crate) const FIND_HELP: &str = "\
All options together must be true, those about positions at one position of the game: the first such position is the ply \
shown, 0 being the start. Names are compared without case, accents and punctuation.

Patterns: `w W b B` are men and kings, `o` any white piece, `x` any black one, `m k p` any man, king, piece, `.` nothing, \
`!` the opposite: \"w32,28 W5 bB19 .23 !x14\", with letters \"w:c3,d4 b:e5\". A drawn board has a letter a square, row by row \
from Black's side between `/` or line ends, and `?` for whatever.

The language of --query: conditions with `and`, `or`, `not` and brackets:
  white : wiersma          words of the name; `= whole name`, `= begin*`, `~ misspelt`; also black, player, winner, loser, \
event, site, round, result
  date 1999..2001.06       rating >= 2000   rating white >= 2300 (or black, both, either)   round 3   plies < 40
  result 2-0 | draw        winner white | nobody   status legal   variant russian
  fen \"W:WK3:B18,24\"      pattern \"w28 b19\" flipped   line \"1. 32-28 19-23\"   white to move   ply 10..20   last
  w-b >= 2                 sums of w b (pieces), wm wk bm bk, m k p (men, kings, pieces of both)
  move 32-28               move from 5 by king takes >= 3 over 19   move promotes
  sacrifice 2 within 8     2 pieces given and, with `regained` or `lost`, won back within these plies or not
  A then B within 10       B at most 10 plies after A
  A for 4                  A now and after each of the next 4 plies
  ever A, never A          A at some position, at none, of the game

Examples: `pdn find games.idx --player ~wiersma --date 1980..` and `pdn find games.idx -q 'wk=1 and bk=0 and ever \
(move promotes then w-b >= 3 within 10)' --count`.

A table shows the first 100 games. Exit code 1 says that no game answers.";

#[derive(Args, Debug)]
pub(crate) struct FindArgs {
    /// Folder of the index
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,

    #[command(flatten)]
    pub(crate) filter: FilterArgs,

    /// The variant, by name, GameType number or value
    #[arg(long, short = 'V', value_name = "VARIANT", help_heading = "Games", value_parser = exact_variant)]
    pub(crate) variant: Option<Variant>,

    #[command(flatten)]
    pub(crate) position: PositionFilter,

    /// How games are printed
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: FindFormat,

    /// Short for `--format jsonl`; with --count, one object
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,

    /// Print how many games there are, and nothing of them
    #[arg(long)]
    pub(crate) count: bool,

    /// In which order
    #[arg(long, value_name = "KEY", default_value = "game")]
    pub(crate) sort: SortKey,

    /// The other way round
    #[arg(long)]
    pub(crate) reverse: bool,

    /// Most games printed, 0 for all [default: 100 for a table, else 0]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    /// Print so many games chosen at random
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<usize>,

    /// Which ones `--sample` chooses
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample")]
    pub(crate) seed: u64,

    /// Say how the games are found and what each step leaves, on standard error
    #[arg(long)]
    pub(crate) explain: bool,

    /// Threads to work on [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

/// How games are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FindFormat {
    /// For people
    Table,
    /// A JSON object a line
    Jsonl,
    /// The games, byte for byte as they stand in the archive
    Pdn,
    /// The position found, a FEN a line
    Fen,
}

/// What games are sorted by.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SortKey {
    /// As they stand in the index
    Game,
    Date,
    White,
    Black,
    Event,
    /// The sum of both ratings
    Rating,
    /// Length of the game
    Plies,
    /// How early the position occurs
    Ply,
}
