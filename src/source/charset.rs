//! Text encodings by name.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use oem_cp::{OEMCPHashMap, code_table};

use super::standard::Standard;
use super::utf16_form::Utf16;

/// A text encoding: UTF-16, any encoding of the WHATWG standard that contains ASCII, or a code page of western, central or
/// Baltic DOS (CP437, CP850, CP852, CP775). Without the feature `all-encodings`, Chinese, Japanese and Korean encodings are unknown.
///
/// ```
/// use pdn::source::Encoding;
///
/// assert_eq!("cp866".parse::<Encoding>()?, Encoding::CP866);
/// assert_eq!("Latin1".parse::<Encoding>()?, Encoding::WINDOWS_1252);
/// assert_eq!(Encoding::CP866.decode(b"\x88\xA2\xA0\xAD\xAE\xA2"), "Иванов");
/// # Ok::<(), pdn::source::UnknownEncoding>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding(Kind);

/// The encodings by the library that decodes them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    /// An encoding of the WHATWG standard.
    Standard(Standard),
    /// A code page of DOS.
    Dos(DosPage),
}

/// The code pages of DOS that the WHATWG standard lacks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum DosPage {
    Cp437,
    Cp775,
    Cp850,
    Cp852,
}

impl DosPage {
    const ALL: [Self; 4] = [Self::Cp437, Self::Cp775, Self::Cp850, Self::Cp852];

    const fn name(self) -> &'static str {
        match self {
            Self::Cp437 => "cp437",
            Self::Cp775 => "cp775",
            Self::Cp850 => "cp850",
            Self::Cp852 => "cp852",
        }
    }

    /// Returns the characters of the bytes from 0x80 on.
    const fn characters(self) -> &'static [char; 128] {
        match self {
            Self::Cp437 => &code_table::DECODING_TABLE_CP437,
            Self::Cp775 => &code_table::DECODING_TABLE_CP775,
            Self::Cp850 => &code_table::DECODING_TABLE_CP850,
            Self::Cp852 => &code_table::DECODING_TABLE_CP852,
        }
    }

    /// Returns the bytes of the characters beyond ASCII.
    const fn bytes(self) -> &'static OEMCPHashMap<char, u8> {
        match self {
            Self::Cp437 => &code_table::ENCODING_TABLE_CP437,
            Self::Cp775 => &code_table::ENCODING_TABLE_CP775,
            Self::Cp850 => &code_table::ENCODING_TABLE_CP850,
            Self::Cp852 => &code_table::ENCODING_TABLE_CP852,
        }
    }
}

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Self = Self(Kind::Standard(Standard::UTF_8));
    /// Windows-1252 for western Europe, a superset of Latin-1.
    pub const WINDOWS_1252: Self = Self(Kind::Standard(Standard::WINDOWS_1252));
    /// Windows-1251 (CP1251) for Cyrillic.
    pub const WINDOWS_1251: Self = Self(Kind::Standard(Standard::WINDOWS_1251));
    /// KOI8-R for Cyrillic.
    pub const KOI8_R: Self = Self(Kind::Standard(Standard::KOI8_R));
    /// CP866 (IBM866) for Cyrillic under DOS.
    pub const CP866: Self = Self(Kind::Standard(Standard::IBM866));

    /// The encodings between which the weights of words decide; of equal weights the first wins. The first four are the
    /// commonest in archives.
    pub(super) const WEIGHED: [Self; 12] = [
        Self::WINDOWS_1252,
        Self::WINDOWS_1251,
        Self::KOI8_R,
        Self::CP866,
        Self(Kind::Standard(Standard::WINDOWS_1250)),
        Self(Kind::Standard(Standard::ISO_8859_2)),
        Self(Kind::Standard(Standard::WINDOWS_1257)),
        Self(Kind::Dos(DosPage::Cp850)),
        Self(Kind::Dos(DosPage::Cp437)),
        Self(Kind::Dos(DosPage::Cp852)),
        Self(Kind::Dos(DosPage::Cp775)),
        Self(Kind::Standard(Standard::MACINTOSH)),
    ];

    /// Returns the usual name in lower case, such as `windows-1251` or `cp866`.
    pub fn name(self) -> &'static str {
        let own: [(Self, &'static str); 4] = [
            (Self::UTF_8, "utf-8"),
            (Self::KOI8_R, "koi8-r"),
            // The WHATWG standard calls it IBM866; users know it as CP866.
            (Self::CP866, "cp866"),
            (Self(Kind::Standard(Standard::ISO_8859_2)), "iso-8859-2"),
        ];
        match (own.iter().find(|(encoding, _)| *encoding == self), self.0) {
            (Some((_, name)), _) => name,
            (None, Kind::Dos(page)) => page.name(),
            (None, Kind::Standard(standard)) => self.utf16().map_or(standard.name(), Utf16::name),
        }
    }

    /// Decodes `bytes`. Never fails: invalid bytes become U+FFFD.
    ///
    /// ASCII is borrowed in every encoding, and so is valid UTF-8 in UTF-8. The UTF-16 encodings decode UTF-8, because
    /// their text has been transcoded while it was read.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        if bytes.is_ascii() || self == Self::UTF_8 || self.utf16().is_some() {
            return match simdutf8::basic::from_utf8(bytes) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => String::from_utf8_lossy(bytes),
            };
        }
        match self.0 {
            Kind::Standard(standard) => standard.decode(bytes),
            Kind::Dos(page) => oem_cp::decode_string_complete_table(bytes, page.characters()).into(),
        }
    }

    /// Encodes `text`; `None` if the encoding has no code for one of its characters.
    ///
    /// ASCII is borrowed in every encoding. The UTF-16 encodings encode to UTF-8, the form in which
    /// [`decode`](Self::decode) expects their text.
    ///
    /// ```
    /// use pdn::source::Encoding;
    ///
    /// assert_eq!(Encoding::CP866.encode("Иванов").as_deref(), Some(&b"\x88\xA2\xA0\xAD\xAE\xA2"[..]));
    /// assert_eq!(Encoding::CP866.encode("Léman"), None);
    /// ```
    pub fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        if text.is_ascii() {
            return Some(Cow::Borrowed(text.as_bytes()));
        }
        match self.0 {
            Kind::Standard(standard) => standard.encode(text),
            Kind::Dos(page) => oem_cp::encode_string_checked(text, page.bytes()).map(Cow::Owned),
        }
    }

    /// Returns the form of UTF-16 that the encoding names, if it is UTF-16.
    pub(super) fn utf16(self) -> Option<Utf16> {
        match self.0 {
            Kind::Standard(standard) => standard.utf16(),
            Kind::Dos(_) => None,
        }
    }

    /// Returns the form of UTF-16 that a text has. `head` is its first kilobyte, or all of it.
    ///
    /// A byte order mark decides; then `forced`, if given; then the pattern of bytes.
    pub(super) fn utf16_of(head: &[u8], forced: Option<Self>) -> Option<Utf16> {
        Utf16::by_mark(head).or_else(|| match forced {
            Some(encoding) => encoding.utf16(),
            None => Utf16::by_pattern(head),
        })
    }

    /// Returns the character of one byte; `None` if the byte is undefined or starts a longer sequence.
    pub(super) fn character(self, byte: u8) -> Option<char> {
        match self.0 {
            Kind::Standard(standard) => standard.character(byte),
            Kind::Dos(page) => Some(oem_cp::decode_char_complete_table(byte, page.characters())),
        }
    }
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    /// Parses a label in either case: a label of the WHATWG encoding standard (`cp866`, `windows-1251`, `latin1`,
    /// `koi8-r`, `utf-16le`, `macintosh` ...), a code page of DOS (`cp437`, `ibm850`), `mac-roman`, or the number of a code
    /// page (`866`, `1251`).
    ///
    /// # Errors
    ///
    /// The label is unknown, or its encoding does not contain ASCII.
    fn from_str(label: &str) -> Result<Self, UnknownEncoding> {
        let label = label.trim();
        let unknown = || UnknownEncoding(label.to_owned());
        let lower = label.to_ascii_lowercase();
        let number = ["cp", "ibm", "dos-", ""].iter().find_map(|prefix| lower.strip_prefix(prefix));
        let page = |page: &DosPage| number.is_some_and(|number| page.name() == ["cp", number].concat());
        if let Some(page) = DosPage::ALL.into_iter().find(page) {
            return Ok(Self(Kind::Dos(page)));
        }
        let label = match &*lower {
            "mac-roman" | "macroman" => "macintosh".to_owned(),
            number if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("cp{number}"),
            _ => lower,
        };
        Standard::of_label(&label).map(|standard| Self(Kind::Standard(standard))).ok_or_else(unknown)
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

/// The error for a label that names no supported encoding.
///
/// ```
/// use pdn::source::Encoding;
///
/// let error = "ebcdic".parse::<Encoding>().unwrap_err();
/// assert!(error.to_string().starts_with("`ebcdic` is no known encoding; known are utf-8,"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEncoding(String);

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no known encoding; known are utf-8, utf-16le, utf-16be, windows-1252, windows-1251, koi8-r, \
             cp866, cp437, cp775, cp850, cp852 and the other labels of the WHATWG encoding standard in which ASCII \
             is ASCII, such as iso-8859-2, windows-1250, windows-1257 and macintosh",
            self.0
        )
    }
}

impl std::error::Error for UnknownEncoding {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_parsed() {
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
            ("cp850", Some("cp850")),
            ("437", Some("cp437")),
            ("IBM852", Some("cp852")),
            ("latin2", Some("iso-8859-2")),
            ("1257", Some("windows-1257")),
            ("MacRoman", Some("macintosh")),
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

    #[test]
    fn utf16_is_recognised_by_mark_or_pattern() {
        let rows: [(&[u8], Option<Utf16>); 12] = [
            (b"", None),
            (b"[", None),
            (b"[\0", None),
            (b"[\0E\0", Some(Utf16::Little)),
            (b"\0[\0E", Some(Utf16::Big)),
            (b"[Event \"\"]", None),
            (b"\xFF\xFE", Some(Utf16::Little)),
            (b"\xFE\xFF\0[", Some(Utf16::Big)),
            (b"\0\0\0\0\0\0\0\0", None),
            (b"[\0\x1F\x04", Some(Utf16::Little)),
            (b"[\0Event of nuls\0\0\0", None),
            (b"\xEF\xBB\xBF[\0E\0", None),
        ];
        for (head, expected) in rows {
            assert_eq!(Encoding::utf16_of(head, None), expected, "{}", head.escape_ascii());
        }
        let forced = |label: &str| Encoding::utf16_of(b"ab", Some(label.parse().unwrap()));
        assert_eq!(forced("utf-16be"), Some(Utf16::Big));
        assert_eq!(forced("latin1"), None);
        assert_eq!(Encoding::utf16_of(b"[\0E\0", Some(Encoding::WINDOWS_1252)), None);
    }

    #[test]
    fn encode_reverses_decode() {
        let text = "Иванов № 1";
        for encoding in [Encoding::UTF_8, Encoding::WINDOWS_1251] {
            let bytes = encoding.encode(text).unwrap();
            assert_eq!(encoding.decode(&bytes), text);
        }
        assert_eq!(Encoding::KOI8_R.encode(text), None);
        assert_eq!(Encoding::WINDOWS_1252.encode("René").as_deref(), Some(&b"Ren\xE9"[..]));
        assert!(matches!(Encoding::KOI8_R.encode("Ivanov"), Some(Cow::Borrowed(b"Ivanov"))));
        let utf16: Encoding = "utf-16be".parse().unwrap();
        assert_eq!(utf16.decode(&utf16.encode(text).unwrap()), text);
        for (label, text) in
            [("cp437", "Müller"), ("cp850", "Renée"), ("cp852", "Wiśniewski"), ("cp775", "Krūmiņš")]
        {
            let encoding: Encoding = label.parse().unwrap();
            let bytes = encoding.encode(text).unwrap();
            assert_eq!(encoding.decode(&bytes), text);
            assert_eq!(encoding.encode("Иванов"), None);
        }
    }
}
