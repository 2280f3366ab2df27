//! Options of `pdn show`.

use std::path::PathBuf;

use clap::Args;
use pdn::source::Encoding;

use super::help;
use super::shared::PositionArgs;

pub(super) const AFTER_HELP: &str = "\
Examples: `pdn show games.pdn 17 --ply 40` shows the position after 40 plies of the 17th game, \
`pdn show --fen W:WK3:B18,24` a position, `pdn show -V russian` the start position of a variant.";

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// File with the game or folder of an index; .gz, .zst, .bz2 and .zip are decompressed, `-` is standard input
    #[arg(value_name = "PATH", conflicts_with = "fen")]
    pub(crate) path: Option<PathBuf>,

    /// Number of the game, from 1
    #[arg(value_name = "GAME", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) number: u64,

    /// Show the position after this many plies of the main line, 0 for the start position [default: all plies]
    #[arg(long, value_name = "N", requires = "path")]
    pub(crate) ply: Option<usize>,

    #[arg(long, value_name = "NAME", requires = "path", help = help::ENCODING)]
    pub(crate) encoding: Option<Encoding>,

    #[arg(long, value_name = "FOLDER", requires = "path", help = help::ROOT)]
    pub(crate) root: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) position: PositionArgs,

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
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    #[arg(long, conflicts_with = "svg", help = help::JSON)]
    pub(crate) json: bool,
}
