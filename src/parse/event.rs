//! The parts of a record that a visitor receives: raw, borrowed from the record, not interpreted.
//!
//! All spans are relative to the first byte of the record.

use crate::span::Span;
use crate::value::{RecognisedTag, TagName, decode_entities};

/// A tag pair.
///
/// ```
/// use pdn::parse::unescape;
/// use pdn::view::RecordView;
///
/// let record = br#"[White "Piet \"Pit\" Roozenburg"] 1. 32-28 *"#;
/// let tag = RecordView::from(record).tags().next().unwrap();
/// assert_eq!((tag.name, tag.in_moves), (&b"White"[..], false));
/// assert_eq!(tag.value_span.of(record), tag.value);
/// assert_eq!(*unescape(tag.value), *br#"Piet "Pit" Roozenburg"#);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TagPair<'g> {
    /// The name as written.
    pub name: &'g [u8],
    /// The value as written, without its quotes; `\"` and `\\` are still escaped, see [`unescape`](super::unescape).
    pub value: &'g [u8],
    /// The span of the whole pair, brackets included.
    pub span: Span,
    /// The span of the name.
    pub name_span: Span,
    /// The span of the value, without its quotes.
    pub value_span: Span,
    /// `true` if the pair stands in the movetext, `false` if it stands in the tag section.
    pub in_moves: bool,
}

impl TagPair<'_> {
    /// Returns the tag that the name means, or `None` if it means no tag that PDN knows. See [`recognise_tag`].
    ///
    /// ```
    /// use pdn::parse::{Flow, TagPair, Visitor, walk};
    /// use pdn::value::TagName;
    ///
    /// #[derive(Default)]
    /// struct Winner(Option<Vec<u8>>);
    ///
    /// impl<'g> Visitor<'g> for Winner {
    ///     fn tag(&mut self, tag: TagPair<'g>) -> Flow {
    ///         if tag.recognised().is_some_and(|recognised| recognised.tag == TagName::Result) {
    ///             self.0 = Some(tag.value.to_vec());
    ///         }
    ///         Flow::Continue(())
    ///     }
    /// }
    ///
    /// let mut winner = Winner::default();
    /// walk(b"[Resultaat \"2-0\"] 1. 32-28 *", &mut winner);
    /// assert_eq!(winner.0.as_deref(), Some(&b"2-0"[..]));
    /// ```
    #[doc(hidden)]
    #[inline]
    pub fn recognised(&self) -> Option<RecognisedTag> {
        recognise_tag(self.name)
    }
}

/// Returns the tag that a tag name means: the one place where names are recognised.
///
/// Exact names are recognised first, with one comparison. Then follow names with other capitals, then aliases of other
/// languages and programs, and last the same with HTML character references decoded (`R&eacute;sultat`). A name in an
/// encoding other than UTF-8 must be decoded before; see [`TagName::find`].
///
/// Allocates only if the name contains character references.
#[inline]
pub fn recognise_tag(name: &[u8]) -> Option<RecognisedTag> {
    TagName::find(name).or_else(|| recognise_decoded(name))
}

#[cold]
fn recognise_decoded(name: &[u8]) -> Option<RecognisedTag> {
    memchr::memchr(b'&', name)?;
    TagName::find(decode_entities(std::str::from_utf8(name).ok()?).as_bytes())
}

/// A move number: `12.` or `12...`.
///
/// ```
/// use pdn::ast::{Arena, Part, TreeBuilder};
///
/// let arena = Arena::new();
/// let tree = TreeBuilder::new().build(b"12. 32-28 {quiet} 12... 19-23 *", &arena);
/// let numbers = tree.parts().filter_map(|part| match part {
///     Part::Number(number) => Some((number.number, number.second)),
///     _ => None,
/// });
/// assert_eq!(numbers.collect::<Vec<_>>(), [(12, false), (12, true)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MoveNumber {
    /// The number, or [`u32::MAX`] if it is greater than that.
    pub number: u32,
    /// `true` after at least three dots: the second side moves.
    pub second: bool,
    /// The span of the number and its dots.
    pub span: Span,
}

/// A written move, not yet known to be legal: `32-28`, `26x17x10`, `a3b4`, `3228`, `32 - 28`.
///
/// ```
/// use pdn::view::RecordView;
///
/// let record = b"1. 32-28 19-23 2. 28x19 14:23 *";
/// let last = RecordView::from(record).moves().last().unwrap();
/// assert_eq!((last.text, last.span.start), (&b"14:23"[..], 24));
/// assert_eq!(last.span.of(record), last.text);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct WrittenMove<'g> {
    /// The text of the move.
    pub text: &'g [u8],
    /// The span of the text.
    pub span: Span,
}

/// The mark that stands in place of a missing move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingMark {
    /// `...`: the first side's move in `1. ... 18-23`, an unknown move elsewhere.
    Ellipsis,
    /// `-` or `--`.
    Dash,
}

/// A missing move: a mark in place of a move that is unknown or left out.
///
/// A [`Visitor`](super::Visitor) receives it by [`missing`](super::Visitor::missing).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MissingMove {
    /// The mark.
    #[doc(hidden)]
    pub kind: MissingMark,
    /// The span of the mark.
    pub span: Span,
}

/// A move strength as written: `!`, `(?)`, `*`, `□`. It belongs to the move before it.
///
/// [`MoveStrength::parse`](crate::value::MoveStrength::parse) reads its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct StrengthMark<'g> {
    /// The text of the mark.
    pub text: &'g [u8],
    /// The span of the text.
    pub span: Span,
}

/// The way in which a comment is written.
///
/// [`Comment`] has an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CommentKind {
    /// `{...}`
    Braces,
    /// `;` to the end of the line.
    Semicolon,
    /// `%` at the start of a line, to the end of that line.
    Percent,
    /// Words in parentheses, `(see game 5)`.
    Parentheses,
    /// Words without any of these signs: a heading, a paragraph, `[see game 5]`, a letter that refers to a footnote, `32-28-A`, or a sign
    /// of chess, `28x19+`.
    Bare,
}

/// A comment.
///
/// ```
/// use pdn::parse::{Comment, CommentKind, Flow, Visitor, walk};
///
/// #[derive(Default)]
/// struct Comments<'g>(Vec<(CommentKind, &'g [u8])>);
///
/// impl<'g> Visitor<'g> for Comments<'g> {
///     fn comment(&mut self, comment: Comment<'g>) -> Flow {
///         self.0.push((comment.kind, comment.text));
///         Flow::Continue(())
///     }
/// }
///
/// let mut comments = Comments::default();
/// walk(b"1. 32-28 {quiet} 19-23 ; sharp\n2. 28x19 *", &mut comments);
/// assert_eq!(comments.0, [(CommentKind::Braces, &b"quiet"[..]), (CommentKind::Semicolon, b" sharp")]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Comment<'g> {
    /// The text without braces, parentheses, semicolon or percent sign.
    pub text: &'g [u8],
    /// The way in which the comment is written.
    pub kind: CommentKind,
    /// The span of the whole comment, braces or parentheses included.
    pub span: Span,
}

impl Comment<'_> {
    /// Returns the span of the text. It stands after the sign that opens the comment, if there is one.
    pub(crate) fn text_span(&self) -> Span {
        let has_sign = self.text.len() < self.span.len() as usize;
        let start = self.span.start + u32::from(has_sign);
        Span::new(start, start + self.text.len() as u32)
    }
}

/// A setup, `/FEN "W:W31-50:B1-20"/`: a position set in the movetext, or a null move (PDN 3.0, section 5.2).
///
/// ```
/// use pdn::ast::{Arena, Part, TreeBuilder};
/// use pdn::value::{Colour, Fen};
///
/// let arena = Arena::new();
/// let tree = TreeBuilder::new().build(b"/FEN \"B:W32,37:B14,19\"/ 1. ... 19-23 *", &arena);
/// let Some(Part::Setup(setup)) = tree.parts().next() else { panic!() };
/// let fen = Fen::parse(setup.fen)?;
/// assert_eq!((fen.turn(), fen.len()), (Some(Colour::Black), 4));
/// # Ok::<(), pdn::value::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SetupCommand<'g> {
    /// The text between the quotes.
    pub fen: &'g [u8],
    /// The span of that text.
    pub fen_span: Span,
    /// The span of the whole command, slashes included.
    pub span: Span,
}

/// The opening or closing parenthesis of a variation.
///
/// ```
/// use pdn::parse::{Flow, VariationAction, VariationMark, Visitor, WrittenMove, walk};
///
/// /// Collects the moves of the main line and of its variations, but not of the variations inside those.
/// #[derive(Default)]
/// struct Outer<'g>(Vec<&'g [u8]>);
///
/// impl<'g> Visitor<'g> for Outer<'g> {
///     fn written_move(&mut self, mv: WrittenMove<'g>) -> Flow {
///         self.0.push(mv.text);
///         Flow::Continue(())
///     }
///
///     fn begin_variation(&mut self, variation: VariationMark) -> VariationAction {
///         if variation.depth > 1 { VariationAction::Skip } else { VariationAction::Enter }
///     }
/// }
///
/// let mut outer = Outer::default();
/// walk(b"1. 32-28 (1. 33-28 (1. 34-30) 19-23) 18-23 *", &mut outer);
/// assert_eq!(outer.0, [b"32-28", b"33-28", b"19-23", b"18-23"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct VariationMark {
    /// The span of the parenthesis; empty if a closing one is missing.
    pub span: Span,
    /// The number of open variations, this one included: 1 for a variation of the main line.
    pub depth: u32,
}

/// The terminator of a record: `*`, a result, or `-` for no result.
///
/// ```
/// use pdn::value::{GameResult, Outcome};
/// use pdn::view::RecordView;
///
/// let terminator = RecordView::from(b"1. 32-28 19-23 1-1\n").terminator().unwrap();
/// assert_eq!(GameResult::parse(terminator.text).outcome(), Outcome::Draw);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Terminator<'g> {
    /// The text of the terminator.
    pub text: &'g [u8],
    /// The span of the text.
    pub span: Span,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::TagSpelling;

    #[test]
    fn recognise_tag_reads_character_references_last() {
        for (name, tag, spelling) in [
            ("Result", TagName::Result, TagSpelling::Exact),
            ("result", TagName::Result, TagSpelling::Case),
            ("P1", TagName::White, TagSpelling::Program),
            ("Resultaat", TagName::Result, TagSpelling::Language),
            ("R&eacute;sultat", TagName::Result, TagSpelling::Language),
            ("R&#x00e9;sultat", TagName::Result, TagSpelling::Language),
            ("&#69;vent", TagName::Event, TagSpelling::Exact),
        ] {
            assert_eq!(recognise_tag(name.as_bytes()), Some(RecognisedTag { tag, spelling }), "{name}");
        }
        for name in [&b""[..], b"&", b"Comment", b"&#69;", b"R\xE9sultat", b"R&\xE9"] {
            assert_eq!(recognise_tag(name), None, "{}", name.escape_ascii());
        }
    }
}
