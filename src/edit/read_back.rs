//! Reads an edited record, to prove that it says what was asked and that nothing else changed its meaning.
//!
//! Damaged text can take in new text: a quote, a comment or a variation without its end, a comment up to the end of the line.
//! And without a part that is removed, its neighbours may become one word.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use crate::parse::{
    Comment, Flow, MissingMove, MoveNumber, SetupCommand, StrengthMark, TagPair, Terminator, VariationAction,
    VariationMark, Visitor, WrittenMove, unescape, walk,
};
use crate::sort;
use crate::span::Span;
use crate::split;
use crate::value::Nag;

use super::text_edit::{OverlappingEdits, TextEdits};

/// The error of changes that a record cannot have, because its text would not say what was asked.
///
/// ```
/// use pdn::ast::{Arena, Part, TreeBuilder};
/// use pdn::edit::{EditError, RecordEditor};
/// use pdn::source::Encoding;
///
/// let arena = Arena::new();
/// let tree = TreeBuilder::new().build(b"1. 32-28 19-23 *\n", &arena);
/// let first = tree.parts().find(|part| matches!(part, Part::Move(_))).unwrap();
/// let mut editor = RecordEditor::new(tree, Encoding::UTF_8);
/// // A comment without its end would take in the moves behind it.
/// editor.replace(&first, "33-28 {better")?;
/// assert!(matches!(editor.finish(), Err(EditError::Part { .. })));
/// # Ok::<(), pdn::edit::Unencodable>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EditError {
    /// Two changes concern the same bytes, such as a variation that is replaced and a move inside of it.
    Overlap(OverlappingEdits),
    /// A change concerns bytes that the record does not have.
    Beyond {
        /// The offset at which that change ends.
        at: usize,
    },
    /// A reader would not find a tag that is set, or would find another value.
    Tag {
        /// The name of the tag.
        name: String,
    },
    /// A reader would find something else where nothing is changed.
    Part {
        /// The offset of that place in the record before the changes.
        at: usize,
    },
    /// A reader would find another number of records.
    Records {
        /// The number of records that a reader would find.
        records: usize,
    },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overlap(error) => error.fmt(f),
            Self::Beyond { at } => {
                write!(f, "the record ends before offset {at}, up to which it is to be changed")
            }
            Self::Tag { name } => {
                write!(f, "the tag `{}` would not be read back with its value", name.escape_debug())
            }
            Self::Part { at } => write!(f, "the text at offset {at} of the record would mean something else"),
            Self::Records { records } => write!(f, "the record would be read as {records} records"),
        }
    }
}

impl std::error::Error for EditError {}

impl From<OverlappingEdits> for EditError {
    fn from(error: OverlappingEdits) -> Self {
        Self::Overlap(error)
    }
}

/// A record as a reader finds it before it is edited.
pub(super) struct ReadRecord<'r> {
    text: &'r [u8],
    parts: Vec<ReadPart>,
    records: usize,
}

impl<'r> ReadRecord<'r> {
    /// Reads a record.
    pub(super) fn new(text: &'r [u8]) -> Self {
        Self { text, parts: read_parts(text), records: split::records(text).count() }
    }

    /// Checks that a reader of the edited record finds for each name of `tags` a first tag with that value, without escapes;
    /// every part that no edit touches; every tag of which the edits touch the value only, with its new value; and no further
    /// part outside of what the edits touch.
    ///
    /// O(bytes of the record and of new text, times the logarithm of the number of edits).
    pub(super) fn check(&self, edits: &TextEdits, tags: HashMap<&[u8], Vec<u8>>) -> Result<(), EditError> {
        let edited = edits.apply(self.text);
        let records = split::records(&edited).count();
        // A record may become empty, and an empty one may get its first part.
        if records != self.records && records.max(self.records) > 1 {
            return Err(EditError::Records { records });
        }
        let parts = read_parts(&edited);
        check_tags(&edited, &parts, tags)?;
        Shifts::new(edits).check(&self.parts, &parts)
    }
}

/// Checks that the first tag of each name has the value wanted.
fn check_tags(
    edited: &[u8],
    parts: &[ReadPart],
    mut wanted: HashMap<&[u8], Vec<u8>>,
) -> Result<(), EditError> {
    let error = |name: &[u8]| EditError::Tag { name: String::from_utf8_lossy(name).into_owned() };
    for spans in parts.iter().filter_map(|part| part.tag) {
        let [name, value] = spans.map(|span| span.of(edited));
        if wanted.remove(name).is_some_and(|wanted| *unescape(value) != *wanted) {
            return Err(error(name));
        }
    }
    wanted.keys().min().map_or(Ok(()), |name| Err(error(name)))
}

/// Edits with the ranges that they replace and the ranges of their new text.
struct Shifts {
    /// The old bytes of each edit, in text order.
    old: Vec<Range<usize>>,
    /// The new bytes of each edit.
    new: Vec<Range<usize>>,
}

impl Shifts {
    fn new(edits: &TextEdits) -> Self {
        let mut shifts = Self { old: Vec::new(), new: Vec::new() };
        let (mut old_end, mut new_end) = (0, 0);
        for edit in edits.as_slice() {
            let start = new_end + (edit.range.start - old_end);
            (old_end, new_end) = (edit.range.end, start + edit.new.len());
            shifts.old.push(edit.range.clone());
            shifts.new.push(start..new_end);
        }
        shifts
    }

    /// Returns the new offset of an old one that lies behind the first `edits` edits and before all others.
    fn shift(&self, edits: usize, at: usize) -> usize {
        let (old, new) = match edits.checked_sub(1) {
            Some(last) => (self.old[last].end, self.new[last].end),
            None => (0, 0),
        };
        at - old + new
    }

    /// Returns the old offset of a new one; inside of new text, that at which the text stands.
    fn old_offset(&self, at: usize) -> usize {
        let edits = self.new.partition_point(|new| new.start <= at);
        let Some(last) = edits.checked_sub(1) else { return at };
        match at.checked_sub(self.new[last].end) {
            Some(behind) => self.old[last].end + behind,
            None => self.old[last].start,
        }
    }

    /// Returns which edits overlap a part. An empty part also counts as overlapped by the edits directly before and after it.
    fn touching(&self, part: &ReadPart) -> Range<usize> {
        let Range { start, end } = part.span.range();
        let is_empty = part.span.is_empty();
        let first = self.old.partition_point(|old| old.end < start || !is_empty && old.end == start);
        let last = self.old.partition_point(|old| old.start < end || is_empty && old.start == end);
        first..last.max(first)
    }

    /// Returns a part with its new place, given the edits that touch it. `None` if they touch more than the value of a tag, so
    /// that it may become anything.
    fn moved(&self, part: &ReadPart, edits: &Range<usize>) -> Option<ReadPart> {
        let moved = |span: Span, edits: Range<usize>| {
            let start = self.shift(edits.start, span.start as usize);
            Span::new(start as u32, self.shift(edits.end, span.end as usize) as u32)
        };
        let before = edits.start..edits.start;
        let is_inside = |value: Span| {
            let touching = &self.old[edits.clone()];
            touching.iter().all(|old| value.start as usize <= old.start && old.end <= value.end as usize)
        };
        let tag = match part.tag {
            Some([name, value]) if is_inside(value) => {
                Some([moved(name, before), moved(value, edits.clone())])
            }
            None if edits.is_empty() => None,
            _ => return None,
        };
        Some(ReadPart { kind: part.kind, span: moved(part.span, edits.clone()), tag })
    }

    /// Checks that the parts of the edited record are those of the record, apart from what the edits touch.
    fn check(&self, old: &[ReadPart], new: &[ReadPart]) -> Result<(), EditError> {
        let mut expected = Vec::with_capacity(old.len());
        let mut touched = self.new.clone();
        for part in old {
            let edits = self.touching(part);
            let Range { start, end } = part.span.range();
            if let Some(moved) = self.moved(part, &edits) {
                expected.push((start, moved));
            } else {
                let start = self.shift(edits.start, start.min(self.old[edits.start].start));
                touched.push(start..self.shift(edits.end, end.max(self.old[edits.end - 1].end)));
            }
        }
        let touched = joined(touched);
        let mut expected = expected.into_iter().peekable();
        for part in new {
            if expected.next_if(|(_, wanted)| wanted == part).is_some() {
                continue;
            }
            let Range { start, end } = part.span.range();
            let first = touched.partition_point(|range| range.end < start);
            let mut around = touched[first..].iter().take(2).filter(|range| range.start <= start);
            if around.clone().any(|range| end <= range.end) {
                continue;
            }
            // Behind new text, where the part goes on.
            let at = self.old_offset(around.next_back().map_or(start, |range| range.end));
            let at = expected.peek().map_or(at, |(wanted, _)| at.min(*wanted));
            return Err(EditError::Part { at });
        }
        expected.next().map_or(Ok(()), |(at, _)| Err(EditError::Part { at }))
    }
}

/// Returns ranges in order, with those that overlap or touch as one.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    sort::by_key(&mut ranges, |range| range.start);
    ranges.dedup_by(|next, range| {
        let is_joined = next.start <= range.end;
        range.end = if is_joined { range.end.max(next.end) } else { range.end };
        is_joined
    });
    ranges
}

/// A part of a record as a reader finds it: what it is and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ReadPart {
    kind: PartKind,
    span: Span,
    /// The spans of the name and the value of a tag.
    tag: Option<[Span; 2]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PartKind {
    Tag,
    Number,
    Move,
    Captures,
    Missing,
    Strength,
    Nag,
    Comment,
    Setup,
    VariationStart,
    VariationEnd,
    Terminator,
    Text,
}

/// Returns the parts of a record in text order.
fn read_parts(text: &[u8]) -> Vec<ReadPart> {
    let mut reader = PartReader(Vec::new());
    walk(text, &mut reader);
    reader.0
}

/// A visitor that collects all parts.
struct PartReader(Vec<ReadPart>);

impl PartReader {
    fn push(&mut self, kind: PartKind, span: Span) -> Flow {
        self.0.push(ReadPart { kind, span, tag: None });
        Flow::Continue(())
    }
}

impl<'g> Visitor<'g> for PartReader {
    const COMPACT: bool = true;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        let spans = [tag.name_span, tag.value_span];
        self.0.push(ReadPart { kind: PartKind::Tag, span: tag.span, tag: Some(spans) });
        Flow::Continue(())
    }

    fn move_number(&mut self, number: MoveNumber) -> Flow {
        self.push(PartKind::Number, number.span)
    }

    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.push(PartKind::Move, mv.span)
    }

    fn captures(&mut self, list: WrittenMove<'g>) -> Flow {
        self.push(PartKind::Captures, list.span)
    }

    fn missing(&mut self, missing: MissingMove) -> Flow {
        self.push(PartKind::Missing, missing.span)
    }

    fn strength(&mut self, strength: StrengthMark<'g>) -> Flow {
        self.push(PartKind::Strength, strength.span)
    }

    fn nag(&mut self, _: Nag, span: Span) -> Flow {
        self.push(PartKind::Nag, span)
    }

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.push(PartKind::Comment, comment.span)
    }

    fn setup(&mut self, setup: SetupCommand<'g>) -> Flow {
        self.push(PartKind::Setup, setup.span)
    }

    fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
        let _ = self.push(PartKind::VariationStart, variation.span);
        VariationAction::Enter
    }

    fn end_variation(&mut self, variation: VariationMark) -> Flow {
        self.push(PartKind::VariationEnd, variation.span)
    }

    fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
        self.push(PartKind::Terminator, terminator.span)
    }

    fn text(&mut self, _: &'g [u8], span: Span) -> Flow {
        self.push(PartKind::Text, span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::TextEdit;

    #[test]
    fn edits_may_not_join_or_remove_records() {
        let text = b"[White \"a\"]\n1. 32-28 *\n\n[White \"b\"]\n1. 33-28 *\n";
        let check =
            |edit| ReadRecord::new(text).check(&TextEdits::new(vec![edit]).unwrap(), HashMap::new()).err();
        assert_eq!(check(TextEdit::new(24..text.len(), Vec::new())), Some(EditError::Records { records: 1 }));
        assert_eq!(check(TextEdit::new(12..12, " ")), None);
    }
}
