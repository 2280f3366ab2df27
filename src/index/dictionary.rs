//! The values of a tag: each text once, in an order in which whoever is meant by a prefix stands together.
//!
//! A text is *folded* for searching: letters in lower case without their marks, everything that is neither letter
//! nor digit a single blank, none at the ends; so `Sijbrands, T.` and `SIJBRANDS,T` are found alike. Texts are
//! numbered in the order of their folded forms, equal ones in the order of their bytes. Three sections hold
//! them: the texts one after the other, their [`Ends`], and an [`fst`] map from every folded form to the first
//! number that has it.

use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use xxhash_rust::xxh3::xxh3_64;

use super::column::{Ends, write_ends};

/// The form of a text in which it is searched for.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut blank = false;
    let mut put = |c: char| {
        if !c.is_alphanumeric() {
            blank = !folded.is_empty();
            return;
        }
        if std::mem::take(&mut blank) {
            folded.push(' ');
        }
        folded.extend(c.to_lowercase());
    };
    if text.is_ascii() {
        text.chars().for_each(&mut put);
    } else {
        text.nfkd().filter(|&c| !is_combining_mark(c)).for_each(&mut put);
    }
    folded
}

/// Gives every different text a number, in the order in which they come.
#[derive(Debug, Default)]
pub(super) struct Interner {
    text: String,
    ends: Vec<usize>,
    numbers: std::collections::HashMap<u64, u32, BuildHasherDefault<Hashed>>,
}

/// The key is a hash already.
#[derive(Debug, Default)]
pub(super) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl Interner {
    /// The number of this text.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        self.find(text.as_bytes()).unwrap_or_else(|hash| self.insert(hash, text))
    }

    /// The number of these bytes; `None` if they are not UTF-8. Only what is new is looked at.
    #[inline]
    pub(super) fn number_of(&mut self, text: &[u8]) -> Option<u32> {
        match self.find(text) {
            Ok(number) => Some(number),
            Err(hash) => std::str::from_utf8(text).ok().map(|text| self.insert(hash, text)),
        }
    }

    /// The number of a text that is known, or the place of its number.
    #[inline]
    fn find(&self, text: &[u8]) -> Result<u32, u64> {
        let mut hash = xxh3_64(text);
        loop {
            match self.numbers.get(&hash) {
                Some(&number) if self.bytes(number) == text => return Ok(number),
                // Two texts with one hash: the next free one after it.
                Some(_) => hash = hash.wrapping_add(1),
                None => return Err(hash),
            }
        }
    }

    #[cold]
    fn insert(&mut self, hash: u64, text: &str) -> u32 {
        let number = self.ends.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.numbers.insert(hash, number);
        number
    }

    /// The text of this number; nothing for one that was never given.
    pub(super) fn get(&self, number: u32) -> &str {
        self.text.get(self.place(number)).unwrap_or("")
    }

    #[inline]
    fn bytes(&self, number: u32) -> &[u8] {
        self.text.as_bytes().get(self.place(number)).unwrap_or(b"")
    }

    /// Where the text of a number stands; nowhere for one that was never given.
    #[inline]
    fn place(&self, number: u32) -> Range<usize> {
        let number = number as usize;
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| end);
        self.ends.get(number).map_or(0..0, |&end| start..end)
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes of memory, about; a function of the texts alone.
    pub(super) fn weight(&self) -> usize {
        self.text.len() + 32 * self.ends.len()
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.numbers.clear();
    }

    /// The three sections, and for every number given the one it has there.
    pub(super) fn write(&self) -> (Sections, Vec<u32>) {
        let mut texts: Vec<(String, u32)> =
            (0..self.len() as u32).map(|number| (fold(self.get(number)), number)).collect();
        texts.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| self.get(a.1).cmp(self.get(b.1))));
        let mut numbers = vec![0; texts.len()];
        let (mut text, mut lengths) = (Vec::with_capacity(self.text.len()), Vec::with_capacity(texts.len()));
        let mut folded = fst::MapBuilder::memory();
        let mut last = None;
        for (number, (form, old)) in (0u32..).zip(&texts) {
            numbers[*old as usize] = number;
            let own = self.get(*old);
            text.extend(own.as_bytes());
            lengths.push(own.len() as u32);
            if last != Some(form) {
                folded.insert(form, u64::from(number)).expect("sorted, and into memory");
                last = Some(form);
            }
        }
        let folded = folded.into_inner().expect("into memory");
        (Sections { text, ends: write_ends(&lengths), folded }, numbers)
    }
}

/// A dictionary as bytes.
#[derive(Debug)]
pub(super) struct Sections {
    pub(super) text: Vec<u8>,
    pub(super) ends: Vec<u8>,
    pub(super) folded: Vec<u8>,
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
    pub(super) fn new(text: &'a [u8], ends: &'a [u8], folded: &'a [u8]) -> Option<Self> {
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
    pub(super) fn is_ordered(&self) -> bool {
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
    fn folding_forgets_how_a_name_is_spelt() {
        for (text, folded) in [
            ("Sijbrands, T.", "sijbrands t"),
            ("SIJBRANDS,T", "sijbrands t"),
            ("  Ton   Sijbrands ", "ton sijbrands"),
            ("Čížov", "cizov"),
            ("Чижов А.", "чижов а"),
            ("Øyvind", "øyvind"),
            ("", ""),
            ("?", ""),
            ("ﬁ Ⅳ", "fi iv"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
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
