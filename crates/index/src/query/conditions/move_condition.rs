//! Conditions on the next move.

use std::fmt;
use std::ops::RangeInclusive;

use super::square_ref::SquareRef;
use pdn::value::Colour;

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
