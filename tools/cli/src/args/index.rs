//! Options of `pdn index`.

use std::path::PathBuf;

use clap::Args;
use pdn::internal::replay::CandidateGame;

use super::help;
use super::number::number;
use super::shared::{FormatArgs, InputArgs};
use pdn_app::values::parse_game;

pub(super) const AFTER_HELP: &str = "\
Every record becomes a game of the index, even if it is damaged. Records that are not replayed to their end are also \
listed in DIR/rejects.jsonl; they do not change the exit code. Inputs that cannot be read are reported, the others are \
indexed, and the exit code is 2.

An existing index stays as it is until the new one is complete, even if the process is killed, the disk is full or \
Ctrl-C is pressed, and if no game is read that could take the place of its games. The exit code after Ctrl-C is 130. A \
folder that is neither empty nor an index is refused.

With --append, games keep their numbers. The games of a changed file retire: nothing finds them any more, and the games of \
the new file get new numbers. A file with the same size and modification time counts as unchanged; if a part of it could not \
be read, that is told again, with exit code 2. If a changed file has lost more than a tenth of its games, the exit code is 1, \
unless --prune is given.";

#[derive(Args, Debug)]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[arg(long, short, value_name = "DIR", help = help::DIR)]
    pub(crate) output: PathBuf,

    /// Add to the index, or make it; of indexed files, skip unchanged ones, read what was added to grown ones, and
    /// replace the games of those that changed otherwise
    #[arg(long)]
    pub(crate) append: bool,

    /// Take the games of files that no longer exist out of the index
    #[arg(long, requires = "append")]
    pub(crate) prune: bool,

    #[arg(long, value_name = "FOLDER", requires = "append", help = help::ROOT)]
    pub(crate) root: Option<PathBuf>,

    #[arg(long, value_name = "VARIANT", value_parser = parse_game, help = help::UNTAGGED_VARIANT)]
    pub(crate) untagged: Option<CandidateGame>,

    /// Store the text of the games in the index, compressed
    #[arg(long)]
    pub(crate) embed: bool,

    /// Also build key tables, about 4 bytes per ply, which find an exact position at once in archives of any size; an
    /// index that has key tables keeps them up to date
    #[arg(long)]
    pub(crate) positions: bool,

    /// Keep the opening trees of positions of at least N games ready in a book, 0 for no book [default: 1000, or that of the
    /// index]
    #[arg(long, value_name = "N", requires = "positions", value_parser = number::<u64>(0..=u64::from(u32::MAX)))]
    pub(crate) book: Option<u64>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
