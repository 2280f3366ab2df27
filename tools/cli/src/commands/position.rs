//! Reads the position that `--variant`, `--fen` and `--moves` name.

use pdn::movegen::CaptureLimit;
use pdn::position::Position;
use pdn::rules::GameRules;
use pdn::span::Span;
use pdn::value::Fen;

use super::line;
use crate::args::PositionArgs;
use crate::output::exit::print_error;
use crate::output::{Exit, option_error};

/// Returns the position that the options name. If there is none, prints why and returns `None`.
pub(super) fn from_args(args: &PositionArgs) -> Option<Position> {
    from_options(args.rules().game, args.fen.as_deref(), args.moves.as_deref())
}

/// Returns the position of `--fen`, or else the start position, after the moves of `--moves`. If there is none, prints why
/// and returns `None`.
pub(super) fn from_options(game: GameRules, fen: Option<&str>, moves: Option<&str>) -> Option<Position> {
    let position = match fen {
        Some(fen) => from_fen(game, fen)?,
        None => Position::start(game),
    };
    moves.map_or(Some(position), |moves| line::play(position, moves))
}

/// Returns the FEN in a text copied from a file: without quotes, and without the brackets and the name of a FEN tag.
pub(super) fn fen_of(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map_or(text, str::trim);
    let value = match inner.get(..3) {
        Some(name) if name.eq_ignore_ascii_case("fen") => inner[3..].trim_start(),
        _ => inner,
    };
    value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).map_or(text, str::trim)
}

/// Returns the position of a FEN. Prints every error and warning; returns `None` if the FEN cannot be read.
fn from_fen(game: GameRules, text: &str) -> Option<Position> {
    let text = fen_of(text);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fens_are_read_as_they_stand_in_files() {
        for text in [
            "W:W50:B1",
            " W:W50:B1\n",
            "\"W:W50:B1\"",
            "[FEN \"W:W50:B1\"]",
            "[ Fen  \" W:W50:B1 \" ]",
            "FEN \"W:W50:B1\"",
        ] {
            assert_eq!(fen_of(text), "W:W50:B1", "{text}");
        }
        for text in ["", "[", "[]", "\"", "[FEN]", "[FEN \"]", "F\u{c9}N"] {
            assert_eq!(fen_of(text), text, "left for the error message");
        }
    }
}
