//! What is wrong with the text of a question, and where.

use std::fmt;

use crate::span::Span;

/// A place in the text of a question that cannot be read, and what was expected there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    span: Span,
    message: String,
}

impl QueryError {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }

    /// The bytes of the text, whole characters of it.
    pub fn span(&self) -> Span {
        self.span
    }

    /// What was expected.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The same for a text of which it names parts of characters: it names them whole.
    #[must_use]
    pub(super) fn widened(mut self, text: &str) -> Self {
        let boundary = |at: &usize| text.is_char_boundary(*at);
        let (start, end) = (self.span.start as usize, self.span.end as usize);
        let start = (0..=start.min(text.len())).rev().find(boundary).unwrap_or(0);
        let end = (end.max(start).min(text.len())..).find(boundary).unwrap_or(text.len());
        self.span = Span::new(start as u32, end as u32);
        self
    }

    /// The same, for a text that begins at `by` in another.
    #[must_use]
    pub(super) fn shifted(self, by: usize) -> Self {
        Self { span: self.span.shifted(by as u32), ..self }
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for QueryError {}
