//! Options of `pdn show`.

use std::path::PathBuf;

use clap::Args;
use pdn::source::Encoding;

use super::help;
use super::number::number;
use super::shared::{FormatArgs, PositionArgs};

pub(super) const AFTER_HELP: &str = "\
Examples: `pdn show games.pdn 17 --ply 40` shows the position after 40 plies of the 17th game, \
`pdn show --fen W:WK3:B18,24` a position, `pdn show --moves '1. 32-28 19-23'` the position after moves, `pdn show -g \
russian` the start position of a variant.

Moves, comments and variations are printed as they stand in the record. The move before the position is marked; a `?` \
before a move means that it was not replayed.";

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// File with the game, folder of an index or of PDN files; .gz, .zst, .bz2 and .zip are decompressed, `-` is standard
    /// input
    #[arg(value_name = "PATH", conflicts_with_all = ["fen", "moves"])]
    pub(crate) path: Option<PathBuf>,

    /// Number of the game, from 1
    #[arg(value_name = "GAME", default_value = "1", value_parser = parse_game_number)]
    pub(crate) number: u64,

    /// Show the position after this many plies of the main line or of --line, 0 for the start position [default: all plies]
    #[arg(long, value_name = "N", requires = "path", value_parser = number::<usize>(0..=u64::MAX))]
    pub(crate) ply: Option<usize>,

    /// Show a position of this variation: 1, 2 and so on in the order in which their brackets open, as `line` in the output of find
    #[arg(long, value_name = "N", default_value = "0", hide_default_value = true, requires = "path", value_parser = number::<usize>(0..=u64::from(u32::MAX)), conflicts_with = "plain")]
    pub(crate) line: usize,

    #[arg(long, value_name = "NAME", requires = "path", help = help::ENCODING, help_heading = help::GENERAL)]
    pub(crate) encoding: Option<Encoding>,

    #[arg(long, value_name = "FOLDER", requires = "path", help = help::ROOT)]
    pub(crate) root: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Print only the moves of the main line as written, up to --ply; `--moves` takes them
    #[arg(long, requires = "path", conflicts_with_all = ["json", "format", "svg"])]
    pub(crate) plain: bool,

    /// Print the name of every square
    #[arg(long, short)]
    pub(crate) numbers: bool,

    /// Draw Black at the bottom
    #[arg(long)]
    pub(crate) flip: bool,

    /// Use letters instead of the symbols for pieces, which some fonts lack
    #[arg(long)]
    pub(crate) letters: bool,

    /// Write an SVG picture to this file instead, `-` for standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "format"])]
    pub(crate) svg: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Parses the number of a game.
///
/// # Errors
///
/// A message if it is not a number above 0.
fn parse_game_number(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("games count from 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => {
            Err("not the number of a game; `pdn find` finds games by players, moves and more".to_owned())
        }
    }
}
