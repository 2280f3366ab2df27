//! The options of a question.

use pdn_app::ask::options::{Given, GivenOptions};
use pdn_app::{AppError, ErrorCode, Result};
use serde_json::{Map, Value};

/// Reads a question: an object of JSON. What is null is not given.
///
/// # Errors
///
/// If it is none.
pub(crate) fn read(json: &[u8]) -> Result<GivenOptions> {
    let wrong = |message: String| AppError::plain(ErrorCode::InvalidValue, message);
    let map: Map<String, Value> = match serde_json::from_slice(json) {
        Ok(Value::Object(map)) => map,
        Ok(_) => return Err(wrong("a question is an object".to_owned())),
        Err(error) => return Err(wrong(format!("a question is JSON: {error}"))),
    };
    let mut given = GivenOptions::default();
    for (name, value) in map.into_iter().filter(|(_, value)| !value.is_null()) {
        given.push(name, of(value));
    }
    Ok(given)
}

/// Returns a value of JSON as that of an option.
fn of(value: Value) -> Given {
    let word = |word: &Value| word.as_str().map(str::to_owned);
    match value {
        Value::Bool(on) => Given::Switch(on),
        Value::String(text) => Given::Text(text),
        Value::Number(number) => {
            number.as_u64().map_or(Given::OtherNumber(number.as_f64().unwrap_or_default()), Given::Number)
        }
        Value::Array(words) => {
            words.iter().map(word).collect::<Option<_>>().map_or(Given::Other, Given::List)
        }
        Value::Null | Value::Object(_) => Given::Other,
    }
}

/// Takes a text that has to be there.
pub(crate) fn needed(given: &mut GivenOptions, name: &'static str) -> Result<String> {
    given.value(name)?.ok_or_else(|| AppError::plain(ErrorCode::Missing, "is needed").in_field(name))
}
