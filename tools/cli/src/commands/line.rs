//! Plays the moves of `--moves`, for every command that has this option.

use pdn::movegen::{MoveError, MoveList};
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};
use pdn::replay::{self, PlayTextError, StopReason, play_text};
use pdn::span::Span;

use crate::output::exit::print_error as complain;
use crate::output::sanitize;

/// The greatest number of legal moves that a message lists.
const MAX_CANDIDATES: usize = 12;

/// Plays moves such as `1. 32-28 19-23` from a position. If one cannot be played, prints it with the moves that may have
/// been meant, and returns `None`.
pub(super) fn play(position: Position, text: &str) -> Option<Position> {
    play_text(&position, text).map_err(|error| complain(&complaint(text, &error))).ok()
}

/// Returns the message for a move that cannot be played, with the move underlined in the text.
fn complaint(text: &str, error: &PlayTextError) -> String {
    let what = if error.reason == StopReason::Move(MoveError::Ambiguous) {
        "could be several moves"
    } else {
        "is not legal here"
    };
    // The span may cut a character: text without meaning ends at any byte that is whitespace in some encoding.
    let part = |span: Span| String::from_utf8_lossy(span.of(text.as_bytes())).into_owned();
    let (written, before) = (part(error.span), part(Span::new(0, error.span.start)).chars().count());
    let (spaces, carets) = (" ".repeat(before), "^".repeat(written.chars().count()));
    format!(
        "--moves: `{}` {what}{}\n  {}\n  {spaces}{carets}",
        sanitize::text(&written),
        candidates(&error.position, &written),
        sanitize::text(text)
    )
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
