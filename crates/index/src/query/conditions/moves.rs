//! Conditions on moves: on the next one, on those played from a position on, on typed moves and on sacrifices.

use std::fmt;
use std::ops::RangeInclusive;

use super::squares::SquareRef;
use crate::query::error::QueryError;
use pdn::internal::message::Message;
use pdn::position::Position;
use pdn::replay::play_text;
use pdn::rules::GameRules;
use pdn::span::Span;
use pdn::value::Colour;
use pdn_rules::internal::notation::{MoveForm, MoveText};

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

/// A condition on the next move, the one played in the position in question. Parts that are left out match any move.
///
/// ```
/// use pdn_index::internal::query::{MoveCondition, SquareRef};
/// use pdn_index::query::Query;
///
/// let mut condition = MoveCondition::any().taking(2..=255);
/// condition.from = vec![SquareRef::Number(32)];
/// assert_eq!(Query::next_move(condition), Query::parse("move from 32 takes >= 2").unwrap());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash, Default)]
#[non_exhaustive]
pub struct MoveCondition {
    /// The squares on which the move may start; empty for any.
    pub from: Vec<SquareRef>,
    /// The squares on which it may end; empty for any.
    pub to: Vec<SquareRef>,
    /// The side that makes it.
    pub side: Option<Colour>,
    /// Whether a king makes it; `Some(false)` for a man.
    pub king: Option<bool>,
    /// Whether a man is promoted by it.
    pub promotes: Option<bool>,
    /// The number of pieces that it captures.
    pub takes: Option<RangeInclusive<u8>>,
    /// The squares of captured pieces; all of them must be captured, and others may be.
    pub over: Vec<SquareRef>,
    /// Whether it must capture the piece that the move before it has moved.
    pub retakes: bool,
}

impl MoveCondition {
    /// Creates the condition that any move matches, except a null move.
    pub fn any() -> Self {
        Self::default()
    }

    /// Requires that the number of captured pieces lies in `range`.
    #[must_use]
    pub fn taking(self, range: RangeInclusive<u8>) -> Self {
        Self { takes: Some(range), ..self }
    }
}

impl fmt::Display for MoveCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("move")?;
        let write_squares = |f: &mut fmt::Formatter<'_>, word: &str, squares: &[SquareRef]| {
            let mut separator = format!(" {word} ");
            for square in squares {
                write!(f, "{separator}{square}")?;
                ",".clone_into(&mut separator);
            }
            Ok(())
        };
        write_squares(f, "from", &self.from)?;
        write_squares(f, "to", &self.to)?;
        match self.side {
            Some(Colour::White) => f.write_str(" by white")?,
            Some(Colour::Black) => f.write_str(" by black")?,
            None => {}
        }
        match self.king {
            Some(true) => f.write_str(" by king")?,
            Some(false) => f.write_str(" by man")?,
            None => {}
        }
        match self.promotes {
            Some(true) => f.write_str(" promotes")?,
            Some(false) => f.write_str(" stays")?,
            None => {}
        }
        if let Some(takes) = &self.takes {
            write!(f, " takes {}..{}", takes.start(), takes.end())?;
        }
        write_squares(f, "over", &self.over)?;
        f.write_str(if self.retakes { " retakes" } else { "" })
    }
}

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

/// A condition on the next plies: the side to move loses pieces, and may win them back.
///
/// Pieces are counted as men and kings alike. Let `d` be the pieces of the side to move less those of its opponent, at
/// the position in question. A sacrifice begins there if the difference is at most `d - given` at some position within
/// the next `within` plies. It is *regained* if the difference is `d` or more again at a later position, within the
/// same plies.
///
/// ```
/// use pdn_index::query::Query;
/// use pdn_index::internal::query::Sacrifice;
///
/// let sacrifice = Sacrifice { given: 2, within: 8, regained: Some(true) };
/// assert_eq!(Query::sacrifice(sacrifice), Query::parse("sacrifice 2 within 8 regained").unwrap());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Sacrifice {
    /// The least number of pieces given.
    pub given: u8,
    /// The number of plies that are looked at.
    pub within: u32,
    /// Whether the pieces are won back; `None` for either.
    pub regained: Option<bool>,
}

impl fmt::Display for Sacrifice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sacrifice {} within {}", self.given, self.within)?;
        f.write_str(match self.regained {
            Some(true) => " regained",
            Some(false) => " lost",
            None => "",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::rules::Variant;

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
