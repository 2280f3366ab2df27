//! Prints trees, byte for byte or with edits.

use std::borrow::Cow;

use super::tree::{Part, Parts, SyntaxTree};
use crate::parse::escape;

/// What [`SyntaxTree::print_edited`] does with a part.
///
/// Inserted text is copied as given: whitespace that separates it from its neighbours belongs to the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Edit<'e> {
    /// Prints the part unchanged. The parts inside a variation are edited on their own.
    Keep,
    /// Leaves out the part and the whitespace before it. A space stands in its place where two words would join.
    Remove,
    /// Prints this text in place of the part.
    Replace(Cow<'e, [u8]>),
    /// Prints this text directly before the part, and the part as [`Edit::Keep`] does.
    Before(Cow<'e, [u8]>),
    /// Prints the part as [`Edit::Keep`] does, and this text directly after it.
    After(Cow<'e, [u8]>),
}

impl<'a> SyntaxTree<'a> {
    /// Returns the text of the record: the exact bytes that the tree was built from.
    pub fn print(&self) -> Vec<u8> {
        self.print_edited(|_| Edit::Keep)
    }

    /// Returns the text of the record with edits.
    ///
    /// `edit` is called for each part in text order; for the parts inside a variation only if the variation is kept.
    /// Whitespace, and bytes that belong to no part, are copied unchanged.
    ///
    /// ```
    /// # use pdn::ast::{Arena, Part, TreeBuilder};
    /// # use pdn::internal::ast::Edit;
    /// let arena = Arena::new();
    /// let tree = TreeBuilder::new().build(b"1. 32-28 {why?} 19-23 (18-23) *\n", &arena);
    /// let bare = tree.print_edited(|part| match part {
    ///     Part::Comment(_) | Part::Variation(_) => Edit::Remove,
    ///     _ => Edit::Keep,
    /// });
    /// assert_eq!(bare, b"1. 32-28 19-23 *\n");
    ///
    /// let commented = tree.print_edited(|part| match part {
    ///     Part::Move(mv) if mv.text == b"19-23" => Edit::After(b" {the main line}".into()),
    ///     _ => Edit::Keep,
    /// });
    /// assert_eq!(commented, b"1. 32-28 {why?} 19-23 {the main line} (18-23) *\n");
    /// ```
    #[doc(hidden)]
    pub fn print_edited<'e>(&self, mut edit: impl FnMut(&Part<'a>) -> Edit<'e>) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.game.len());
        let mut printer = Printer { game: self.game, out: &mut out, at: 0, has_gap: false };
        // An explicit stack: hostile text nests deeper than the call stack allows.
        let mut lines = vec![OpenLine { parts: self.parts(), end: self.game.len(), after: None }];
        while let Some(line) = lines.last_mut() {
            let Some(part) = line.parts.next() else {
                printer.keep_to(line.end);
                if let Some(text) = line.after.take() {
                    printer.insert(&text);
                }
                lines.pop();
                continue;
            };
            let span = part.span().range();
            let (before, after) = match edit(&part) {
                Edit::Keep => (None, None),
                Edit::Before(text) => (Some(text), None),
                Edit::After(text) => (None, Some(text)),
                Edit::Remove => {
                    printer.remove(span.start, span.end);
                    continue;
                }
                Edit::Replace(text) => {
                    printer.keep_to(span.start);
                    printer.insert(&text);
                    printer.at = span.end;
                    continue;
                }
            };
            if let Some(text) = before {
                printer.keep_to(span.start);
                printer.insert(&text);
            }
            if let Part::Variation(variation) = part {
                lines.push(OpenLine { parts: variation.parts(), end: span.end, after });
                continue;
            }
            printer.keep_to(span.end);
            if let Some(text) = after {
                printer.insert(&text);
            }
        }
        out
    }

    /// Returns the line end that added lines get: CR LF if the record has one, else LF.
    pub(crate) fn line_end(&self) -> &'static [u8] {
        if self.game.windows(2).any(|pair| pair == b"\r\n") { b"\r\n" } else { b"\n" }
    }
}

/// Returns a tag pair with an escaped value, on one line: a bracket at the start of a line could start a new record.
pub(crate) fn tag_text(name: &str, value: &[u8]) -> Vec<u8> {
    [b"[", name.as_bytes(), b" \"", &escape(&one_line(value)), b"\"]"].concat()
}

/// Returns a text with spaces in place of line ends.
pub(crate) fn one_line(text: &[u8]) -> Vec<u8> {
    text.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }).collect()
}

/// The record or a variation, as far as it is not printed.
struct OpenLine<'a, 'e> {
    parts: Parts<'a>,
    /// Offset of its end in the record.
    end: usize,
    /// Text to insert after it.
    after: Option<Cow<'e, [u8]>>,
}

struct Printer<'p> {
    game: &'p [u8],
    out: &'p mut Vec<u8>,
    /// Offset in the record: the bytes before it are printed or left out.
    at: usize,
    /// The bytes directly before `at` are left out.
    has_gap: bool,
}

impl Printer<'_> {
    /// Prints the bytes of the record up to `end`.
    fn keep_to(&mut self, end: usize) {
        if self.at < end {
            let kept = &self.game[self.at..end];
            self.keep_words_apart(kept);
            self.out.extend_from_slice(kept);
            self.at = end;
        }
    }

    /// Prints a space if a part was left out before `next` and the words on both sides of it would join.
    fn keep_words_apart(&mut self, next: &[u8]) {
        let Some(next) = next.first() else { return };
        let is_of_word = |byte: &u8| !byte.is_ascii_whitespace() && !b"()[]{}".contains(byte);
        if std::mem::take(&mut self.has_gap) && is_of_word(next) && self.out.last().is_some_and(is_of_word) {
            self.out.push(b' ');
        }
    }

    fn insert(&mut self, text: &[u8]) {
        self.keep_words_apart(text);
        self.out.extend_from_slice(text);
    }

    /// Leaves out the bytes from `start` to `end` and the whitespace before them.
    fn remove(&mut self, start: usize, end: usize) {
        let between = &self.game[self.at..start.max(self.at)];
        let kept = between.trim_ascii_end().len();
        self.keep_to(self.at + kept);
        self.at = end;
        self.has_gap = true;
    }
}
