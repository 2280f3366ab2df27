//! Sentences for people, with the values in them for programs: what [`message!`](crate::message!) makes in one place.

use std::fmt;

/// A sentence in English, without a full stop, and what a program needs to say the same in another language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// The sentence.
    pub text: String,
    /// The name of the sentence without its values. It is stable.
    pub reason: &'static str,
    /// The names and values of what stands in the sentence.
    pub arguments: Vec<(&'static str, Argument)>,
}

/// A value in a [`Message`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// What was written, or a part of the archive; empty for the end of a text.
    Text(String),
    /// A number.
    Number(i128),
    /// What is possible: words that are the same in every language, names, or moves.
    Choices(Vec<String>),
}

/// Makes a [`Message`] of its reason, a format, and the values in it, each under its name: `message!("game", "there is no game {number}",
/// number = 5)`. Other values in the format are for people only, and named values that the format lacks are for programs only.
#[doc(hidden)]
#[macro_export]
macro_rules! message {
    ($reason:expr, $format:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        $(let $name = $crate::internal::message::Argument::from($value);)*
        $crate::internal::message::Message {
            text: ::std::format!($format),
            reason: $reason,
            arguments: ::std::vec![$((::core::stringify!($name), $name)),*],
        }
    }};
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Message {}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.text
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) if text.is_empty() => f.write_str("the end"),
            Self::Text(text) => write!(f, "`{text}`"),
            Self::Number(number) => {
                let digits = number.unsigned_abs().to_string();
                f.write_str(if *number < 0 { "-" } else { "" })?;
                for (place, digit) in digits.char_indices() {
                    if place > 0 && (digits.len() - place) % 3 == 0 {
                        f.write_str(",")?;
                    }
                    write!(f, "{digit}")?;
                }
                Ok(())
            }
            Self::Choices(choices) => {
                for (place, choice) in choices.iter().enumerate() {
                    match choices.len() - place {
                        _ if place == 0 => {}
                        1 => f.write_str(" or ")?,
                        _ => f.write_str(", ")?,
                    }
                    write!(f, "`{choice}`")?;
                }
                Ok(())
            }
        }
    }
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Argument {
    fn from(number: u64) -> Self {
        Self::Number(number.into())
    }
}

impl From<i64> for Argument {
    fn from(number: i64) -> Self {
        Self::Number(number.into())
    }
}

impl<T: AsRef<str>> From<&[T]> for Argument {
    fn from(choices: &[T]) -> Self {
        Self::Choices(choices.iter().map(|choice| choice.as_ref().to_owned()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_has_its_sentence_and_the_values_in_it() {
        let more = "and more";
        let message = message!(
            "test",
            "{choices} {more}, found {found} before {end}, not {number}",
            choices = &["a", "b", "c"][..],
            found = "x",
            end = "",
            number = 1_234_567_u64,
        );
        assert_eq!(message.to_string(), "`a`, `b` or `c` and more, found `x` before the end, not 1,234,567");
        assert_eq!(message.reason, "test");
        let names: Vec<&str> = message.arguments.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["choices", "found", "end", "number"]);
        assert_eq!(message.arguments[1].1, Argument::Text("x".to_owned()));
    }
}
