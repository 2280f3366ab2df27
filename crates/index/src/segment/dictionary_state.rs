//! What a segment remembers of a dictionary after its first uses.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::format::dictionary::Dictionary;
use pdn_names::{NameMatch, NameOutline, NamePattern};
use pdn_rules::internal::steps;

/// The state of a dictionary of an open segment.
#[derive(Debug, Default)]
pub(super) struct DictionaryState {
    /// Whether the texts are UTF-8, once they were looked at.
    is_utf8: OnceLock<bool>,
    /// `true` after the first search by words.
    was_searched: AtomicBool,
    /// The outlines of the texts, 8 bytes each.
    outlines: OnceLock<Box<[NameOutline]>>,
}

impl DictionaryState {
    /// Returns `true` if `text`, which must be the text of the dictionary, is UTF-8. Reads it at the first call only.
    pub(super) fn is_utf8(&self, text: &[u8]) -> bool {
        *self.is_utf8.get_or_init(|| {
            steps::add(1 + text.len() / 16);
            std::str::from_utf8(text).is_ok()
        })
    }

    /// Returns, for every text of the dictionary by its number, whether `pattern` matches it.
    ///
    /// The second search by words makes the outlines of all texts, and later searches read only texts whose outline may match. The
    /// first search reads the texts themselves, because many programs search once and making the outlines takes longer.
    // Twin: all texts read; test: later_searches_find_the_same_names.
    pub(super) fn matching(&self, dictionary: &Dictionary<'_>, pattern: &NamePattern) -> Vec<bool> {
        let may_repeat = pattern.match_kind() == NameMatch::Words;
        if !may_repeat || !self.was_searched.swap(true, Ordering::Relaxed) {
            return dictionary.matching(pattern, None);
        }
        let outlines = self.outlines.get_or_init(|| dictionary.outlines());
        dictionary.matching(pattern, Some(outlines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::dictionary::DictionarySections;
    use crate::format::interner::Interner;

    #[test]
    fn later_searches_find_the_same_names() {
        let mut interner = Interner::default();
        for surname in
            ["Шварцман", "Schwarzman", "Sjvartsman", "Sijbrands", "van der Wal", "O'Grady", "Łukasz", "?", ""]
        {
            for first in ["", ", A.", ", AB", ", Alexander", " 2nd", " Ю."] {
                interner.intern(&format!("{surname}{first}"));
            }
        }
        let (DictionarySections { text, ends, folded }, _) = interner.write();
        let dictionary = Dictionary::new(&text, &ends, &folded).expect("as written");
        let state = DictionaryState::default();
        for text in [
            "schwarzman",
            "a. шварцман",
            "wal, a",
            "o grady",
            "lukasz",
            "~sijbrand",
            "sij*",
            "yu. grady",
            "a. b.",
            "2nd",
        ] {
            let pattern = NamePattern::parse(text);
            for search in 0..3 {
                let expected = dictionary.matching(&pattern, None);
                assert!(expected.contains(&true), "{text}");
                assert_eq!(state.matching(&dictionary, &pattern), expected, "{text}, search {search}");
            }
        }
        assert_eq!(state.outlines.get().map(|outlines| outlines.len()), Some(dictionary.len()));
    }
}
