//! Options of `pdn completions`.

use clap::Args;
use clap_complete::Shell;

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// Shell that runs the script
    pub(crate) shell: Shell,
}
