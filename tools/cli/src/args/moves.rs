//! Options of `pdn moves`.

use clap::{Args, ValueEnum};
use pdn::notation::MoveStyle;

use super::shared::{FormatArgs, PositionArgs};

#[derive(Args, Debug)]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Notation of captures
    #[arg(long, value_name = "STYLE", default_value = "shortest")]
    pub(crate) style: CaptureStyle,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Notation of captures.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CaptureStyle {
    /// First and last square, all squares if that is ambiguous
    Shortest,
    /// All squares
    Chain,
    /// First and last square, followed by the captured squares in `<>` if that is ambiguous, as proposed for PDN 3.1
    Captured,
}

impl From<CaptureStyle> for MoveStyle {
    fn from(style: CaptureStyle) -> Self {
        match style {
            CaptureStyle::Shortest => Self::Shortest,
            CaptureStyle::Chain => Self::Chain,
            CaptureStyle::Captured => Self::Captured,
        }
    }
}
