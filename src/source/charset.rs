//! Text encodings by name.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use super::utf16_form::Utf16;

/// A text encoding: UTF-16, or any encoding of the WHATWG standard that contains ASCII.
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
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Self = Self(encoding_rs::UTF_8);
    /// Windows-1252 for western Europe, a superset of Latin-1.
    pub const WINDOWS_1252: Self = Self(encoding_rs::WINDOWS_1252);
    /// Windows-1251 (CP1251) for Cyrillic.
    pub const WINDOWS_1251: Self = Self(encoding_rs::WINDOWS_1251);
    /// KOI8-R for Cyrillic.
    pub const KOI8_R: Self = Self(encoding_rs::KOI8_R);
    /// CP866 (IBM866) for Cyrillic under DOS.
    pub const CP866: Self = Self(encoding_rs::IBM866);

    /// The encodings between which the weights of words decide; of equal weights the first wins.
    pub(super) const WEIGHED: [Self; 4] = [Self::WINDOWS_1252, Self::WINDOWS_1251, Self::KOI8_R, Self::CP866];

    /// Returns the usual name in lower case, such as `windows-1251` or `cp866`.
    pub fn name(self) -> &'static str {
        let own = [
            (Self::UTF_8, "utf-8"),
            (Self::KOI8_R, "koi8-r"),
            // The WHATWG standard calls it IBM866; users know it as CP866.
            (Self::CP866, "cp866"),
        ];
        match own.iter().find(|(encoding, _)| *encoding == self) {
            Some((_, name)) => name,
            None => self.utf16().map_or(self.0.name(), Utf16::name),
        }
    }

    /// Decodes `bytes`. Never fails: invalid bytes become U+FFFD.
    ///
    /// ASCII is borrowed in every encoding, and so is valid UTF-8 in UTF-8. The UTF-16 encodings decode UTF-8, because
    /// their text has been transcoded while it was read.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        if bytes.is_ascii() || self.0 == encoding_rs::UTF_8 || self.utf16().is_some() {
            return match simdutf8::basic::from_utf8(bytes) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => String::from_utf8_lossy(bytes),
            };
        }
        self.0.decode_without_bom_handling(bytes).0
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
        let (bytes, _, has_unmappable) = self.0.encode(text);
        (!has_unmappable).then_some(bytes)
    }

    /// Returns the form of UTF-16 that the encoding names, if it is UTF-16.
    pub(super) fn utf16(self) -> Option<Utf16> {
        if self.0 == encoding_rs::UTF_16LE {
            Some(Utf16::Little)
        } else if self.0 == encoding_rs::UTF_16BE {
            Some(Utf16::Big)
        } else {
            None
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

    /// Returns `true` if this is the given encoding of the library that does the decoding.
    pub(super) fn is(self, encoding: &'static encoding_rs::Encoding) -> bool {
        self.0 == encoding
    }

    /// Returns the character of one byte; `None` if the byte is undefined or starts a longer sequence.
    pub(super) fn character(self, byte: u8) -> Option<char> {
        self.0.decode_without_bom_handling_and_without_replacement(&[byte])?.chars().next()
    }
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    /// Parses a label in either case: a label of the WHATWG encoding standard (`cp866`, `windows-1251`, `latin1`,
    /// `koi8-r`, `utf-16le` ...), or the number of a code page (`866`, `1251`).
    ///
    /// # Errors
    ///
    /// The label is unknown, or its encoding does not contain ASCII.
    fn from_str(label: &str) -> Result<Self, UnknownEncoding> {
        let label = label.trim();
        let unknown = || UnknownEncoding(label.to_owned());
        let numbered = label.bytes().all(|byte| byte.is_ascii_digit()).then(|| format!("cp{label}"));
        let known =
            encoding_rs::Encoding::for_label_no_replacement(numbered.as_deref().unwrap_or(label).as_bytes());
        let encoding = Self(known.ok_or_else(unknown)?);
        // The parser looks for brackets as ASCII bytes.
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
             cp866 and the other labels of the WHATWG encoding standard in which ASCII is ASCII",
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
    }
}
