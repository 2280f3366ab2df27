//! What stands before the moves: tags, and comments between them.

use crate::limits::Limits;
use crate::simd::{self, Isa, Task};
use crate::span::Span;
use crate::syntax::{
    CommentClosing, CommentFinder, NAME_BYTES, TagForm, TagSpans, is_name_byte, line_end, lost_bracket,
    plain_tag, skip_blanks, starts_line, tag,
};

/// The parts of a header, one after the other. Once it has none left, [`Header::at`] is where movetext begins.
#[derive(Debug)]
pub(crate) struct Header<'g> {
    game: &'g [u8],
    at: usize,
    reach: usize,
    comments: CommentFinder,
}

/// A part of a header.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HeaderPart {
    /// A tag with its bracket.
    Tag(TagSpans),
    /// A tag whose opening bracket was lost.
    LostBracket(TagSpans),
    /// A comment in braces.
    Comment(Span, CommentClosing),
    /// A comment to the end of its line.
    LineComment(Span),
    /// Blanks with a control character among them, from that on.
    Control(Span),
    /// A line end typed as two characters.
    TypedEscape(Span),
}

impl<'g> Header<'g> {
    pub(crate) fn new(game: &'g [u8], limits: &Limits) -> Self {
        let at = if game.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Self { game, at, reach: limits.comment_bytes, comments: CommentFinder::new() }
    }

    /// The next part, if nothing is needed to tell it but blanks and one look at a block: a plain tag.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next_plain<I: Isa>(&mut self, isa: I) -> Option<TagSpans> {
        let mut at = self.at;
        while let Some(b'\n' | b'\r' | b'\t' | b' ') = self.game.get(at) {
            at += 1;
        }
        let spans = plain_tag(isa, self.game, at)?.spans(at);
        self.at = spans.end;
        Some(spans)
    }

    /// Whether movetext begins with a digit, after the usual blanks at most. If so, these are passed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn is_over(&mut self) -> bool {
        let rest = self.game.get(self.at..).unwrap_or_default();
        let blanks = rest.iter().take_while(|byte| matches!(byte, b'\n' | b'\r' | b'\t' | b' ')).count();
        let over = rest.get(blanks).is_some_and(u8::is_ascii_digit);
        if over {
            self.at += blanks;
        }
        over
    }

    /// The next tag, whatever stands before it.
    #[inline]
    pub(crate) fn next_tag(&mut self) -> Option<TagSpans> {
        if let Some(spans) = simd::run(NextPlain { header: self }) {
            return Some(spans);
        }
        loop {
            if let HeaderPart::Tag(spans) | HeaderPart::LostBracket(spans) = self.next()? {
                return Some(spans);
            }
        }
    }

    /// Offset of the first byte that has not been passed.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// What it knows of the comments to come.
    pub(crate) fn into_comments(self) -> CommentFinder {
        self.comments
    }
}

/// [`Header::next_plain`] for the instruction set of this processor.
struct NextPlain<'h, 'g> {
    header: &'h mut Header<'g>,
}

impl Task for NextPlain<'_, '_> {
    type Output = Option<TagSpans>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, isa: I) -> Option<TagSpans> {
        self.header.next_plain(isa)
    }
}

impl Iterator for Header<'_> {
    type Item = HeaderPart;

    #[inline]
    fn next(&mut self) -> Option<HeaderPart> {
        let game = self.game;
        let blanks = self.at;
        self.at = skip_blanks(game, blanks).end;
        let at = self.at;
        if let Some(n) = game[blanks..at].iter().position(|&b| is_control(b)) {
            return Some(HeaderPart::Control(Span::new((blanks + n) as u32, at as u32)));
        }
        let span = |end: usize| Span::new(at as u32, end as u32);
        match *game.get(at)? {
            b'[' => {
                let spans = tag(game, at).filter(|spans| spans.form != TagForm::None)?;
                self.at = spans.end;
                Some(HeaderPart::Tag(spans))
            }
            b'{' => {
                let comment = self.comments.end(game, at, self.reach);
                self.at = comment.end;
                Some(HeaderPart::Comment(span(self.at), comment.shape))
            }
            b'%' if !starts_line(game, 0, at) => None,
            b';' | b'%' => {
                self.at = line_end(game, at);
                Some(HeaderPart::LineComment(span(self.at)))
            }
            b'\\' if matches!(game.get(at + 1), Some(b'r' | b'n')) => {
                self.at = at + 2;
                Some(HeaderPart::TypedEscape(span(self.at)))
            }
            b'A'..=b'Z' => {
                let spans = tag_without_bracket(game, at)?;
                self.at = spans.end;
                Some(HeaderPart::LostBracket(spans))
            }
            _ => None,
        }
    }
}

/// The tag `Event "x"]` at `at`, its opening bracket lost, if that is what stands there.
#[cold]
pub(crate) fn tag_without_bracket(game: &[u8], at: usize) -> Option<TagSpans> {
    let name = at + game[at..].iter().take(NAME_BYTES + 1).take_while(|&&b| is_name_byte(b)).count();
    let quote = skip_blanks(game, name).end;
    if game.get(quote) != Some(&b'"') || lost_bracket(game, 0, quote) != Some(at) {
        return None;
    }
    // The line ends with quote, bracket and perhaps blanks.
    let line = line_end(game, quote);
    let bracket = at + memchr::memrchr(b']', &game[at..line])?;
    let close = at + memchr::memrchr(b'"', &game[at..bracket])?;
    Some(TagSpans {
        start: at,
        name: (at, name),
        value: (quote + 1, close.max(quote + 1)),
        end: bracket + 1,
        form: TagForm::Quoted,
        quote_closed: true,
        bracket_closed: true,
        inner_quotes: false,
    })
}

/// Whether `byte` is a control character that ends no line and moves no column.
fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t'..=b'\r')
}
