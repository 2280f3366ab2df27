//! Weighs how plausible bytes are as names in each 8-bit encoding.
//!
//! Detectors made for web pages expect kilobytes of prose and regard DOS code pages as rare. A record has only a few names,
//! and the question is mostly which of three Cyrillic code pages they are in, then which of the pages for Latin letters. Capitals decide most cases: `Иванов` in CP1251
//! reads `хБЮМНБ` in KOI8-R and has no letters in CP866.

use std::sync::OnceLock;

use super::charset::Encoding;
use super::standard::ascii_len;

/// The weight of text in each of [`Encoding::WEIGHED`], in points. Adding text is linear in its length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weights([i64; ENCODINGS]);

/// The number of encodings that are weighed.
const ENCODINGS: usize = Encoding::WEIGHED.len();

impl Weights {
    /// Adds the weights of the words of `text` that are not ASCII.
    pub(super) fn add(&mut self, text: &[u8]) {
        let mut at = 0;
        while at < text.len() {
            at += ascii_len(&text[at..]);
            if at == text.len() {
                break;
            }
            let before = text[..at].iter().rev().take_while(|byte| in_word(**byte)).count();
            let after = text[at..].iter().take_while(|byte| in_word(**byte)).count();
            let word = &text[at - before..at + after];
            for (weight, tables) in self.0.iter_mut().zip(tables()) {
                *weight += tables.weigh(word);
            }
            at += after;
        }
    }

    /// Adds `points` to one encoding; ignores encodings that are not weighed.
    pub(super) fn favour(&mut self, encoding: Encoding, points: i64) {
        for (weight, candidate) in self.0.iter_mut().zip(Encoding::WEIGHED) {
            if candidate == encoding {
                *weight += points;
            }
        }
    }

    /// Returns the encoding with the highest weight, the first of equal ones, and its lead over the second in points.
    pub(super) fn heaviest(&self) -> (Encoding, i64) {
        let mut best = 0;
        for i in 1..self.0.len() {
            if self.0[i] > self.0[best] {
                best = i;
            }
        }
        let others = (0..self.0.len()).filter(|i| *i != best).map(|i| self.0[i]);
        let next = others.max().unwrap_or(i64::MIN);
        (Encoding::WEIGHED[best], self.0[best] - next)
    }
}

/// Returns `true` for the bytes of words: ASCII letters and all bytes that are not ASCII.
fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0x80
}

/// The class of a character in an encoding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// A letter of the encoding's own alphabet beyond ASCII, with its case and its weight in points.
    Own { upper: bool, weight: i64 },
    /// An ASCII letter.
    Ascii { upper: bool },
    /// A character that occurs next to letters in text: quotes, dashes, spaces.
    Mark,
    /// A character that does not occur in names, such as box drawing, or an undefined byte.
    Implausible,
}

/// The classes of all bytes in one encoding.
struct Table {
    classes: [Class; 256],
    cyrillic: bool,
}

/// Returns the tables of [`Encoding::WEIGHED`], built on first use.
fn tables() -> &'static [Table; ENCODINGS] {
    static TABLES: OnceLock<[Table; ENCODINGS]> = OnceLock::new();
    TABLES.get_or_init(|| Encoding::WEIGHED.map(Table::new))
}

impl Table {
    fn new(encoding: Encoding) -> Self {
        let cyrillic = [Encoding::WINDOWS_1251, Encoding::KOI8_R, Encoding::CP866].contains(&encoding);
        // Of two encodings that give the same letters, the commoner one wins; so a rare one needs letters of its own.
        let rare = !cyrillic && encoding != Encoding::WINDOWS_1252;
        let mut classes = [Class::Implausible; 256];
        for byte in 0..=u8::MAX {
            classes[usize::from(byte)] = match encoding.character(byte) {
                Some(character) => class(character, cyrillic, rare),
                None => Class::Implausible,
            };
        }
        Self { classes, cyrillic }
    }

    /// Returns the weight of a word in points.
    fn weigh(&self, word: &[u8]) -> i64 {
        // A single character may be a word in each alphabet, or a sign.
        if let &[byte] = word
            && self.classes[usize::from(byte)] != Class::Implausible
        {
            return 0;
        }
        let mut total = 0;
        let mut before: [Option<Class>; 2] = [None, None];
        for &byte in word {
            let class = self.classes[usize::from(byte)];
            total += match class {
                Class::Own { weight, .. } => weight,
                Class::Ascii { .. } => 0,
                Class::Mark => -2,
                Class::Implausible => -25,
            };
            if let Some(last) = before[0] {
                total += self.pair(last, class);
                total += case(before[1], last, class);
                // A sign within a word, as in `G³owniak`, is a letter of another encoding.
                if last == Class::Implausible && before[1].is_some_and(is_letter) && is_letter(class) {
                    total -= 50;
                }
            }
            before = [Some(class), before[0]];
        }
        let all_own = word.iter().all(|byte| matches!(self.classes[usize::from(*byte)], Class::Own { .. }));
        let [first, rest @ ..] = word else { return total };
        let is_upper = |byte: &u8| matches!(self.classes[usize::from(*byte)], Class::Own { upper: true, .. });
        // A name starts with a capital and has no other.
        if all_own && word.len() > 2 && is_upper(first) && !rest.iter().any(is_upper) {
            total += 6;
        }
        total
    }

    /// Returns the points for two adjacent characters.
    fn pair(&self, last: Class, this: Class) -> i64 {
        match (last, this) {
            (Class::Own { .. }, Class::Own { .. }) => {
                if self.cyrillic {
                    6
                } else {
                    -12
                }
            }
            (Class::Own { .. }, Class::Ascii { .. }) | (Class::Ascii { .. }, Class::Own { .. }) => {
                if self.cyrillic { -20 } else { 8 }
            }
            _ => 0,
        }
    }
}

/// Returns the points for the case of three adjacent characters, unless the last two are ASCII.
fn case(before: Option<Class>, last: Class, this: Class) -> i64 {
    if matches!((last, this), (Class::Ascii { .. }, Class::Ascii { .. })) {
        return 0;
    }
    match (before.and_then(is_upper), is_upper(last), is_upper(this)) {
        // `иВ`
        (_, Some(false), Some(true)) => -25,
        // `ИВа`
        (Some(true), Some(true), Some(false)) => -12,
        _ => 0,
    }
}

fn is_letter(class: Class) -> bool {
    matches!(class, Class::Own { .. } | Class::Ascii { .. })
}

/// Returns the case of a letter; `None` for other characters.
fn is_upper(class: Class) -> Option<bool> {
    match class {
        Class::Own { upper, .. } | Class::Ascii { upper } => Some(upper),
        Class::Mark | Class::Implausible => None,
    }
}

/// Classifies a character. `rare` says that the encoding is a rare one for letters of the Latin alphabet.
fn class(character: char, cyrillic: bool, rare: bool) -> Class {
    if character.is_ascii() {
        return if character.is_ascii_alphabetic() {
            Class::Ascii { upper: character.is_ascii_uppercase() }
        } else {
            Class::Mark
        };
    }
    let lower = character.to_lowercase().next().unwrap_or(character);
    let upper = lower != character;
    let own = |weight| Class::Own { upper, weight };
    match lower {
        'а'..='я' | 'ё' if cyrillic => own(russian(lower)),
        // Ukrainian and Belarusian.
        'і' | 'ї' | 'є' | 'ґ' | 'ў' if cyrillic => own(-3),
        // Serbian and Macedonian letters of the same pages.
        '\u{400}'..'\u{500}' if cyrillic => own(-12),
        'é' | 'è' | 'ë' | 'ê' | 'ç' | 'ö' | 'ü' | 'ä' | 'å' | 'ï' | 'á' | 'í' | 'ó' | 'ã' | 'ñ' | 'à'
        | 'ø' | 'ú' | 'æ' | 'â' | 'ô' | 'î'
            if !cyrillic =>
        {
            own(if rare { 0 } else { 4 })
        }
        'ì' | 'ò' | 'ù' | 'û' | 'õ' if !cyrillic => own(if rare { 0 } else { 3 }),
        'ß' if !cyrillic => own(0),
        'œ' if !cyrillic => own(-1),
        'ý' if !cyrillic => own(2),
        // Polish, Czech, Lithuanian and Latvian.
        'š' | 'ž' if !cyrillic => own(3),
        'ą' | 'ć' | 'ę' | 'ł' | 'ń' | 'ś' | 'ź' | 'ż' | 'č' | 'ě' | 'ř' | 'ů' | 'ā' | 'ē' | 'ī' | 'ū'
        | 'ņ' | 'ļ' | 'ķ' | 'ģ' | 'ė' | 'į' | 'ų' | 'ő' | 'ű'
            if rare =>
        {
            own(2)
        }
        '\u{C0}'..'\u{250}' if !cyrillic && lower != '÷' && lower != '×' => own(-8),
        '«' | '»' | '“' | '”' | '„' | '‘' | '’' | '‚' | '–' | '—' | '…' | '№' | '\u{A0}' | '°' | '§'
        | '½' | '±' => Class::Mark,
        _ => Class::Implausible,
    }
}

/// Returns ten times the natural logarithm of a letter's frequency in Russian text relative to the average letter, but at least
/// -25.
fn russian(lower: char) -> i64 {
    match lower {
        'о' => 13,
        'е' => 10,
        'а' => 10,
        'и' => 9,
        'н' => 8,
        'т' => 7,
        'с' => 6,
        'р' => 4,
        'в' => 4,
        'л' => 4,
        'к' => 2,
        'м' => 0,
        'д' => 0,
        'п' => -1,
        'у' => -1,
        'я' => -4,
        'ы' => -5,
        'ь' => -5,
        'г' => -6,
        'з' => -6,
        'б' => -6,
        'ч' => -8,
        'й' => -9,
        'х' => -11,
        'ж' => -11,
        'ш' => -14,
        'ю' => -16,
        'ц' => -18,
        'щ' => -21,
        'э' => -22,
        'ф' => -24,
        'ё' => -10,
        _ => -25,
    }
}
