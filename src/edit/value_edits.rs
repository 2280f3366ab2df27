//! Changes the values of the tags that name players, events and sites in one record.

use std::collections::HashMap;

use crate::parse::{TagPair, escape, unescape};
use crate::source::Encoding;
use crate::value::{TagName, decode_entities};
use crate::view::RecordView;

use super::read_back::{EditError, ReadRecord};
use super::tag_edit::Unencodable;
use super::text_edit::{TextEdit, TextEdits};

/// The changes that give tags of a record new values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ValueEdits {
    /// The changes, relative to the first byte of the record. Only values of tags change, and tags get the quotes and brackets
    /// that they lack.
    pub edits: TextEdits,
    /// The new values that the encoding of the record cannot express. Their tags stay as they are.
    pub refused: Vec<Unencodable>,
    /// Why no value of the record changes: damaged text would swallow the new values or change their meaning.
    pub damage: Option<EditError>,
}

/// Returns the changes that give the tags of a record the values that `new_value` returns for them; a tag for which it returns
/// nothing stays as it is. It is asked for every tag of the tag section that is recognised, however it is written and as often as
/// it occurs.
///
/// It gets a value without escapes, character references and whitespace around it. New values are written in `encoding`, which
/// is that of the record.
pub fn value_edits<'v>(
    view: RecordView<'_>,
    encoding: Encoding,
    mut new_value: impl FnMut(TagName, &str) -> Option<&'v str>,
) -> ValueEdits {
    let mut found = ValueEdits::default();
    let mut edits = Vec::new();
    for tag in view.tags() {
        let name = match tag.recognised() {
            Some(known) => Some(known.tag),
            None if tag.name.is_ascii() => None,
            None => TagName::find(encoding.decode(tag.name).as_bytes()).map(|known| known.tag),
        };
        let Some(name) = name else { continue };
        let value = unescape(tag.value);
        let Some(new) = new_value(name, &decode_entities(&encoding.decode(&value))) else {
            continue;
        };
        match encoding.encode(new) {
            Some(bytes) => edits.push(value_edit(view.raw(), &tag, &escape(&bytes))),
            None => {
                let lacking = new.chars().find(|c| encoding.encode(c.encode_utf8(&mut [0; 4])).is_none());
                let character = lacking.unwrap_or(char::REPLACEMENT_CHARACTER);
                found.refused.push(Unencodable { character, encoding });
            }
        }
    }
    if edits.is_empty() {
        return found;
    }
    let checked = TextEdits::new(edits).map_err(EditError::from).and_then(|edits| {
        ReadRecord::new(view.raw()).check(&edits, HashMap::new())?;
        Ok(edits)
    });
    match checked {
        Ok(edits) => found.edits = edits,
        Err(damage) => found.damage = Some(damage),
    }
    found
}

/// Returns the change of the value of a tag. A tag without both quotes is written anew.
fn value_edit(record: &[u8], tag: &TagPair<'_>, new: &[u8]) -> TextEdit {
    let value = tag.value_span.range();
    let end = &record[value.end..tag.span.end as usize];
    let is_quoted = record[..value.start].ends_with(b"\"") && end.starts_with(b"\"") && end.ends_with(b"]");
    if is_quoted {
        return TextEdit::new(value, new);
    }
    TextEdit::new(tag.span.range(), [b"[", tag.name, b" \"", new, b"\"]"].concat())
}
