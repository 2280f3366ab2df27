//! Iterates over the tags of a record.

use crate::limits::Limits;
use crate::parse::{self, Flow, TagPair, TagSection, VariationAction, VariationMark, Visitor};
use crate::simd::{Isa, contains_any};
use crate::span::Span;
use crate::syntax::{TagSpans, is_name_start, is_whitespace};

/// Iterator over the tags of a tag section; see [`RecordView::section_tags`](super::RecordView::section_tags).
#[derive(Debug)]
pub(crate) struct SectionTags<'a> {
    game: &'a [u8],
    header: TagSection<'a>,
    /// The number of tags so far.
    count: usize,
}

impl<'a> SectionTags<'a> {
    #[inline]
    pub(super) fn new(game: &'a [u8]) -> Self {
        Self { game, header: TagSection::new(game, &Limits::DEFAULT), count: 0 }
    }
}

impl<'a> Iterator for SectionTags<'a> {
    type Item = TagPair<'a>;

    #[inline]
    fn next(&mut self) -> Option<TagPair<'a>> {
        let spans = self.header.next_tag()?;
        self.count += 1;
        Some(raw_tag(self.game, spans))
    }
}

/// Iterator over all tags of a record; see [`RecordView::tags`](super::RecordView::tags).
// Twin: a walk that collects every tag; test: `tags_equal_those_of_a_walk`.
#[derive(Debug)]
pub struct Tags<'a> {
    section: SectionTags<'a>,
    /// The tags among the moves, once the tag section is over.
    late: Option<std::vec::IntoIter<TagPair<'a>>>,
}

impl<'a> Tags<'a> {
    /// Begins to read the tags of a record.
    #[inline]
    pub fn new(game: &'a [u8]) -> Self {
        Self { section: SectionTags::new(game), late: None }
    }

    /// Passes the tags up to the first irregular one to `take`, with an instruction set. Returns `true` if `take` broke off, or if
    /// it is certain that no other tags follow.
    // Twin: `next`; test: `tags_equal_those_of_a_walk`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn pass_regular<I: Isa>(&mut self, isa: I, mut take: impl FnMut(TagPair<'a>) -> Flow) -> bool {
        let SectionTags { game, header, count } = &mut self.section;
        while let Some(spans) = header.next_regular(isa) {
            *count += 1;
            if take(raw_tag(game, spans)).is_break() {
                return true;
            }
        }
        header.is_over() && !contains_any(isa, &game[header.at()..], TAG_BYTES)
    }

    /// Returns the next tag after the tag section.
    fn next_late(&mut self) -> Option<TagPair<'a>> {
        let Self { section: SectionTags { game, header, count }, late } = self;
        let late = late.get_or_insert_with(|| {
            let may_have_tags = may_contain_tag(&game[header.at()..]);
            if may_have_tags { late_tags(game, *count) } else { Vec::new() }.into_iter()
        });
        late.next()
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = TagPair<'a>;

    #[inline]
    fn next(&mut self) -> Option<TagPair<'a>> {
        if self.late.is_none()
            && let Some(tag) = self.section.next()
        {
            return Some(tag);
        }
        self.next_late()
    }
}

/// Movetext without these bytes has no tags. A tag that lost its opening bracket has quotes.
const TAG_BYTES: [u8; 2] = [b'[', b'"'];

/// Returns `true` unless it is certain that movetext contains no tag. Brackets that a command in a comment opens
/// (`[%clk 0:05:00]`) are passed without a walk, because some archives have one for each move.
fn may_contain_tag(movetext: &[u8]) -> bool {
    let [bracket, quote] = TAG_BYTES;
    memchr::memchr2_iter(bracket, quote, movetext).any(|at| {
        movetext[at] == b'"'
            || movetext.get(at + 1).is_some_and(|&b| is_name_start(b) || b == b'&' || is_whitespace(b))
    })
}

/// Returns the tags of a record after the first `passed` ones.
#[cold]
fn late_tags(game: &[u8], passed: usize) -> Vec<TagPair<'_>> {
    let mut collected = TagCollector { passed, tags: Vec::new() };
    parse::walk(game, &mut collected);
    collected.tags
}

/// Collects the tags after the first `passed` ones.
struct TagCollector<'g> {
    passed: usize,
    tags: Vec<TagPair<'g>>,
}

impl<'g> Visitor<'g> for TagCollector<'g> {
    const NUMBERS: bool = false;
    const COMPACT: bool = true;

    fn tag(&mut self, tag: TagPair<'g>) -> Flow {
        match self.passed.checked_sub(1) {
            Some(passed) => self.passed = passed,
            None => self.tags.push(tag),
        }
        Flow::Continue(())
    }

    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        VariationAction::Skip
    }
}

#[inline]
pub(super) fn raw_tag(game: &[u8], spans: TagSpans) -> TagPair<'_> {
    let span = |(start, end): (usize, usize)| Span::new(start as u32, end as u32);
    let (name_span, value_span) = (span(spans.name), span(spans.value));
    TagPair {
        name: name_span.of(game),
        value: value_span.of(game),
        span: span((spans.start, spans.end)),
        name_span,
        value_span,
        in_moves: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Task, run_on_all};
    use proptest::prelude::*;

    /// Collects all tags in one walk that enters variations.
    #[derive(Default)]
    struct WalkedTags<'g>(Vec<TagPair<'g>>);

    impl<'g> Visitor<'g> for WalkedTags<'g> {
        fn tag(&mut self, tag: TagPair<'g>) -> Flow {
            self.0.push(tag);
            Flow::Continue(())
        }
    }

    /// Collects the tags up to the first irregular one by blocks, and the others one by one.
    #[derive(Clone)]
    struct PassRegular<'g>(&'g [u8]);

    impl<'g> Task for PassRegular<'g> {
        type Output = Vec<TagPair<'g>>;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn run<I: Isa>(self, isa: I) -> Self::Output {
            let (mut tags, mut passed) = (Tags::new(self.0), Vec::new());
            let take = |tag| {
                passed.push(tag);
                Flow::Continue(())
            };
            if !tags.pass_regular(isa, take) {
                passed.extend(tags);
            }
            passed
        }
    }

    #[track_caller]
    fn check(text: &str) -> Result<(), TestCaseError> {
        let mut expected = WalkedTags::default();
        parse::walk(text.as_bytes(), &mut expected);
        prop_assert_eq!(&Tags::new(text.as_bytes()).collect::<Vec<_>>(), &expected.0, "{}", text);
        for tags in run_on_all(PassRegular(text.as_bytes())) {
            prop_assert_eq!(&tags, &expected.0, "{}", text);
        }
        Ok(())
    }

    #[test]
    fn tags_among_the_moves_are_found() {
        for (text, count) in [
            ("1. 32-28 [White \"a\"] 19-23 *", 1),
            ("1. 32-28 [[[ White \"a\"] 19-23 *", 1),
            ("1. 32-28\nWhite \"a\"]\n19-23 *", 1),
            ("1. 32-28 [White] 19-23 * [&Eacute;v \"a\"]", 2),
            ("1. 32-28 {[White \"a\"]} ([Black \"b\"]) ; [Site \"c\"]\n*", 0),
            ("1. 32-28 {[%clk 0:05:00]} 19-23 *", 0),
        ] {
            assert_eq!(Tags::new(text.as_bytes()).count(), count, "{text}");
            check(text).unwrap();
        }
        assert!(!may_contain_tag(b"1. 32-28 {[%clk 0:05:00]} 19-23 [1] *"));
    }

    proptest! {
        #[test]
        fn tags_equal_those_of_a_walk(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "[White \"a\"]", "[Black \"b\"]\n", "[Result \"4-6\"]\n", "[Site]", "[Round x]\n", "[ Event \"e\"]", "[[", "]",
                    "\"", "\nDate \"1990\"]\n", "[Type de jeu \"20\"]\n", "[\u{c9}v \"x\"", "{[%clk 1]}", "{", "}", "(", ")", "; c\n",
                    "32-28 ", "19-23 ", "4-6 ", "1. ", "* ", "text ", "/FEN \"W:W1:B2\"/ ", "\n", " ", "\\n",
                ]),
                0..30,
            ),
        ) {
            check(&parts.concat())?;
        }
    }
}
