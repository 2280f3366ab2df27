//! A list of replacements in a text, applied in one pass.

use std::fmt;
use std::ops::Range;

use crate::sort;
use crate::steps;

/// The replacement of some bytes of a text.
///
/// [`TextEdits::new`] has an example.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct TextEdit {
    /// The bytes that are replaced, as offsets in the old text; empty for an insertion.
    pub range: Range<usize>,
    /// The bytes that take their place.
    pub new: Vec<u8>,
}

impl TextEdit {
    /// Creates the replacement of the bytes in `range` by `new`.
    pub fn new(range: Range<usize>, new: impl Into<Vec<u8>>) -> Self {
        Self { range, new: new.into() }
    }
}

/// Replacements in one text, in text order, none overlapping another.
///
/// The edits of the records of a file become those of the file:
///
/// ```
/// use pdn::ast::{Arena, TreeBuilder};
/// use pdn::edit::{RecordEditor, TextEdits};
/// use pdn::source::Encoding;
/// use pdn::value::TagName;
///
/// let file = b"[White \"Clerc\"]\n1. 32-28 *\n\n[White \"Gantwarg\"]\n1. 33-29 *\n";
/// let (mut edits, arena) = (TextEdits::default(), Arena::new());
/// for record in pdn::split::records(file) {
///     let tree = TreeBuilder::new().build(record.bytes, &arena);
///     let mut editor = RecordEditor::new(tree, Encoding::UTF_8);
///     editor.set_tag(TagName::Round, "7")?;
///     edits.append(editor.finish()?.shifted(record.offset as usize))?;
/// }
/// let edited = b"[White \"Clerc\"]\n[Round \"7\"]\n1. 32-28 *\n\n[White \"Gantwarg\"]\n[Round \"7\"]\n1. 33-29 *\n";
/// assert_eq!(edits.apply(file), edited);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextEdits(Vec<TextEdit>);

impl TextEdits {
    /// Creates a list of edits. Insertions at one offset keep their order.
    ///
    /// # Errors
    /// If two edits replace the same byte, text is to be inserted inside of bytes that are replaced, or an edit ends before it begins.
    ///
    /// ```
    /// use pdn::edit::{TextEdit, TextEdits};
    ///
    /// let edits = TextEdits::new(vec![TextEdit::new(6..7, "b"), TextEdit::new(0..1, "A")])?;
    /// assert_eq!(edits.apply(b"a c - - d"), b"A c - b d");
    /// assert!(TextEdits::new(vec![TextEdit::new(0..2, ""), TextEdit::new(1..3, "")]).is_err());
    /// # Ok::<(), pdn::edit::OverlappingEdits>(())
    /// ```
    pub fn new(mut edits: Vec<TextEdit>) -> Result<Self, OverlappingEdits> {
        if let Some(edit) = edits.iter().find(|edit| edit.range.end < edit.range.start) {
            return Err(OverlappingEdits { at: edit.range.start });
        }
        sort::by_key(&mut edits, |edit| (edit.range.start, edit.range.end));
        let overlap = edits.windows(2).find(|pair| pair[1].range.start < pair[0].range.end);
        match overlap {
            Some(pair) => Err(OverlappingEdits { at: pair[1].range.start }),
            None => Ok(Self(edits)),
        }
    }

    /// Returns the edits in text order.
    pub fn as_slice(&self) -> &[TextEdit] {
        &self.0
    }

    /// Returns the edits in text order, by value.
    pub fn into_vec(self) -> Vec<TextEdit> {
        self.0
    }

    /// Returns the offset in the old text of an offset in the new text. An offset inside of new text has none.
    ///
    /// At the end of new text, the offset is the end of the bytes that it replaces. O(edits).
    pub fn old_offset(&self, at: usize) -> Option<usize> {
        self.old_offsets().of(at)
    }

    /// Returns what [`old_offset`](Self::old_offset) computes, for many offsets. O(edits).
    pub(crate) fn old_offsets(&self) -> OldOffsets {
        let (mut old, mut new) = (0, 0);
        let places = self.0.iter().map(|edit| {
            let start = new + (edit.range.start - old);
            (old, new) = (edit.range.end, start + edit.new.len());
            (start, new, old)
        });
        OldOffsets(places.collect())
    }

    /// Returns `true` if there is no edit.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Moves all edits by `offset` bytes: from a record to the text in which it starts at that offset. For a game of an archive and its
    /// file, that is [`file_offset`](crate::archive::GameRef::file_offset).
    #[must_use]
    pub fn shifted(mut self, offset: usize) -> Self {
        for edit in &mut self.0 {
            edit.range = edit.range.start + offset..edit.range.end + offset;
        }
        self
    }

    /// Appends the edits of a later part of the text.
    ///
    /// # Errors
    /// If an edit of `later` begins before the end of the last edit.
    pub fn append(&mut self, later: Self) -> Result<(), OverlappingEdits> {
        if let (Some(last), Some(first)) = (self.0.last(), later.0.first())
            && first.range.start < last.range.end
        {
            return Err(OverlappingEdits { at: first.range.start });
        }
        self.0.extend(later.0);
        Ok(())
    }

    /// Returns `text` with the edits. Bytes outside of all edits are copied.
    ///
    /// # Panics
    /// If an edit lies beyond the end of `text`.
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let added: usize = self.0.iter().map(|edit| edit.new.len()).sum();
        steps::add(1 + text.len() / 64);
        let mut edited = Vec::with_capacity(text.len() + added);
        let mut at = 0;
        for edit in &self.0 {
            edited.extend_from_slice(&text[at..edit.range.start]);
            edited.extend_from_slice(&edit.new);
            at = edit.range.end;
        }
        edited.extend_from_slice(&text[at..]);
        edited
    }
}

/// The error of two edits that change the same bytes, and of one that ends before it begins.
///
/// Returned by [`TextEdits::new`] and [`TextEdits::append`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OverlappingEdits {
    /// The offset in the old text at which the second of them, or that one, begins.
    pub at: usize,
}

impl fmt::Display for OverlappingEdits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the edit at offset {} overlaps another one, or ends before it begins", self.at)
    }
}

impl std::error::Error for OverlappingEdits {}

/// The offsets in an old text of those in the new one.
pub(crate) struct OldOffsets(
    /// For each edit, in order: the start and the end of its new text, and the end of the bytes that it replaces.
    Vec<(usize, usize, usize)>,
);

impl OldOffsets {
    /// As [`TextEdits::old_offset`]. O(log edits).
    pub(crate) fn of(&self, at: usize) -> Option<usize> {
        let before = self.0.partition_point(|(start, _, _)| *start < at);
        match before.checked_sub(1).map(|last| self.0[last]) {
            None => Some(at),
            Some((_, new, _)) if at < new => None,
            Some((_, new, old)) => Some(old + (at - new)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bytes_outside_of_edits_are_copied(
            text in prop::collection::vec(any::<u8>(), 0..60),
            cuts in prop::collection::btree_set(0usize..60, 0..8),
            new in prop::collection::vec(any::<u8>(), 0..5),
        ) {
            let cuts: Vec<_> = cuts.into_iter().filter(|cut| *cut <= text.len()).collect();
            let ranges: Vec<_> = cuts.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect();
            let mut expected = text.clone();
            for range in ranges.iter().rev() {
                expected.splice(range.clone(), new.iter().copied());
            }
            let edits = ranges.into_iter().rev().map(|range| TextEdit::new(range, new.clone())).collect();
            prop_assert_eq!(TextEdits::new(edits).unwrap().apply(&text), expected);
        }
    }

    #[test]
    #[expect(clippy::reversed_empty_ranges, reason = "they are refused")]
    fn edits_that_end_before_they_begin_are_refused() {
        for edits in [vec![TextEdit::new(3..1, "x")], vec![TextEdit::new(0..1, ""), TextEdit::new(5..2, "")]]
        {
            let at = edits.last().unwrap().range.start;
            assert_eq!(TextEdits::new(edits), Err(OverlappingEdits { at }));
        }
    }

    #[test]
    fn offsets_of_new_text_lead_back_to_the_old_text() {
        let edits = TextEdits::new(vec![TextEdit::new(1..3, "xyz"), TextEdit::new(5..5, "i")]).unwrap();
        assert_eq!(edits.apply(b"abcdefg"), b"axyzdeifg");
        let old: Vec<_> = (0..=9).map(|at| edits.old_offset(at)).collect();
        let some = |at| Some(at);
        assert_eq!(old, [some(0), some(1), None, None, some(3), some(4), some(5), some(5), some(6), some(7)]);
    }

    #[test]
    fn overlapping_edits_are_refused() {
        let edits = |ranges: &[Range<usize>]| {
            TextEdits::new(ranges.iter().map(|range| TextEdit::new(range.clone(), "x")).collect())
        };
        for (ranges, at) in [(&[0..2, 1..3][..], 1), (&[0..4, 2..2], 2), (&[3..4, 0..9], 3)] {
            assert_eq!(edits(ranges), Err(OverlappingEdits { at }), "{ranges:?}");
        }
        for ranges in [&[0..2, 2..3][..], &[2..2, 2..2], &[0..2, 2..2], &[2..2, 2..3], &[]] {
            assert!(edits(ranges).is_ok(), "{ranges:?}");
        }
        let one = |start, end| TextEdits::new(vec![TextEdit::new(start..end, "x")]).unwrap();
        let mut first = one(0, 2);
        assert_eq!(first.append(one(1, 3)), Err(OverlappingEdits { at: 1 }));
        assert_eq!(first.append(one(1, 3).shifted(1)), Ok(()));
        assert_eq!(first.apply(b"abcd"), b"xx");
    }
}
