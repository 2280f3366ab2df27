//! Parses the fields of a GameType tag.

use super::attributes::{Corner, Notation, NotationStyle};
use crate::value::Colour;
use crate::value::error::{Problem, UnexpectedByte, ValueError, span, trimmed};

// What a game type must have where another byte was found.
pub(super) const NUMBER: &str = "a number such as `20`";
pub(super) const START: &str = "the side that starts, `W` or `B`";
pub(super) const SIZE: &str = "the size of the board such as `10`";
pub(super) const NOTATION: &str = "a notation such as `N2`, `A0` or `S0`";
pub(super) const INVERT_FLAG: &str = "the invert flag, `0` or `1`";
pub(super) const END: &str = "nothing after the invert flag";

/// A number above 65535, or a width or height above 255.
pub(super) const TOO_LARGE: Problem =
    Problem::Message("found a number too large, expected at most 65535, or 255 for a size");

/// Parses the comma-separated fields of a GameType tag one by one.
pub(super) struct Fields<'a> {
    text: &'a [u8],
    /// Offset of the next field.
    at: usize,
    /// `true` after the last field.
    done: bool,
}

impl<'a> Fields<'a> {
    /// Creates a parser at the first field.
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, done: false }
    }

    /// Returns `true` after the last field.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// Returns the next field without whitespace at its ends, and its offset. After the last field it is empty.
    fn next(&mut self) -> (&'a [u8], usize) {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.iter().position(|&byte| byte == b',');
        self.done = length.is_none();
        let end = start + length.unwrap_or(rest.len());
        self.at = end + usize::from(!self.done);
        let (field, before) = trimmed(&self.text[start..end]);
        (field, start + before)
    }

    /// Parses the next field with `parse`.
    ///
    /// # Errors
    /// If `parse` returns `None`: the first byte that `is_allowed` rejects, given its index in the field and the
    /// byte. If it rejects none, the field is empty or its number too large.
    fn field<T>(
        &mut self,
        expected: &'static str,
        is_allowed: fn(usize, u8) -> bool,
        parse: fn(&[u8]) -> Option<T>,
    ) -> Result<T, ValueError> {
        let text = self.text;
        let (field, at) = self.next();
        parse(field).ok_or_else(|| {
            let bad = field.iter().enumerate().position(|(i, &byte)| !is_allowed(i, byte));
            let problem = match bad {
                Some(bad) => Problem::Unexpected(expected, UnexpectedByte(Some(field[bad]))),
                None if field.is_empty() => Problem::Unexpected(expected, UnexpectedByte::at(text, at)),
                None => TOO_LARGE,
            };
            ValueError::new(problem, span(at, at + field.len()))
        })
    }

    /// Parses a number up to 65535.
    pub(super) fn number(&mut self) -> Result<u16, ValueError> {
        self.field(NUMBER, |_, byte| byte.is_ascii_digit(), decimal)
    }

    /// Parses a width or height, up to 255.
    pub(super) fn size(&mut self) -> Result<u8, ValueError> {
        let parse = |field: &[u8]| decimal(field).and_then(|size| u8::try_from(size).ok());
        self.field(SIZE, |_, byte| byte.is_ascii_digit(), parse)
    }

    /// Parses the starting side.
    pub(super) fn start_colour(&mut self) -> Result<Colour, ValueError> {
        let parse = |field: &[u8]| match field {
            [letter] => Colour::from_letter(*letter),
            _ => None,
        };
        self.field(START, |i, byte| i == 0 && Colour::from_letter(byte).is_some(), parse)
    }

    /// Parses a notation, with or without the digit of its corner.
    pub(super) fn notation(&mut self) -> Result<Notation, ValueError> {
        let is_allowed = |i, byte: u8| match i {
            0 => matches!(byte.to_ascii_uppercase(), b'A' | b'N' | b'S'),
            1 => matches!(byte, b'0'..=b'3'),
            _ => false,
        };
        self.field(NOTATION, is_allowed, |field| {
            let (letter, digits) = field.split_first()?;
            let style = match letter.to_ascii_uppercase() {
                b'A' => NotationStyle::Algebraic,
                b'N' => NotationStyle::Numeric,
                b'S' => NotationStyle::San,
                _ => return None,
            };
            let corner = match digits {
                [] => None,
                b"0" => Some(Corner::BottomLeft),
                b"1" => Some(Corner::BottomRight),
                b"2" => Some(Corner::TopLeft),
                b"3" => Some(Corner::TopRight),
                _ => return None,
            };
            Some(Notation { style, corner })
        })
    }

    /// Parses the invert flag.
    pub(super) fn flag(&mut self) -> Result<bool, ValueError> {
        let parse = |field: &[u8]| match field {
            b"0" => Some(false),
            b"1" => Some(true),
            _ => None,
        };
        self.field(INVERT_FLAG, |i, byte| i == 0 && matches!(byte, b'0' | b'1'), parse)
    }

    /// Returns `true` if the next field starts with a digit.
    pub(super) fn next_is_digit(&self) -> bool {
        self.text[self.at..].trim_ascii_start().first().is_some_and(u8::is_ascii_digit)
    }

    /// Returns an error if a field is left.
    pub(super) fn end(&self) -> Result<(), ValueError> {
        if self.done {
            return Ok(());
        }
        let found = UnexpectedByte::at(self.text, self.at);
        Err(ValueError::new(Problem::Unexpected(END, found), span(self.at, self.text.len())))
    }
}

/// Returns the value of a number up to 65535; `None` unless all bytes are digits.
pub(super) fn decimal(digits: &[u8]) -> Option<u16> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u16, |value, &digit| {
        let digit = digit.is_ascii_digit().then(|| u16::from(digit - b'0'))?;
        value.checked_mul(10)?.checked_add(digit)
    })
}
