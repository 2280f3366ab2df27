//! Folding: the form of a name that is compared.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use pdn_rules::internal::steps;

/// Returns `text` folded for comparison: in lower case, without accents and punctuation, words separated by one
/// space.
///
/// Linear in the text. Letters outside ASCII are decomposed first (Unicode NFKD).
///
/// ```
/// assert_eq!(pdn_names::fold("Čížov,  A."), "cizov a");
/// ```
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    fold_into(text, &mut folded);
    folded
}

/// The most words of a name whose order may be turned. Longer names are texts of another kind.
const MAX_TURNED_WORDS: usize = 8;

/// Returns the folded texts that a person with this one may have: a name may begin with any of its words.
#[doc(hidden)]
pub fn turned_names(folded: &str) -> BTreeSet<String> {
    let words: Vec<&str> = folded.split(' ').collect();
    let turns = if words.len() <= MAX_TURNED_WORDS { words.len() } else { 1 };
    (0..turns).map(|first| [&words[first..], &words[..first]].concat().join(" ")).collect()
}

/// Returns the folded text that stands for all names of a person that differ in case, accents, punctuation and the word that comes first
/// only: `Wal, Jan van der` and `Jan van der Wal` have the same. Empty without a letter or digit.
#[doc(hidden)]
pub fn letters_of_person(name: &str) -> String {
    let folded = fold(name);
    turned_names(&folded).into_iter().next().unwrap_or(folded)
}

/// Appends the folded `text` to `folded`; see [`fold`].
pub fn fold_into(text: &str, folded: &mut String) {
    steps::add(1 + text.len());
    let start = folded.len();
    // Whether a space precedes the next letter or digit.
    let mut gap = false;
    if text.is_ascii() {
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() {
                if std::mem::take(&mut gap) {
                    folded.push(' ');
                }
                folded.push(char::from(byte.to_ascii_lowercase()));
            } else {
                gap = folded.len() > start;
            }
        }
        return;
    }
    for c in text.nfkd().filter(|&c| !is_combining_mark(c)) {
        if c.is_alphanumeric() {
            if std::mem::take(&mut gap) {
                folded.push(' ');
            }
            folded.extend(c.to_lowercase());
        } else {
            gap = folded.len() > start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fold_removes_case_accents_and_punctuation() {
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
}
