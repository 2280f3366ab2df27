//! Sequences of moves that were played from a position on.

use std::fmt;

use super::move_condition::MoveCondition;
use super::square_ref::SquareRef;
use crate::query::error::QueryError;
use pdn::internal::message::Message;
use pdn::span::Span;

/// Moves that were played from a position on, one after the other: `27-22 18x27 .. 38,40x16,7,9`.
///
/// A move with `-` captures nothing, a move with `x` or `:` captures. Squares are those on which it starts and ends:
/// one, a list of which one is enough, or none for any. `.` stands for any single move, `..` for any number of moves,
/// also for none.
///
/// ```
/// use pdn_index::internal::query::PlayedMoves;
/// use pdn_index::query::Query;
///
/// let moves: PlayedMoves = "1. 32-28 19-23 2. 28x19 .. x14,15".parse()?;
/// assert_eq!(moves.to_string(), "32-28 19-23 28x19 .. x14,15");
/// assert_eq!(Query::played(moves), Query::parse("played \"32-28 19-23 28x19 .. x14,15\"")?);
/// # Ok::<_, pdn_index::query::QueryError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct PlayedMoves {
    /// The parts of the sequence, at least one of them a move.
    pub(in crate::query) parts: Vec<PlayedPart>,
}

/// A part of a sequence of moves.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub(in crate::query) enum PlayedPart {
    /// A move, with its squares and whether it captures.
    Move(MoveCondition),
    /// Any single move, null moves included.
    One,
    /// Any number of moves.
    Any,
}

impl PlayedMoves {
    /// Returns the conditions on the moves of the sequence.
    pub(in crate::query) fn moves(&self) -> impl Iterator<Item = &MoveCondition> {
        self.parts.iter().filter_map(|part| if let PlayedPart::Move(mv) = part { Some(mv) } else { None })
    }
}

impl std::str::FromStr for PlayedMoves {
    type Err = QueryError;

    /// Parses a sequence of moves. Move numbers, as in `1. 32-28`, are skipped.
    fn from_str(text: &str) -> Result<Self, QueryError> {
        let mut parts = Vec::new();
        for word in text.split_whitespace() {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let span = |from: usize| Span::new((start + from) as u32, (start + word.len()) as u32);
            let unnumbered = word.trim_start_matches(|c: char| c.is_ascii_digit());
            let is_numbered = unnumbered.len() < word.len() && unnumbered.starts_with('.');
            let mv = if is_numbered { unnumbered.trim_start_matches('.') } else { word };
            parts.push(match mv {
                "" => continue,
                "." => PlayedPart::One,
                ".." => PlayedPart::Any,
                mv => {
                    let at = word.len() - mv.len();
                    PlayedPart::Move(parse_move(mv).map_err(|message| QueryError::new(span(at), message))?)
                }
            });
        }
        if !parts.iter().any(|part| matches!(part, PlayedPart::Move(_))) {
            let span = Span::new(0, text.len() as u32);
            return Err(QueryError::new(
                span,
                message!(
                    "expected_examples",
                    "expected moves, such as {examples}",
                    examples = &["27-22 18x27 .. 38,40x16"][..]
                ),
            ));
        }
        Ok(Self { parts })
    }
}

/// Parses a move: squares, a separator, and squares.
fn parse_move(text: &str) -> Result<MoveCondition, Message> {
    let is_separator = |c: char| matches!(c, '-' | '–' | '−' | 'x' | 'X' | '×' | ':');
    let expected = || {
        message!(
            "expected_examples",
            "expected a move, such as 27-22, 18x27, 38,40x16 or x16, `.` for any move, or `..` for any moves",
            examples = &["27-22", "18x27", "38,40x16", "x16", ".", ".."][..]
        )
    };
    let (from, rest) = text.split_at(text.find(is_separator).ok_or_else(expected)?);
    let last = rest.char_indices().rev().find(|&(_, c)| is_separator(c)).ok_or_else(expected)?;
    let to = &rest[last.0 + last.1.len_utf8()..];
    let squares = |list: &str| -> Option<Vec<SquareRef>> {
        if list.is_empty() { Some(Vec::new()) } else { list.split(',').map(SquareRef::parse).collect() }
    };
    let is_quiet = rest.starts_with(['-', '–', '−']);
    let mut mv = MoveCondition::any().taking(if is_quiet { 0..=0 } else { 1..=255 });
    (mv.from, mv.to) = (squares(from).ok_or_else(expected)?, squares(to).ok_or_else(expected)?);
    Ok(mv)
}

impl fmt::Display for PlayedMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write_squares = |squares: &[SquareRef], f: &mut fmt::Formatter<'_>| {
            squares.iter().enumerate().try_for_each(|(at, square)| {
                f.write_str(if at > 0 { "," } else { "" })?;
                square.fmt(f)
            })
        };
        for (at, part) in self.parts.iter().enumerate() {
            f.write_str(if at > 0 { " " } else { "" })?;
            match part {
                PlayedPart::Move(mv) => {
                    write_squares(&mv.from, f)?;
                    f.write_str(if mv.takes == Some(0..=0) { "-" } else { "x" })?;
                    write_squares(&mv.to, f)?;
                }
                PlayedPart::One => f.write_str(".")?,
                PlayedPart::Any => f.write_str("..")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn played_moves_are_read_and_written() {
        for (text, canonical) in [
            ("27-22 18x27 32x21 16x27 .. 38,40x16,7,9", "27-22 18x27 32x21 16x27 .. 38,40x16,7,9"),
            ("1.32-28 19-23 2.28:19 . x14 30-", "32-28 19-23 28x19 . x14 30-"),
            ("12... c3-d4 a1xc3xe5", "c3-d4 a1xe5"),
            ("x", "x"),
        ] {
            let moves: PlayedMoves = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(moves.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(moves));
        }
    }

    #[test]
    fn unreadable_move_is_named() {
        for (text, at) in
            [("32-28 19", 6..8), ("32-28 ...", 6..9), ("32-99", 0..5), (". ..", 0..4), ("3. 4.x-99", 5..9)]
        {
            let error = text.parse::<PlayedMoves>().expect_err(text);
            assert_eq!(error.span().range(), at, "{text}: {error}");
        }
    }
}
