//! Reads the texts of games for conditions on tags that an index does not store, and on comments. Nothing else in a search reads a text.

use std::borrow::Cow;

use crate::{Index, TextReader};
use pdn::error::Result;
use pdn::internal::parse::recognise_tag;
use pdn::internal::replay::comment_words;
use pdn::internal::sort;
use pdn::internal::view::result_that_counts;
use pdn::limits::Limits;
use pdn::parse::{Comment, Flow, TagPair, VariationAction, VariationMark, Visitor, unescape, walk_with};
use pdn::source::{Decoder, Encoding};
use pdn::value::{TagName, decode_entities};
use pdn::view::RecordView;

/// The text of a game of an index, with the decoder of its input.
#[derive(Default)]
pub(super) struct RecordText<'t> {
    text: &'t [u8],
    decoder: Decoder,
}

impl<'t> RecordText<'t> {
    /// Reads the text of a game by its number in the index, from 0. It is empty if the index has no such game. `texts` reads the
    /// records of an index, and most quickly those of games that follow each other.
    ///
    /// # Errors
    /// If the archive of the game is gone or has changed, or its text was not embedded.
    pub(super) fn read(index: &Index, texts: &'t mut TextReader<'_>, game: u64) -> Result<Self> {
        let Some(indexed) = index.game(game) else { return Ok(Self::default()) };
        Ok(Self { decoder: indexed.decoder()?, text: texts.text(game)? })
    }

    /// Returns the tags.
    pub(super) fn tags(&self) -> RecordTags<'_> {
        RecordTags::with_decoder(self.text, self.decoder)
    }

    /// Returns the comments that have words, line by line: those of the main line, then those of each variation in the order in
    /// which their brackets open. Without their embedded commands, decoded, with runs of whitespace as one space.
    pub(super) fn comments(&self) -> Vec<String> {
        let mut found = CommentsByLine::default();
        // The visitor never breaks off.
        let _ = walk_with(self.text, &Limits::DEFAULT, &mut found);
        sort::by_key(&mut found.comments, |&(line, _)| line);
        let encoding = self.decoder.guess(self.text).encoding;
        let text = |comment: &[u8]| {
            let words: Vec<String> = comment_words(comment).map(|words| text_of(encoding, words)).collect();
            words.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let comments =
            found.comments.into_iter().filter(|(_, comment)| comment_words(comment).next().is_some());
        comments.map(|(_, comment)| text(comment)).collect()
    }
}

/// Collects the comments of a record, each with the number of its line.
#[derive(Default)]
struct CommentsByLine<'g> {
    comments: Vec<(usize, &'g [u8])>,
    /// The lines that are open, the innermost last; the main line is not listed.
    open: Vec<usize>,
    /// The number of variations so far.
    variations: usize,
}

impl<'g> Visitor<'g> for CommentsByLine<'g> {
    const NUMBERS: bool = false;

    fn comment(&mut self, comment: Comment<'g>) -> Flow {
        self.comments.push((self.open.last().copied().unwrap_or(0), comment.text));
        Flow::Continue(())
    }
    fn begin_variation(&mut self, _: VariationMark) -> VariationAction {
        self.variations += 1;
        self.open.push(self.variations);
        VariationAction::Enter
    }
    fn end_variation(&mut self, _: VariationMark) -> Flow {
        self.open.pop();
        Flow::Continue(())
    }
}

/// The tags of a record as text, decoded like the names in an index.
///
/// ```
/// use pdn_index::internal::query::RecordTags;
///
/// let tags = RecordTags::new(b"[Wit \"J. Jansen\"]\n[TimeControl \"40/7200\"]\n1. 32-28 *\n");
/// assert_eq!(tags.value("timecontrol").as_deref(), Some("40/7200"));
/// assert_eq!(tags.value("White").as_deref(), Some("J. Jansen"), "a Dutch name of the tag");
/// assert_eq!(tags.value("Annotator"), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RecordTags<'a> {
    record: &'a [u8],
    view: RecordView<'a>,
    decoder: Decoder,
}

impl<'a> RecordTags<'a> {
    /// Creates the view of the tags of a record of which nothing else is known: its encoding is recognised from its bytes
    /// alone. Nothing is read yet.
    pub fn new(record: &'a [u8]) -> Self {
        Self::with_decoder(record, Decoder::default())
    }

    /// Creates the view of the tags of a record of a file with this decoder. Nothing is read yet.
    ///
    /// ```
    /// use pdn_index::internal::query::RecordTags;
    /// use pdn::source::{Decoder, Encoding};
    ///
    /// let record = b"[Round \"\xe11\"]\n1. 32-28 *\n";
    /// let of_file = Decoder::new(Some(Encoding::KOI8_R), record);
    /// assert_eq!(RecordTags::with_decoder(record, of_file).value("Round").as_deref(), Some("А1"));
    /// ```
    pub fn with_decoder(record: &'a [u8], decoder: Decoder) -> Self {
        Self { record, view: RecordView::new(record), decoder }
    }

    /// Returns the value of the first tag of this name, in any case, that is not empty; if there is none, that of the
    /// first tag whose name means the same in another language or program. O(bytes of the tag section).
    pub fn value(&self, name: &str) -> Option<String> {
        let has_value = |tag: &TagPair<'a>| !tag.value.trim_ascii().is_empty();
        let mut tags = self.view.tags().filter(has_value);
        if let Some(tag) = tags.find(|tag| tag.name.eq_ignore_ascii_case(name.as_bytes())) {
            return Some(self.decode(tag.value));
        }
        let wanted = recognise_tag(name.as_bytes())?.tag;
        let means_this = |tag: &TagPair<'a>| recognise_tag(tag.name).is_some_and(|found| found.tag == wanted);
        let tag = self.view.tags().filter(has_value).find(means_this)?;
        Some(self.decode(tag.value))
    }

    /// Returns the value of the Result tag as written: of several, the one whose result counts. See
    /// [`ReplaySummary::result`](pdn::replay::ReplaySummary::result).
    ///
    /// ```
    /// use pdn_index::internal::query::RecordTags;
    ///
    /// let tags = RecordTags::new(b"[Resultaat \"0-2\"]\n1. 32-28 19-23 1-1\n");
    /// assert_eq!(tags.result_tag().as_deref(), Some("0-2"));
    /// assert_eq!(tags.result_end().as_deref(), Some("1-1"));
    /// ```
    pub fn result_tag(&self) -> Option<String> {
        let is_result =
            |tag: &TagPair<'a>| tag.recognised().is_some_and(|found| found.tag == TagName::Result);
        let values = self.view.tags().filter(is_result).map(|tag| tag.value);
        let chosen = values.fold(None, |earlier, value| result_that_counts(earlier, Some(value)));
        chosen.map(|value| self.decode(value))
    }

    /// Returns the terminator as written. O(bytes of the record).
    pub fn result_end(&self) -> Option<String> {
        self.view.terminator().map(|end| self.decode(end.text))
    }

    /// Returns the names and values of all tags, in the order of the text.
    pub fn all(&self) -> Vec<(String, String)> {
        let mut encoding = None;
        let mut decode = |part: &[u8]| {
            if part.is_ascii() {
                return text_of(Encoding::UTF_8, part);
            }
            text_of(*encoding.get_or_insert_with(|| self.decoder.guess(self.record).encoding), part)
        };
        self.view.tags().map(|tag| (decode(tag.name), decode(tag.value))).collect()
    }

    fn decode(&self, part: &[u8]) -> String {
        let encoding =
            if part.is_ascii() { Encoding::UTF_8 } else { self.decoder.guess(self.record).encoding };
        text_of(encoding, part)
    }
}

/// Decodes a part of a record: without escapes, entities and surrounding whitespace.
fn text_of(encoding: Encoding, part: &[u8]) -> String {
    let unescaped = unescape(part);
    let text: Cow<'_, str> = encoding.decode(&unescaped);
    decode_entities(&text).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_tag_that_is_not_empty_counts() {
        let value = |record: &str, name| RecordTags::new(record.as_bytes()).value(name);
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(value("[White \" \"]\n[White \"a\"]\n*", "White"), text("a"));
        assert_eq!(value("[Wit \"\"]\n[Weiss \"a\"]\n*", "White"), text("a"), "names of other languages");
        assert_eq!(value("[Wit \"\"]\n*", "White"), None);
    }
}
