//! The names of players, events and sites: what the games of an index say of each, and how they are changed in records.

use super::open::Index;
use super::segment::rows::columns_of;
use pdn::convert::RecordEdit;
use pdn::edit::TextEdits;
use pdn::error::Result;
use pdn::internal::edit::{ValueEdits, value_edits};
use pdn::internal::value::Tally;
use pdn::source::Encoding;
use pdn::stop::Stop;
use pdn::value::TagName;
use pdn::view::RecordView;
use pdn_names::{NameKind, NameMap, letters_of_person};

impl Index {
    /// Passes each name of a kind with its tally to `visit`: once for each segment in whose games it is. Retired games do not count, nor do
    /// those of a player against oneself: `key` gives both names one text, or without it, they differ in nothing that matters. O(n) in the
    /// number of games, or in the number of names where an extract has the tallies, which are those without `key`.
    ///
    /// ```
    /// use pdn_index::{ImportOptions, Index, import};
    /// use pdn_names::NameKind;
    /// use pdn::stop::Stop;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let archive = folder.path().join("games.pdn");
    /// std::fs::write(&archive, "[White \"Ames\"]\n[Black \"Berg\"]\n1. 32-28 19-23 2-0\n")?;
    /// # let path = folder.path().join("games.idx");
    /// import([&archive], &path, &ImportOptions::new())?;
    /// let mut won = Vec::new();
    /// Index::open(&path)?.each_name(NameKind::Player, None, &Stop::new(), |name, tally| {
    ///     won.push((name.to_owned(), tally.score.won));
    /// })?;
    /// assert_eq!(won, [("Ames".to_owned(), 1), ("Berg".to_owned(), 0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a section is damaged, or the work was stopped.
    #[doc(hidden)]
    pub fn each_name<'a>(
        &'a self,
        kind: NameKind,
        key: Option<&dyn Fn(&str) -> String>,
        stop: &Stop,
        mut visit: impl FnMut(&'a str, Tally),
    ) -> Result<()> {
        let columns = columns_of(kind);
        for (number, segment) in self.segments().iter().enumerate() {
            stop.check()?;
            if columns.iter().all(|&column| segment.lacks(column)) {
                continue;
            }
            let retired = self.retired_games(number).filter(|retired| !retired.is_empty());
            let dictionary = segment.whole_dictionary(columns[0].dictionary())?;
            let extract = if retired.is_none() && key.is_none() { self.extract(number)? } else { None };
            let known = extract.map_or(Ok(None), |extract| extract.tallies(kind, dictionary.len()));
            let tallies = match self.or_without_table(known)? {
                Some(tallies) => tallies,
                None => segment.tallies(kind, key.unwrap_or(&letters_of_person), retired, stop)?,
            };
            for (text, tally) in (0..).zip(tallies).filter(|(_, tally)| tally.score.games > 0) {
                visit(dictionary.get(text).ok_or_else(|| segment.malformed(columns[0].section()))?, tally);
            }
        }
        Ok(())
    }
}

/// Returns the changes that give a record the names of `map`: the values of the tags White, Black, Event and Site of its tag
/// section, however these are written and as often as they occur.
///
/// A value is compared without escapes, character references and whitespace around it. New values are written in
/// `encoding`, which is that of the record.
///
/// ```
/// use pdn::source::Encoding;
/// use pdn::view::RecordView;
/// use pdn_index::name_edits;
/// use pdn_names::{MappedNames, NameKind, NameMap};
///
/// let groups = [MappedNames::new(NameKind::Player, "Sijbrands, Ton", ["T. Sijbrands"])];
/// let map = NameMap::new(&groups)?;
/// let record = b"[White \"T. Sijbrands\"]\n[Black \"?\"]\n\n1. 32-28 *\n";
/// let found = name_edits(RecordView::new(record), Encoding::UTF_8, &map);
/// assert_eq!(found.edits.apply(record), b"[White \"Sijbrands, Ton\"]\n[Black \"?\"]\n\n1. 32-28 *\n");
/// # Ok::<(), pdn_names::NameMapError>(())
/// ```
#[doc(hidden)]
pub fn name_edits(view: RecordView<'_>, encoding: Encoding, map: &NameMap) -> ValueEdits {
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
    fn edits(&self, game: RecordView<'_>, encoding: Encoding) -> TextEdits {
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
        let found = name_edits(RecordView::new(record), Encoding::CP866, &map);
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
            let found = name_edits(RecordView::new(record.as_bytes()), Encoding::UTF_8, &map);
            let edited = String::from_utf8(found.edits.apply(record.as_bytes())).unwrap();
            assert_eq!(edited, format!("[White \"Wiersma ] \\\"H\\\"\"]\n{rest}"), "{damaged}");
        }
        // No reader looks so far for the closing quote.
        let long = "x".repeat(20_000);
        let groups = [MappedNames::new(NameKind::Player, &long, ["Wiersma"])];
        let map = NameMap::new(&groups).unwrap();
        let record = format!("[White \"Wiersma\"]\n{rest}");
        let found = name_edits(RecordView::new(record.as_bytes()), Encoding::UTF_8, &map);
        assert!(found.edits.is_empty() && found.damage.is_some());
    }
}
