//! Splits the text of a date into numbers, question marks and names of months.

use super::error;
use crate::value::error::{UnexpectedByte, ValueError, span};

/// A part of a date whose role, year, month or day, is not yet decided.
#[derive(Clone, Copy, Default)]
pub(super) struct Part {
    /// The number; `None` for question marks.
    pub(super) value: Option<u16>,
    /// Length in bytes. A year has four digits or question marks.
    pub(super) width: usize,
    /// `true` if the part is the name of a month.
    pub(super) named_month: bool,
}

/// Splits a date into at most three parts at any separators, and returns them with their count.
///
/// # Errors
/// A word without a meaning, digits next to question marks, a number of more than four digits, or a fourth part.
pub(super) fn split(text: &[u8]) -> Result<([Part; 3], usize), ValueError> {
    let mut parts = [Part { value: None, width: 0, named_month: false }; 3];
    let mut count = 0;
    let mut at = 0;
    while at < text.len() {
        let start = at;
        let class = Class::of(text[at]);
        while at < text.len() && Class::of(text[at]) == class {
            at += 1;
        }
        let is_digit_or_mark = |class: Class| matches!(class, Class::Digit | Class::QuestionMark);
        if is_digit_or_mark(class) && text.get(at).is_some_and(|&byte| is_digit_or_mark(Class::of(byte))) {
            let rest = &text[at..];
            let end = rest.iter().position(|&byte| !is_digit_or_mark(Class::of(byte))).unwrap_or(rest.len());
            return Err(ValueError::new(error::PARTLY_KNOWN, span(start, at + end)));
        }
        let word = &text[start..at];
        let part = match class {
            Class::Separator => continue,
            Class::Digit if word.len() > 4 => {
                return Err(ValueError::new(error::LONG_NUMBER, span(start, at)));
            }
            Class::Digit => Part { value: decimal(word), width: word.len(), named_month: false },
            Class::QuestionMark => Part { value: None, width: word.len(), named_month: false },
            Class::Letter | Class::Other => match month_of_name(word) {
                Some(month) => Part { value: Some(month), width: word.len(), named_month: true },
                None => {
                    let found = UnexpectedByte::at(text, start);
                    return Err(ValueError::new(error::unexpected(found), span(start, at)));
                }
            },
        };
        let Some(slot) = parts.get_mut(count) else {
            return Err(ValueError::new(error::TOO_MANY_PARTS, span(start, at)));
        };
        *slot = part;
        count += 1;
    }
    Ok((parts, count))
}

/// The class of a byte. A run of bytes of one class is a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Digit,
    QuestionMark,
    Separator,
    /// Letters of month names, accented ones in any encoding included.
    Letter,
    Other,
}

impl Class {
    fn of(byte: u8) -> Self {
        match byte {
            b'0'..=b'9' => Self::Digit,
            b'?' => Self::QuestionMark,
            b'.' | b'-' | b'/' | b',' => Self::Separator,
            byte if byte.is_ascii_whitespace() => Self::Separator,
            byte if byte.is_ascii_alphabetic() || !byte.is_ascii() => Self::Letter,
            _ => Self::Other,
        }
    }
}

/// Returns the number of a month from the first letters of its name in English, Dutch, German, French, Italian,
/// Spanish, Portuguese or Polish; `None` for other words.
///
/// U+FFFD in the table matches any run of bytes beyond ASCII, because the bytes of accented letters depend on the
/// encoding.
pub(super) fn month_of_name(word: &[u8]) -> Option<u16> {
    const PREFIXES: &[(&str, u16)] = &[
        ("jan", 1),
        ("gen", 1),
        ("ene", 1),
        ("feb", 2),
        ("fev", 2),
        ("f\u{fffd}v", 2),
        ("mar", 3),
        ("maa", 3),
        ("mrt", 3),
        ("m\u{fffd}r", 3),
        ("apr", 4),
        ("avr", 4),
        ("abr", 4),
        ("may", 5),
        ("mai", 5),
        ("mei", 5),
        ("mag", 5),
        ("jun", 6),
        ("juin", 6),
        ("giu", 6),
        ("jul", 7),
        ("juil", 7),
        ("lug", 7),
        ("aug", 8),
        ("ago", 8),
        ("aout", 8),
        ("ao\u{fffd}", 8),
        ("sep", 9),
        ("set", 9),
        ("oct", 10),
        ("okt", 10),
        ("ott", 10),
        ("out", 10),
        ("nov", 11),
        ("dec", 12),
        ("dez", 12),
        ("dic", 12),
        ("d\u{fffd}c", 12),
        ("maj", 5),
        ("sty", 1),
        ("lut", 2),
        ("kwi", 4),
        ("cze", 6),
        ("lip", 7),
        ("sie", 8),
        ("wrz", 9),
        ("pa\u{fffd}", 10),
        ("lis", 11),
        ("gru", 12),
    ];
    PREFIXES.iter().find(|(prefix, _)| is_accented_prefix(word, prefix)).map(|&(_, month)| month)
}

/// Returns `true` if a word begins with these lower case letters, in which U+FFFD stands for any run of bytes beyond ASCII.
pub(super) fn is_accented_prefix(word: &[u8], prefix: &str) -> bool {
    let mut rest = word;
    prefix.chars().all(|letter| {
        let (accented, first) = (rest.iter().take_while(|byte| !byte.is_ascii()).count(), rest.first());
        match (letter, first) {
            (char::REPLACEMENT_CHARACTER, Some(_)) if accented > 0 => {
                rest = &rest[accented..];
                true
            }
            (letter, Some(byte)) if char::from(byte.to_ascii_lowercase()) == letter => {
                rest = &rest[1..];
                true
            }
            _ => false,
        }
    })
}

/// Returns the value of at most four digits; `None` for question marks.
pub(super) fn decimal(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0u16, |value, digit| {
        digit.is_ascii_digit().then(|| value.wrapping_mul(10).wrapping_add(u16::from(digit - b'0')))
    })
}
