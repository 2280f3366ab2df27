//! Results as a record gives them, read while it is walked.

use crate::span::Span;
use crate::value::{Colour, GameResult, Outcome, ResultWeight};

/// A result as written in the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WrittenResult {
    /// The span of its text, relative to the first byte of the record.
    pub span: Span,
    /// Its meaning for the side that starts, whichever side its first number belongs to.
    pub outcome: Outcome,
    /// How much the text says: nothing, no known outcome, or an outcome. Of two results, the weightier one counts.
    weight: ResultWeight,
}

impl WrittenResult {
    /// Reads the text of a Result tag or a terminator, the most frequent ones without trying all notations.
    // Twin: GameResult::parse; test: frequent_results_parse_as_all_others.
    #[inline]
    pub(crate) fn read(text: &[u8], span: Span) -> Self {
        let (outcome, weight) = match text {
            b"2-0" | b"1-0" => (Outcome::FirstWins, ResultWeight::Known),
            b"0-2" | b"0-1" => (Outcome::SecondWins, ResultWeight::Known),
            b"1-1" | b"1/2-1/2" => (Outcome::Draw, ResultWeight::Known),
            b"*" => (Outcome::Unknown, ResultWeight::Open),
            text => {
                let result = GameResult::parse(text);
                (result.outcome(), result.weight())
            }
        };
        Self { span, outcome, weight }
    }

    /// Returns the result with the outcome of its words for the side that starts, if it is written in words.
    #[inline]
    pub(crate) fn of_words(self, record: &[u8], start: Colour) -> Self {
        match (self.outcome, self.weight) {
            (Outcome::Unknown, ResultWeight::Known) => {
                let outcome = GameResult::parse(self.span.of(record)).for_start(start).outcome();
                Self { outcome, ..self }
            }
            _ => self,
        }
    }

    /// Returns the result whose numbers belong to the other sides.
    pub(super) fn exchanged(self) -> Self {
        let outcome = match self.outcome {
            Outcome::FirstWins => Outcome::SecondWins,
            Outcome::SecondWins => Outcome::FirstWins,
            other => other,
        };
        Self { outcome, ..self }
    }

    /// Returns the result that counts of two: this one, unless only the later one is known. As
    /// [`GameResult::or_later`].
    pub(crate) fn or_later(self, later: Self) -> Self {
        if later.weight > self.weight { later } else { self }
    }

    /// Returns the result that counts, of this one and what the record gave before.
    #[cold]
    pub(crate) fn after(self, earlier: Option<Self>) -> Self {
        earlier.map_or(self, |earlier| earlier.or_later(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_results_parse_as_all_others() {
        for text in [&b"2-0"[..], b"1-0", b"0-2", b"0-1", b"1-1", b"1/2-1/2", b"*"] {
            let (read, parsed) = (WrittenResult::read(text, Span::default()), GameResult::parse(text));
            let expected = (parsed.outcome(), parsed.weight());
            assert_eq!((read.outcome, read.weight), expected, "{}", text.escape_ascii());
        }
    }
}
