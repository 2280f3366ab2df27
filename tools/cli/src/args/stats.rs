//! Options of `pdn stats`.

use clap::Args;

use super::help;
use super::shared::{InputArgs, ReplayArgs};

#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) replay: ReplayArgs,

    #[arg(long, help = help::JSON)]
    pub(crate) json: bool,
}
