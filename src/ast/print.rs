//! Printing trees: byte for byte, or with edits.

use std::borrow::Cow;

use super::tree::{Part, Parts, SyntaxTree};

/// What becomes of a part in print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit<'e> {
    /// It stays as it is, and so does what is in it unless that is edited itself.
    Keep,
    /// It goes, with the blanks before it.
    Remove,
    /// Other text stands in its place.
    Replace(Cow<'e, [u8]>),
}

impl<'a> SyntaxTree<'a> {
    /// The text of the game: for a tree as built, its bytes, to the last blank.
    pub fn print(&self) -> Vec<u8> {
        self.print_edited(|_| Edit::Keep)
    }

    /// The text of the game with edits. `edit` is asked about each part in the order of the text, about what is
    /// inside a variation only if that is kept. Blanks, and bytes that belong to no part, stay as they are.
    ///
    /// ```
    /// # use pdn::ast::{TreeBuilder, Edit, Part};
    /// let arena = bumpalo::Bump::new();
    /// let tree = TreeBuilder::new().build(b"1. 32-28 {why?} 19-23 (18-23) *\n", &arena);
    /// let bare = tree.print_edited(|part| match part {
    ///     Part::Comment(_) | Part::Variation(_) => Edit::Remove,
    ///     _ => Edit::Keep,
    /// });
    /// assert_eq!(bare, b"1. 32-28 19-23 *\n");
    /// ```
    pub fn print_edited<'e>(&self, mut edit: impl FnMut(&Part<'a>) -> Edit<'e>) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.game.len());
        let mut printer = Printer { game: self.game, out: &mut out, at: 0 };
        // Explicit, since hostile text nests deeper than a stack is high.
        let mut lines: Vec<(Parts<'a>, usize)> = vec![(self.parts(), self.game.len())];
        while let Some((parts, end)) = lines.last_mut() {
            let Some(part) = parts.next() else {
                let end = *end;
                printer.keep_to(end);
                lines.pop();
                continue;
            };
            let span = part.span().range();
            match edit(&part) {
                Edit::Keep => match part {
                    Part::Variation(variation) => lines.push((variation.parts(), span.end)),
                    _ => printer.keep_to(span.end),
                },
                Edit::Remove => printer.remove(span.start, span.end),
                Edit::Replace(text) => {
                    printer.keep_to(span.start);
                    printer.out.extend_from_slice(&text);
                    printer.at = span.end;
                }
            }
        }
        out
    }
}

struct Printer<'p> {
    game: &'p [u8],
    out: &'p mut Vec<u8>,
    /// The bytes before are printed or gone.
    at: usize,
}

impl Printer<'_> {
    fn keep_to(&mut self, end: usize) {
        if self.at < end {
            self.out.extend_from_slice(&self.game[self.at..end]);
            self.at = end;
        }
    }

    fn remove(&mut self, start: usize, end: usize) {
        let between = &self.game[self.at..start.max(self.at)];
        let kept = between.trim_ascii_end().len();
        self.keep_to(self.at + kept);
        self.at = end;
    }
}
