//! The position that moves lead to.

use super::error::QueryError;
use crate::notation::{MoveForm, MoveText, SquareCodes};
use crate::position::Position;
use crate::rules::GameRules;
use crate::span::Span;

/// Moves from the start position, as text: `1. 32-28 19-23 2. 28x19`. Numbers of moves are left out at will.
///
/// In a game in which they are not legal they lead nowhere.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct MoveSequence {
    text: String,
}

impl MoveSequence {
    /// Reads moves.
    ///
    /// # Errors
    /// Where something is no move.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        for (at, token) in tokens(text) {
            if MoveText::read(token.as_bytes()).is_none_or(|read| read.form() != MoveForm::Squares) {
                let span = Span::new(at as u32, (at + token.len()) as u32);
                return Err(QueryError::new(span, "expected a move, such as 32-28, 19x28 or c3-d4"));
            }
        }
        Ok(Self { text: text.to_owned() })
    }

    /// The text as given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The position after the moves in a game.
    ///
    /// # Errors
    /// The move that is not legal there, or could be several.
    pub fn play(&self, game: &GameRules) -> Result<Position, QueryError> {
        let mut position = Position::start(*game);
        let codes = SquareCodes::new(&game.names());
        for (at, token) in tokens(&self.text) {
            let squares = || {
                let read = MoveText::read(token.as_bytes())?;
                read.squares().iter().map(|&code| codes.square(code)).collect::<Option<Vec<_>>>()
            };
            let mv = squares().and_then(|squares| match squares.as_slice() {
                [from, via @ .., to] => position.find(*from, *to, via).ok(),
                _ => None,
            });
            let Some(mv) = mv else {
                let span = Span::new(at as u32, (at + token.len()) as u32);
                return Err(QueryError::new(
                    span,
                    "expected a legal move of the position that is reached here",
                ));
            };
            let _ = position.play(&mv);
        }
        Ok(position)
    }
}

/// The moves of a text with their offsets, without their numbers: `12.`, `12...` and `1.32-28` with its move.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split([' ', '\t', '\n', '\r']).filter_map(move |word| {
        let start = at;
        at += word.len() + 1;
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = if digits.len() < word.len() && digits.starts_with('.') {
            digits.trim_start_matches('.')
        } else {
            word
        };
        (!rest.is_empty()).then_some((start + word.len() - rest.len(), rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn moves_lead_to_a_position_or_are_pointed_at() {
        let line = MoveSequence::parse("1. 32-28 19-23 2.28x19 14x23").expect("moves");
        let position = line.play(&Variant::International.game()).expect("legal");
        assert_eq!(
            position.fen(),
            "W:W31,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,15,16,17,18,20,23"
        );
        let error = line.play(&Variant::English.game()).expect_err("there is no 32-28");
        assert_eq!(error.span(), Span::new(3, 8));
        assert_eq!(MoveSequence::parse("1. 32-28 nonsense").expect_err("no move").span(), Span::new(9, 17));
    }
}
