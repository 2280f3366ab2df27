//! Options of `pdn verify`.

use std::path::PathBuf;

use clap::Args;

use super::help;
use super::shared::FormatArgs;

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    #[arg(value_name = "DIR", help = help::DIR)]
    pub(crate) dir: PathBuf,

    /// Also compare the text of every game with what was indexed; reads the archives completely
    #[arg(long)]
    pub(crate) full: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
