//! Options of `pdn stats`.

use clap::Args;

use super::shared::{FormatArgs, InputArgs, ReplayArgs};

#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) replay: ReplayArgs,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
