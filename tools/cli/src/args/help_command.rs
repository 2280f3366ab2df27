//! Options of `pdn help`.

use clap::Args;

pub(super) const AFTER_HELP: &str = "\
Topics: `query` is the language of --query, of names and of patterns.";

#[derive(Args, Debug)]
pub(crate) struct HelpArgs {
    /// Name of a command or a topic [default: overview]
    #[arg(value_name = "COMMAND or TOPIC")]
    pub(crate) topic: Option<String>,
}
