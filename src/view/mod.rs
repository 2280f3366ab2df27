//! Reads a record lazily: every call parses what it needs and stores nothing.
//!
//! Suited to filtering by tags, to counting, and to a first look at an archive. Each call reads the bytes again. A program
//! that needs all parts of a record should [`walk`](crate::parse::walk) over it once or build a tree ([`ast`](crate::ast)).
//!
//! ```
//! use pdn::view::RecordView;
//!
//! let game = RecordView::new(b"[White \"Ames\"] 1. 32-28 {good} 19-23 1-1");
//! assert_eq!(game.tag("White"), Some(&b"Ames"[..]));
//! assert_eq!(game.moves().map(|mv| mv.text).collect::<Vec<_>>(), [&b"32-28"[..], b"19-23"]);
//! assert_eq!(game.result(), Some(&b"1-1"[..]));
//! ```

pub(crate) mod tags;
pub(crate) mod tag_values;

use tag_values::result_that_counts;
pub(crate) use tag_values::{TagValues, tag_that_counts};
use tags::SectionTags;
pub(crate) use tags::Tags;
use tags::raw_tag;

use crate::limits::Limits;
use crate::parse::{
    self, Flow, TagPair, TagSection, TagSectionPart, Terminator, VariationAction, VariationMark, Visitor,
    WrittenMove,
};
use crate::span::Span;
use crate::split::Record;
use crate::value::TagName;

/// A view of one record: its bytes and their offset in the input.
///
/// `Copy`, and free to create: nothing is parsed before a method is called.
///
/// ```
/// let game = pdn::view::RecordView::new(b"[White \"Sijbrands\"] 1. 32-28 (1. 33-28) 19-23 1-1");
/// assert_eq!(game.tag("White"), Some(&b"Sijbrands"[..]));
/// assert_eq!(game.moves().map(|mv| mv.text).collect::<Vec<_>>(), [b"32-28", b"19-23"]);
/// assert_eq!(game.result(), Some(&b"1-1"[..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordView<'a> {
    record: Record<'a>,
}

impl<'a> RecordView<'a> {
    /// Creates a view of the record `bytes`, at offset 0.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { record: Record { bytes, offset: 0, cut: false } }
    }

    /// Returns the bytes of the record, as they stand in the input.
    pub const fn raw(&self) -> &'a [u8] {
        self.record.bytes
    }

    /// Returns the byte offset of the record in its input, from 0.
    pub const fn offset(&self) -> u64 {
        self.record.offset
    }

    /// Returns the record as [`split`](crate::split) found it.
    pub const fn record(&self) -> Record<'a> {
        self.record
    }

    /// Iterates over all tags, in text order: those of the tag section, then those that stand among the moves by mistake.
    ///
    /// The tags are those that [`walk`](Self::walk) reports. After the tag section, the movetext is searched for bytes that a tag
    /// needs; only if there are any, the record is walked over.
    ///
    /// ```
    /// let game = pdn::view::RecordView::new(b"[White \"Ames\"] 1. 32-28 [Black \"Bell\"] 19-23 {[Site \"x\"]} *");
    /// let tags: Vec<_> = game.tags().map(|tag| (tag.value, tag.in_moves)).collect();
    /// assert_eq!(tags, [(&b"Ames"[..], false), (b"Bell", true)]);
    /// ```
    #[inline]
    pub fn tags(&self) -> impl Iterator<Item = TagPair<'a>> + use<'a> {
        Tags::new(self.record.bytes)
    }

    /// Iterates over the tags of the tag section only, in text order. The movetext is not read.
    #[inline]
    pub fn section_tags(&self) -> impl Iterator<Item = TagPair<'a>> + use<'a> {
        SectionTags::new(self.record.bytes)
    }

    /// Returns the value of the first tag with this name, as written, with escapes. Names are compared byte by byte.
    ///
    /// Reads no further than that tag. A tag may stand among the moves; see [`tags`](Self::tags).
    #[inline]
    pub fn tag(&self, name: &str) -> Option<&'a [u8]> {
        self.tags().find(|tag| tag.name == name.as_bytes()).map(|tag| tag.value)
    }

    /// Returns the bytes after the tag section: moves, comments, variations and the terminator.
    pub fn movetext(&self) -> &'a [u8] {
        let mut header = TagSection::new(self.record.bytes, &Limits::DEFAULT);
        header.by_ref().for_each(drop);
        &self.record.bytes[header.at()..]
    }

    /// Returns the result that counts, as written: the first tag whose name means Result in any spelling, and whose
    /// outcome is known, else the terminator. See `GameResult::or_later`.
    ///
    /// Reads the whole record.
    pub fn result(&self) -> Option<&'a [u8]> {
        #[derive(Default)]
        struct FindResult<'g> {
            tag: Option<&'g [u8]>,
            terminator: Option<&'g [u8]>,
        }

        impl<'g> Visitor<'g> for FindResult<'g> {
            fn tag(&mut self, tag: TagPair<'g>) -> Flow {
                let has_value = !tag.value.trim_ascii().is_empty();
                if has_value && tag.recognised().is_some_and(|name| name.tag == TagName::Result) {
                    self.tag = result_that_counts(self.tag, Some(tag.value));
                }
                Flow::Continue(())
            }
            fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
                VariationAction::Skip
            }
            fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
                self.terminator.get_or_insert(terminator.text);
                Flow::Continue(())
            }
        }

        let mut search = FindResult::default();
        self.walk(&mut search);
        result_that_counts(search.tag, search.terminator)
    }

    /// Returns the terminator, if there is one. Reads the whole record.
    pub fn terminator(&self) -> Option<Terminator<'a>> {
        #[derive(Default)]
        struct FindTerminator<'g>(Option<Terminator<'g>>);

        impl<'g> Visitor<'g> for FindTerminator<'g> {
            fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
                VariationAction::Skip
            }
            fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
                self.0 = Some(terminator);
                Flow::Break(())
            }
        }

        let mut search = FindTerminator::default();
        self.walk(&mut search);
        search.0
    }

    /// Iterates over the written moves of the main line, in text order.
    #[inline]
    pub fn moves(&self) -> impl Iterator<Item = WrittenMove<'a>> + Clone + use<'a> {
        let mut header = TagSection::new(self.record.bytes, &Limits::DEFAULT);
        let mut result = &[][..];
        for part in header.by_ref() {
            if let TagSectionPart::Tag(spans) | TagSectionPart::LostBracket(spans) = part
                && let tag = raw_tag(self.record.bytes, spans)
                && let Some(value) = parse::result_of_tag(tag.name, tag.value, result)
            {
                result = value;
            }
        }
        ViewMoves {
            game: self.record.bytes,
            result,
            at: header.at(),
            lookahead: Lookahead::default(),
            next: 0,
            ended: false,
        }
    }

    /// Walks over the record with `visitor`; see [`parse::walk`].
    #[inline]
    pub fn walk<V: Visitor<'a>>(&self, visitor: &mut V) {
        parse::walk(self.record.bytes, visitor);
    }
}

impl<'a> From<Record<'a>> for RecordView<'a> {
    fn from(record: Record<'a>) -> Self {
        Self { record }
    }
}

impl<'a> From<&'a [u8]> for RecordView<'a> {
    /// As [`RecordView::new`].
    fn from(bytes: &'a [u8]) -> Self {
        Self::new(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for RecordView<'a> {
    /// As [`RecordView::new`].
    fn from(bytes: &'a [u8; N]) -> Self {
        Self::new(bytes)
    }
}

impl<'a> From<&'a Vec<u8>> for RecordView<'a> {
    /// As [`RecordView::new`].
    fn from(bytes: &'a Vec<u8>) -> Self {
        Self::new(bytes)
    }
}

impl AsRef<[u8]> for RecordView<'_> {
    /// As [`RecordView::raw`].
    fn as_ref(&self) -> &[u8] {
        self.raw()
    }
}

/// Iterator over the written moves of the main line; see [`RecordView::moves`].
// Twin: a walk that collects every move; test: `moves_equal_those_of_one_walk`.
#[derive(Clone, Debug)]
struct ViewMoves<'a> {
    game: &'a [u8],
    /// The value of the Result tag, trimmed: it decides whether a last `4-6` is a move or the terminator.
    result: &'a [u8],
    /// Offset in the record at which the walk resumes.
    at: usize,
    lookahead: Lookahead,
    /// Index in `lookahead` of the next move to return.
    next: usize,
    /// The walk has reached the end of the record.
    ended: bool,
}

/// The spans of the next moves. The walk stops when it is full.
#[derive(Clone, Debug, Default)]
struct Lookahead {
    spans: [Span; 16],
    len: usize,
}

impl<'g> Visitor<'g> for Lookahead {
    #[inline]
    fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
        self.spans[self.len] = mv.span;
        self.len += 1;
        if self.len == self.spans.len() { Flow::Break(()) } else { Flow::Continue(()) }
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        VariationAction::Skip
    }
}

impl<'a> Iterator for ViewMoves<'a> {
    type Item = WrittenMove<'a>;

    #[inline]
    fn next(&mut self) -> Option<WrittenMove<'a>> {
        if self.next == self.lookahead.len {
            if self.ended {
                return None;
            }
            self.lookahead.len = 0;
            self.next = 0;
            self.ended = parse::resume(self.game, self.at, self.result, &mut self.lookahead).is_continue();
            let last = self.lookahead.len.checked_sub(1)?;
            self.at = self.lookahead.spans[last].end as usize;
        }
        let span = self.lookahead.spans[self.next];
        self.next += 1;
        Some(WrittenMove { text: span.of(self.game), span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Collects the moves of the main line in one walk.
    #[derive(Default)]
    struct MainLineMoves<'g>(Vec<WrittenMove<'g>>);

    impl<'g> Visitor<'g> for MainLineMoves<'g> {
        fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
            self.0.push(mv);
            Flow::Continue(())
        }

        fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
            VariationAction::Skip
        }
    }

    proptest! {
        #[test]
        fn moves_equal_those_of_one_walk(
            tag in prop::sample::select(vec!["", "[Result \"4-6\"]\n", "[White \"a\"]\n\n", "[Result \"*\"]\n\n"]),
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "32-28 ", "32-28 ", "19-23 ", "28x19x30 ", "1. ", "2... ", "a3b4 ", "! ", "$3 ", "{c} ", "( ", "1-2) ",
                    "; c\n", "4-6 ", "2-0 ", "* ", "- ", "... ", "/FEN \"\"/ ", "x ", "\n", "32 - 28 ", "<23> ", "3228 ",
                ]),
                0..80,
            ),
        ) {
            let text = [tag, &parts.concat()].concat();
            let game = RecordView::new(text.as_bytes());
            let mut expected = MainLineMoves::default();
            game.walk(&mut expected);
            prop_assert_eq!(game.moves().collect::<Vec<_>>(), expected.0, "{}", text);
        }
    }

    #[test]
    fn tags_are_those_of_the_tag_section() {
        let game = RecordView::new(
            b"[Event \"x\"] {c} ; d\n[White \"a\"]\nBlack \"b\"]\n[Result \"2-0\"] 1. 32-28 *",
        );
        let names: Vec<_> = game.tags().map(|tag| tag.name).collect();
        assert_eq!(names, [&b"Event"[..], b"White", b"Black", b"Result"]);
        assert_eq!(game.tag("White"), Some(&b"a"[..]));
        assert_eq!(game.tag("white"), None);
        assert_eq!(game.movetext(), b"1. 32-28 *");
        assert_eq!(game.result(), Some(&b"2-0"[..]));
    }

    #[test]
    fn moves_are_complete_for_any_count() {
        for plies in [0, 1, 15, 16, 17, 32, 100] {
            let mut text = String::from("[Result \"4-6\"]\n");
            let moves: Vec<_> = (0..plies).map(|n| format!("{}-{}", n % 50 + 1, n % 7 + 10)).collect();
            for mv in &moves {
                text += &format!("{mv}! (1-2 (3-4) 5-6) {{7-8}} ");
            }
            text += "4-6";
            let got: Vec<_> = RecordView::new(text.as_bytes())
                .moves()
                .map(|mv| String::from_utf8(mv.text.to_vec()).unwrap())
                .collect();
            assert_eq!(got, moves);
        }
    }
}
