//! Compares many names of persons, and remembers what it read and compared last.

use std::collections::HashMap;

use super::person::{NameSimilarity, PersonName, compare_readings, keys_of};
use super::word::WordCache;

/// Greatest number of bytes of names that are remembered.
const MAX_BYTES: usize = 4 << 20;
/// What a name takes in memory with all that is known of its words, as a multiple of its length; names that are compared as a whole take
/// little more than their length.
const BYTES_OF_WORDS: usize = 64;
/// Greatest number of pairs that are remembered.
const MAX_PAIRS: usize = 1 << 14;

/// As [`same_person`](super::same_person), for names that occur again and again.
#[derive(Debug, Default)]
pub struct PersonComparer {
    numbers: HashMap<Box<str>, u32>,
    /// The readings of each name by its number.
    names: Vec<Vec<PersonName>>,
    words: WordCache,
    /// Bytes of all names in memory.
    bytes: usize,
    pairs: HashMap<(u32, u32), NameSimilarity>,
}

impl PersonComparer {
    /// Compares two names.
    // Twin: same_person; test: remembered_names_compare_as_names_that_are_read_again.
    pub fn compare(&mut self, a: &str, b: &str) -> NameSimilarity {
        if self.bytes > MAX_BYTES {
            *self = Self::default();
        }
        if self.pairs.len() >= MAX_PAIRS {
            self.pairs.clear();
        }
        let pair = (self.number(a), self.number(b));
        let [a, b] = [pair.0, pair.1].map(|number| self.names[number as usize].as_slice());
        *self.pairs.entry(pair).or_insert_with(|| compare_readings(a, b))
    }

    /// Returns the [`blocking_keys`](super::person::blocking_keys) of a name; none of an unknown person.
    pub fn keys(&mut self, name: &str) -> Vec<String> {
        keys_of(&PersonName::readings_of(name, &mut self.words))
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        let readings = PersonName::readings_of(name, &mut self.words);
        let is_whole = readings.iter().all(|reading| reading.whole().is_some());
        self.bytes += if is_whole { 3 * name.len() } else { BYTES_OF_WORDS * name.len() };
        self.names.push(readings);
        self.numbers.insert(name.into(), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::same_person;

    #[test]
    fn remembered_names_compare_as_names_that_are_read_again() {
        let long = "Anna Berta Cara Dora Emma Fina Gera";
        let names = [
            "Hansen, K.",
            "Hansen, H.",
            "K Hansen",
            "?",
            "",
            "MF Tinsley",
            "Шварцман, А.",
            "Schwarzman",
            long,
        ];
        let mut comparer = PersonComparer::default();
        for _ in 0..2 {
            for a in names {
                for b in names {
                    assert_eq!(comparer.compare(a, b), same_person(a, b), "{a} / {b}");
                }
            }
        }
        // Forgets names, whose numbers others get.
        let filler = "x".repeat(MAX_BYTES);
        comparer.compare(&filler, "");
        assert_eq!(comparer.compare("Hansen, K.", "K Hansen"), same_person("Hansen, K.", "K Hansen"));
    }
}
