//! Outlines of names: a few properties of each word that are cheap to compute. Most names that do not match a pattern are rejected by
//! their outlines, before their words are read by the rules of all romanisations.

// Twin: the words compared by all their readings; tests: names_that_an_outline_excludes_do_not_match, readings_keep_the_letters_of_outlines.

use super::romanisation::{has_h_for_g, letters};
use super::word::{NameWord, joined_parts, letter_bit, name_parts};

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
    /// The codes of the last 16 letters, with four bits each.
    codes: u64,
    last: u8,
    /// `true` if the word has `rz`, `ph` or `q`, which may be read as `j`, `f` and `kv`, or a г that may be read as `h`. It may then
    /// agree with any word.
    is_ambiguous: bool,
}

impl KeptLetters {
    /// Returns the kept letters of a word that [`letters`] has normalised.
    pub(super) fn of(letters: &str) -> Self {
        let mut kept = Self::default();
        // The hard and the soft sign have no sound.
        let sounds = letters.chars().filter(|letter| !matches!(letter, 'ъ' | 'ь'));
        sounds.for_each(|letter| kept.push(in_ascii(letter)));
        kept.is_ambiguous |= has_h_for_g(letters);
        kept
    }

    /// Appends an ASCII letter or digit, or 0. Without branches, because letters cannot be predicted.
    fn push(&mut self, letter: u8) {
        let letter = letter.to_ascii_lowercase();
        let code = CODES[usize::from(letter)];
        // A double f is read as one v.
        let is_kept = (code != 0) & !((code == F_V_W) & (CODES[usize::from(self.last)] == F_V_W));
        self.codes = self.codes << (4 * u32::from(is_kept)) | u64::from(code * u8::from(is_kept));
        self.is_ambiguous |= (letter == b'q')
            | ((letter == b'z') & (self.last == b'r'))
            | ((letter == b'h') & (self.last == b'p'));
        self.last = letter;
    }

    /// Returns the bits of a [`NameOutline`] that stand for these letters: one, or all if they may agree with any others.
    fn outline_bits(&self) -> u64 {
        const HASH_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        if self.is_ambiguous {
            return !LETTERS;
        }
        let hash = self.codes.wrapping_mul(HASH_FACTOR) >> 32;
        1 << (LETTER_BITS + ((hash * u64::from(u64::BITS - LETTER_BITS)) >> 32) as u32)
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

/// The outline of a word of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
struct WantedOutline {
    /// The letters with which words that agree with it may begin, as bits from `a`; 0 for any letter.
    first_letters: u32,
    kept: KeptLetters,
    is_initial: bool,
}

/// The outline of a word of a name.
#[derive(Clone, Copy)]
struct WordOutline {
    /// The first letter as a bit from `a`; all letters of a word that may be initials; every bit if one of these is not ASCII.
    letters: u32,
    kept: KeptLetters,
    len: usize,
}

/// The outlines of the words of a pattern, in each of its lists of words.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub(super) struct PatternOutline {
    lists: Vec<Vec<WantedOutline>>,
    /// What each list requires of the outline of a whole name.
    wanted: Vec<WantedBits>,
    /// The letters with which a word may begin that agrees with any of them, as bits from `a`.
    first_letters: u32,
}

/// The outline of a whole name in eight bytes, so that a pattern rejects most of a million names without reading them.
///
/// The lowest bits are the letters with which its words begin. The others are the kept letters of its words, one bit for each word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NameOutline(u64);

/// Number of bits of a [`NameOutline`] for first letters, one for each ASCII letter.
const LETTER_BITS: u32 = 26;
const LETTERS: u64 = (1 << LETTER_BITS) - 1;

/// What a list of wanted words requires of the outline of a name.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
struct WantedBits {
    /// For each wanted word, the bits of which one is set if a word of the name begins like it.
    begins: Vec<u64>,
    /// The bits of which one is set if a word of the name agrees in full with a wanted word.
    full: u64,
}

impl WantedOutline {
    fn new(word: &NameWord) -> Self {
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
    /// Returns the outline of a word that [`letters`] has normalised.
    fn of_letters(letters: &str) -> Self {
        let len = letters.chars().count();
        let begin = letters.chars().take(if len <= MAX_INITIALS { len } else { 1 });
        let bit = |letter: char| u8::try_from(letter).ok().filter(u8::is_ascii).map_or(u32::MAX, letter_bit);
        Self { letters: begin.fold(0, |all, letter| all | bit(letter)), kept: KeptLetters::of(letters), len }
    }
}

/// Calls `add` with the outline of each word of a name. Words of ASCII letters may be left out if no letter of `first_letters`, which
/// are bits from `a`, begins them.
fn for_each_word(name: &str, first_letters: u32, mut add: impl FnMut(&WordOutline)) {
    if !name.is_ascii() || memchr::memchr2(b'\'', b'`', name.as_bytes()).is_some() {
        let parts = name_parts(name);
        let joined = joined_parts(&parts).unwrap_or_default();
        return parts
            .iter()
            .chain(&joined)
            .for_each(|part| add(&WordOutline::of_letters(&letters(&part.text).0)));
    }
    // The words between punctuation, without a copy of each.
    for word in name.as_bytes().split(|byte| !byte.is_ascii_alphanumeric()) {
        let begin = &word[..if word.len() <= MAX_INITIALS { word.len() } else { 1 }];
        let letters = begin.iter().fold(0, |all, &letter| all | letter_bit(letter));
        if letters & first_letters == 0 && (letters != 0 || word.is_empty()) {
            continue;
        }
        let mut kept = KeptLetters::default();
        word.iter().for_each(|&letter| kept.push(letter));
        add(&WordOutline { letters, kept, len: word.len() });
    }
}

impl NameOutline {
    /// Returns the outline of a name. Linear in the name.
    pub fn of(name: &str) -> Self {
        let mut bits = 0;
        for_each_word(name, u32::MAX, |word| {
            bits |= (u64::from(word.letters) & LETTERS) | word.kept.outline_bits();
        });
        Self(bits)
    }
}

impl WantedBits {
    fn new(list: &[WantedOutline], words: &[NameWord]) -> Self {
        let begins = list.iter().map(|wanted| match wanted.first_letters {
            0 => u64::MAX,
            letters => u64::from(letters),
        });
        // One of the wanted words has to agree in full, unless they are all single letters.
        let single_letters = words.iter().all(|word| word.len <= 1);
        let full = list.iter().fold(0, |bits, wanted| bits | wanted.kept.outline_bits());
        Self { begins: begins.collect(), full: if single_letters { u64::MAX } else { full } }
    }

    fn may_match(&self, name: NameOutline) -> bool {
        name.0 & self.full != 0 && self.begins.iter().all(|begin| name.0 & begin != 0)
    }
}

impl PatternOutline {
    /// Returns the outline of a pattern from its lists of words.
    pub(super) fn new(words: &[Vec<NameWord>]) -> Self {
        let outlines = |list: &Vec<NameWord>| list.iter().map(WantedOutline::new).collect();
        let lists: Vec<Vec<WantedOutline>> = words.iter().map(outlines).collect();
        let letters = |wanted: &WantedOutline| match wanted.first_letters {
            0 => u32::MAX,
            letters => letters,
        };
        let first_letters = lists.iter().flatten().fold(0, |all, wanted| all | letters(wanted));
        let wanted = lists.iter().zip(words).map(|(list, words)| WantedBits::new(list, words)).collect();
        Self { lists, wanted, first_letters }
    }

    /// Returns `false` if no name with this outline matches without errors.
    pub(super) fn may_match_outline(&self, name: NameOutline) -> bool {
        self.wanted.iter().any(|wanted| wanted.may_match(name))
    }

    /// Returns `false` if a name does not match without errors: in each list, some wanted word agrees with no word of the
    /// name. Linear in the name.
    pub(super) fn may_match(&self, name: &str) -> bool {
        // For each list, a bit for each wanted word that a word of the name may agree with. Lists and words beyond these are not
        // checked.
        let mut found = [0u64; 4];
        let add = |word: &WordOutline| {
            for (list, found) in self.lists.iter().zip(&mut found) {
                for (at, wanted) in list.iter().take(64).enumerate() {
                    *found |= u64::from(wanted.may_agree(word)) << at;
                }
            }
        };
        for_each_word(name, self.first_letters, add);
        let is_found =
            |(list, found): (&Vec<WantedOutline>, u64)| found.count_ones() as usize >= list.len().min(64);
        self.lists.len() > found.len() || self.lists.iter().zip(found).any(is_found)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::romanisation::{Script, readings};

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
