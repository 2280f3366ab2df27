//! Options of `pdn perft`.

use clap::Args;

use super::shared::PositionArgs;

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

    /// Print one JSON object; with `--divide`, one per first move before it
    #[arg(long)]
    pub(crate) json: bool,
}
