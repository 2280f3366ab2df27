//! Guesses the encoding of text, record by record, when text is requested.
//!
//! PDN declares no encoding, and one file may contain several. The parser needs none: all characters of its grammar are
//! ASCII in every supported encoding. Only the text of names, places and comments depends on it.

use std::borrow::Cow;

use super::charset::Encoding;
use super::plausible::Weights;
use crate::value::{DateOrders, ReadDate, ValueError};

/// A guessed encoding.
///
/// Returned by [`detect_encoding`] and [`Decoder::guess`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EncodingGuess {
    /// The encoding to decode with.
    pub encoding: Encoding,
    /// `true` if no other encoding is plausible: ASCII, valid UTF-8, a lead of 20 points, or the encoding that the caller
    /// forced.
    pub certain: bool,
}

/// Guesses the encoding of the record `game` without its file, by the rule of [`Decoder`]. O(bytes).
///
/// ```
/// use pdn::source::{Encoding, detect_encoding};
///
/// let utf8 = detect_encoding("[White \"Иванов\"] *".as_bytes());
/// assert_eq!((utf8.encoding, utf8.certain), (Encoding::UTF_8, true));
///
/// let western = detect_encoding(b"[White \"Andr\xE9 B\xE9rub\xE9\"] *");
/// assert_eq!(western.encoding, Encoding::WINDOWS_1252);
/// ```
pub fn detect_encoding(game: &[u8]) -> EncodingGuess {
    Decoder::default().guess(game)
}

/// Reads the text of one file, record by record: its bytes as characters, and its dates.
///
/// Plain `Copy` data, so that each thread can have its own.
///
/// # The rule
///
/// The *prior* of a file is computed from its first [`Self::SAMPLE`] bytes. Each line that is neither ASCII nor valid
/// UTF-8 gets a weight in each of twelve encodings, and the encoding with the highest sum is the prior. The sample has a fixed size, so the prior depends neither on the number of threads nor on the size of reads.
///
/// The encoding of a record is computed from all its bytes. The first rule that applies decides:
///
/// 1. The record is ASCII: UTF-8, certain.
/// 2. It is valid UTF-8: UTF-8, certain.
/// 3. It has at least four times as many multi-byte characters as invalid sequences: UTF-8 with damage, not certain. Twice
///    as many are enough if the prior is UTF-8.
/// 4. The encoding with the highest weight over the words of the record: Windows-1252, Windows-1251, KOI8-R, CP866,
///    Windows-1250, ISO 8859-2, Windows-1257, CP850, CP437, CP852, CP775 or Mac Roman. The prior of the file gets a bonus of 40
///    points, which is about three words. A lead of 20 points is certain. The first in this order wins ties.
///
/// The weight of a word combines four things: the frequency of its letters in Russian or in western names; capitals at the
/// places of capitals; that Cyrillic words contain no Latin letters and western words mostly do; and characters that do not
/// occur in names, such as box drawing. A single letter says nothing: `à` in Windows-1252 is `а` in Windows-1251.
///
/// The order of day and month of a date such as `07/04/1999` is that of the other dates in the first [`Self::SAMPLE`] bytes, if they
/// [agree](DateOrders).
///
/// Windows-1252 includes Latin-1, and KOI8-R stands for KOI8-U. Other encodings are never guessed; a caller can force them
/// by label.
///
/// Cost: ASCII and UTF-8 are recognised at memory speed; weighing takes about 30 ns per byte that is not ASCII.
///
/// ```
/// use pdn::source::{Decoder, Encoding};
///
/// let file = b"[White \"\x88\xA2\xA0\xAD\xAE\xA2\"]\n[Black \"\x8F\xA5\xE2\xE0\xAE\xA2\"]\n*\n\n[White \"\xAE\"]\n*\n";
/// let decoder = Decoder::new(None, file);
/// let game = &file[file.len() - 14..];
/// assert_eq!(decoder.guess(game).encoding, Encoding::CP866);
/// assert_eq!(decoder.text(game, b"\xAE"), "о");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decoder {
    forced: Option<Encoding>,
    prior: Option<Encoding>,
    dates: DateOrders,
}

impl Decoder {
    /// The number of bytes at the start of a file that its prior is computed from. A streaming reader needs this many
    /// bytes, or the whole text, before it decodes the first record.
    #[doc(hidden)]
    pub const SAMPLE: usize = 256 << 10;

    /// Minimum lead in points of a certain guess.
    const CERTAIN_LEAD: i64 = 20;
    /// Points for the prior of the file.
    const PRIOR_POINTS: i64 = 40;

    /// Creates a decoder for the file that starts with `head`: its first [`Self::SAMPLE`] bytes or more, or all of them.
    /// With `forced`, all records have that encoding and nothing is guessed.
    pub fn new(forced: Option<Encoding>, head: &[u8]) -> Self {
        let sample = &head[..head.len().min(Self::SAMPLE)];
        let prior = if forced.is_some() { None } else { prior(sample) };
        Self { forced, prior, dates: DateOrders::of(sample) }
    }

    /// Creates a decoder from what [`forced`](Self::forced), [`prior`](Self::prior) and [`dates`](Self::dates) of another one returned.
    #[doc(hidden)]
    pub const fn from_parts(forced: Option<Encoding>, prior: Option<Encoding>, dates: DateOrders) -> Self {
        Self { forced, prior, dates }
    }

    /// Returns the decoder of the same file that takes all of its records to have an encoding, if one is given.
    #[must_use]
    pub fn with_forced(self, encoding: Option<Encoding>) -> Self {
        match encoding {
            Some(_) => Self { forced: encoding, prior: None, ..self },
            None => self,
        }
    }

    /// Returns the encoding that is forced for all records.
    #[doc(hidden)]
    pub const fn forced(&self) -> Option<Encoding> {
        self.forced
    }

    /// Returns the prior: the encoding of most lines at the start of the file. `None` if it is all ASCII or if an encoding
    /// is forced.
    pub fn prior(&self) -> Option<Encoding> {
        self.prior
    }

    /// Returns the order of day and month in the dates of the file.
    pub const fn dates(&self) -> DateOrders {
        self.dates
    }

    /// Reads a date of the file; see [`DateOrders::read`].
    ///
    /// # Errors
    /// As [`Date::read`](crate::value::Date::read).
    pub fn read_date(&self, text: &[u8]) -> Result<ReadDate, ValueError> {
        self.dates.read(text)
    }

    /// Guesses the encoding of the record `game`, by the rule of [`Decoder`]. O(bytes).
    pub fn guess(&self, game: &[u8]) -> EncodingGuess {
        let certain = |encoding| EncodingGuess { encoding, certain: true };
        if let Some(forced) = self.forced {
            return certain(forced);
        }
        if game.is_ascii() || simdutf8::basic::from_utf8(game).is_ok() {
            return certain(Encoding::UTF_8);
        }
        let (valid, invalid) = count_utf8(game);
        let factor = if self.prior == Some(Encoding::UTF_8) { 2 } else { 4 };
        if valid >= factor * invalid {
            return EncodingGuess { encoding: Encoding::UTF_8, certain: false };
        }
        let mut weights = Weights::default();
        weights.add(game);
        let prior = self.prior.filter(|prior| *prior != Encoding::UTF_8);
        if let Some(prior) = prior {
            weights.favour(prior, Self::PRIOR_POINTS);
        }
        let (encoding, lead) = weights.heaviest();
        EncodingGuess { encoding, certain: lead >= Self::CERTAIN_LEAD }
    }

    /// Decodes `part`, some bytes of the record `game`. ASCII is borrowed and needs no guess.
    ///
    /// For many parts of one record, call [`Decoder::guess`] once and decode with its encoding.
    pub fn text<'a>(&self, game: &[u8], part: &'a [u8]) -> Cow<'a, str> {
        if part.is_ascii() { Encoding::UTF_8.decode(part) } else { self.guess(game).encoding.decode(part) }
    }

    /// Encodes `text` in the encoding of the file; `None` if the encoding has no code for one of its characters.
    ///
    /// That is the forced encoding, else the prior, else UTF-8. To edit a record that is not ASCII, encode with the encoding
    /// of the record: `decoder.guess(game).encoding.encode(text)`.
    ///
    /// ```
    /// use pdn::source::{Decoder, Encoding};
    ///
    /// let file = Encoding::KOI8_R.encode("[White \"Иванов\"]\n[Black \"Петров\"]\n*\n").unwrap();
    /// let decoder = Decoder::new(None, &file);
    /// let name = decoder.encode("Куперман").unwrap();
    /// assert_eq!(Encoding::KOI8_R.decode(&name), "Куперман");
    /// assert_eq!(decoder.encode("Müller"), None);
    /// ```
    pub fn encode<'a>(&self, text: &'a str) -> Option<Cow<'a, [u8]>> {
        self.forced.or(self.prior).unwrap_or(Encoding::UTF_8).encode(text)
    }
}

/// Computes the prior of the file that starts with `head` from its first [`Decoder::SAMPLE`] bytes; `None` if they are ASCII.
fn prior(mut sample: &[u8]) -> Option<Encoding> {
    if sample.len() == Decoder::SAMPLE {
        // The last line may be cut inside a character.
        let last_line_end = memchr::memrchr2(b'\n', b'\r', sample);
        sample = &sample[..last_line_end.unwrap_or(sample.len())];
    }
    if sample.is_ascii() {
        return None;
    }
    let mut weights = Weights::default();
    let (mut utf8, mut other) = (0_u64, 0_u64);
    let mut start = 0;
    for end in memchr::memchr2_iter(b'\n', b'\r', sample).chain([sample.len()]) {
        let line = &sample[start..end];
        start = end + 1;
        if line.is_ascii() {
            continue;
        }
        if simdutf8::basic::from_utf8(line).is_ok() {
            utf8 += 1;
        } else {
            other += 1;
            weights.add(line);
        }
    }
    // A few damaged lines in a UTF-8 file are no evidence of another encoding.
    Some(if utf8 > 4 * other { Encoding::UTF_8 } else { weights.heaviest().0 })
}

/// Counts multi-byte characters and invalid sequences of UTF-8.
fn count_utf8(bytes: &[u8]) -> (usize, usize) {
    bytes.utf8_chunks().fold((0, 0), |(valid, invalid), chunk| {
        let more = chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
        (valid + more, invalid + usize::from(!chunk.invalid().is_empty()))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
        encoding
            .encode(text)
            .unwrap_or_else(|| panic!("{text:?} cannot be encoded in {encoding}"))
            .into_owned()
    }

    const CYRILLIC: [Encoding; 3] = [Encoding::WINDOWS_1251, Encoding::KOI8_R, Encoding::CP866];

    #[test]
    fn cyrillic_records_are_recognised() {
        let rows = [
            "[White \"Иванов\"]",
            "[White \"Петров П.\"]\n[Black \"Щёголев В.\"]",
            "[Event \"X чемпионат СССР\"]\n[White \"Блиндер Б.\"]\n[Black \"Миротин Б.\"]",
            "[White \"Цирик З.\"]\n[Black \"Каплан В.\"]\n[Site \"Харьков\"]\n1. c3-d4 d6-e5 *",
            "[Event \"ЧЕМПИОНАТ МИРА\"]\n[White \"КУПЕРМАН\"]\n[Black \"АНДРЕЙКО\"]",
            "[Event \"Кубок Санкт-Петербурга, полуфинал\"]",
            "1. c3-d4 {хороший ход, но проигрывает} d6-e5 *",
            "[White \"Гантварг А.\"]\n[Black \"Чижов А.\"]\n[Date \"1990.??.??\"]",
            "[Event \"Match Иванов - Петров\"]",
            // Read in another encoding, these are small letters before capitals.
            "[White \"Эйдинов Э.\"]",
            "[White \"Юшкевич Ю.\"]",
            "[White \"Фазылов Ф.\"]",
        ];
        for text in rows {
            for encoding in CYRILLIC {
                let bytes = encode(text, encoding);
                assert_eq!(detect_encoding(&bytes).encoding, encoding, "{text}");
                assert_eq!(detect_encoding(&bytes).encoding.decode(&bytes), text);
            }
        }
    }

    #[test]
    fn western_records_are_recognised() {
        let rows = [
            "[Event \"2ème Open national du Léman\"]",
            "[White \"René\"]",
            "[White \"Müller\"]\n[Black \"Özgür\"]",
            "[Site \"Évian-les-Bains\"]",
            "[White \"Señor Muñoz\"]",
            "[Event \"Coupe à Genève\"]",
            "{un coup très fort, où les blancs sont forcés}",
            "[White \"Gonçalves, João\"]",
            "[White \"Sjöström\"]",
            "[White \"ANDRÉ\"]",
            "[Event \"à\"]",
            "[Event \"§\"]",
            "[White \"Nuñes – Ündey\"]",
        ];
        for text in rows {
            let bytes = encode(text, Encoding::WINDOWS_1252);
            assert_eq!(detect_encoding(&bytes).encoding, Encoding::WINDOWS_1252, "{text}");
        }
    }

    #[test]
    fn single_accented_letter_is_not_cyrillic() {
        for text in ["{7-12 è vincente}", "{à voir}", "[Event \"Torneo di Forlì e è\"]", "{ë}"] {
            let bytes = encode(text, Encoding::WINDOWS_1252);
            assert_eq!(detect_encoding(&bytes).encoding.decode(&bytes), text);
        }
    }

    #[test]
    fn pages_of_dos_and_central_europe_are_recognised() {
        let rows = [
            ("cp850", "[White \"Müller\"]\n[Black \"René Chauvière\"]"),
            ("cp437", "[White \"Müller, Jörg\"]\n[Site \"Köln\"]"),
            ("windows-1250", "[White \"Wiśniewski, Michał\"]"),
            ("windows-1250", "[White \"Woźniak\"]"),
            ("windows-1250", "[White \"Sadowska, Małgorzata\"]\n[Site \"Szczyrk, Śląsk\"]"),
            ("iso-8859-2", "[White \"Wiśniewski\"]\n[Black \"Pająk, Łukasz\"]"),
            ("windows-1257", "[White \"Krūmiņš\"]\n[Black \"Šmaidris, Gužas\"]"),
            (
                "windows-1257",
                "[White \"Beržinskas\"]\n[Black \"Misčikas\"]\n[Site \"Rīga, Latvija, Jūrmala\"]",
            ),
            ("cp852", "[White \"Wiśniewski, Michał\"]\n[Black \"Pająk, Łukasz\"]"),
            ("cp775", "[White \"Krūmiņš, Jānis\"]\n[Site \"Rīga\"]"),
            ("macintosh", "[White \"René, Hélène\"]\n[Site \"Genève\"]"),
        ];
        for (label, text) in rows {
            let bytes = encode(text, label.parse().unwrap());
            assert_eq!(detect_encoding(&bytes).encoding.decode(&bytes), text, "{label}");
        }
    }

    #[test]
    fn sign_within_a_word_outweighs_many_letters_that_two_encodings_share() {
        let page: Encoding = "windows-1250".parse().unwrap();
        let text = "[White \"László\"]\n".repeat(8) + "[White \"Głowa\"]\n";
        let file = encode(&text, page);
        let decoder = Decoder::new(None, &file);
        assert_eq!(decoder.prior(), Some(page));
        assert_eq!(decoder.text(&file, &file), text);
    }

    #[test]
    fn utf8_and_ascii_are_certain_unless_damaged() {
        for text in ["", "[White \"Ivanov\"]", "[White \"Иванов\"]", "é", "[White \"Léman\"]"] {
            assert_eq!(
                detect_encoding(text.as_bytes()),
                EncodingGuess { encoding: Encoding::UTF_8, certain: true }
            );
        }
        let mut damaged = "[White \"Иванов\"]".as_bytes().to_vec();
        damaged.push(0xFF);
        assert_eq!(detect_encoding(&damaged), EncodingGuess { encoding: Encoding::UTF_8, certain: false });
    }

    #[test]
    fn prior_decides_for_records_with_few_letters() {
        let file = "[White \"Иванов И.\"]\n[Black \"Петров П.\"]\n*\n\n".repeat(3);
        let short = ["[White \"А.\"]", "[Event \"ж\"]", "[White \"Ю\"]"];
        for encoding in CYRILLIC {
            let decoder = Decoder::new(None, &encode(&file, encoding));
            assert_eq!(decoder.prior(), Some(encoding));
            for text in short {
                assert_eq!(decoder.guess(&encode(text, encoding)).encoding, encoding, "{text}");
            }
            // The prior does not outweigh a record with many letters.
            for other in CYRILLIC {
                let text = "[Event \"Чемпионат Москвы\"]\n[White \"Куперман И.\"]\n[Black \"Андрейко А.\"]\n\
                            [Site \"Центральный шашечный клуб\"]";
                assert_eq!(decoder.guess(&encode(text, other)).encoding, other, "{other} in {encoding}");
            }
            assert_eq!(decoder.guess("[White \"Ы\"]".as_bytes()).encoding, Encoding::UTF_8);
        }
        assert_eq!(Decoder::new(None, b"[White \"Ivanov\"]").prior(), None);
        assert_eq!(Decoder::new(None, file.as_bytes()).prior(), Some(Encoding::UTF_8));
    }

    #[test]
    fn prior_depends_on_the_sample_alone() {
        let line = encode("[White \"Иванов\"]\n", Encoding::CP866);
        let mut file = line.repeat(Decoder::SAMPLE / line.len() + 1);
        let short = Decoder::new(None, &file[..Decoder::SAMPLE]);
        file.extend(encode("[White \"Иванов\"]\n", Encoding::KOI8_R).repeat(50_000));
        assert_eq!(Decoder::new(None, &file), short);
    }

    #[test]
    fn forced_encoding_is_used() {
        let decoder = Decoder::new(Some(Encoding::KOI8_R), b"");
        let bytes = encode("Иванов", Encoding::CP866);
        assert_eq!(decoder.guess(&bytes), EncodingGuess { encoding: Encoding::KOI8_R, certain: true });
        // UTF-16 has been transcoded to UTF-8 before it is decoded.
        let decoder = Decoder::new(Some("utf-16le".parse().unwrap()), b"");
        assert_eq!(decoder.text(b"", "Иванов".as_bytes()), "Иванов");
    }

    proptest! {
        #[test]
        fn any_bytes_decode_in_any_encoding(game: Vec<u8>, cut in 0usize..100) {
            let decoder = Decoder::new(None, &game[..cut.min(game.len())]);
            let guess = decoder.guess(&game);
            let text = decoder.text(&game, &game);
            prop_assert_eq!(guess, decoder.guess(&game));
            prop_assert_eq!(text.is_empty(), game.is_empty());
            for encoding in Encoding::WEIGHED {
                // Every byte of an 8-bit encoding is one character.
                prop_assert_eq!(encoding.decode(&game).chars().count(), game.len());
            }
        }
    }

    #[test]
    fn damaged_utf8_record_of_a_utf8_file_stays_utf8() {
        // Three letters beyond ASCII are sound, one is cut.
        let record = ["[White \"Čížov\"]\n[Black \"é".as_bytes(), b"\xC3\"]\n*\n"].concat();
        let record = [&record[..], "[Event \"\"]".as_bytes()].concat();
        let file = "[White \"Иванов И.\"]\n*\n\n".repeat(3);
        let guess = |decoder: &Decoder| decoder.guess(&record).encoding;
        assert_eq!(guess(&Decoder::new(None, file.as_bytes())), Encoding::UTF_8);
        let two = ["[White \"éé\"]".as_bytes(), b"\xC3\"]"].concat();
        assert_eq!(Decoder::new(None, file.as_bytes()).guess(&two).encoding, Encoding::UTF_8);
        assert_ne!(Decoder::default().guess(&two).encoding, Encoding::UTF_8);
    }

    #[test]
    fn file_is_utf8_if_four_of_five_lines_are() {
        let utf8 = "[White \"Иванов И.\"]\n".as_bytes();
        let other = encode("[White \"Петров П.\"]\n", Encoding::WINDOWS_1251);
        let prior = |lines: usize| Decoder::new(None, &[&utf8.repeat(lines)[..], &other].concat()).prior();
        assert_eq!(prior(4), Some(Encoding::WINDOWS_1251));
        assert_eq!(prior(5), Some(Encoding::UTF_8));
    }

    #[test]
    fn character_cut_by_the_end_of_the_sample_does_not_count() {
        let head = "[White \"Иванов И.\"]\n".repeat(4);
        let filler = "1. 32-28 19-23 *\n".repeat(Decoder::SAMPLE / 17);
        let mut text = (head + &filler).into_bytes();
        text.truncate(Decoder::SAMPLE - 30);
        text.extend(b"\n[White \"");
        text.resize(Decoder::SAMPLE - 1, b'a');
        text.extend("Ж\"]\n".as_bytes());
        assert_eq!(Decoder::new(None, &text).prior(), Some(Encoding::UTF_8));
    }
}
