//! Typed moves, `1. 32-28 19-23`, and the position that they lead to.

use crate::query::error::QueryError;
use pdn::position::Position;
use pdn::replay::play_text;
use pdn::rules::GameRules;
use pdn::span::Span;
use pdn_rules::internal::notation::{MoveForm, MoveText};

/// Moves from the start position, as text: `1. 32-28 19-23 2. 28x19`. Move numbers may be left out.
///
/// As a condition it stands for the position after the moves, by whatever move order a game reaches it. It matches no
/// game by whose rules the moves are not legal.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct MoveSequence {
    text: String,
}

impl MoveSequence {
    /// Parses moves; whether they are legal depends on a game and is decided by [`play`](Self::play).
    ///
    /// # Errors
    /// [`QueryError`] at the first word that is not a move of two or more squares.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        for (span, word) in move_words(text) {
            if MoveText::read(word.as_bytes()).is_none_or(|read| read.form() != MoveForm::Squares) {
                return Err(QueryError::new(
                    span,
                    message!(
                        "expected_examples",
                        "expected a move, such as {examples}",
                        examples = &["32-28", "19x28", "c3-d4"][..]
                    ),
                ));
            }
        }
        Ok(Self { text: text.to_owned() })
    }

    /// Returns the text as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Plays the moves from the start position of `game` and returns the last position.
    ///
    /// # Errors
    /// [`QueryError`] at the first move that is illegal or ambiguous; see [`play_text`].
    pub fn play(&self, game: &GameRules) -> Result<Position, QueryError> {
        play_text(&Position::start(*game), &self.text).map_err(|error| {
            QueryError::new(
                error.span,
                message!("illegal", "expected a legal move of the position that is reached here"),
            )
        })
    }
}

/// Iterates over the moves of a text with their spans, skipping move numbers: `12.`, `12...`, and the `1.` of `1.32-28`.
fn move_words(text: &str) -> impl Iterator<Item = (Span, &str)> {
    text.split_whitespace().filter_map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = unnumbered.len() < word.len() && unnumbered.starts_with('.');
        let mv = if numbered { unnumbered.trim_start_matches('.') } else { word };
        let end = start + word.len();
        (!mv.is_empty()).then(|| (Span::new((end - mv.len()) as u32, end as u32), mv))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::rules::Variant;

    #[test]
    fn move_sequence_leads_to_a_position_or_names_the_first_bad_move() {
        let moves = MoveSequence::parse("1. 32-28 19-23 2.28x19 14x23").expect("moves");
        let position = moves.play(&Variant::International.game()).expect("legal");
        assert_eq!(
            position.fen(),
            "W:W31,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,15,16,17,18,20,23"
        );
        let error = moves.play(&Variant::English.game()).expect_err("there is no 32-28");
        assert_eq!(error.span(), Span::new(3, 8));
        assert_eq!(MoveSequence::parse("1. 32-28 nonsense").expect_err("no move").span(), Span::new(9, 17));
    }
}
