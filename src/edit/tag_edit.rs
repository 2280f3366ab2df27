//! Changes the tags and parts of one record, in the encoding of that record.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use super::read_back::{EditError, ReadRecord};
use super::text_edit::{TextEdit, TextEdits};
use crate::ast::{Part, SyntaxTree, one_line, tag_text};
use crate::parse::recognise_tag;
use crate::sort;
use crate::source::Encoding;
use crate::span::Span;
use crate::value::TagKey;
use crate::view::{RecordView, tag_that_counts};

/// Collects changes of one record. Every byte that no change names is copied.
///
/// New text is encoded in the encoding of the record; text that this encoding lacks is refused.
/// `to_utf8` turns a whole file into UTF-8, which has all characters.
///
/// Changes that damaged text would swallow, or that would change the meaning of other text, are refused too:
/// [`finish`](Self::finish) reads the result. It knows this record only. A record without its tags or terminator may not be
/// told from its neighbours in a file; `RecordJoiner` puts records together safely.
///
/// ```
/// use pdn::ast::{Arena, Part, TreeBuilder};
/// use pdn::edit::RecordEditor;
/// use pdn::source::Encoding;
///
/// let (record, arena) = (b"1. 32-28 {a slip?} 19-24 2. 28-23 *\n", Arena::new());
/// let tree = TreeBuilder::new().build(record, &arena);
/// let mut editor = RecordEditor::new(tree, Encoding::UTF_8);
/// for part in &tree {
///     match part {
///         Part::Comment(_) => editor.remove(&part),
///         Part::Move(mv) if mv.text == b"19-24" => editor.replace(&part, "19-23")?,
///         _ => {}
///     }
/// }
/// assert_eq!(editor.finish()?.apply(record), b"1. 32-28 19-23 2. 28-23 *\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RecordEditor<'a> {
    tree: SyntaxTree<'a>,
    encoding: Encoding,
    edits: Vec<TextEdit>,
    /// The spans of parts that are removed.
    removed: Vec<Span>,
    /// Tags that are set, in the order in which they were.
    set: Vec<SetTag>,
}

/// A tag that is set.
#[derive(Clone, Debug)]
struct SetTag {
    name: String,
    /// On one line, in the encoding of the record.
    value: Vec<u8>,
    /// The tag that it replaces; `None` if the record has none of this name.
    replaced: Option<Span>,
}

/// Where tags are added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TagPlace {
    /// After the last tag of the tag section.
    Last,
    /// Before the first part of the record, where no damaged text precedes them.
    First,
}

impl<'a> RecordEditor<'a> {
    /// Creates an editor of the record of `tree`. [`GameRef::encoding`](crate::archive::GameRef::encoding) guesses the
    /// encoding of a record.
    pub fn new(tree: SyntaxTree<'a>, encoding: Encoding) -> Self {
        Self { tree, encoding, edits: Vec::new(), removed: Vec::new(), set: Vec::new() }
    }

    /// Sets a tag to `value`.
    ///
    /// A [`TagName`](crate::value::TagName) finds the tag as [`GameRef::text`](crate::archive::GameRef::text) does: `Wit` and `white`
    /// are White too. Of several, the one that counts is set, and its name stays as it is written. A string is the exact name of
    /// the tag, of which the first one is set. Without one, the tag is added on a line of its own after the last tag of the tag
    /// section, or before the first part if there is no tag section or its last tag is damaged so that it would swallow the new
    /// one. Quotes and backslashes of the value are escaped, and its line ends become spaces.
    ///
    /// ```
    /// use pdn::ast::{Arena, TreeBuilder};
    /// use pdn::edit::RecordEditor;
    /// use pdn::source::Encoding;
    /// use pdn::value::TagName;
    ///
    /// let (record, arena) = (b"[Wit \"Jansen\"]\n\n1. 32-28 *\n", Arena::new());
    /// let mut editor = RecordEditor::new(TreeBuilder::new().build(record, &arena), Encoding::UTF_8);
    /// editor.set_tag(TagName::White, "Jansen, J.")?;
    /// let edits = editor.finish()?;
    /// assert_eq!(edits.apply(record), b"[Wit \"Jansen, J.\"]\n\n1. 32-28 *\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the encoding of the record lacks a character of the value.
    pub fn set_tag<'t>(&mut self, tag: impl Into<TagKey<'t>>, value: &str) -> Result<(), Unencodable> {
        let value = one_line(&self.encode(value)?);
        let name = self.written_name(tag.into());
        self.set.retain(|tag| tag.name != name);
        let replaced = self.tree.tags().find(|tag| tag.name == name.as_bytes()).map(|tag| tag.span);
        if let Some(span) = replaced {
            self.removed.retain(|removed| *removed != span);
            self.drop_edits_inside(span);
        }
        self.set.push(SetTag { name, value, replaced });
        Ok(())
    }

    /// Returns the name of the tag that is set: of one that was set before, of one of the record, or of the standard.
    fn written_name(&self, tag: TagKey<'_>) -> String {
        let name = match tag {
            TagKey::Exact(name) => return name.to_owned(),
            TagKey::Recognised(name) => name,
        };
        if let Some(set) = self.set.iter().rev().find(|set| has_key(set.name.as_bytes(), tag)) {
            return set.name.clone();
        }
        let counts = tag_that_counts(&RecordView::new(self.tree.raw()), name);
        // Names that are recognised are UTF-8.
        counts.map_or(name.name().into(), |tag| String::from_utf8_lossy(tag.name).into_owned())
    }

    /// Removes every such tag with its line, or the whitespace that separates it from its neighbours: with a
    /// [`TagName`](crate::value::TagName) in any spelling, with a string those of this name. Returns `false` if there is none.
    pub fn remove_tag<'t>(&mut self, tag: impl Into<TagKey<'t>>) -> bool {
        let key = tag.into();
        let set = self.set.len();
        self.set.retain(|tag| !has_key(tag.name.as_bytes(), key));
        let removed = self.removed.len();
        for tag in self.tree.tags().filter(|tag| has_key(tag.name, key)) {
            self.removed.push(tag.span);
        }
        for index in removed..self.removed.len() {
            self.drop_edits_inside(self.removed[index]);
        }
        self.set.len() < set || removed < self.removed.len()
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

    /// Removes a part, with its line if nothing else stands on that, else with the whitespace before it. A space stays where its
    /// neighbours would become one word.
    pub fn remove(&mut self, part: &Part<'_>) {
        let span = part.span();
        self.set.retain(|tag| tag.replaced != Some(span));
        self.drop_edits_inside(span);
        self.removed.push(span);
    }

    /// Returns the changes. Reads the record before and after them. O(bytes of the record and of new text).
    ///
    /// # Errors
    /// If two changes concern the same bytes, one lies beyond the record, or a reader of the edited record would not find every tag that was set, and every
    /// other part as it was.
    pub fn finish(self) -> Result<TextEdits, EditError> {
        let record = ReadRecord::new(self.tree.raw());
        let checked = |place| {
            let edits = self.edits(place)?;
            let tags = self.set.iter().map(|tag| (tag.name.as_bytes(), tag.value.clone()));
            record.check(&edits, tags.collect::<HashMap<_, _>>())?;
            Ok(edits)
        };
        let is_added = self.set.iter().any(|tag| tag.replaced.is_none());
        checked(TagPlace::Last).or_else(|refused| {
            let other = is_added.then(|| checked(TagPlace::First).ok()).flatten();
            other.ok_or(refused)
        })
    }

    /// Returns the changes, which are not checked yet.
    fn edits(&self, place: TagPlace) -> Result<TextEdits, EditError> {
        let removed = removed_runs(self.tree.raw(), &self.removed);
        if let Some(edit) = self.edits.iter().find(|edit| edit.range.end > self.tree.raw().len()) {
            return Err(EditError::Beyond { at: edit.range.end });
        }
        let mut edits = self.edits.clone();
        edits.extend(removed.iter().map(|run| removal(self.tree.raw(), run.clone())));
        let replaced = self.set.iter().filter_map(|tag| Some((tag.replaced?, tag)));
        edits.extend(replaced.map(|(span, tag)| TextEdit::new(span.range(), tag.text())));
        edits.extend(self.added_tags(place, &removed));
        Ok(TextEdits::new(edits)?)
    }

    /// Returns the insertion of the tags that the record does not have. `removed` is what is removed.
    fn added_tags(&self, place: TagPlace, removed: &[Range<usize>]) -> Option<TextEdit> {
        let tags = || self.set.iter().filter(|tag| tag.replaced.is_none()).map(SetTag::text);
        tags().next()?;
        let is_kept = |span: &Span| {
            let run = removed.partition_point(|run| run.end < span.end as usize);
            removed.get(run).is_none_or(|run| run.start > span.start as usize)
        };
        let line_end = self.tree.line_end();
        let kept_tags = self.tree.tags().filter(|tag| !tag.in_moves).map(|tag| tag.span).filter(is_kept);
        let last = kept_tags.last();
        if let (TagPlace::Last, Some(last)) = (place, last) {
            let lines: Vec<u8> = tags().flat_map(|tag| [line_end, &tag].concat()).collect();
            return Some(TextEdit::new(last.end as usize..last.end as usize, lines));
        }
        let mut lines: Vec<u8> = tags().flat_map(|tag| [&tag, line_end].concat()).collect();
        if last.is_none() {
            lines.extend_from_slice(line_end);
        }
        let first = self.tree.parts().map(|part| part.span()).find(is_kept);
        let at = first.map_or(self.tree.raw().len(), |first| first.start as usize);
        Some(TextEdit::new(at..at, lines))
    }

    /// Removes the changes within a part from the list. Text that is inserted directly before or after the part stays.
    fn drop_edits_inside(&mut self, part: Span) {
        let part = part.range();
        self.edits.retain(|TextEdit { range, .. }| {
            let is_beside = range.is_empty() && (range.start == part.start || range.end == part.end);
            is_beside || range.start < part.start || range.end > part.end
        });
    }

    fn encode<'t>(&self, text: &'t str) -> Result<Cow<'t, [u8]>, Unencodable> {
        self.encoding.encode(text).ok_or_else(|| {
            let lacking = text.chars().find(|c| self.encoding.encode(c.encode_utf8(&mut [0; 4])).is_none());
            Unencodable { character: lacking.unwrap_or(char::REPLACEMENT_CHARACTER), encoding: self.encoding }
        })
    }
}

/// Returns `true` if a tag of this name is one that `key` finds.
fn has_key(name: &[u8], key: TagKey<'_>) -> bool {
    match key {
        TagKey::Exact(exact) => name == exact.as_bytes(),
        TagKey::Recognised(tag) => recognise_tag(name).is_some_and(|found| found.tag == tag),
    }
}

impl SetTag {
    fn text(&self) -> Vec<u8> {
        tag_text(&self.name, &self.value)
    }
}

/// Returns parts that are removed, in order, with those that only whitespace separates as one.
fn removed_runs(text: &[u8], removed: &[Span]) -> Vec<Range<usize>> {
    let mut runs: Vec<_> = removed.iter().map(|span| span.range()).collect();
    sort::by_key(&mut runs, |run| run.start);
    runs.dedup_by(|next, run| {
        let is_joined = next.start <= run.end || text[run.end..next.start].trim_ascii().is_empty();
        run.end = if is_joined { run.end.max(next.end) } else { run.end };
        is_joined
    });
    runs
}

/// Returns the removal of the bytes of `run` and of the whitespace that separates them from the text around.
fn removal(text: &[u8], run: Range<usize>) -> TextEdit {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let blanks_before = text[..run.start].iter().rev().take_while(|&byte| is_blank(byte)).count();
    let blanks_behind = text[run.end..].iter().take_while(|&byte| is_blank(byte)).count();
    let (line_start, line_end) = (run.start - blanks_before, run.end + blanks_behind);
    let before = text[..run.start].trim_ascii_end();
    if before.is_empty() {
        // Whitespace behind it would begin the record.
        let len = text[run.end..].trim_ascii_start().len();
        return TextEdit::new(run.start..text.len() - len, Vec::new());
    }
    let next = text.get(line_end);
    if next.is_none_or(|byte| matches!(byte, b'\n' | b'\r')) {
        return TextEdit::new(before.len()..run.end, Vec::new());
    }
    if matches!(text[line_start - 1], b'\n' | b'\r') {
        return TextEdit::new(run.start..line_end, Vec::new());
    }
    let is_apart = blanks_behind > 0 || next == Some(&b')') || text[line_start - 1] == b'(';
    let space: &[u8] = if is_apart { b"" } else { b" " };
    TextEdit::new(line_start..run.end, space)
}

/// The error of text that the encoding of a record cannot express.
///
/// ```
/// use pdn::ast::{Arena, TreeBuilder};
/// use pdn::edit::RecordEditor;
/// use pdn::source::Encoding;
///
/// let arena = Arena::new();
/// let tree = TreeBuilder::new().build(b"[White \"Schwarzman\"]\n1. 32-28 *\n", &arena);
/// let mut editor = RecordEditor::new(tree, Encoding::WINDOWS_1252);
/// let error = editor.set_tag("White", "Шварцман").unwrap_err();
/// assert_eq!((error.character, error.encoding), ('Ш', Encoding::WINDOWS_1252));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    use proptest::prelude::*;

    use super::*;
    use crate::ast::{Arena, TreeBuilder};
    use crate::parse::unescape;

    fn edited(record: &[u8], encoding: Encoding, edit: impl FnOnce(&mut RecordEditor<'_>)) -> Vec<u8> {
        let arena = Arena::new();
        let mut editor = RecordEditor::new(TreeBuilder::new().build(record, &arena), encoding);
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
    fn tags_are_found_by_their_meaning() {
        use crate::value::TagName;
        let set = |record: &[u8], tag: TagKey<'_>| {
            let text = edited(record, Encoding::UTF_8, |editor| editor.set_tag(tag, "n").unwrap());
            String::from_utf8(text).unwrap()
        };
        let white = |record: &str| set(record.as_bytes(), TagName::White.into());
        for (record, expected) in [
            ("[Wit \"a\"]\n\n*", "[Wit \"n\"]\n\n*"),
            ("[white \"a\"]\n\n*", "[white \"n\"]\n\n*"),
            // Of several, the name of the standard counts, and the first that has a value.
            ("[Wit \"a\"] [White \"b\"] *", "[Wit \"a\"] [White \"n\"] *"),
            ("[Wit \"\"] [P1 \"\"] [Bianco \"b\"] *", "[Wit \"\"] [P1 \"\"] [Bianco \"n\"] *"),
            ("[Wit \"\"]\n\n*", "[Wit \"n\"]\n\n*"),
            ("[Zwart \"a\"]\n\n*", "[Zwart \"a\"]\n[White \"n\"]\n\n*"),
        ] {
            assert_eq!(white(record), expected, "{record}");
            let value = tag_that_counts(&RecordView::new(expected.as_bytes()), TagName::White).unwrap().value;
            assert_eq!(value, b"n");
        }
        let result = set(b"[Result \"*\"] [Resultaat \"2-0\"] *", TagName::Result.into());
        assert_eq!(result, "[Result \"*\"] [Resultaat \"n\"] *");
        assert_eq!(set(b"[Wit \"a\"]\n\n*", "White".into()), "[Wit \"a\"]\n[White \"n\"]\n\n*");

        let text = edited(b"[Wit \"a\"]\n[white \"b\"]\n\n*", Encoding::UTF_8, |editor| {
            assert!(!editor.remove_tag("White"));
            editor.set_tag("White", "c").unwrap();
            editor.set_tag(TagName::White, "d").unwrap();
            editor.set_tag(TagName::Black, "e").unwrap();
            assert!(editor.remove_tag(TagName::White) && !editor.remove_tag("Black2"));
            editor.set_tag(TagName::White, "f").unwrap();
        });
        assert_eq!(text.escape_ascii().to_string(), r#"[Wit \"f\"]\n[Black \"e\"]\n\n*"#);
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
    fn tag_that_was_removed_before_can_be_set() {
        let record = b"[Event \"x\"]\n[White \"a\"]\n\n*\n";
        let text = edited(record, Encoding::UTF_8, |editor| {
            assert!(editor.remove_tag("Event") && editor.remove_tag("White"));
            editor.set_tag("White", "b").unwrap();
            editor.set_tag("Black", "c").unwrap();
        });
        assert_eq!(text.escape_ascii().to_string(), r#"[White \"b\"]\n[Black \"c\"]\n\n*\n"#);
        let text = edited(record, Encoding::UTF_8, |editor| {
            assert!(editor.remove_tag("Event") && editor.remove_tag("White"));
            editor.set_tag("Black", "c").unwrap();
        });
        assert_eq!(text.escape_ascii().to_string(), r#"[Black \"c\"]\n\n*\n"#);
    }

    #[test]
    fn neighbours_of_removed_parts_stay_apart() {
        for (record, kinds, expected) in [
            ("1. 32-28 {a} 19-23 *", "{", "1. 32-28 19-23 *"),
            ("1. 32-28{a}19-23 *", "{", "1. 32-28 19-23 *"),
            ("1. 32-28 {a}19-23 *", "{", "1. 32-28 19-23 *"),
            ("1. 32-28 {a} {b}\n{c} 19-23 *", "{", "1. 32-28 19-23 *"),
            ("{a} {b} 1. 32-28 *", "{", "1. 32-28 *"),
            ("1. 32-28 ; a\n{b} 19-23 *", "{", "1. 32-28 ; a\n19-23 *"),
            ("1. 32-28\n{b}\n19-23 *", "{", "1. 32-28\n19-23 *"),
            ("1. 32-28 (1. 33-28 {y}) 19-23 *", "(", "1. 32-28 19-23 *"),
            ("1. 32-28 19-23 2.33-29 *", "2", "1. 32-28 19-23 33-29 *"),
        ] {
            let text = edited(record.as_bytes(), Encoding::UTF_8, |editor| {
                let tree = editor.tree;
                let first = |part: &Part<'_>| &record[part.span().range()][..1] == kinds;
                tree.parts().filter(first).for_each(|part| editor.remove(&part));
            });
            assert_eq!(String::from_utf8_lossy(&text), expected, "{record:?}");
        }
    }

    /// Sets a tag and returns the edited record, or why it is refused.
    fn set(record: &[u8], name: &str, value: &str) -> Result<String, EditError> {
        let arena = Arena::new();
        let mut editor = RecordEditor::new(TreeBuilder::new().build(record, &arena), Encoding::UTF_8);
        editor.set_tag(name, value).unwrap();
        Ok(editor.finish()?.apply(record).escape_ascii().to_string())
    }

    #[test]
    fn tag_that_damaged_text_would_swallow_is_refused() {
        // The value of Event begins on the first line. A quote of the new tag would close it.
        let record = b"[Event \"x\n1. 32-28 [White \"a\"] *";
        let refused = set(record, "White", "] y").unwrap_err();
        assert_eq!(refused.to_string(), "the tag `White` would not be read back with its value");
        assert!(set(record, "White", "y").is_ok());
        let refused = EditError::Tag { name: "no name".to_owned() };
        assert_eq!(set(b"[White \"a\"]\n*", "no name", "[").unwrap_err(), refused);
        let long = "x".repeat(20_000);
        assert!(matches!(set(b"[White \"a\"]\n*", "Event", &long), Err(EditError::Tag { .. })));
    }

    #[test]
    fn change_that_gives_other_text_a_meaning_is_refused() {
        let finish = |record: &[u8], first: &str, text: &str| {
            let arena = Arena::new();
            let mut editor = RecordEditor::new(TreeBuilder::new().build(record, &arena), Encoding::UTF_8);
            let is_meant = |part: &Part<'_>| part.span().of(record).starts_with(first.as_bytes());
            let part = editor.tree.parts().find(is_meant).expect("there is one");
            editor.replace(&part, text).unwrap();
            editor.finish().map(|edits| edits.apply(record).escape_ascii().to_string())
        };
        let record = b"[White \"a\"]\n\n1. 32-28! {x} 19-23 (19-24) 2. 33-29 *\n";
        assert!(finish(record, "{x", "{y} $1").is_ok());
        assert_eq!(finish(record, "{x", "{y"), Err(EditError::Part { at: 26 }));
        assert!(matches!(finish(record, "{x", "(20-24"), Err(EditError::Part { .. })));
        assert_eq!(finish(record, "19-23", "19-23 ; no"), Err(EditError::Part { at: 32 }));
        assert!(finish(record, "{x", "\n\n[White \"b\"]\n[White \"c\"]\n\n1. 33-28").is_err());
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
    fn change_beyond_the_record_is_refused() {
        let arena = Arena::new();
        let record = b"1. 32-28 *\n";
        let mut editor = RecordEditor::new(TreeBuilder::new().build(record, &arena), Encoding::UTF_8);
        editor.replace_span(Span::new(11, 13), "{end}").unwrap();
        assert_eq!(editor.finish(), Err(EditError::Beyond { at: 13 }));
        let mut editor = RecordEditor::new(TreeBuilder::new().build(record, &arena), Encoding::UTF_8);
        editor.replace_span(Span::at(11), "{end}").unwrap();
        assert!(editor.finish().is_ok(), "the end is a place in the record");
    }

    #[test]
    fn overlapping_changes_of_parts_are_refused() {
        let record = b"1. 32-28 (1. 33-28 19-23) 18-23 *";
        let arena = Arena::new();
        let tree = TreeBuilder::new().build(record, &arena);
        let mut editor = RecordEditor::new(tree, Encoding::UTF_8);
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

    /// Returns the kind and the text of each part that neither is `removed` nor a tag `White`.
    fn outline(tree: &SyntaxTree<'_>, removed: Option<Part<'_>>) -> Vec<String> {
        let is_kept = |part: &Part<'_>| {
            Some(*part) != removed && !matches!(part, Part::Tag(tag) if tag.name == b"White")
        };
        let outline = |part: Part<'_>| {
            let kind = std::mem::discriminant(&part);
            // A variation that is not closed extends over the whitespace before the next part.
            format!("{kind:?} {}", part.span().of(tree.raw()).trim_ascii_end().escape_ascii())
        };
        tree.parts().filter(is_kept).map(outline).collect()
    }

    proptest! {
        /// The parts of records, whole and broken, in any order.
        #[test]
        fn edited_records_say_what_was_asked(
            text in prop::collection::vec(prop::sample::select(vec![
                "[White \"a\"]", "[Event \"x\"]", "[White \"", "[Event \"x", "[Event x]", "\"]", "\"", "]", "[", "\n", "\r\n", "\n\n",
                " ", " ", "1. ", "2... ", "32-28", "19-23", "28x19", "!", "$1", "{a}", "{", "}", "(", ")", "(19-24)", ";", "%",
                "*", "2-0", "/FEN \"B:\"/", "x", "...", "\\",
            ]), 0..14),
            value in prop::sample::select(vec!["", "b", "] b", "a \"b\"", "{", "\\", "; )"]),
            removed in 0..12usize,
        ) {
            let record = text.concat();
            let record = record.as_bytes();
            if crate::split::records(record).count() > 1 {
                return Ok(());
            }
            let (arena, other) = (Arena::new(), Arena::new());
            let tree = TreeBuilder::new().build(record, &arena);
            let mut editor = RecordEditor::new(tree, Encoding::UTF_8);
            editor.set_tag("White", value).expect("ASCII");
            let removed = tree.parts().nth(removed).filter(|part| !matches!(part, Part::Tag(_)));
            removed.iter().for_each(|part| editor.remove(part));
            match editor.finish() {
                Ok(edits) => {
                    let edited = edits.apply(record);
                    let after = TreeBuilder::new().build(&edited, &other);
                    let read = after.tag("White").map(unescape);
                    prop_assert_eq!(read.as_deref(), Some(value.as_bytes()), "{}", edited.escape_ascii());
                    prop_assert_eq!(outline(&tree, removed), outline(&after, None), "{}", edited.escape_ascii());
                    prop_assert!(crate::split::records(&edited).count() <= 1, "{}", edited.escape_ascii());
                }
                Err(refused) => {
                    let is_sound = tree.diagnostics().is_empty() && removed.is_none();
                    prop_assert!(!is_sound, "{}: {}", refused, record.escape_ascii());
                }
            }
        }
    }
}
