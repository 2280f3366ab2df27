//! The position that a variant, a FEN and moves name.

use pdn::message;
use pdn::movegen::MoveError;
use pdn::movegen::{CaptureLimit, MoveList};
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};
use pdn::replay::{self, PlayTextError, StopReason, play_text};
use pdn::rules::GameRules;
use pdn::span::Span;
use pdn::value::Fen;

use crate::error::{AppError, ErrorCode, Result};

/// The greatest number of legal moves that a message lists.
const MAX_CANDIDATES: usize = 12;

/// Where a game stands: a FEN, moves after it, or both. Without either, the start position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlaceRequest {
    /// The position as a FEN, as it may stand in a file: with quotes, or as a whole tag.
    pub fen: Option<String>,
    /// Moves such as `1. 32-28 19-23`, played from the FEN or from the start position.
    pub moves: Option<String>,
}

impl PlaceRequest {
    /// Creates a request from the texts of its fields.
    pub fn new(fen: Option<&str>, moves: Option<&str>) -> Self {
        Self { fen: fen.map(str::to_owned), moves: moves.map(str::to_owned) }
    }

    /// Returns the position by these rules. What is unusual about the FEN is added to `warnings`: positions of studies may break
    /// a rule, such as a man on its promotion row.
    ///
    /// # Errors
    ///
    /// In the field `fen` or `moves`, with the wrong part. An illegal move is reported with the moves that may have been meant.
    pub fn position(&self, game: GameRules, warnings: &mut Vec<AppError>) -> Result<Position> {
        let start = match &self.fen {
            Some(fen) => from_fen(game, fen, warnings)?,
            None => Position::start(game),
        };
        match &self.moves {
            Some(moves) => play_text(&start, moves).map_err(|error| illegal(moves, &error)),
            None => Ok(start),
        }
    }
}

/// Returns the FEN in a text copied from a file: without quotes, and without the brackets and the name of a FEN tag.
pub fn fen_of(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).map_or(text, str::trim);
    let value = match inner.get(..3) {
        Some(name) if name.eq_ignore_ascii_case("fen") => inner[3..].trim_start(),
        _ => inner,
    };
    value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).map_or(text, str::trim)
}

/// Returns the position of a FEN, and adds what is unusual about it to `warnings`.
fn from_fen(game: GameRules, text: &str, warnings: &mut Vec<AppError>) -> Result<Position> {
    let text = fen_of(text);
    let error = |wrong: String, span: Span| AppError::part("fen", text, span, message!("fen", "{wrong}"));
    let fen = Fen::parse(text.as_bytes()).map_err(|wrong| error(wrong.to_string(), wrong.span))?;
    Position::from_fen_lenient(game, &fen, |warning| warnings.push(error(warning.to_string(), warning.span)))
        .map_err(|wrong| error(wrong.to_string(), wrong.span))
}

/// Returns the error for a move that cannot be played.
fn illegal(text: &str, error: &PlayTextError) -> AppError {
    // The span may cut a character: text without meaning ends at any byte that is whitespace in some encoding.
    let written = String::from_utf8_lossy(error.span.of(text.as_bytes())).into_owned();
    let more = candidates(&error.position, &written);
    let message = if error.reason == StopReason::Move(MoveError::Ambiguous) {
        message!("ambiguous_move", "{written} could be several moves{more}", written = written)
    } else {
        message!("illegal_move", "{written} is not legal here{more}", written = written)
    };
    AppError::part("moves", text, error.span, message)
}

/// Returns the legal moves that `written` may stand for, or all legal moves, as the end of a message.
fn candidates(position: &Position, written: &str) -> String {
    let mut list = MoveList::new();
    if position.legal_moves(&mut list).is_err() {
        return String::new();
    }
    let near = replay::suggest(position, written.as_bytes()).unwrap_or_default();
    let (words, moves): (_, &[Move]) = match near.as_slice() {
        [] => ("legal are", list.as_slice()),
        near => ("did you mean", near),
    };
    let texts: Vec<String> = (moves.iter().take(MAX_CANDIDATES))
        .filter_map(|mv| move_text(position, mv, MoveStyle::Shortest).ok())
        .collect();
    let more = if moves.len() > MAX_CANDIDATES { " and others" } else { "" };
    if texts.is_empty() {
        "; nobody can move".to_owned()
    } else {
        format!("; {words} {}{more}", texts.join(", "))
    }
}

/// The captures of a position take too many search nodes to be listed.
impl From<CaptureLimit> for AppError {
    fn from(limit: CaptureLimit) -> Self {
        Self::new(ErrorCode::TooMuch, limit.to_string())
    }
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
