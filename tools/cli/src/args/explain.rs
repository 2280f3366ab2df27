//! Options of `pdn explain`.

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// Diagnostic code, such as L002, in upper or lower case [default: list all codes]
    pub(crate) code: Option<String>,

    /// Print one JSON object; one per code if no code is given
    #[arg(long)]
    pub(crate) json: bool,
}
