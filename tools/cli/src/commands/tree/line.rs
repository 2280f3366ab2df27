//! The position that moves on the command line lead to.

use pdn::movegen::{FindError, MoveList};
use pdn::notation::{MoveStyle, MoveText, SquareCodes, move_text};
use pdn::position::{Move, Position};
use pdn::replay;

use crate::output::exit::print_error as complain;
use crate::output::sanitize;

/// Moves that are named where none is near what was written.
const CANDIDATES: usize = 12;

/// Plays `1. 32-28 19-23`; `None` where a move is not legal, which is said with what could have been meant.
pub(super) fn play(mut position: Position, text: &str) -> Option<Position> {
    let codes = SquareCodes::new(&position.names());
    for (at, token) in tokens(text) {
        let squares = || {
            let read = MoveText::read(token.as_bytes())?;
            read.squares().iter().map(|&code| codes.square(code)).collect::<Option<Vec<_>>>()
        };
        let found = squares().map_or(Err(FindError::Illegal), |squares| match squares.as_slice() {
            [from, via @ .., to] => position.find(*from, *to, via),
            _ => Err(FindError::Illegal),
        });
        match found {
            Ok(mv) => _ = position.play(&mv),
            Err(error) => {
                let what = if error == FindError::Ambiguous {
                    "could be several moves"
                } else {
                    "is not legal here"
                };
                let message =
                    format!("--moves: `{}` {what}{}", sanitize::text(token), candidates(&position, token));
                let (before, width) = (text[..at].chars().count(), token.chars().count());
                let (blanks, carets) = (" ".repeat(before), "^".repeat(width));
                complain(&format!("{message}\n  {}\n  {blanks}{carets}", sanitize::text(text)));
                return None;
            }
        }
    }
    Some(position)
}

/// The moves that were meant, perhaps.
fn candidates(position: &Position, token: &str) -> String {
    let mut list = MoveList::new();
    if position.legal_moves(&mut list).is_err() {
        return String::new();
    }
    let near = replay::suggest(position, token.as_bytes()).unwrap_or_default();
    let (words, moves): (_, &[Move]) = match near.as_slice() {
        [] => ("legal are", list.as_slice()),
        near => ("did you mean", near),
    };
    let texts: Vec<String> = (moves.iter().take(CANDIDATES))
        .filter_map(|mv| move_text(position, mv, MoveStyle::Shortest).ok())
        .collect();
    let more = if moves.len() > CANDIDATES { " and others" } else { "" };
    if texts.is_empty() {
        "; nobody can move".to_owned()
    } else {
        format!("; {words} {}{more}", texts.join(", "))
    }
}

/// The moves of a text with their offsets, without their numbers: `12.`, `12...` and `1.32-28` with its move.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    text.split_whitespace().filter_map(move |word| {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = digits.len() < word.len() && digits.starts_with('.');
        let rest = if numbered { digits.trim_start_matches('.') } else { word };
        (!rest.is_empty()).then(|| (start(rest), rest))
    })
}
