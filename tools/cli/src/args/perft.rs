//! Options of `pdn perft`.

use std::num::NonZeroUsize;

use clap::Args;

use super::help;
use super::number::number;
use super::shared::{FormatArgs, PositionArgs};
use pdn_app::numbers::parse_threads;

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Length of the move sequences, in plies
    #[arg(long, short, value_name = "N", value_parser = number::<u32>(0..=99))]
    pub(crate) depth: u32,

    /// Also print the count of each first move
    #[arg(long)]
    pub(crate) divide: bool,

    #[arg(long, value_name = "N", help = help::THREADS, value_parser = parse_threads, help_heading = help::GENERAL)]
    pub(crate) threads: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
