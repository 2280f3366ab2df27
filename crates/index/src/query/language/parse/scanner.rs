//! Reads the text of a query word by word.

use std::ops::RangeInclusive;

use crate::query::error::{QueryError, meant};
use crate::query::language::definitions::Definitions;
use pdn::internal::message::Message;
use pdn::span::Span;

/// What was expected at a place of a query.
#[derive(Clone, Copy)]
pub(super) enum What<'w> {
    /// Something of this kind.
    Thing(&'w str),
    /// Something of this kind, with examples.
    Such(&'w str, &'w [&'w str]),
    /// One of these words and signs.
    Words(&'w [&'w str]),
}

impl What<'_> {
    /// Returns the message that this was expected, and something else found.
    pub(super) fn message(self, found: &str) -> Message {
        match self {
            Self::Thing(thing) => message!("unexpected", "expected {thing}, found {found}", found = found),
            Self::Such(thing, examples) => message!(
                "expected_such",
                "expected {thing}, such as {examples}, found {found}",
                examples = examples,
                found = found
            ),
            Self::Words(words) => {
                message!("expected", "expected {expected}, found {found}", expected = words, found = found)
            }
        }
    }
}

impl<'w> From<&'w str> for What<'w> {
    fn from(thing: &'w str) -> Self {
        Self::Thing(thing)
    }
}

/// A position in the text of a query. All reading functions skip whitespace first.
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// What names with `@` stand for.
    pub(super) definitions: &'a Definitions,
    /// The size of all definitions that were put in.
    pub(super) defined_size: usize,
    /// The offset of the next byte to read.
    at: usize,
}

impl<'a> Scanner<'a> {
    /// Creates a scanner at the beginning of a text.
    pub(super) fn new(text: &'a str, definitions: &'a Definitions) -> Self {
        Self { text, definitions, defined_size: 0, at: 0 }
    }

    fn skip_whitespace(&mut self) {
        self.at = self.text.len() - self.text[self.at..].trim_start().len();
    }

    /// Returns the unread text after whitespace.
    fn rest(&mut self) -> &'a str {
        self.skip_whitespace();
        &self.text[self.at..]
    }

    /// Returns `true` if only whitespace is left.
    pub(super) fn at_end(&mut self) -> bool {
        self.rest().is_empty()
    }

    /// Returns the offset of the next word, in bytes.
    pub(super) fn offset(&mut self) -> usize {
        self.skip_whitespace();
        self.at
    }

    /// Goes back to an offset, to read from there again.
    pub(super) fn rewind(&mut self, offset: usize) {
        self.at = offset;
    }

    /// Returns the ASCII letters that come next, possibly none, without taking them.
    pub(super) fn peek_word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        &rest[..end]
    }

    /// Takes this word if it comes next, in any case; returns whether it did.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let next = self.peek_word();
        let is_next = next.eq_ignore_ascii_case(word);
        self.at += if is_next { next.len() } else { 0 };
        is_next
    }

    /// Returns the ASCII letters and `_` that come next, possibly none, without taking them.
    pub(super) fn peek_name(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    }

    /// Takes a name of so many bytes, which comes next.
    pub(super) fn take_name(&mut self, len: usize) {
        self.at = self.offset() + len;
    }

    /// Takes this sign if it comes next; returns whether it did. `==` is `=`, as many languages write it.
    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        let Some(rest) = self.rest().strip_prefix(sign) else { return false };
        self.at += sign.len() + usize::from(sign == "=" && rest.starts_with('='));
        true
    }

    /// Returns the characters up to the next whitespace or bracket, possibly none, without taking them.
    pub(super) fn peek_run(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len());
        &rest[..end]
    }

    /// Takes the characters up to the next whitespace or bracket, and returns them with their offset.
    pub(super) fn next_run(&mut self) -> (usize, &'a str) {
        let run = self.peek_run();
        let offset = self.at;
        self.at += run.len();
        (offset, run)
    }

    /// Takes the characters that come next as long as `is_part` says so, given each with what follows it, and returns
    /// them with their offset.
    pub(super) fn take_while(&mut self, mut is_part: impl FnMut(&str) -> bool) -> (usize, &'a str) {
        let rest = self.rest();
        let end =
            rest.char_indices().map(|(at, _)| at).find(|&at| !is_part(&rest[at..])).unwrap_or(rest.len());
        let offset = self.at;
        self.at += end;
        (offset, &rest[..end])
    }

    /// Takes a value: a run, or the text between quotes, in which a `\` escapes the next character. Returns the offset of
    /// its first character, the unescaped value, and whether it ends with an unescaped `*`.
    ///
    /// # Errors
    /// If nothing is left, or the closing quote is missing.
    pub(super) fn value<'w>(
        &mut self,
        what: impl Into<What<'w>>,
    ) -> Result<(usize, String, bool), QueryError> {
        let rest = self.rest();
        if !rest.starts_with('"') {
            let (offset, run) = self.next_run();
            if run.is_empty() {
                return Err(self.expected(what));
            }
            return Ok((offset, run.to_owned(), run.ends_with('*')));
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
                    let offset = self.at + 1;
                    self.at += at + 1;
                    return Ok((offset, value, star));
                }
                _ => {
                    value.push(c);
                    star = c == '*';
                }
            }
        }
        let span = Span::new(self.at as u32, self.text.len() as u32);
        Err(QueryError::new(span, message!("open_quote", "expected `\"` at the end of this text")))
    }

    /// Takes a name: letters, digits and all else up to whitespace, a bracket or one of `: = ~`, or the text between quotes.
    ///
    /// # Errors
    /// If nothing of the kind comes next, or the closing quote is missing.
    pub(super) fn name<'w>(&mut self, what: impl Into<What<'w>>) -> Result<String, QueryError> {
        let rest = self.rest();
        if rest.starts_with('"') {
            return Ok(self.value(what)?.1);
        }
        let run = self.peek_run();
        let end = run.find([':', '=', '~']).unwrap_or(run.len());
        if end == 0 {
            return Err(self.expected(what));
        }
        self.at += end;
        Ok(run[..end].to_owned())
    }

    /// Returns the text from an offset to the last byte that was taken.
    pub(super) fn text_since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// Returns the span from an offset to the last byte that was taken.
    pub(super) fn span_since(&self, start: usize) -> Span {
        Span::new(start as u32, self.at as u32)
    }

    /// Takes a number from `min` to `max`, with a sign if `min` is negative.
    ///
    /// # Errors
    /// If no digit comes next, or the number is out of these bounds.
    pub(super) fn number(&mut self, what: &str, min: i64, max: i64) -> Result<i64, QueryError> {
        let rest = self.rest();
        let sign = usize::from(min < 0 && rest.starts_with('-'));
        let digits = rest[sign..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - sign);
        if digits == 0 {
            return Err(
                self.mismatch(|found| message!("number", "expected {what}, found {found}", found = found))
            );
        }
        let number = rest[..sign + digits].parse().ok().filter(|number| (min..=max).contains(number));
        let Some(number) = number else {
            let span = Span::new(self.at as u32, (self.at + sign + digits) as u32);
            let message =
                message!("number_range", "expected {what} from {min} to {max}", min = min, max = max);
            return Err(QueryError::new(span, message));
        };
        self.at += sign + digits;
        Ok(number)
    }

    /// Takes a range of numbers from `min` to `max`: `>= 3`, `3`, `3..5`, `3-5`, `3..` or `..5`.
    ///
    /// # Errors
    /// If a number is missing or out of bounds, or no number lies in the range.
    pub(super) fn numbers(
        &mut self,
        what: &str,
        min: i64,
        max: i64,
    ) -> Result<RangeInclusive<i64>, QueryError> {
        let start = self.offset();
        for (sign, greater, equal) in
            [("<=", false, true), (">=", true, true), ("<", false, false), (">", true, false)]
        {
            if self.take_sign(sign) {
                let number = self.number(what, min, max)?;
                let range = match (greater, equal) {
                    (true, equal) => number + i64::from(!equal)..=max,
                    (false, equal) => min..=number - i64::from(!equal),
                };
                return self.non_empty(start, range);
            }
        }
        self.check_sign_order()?;
        let _ = self.take_sign("=");
        if self.take_sign("..") {
            let last = self.number(what, min, max)?;
            return Ok(min..=last);
        }
        let first = self.number(what, min, max)?;
        let digit_follows = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        // A hyphen between two numbers, without spaces around it.
        if self.text[self.at..].strip_prefix('-').is_some_and(digit_follows) {
            self.at += 1;
            let last = self.number(what, min, max)?;
            return self.non_empty(start, first..=last);
        }
        if !self.take_sign("..") {
            return Ok(first..=first);
        }
        let signed = min < 0 && self.text[self.at..].starts_with('-');
        let open = !signed && !digit_follows(&self.text[self.at..]);
        let last = if open { max } else { self.number(what, min, max)? };
        self.non_empty(start, first..=last)
    }

    /// Checks that no `=>` or `=<` comes next, which people write for `>=` and `<=`.
    pub(super) fn check_sign_order(&mut self) -> Result<(), QueryError> {
        let rest = self.rest();
        let meant = match rest.get(..2) {
            Some("=>") => ">=",
            Some("=<") => "<=",
            _ => return Ok(()),
        };
        let start = self.offset() as u32;
        let message = message!("write", "write {meant}", meant = meant);
        Err(QueryError::new(Span::new(start, start + 2), message))
    }

    /// Returns the range, or an error from `start` on if no number lies in it.
    fn non_empty(&self, start: usize, range: RangeInclusive<i64>) -> Result<RangeInclusive<i64>, QueryError> {
        if range.is_empty() {
            let span = Span::new(start as u32, self.at as u32);
            let message = if self.text[start..].starts_with(['<', '>']) {
                message!("empty_range", "no number lies in this range")
            } else {
                message!("smaller_first", "expected the smaller number first")
            };
            return Err(QueryError::new(span, message));
        }
        Ok(range)
    }

    /// Creates the error that something else was expected than what comes next.
    pub(super) fn expected<'w>(&mut self, what: impl Into<What<'w>>) -> QueryError {
        let what = what.into();
        self.mismatch(|found| what.message(found))
    }

    /// Creates the error that something else was expected than the word that comes next: the nearest of `words`, or, if none is near,
    /// what `otherwise` says.
    pub(super) fn expected_among<'w>(
        &mut self,
        what: &str,
        words: impl IntoIterator<Item = &'w str>,
        otherwise: impl FnOnce(&str) -> Message,
    ) -> QueryError {
        self.mismatch(|found| meant(what, found, words).unwrap_or_else(|| otherwise(found)))
    }

    /// Creates the error with what comes next, which is not what was expected.
    pub(super) fn mismatch(&mut self, message: impl FnOnce(&str) -> Message) -> QueryError {
        let start = self.offset();
        let rest = self.rest();
        let run = self.peek_run();
        let found =
            if run.is_empty() { rest.chars().next().map_or("", |c| &rest[..c.len_utf8()]) } else { run };
        let span = Span::new(start as u32, (start + found.len()) as u32);
        QueryError::new(span, message(found))
    }
}
