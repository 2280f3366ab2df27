//! Reads the position that `--variant` and `--fen` name.

use pdn::movegen::CaptureLimit;
use pdn::position::Position;
use pdn::rules::GameRules;
use pdn::span::Span;
use pdn::value::Fen;

use crate::args::PositionArgs;
use crate::output::exit::print_error;
use crate::output::{Exit, option_error};

/// Returns the position that the options name. If there is none, prints why and returns `None`.
pub(super) fn from_args(args: &PositionArgs) -> Option<Position> {
    let game = args.rules().game;
    match &args.fen {
        Some(fen) => from_fen(game, fen),
        None => Some(Position::start(game)),
    }
}

/// Returns the position of a FEN. Prints every error and warning; returns `None` if the FEN cannot be read.
pub(super) fn from_fen(game: GameRules, text: &str) -> Option<Position> {
    let report = |message: &str, span: Span| {
        option_error::print("--fen", text, span.start as usize, span.end as usize, message);
    };
    let fen = match Fen::parse(text.as_bytes()) {
        Ok(fen) => fen,
        Err(error) => {
            report(&error.to_string(), error.span);
            return None;
        }
    };
    // Positions of studies may break a rule, such as a man on its promotion row: they are used, with a warning.
    match Position::from_fen_lenient(game, &fen, |warning| report(&warning.to_string(), warning.span)) {
        Ok(position) => Some(position),
        Err(error) => {
            report(&error.to_string(), error.span);
            None
        }
    }
}

/// Reports that the captures of a position take too many search nodes.
pub(super) fn report_limit(limit: CaptureLimit) -> Exit {
    print_error(&limit.to_string());
    Exit::Failure
}
