//! The text of a question, word by word.

use std::ops::RangeInclusive;

use crate::query::error::QueryError;
use crate::span::Span;

/// A text and how far it has been read.
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
    }

    /// What is left.
    fn rest(&mut self) -> &'a str {
        self.skip_blanks();
        &self.text[self.at..]
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.rest().is_empty()
    }

    /// Where the next word begins.
    pub(super) fn place(&mut self) -> usize {
        self.skip_blanks();
        self.at
    }

    /// Goes back to a place.
    pub(super) fn back(&mut self, place: usize) {
        self.at = place;
    }

    /// The letters that come next.
    pub(super) fn peek_word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        &rest[..end]
    }

    /// The letters that come next, passed.
    pub(super) fn word(&mut self) -> &'a str {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    /// Passes this word if it comes next, in any case.
    pub(super) fn eat(&mut self, word: &str) -> bool {
        let next = self.peek_word();
        let found = next.eq_ignore_ascii_case(word);
        self.at += if found { next.len() } else { 0 };
        found
    }

    /// Passes this sign if it comes next.
    pub(super) fn eat_sign(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    /// The run of characters that comes next, up to a blank or bracket.
    pub(super) fn peek_run(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len());
        &rest[..end]
    }

    /// That run, passed, with its place.
    pub(super) fn run(&mut self) -> (usize, &'a str) {
        let run = self.peek_run();
        let place = self.at;
        self.at += run.len();
        (place, run)
    }

    /// A value: a run, or what stands between quotes, where a `\` takes the next character as it is. With the place of
    /// its first character, and whether it ends with a `*` that is not taken as it is.
    pub(super) fn value(&mut self, what: &str) -> Result<(usize, String, bool), QueryError> {
        let rest = self.rest();
        if !rest.starts_with('"') {
            let (place, run) = self.run();
            if run.is_empty() {
                return Err(self.expected(what));
            }
            return Ok((place, run.to_owned(), run.ends_with('*')));
        }
        let mut value = String::new();
        let (mut escaped, mut star) = (false, false);
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                _ if escaped => {
                    value.push(c);
                    (escaped, star) = (false, false);
                }
                '\\' => escaped = true,
                '"' => {
                    let place = self.at + 1;
                    self.at += at + 1;
                    return Ok((place, value, star));
                }
                _ => {
                    value.push(c);
                    star = c == '*';
                }
            }
        }
        let span = Span::new(self.at as u32, self.text.len() as u32);
        Err(QueryError::new(span, "expected `\"` at the end of this text"))
    }

    /// A number within these limits, with a sign if they allow it.
    pub(super) fn number(&mut self, what: &str, least: i64, most: i64) -> Result<i64, QueryError> {
        let rest = self.rest();
        let sign = usize::from(least < 0 && rest.starts_with('-'));
        let digits = rest[sign..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - sign);
        if digits == 0 {
            return Err(self.expected(what));
        }
        let number = rest[..sign + digits].parse().ok().filter(|number| (least..=most).contains(number));
        let Some(number) = number else {
            let span = Span::new(self.at as u32, (self.at + sign + digits) as u32);
            return Err(QueryError::new(span, format!("expected {what} from {least} to {most}")));
        };
        self.at += sign + digits;
        Ok(number)
    }

    /// Numbers: `>= 3`, `3`, `3..5`, `3..`, `..5`.
    pub(super) fn numbers(
        &mut self,
        what: &str,
        least: i64,
        most: i64,
    ) -> Result<RangeInclusive<i64>, QueryError> {
        let place = self.place();
        for (sign, greater, equal) in
            [("<=", false, true), (">=", true, true), ("<", false, false), (">", true, false)]
        {
            if self.eat_sign(sign) {
                let number = self.number(what, least, most)?;
                let range = match (greater, equal) {
                    (true, equal) => number + i64::from(!equal)..=most,
                    (false, equal) => least..=number - i64::from(!equal),
                };
                return self.filled(place, range);
            }
        }
        let _ = self.eat_sign("=");
        if self.eat_sign("..") {
            let last = self.number(what, least, most)?;
            return Ok(least..=last);
        }
        let first = self.number(what, least, most)?;
        if !self.eat_sign("..") {
            return Ok(first..=first);
        }
        let signed = least < 0 && self.text[self.at..].starts_with('-');
        let open = !signed && !self.text[self.at..].starts_with(|c: char| c.is_ascii_digit());
        let last = if open { most } else { self.number(what, least, most)? };
        self.filled(place, first..=last)
    }

    /// A range, if anything lies in it.
    fn filled(&self, place: usize, range: RangeInclusive<i64>) -> Result<RangeInclusive<i64>, QueryError> {
        if range.is_empty() {
            let span = Span::new(place as u32, self.at as u32);
            return Err(QueryError::new(span, "expected a range with something in it"));
        }
        Ok(range)
    }

    /// An error at what comes next.
    pub(super) fn expected(&mut self, what: &str) -> QueryError {
        let place = self.place();
        let rest = self.rest();
        let run = self.peek_run();
        let found =
            if run.is_empty() { rest.chars().next().map_or("", |c| &rest[..c.len_utf8()]) } else { run };
        let span = Span::new(place as u32, (place + found.len()) as u32);
        let found = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
        QueryError::new(span, format!("expected {what}, found {found}"))
    }
}
