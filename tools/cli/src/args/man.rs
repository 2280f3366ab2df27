//! Options of `pdn man`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Write `pdn.1` and one page per command to this folder [default: print `pdn.1`]
    #[arg(long, short, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}
