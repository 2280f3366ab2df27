//! Changes the names of players, events and sites in one record.

use std::collections::HashMap;

use crate::names::{NameKind, NameMap};
use crate::parse::{TagPair, escape, unescape};
use crate::source::Encoding;
use crate::value::{TagName, decode_entities};
use crate::view::GameView;

use super::read_back::{EditError, ReadRecord};
use super::tag_edit::Unencodable;
use super::text_edit::{TextEdit, TextEdits};

/// The changes that give a record the names of a map.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct NameEdits {
    /// The changes, relative to the first byte of the record. Only values of tags change, and tags get the quotes and brackets
    /// that they lack.
    pub edits: TextEdits,
    /// The names that the encoding of the record cannot express. Their tags stay as they are.
    pub refused: Vec<Unencodable>,
    /// Why no name of the record changes: damaged text would swallow the new names or change its meaning.
    pub damage: Option<EditError>,
}

/// Returns the changes that give a record the names of `map`: the values of the tags White, Black, Event and Site of its tag
/// section, however these are written and as often as they occur.
///
/// A value is compared without escapes, character references and whitespace around it. New values are written in
/// `encoding`, which is that of the record.
///
/// ```
/// use pdn::edit::name_edits;
/// use pdn::names::{MappedNames, NameKind, NameMap};
/// use pdn::source::Encoding;
/// use pdn::view::GameView;
///
/// let groups = [MappedNames::new(NameKind::Player, "Sijbrands, Ton", ["T. Sijbrands"])];
/// let map = NameMap::new(&groups)?;
/// let record = b"[White \"T. Sijbrands\"]\n[Black \"?\"]\n\n1. 32-28 *\n";
/// let found = name_edits(GameView::new(record), Encoding::UTF_8, &map);
/// assert_eq!(found.edits.apply(record), b"[White \"Sijbrands, Ton\"]\n[Black \"?\"]\n\n1. 32-28 *\n");
/// # Ok::<(), pdn::names::NameMapError>(())
/// ```
pub fn name_edits(view: GameView<'_>, encoding: Encoding, map: &NameMap) -> NameEdits {
    let mut found = NameEdits::default();
    let mut edits = Vec::new();
    for tag in view.tags() {
        let name = match tag.recognised() {
            Some(known) => Some(known.tag),
            None if tag.name.is_ascii() => None,
            None => TagName::find(encoding.decode(tag.name).as_bytes()).map(|known| known.tag),
        };
        let kind = match name {
            Some(TagName::White | TagName::Black) => NameKind::Player,
            Some(TagName::Event) => NameKind::Event,
            Some(TagName::Site) => NameKind::Site,
            _ => continue,
        };
        let value = unescape(tag.value);
        let Some(canonical) = map.canonical(kind, &decode_entities(&encoding.decode(&value))) else {
            continue;
        };
        match encoding.encode(canonical) {
            Some(new) => edits.push(value_edit(view.raw(), &tag, &escape(&new))),
            None => {
                let lacking =
                    canonical.chars().find(|c| encoding.encode(c.encode_utf8(&mut [0; 4])).is_none());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::MappedNames;

    #[test]
    fn names_are_changed_in_the_encoding_of_the_record() {
        let groups = [
            MappedNames::new(NameKind::Player, "Куперман И.", ["Kuperman"]),
            MappedNames::new(NameKind::Player, "Rhône", ["Rhone"]),
            MappedNames::new(NameKind::Event, "A \"B\"", ["A & B"]),
        ];
        let map = NameMap::new(&groups).unwrap();
        let record = b"[white \"Kuperman \"]\n[Black \"Rhone\"]\n[Event \"A &amp; B\"]\n[Site \"Kuperman\"]\n1. 32-28 *\n";
        let found = name_edits(GameView::new(record), Encoding::CP866, &map);
        let expected = "[white \"Куперман И.\"]\n[Black \"Rhone\"]\n[Event \"A \\\"B\\\"\"]\n[Site \"Kuperman\"]\n1. 32-28 *\n";
        assert_eq!(Encoding::CP866.decode(&found.edits.apply(record)), expected);
        assert_eq!(found.refused.len(), 1);
        assert_eq!(found.refused[0].character, 'ô');
        assert_eq!(found.damage, None);
    }

    #[test]
    fn names_in_damaged_tags_are_read_back() {
        let groups = [MappedNames::new(NameKind::Player, "Wiersma ] \"H\"", ["Wiersma"])];
        let map = NameMap::new(&groups).unwrap();
        let rest = "[Black \"Sijbrands\"]\n1. 32-28 *\n";
        for damaged in
            ["[White \"Wiersma\n", "[White \"Wiersma]\n", "[White Wiersma]\n", "[White \"Wiersma\"\n"]
        {
            let record = format!("{damaged}{rest}");
            let found = name_edits(GameView::new(record.as_bytes()), Encoding::UTF_8, &map);
            let edited = String::from_utf8(found.edits.apply(record.as_bytes())).unwrap();
            assert_eq!(edited, format!("[White \"Wiersma ] \\\"H\\\"\"]\n{rest}"), "{damaged}");
        }
        // No reader looks so far for the closing quote.
        let long = "x".repeat(20_000);
        let groups = [MappedNames::new(NameKind::Player, &long, ["Wiersma"])];
        let map = NameMap::new(&groups).unwrap();
        let record = format!("[White \"Wiersma\"]\n{rest}");
        let found = name_edits(GameView::new(record.as_bytes()), Encoding::UTF_8, &map);
        assert!(found.edits.is_empty() && found.damage.is_some());
    }
}
