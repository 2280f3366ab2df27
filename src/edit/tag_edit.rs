//! Changes the tags and parts of one record, in the encoding of that record.

use std::borrow::Cow;
use std::fmt;

use super::text_edit::{OverlappingEdits, TextEdit, TextEdits};
use crate::ast::{Part, SyntaxTree, TagPlace};
use crate::source::Encoding;
use crate::span::Span;

/// Collects changes of one record. Every byte that no change names is copied.
///
/// New text is encoded in the encoding of the record; text that this encoding lacks is refused.
/// [`to_utf8`](super::to_utf8) turns a whole file into UTF-8, which has all characters.
#[derive(Clone, Debug)]
pub struct GameEditor<'a> {
    tree: SyntaxTree<'a>,
    encoding: Encoding,
    edits: Vec<TextEdit>,
    /// Tags that the record does not have, as they are written, in the order in which they were set.
    added: Vec<(String, Vec<u8>)>,
}

impl<'a> GameEditor<'a> {
    /// Creates an editor of the record of `tree`. [`GameRef::encoding`](crate::archive::GameRef::encoding) guesses the
    /// encoding of a record.
    pub fn new(tree: SyntaxTree<'a>, encoding: Encoding) -> Self {
        Self { tree, encoding, edits: Vec::new(), added: Vec::new() }
    }

    /// Sets the tag `name` to `value`.
    ///
    /// The first tag of this name is replaced as a whole; names are compared byte by byte. Without one, the tag is added
    /// on a line of its own after the last tag of the tag section, or before the first part if there is no tag section.
    /// Quotes and backslashes of the value are escaped, and its line ends become spaces.
    ///
    /// # Errors
    /// If the encoding of the record lacks a character of the value.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), Unencodable> {
        let tag = crate::ast::tag_text(name, &self.encode(value)?);
        match self.tree.tag_place(name) {
            TagPlace::Present(span) => self.replace_edit(span, tag),
            TagPlace::After(_) | TagPlace::Before(_) => {
                self.added.retain(|(other, _)| other != name);
                self.added.push((name.to_owned(), tag));
            }
        }
        Ok(())
    }

    /// Removes every tag `name`, each with the whitespace before it. Returns `false` if there is none.
    pub fn remove_tag(&mut self, name: &str) -> bool {
        let spans: Vec<Span> =
            self.tree.tags().filter(|tag| tag.name == name.as_bytes()).map(|tag| tag.span).collect();
        for &span in &spans {
            self.remove_span(span);
        }
        let added = self.added.len();
        self.added.retain(|(other, _)| other != name);
        !spans.is_empty() || self.added.len() < added
    }

    /// Replaces a part by `text`, which is copied as given, apart from its encoding.
    ///
    /// # Errors
    /// If the encoding of the record lacks a character of `text`.
    pub fn replace(&mut self, part: &Part<'_>, text: &str) -> Result<(), Unencodable> {
        self.replace_span(part.span(), text)
    }

    /// Replaces the bytes of `span` by `text`, which is copied as given, apart from its encoding. An empty span
    /// inserts.
    ///
    /// # Errors
    /// If the encoding of the record lacks a character of `text`.
    pub fn replace_span(&mut self, span: Span, text: &str) -> Result<(), Unencodable> {
        let new = self.encode(text)?.into_owned();
        self.edits.push(TextEdit::new(span.range(), new));
        Ok(())
    }

    /// Removes a part and the whitespace before it. The first part of a record keeps the whitespace before it and loses
    /// the whitespace after it.
    pub fn remove(&mut self, part: &Part<'_>) {
        self.remove_span(part.span());
    }

    /// Returns the changes.
    ///
    /// # Errors
    /// If two changes concern the same bytes, such as a variation that is removed and a move inside of it.
    pub fn finish(mut self) -> Result<TextEdits, OverlappingEdits> {
        if let Some((first, others)) = self.added.split_first() {
            let line_end = self.tree.line_end();
            let mut new = Vec::new();
            let at = match self.tree.tag_place(&first.0) {
                TagPlace::Present(span) => span.end,
                TagPlace::After(at) => {
                    for (_, tag) in &self.added {
                        new.extend_from_slice(line_end);
                        new.extend_from_slice(tag);
                    }
                    at
                }
                TagPlace::Before(at) => {
                    new.extend_from_slice(&first.1);
                    for (_, tag) in others {
                        new.extend_from_slice(line_end);
                        new.extend_from_slice(tag);
                    }
                    new.extend_from_slice(line_end);
                    new.extend_from_slice(line_end);
                    at
                }
            };
            self.edits.push(TextEdit::new(at as usize..at as usize, new));
        }
        TextEdits::new(self.edits)
    }

    /// Replaces the bytes of a tag, and with them an earlier change of the same tag.
    fn replace_edit(&mut self, span: Span, new: Vec<u8>) {
        self.edits.retain(|edit| edit.range != span.range());
        self.edits.push(TextEdit::new(span.range(), new));
    }

    fn remove_span(&mut self, span: Span) {
        let text = self.tree.raw();
        let range = span.range();
        let before = text[..range.start].trim_ascii_end().len();
        let after = text.len() - text[range.end..].trim_ascii_start().len();
        // Without anything before it, whitespace after it would begin the record.
        let range = if before == 0 { range.start..after } else { before..range.end };
        self.edits.retain(|edit| edit.range.start < range.start || edit.range.end > range.end);
        self.edits.push(TextEdit::new(range, Vec::new()));
    }

    fn encode<'t>(&self, text: &'t str) -> Result<Cow<'t, [u8]>, Unencodable> {
        self.encoding.encode(text).ok_or_else(|| {
            let lacking = text.chars().find(|c| self.encoding.encode(c.encode_utf8(&mut [0; 4])).is_none());
            Unencodable { character: lacking.unwrap_or(char::REPLACEMENT_CHARACTER), encoding: self.encoding }
        })
    }
}

/// The error of text that the encoding of a record cannot express.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Unencodable {
    /// The first character that the encoding lacks.
    pub character: char,
    /// The encoding of the record.
    pub encoding: Encoding,
}

impl fmt::Display for Unencodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { character, encoding } = self;
        write!(
            f,
            "the encoding of the game, {encoding}, has no character `{character}`; turn the file into UTF-8 first"
        )
    }
}

impl std::error::Error for Unencodable {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Arena, TreeBuilder};

    fn edited(record: &[u8], encoding: Encoding, edit: impl FnOnce(&mut GameEditor<'_>)) -> Vec<u8> {
        let arena = Arena::new();
        let mut editor = GameEditor::new(TreeBuilder::new().build(record, &arena), encoding);
        edit(&mut editor);
        editor.finish().expect("no overlap").apply(record)
    }

    #[test]
    fn tags_are_added_where_there_are_none() {
        let set = |record: &[u8]| {
            let text = edited(record, Encoding::UTF_8, |editor| {
                editor.set_tag("White", "a \"b\"\nc").unwrap();
                editor.set_tag("Black", "x").unwrap();
                editor.set_tag("Black", "d").unwrap();
            });
            String::from_utf8(text).unwrap()
        };
        assert_eq!(set(b"1. 32-28 *\n"), "[White \"a \\\"b\\\" c\"]\n[Black \"d\"]\n\n1. 32-28 *\n");
        assert_eq!(set(b""), "[White \"a \\\"b\\\" c\"]\n[Black \"d\"]\n\n");
        assert_eq!(
            set(b"[Event \"x\"]\r\n\r\n*"),
            "[Event \"x\"]\r\n[White \"a \\\"b\\\" c\"]\r\n[Black \"d\"]\r\n\r\n*"
        );
        assert_eq!(
            set(b"[White \"x\"] {c} [Black \"y\"] 1. 32-28 *"),
            "[White \"a \\\"b\\\" c\"] {c} [Black \"d\"] 1. 32-28 *"
        );
    }

    #[test]
    fn tags_are_removed_with_whitespace_before_them() {
        let remove = |record: &[u8], name: &str| {
            let text = edited(record, Encoding::UTF_8, |editor| {
                editor.remove_tag(name);
            });
            String::from_utf8(text).unwrap()
        };
        let record = b"[Event \"x\"]\n[White \"a\"]\n[Event \"y\"]\n\n1. 32-28 *\n";
        assert_eq!(remove(record, "Event"), "[White \"a\"]\n\n1. 32-28 *\n");
        assert_eq!(remove(record, "White"), "[Event \"x\"]\n[Event \"y\"]\n\n1. 32-28 *\n");
        assert_eq!(remove(record, "Black"), String::from_utf8_lossy(record));
    }

    #[test]
    fn tag_that_was_added_before_can_be_removed() {
        let record = b"[Event \"x\"]\n\n*\n";
        let text = edited(record, Encoding::UTF_8, |editor| {
            editor.set_tag("White", "a").unwrap();
            assert!(editor.remove_tag("White") && !editor.remove_tag("White"));
            assert!(!editor.remove_tag("Black"));
        });
        assert_eq!(text, record);
    }

    #[test]
    fn new_text_is_in_the_encoding_of_the_record() {
        let record = Encoding::CP866.encode("[White \"Иванов\"]\n\n1. c3-d4 {ход} *\n").unwrap();
        let text = edited(&record, Encoding::CP866, |editor| {
            editor.set_tag("White", "Куперман").unwrap();
            let refused = editor.set_tag("Event", "Léman").unwrap_err();
            assert_eq!((refused.character, refused.encoding), ('é', Encoding::CP866));
        });
        assert_eq!(Encoding::CP866.decode(&text), "[White \"Куперман\"]\n\n1. c3-d4 {ход} *\n");
    }

    #[test]
    fn overlapping_changes_of_parts_are_refused() {
        let record = b"1. 32-28 (1. 33-28 19-23) 18-23 *";
        let arena = Arena::new();
        let tree = TreeBuilder::new().build(record, &arena);
        let mut editor = GameEditor::new(tree, Encoding::UTF_8);
        let Some(variation @ Part::Variation(inner)) = tree.parts().nth(2) else { panic!("a variation") };
        editor.replace(&inner.parts().nth(1).unwrap(), "33-29").unwrap();
        let mut both = editor.clone();
        both.replace(&variation, "").unwrap();
        assert!(both.finish().is_err());
        // A part that is removed takes the changes inside of it along.
        let mut removed = editor.clone();
        removed.remove(&variation);
        assert_eq!(removed.finish().unwrap().apply(record), b"1. 32-28 18-23 *");
        assert_eq!(editor.finish().unwrap().apply(record), b"1. 32-28 (1. 33-29 19-23) 18-23 *");
    }
}
