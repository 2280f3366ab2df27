//! Dictionaries: the distinct values of a tag, in an order in which all texts with a common prefix are consecutive.
//!
//! Texts are compared in their folded form, so `Sijbrands, T.` and `SIJBRANDS,T` are equal; see [`fold`]. They are
//! numbered in the order of their folded forms, equal ones in the order of their bytes. Three sections hold them: the
//! texts one after the other, their [`EndOffsets`], and an [`fst`] map from every folded form to the first number
//! that has it.

use std::ops::Range;

use super::end_offsets::{EndOffsets, write_end_offsets};
use super::interner::Interner;
use crate::files::FilePart;
use pdn_names::{NameMatch, NameOutline, NamePattern, fold, fold_into};

impl Interner {
    /// Encodes the texts, and returns the final number of each text by its present number.
    pub(crate) fn write(&self) -> (DictionarySections, Vec<u32>) {
        let mut folded_texts = String::with_capacity(self.text_len());
        let texts = (0..self.len() as u32).map(|number| {
            let start = folded_texts.len();
            fold_into(self.get(number), &mut folded_texts);
            (first_word(&folded_texts[start..]), start..folded_texts.len(), number)
        });
        let mut texts: Vec<(u64, Range<usize>, u32)> = texts.collect();
        let folded_of = |range: &Range<usize>| &folded_texts[range.clone()];
        texts.sort_unstable_by(|a, b| {
            let order = a.0.cmp(&b.0).then_with(|| folded_of(&a.1).cmp(folded_of(&b.1)));
            order.then_with(|| self.get(a.2).cmp(self.get(b.2)))
        });
        let mut numbers = vec![0; texts.len()];
        let (mut text, mut lengths) = (Vec::with_capacity(self.text_len()), Vec::with_capacity(texts.len()));
        let mut folded = fst::MapBuilder::memory();
        let mut last = None;
        for (number, (_, range, old)) in (0u32..).zip(&texts) {
            numbers[*old as usize] = number;
            let own_text = self.get(*old);
            text.extend(own_text.as_bytes());
            lengths.push(own_text.len() as u32);
            let folded_text = folded_of(range);
            if last != Some(folded_text) {
                folded.insert(folded_text, u64::from(number)).expect("keys ascend and memory does not fail");
                last = Some(folded_text);
            }
        }
        let folded = folded.into_inner().expect("memory does not fail");
        (DictionarySections { text, ends: write_end_offsets(&lengths), folded }, numbers)
    }
}

/// Returns the first 8 bytes of a folded text as a number whose order is that of the texts, as far as these bytes
/// decide it.
fn first_word(folded_text: &str) -> u64 {
    let mut word = [0; 8];
    let len = folded_text.len().min(8);
    word[..len].copy_from_slice(&folded_text.as_bytes()[..len]);
    u64::from_be_bytes(word)
}

/// The three encoded sections of a dictionary.
#[derive(Debug)]
pub(crate) struct DictionarySections {
    /// The texts one after the other.
    pub(crate) text: Vec<u8>,
    /// Their end offsets.
    pub(crate) ends: Vec<u8>,
    /// The map from folded texts to first numbers.
    pub(crate) folded: Vec<u8>,
}

/// The distinct values of a tag in a segment, numbered from 0 in the order of their folded forms.
///
/// No promise: part of the format, public for tools and tests.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Dictionary<'a> {
    /// Empty if texts are read from `part`.
    text: &'a [u8],
    part: Option<FilePart<'a>>,
    ends: EndOffsets<'a>,
}

impl<'a> Dictionary<'a> {
    /// Reads a dictionary; `None` if the bytes are malformed. The caller has verified the checksums, and that `text` is UTF-8.
    /// Costs O(1).
    pub(crate) fn new(text: &'a [u8], ends: &'a [u8], folded: &'a [u8]) -> Option<Self> {
        fst::Map::new(folded).ok()?;
        Self::without_map(text, ends)
    }

    /// Reads a dictionary as [`new`](Self::new) does, without the map, which only verification reads.
    pub(crate) fn without_map(text: &'a [u8], ends: &'a [u8]) -> Option<Self> {
        let ends = EndOffsets::with_stored_count(ends)?;
        (ends.total() == text.len() as u64).then_some(Self { text, part: None, ends })
    }

    /// Reads a dictionary of a file that is read by ranges: each text when it is asked for. Without the map, which only verification reads.
    pub(crate) fn in_file(text: FilePart<'a>, ends: FilePart<'a>) -> Option<Self> {
        let ends = EndOffsets::in_file(ends, None)?;
        (ends.total() == text.len()).then_some(Self { text: &[], part: Some(text), ends })
    }

    /// Returns the number of distinct values.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if the dictionary is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the text of a number.
    pub fn get(&self, number: u32) -> Option<&'a str> {
        let range = self.ends.get(number as usize)?;
        let text = match self.text.get(range.start as usize..range.end as usize) {
            Some(text) => text,
            None => self.part?.get(range)?,
        };
        std::str::from_utf8(text).ok()
    }

    /// Adds where the ends of a text are in their file, if they are read from there.
    pub(crate) fn expect_ends(&self, number: u32, parts: &mut Vec<FilePart<'a>>) {
        self.ends.expect(number as usize, parts);
    }

    /// Adds where a text is in its file, if it is read from there; its ends are read.
    pub(crate) fn expect_text(&self, number: u32, parts: &mut Vec<FilePart<'a>>) {
        let range = self.ends.get(number as usize).unwrap_or_default();
        parts.extend(self.part.map(|part| part.within(range)));
    }

    /// Returns the number of a text. Costs O(log texts) foldings.
    pub fn number(&self, text: &str) -> Option<u32> {
        self.folded(&fold(text)).find(|&number| self.get(number) == Some(text))
    }

    /// Returns the numbers of all texts whose folded form is `folded`. Costs O(log texts) foldings.
    pub fn folded(&self, folded: &str) -> Range<u32> {
        self.first_from(|folded_of| folded_of < folded)..self.first_from(|folded_of| folded_of <= folded)
    }

    /// Returns the numbers of all texts whose folded form starts with `prefix`. Costs O(log texts) foldings.
    pub fn prefix(&self, prefix: &str) -> Range<u32> {
        self.first_from(|folded_of| folded_of < prefix)
            ..self.first_from(|folded_of| folded_of < prefix || folded_of.starts_with(prefix))
    }

    /// Returns the outlines of all texts by their numbers. Costs O(bytes).
    pub(crate) fn outlines(&self) -> Box<[NameOutline]> {
        (0..self.len() as u32).map(|number| NameOutline::of(self.get(number).unwrap_or(""))).collect()
    }

    /// Returns, for every text by its number, whether `pattern` matches it. Exact names and prefixes cost O(log texts)
    /// foldings, the other patterns O(texts); if the outlines of the texts are given, texts are read only if theirs may match.
    pub(crate) fn matching(&self, pattern: &NamePattern, outlines: Option<&[NameOutline]>) -> Vec<bool> {
        let mut matches = vec![false; self.len()];
        match pattern.match_kind() {
            NameMatch::Exact | NameMatch::Prefix => {
                let range = match pattern.match_kind() {
                    NameMatch::Exact => self.folded(pattern.folded()),
                    _ => self.prefix(pattern.folded()),
                };
                matches[range.start as usize..range.end as usize].fill(true);
            }
            NameMatch::Words | NameMatch::Fuzzy => {
                let may_match = |number: usize| {
                    let outline = outlines.and_then(|outlines| outlines.get(number));
                    outline.is_none_or(|&outline| pattern.may_match(outline))
                };
                for (number, matches) in matches.iter_mut().enumerate() {
                    *matches = may_match(number)
                        && self.get(number as u32).is_some_and(|name| pattern.matches(name));
                }
            }
        }
        matches
    }

    /// Returns the first number whose folded form does not satisfy `before`, by binary search.
    ///
    /// The texts are folded again instead of searching the map: a forged map can make its reader panic, texts cannot.
    fn first_from(&self, before: impl Fn(&str) -> bool) -> u32 {
        let (mut low, mut high) = (0, self.len() as u32);
        while low < high {
            let middle = u32::midpoint(low, high);
            if before(&fold(self.get(middle).unwrap_or(""))) { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Returns `true` if every text occurs once, in the order of the format. Costs O(bytes).
    pub(crate) fn is_ordered(&self) -> bool {
        let key = |number| self.get(number).map(|text| (fold(text), text));
        let mut last = None;
        (0..self.len() as u32).all(|number| {
            let entry = key(number);
            let in_order = entry.is_some() && last < entry;
            last = entry;
            in_order
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batch_look_up_finds_most_interned_texts() {
        let names = |range: Range<u32>| range.map(|i| format!("{} name {i}", "x".repeat(i as usize % 40)));
        let (mut known, mut others) = (Interner::default(), Interner::default());
        known.find_all(&others, &mut []);
        for name in names(0..500) {
            known.intern(&name);
        }
        for name in names(250..850) {
            others.intern(&name);
        }
        let mut numbers = vec![u32::MAX; others.len()];
        known.find_all(&others, &mut numbers);
        let found: Vec<_> = (0..).zip(&numbers).filter(|&(_, &number)| number != u32::MAX).collect();
        // Texts that are not in their first slot are missed here and looked up one by one.
        assert!(found.len() > 100, "{}", found.len());
        for (other, &number) in found {
            assert_eq!(known.get(number), others.get(other));
        }
        assert!(numbers[250..].iter().all(|&number| number == u32::MAX));
    }

    #[test]
    fn dictionary_finds_texts_by_number_prefix_and_fold() {
        let texts =
            ["Wiersma, H.", "wiersma h", "Wiersma", "Čížov", "Cizov A", "", "?", "Zz\u{10ffff}", "Wiersmaa"];
        let mut interner = Interner::default();
        for text in texts {
            let number = interner.intern(text);
            assert_eq!(interner.intern(text), number);
        }
        let (sections, numbers) = interner.write();
        let DictionarySections { text, ends, folded } = &sections;
        let dictionary = Dictionary::new(text, ends, folded).expect("as written");
        assert_eq!(dictionary.len(), texts.len());
        for (i, text) in texts.iter().enumerate() {
            assert_eq!(dictionary.get(numbers[i]), Some(*text));
            assert_eq!(dictionary.number(text), Some(numbers[i]));
        }
        let found = |range: Range<u32>| range.filter_map(|number| dictionary.get(number)).collect::<Vec<_>>();
        assert_eq!(found(dictionary.folded("wiersma h")), ["Wiersma, H.", "wiersma h"]);
        assert_eq!(found(dictionary.prefix("wiersma")), ["Wiersma", "Wiersma, H.", "wiersma h", "Wiersmaa"]);
        assert_eq!(found(dictionary.prefix("ciz")), ["Čížov", "Cizov A"]);
        assert_eq!(found(dictionary.prefix("x")), [""; 0]);
        assert_eq!(dictionary.prefix("").len(), texts.len());
        assert_eq!(dictionary.get(texts.len() as u32), None);
    }
}
