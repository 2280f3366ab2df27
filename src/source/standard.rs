//! The encodings of the WHATWG standard in which ASCII is ASCII, and UTF-16: all of them with the feature `all-encodings`, otherwise
//! those with one byte for a character, UTF-8 and UTF-16.
//!
//! The tables of Chinese, Japanese and Korean are larger than all code that reads draughts. Programs that are loaded over a network leave
//! them out.

use std::borrow::Cow;

#[cfg(not(feature = "all-encodings"))]
use super::single_byte::SingleByte;
use super::utf16_form::Utf16;

/// An encoding.
#[cfg(feature = "all-encodings")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Standard(&'static encoding_rs::Encoding);

/// An encoding.
#[cfg(not(feature = "all-encodings"))]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Standard {
    Utf8,
    Utf16(Utf16),
    SingleByte(SingleByte),
}

#[cfg(feature = "all-encodings")]
impl Standard {
    pub(super) const UTF_8: Self = Self(encoding_rs::UTF_8);
    pub(super) const WINDOWS_1250: Self = Self(encoding_rs::WINDOWS_1250);
    pub(super) const WINDOWS_1251: Self = Self(encoding_rs::WINDOWS_1251);
    pub(super) const WINDOWS_1252: Self = Self(encoding_rs::WINDOWS_1252);
    pub(super) const WINDOWS_1257: Self = Self(encoding_rs::WINDOWS_1257);
    pub(super) const ISO_8859_2: Self = Self(encoding_rs::ISO_8859_2);
    pub(super) const KOI8_R: Self = Self(encoding_rs::KOI8_R);
    pub(super) const IBM866: Self = Self(encoding_rs::IBM866);
    pub(super) const MACINTOSH: Self = Self(encoding_rs::MACINTOSH);

    /// Returns the encoding of a label in lower case; `None` too if ASCII is not ASCII in it, because the parser looks for brackets as
    /// ASCII bytes.
    pub(super) fn of_label(label: &str) -> Option<Self> {
        let found = Self(encoding_rs::Encoding::for_label_no_replacement(label.as_bytes())?);
        (found.0.is_ascii_compatible() || found.utf16().is_some()).then_some(found)
    }

    /// Returns the name in the standard.
    pub(super) fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns the form of UTF-16, if it is UTF-16.
    pub(super) fn utf16(self) -> Option<Utf16> {
        match self.0 {
            standard if standard == encoding_rs::UTF_16LE => Some(Utf16::Little),
            standard if standard == encoding_rs::UTF_16BE => Some(Utf16::Big),
            _ => None,
        }
    }

    /// Decodes a text. Invalid bytes become U+FFFD.
    pub(super) fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.0.decode_without_bom_handling(bytes).0
    }

    /// Encodes a text, for UTF-16 in UTF-8; `None` if the encoding lacks one of its characters.
    pub(super) fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        let (bytes, _, has_unmappable) = self.0.encode(text);
        (!has_unmappable).then_some(bytes)
    }

    /// Returns the character of one byte; `None` if the byte is undefined or starts a longer sequence.
    pub(super) fn character(self, byte: u8) -> Option<char> {
        self.0.decode_without_bom_handling_and_without_replacement(&[byte])?.chars().next()
    }
}

#[cfg(not(feature = "all-encodings"))]
impl Standard {
    pub(super) const UTF_8: Self = Self::Utf8;
    pub(super) const WINDOWS_1250: Self = Self::named("windows-1250");
    pub(super) const WINDOWS_1251: Self = Self::named("windows-1251");
    pub(super) const WINDOWS_1252: Self = Self::named("windows-1252");
    pub(super) const WINDOWS_1257: Self = Self::named("windows-1257");
    pub(super) const ISO_8859_2: Self = Self::named("ISO-8859-2");
    pub(super) const KOI8_R: Self = Self::named("KOI8-R");
    pub(super) const IBM866: Self = Self::named("IBM866");
    pub(super) const MACINTOSH: Self = Self::named("macintosh");

    const fn named(name: &str) -> Self {
        Self::SingleByte(SingleByte::named(name))
    }

    /// Returns the encoding of a label in lower case.
    pub(super) fn of_label(label: &str) -> Option<Self> {
        match label {
            "utf-8" | "utf8" | "unicode-1-1-utf-8" | "unicode11utf8" | "unicode20utf8"
            | "x-unicode20utf8" => Some(Self::Utf8),
            "utf-16" | "utf-16le" | "csunicode" | "iso-10646-ucs-2" | "ucs-2" | "unicode" | "unicodefeff" => {
                Some(Self::Utf16(Utf16::Little))
            }
            "utf-16be" | "unicodefffe" => Some(Self::Utf16(Utf16::Big)),
            label => SingleByte::of_label(label).map(Self::SingleByte),
        }
    }

    /// Returns the name in the standard.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16(form) => form.name(),
            Self::SingleByte(encoding) => encoding.name(),
        }
    }

    /// Returns the form of UTF-16, if it is UTF-16.
    pub(super) fn utf16(self) -> Option<Utf16> {
        if let Self::Utf16(form) = self { Some(form) } else { None }
    }

    /// Decodes a text. Invalid bytes become U+FFFD.
    pub(super) fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Self::Utf8 | Self::Utf16(_) => String::from_utf8_lossy(bytes),
            Self::SingleByte(encoding) => encoding.decode(bytes).into(),
        }
    }

    /// Encodes a text, for UTF-16 in UTF-8; `None` if the encoding lacks one of its characters.
    pub(super) fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Utf8 | Self::Utf16(_) => Some(text.as_bytes().into()),
            Self::SingleByte(encoding) => encoding.encode(text).map(Cow::Owned),
        }
    }

    /// Returns the character of one byte; `None` if the byte is undefined or starts a longer sequence.
    pub(super) fn character(self, byte: u8) -> Option<char> {
        match self {
            Self::Utf8 | Self::Utf16(_) => byte.is_ascii().then_some(byte.into()),
            Self::SingleByte(encoding) => encoding.character(byte),
        }
    }
}

/// Returns the number of bytes before the first that is not ASCII.
pub(super) fn ascii_len(bytes: &[u8]) -> usize {
    #[cfg(feature = "all-encodings")]
    return encoding_rs::Encoding::ascii_valid_up_to(bytes);
    #[cfg(not(feature = "all-encodings"))]
    bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(bytes.len())
}

/// Decodes UTF-16 piece by piece.
#[cfg(feature = "all-encodings")]
pub(super) struct Utf16Decoder(encoding_rs::Decoder);

#[cfg(feature = "all-encodings")]
impl Utf16Decoder {
    /// Creates a decoder of one form.
    pub(super) fn new(form: Utf16) -> Self {
        let encoding = match form {
            Utf16::Little => encoding_rs::UTF_16LE,
            Utf16::Big => encoding_rs::UTF_16BE,
        };
        Self(encoding.new_decoder_without_bom_handling())
    }

    /// Decodes a piece into `out`, which has room for a character. `is_last` says that no piece follows. Returns the numbers of bytes
    /// that were read and written, and whether the piece is decoded as a whole. Lone surrogates become U+FFFD.
    pub(super) fn decode(&mut self, piece: &[u8], out: &mut [u8], is_last: bool) -> (usize, usize, bool) {
        let (outcome, read, written, _) = self.0.decode_to_utf8(piece, out, is_last);
        (read, written, outcome == encoding_rs::CoderResult::InputEmpty)
    }
}

#[cfg(not(feature = "all-encodings"))]
pub(super) use super::utf16_decoder::Utf16Decoder;
