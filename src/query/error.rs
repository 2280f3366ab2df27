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

    /// The bytes of the text.
    pub fn span(&self) -> Span {
        self.span
    }

    /// What was expected.
    pub fn message(&self) -> &str {
        &self.message
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
