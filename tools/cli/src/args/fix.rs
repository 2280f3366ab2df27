//! Options of `pdn fix`.

use std::path::PathBuf;

use clap::Args;
use pdn::internal::replay::CandidateGame;
use pdn_app::fix::FixRequest;
use pdn_app::{Result, name_map};

use super::help;
use super::shared::{FormatArgs, InputArgs};
use pdn_app::values::parse_game;

pub(super) const AFTER_HELP: &str = "\
Safe repairs keep the moves and the meaning of every tag; a replay before and after proves it. Unsafe repairs change \
the meaning of a damaged game: each is the only single mistake of a writer with which the rest of the game replays, for \
ten plies or to its end. Where several repairs fit, all are shown and none is written. Bytes outside of repairs stay as \
they are.

Without --write nothing is changed: the repairs are printed as a unified diff, which `patch` reads. With --write each \
file is replaced as a whole, and FILE.undo lists the changes; `pdn fix --undo FILE.undo` takes them back. Files of any \
size take little memory. With `-`, \
--write prints the repaired text.

The summary counts the repairs by code. Most of those of an old archive only change how it is written; --select damage leaves \
these out.

--names changes players, events and sites to the names that a file lists (see `pdn names`), in the encoding of each game. No \
replay can prove that, but you have read the file. To change nothing but names, add --select names.

Exit codes: 0 if there is nothing to repair or everything chosen is written; 1 if repairs are printed only; 2 if a \
file cannot be read or replaced.";

#[derive(Args, Debug)]
pub(crate) struct FixArgs {
    #[command(flatten)]
    input: InputArgs,

    #[arg(long, value_name = "VARIANT", value_parser = parse_game, help = help::UNTAGGED_VARIANT)]
    untagged: Option<CandidateGame>,

    /// Replace the files instead of printing a diff, and write a journal next to each
    #[arg(long)]
    pub(crate) write: bool,

    /// Also apply repairs that change the meaning of a damaged game
    #[arg(long = "unsafe")]
    pub(crate) unsafe_repairs: bool,

    /// Apply only repairs of these codes: a code such as T025, its beginning such as T or R0, or `damage` for all of more than
    /// style, separated by commas
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    select: Vec<String>,

    /// Leave out repairs of these codes, in the same words
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    ignore: Vec<String>,

    /// Also change the names that this file lists, which `pdn names` wrote and you have read
    #[arg(long, value_name = "FILE")]
    pub(crate) names: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,

    /// Take back the changes that a journal lists; takes no archives
    #[arg(long, value_name = "JOURNAL", exclusive = true)]
    pub(crate) undo: Option<PathBuf>,
}

impl FixArgs {
    /// Returns what the options ask for.
    ///
    /// # Errors
    ///
    /// If the file of names cannot be read.
    pub(crate) fn read(&self) -> Result<FixRequest> {
        Ok(FixRequest {
            inputs: self.input.read(),
            variant: self.untagged,
            write: self.write,
            diff: !self.write && !self.format.is_json(),
            unsafe_repairs: self.unsafe_repairs,
            select: self.select.clone(),
            ignore: self.ignore.clone(),
            names: self.names.as_deref().map(name_map::read).transpose()?,
        })
    }
}
