//! The error of reading a query from text.

use std::fmt;

use pdn::internal::message::Message;
use pdn::span::Span;

/// A part of the text of a query that cannot be read, and what was expected there.
///
/// Its `Display` form names the place: ``at byte 6: expected `:`, found `x` ``. [`message`](Self::message) leaves it out.
///
/// ```
/// use pdn_index::query::Query;
///
/// let text = "white : wiersma and wk = many";
/// let error = Query::parse(text).unwrap_err();
/// let span = error.span();
/// // The place is marked below the text.
/// let marks = " ".repeat(span.start as usize) + &"^".repeat(span.len() as usize);
/// assert_eq!(text, "white : wiersma and wk = many");
/// assert_eq!(marks, "                         ^^^^");
/// assert!(error.message().starts_with("expected a number of pieces"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    span: Span,
    message: Message,
}

impl QueryError {
    pub(super) fn new(span: Span, message: Message) -> Self {
        Self { span, message }
    }

    /// Returns the span of the unreadable part: bytes of the text, from 0. It never splits a character, and is empty at
    /// the end of the text.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns what was expected, without the place.
    pub fn message(&self) -> &str {
        &self.message.text
    }

    /// Returns what was expected, with the name of the sentence and the values in it.
    #[doc(hidden)]
    pub fn full_message(&self) -> &Message {
        &self.message
    }

    /// Extends the span to whole characters of `text`.
    #[must_use]
    pub(super) fn widened(mut self, text: &str) -> Self {
        let boundary = |at: &usize| text.is_char_boundary(*at);
        let (start, end) = (self.span.start as usize, self.span.end as usize);
        let start = (0..=start.min(text.len())).rev().find(boundary).unwrap_or(0);
        let end = (end.max(start).min(text.len())..).find(boundary).unwrap_or(text.len());
        self.span = Span::new(start as u32, end as u32);
        self
    }

    /// Moves the span for a text that begins `offset` bytes into a longer one.
    #[must_use]
    pub(super) fn shifted(self, offset: usize) -> Self {
        Self { span: self.span.shifted(offset as u32), ..self }
    }
}

impl QueryError {
    /// Moves the span back for a text without its first `len` bytes.
    #[must_use]
    pub(super) fn without_beginning(self, len: usize) -> Self {
        let back = |at: u32| at.saturating_sub(len as u32);
        Self { span: Span::new(back(self.span.start), back(self.span.end)), ..self }
    }
}

/// Returns the message that a word was expected, and another one found, with the words that are nearest to it; `None` if none is near.
pub(super) fn meant<'w>(
    what: &str,
    found: &str,
    words: impl IntoIterator<Item = &'w str>,
) -> Option<Message> {
    let word = found.trim_start_matches('"');
    let end = word.find(|c: char| !c.is_ascii_alphanumeric() && !"_-'".contains(c)).unwrap_or(word.len());
    let near = pdn_names::nearest_words(&word[..end], words);
    (!near.is_empty()).then(|| {
        message!(
            "meant",
            "expected {what}, found {found}: is {meant} meant?",
            found = found,
            meant = near.as_slice()
        )
    })
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.span.start, self.message.text)
    }
}

impl std::error::Error for QueryError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_error_display_names_the_byte() {
        let error = QueryError::new(Span::new(9, 12), message!("test", "expected a move"));
        assert_eq!(
            (error.to_string().as_str(), error.message()),
            ("at byte 9: expected a move", "expected a move")
        );
    }
}
