//! The options of a question.

use std::fmt::Display;
use std::str::FromStr;

use pdn::internal::replay::CandidateGame;
use pdn::source::Encoding;
use pdn_app::ask::named::Named;
use pdn_app::ask::values::parse_game;
use pdn_app::{AppError, ErrorCode, Result};
use serde_json::{Map, Value};

/// The fields of a question that were not read yet.
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    /// Reads a question.
    ///
    /// # Errors
    ///
    /// If it is no object of JSON.
    pub(crate) fn read(json: &[u8]) -> Result<Self> {
        match serde_json::from_slice(json) {
            Ok(Value::Object(map)) => Ok(Self(map)),
            Ok(_) => Err(AppError::plain(ErrorCode::InvalidValue, "a question is an object")),
            Err(error) => {
                Err(AppError::plain(ErrorCode::InvalidValue, format!("a question is JSON: {error}")))
            }
        }
    }

    /// Takes a field; `None` if it is missing or null.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.shift_remove(name).filter(|value| !value.is_null())
    }

    /// Returns `true` if a field was given and not read yet.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Takes a text.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(AppError::plain(ErrorCode::InvalidValue, "expected a text").in_field(name)),
        }
    }

    /// Takes a text that has to be there.
    pub(crate) fn needed(&mut self, name: &'static str) -> Result<String> {
        self.text(name)?.ok_or_else(|| AppError::plain(ErrorCode::Missing, "is needed").in_field(name))
    }

    /// Takes a switch; `false` if it is missing.
    pub(crate) fn flag(&mut self, name: &'static str) -> Result<bool> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(value),
            Some(_) => {
                Err(AppError::plain(ErrorCode::InvalidValue, "expected `true` or `false`").in_field(name))
            }
        }
    }

    /// Takes a whole number.
    pub(crate) fn number(&mut self, name: &'static str) -> Result<Option<u64>> {
        match self.take(name) {
            None => Ok(None),
            Some(value) => value.as_u64().map(Some).ok_or_else(|| {
                AppError::plain(ErrorCode::InvalidValue, "expected a whole number from 0").in_field(name)
            }),
        }
    }

    /// Takes words: a text with commas between them, or a list.
    pub(crate) fn words(&mut self, name: &'static str) -> Result<Vec<String>> {
        let wrong = || {
            AppError::plain(
                ErrorCode::InvalidValue,
                "expected words: a text with commas between them, or a list of texts",
            )
            .in_field(name)
        };
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Value::String(text)) => Ok(text
                .split(',')
                .map(str::trim)
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()),
            Some(Value::Array(words)) => {
                words.iter().map(|word| word.as_str().map(str::to_owned).ok_or_else(wrong)).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    /// Takes a text and parses it.
    pub(crate) fn parsed<T: FromStr<Err: Display>>(&mut self, name: &'static str) -> Result<Option<T>> {
        let parse = |text: String| {
            text.parse().map_err(|wrong: T::Err| {
                AppError::plain(ErrorCode::InvalidValue, wrong.to_string()).in_field(name).value(text)
            })
        };
        self.text(name)?.map(parse).transpose()
    }

    /// Takes the name of a choice.
    pub(crate) fn choice<T: Named>(&mut self, name: &'static str) -> Result<Option<T>> {
        let parse = |text: String| T::parse(&text).map_err(|wrong| AppError::field(name, wrong).value(text));
        self.text(name)?.map(parse).transpose()
    }

    /// Takes the encoding of the text; `None` to detect it.
    pub(crate) fn encoding(&mut self) -> Result<Option<Encoding>> {
        self.parsed("encoding")
    }

    /// Takes the variant of games that no tag names; `None` to infer it.
    pub(crate) fn variant(&mut self) -> Result<Option<CandidateGame>> {
        let parse =
            |text: String| parse_game(&text).map_err(|wrong| AppError::field("variant", wrong).value(text));
        self.text("variant")?.map(parse).transpose()
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// If a field was not read: no option has its name.
    pub(crate) fn end(self) -> Result<()> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => {
                Err(AppError::plain(ErrorCode::InvalidValue, format!("there is no option `{name}`")))
            }
        }
    }
}
