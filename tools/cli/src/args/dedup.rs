//! Options of `pdn dedup`.

use std::path::PathBuf;

use clap::Args;
use pdn::internal::replay::CandidateGame;
use pdn_app::dedup::{DedupRequest, Keep, RemovedClass};

use super::choice::choice;
use super::help;
use super::number::number;
use super::shared::{FormatArgs, InputArgs};
use pdn_app::values::parse_game;

pub(super) const AFTER_HELP: &str = "\
Classes: `exact` is the same start and moves, and players who can be the same persons. `prefix` is a game whose moves, \
20 plies or more, begin those of another. `near` is the same players, dates within two days, the same first 20 plies and \
other moves later. `same-position` is a problem with the start position of another one, without moves or with a solution. \
Two known and different dates, rounds or events rule out prefix and near, and exact for games of \
fewer than 20 plies. `same-moves` is the same moves by other players; such games are reported and always stay. With --shifted, so is `shifted-position`: a problem with the position of another one, moved over the board, in which the same moves are legal. Of two problems, the one with the earlier date is named as the forerunner.

Nothing is removed from the archives that are read. --output and --duplicates write two new files: every game is in \
exactly one of them. Only games of the classes of --class leave the first file. The default is exact, because no move is \
lost then; look at the others with --explain before you add them. Of problems with one position, only the one that says \
most stays, so add same-position only where other tags and solutions may go.

Weekly import: `pdn dedup new.pdn --against games.idx --output fresh.pdn` leaves the games that the index has not yet.

Exit codes: 0 if all games were compared, with or without duplicates; 2 if an input cannot be read or a file cannot be \
written.";

#[derive(Args, Debug)]
pub(crate) struct DedupArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Index of games that are there already: its games are keepers, and it is not changed
    #[arg(long, value_name = "DIR")]
    against: Option<PathBuf>,

    /// Which game of a group stays
    #[arg(long, value_name = "RULE", default_value = "best", value_parser = choice::<Keep>())]
    keep: Keep,

    /// Classes whose games are removed: exact, prefix, near, same-position, separated by commas
    #[arg(long, value_name = "CLASSES", value_delimiter = ',', default_value = "exact", value_parser = choice::<RemovedClass>())]
    class: Vec<RemovedClass>,

    /// Take problems for the same position also with colours exchanged and the board rotated
    #[arg(long)]
    flipped: bool,

    /// Take problems for the same position also as mirror images, on boards where all cells are squares
    #[arg(long)]
    mirrored: bool,

    /// Also report problems whose positions are one, moved over the board; they always stay
    #[arg(long)]
    shifted: bool,

    /// Write the games without the removed ones to this file
    #[arg(long, short, value_name = "FILE", alias = "write")]
    pub(crate) output: Option<PathBuf>,

    /// Write the removed games to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) duplicates: Option<PathBuf>,

    /// Replace output files that exist
    #[arg(long)]
    force: bool,

    /// With --output: add to each keeper the tags that only its removed copies have
    #[arg(long, requires = "output")]
    share_tags: bool,

    /// Print for each game what it has in common with its keeper and what not
    #[arg(long)]
    explain: bool,

    /// Print at most this many groups, 0 for no limit [default: 100 for human, else 0]
    #[arg(long, value_name = "N", value_parser = number::<usize>(0..=u64::MAX))]
    pub(crate) limit: Option<usize>,

    /// Print the summary only
    #[arg(long)]
    pub(crate) summary: bool,

    #[arg(long, value_name = "VARIANT", value_parser = parse_game, help = help::UNTAGGED_VARIANT)]
    untagged: Option<CandidateGame>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl DedupArgs {
    /// Returns what the options ask for: all groups.
    pub(crate) fn read(&self) -> DedupRequest {
        DedupRequest {
            variant: self.untagged,
            against: self.against.clone(),
            keep: self.keep,
            classes: self.class.clone(),
            flipped: self.flipped,
            mirrored: self.mirrored,
            shifted: self.shifted,
            write: self.output.clone(),
            duplicates: self.duplicates.clone(),
            force: self.force,
            share_tags: self.share_tags,
            explain: self.explain,
            ..DedupRequest::new(self.input.read())
        }
    }
}
