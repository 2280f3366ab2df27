//! The position that a variant, a FEN and moves name.

use pdn::movegen::MoveError;
use pdn::movegen::{CaptureLimit, MoveList};
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};
use pdn::replay::{self, PlayTextError, StopReason, play_text};
use pdn::rules::GameRules;
use pdn::span::Span;
use pdn::value::{Fen, FenStyle};

use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::named::named;
use crate::ask::options::options;

/// The greatest number of legal moves that a message lists.
const MAX_CANDIDATES: usize = 12;

named! {
    /// How positions are written.
    pub enum FenStyleName {
        /// As PDN 3.0 has it: W:W31,K46:B1
        Pdn = "pdn",
        /// As engines exchange them: the side to move, then a letter for each square
        Hub = "hub",
    }
}

impl From<FenStyleName> for FenStyle {
    fn from(name: FenStyleName) -> Self {
        match name {
            FenStyleName::Pdn => Self::Pdn,
            FenStyleName::Hub => Self::Hub,
        }
    }
}

options! {
    /// How positions are written.
    #[derive(Copy, Eq)]
    pub struct FenStyleOption in "" {
        /// How positions are written
        fen_style: FenStyleName, value "STYLE";
    }
}

options! {
    /// Where a game stands: a FEN, as it may stand in a file, moves after it, or both. Without either, the start position.
    #[derive(Eq)]
    pub struct PlaceRequest in "" {
        /// Position after these moves, such as '1. 32-28 19-23'; games that transpose into it count [default: start position]
        moves: Option<String>, value "MOVES";
        /// Position as a FEN, such as 'W:W31-50:B1-20' [default: start position]
        fen: Option<String>, value "FEN";
    }
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
    let Candidates { more, meant, legal } = candidates(&error.position, &written);
    let (meant, legal) = (meant.as_slice(), legal.as_slice());
    let message = if error.reason == StopReason::Move(MoveError::Ambiguous) {
        message!(
            "ambiguous_move",
            "{written} could be several moves{more}",
            written = written,
            meant = meant,
            legal = legal
        )
    } else {
        message!(
            "illegal_move",
            "{written} is not legal here{more}",
            written = written,
            meant = meant,
            legal = legal
        )
    };
    AppError::part("moves", text, error.span, message)
}

/// The moves that are possible where one is not.
#[derive(Default)]
struct Candidates {
    /// The end of the message.
    more: String,
    /// The legal moves that may have been meant.
    meant: Vec<String>,
    /// All legal moves, if none seems to be meant.
    legal: Vec<String>,
}

/// Returns the legal moves that `written` may stand for, or all legal moves.
fn candidates(position: &Position, written: &str) -> Candidates {
    let mut list = MoveList::new();
    if position.legal_moves(&mut list).is_err() {
        return Candidates::default();
    }
    let texts = |moves: &[Move]| -> Vec<String> {
        moves.iter().filter_map(|mv| move_text(position, mv, MoveStyle::Shortest).ok()).collect()
    };
    let meant = texts(&replay::suggest(position, written.as_bytes()).unwrap_or_default());
    let legal = if meant.is_empty() { texts(list.as_slice()) } else { Vec::new() };
    let (words, moves) = if meant.is_empty() { ("legal are", &legal) } else { ("did you mean", &meant) };
    let others = if moves.len() > MAX_CANDIDATES { " and others" } else { "" };
    let more = if moves.is_empty() {
        "; nobody can move".to_owned()
    } else {
        format!("; {words} {}{others}", moves[..moves.len().min(MAX_CANDIDATES)].join(", "))
    };
    Candidates { more, meant, legal }
}

/// The captures of a position take too many search nodes to be listed.
impl From<CaptureLimit> for AppError {
    fn from(limit: CaptureLimit) -> Self {
        Self::new(ErrorCode::TooMuch, message!("capture_limit", "{limit}"))
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
