//! Answers.

use pdn_app::{AppError, ErrorCode, Result};
use serde::Serialize;

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// An object of JSON.
    pub json: Vec<u8>,
    /// The text or the bytes that belong to it; empty if it has none.
    pub data: Vec<u8>,
}

impl Answer {
    /// No answer.
    pub(crate) const EMPTY: Self = Self { json: Vec::new(), data: Vec::new() };

    /// Creates an answer.
    ///
    /// # Errors
    ///
    /// Never, for the answers of this crate.
    pub(crate) fn new(value: &impl Serialize, data: Vec<u8>) -> Result<Self> {
        let json = serde_json::to_vec(value).map_err(|error| {
            AppError::plain(ErrorCode::Internal, format!("the answer is no JSON: {error}"))
        })?;
        Ok(Self { json, data })
    }

    /// Creates the answer that says what is wrong.
    pub(crate) fn error(error: &AppError) -> Self {
        Self::new(error, Vec::new()).unwrap_or(Self::EMPTY)
    }
}
