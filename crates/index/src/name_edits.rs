//! Changes the names of players, events and sites in records.

use pdn::convert::RecordEdit;
use pdn::edit::TextEdits;
use pdn::internal::edit::{ValueEdits, value_edits};
use pdn::source::Encoding;
use pdn::value::TagName;
use pdn::view::GameView;
use pdn_names::{NameKind, NameMap};

/// Returns the changes that give a record the names of `map`: the values of the tags White, Black, Event and Site of its tag
/// section, however these are written and as often as they occur.
///
/// A value is compared without escapes, character references and whitespace around it. New values are written in
/// `encoding`, which is that of the record.
///
/// ```
/// use pdn::source::Encoding;
/// use pdn::view::GameView;
/// use pdn_index::name_edits;
/// use pdn_names::{MappedNames, NameKind, NameMap};
///
/// let groups = [MappedNames::new(NameKind::Player, "Sijbrands, Ton", ["T. Sijbrands"])];
/// let map = NameMap::new(&groups)?;
/// let record = b"[White \"T. Sijbrands\"]\n[Black \"?\"]\n\n1. 32-28 *\n";
/// let found = name_edits(GameView::new(record), Encoding::UTF_8, &map);
/// assert_eq!(found.edits.apply(record), b"[White \"Sijbrands, Ton\"]\n[Black \"?\"]\n\n1. 32-28 *\n");
/// # Ok::<(), pdn_names::NameMapError>(())
/// ```
#[doc(hidden)]
pub fn name_edits(view: GameView<'_>, encoding: Encoding, map: &NameMap) -> ValueEdits {
    value_edits(view, encoding, |tag, name| {
        let kind = match tag {
            TagName::White | TagName::Black => NameKind::Player,
            TagName::Event => NameKind::Event,
            TagName::Site => NameKind::Site,
            _ => return None,
        };
        map.canonical(kind, name)
    })
}

/// Gives players, events and sites of converted records the names of a map.
#[derive(Clone, Debug)]
pub struct NamesOfMap(pub NameMap);

impl RecordEdit for NamesOfMap {
    fn edits(&self, game: GameView<'_>, encoding: Encoding) -> TextEdits {
        name_edits(game, encoding, &self.0).edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn_names::MappedNames;

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
