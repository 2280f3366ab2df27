//! A game read lazily: nothing is parsed before it is asked for, and nothing is built.
//!
//! Useful for filtering by tags, for counting, for a first look. Every question reads the bytes anew, so a program
//! that wants everything of a game should [`walk`](crate::parse::walk) once or build an [`ast`](crate::ast).

use crate::limits::Limits;
use crate::parse::{
    self, Flow, TagPair, TagSection, TagSectionPart, Terminator, VariationAction, VariationMark, Visitor,
    WrittenMove,
};
use crate::span::Span;
use crate::split::Record;
use crate::syntax::TagSpans;

/// A view of one game: its bytes and where they stand.
///
/// ```
/// let game = pdn::view::GameView::new(b"[White \"Sijbrands\"] 1. 32-28 (1. 33-28) 19-23 1-1");
/// assert_eq!(game.tag("White"), Some(&b"Sijbrands"[..]));
/// assert_eq!(game.moves().map(|mv| mv.text).collect::<Vec<_>>(), [b"32-28", b"19-23"]);
/// assert_eq!(game.result(), Some(&b"1-1"[..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameView<'a> {
    slice: Record<'a>,
}

impl<'a> GameView<'a> {
    /// A view of the record `bytes`.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { slice: Record { bytes, offset: 0, cut: false } }
    }

    /// Its bytes, as they stand in the archive.
    pub const fn raw(&self) -> &'a [u8] {
        self.slice.bytes
    }

    /// Offset of its first byte in the archive.
    pub const fn offset(&self) -> u64 {
        self.slice.offset
    }

    /// The record that it is a view of.
    pub const fn slice(&self) -> Record<'a> {
        self.slice
    }

    /// Its tags, in order; those among the moves are not.
    #[inline]
    pub fn tags(&self) -> Tags<'a> {
        Tags { game: self.slice.bytes, header: TagSection::new(self.slice.bytes, &Limits::DEFAULT) }
    }

    /// The raw value of the first tag of that name, compared byte by byte. Reads no further than that tag.
    #[inline]
    pub fn tag(&self, name: &str) -> Option<&'a [u8]> {
        self.tags().find(|tag| tag.name == name.as_bytes()).map(|tag| tag.value)
    }

    /// The bytes after the tags: moves, comments, variations and the terminator.
    pub fn movetext(&self) -> &'a [u8] {
        let mut header = TagSection::new(self.slice.bytes, &Limits::DEFAULT);
        header.by_ref().for_each(drop);
        &self.slice.bytes[header.at()..]
    }

    /// What the game says of its result: the terminator if there is one that tells (not `*` or `-`), else the
    /// Result tag. Reads the whole game.
    pub fn result(&self) -> Option<&'a [u8]> {
        let written = self.terminator().map(|end| end.text).filter(|text| !matches!(*text, b"*" | b"-"));
        written.or_else(|| self.tag("Result"))
    }

    /// What ends the game. Reads the whole game.
    pub fn terminator(&self) -> Option<Terminator<'a>> {
        #[derive(Default)]
        struct End<'g>(Option<Terminator<'g>>);

        impl<'g> Visitor<'g> for End<'g> {
            fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
                VariationAction::Skip
            }
            fn terminator(&mut self, terminator: Terminator<'g>) -> Flow {
                self.0 = Some(terminator);
                Flow::Break(())
            }
        }

        let mut end = End::default();
        self.walk(&mut end);
        end.0
    }

    /// The moves of the main line, as written, in order.
    #[inline]
    pub fn moves(&self) -> ViewMoves<'a> {
        let mut header = TagSection::new(self.slice.bytes, &Limits::DEFAULT);
        let mut result = &[][..];
        for part in header.by_ref() {
            if let TagSectionPart::Tag(spans) | TagSectionPart::LostBracket(spans) = part
                && self.slice.bytes[spans.name.0..spans.name.1].eq_ignore_ascii_case(b"result")
            {
                result = self.slice.bytes[spans.value.0..spans.value.1].trim_ascii();
            }
        }
        ViewMoves {
            game: self.slice.bytes,
            result,
            at: header.at(),
            batch: Batch::default(),
            next: 0,
            over: false,
        }
    }

    /// Walks over the game with `visitor`.
    #[inline]
    pub fn walk<V: Visitor<'a>>(&self, visitor: &mut V) {
        parse::walk(self.slice.bytes, visitor);
    }
}

impl<'a> From<Record<'a>> for GameView<'a> {
    fn from(slice: Record<'a>) -> Self {
        Self { slice }
    }
}

impl<'a> From<&'a [u8]> for GameView<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::new(bytes)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for GameView<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Self::new(bytes)
    }
}

impl<'a> From<&'a Vec<u8>> for GameView<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Self::new(bytes)
    }
}

/// Iterator over the tags of a game.
#[derive(Debug)]
pub struct Tags<'a> {
    game: &'a [u8],
    header: TagSection<'a>,
}

impl<'a> Iterator for Tags<'a> {
    type Item = TagPair<'a>;

    #[inline]
    fn next(&mut self) -> Option<TagPair<'a>> {
        self.header.next_tag().map(|spans| raw_tag(self.game, spans))
    }
}

#[inline]
fn raw_tag(game: &[u8], spans: TagSpans) -> TagPair<'_> {
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

/// Iterator over the moves of the main line. Walks ahead a few moves at a time.
#[derive(Clone, Debug)]
pub struct ViewMoves<'a> {
    game: &'a [u8],
    result: &'a [u8],
    /// Where the walk goes on.
    at: usize,
    batch: Batch,
    next: usize,
    over: bool,
}

/// The moves walked ahead.
#[derive(Clone, Debug, Default)]
struct Batch {
    spans: [Span; 16],
    len: usize,
}

impl<'g> Visitor<'g> for Batch {
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
        if self.next == self.batch.len {
            if self.over {
                return None;
            }
            self.batch.len = 0;
            self.next = 0;
            self.over = parse::resume(self.game, self.at, self.result, &mut self.batch).is_continue();
            let last = self.batch.len.checked_sub(1)?;
            self.at = self.batch.spans[last].end as usize;
        }
        let span = self.batch.spans[self.next];
        self.next += 1;
        Some(WrittenMove { text: span.of(self.game), span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_read_without_the_moves() {
        let game =
            GameView::new(b"[Event \"x\"] {c} ; d\n[White \"a\"]\nBlack \"b\"]\n[Result \"2-0\"] 1. 32-28 *");
        let names: Vec<_> = game.tags().map(|tag| tag.name).collect();
        assert_eq!(names, [&b"Event"[..], b"White", b"Black", b"Result"]);
        assert_eq!(game.tag("White"), Some(&b"a"[..]));
        assert_eq!(game.tag("white"), None);
        assert_eq!(game.movetext(), b"1. 32-28 *");
        assert_eq!(game.result(), Some(&b"2-0"[..]));
    }

    #[test]
    fn moves_come_in_batches_of_any_length() {
        for plies in [0, 1, 15, 16, 17, 32, 100] {
            let mut text = String::from("[Result \"4-6\"]\n");
            let moves: Vec<_> = (0..plies).map(|n| format!("{}-{}", n % 50 + 1, n % 7 + 10)).collect();
            for mv in &moves {
                text += &format!("{mv}! (1-2 (3-4) 5-6) {{7-8}} ");
            }
            text += "4-6";
            let got: Vec<_> = GameView::new(text.as_bytes())
                .moves()
                .map(|mv| String::from_utf8(mv.text.to_vec()).unwrap())
                .collect();
            assert_eq!(got, moves);
        }
    }
}
