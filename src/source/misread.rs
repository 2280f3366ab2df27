//! Text in UTF-8 that a program read in another encoding and wrote again in UTF-8, such as `WiÅ›niewski` for
//! `Wiśniewski`.
//!
//! Each byte of a character has become a character of its own. Reading the text in the same wrong encoding is a
//! bijection, so the bytes can be found again.

use super::charset::Encoding;

/// The maximum number of times that a text is taken to have been misread, one after another.
const MAX_TIMES: u32 = 4;

/// A text that was misread, and what it was before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MisreadText {
    /// The text before.
    pub(crate) text: String,
    /// Name of the encoding in which it was read.
    pub(crate) encoding: &'static str,
    /// `true` if all of the text was misread, and it has letters of one script and of ASCII only.
    pub(crate) is_certain: bool,
}

/// An encoding in which texts in UTF-8 are often read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WrongEncoding {
    Windows1252,
    /// Differs from Windows-1252 in the bytes 0x80 to 0x9F, which are control characters.
    Latin1,
    Windows1251,
}

impl WrongEncoding {
    const ALL: [Self; 3] = [Self::Windows1252, Self::Latin1, Self::Windows1251];

    const fn name(self) -> &'static str {
        match self {
            Self::Windows1252 => "windows-1252",
            Self::Latin1 => "iso-8859-1",
            Self::Windows1251 => "windows-1251",
        }
    }

    /// Returns the bytes that were read as these characters; `None` if one of them has no code.
    fn bytes(self, text: &str) -> Option<Vec<u8>> {
        let encoding = match self {
            Self::Windows1252 => Encoding::WINDOWS_1252,
            Self::Windows1251 => Encoding::WINDOWS_1251,
            Self::Latin1 => return text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect(),
        };
        encoding.encode(text).map(std::borrow::Cow::into_owned)
    }

    /// Reads bytes in this encoding.
    #[cfg(test)]
    fn read(self, bytes: &[u8]) -> String {
        match self {
            Self::Windows1252 => Encoding::WINDOWS_1252.decode(bytes).into_owned(),
            Self::Windows1251 => Encoding::WINDOWS_1251.decode(bytes).into_owned(),
            Self::Latin1 => bytes.iter().copied().map(char::from).collect(),
        }
    }

    /// The least number of characters that were misread. Two Cyrillic letters may be one by chance.
    const fn min_characters(self) -> usize {
        match self {
            Self::Windows1252 | Self::Latin1 => 1,
            Self::Windows1251 => 2,
        }
    }
}

/// Returns what a text was before it was misread; `None` if nothing in it was. Linear in the text.
pub(crate) fn misread_text(text: &str) -> Option<MisreadText> {
    if text.is_ascii() {
        return None;
    }
    let is_possible = |encoding: &WrongEncoding| match encoding {
        WrongEncoding::Windows1252 | WrongEncoding::Latin1 => may_be_western(text),
        WrongEncoding::Windows1251 => may_be_cyrillic(text),
    };
    likeliest(WrongEncoding::ALL.into_iter().filter(is_possible).map(|encoding| read_back(text, encoding)))
}

/// Returns the first text that is certain, else the first one.
fn likeliest(found: impl Iterator<Item = Option<MisreadText>>) -> Option<MisreadText> {
    let mut uncertain = None;
    for found in found.flatten() {
        if found.is_certain {
            return Some(found);
        }
        uncertain.get_or_insert(found);
    }
    uncertain
}

/// Returns `false` if no first byte of a character, read as Windows-1252, stands before a character beyond ASCII. Costs no
/// memory, so that sound texts are passed quickly.
fn may_be_western(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(0xC3, bytes)
        .any(|at| matches!(bytes[at + 1..], [0x82..=0xB4, next, ..] if !next.is_ascii()))
}

/// Returns `false` if the first characters beyond ASCII are not a first byte, read as Windows-1251, and another byte of a
/// character. In Russian words a letter follows, and letters stand for first bytes only.
fn may_be_cyrillic(text: &str) -> bool {
    let mut beyond = text.chars().skip_while(char::is_ascii);
    let (first, second) = (beyond.next(), beyond.next());
    matches!(first, Some('\u{412}'..='\u{444}'))
        && second.is_some_and(|c| !c.is_ascii() && !matches!(c, '\u{410}'..='\u{44F}'))
}

fn read_back(text: &str, encoding: WrongEncoding) -> Option<MisreadText> {
    let Reread { text: mut before, mut characters, mut is_whole } = read_back_once(text, encoding)?;
    for _ in 1..MAX_TIMES {
        let Some(again) = read_back_once(&before, encoding).filter(|again| again.is_whole) else { break };
        (before, characters) = (again.text, again.characters);
    }
    is_whole &= characters >= encoding.min_characters();
    let is_certain = is_whole && has_one_script(&before);
    // Cyrillic text is read as Windows-1251 far more often than any other.
    if encoding == WrongEncoding::Windows1251 && !is_certain {
        return None;
    }
    Some(MisreadText { text: before, encoding: encoding.name(), is_certain })
}

/// A text with its runs beyond ASCII read back.
struct Reread {
    text: String,
    /// Number of characters beyond ASCII that were read back.
    characters: usize,
    /// `true` if all runs were.
    is_whole: bool,
}

/// Reads every run of characters beyond ASCII back, where it is UTF-8.
fn read_back_once(text: &str, encoding: WrongEncoding) -> Option<Reread> {
    let mut reread = Reread { text: String::with_capacity(text.len()), characters: 0, is_whole: true };
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| !c.is_ascii()) {
        let (ascii, run) = rest.split_at(start);
        let len = run.find(|c: char| c.is_ascii()).unwrap_or(run.len());
        let (run, after) = run.split_at(len);
        let bytes = encoding.bytes(run).and_then(|bytes| String::from_utf8(bytes).ok());
        reread.text.push_str(ascii);
        match bytes {
            Some(before) => {
                reread.characters += before.chars().count();
                reread.text.push_str(&before);
            }
            None => {
                reread.is_whole = false;
                reread.text.push_str(run);
            }
        }
        rest = after;
    }
    reread.text.push_str(rest);
    (reread.characters > 0 && !is_chance(text, &reread.text)).then_some(reread)
}

/// Returns `true` if a text whose characters beyond ASCII are all Latin letters (`Øš`) is read back to other letters than European
/// ones. Misread text of other scripts nearly always has signs among its characters.
fn is_chance(text: &str, before: &str) -> bool {
    use CharacterKind::{Cyrillic, Greek, Latin, Sign};
    let beyond = |text: &str, kinds: &[CharacterKind]| {
        text.chars().filter(|c| !c.is_ascii()).all(|c| kind(c).is_some_and(|kind| kinds.contains(&kind)))
    };
    beyond(text, &[Latin]) && !beyond(before, &[Latin, Greek, Cyrillic, Sign])
}

/// Returns `true` if the characters of a text beyond ASCII are letters of one script, or punctuation.
fn has_one_script(text: &str) -> bool {
    let mut known = None;
    text.chars().filter(|c| !c.is_ascii()).all(|c| match kind(c) {
        Some(CharacterKind::Sign) => true,
        Some(script) => *known.get_or_insert(script) == script,
        None => false,
    })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CharacterKind {
    /// Punctuation, fractions, currency and other signs, and combining accents.
    Sign,
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    Georgian,
    EastAsian,
}

/// Returns the kind of a character; `None` for those that do not occur in names, such as control characters.
fn kind(c: char) -> Option<CharacterKind> {
    use CharacterKind::{Arabic, Armenian, Cyrillic, EastAsian, Georgian, Greek, Hebrew, Latin, Sign};
    Some(match c {
        '\u{A0}'..='\u{BF}' | '×' | '÷' | '\u{300}'..='\u{36F}' => Sign,
        // The bytes 0x98 and 0x88 in Windows-1252, which are the second bytes of letters such as `Ø` and `È`.
        '˜' | 'ˆ' => Sign,
        '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Latin,
        '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => Greek,
        '\u{400}'..='\u{45F}' | '\u{490}'..='\u{4FF}' => Cyrillic,
        '\u{530}'..='\u{58F}' => Armenian,
        '\u{590}'..='\u{5FF}' => Hebrew,
        '\u{600}'..='\u{6FF}' => Arabic,
        '\u{10A0}'..='\u{10FF}' => Georgian,
        '\u{3040}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => EastAsian,
        '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}' | '\u{20A0}'..='\u{20CF}' | '\u{2116}' => Sign,
        '\u{2153}'..='\u{215E}' | '\u{2190}'..='\u{21FF}' | '\u{25A0}'..='\u{27BF}' => Sign,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_that_were_misread_are_found() {
        for (misread, text, encoding, is_certain) in [
            ("WiÅ›niewski", "Wiśniewski", "windows-1252", true),
            ("GÃ©rard, RenÃ©", "Gérard, René", "windows-1252", true),
            ("LÃ©man â€“ GenÃ¨ve", "Léman – Genève", "windows-1252", true),
            // The byte 0x9B is a control character in Latin-1.
            ("WiÅ\u{9B}niewski", "Wiśniewski", "iso-8859-1", true),
            ("Р\u{98}РІР°РЅРѕРІ Р\u{98}.", "Иванов И.", "windows-1251", true),
            ("ÐšÑƒÐ¿ÐµÑ€Ð¼Ð°Ð½", "Куперман", "windows-1252", true),
            // Misread twice.
            ("WiÃ…â€ºniewski", "Wiśniewski", "windows-1252", true),
            // One of two letters is right: somebody typed it after the text was misread.
            ("WiÅ›niewski, Łukasz", "Wiśniewski, Łukasz", "windows-1252", false),
            // Misread twice, and not three times.
            ("Ã˜Å¡", "Øš", "windows-1252", true),
            // Misread twice, it has only Latin letters.
            ("ÃƒËœ", "Ø", "windows-1252", true),
            // A Latin letter in a Cyrillic name.
            ("ÐšÑƒÐ¿ÐµÑ€Ð¼Ð°Ð½ Ã©", "Куперман é", "windows-1252", false),
        ] {
            let found = misread_text(misread);
            let expected = MisreadText { text: text.to_owned(), encoding, is_certain };
            assert_eq!(found, Some(expected), "{misread}");
        }
    }

    #[test]
    fn every_european_letter_is_read_back() {
        let letters = ('\u{C0}'..='\u{17F}').chain('\u{386}'..='\u{3CE}').chain('\u{400}'..='\u{45F}');
        for letter in letters.filter(|c| c.is_alphabetic()) {
            for encoding in WrongEncoding::ALL {
                let text: String = std::iter::repeat_n(letter, encoding.min_characters()).collect();
                let mut misread = text.clone();
                for times in 1..=MAX_TIMES {
                    misread = encoding.read(misread.as_bytes());
                    let found = misread_text(&misread).map(|found| found.text);
                    assert_eq!(
                        found.as_deref(),
                        Some(&*text),
                        "{letter} read {times} times as {}",
                        encoding.name()
                    );
                }
            }
        }
    }

    #[test]
    fn sound_texts_are_left_alone() {
        for text in [
            "",
            "Wisniewski",
            "Wiśniewski",
            "Gérard",
            "Ångström",
            "São Paulo",
            "«Ель»",
            "Иванов И.",
            "Её",
            "Щёголев",
            "ÄÖÜ – “x”",
            // Bytes of an Arabic and of a N'Ko letter by chance.
            "Øš",
            "ßš",
            "Ó Ã Õ",
        ] {
            assert_eq!(misread_text(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn misread_names_are_read_back(text in "[a-zéèüßśłąőšžçñØ .,-]{1,20}|[а-яА-Я .,]{2,20}", times in 1u32..3) {
            for encoding in WrongEncoding::ALL {
                let misread = (0..times).fold(text.clone(), |text, _| encoding.read(text.as_bytes()));
                let beyond = text.chars().filter(|c| !c.is_ascii()).count();
                let found = misread_text(&misread);
                if beyond == 0 {
                    prop_assert_eq!(found, None);
                } else if beyond >= encoding.min_characters() {
                    let found = found.expect("all of the text was misread");
                    prop_assert_eq!((&found.text, found.is_certain), (&text, true));
                    // Misreading it again gives the same bytes.
                    let again = (1..=MAX_TIMES).map(|times| {
                        (0..times).fold(found.text.clone(), |text, _| encoding.read(text.as_bytes()))
                    });
                    prop_assert!(again.into_iter().any(|again| again == misread));
                }
            }
        }

        #[test]
        fn quick_look_misses_no_misread_text(text in "([ÂÃÄÅÐÑâ][\u{80}-\u{BF}€‚„…†‰Š‹]|[a-zРСВГ ]|[ЂѓўЎ]|[а-я]){0,12}") {
            let slow = likeliest(WrongEncoding::ALL.into_iter().map(|encoding| read_back(&text, encoding)));
            prop_assert_eq!(misread_text(&text), slow);
        }

        #[test]
        fn any_text_is_read_back_to_text_without_new_ascii(text in "\\PC{0,40}") {
            if let Some(found) = misread_text(&text) {
                let ascii = |text: &str| text.chars().filter(char::is_ascii).collect::<String>();
                prop_assert_eq!(ascii(&found.text), ascii(&text));
                prop_assert!(found.text.len() < text.len());
            }
        }
    }
}
