//! Options of `pdn verify`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::help;
use super::shared::FormatArgs;
use pdn_app::numbers::parse_threads;

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    #[arg(value_name = "DIR", help = help::DIR)]
    pub(crate) dir: PathBuf,

    /// Also play the moves of every game, and compare the result with the index, its key tables, books and openings
    #[arg(long)]
    pub(crate) replay: bool,

    /// Also compare the text of every game with what was indexed; reads the archives completely, and includes --replay
    #[arg(long)]
    pub(crate) full: bool,

    #[arg(long, value_name = "N", help = help::THREADS, value_parser = parse_threads, help_heading = help::GENERAL)]
    pub(crate) threads: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
