//! Decodes UTF-16 piece by piece, unit by unit.

use super::utf16_form::Utf16;

/// A decoder that may be between the two bytes of a unit, and between the two units of a character.
// Twin: the decoder of `encoding_rs`; test: `any_pieces_are_decoded_as_by_the_decoder_of_the_standard`.
pub(super) struct Utf16Decoder {
    form: Utf16,
    /// The first byte of a unit whose second one comes with the next piece.
    byte: Option<u8>,
    /// The first unit of a character that has two.
    high: Option<u16>,
    /// A character that there was no room for.
    waiting: Option<char>,
}

impl Utf16Decoder {
    /// Creates a decoder of one form.
    pub(super) fn new(form: Utf16) -> Self {
        Self { form, byte: None, high: None, waiting: None }
    }

    /// Decodes a piece into `out`, which has room for a character. `is_last` says that no piece follows. Returns the numbers of bytes
    /// that were read and written, and whether the piece is decoded as a whole. Lone surrogates become U+FFFD.
    pub(super) fn decode(&mut self, piece: &[u8], out: &mut [u8], is_last: bool) -> (usize, usize, bool) {
        let (mut read, mut written) = (0, 0);
        loop {
            if let Some(character) = self.waiting {
                if out.len() - written < character.len_utf8() {
                    return (read, written, false);
                }
                written += character.encode_utf8(&mut out[written..]).len();
                self.waiting = None;
            }
            let Some(&next) = piece.get(read) else {
                let is_cut = self.byte.is_some() || self.high.is_some();
                if !(is_last && is_cut) {
                    return (read, written, true);
                }
                (self.byte, self.high) = (None, None);
                self.waiting = Some(char::REPLACEMENT_CHARACTER);
                continue;
            };
            read += 1;
            let Some(first) = self.byte.take() else {
                self.byte = Some(next);
                continue;
            };
            let unit = match self.form {
                Utf16::Little => u16::from_le_bytes([first, next]),
                Utf16::Big => u16::from_be_bytes([first, next]),
            };
            self.waiting = self.character(unit, &mut read);
        }
    }

    /// Returns the character that a unit completes. A unit that does not belong to the one before is read again: `read` and the first
    /// byte are put back.
    fn character(&mut self, unit: u16, read: &mut usize) -> Option<char> {
        let lone = Some(char::REPLACEMENT_CHARACTER);
        match (self.high.take(), unit) {
            (Some(high), 0xDC00..=0xDFFF) => char::decode_utf16([high, unit]).next().and_then(Result::ok),
            (Some(_), _) => {
                // The second byte is read again, after the first, which is kept.
                *read -= 1;
                self.byte = Some(match self.form {
                    Utf16::Little => unit.to_le_bytes()[0],
                    Utf16::Big => unit.to_be_bytes()[0],
                });
                lone
            }
            (None, 0xD800..=0xDBFF) => {
                self.high = Some(unit);
                None
            }
            (None, 0xDC00..=0xDFFF) => lone,
            (None, unit) => char::from_u32(unit.into()),
        }
    }
}

#[cfg(feature = "all-encodings")]
#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Decodes a text in pieces of `step` bytes into buffers of `room` bytes.
    fn decoded(
        bytes: &[u8],
        step: usize,
        room: usize,
        mut decode: impl FnMut(&[u8], &mut [u8], bool) -> (usize, usize, bool),
    ) -> String {
        let (mut text, mut buffer) = (Vec::new(), vec![0; room]);
        let pieces = bytes.chunks(step).map(|piece| (piece, false)).chain([(&bytes[..0], true)]);
        for (mut piece, is_last) in pieces {
            loop {
                let (read, written, is_done) = decode(piece, &mut buffer, is_last);
                text.extend_from_slice(&buffer[..written]);
                piece = &piece[read..];
                if is_done {
                    break;
                }
            }
        }
        String::from_utf8(text).unwrap()
    }

    proptest! {
        #[test]
        fn any_pieces_are_decoded_as_by_the_decoder_of_the_standard(
            units in prop::collection::vec(prop_oneof![any::<u16>(), 0xD7F0u16..0xE010, 0u16..0x300], 0..60),
            is_odd: bool,
            step in 1usize..9,
            room in 8usize..40,
        ) {
            for form in [Utf16::Little, Utf16::Big] {
                let mut bytes: Vec<u8> = units.iter().flat_map(|unit| match form {
                    Utf16::Little => unit.to_le_bytes(),
                    Utf16::Big => unit.to_be_bytes(),
                }).collect();
                bytes.extend(is_odd.then_some(b'x'));
                let mut own = Utf16Decoder::new(form);
                let mut standard = super::super::standard::Utf16Decoder::new(form);
                let text = decoded(&bytes, step, room, |piece, out, is_last| own.decode(piece, out, is_last));
                let expected = decoded(&bytes, step, room, |piece, out, is_last| standard.decode(piece, out, is_last));
                prop_assert_eq!(text, expected);
            }
        }
    }
}
