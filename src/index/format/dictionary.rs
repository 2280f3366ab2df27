//! The values of a tag: each text once, in an order in which whoever is meant by a prefix stands together.
//!
//! A text is *folded* for searching: letters in lower case without their marks, everything that is neither letter
//! nor digit a single blank, none at the ends; so `Sijbrands, T.` and `SIJBRANDS,T` are found alike. Texts are
//! numbered in the order of their folded forms, equal ones in the order of their bytes. Three sections hold
//! them: the texts one after the other, their [`Ends`], and an [`fst`] map from every folded form to the first
//! number that has it.

use std::ops::Range;

use super::end_offsets::{Ends, write_ends};
use super::interner::Interner;
use crate::names::{NameMatch, NamePattern, fold, fold_into};

impl Interner {
    /// The three sections, and for every number given the one it has there.
    pub(crate) fn write(&self) -> (Sections, Vec<u32>) {
        let mut forms = String::with_capacity(self.text_len());
        let texts = (0..self.len() as u32).map(|number| {
            let start = forms.len();
            fold_into(self.get(number), &mut forms);
            (first_word(&forms[start..]), start..forms.len(), number)
        });
        let mut texts: Vec<(u64, Range<usize>, u32)> = texts.collect();
        let form = |range: &Range<usize>| &forms[range.clone()];
        texts.sort_unstable_by(|a, b| {
            let forms = a.0.cmp(&b.0).then_with(|| form(&a.1).cmp(form(&b.1)));
            forms.then_with(|| self.get(a.2).cmp(self.get(b.2)))
        });
        let mut numbers = vec![0; texts.len()];
        let (mut text, mut lengths) = (Vec::with_capacity(self.text_len()), Vec::with_capacity(texts.len()));
        let mut folded = fst::MapBuilder::memory();
        let mut last = None;
        for (number, (_, range, old)) in (0u32..).zip(&texts) {
            numbers[*old as usize] = number;
            let own = self.get(*old);
            text.extend(own.as_bytes());
            lengths.push(own.len() as u32);
            let form = form(range);
            if last != Some(form) {
                folded.insert(form, u64::from(number)).expect("sorted, and into memory");
                last = Some(form);
            }
        }
        let folded = folded.into_inner().expect("into memory");
        (Sections { text, ends: write_ends(&lengths), folded }, numbers)
    }
}

/// The first bytes of a form as a number: in the order of the forms, where they differ.
fn first_word(form: &str) -> u64 {
    let mut word = [0; 8];
    let len = form.len().min(8);
    word[..len].copy_from_slice(&form.as_bytes()[..len]);
    u64::from_be_bytes(word)
}

/// A dictionary as bytes.
#[derive(Debug)]
pub(crate) struct Sections {
    pub(crate) text: Vec<u8>,
    pub(crate) ends: Vec<u8>,
    pub(crate) folded: Vec<u8>,
}

/// The values of a tag in a segment, numbered in the order of their folded forms.
#[derive(Clone, Debug)]
pub struct Dictionary<'a> {
    text: &'a str,
    ends: Ends<'a>,
    folded: fst::Map<&'a [u8]>,
}

impl<'a> Dictionary<'a> {
    /// A dictionary; `None` if the bytes are not that. They have been checked against their sums before.
    pub(crate) fn new(text: &'a [u8], ends: &'a [u8], folded: &'a [u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let ends = Ends::counted(ends)?;
        let folded = fst::Map::new(folded).ok()?;
        (ends.last() == text.len() as u64).then_some(Self { text, ends, folded })
    }

    /// How many different values there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a number.
    pub fn get(&self, number: u32) -> Option<&'a str> {
        let range = self.ends.get(number as usize)?;
        self.text.get(range.start as usize..range.end as usize)
    }

    /// The number of a text. O(log texts) foldings.
    pub fn number(&self, text: &str) -> Option<u32> {
        self.folded(&fold(text)).find(|&number| self.get(number) == Some(text))
    }

    /// The numbers of all texts that fold to this. O(log texts) foldings.
    pub fn folded(&self, folded: &str) -> Range<u32> {
        self.first(|form| form < folded)..self.first(|form| form <= folded)
    }

    /// The numbers of all texts that begin so once folded. O(log texts) foldings.
    pub fn prefix(&self, prefix: &str) -> Range<u32> {
        self.first(|form| form < prefix)..self.first(|form| form < prefix || form.starts_with(prefix))
    }

    /// Returns, for every text by its number, whether `pattern` matches it. Exact names and prefixes cost O(log texts)
    /// foldings, the other patterns O(texts).
    pub fn matching(&self, pattern: &NamePattern) -> Vec<bool> {
        let mut chosen = vec![false; self.len()];
        match pattern.spelling() {
            NameMatch::Exact | NameMatch::Prefix => {
                let range = match pattern.spelling() {
                    NameMatch::Exact => self.folded(pattern.folded()),
                    _ => self.prefix(pattern.folded()),
                };
                chosen[range.start as usize..range.end as usize].fill(true);
            }
            NameMatch::Words | NameMatch::Fuzzy => {
                for (number, chosen) in (0u32..).zip(&mut chosen) {
                    *chosen = self.get(number).is_some_and(|name| pattern.fits(name));
                }
            }
        }
        chosen
    }

    /// The first number whose folded form is not `before` what is looked for.
    ///
    /// The texts are folded again instead of asking the map: a map that somebody made up can make its reader
    /// panic, texts cannot.
    fn first(&self, before: impl Fn(&str) -> bool) -> u32 {
        let (mut low, mut high) = (0, self.len() as u32);
        while low < high {
            let middle = u32::midpoint(low, high);
            if before(&fold(self.get(middle).unwrap_or(""))) { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// Whether every text is there once and in its place. O(bytes).
    pub(crate) fn is_ordered(&self) -> bool {
        let key = |number| self.get(number).map(|text| (fold(text), text));
        let mut last = None;
        (0..self.len() as u32).all(|number| {
            let this = key(number);
            let fits = this.is_some() && last < this;
            last = this;
            fits
        })
    }

    /// The map from folded forms to first numbers, for automata: fuzzy search, regular expressions. Its sum has
    /// been compared; a map that was made up together with a fitting sum may make the `fst` crate panic.
    pub fn map(&self) -> &fst::Map<&'a [u8]> {
        &self.folded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_texts_are_found_at_once() {
        let names = |range: Range<u32>| range.map(|i| format!("{} name {i}", "x".repeat(i as usize % 40)));
        let (mut known, mut others) = (Interner::default(), Interner::default());
        known.find_all(&others, &mut []);
        for name in names(0..500) {
            known.number(&name);
        }
        for name in names(250..850) {
            others.number(&name);
        }
        let mut numbers = vec![u32::MAX; others.len()];
        known.find_all(&others, &mut numbers);
        let found: Vec<_> = (0..).zip(&numbers).filter(|&(_, &number)| number != u32::MAX).collect();
        // Those whose slot is another's are found one by one.
        assert!(found.len() > 100, "{}", found.len());
        for (other, &number) in found {
            assert_eq!(known.get(number), others.get(other));
        }
        assert!(numbers[250..].iter().all(|&number| number == u32::MAX));
    }

    #[test]
    fn every_text_is_found_by_number_prefix_and_fold() {
        let texts =
            ["Wiersma, H.", "wiersma h", "Wiersma", "Čížov", "Cizov A", "", "?", "Zz\u{10ffff}", "Wiersmaa"];
        let mut interner = Interner::default();
        for text in texts {
            let number = interner.number(text);
            assert_eq!(interner.number(text), number);
        }
        let (sections, numbers) = interner.write();
        let Sections { text, ends, folded } = &sections;
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
