//! Which letters the bytes mean: decided per game, lazily, and only for text that is asked for.
//!
//! PDN declares no encoding, and one file may hold several. The parser does not care, since all of its own
//! characters are ASCII in every encoding admitted here; only names, places and comments do.
//!
//! # The rule
//!
//! For a file, from its first [`SAMPLE`] bytes: every line that is neither ASCII nor valid UTF-8 is weighed in
//! each of Windows-1252, Windows-1251, KOI8-R and CP866, and the heaviest is the *prior* of the file. The sample
//! has a fixed size, so the answer depends neither on the number of threads nor on the size of reads.
//!
//! For a game, from all its bytes, the first that applies:
//!
//! 1. only ASCII: UTF-8, certain;
//! 2. valid UTF-8: UTF-8, certain;
//! 3. at least four times as many characters of several bytes as broken places: UTF-8 with damage, not certain
//!    (twice is enough where the rest of the sample is UTF-8);
//! 4. the heaviest of the four on the words of the game, where the prior of the file has a bonus of 40 points, which is
//!    about three words. Certain if it leads by 20 points. Without a prior and without such a lead, the opinion
//!    of `chardetng` counts 10 points. Windows-1252 wins ties.
//!
//! What is weighed: the letters' frequency in Russian, or in western names; capitals where capitals belong; that a
//! Cyrillic word has no Latin letters and a western word mostly has; and characters that nobody writes in a name,
//! such as box drawing.
//!
//! Windows-1252 stands for Latin-1 as well, KOI8-R for KOI8-U. Other encodings are never guessed, but can be insisted
//! on by label.
//!
//! Cost: ASCII and UTF-8 are told apart at memory speed; weighing takes some 30 ns for each byte that is not ASCII.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::plausible::Weights;
use super::utf16::Utf16;

/// Bytes at the beginning of a file that are looked at for its prior. A reader that streams has to have this many,
/// or the whole text, before the first game is decoded.
pub const SAMPLE: usize = 256 << 10;

/// A text encoding in which ASCII is ASCII, or UTF-16.
///
/// ```
/// use pdn::source::Encoding;
///
/// assert_eq!("cp866".parse::<Encoding>()?, Encoding::CP866);
/// assert_eq!("Latin1".parse::<Encoding>()?, Encoding::WINDOWS_1252);
/// assert_eq!(Encoding::CP866.decode(b"\x88\xA2\xA0\xAD\xAE\xA2"), "Иванов");
/// # Ok::<(), pdn::source::encoding::UnknownEncoding>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Self = Self(encoding_rs::UTF_8);
    /// Windows-1252, western Europe; includes Latin-1.
    pub const WINDOWS_1252: Self = Self(encoding_rs::WINDOWS_1252);
    /// Windows-1251 or CP1251, Cyrillic.
    pub const WINDOWS_1251: Self = Self(encoding_rs::WINDOWS_1251);
    /// KOI8-R, Cyrillic.
    pub const KOI8_R: Self = Self(encoding_rs::KOI8_R);
    /// CP866 or IBM866, Cyrillic under DOS.
    pub const CP866: Self = Self(encoding_rs::IBM866);

    /// The encodings that are told apart by weighing, in the order that settles ties.
    pub(super) const WEIGHED: [Self; 4] = [Self::WINDOWS_1252, Self::WINDOWS_1251, Self::KOI8_R, Self::CP866];

    /// The usual name, such as `windows-1251` or `cp866`.
    pub fn name(self) -> &'static str {
        let own = [
            (Self::UTF_8, "utf-8"),
            (Self::KOI8_R, "koi8-r"),
            // The standard calls it IBM866, nobody else does.
            (Self::CP866, "cp866"),
        ];
        match own.iter().find(|(encoding, _)| *encoding == self) {
            Some((_, name)) => name,
            None => self.utf16().map_or(self.0.name(), Utf16::name),
        }
    }

    /// The text that `bytes` mean. Never fails: what is invalid becomes U+FFFD. ASCII is borrowed in every
    /// encoding, and valid UTF-8 in UTF-8. Text that came as UTF-16 is UTF-8 by now and decoded as that.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        if bytes.is_ascii() || self.0 == encoding_rs::UTF_8 || self.utf16().is_some() {
            return match simdutf8::basic::from_utf8(bytes) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => String::from_utf8_lossy(bytes),
            };
        }
        self.0.decode_without_bom_handling(bytes).0
    }

    pub(super) fn utf16(self) -> Option<Utf16> {
        if self.0 == encoding_rs::UTF_16LE {
            Some(Utf16::Little)
        } else if self.0 == encoding_rs::UTF_16BE {
            Some(Utf16::Big)
        } else {
            None
        }
    }

    /// What one byte means, if it means anything by itself.
    pub(super) fn character(self, byte: u8) -> Option<char> {
        self.0.decode_without_bom_handling_and_without_replacement(&[byte])?.chars().next()
    }
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    /// Reads a label in either case: those of the WHATWG encoding standard (`cp866`, `windows-1251`, `latin1`,
    /// `koi8-r`, `utf-16le` ...) and a bare number of a code page (`866`, `1251`).
    fn from_str(label: &str) -> Result<Self, UnknownEncoding> {
        let label = label.trim();
        let unknown = || UnknownEncoding(label.to_owned());
        let numbered = label.bytes().all(|byte| byte.is_ascii_digit()).then(|| format!("cp{label}"));
        let found =
            encoding_rs::Encoding::for_label_no_replacement(numbered.as_deref().unwrap_or(label).as_bytes());
        let encoding = Self(found.ok_or_else(unknown)?);
        // An encoding whose ASCII is not ASCII would hide the brackets from the parser.
        if encoding.0.is_ascii_compatible() || encoding.utf16().is_some() {
            Ok(encoding)
        } else {
            Err(unknown())
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoding({})", self.name())
    }
}

/// A label that names no encoding that is read here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEncoding(String);

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no known encoding; known are utf-8, utf-16le, utf-16be, windows-1252, windows-1251, koi8-r, \
             cp866 and the other labels of the WHATWG encoding standard in which ASCII is ASCII",
            self.0
        )
    }
}

impl std::error::Error for UnknownEncoding {}

/// An encoding and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EncodingGuess {
    /// The encoding to decode with.
    pub encoding: Encoding,
    /// Whether nothing else is likely. ASCII and valid UTF-8 are certain; so is what was insisted on.
    pub certain: bool,
}

/// The most likely encoding of `game`, seen alone. See the [rule](self). O(bytes).
pub fn detect(game: &[u8]) -> EncodingGuess {
    Decoder::default().guess(game)
}

/// [`Encoding::decode`] as a function.
pub fn decode(bytes: &[u8], encoding: Encoding) -> Cow<'_, str> {
    encoding.decode(bytes)
}

/// Turns the bytes of one file into text, game by game.
///
/// Plain `Copy` data: every worker may have its own.
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
}

impl Decoder {
    /// What a lead has to be to count as certain.
    const LEAD: i64 = 20;
    /// What the prior of the file is worth.
    const BONUS: i64 = 40;
    /// What the opinion of `chardetng` is worth.
    const OPINION: i64 = 10;

    /// A decoder for the file that begins with `head`: its first [`SAMPLE`] bytes or more, or all of them. With
    /// `forced`, that encoding is used and nothing is guessed.
    pub fn new(forced: Option<Encoding>, head: &[u8]) -> Self {
        Self { forced, prior: if forced.is_some() { None } else { prior(head) } }
    }

    /// The encoding that most of the beginning of the file has, if it is not all ASCII.
    pub fn prior(&self) -> Option<Encoding> {
        self.prior
    }

    /// The encoding of `game`. O(bytes).
    pub fn guess(&self, game: &[u8]) -> EncodingGuess {
        let certain = |encoding| EncodingGuess { encoding, certain: true };
        if let Some(forced) = self.forced {
            return certain(forced);
        }
        if game.is_ascii() || simdutf8::basic::from_utf8(game).is_ok() {
            return certain(Encoding::UTF_8);
        }
        let (whole, broken) = count_utf8(game);
        let factor = if self.prior == Some(Encoding::UTF_8) { 2 } else { 4 };
        if whole >= factor * broken {
            return EncodingGuess { encoding: Encoding::UTF_8, certain: false };
        }
        let mut weights = Weights::default();
        weights.add(game);
        let prior = self.prior.filter(|prior| *prior != Encoding::UTF_8);
        match prior {
            Some(prior) => weights.favour(prior, Self::BONUS),
            None if weights.heaviest().1 < Self::LEAD => {
                if let Some(opinion) = opinion(game) {
                    weights.favour(opinion, Self::OPINION);
                }
            }
            None => {}
        }
        let (encoding, lead) = weights.heaviest();
        EncodingGuess { encoding, certain: lead >= Self::LEAD }
    }

    /// The text that `part` of `game` means. Borrowed and without a guess where it is ASCII. For many parts of one
    /// game, call [`Decoder::guess`] once and decode with its answer.
    pub fn text<'a>(&self, game: &[u8], part: &'a [u8]) -> Cow<'a, str> {
        if part.is_ascii() { Encoding::UTF_8.decode(part) } else { self.guess(game).encoding.decode(part) }
    }
}

/// The encoding of the file that begins with `head`, judged by the first [`SAMPLE`] bytes.
fn prior(head: &[u8]) -> Option<Encoding> {
    let mut sample = &head[..head.len().min(SAMPLE)];
    if sample.len() == SAMPLE {
        // The last line may be cut in the middle of a character.
        let line_ends = memchr::memrchr2(b'\n', b'\r', sample);
        sample = &sample[..line_ends.unwrap_or(sample.len())];
    }
    if sample.is_ascii() {
        return None;
    }
    let mut weights = Weights::default();
    let (mut utf8, mut other) = (0_u64, 0_u64);
    for line in sample.split(|byte| matches!(byte, b'\n' | b'\r')).filter(|line| !line.is_ascii()) {
        if simdutf8::basic::from_utf8(line).is_ok() {
            utf8 += 1;
        } else {
            other += 1;
            weights.add(line);
        }
    }
    // A few damaged lines in a UTF-8 file say nothing about another encoding.
    Some(if utf8 > 4 * other { Encoding::UTF_8 } else { weights.heaviest().0 })
}

/// Characters of several bytes, and places where UTF-8 is broken.
fn count_utf8(bytes: &[u8]) -> (usize, usize) {
    bytes.utf8_chunks().fold((0, 0), |(whole, broken), chunk| {
        let more = chunk.valid().bytes().filter(|byte| *byte >= 0xC0).count();
        (whole + more, broken + usize::from(!chunk.invalid().is_empty()))
    })
}

/// What a detector made for the web thinks, if that is one of ours.
fn opinion(game: &[u8]) -> Option<Encoding> {
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(game, true);
    let guess = detector.guess(None, chardetng::Utf8Detection::Deny);
    let guess = if guess == encoding_rs::KOI8_U { encoding_rs::KOI8_R } else { guess };
    Encoding::WEIGHED.into_iter().find(|encoding| encoding.0 == guess)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(super) fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
        let (bytes, _, failed) = encoding.0.encode(text);
        assert!(!failed, "{text:?} has no form in {encoding}");
        bytes.into_owned()
    }

    const CYRILLIC: [Encoding; 3] = [Encoding::WINDOWS_1251, Encoding::KOI8_R, Encoding::CP866];

    #[test]
    fn cyrillic_games_are_recognised() {
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
        ];
        for text in rows {
            for encoding in CYRILLIC {
                let bytes = encode(text, encoding);
                assert_eq!(detect(&bytes).encoding, encoding, "{text}");
                assert_eq!(detect(&bytes).encoding.decode(&bytes), text);
            }
        }
    }

    #[test]
    fn western_games_are_recognised() {
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
            assert_eq!(detect(&bytes).encoding, Encoding::WINDOWS_1252, "{text}");
        }
    }

    #[test]
    fn utf8_and_ascii_are_certain() {
        for text in ["", "[White \"Ivanov\"]", "[White \"Иванов\"]", "é", "[White \"Léman\"]"] {
            assert_eq!(detect(text.as_bytes()), EncodingGuess { encoding: Encoding::UTF_8, certain: true });
        }
        let mut damaged = "[White \"Иванов\"]".as_bytes().to_vec();
        damaged.push(0xFF);
        assert_eq!(detect(&damaged), EncodingGuess { encoding: Encoding::UTF_8, certain: false });
    }

    #[test]
    fn the_file_helps_where_a_game_says_little() {
        let file = "[White \"Иванов И.\"]\n[Black \"Петров П.\"]\n*\n\n".repeat(3);
        let poor = ["[White \"А.\"]", "[Event \"ж\"]", "[White \"Ю\"]"];
        for encoding in CYRILLIC {
            let decoder = Decoder::new(None, &encode(&file, encoding));
            assert_eq!(decoder.prior(), Some(encoding));
            for text in poor {
                assert_eq!(decoder.guess(&encode(text, encoding)).encoding, encoding, "{text}");
            }
            // And does no harm where a game says something else clearly.
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
    fn the_prior_depends_on_the_sample_alone() {
        let line = encode("[White \"Иванов\"]\n", Encoding::CP866);
        let mut file = line.repeat(SAMPLE / line.len() + 1);
        let short = Decoder::new(None, &file[..SAMPLE]);
        file.extend(encode("[White \"Иванов\"]\n", Encoding::KOI8_R).repeat(50_000));
        assert_eq!(Decoder::new(None, &file), short);
    }

    #[test]
    fn what_is_insisted_on_is_used() {
        let decoder = Decoder::new(Some(Encoding::KOI8_R), b"");
        let bytes = encode("Иванов", Encoding::CP866);
        assert_eq!(decoder.guess(&bytes), EncodingGuess { encoding: Encoding::KOI8_R, certain: true });
        // UTF-16 has become UTF-8 before it gets here.
        let decoder = Decoder::new(Some("utf-16le".parse().unwrap()), b"");
        assert_eq!(decoder.text(b"", "Иванов".as_bytes()), "Иванов");
    }

    #[test]
    fn labels_are_read() {
        let rows = [
            ("utf-8", Some("utf-8")),
            ("UTF8", Some("utf-8")),
            ("cp866", Some("cp866")),
            ("866", Some("cp866")),
            ("ibm866", Some("cp866")),
            ("1251", Some("windows-1251")),
            ("Windows-1251", Some("windows-1251")),
            ("latin1", Some("windows-1252")),
            ("iso-8859-1", Some("windows-1252")),
            (" koi8-r ", Some("koi8-r")),
            ("utf-16be", Some("utf-16be")),
            ("iso-2022-jp", None),
            ("replacement", None),
            ("ebcdic", None),
            ("", None),
        ];
        for (label, expected) in rows {
            assert_eq!(label.parse::<Encoding>().ok().map(Encoding::name), expected, "{label}");
        }
        let error = "klingon".parse::<Encoding>().unwrap_err();
        assert!(error.to_string().starts_with("`klingon` is no known encoding"), "{error}");
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_text(game: Vec<u8>, cut in 0usize..100) {
            let decoder = Decoder::new(None, &game[..cut.min(game.len())]);
            let guess = decoder.guess(&game);
            let text = decoder.text(&game, &game);
            prop_assert_eq!(guess, decoder.guess(&game));
            prop_assert_eq!(text.is_empty(), game.is_empty());
            for encoding in Encoding::WEIGHED {
                // Code pages of one byte lose nothing.
                prop_assert_eq!(encoding.decode(&game).chars().count(), game.len());
            }
        }
    }
}
