//! `pdn moves`: lists the legal moves of a position.

use std::io::Write;

use clap::{Args, ValueEnum};
use pdn::notation::MoveStyle;
use pdn_app::ask::position::FenStyleOption;
use pdn_app::draw::moves::moves;

use super::warned;
use crate::args::options::OptionArgs;
use crate::args::shared::{FormatArgs, PositionArgs};
use crate::output::{CommandResult, Exit, Output, sanitize};

#[derive(Args, Debug)]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,

    /// Notation of captures
    #[arg(long, value_name = "STYLE", default_value = "shortest")]
    pub(crate) style: CaptureStyle,

    #[command(flatten)]
    pub(crate) fen: OptionArgs<FenStyleOption>,

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
    /// Numbers; first and last square, then all captured squares, as engines exchange moves by the Hub protocol
    Hub,
}

impl From<CaptureStyle> for MoveStyle {
    fn from(style: CaptureStyle) -> Self {
        match style {
            CaptureStyle::Shortest => Self::Shortest,
            CaptureStyle::Chain => Self::Chain,
            CaptureStyle::Captured => Self::Captured,
            CaptureStyle::Hub => Self::Hub,
        }
    }
}

/// Runs `pdn moves`.
pub(crate) fn run(args: &MovesArgs, out: &mut Output) -> CommandResult {
    let request = args.position.read();
    let answer =
        warned(out, |warnings| moves(&request, args.style.into(), args.fen.fen_style.into(), warnings))?;
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&answer))?;
    } else {
        for legal in &answer.moves {
            writeln!(out, "{}", legal.text)?;
        }
    }
    Ok(if answer.moves.is_empty() { Exit::Negative } else { Exit::Success })
}
