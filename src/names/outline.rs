//! Outlines of names: what is seen of their words without reading them by every romanisation. They exclude most names that do not
//! match a pattern.

// Twin: the words compared by all their readings; tests: names_that_an_outline_excludes_do_not_match, readings_keep_the_letters_of_outlines.

use super::romanisation::letters;
use super::word::{NameWord, letter_bit, name_parts};

/// The greatest number of words of a name with an outline.
const MAX_WORDS: usize = 8;

/// The greatest number of letters of joined initials, and of letters that stand for one Cyrillic initial.
const MAX_INITIALS: usize = 3;

/// For each byte, its code in [`KeptLetters`], 0 for letters that are left out. The letters f, v and w have the same.
const CODES: [u8; 256] = {
    let letters = b"bdglmnrpvwf";
    let mut codes = [0; 256];
    let mut at = 0;
    while at < letters.len() {
        let code = if at < F_V_W as usize { at as u8 + 1 } else { F_V_W };
        codes[letters[at] as usize] = code;
        codes[letters[at].to_ascii_uppercase() as usize] = code;
        at += 1;
    }
    codes
};
const F_V_W: u8 = 9;

/// The letters of a word that every romanisation reads alike, in their order: b, d, g, l, m, n, r and p as themselves, which no
/// other letter is read as; and f, v and w, because `-off` and `-ow` are read as `-ov`. Words that agree in full have the
/// same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub(super) struct KeptLetters {
    /// Four bits for each letter; of many letters, the last ones.
    codes: u64,
    last: u8,
    /// The word has `rz`, `ph` or `q`, which may be read as `j`, `f` and `kv`: it is not compared.
    is_ambiguous: bool,
}

impl KeptLetters {
    /// Returns those of a word in [`letters`].
    pub(super) fn of(letters: &str) -> Self {
        let mut kept = Self::default();
        // Signs without a sound separate nothing.
        let sounds = letters.chars().filter(|letter| !matches!(letter, 'ъ' | 'ь'));
        sounds.for_each(|letter| kept.push(in_ascii(letter)));
        kept
    }

    /// Appends an ASCII letter; 0 for any other.
    fn push(&mut self, letter: u8) {
        let letter = letter.to_ascii_lowercase();
        let code = CODES[usize::from(letter)];
        // A double f is read as one v.
        if code != 0 && !(code == F_V_W && CODES[usize::from(self.last)] == F_V_W) {
            self.codes = self.codes << 4 | u64::from(code);
        }
        self.is_ambiguous |= matches!((self.last, letter), (b'r', b'z') | (b'p', b'h') | (_, b'q'));
        self.last = letter;
    }

    /// Returns `false` if words with these letters do not agree in full.
    fn may_agree(&self, other: &Self) -> bool {
        self.codes == other.codes || self.is_ambiguous || other.is_ambiguous
    }
}

/// Returns the ASCII letter with the code of a Cyrillic letter, and ASCII letters as they are; 0 for all others.
fn in_ascii(letter: char) -> u8 {
    match letter {
        'б' => b'b',
        'в' | 'ф' => b'v',
        'г' | 'ґ' => b'g',
        'д' => b'd',
        'л' => b'l',
        'м' => b'm',
        'н' => b'n',
        'п' => b'p',
        'р' => b'r',
        other => u8::try_from(other).ok().filter(u8::is_ascii).unwrap_or(0),
    }
}

/// What a word of a pattern demands of the words that agree with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct WantedOutline {
    /// The letters, as bits from `a`, with which these words may begin; 0 for any.
    first_letters: u32,
    kept: KeptLetters,
    is_initial: bool,
}

/// The outline of a word of a name.
#[derive(Clone, Copy, Default)]
struct WordOutline {
    /// The first letter as a bit from `a`; all letters of a word that may be initials; every bit if one of these is not ASCII.
    letters: u32,
    kept: KeptLetters,
    len: usize,
}

/// The outline of a name.
pub(super) struct NameOutline {
    words: [WordOutline; MAX_WORDS],
    len: usize,
}

impl WantedOutline {
    pub(super) fn new(word: &NameWord) -> Self {
        Self {
            first_letters: word.first_letters(),
            kept: KeptLetters::of(word.letters()),
            is_initial: word.is_initial(),
        }
    }

    /// Returns `false` if the words do not agree without errors, and none of them is an initial of the other.
    fn may_agree(&self, word: &WordOutline) -> bool {
        let begins = self.first_letters == 0 || self.first_letters & word.letters != 0;
        begins && (self.is_initial || word.len <= MAX_INITIALS || self.kept.may_agree(&word.kept))
    }
}

impl WordOutline {
    /// Returns the outline of a word in [`letters`].
    fn of_letters(letters: &str) -> Self {
        let len = letters.chars().count();
        let begin = letters.chars().take(if len <= MAX_INITIALS { len } else { 1 });
        let bit = |letter: char| u8::try_from(letter).ok().filter(u8::is_ascii).map_or(u32::MAX, letter_bit);
        Self { letters: begin.fold(0, |all, letter| all | bit(letter)), kept: KeptLetters::of(letters), len }
    }
}

impl NameOutline {
    /// Returns the outline of a name; `None` if it has very many words.
    pub(super) fn new(name: &str) -> Option<Self> {
        let is_apostrophe = |byte| matches!(byte, b'\'' | b'`');
        let mut outline = Self { words: [WordOutline::default(); MAX_WORDS], len: 0 };
        if !name.is_ascii() || name.bytes().any(is_apostrophe) {
            for part in name_parts(name) {
                outline.push(WordOutline::of_letters(&letters(&part.text).0))?;
            }
            return Some(outline);
        }
        // The words between punctuation, without a copy of each.
        let (mut word, mut first) = (WordOutline::default(), 0);
        for byte in name.bytes() {
            if byte.is_ascii_alphanumeric() {
                match word.len {
                    0 => (first, word.letters) = (letter_bit(byte), letter_bit(byte)),
                    1..MAX_INITIALS => word.letters |= letter_bit(byte),
                    // It has too many letters for initials.
                    _ => word.letters = first,
                }
                word.kept.push(byte);
                word.len += 1;
            } else if word.len > 0 {
                outline.push(word)?;
                word = WordOutline::default();
            }
        }
        if word.len > 0 {
            outline.push(word)?;
        }
        Some(outline)
    }

    fn push(&mut self, word: WordOutline) -> Option<()> {
        *self.words.get_mut(self.len)? = word;
        self.len += 1;
        Some(())
    }

    /// Returns `false` if some wanted word agrees with no word of the name.
    pub(super) fn may_match(&self, wanted: &[WantedOutline]) -> bool {
        let words = &self.words[..self.len];
        wanted.iter().all(|wanted| words.iter().any(|word| wanted.may_agree(word)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::names::romanisation::{Script, readings};

    /// Returns the kept letters of a reading, whose sounds are letters that stand for themselves.
    fn of_reading(sounds: &str) -> u64 {
        let spaced: String = sounds
            .chars()
            .flat_map(|sound| [sound].into_iter().chain(matches!(sound, 'p' | 'r').then_some('-')))
            .collect();
        KeptLetters::of(&spaced).codes
    }

    proptest! {
        #[test]
        fn readings_keep_the_letters_of_outlines(latin in "[a-zčšžżŝâû]{1,14}(off|eff|of|ef|ine|ov|ow)?", cyrillic in "[а-яґєіј]{1,14}") {
            for (word, script) in [(latin, Script::Latin), (cyrillic, Script::Cyrillic)] {
                let kept = KeptLetters::of(&word);
                for reading in readings(&word, script) {
                    prop_assert!(kept.is_ambiguous || kept.codes == of_reading(reading.as_str()), "{word}: {}", reading.as_str());
                }
            }
        }
    }
}
