//! Options of `pdn perft`.

use std::num::NonZeroUsize;

use clap::Args;

use super::help;
use super::shared::{FormatArgs, PositionArgs};

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Length of the move sequences, in plies
    #[arg(long, short, value_name = "N")]
    pub(crate) depth: u32,

    /// Also print the count of each first move
    #[arg(long)]
    pub(crate) divide: bool,

    #[arg(long, value_name = "N", help = help::THREADS, help_heading = help::GENERAL)]
    pub(crate) threads: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
