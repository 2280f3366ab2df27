//! Options of `pdn merge`.

use std::path::PathBuf;

use clap::Args;

use super::help;
use super::shared::FormatArgs;

pub(super) const AFTER_HELP: &str = "\
Every `pdn index --append` adds a segment, and merges small segments once there are eight of similar size, so that this \
command is rarely needed. Games keep their numbers, and no archive is read. An existing index stays as it is until the \
merged one is complete.";

#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    #[arg(value_name = "DIR", help = help::DIR)]
    pub(crate) dir: PathBuf,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
