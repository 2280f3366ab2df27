//! Options of `pdn explain`.

use clap::Args;

use super::shared::FormatArgs;

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// Diagnostic code, such as L002, in upper or lower case [default: list all codes]
    pub(crate) code: Option<String>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}
