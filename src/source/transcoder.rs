//! Transcodes UTF-16 to UTF-8 while it is read.

use super::pull::Pull;
use super::standard::Utf16Decoder;
use super::text_offsets::TextOffsets;
use super::utf16_form::Utf16;
use crate::error::{Error, Result};

/// The stage that transcodes UTF-16 to UTF-8. Lone surrogates become U+FFFD.
// Twin: `char::decode_utf16`, and offsets counted character by character;
// tests: `any_bytes_are_transcoded`, `transcoding_is_equal_in_any_chunks`.
pub(super) struct Transcoder {
    pull: Box<dyn Pull>,
    decoder: Utf16Decoder,
    /// Input buffer of a fixed size; `taken..filled` is not decoded yet.
    input: Box<[u8]>,
    taken: usize,
    filled: usize,
    /// Bytes read from the stage before.
    pulled: u64,
    /// The stage before has ended.
    ended: bool,
    /// This stage has ended.
    finished: bool,
    /// An error of the stage before, returned after the last bytes.
    failed: Option<Error>,
    offsets: TextOffsets,
}

impl Transcoder {
    /// Creates a stage that reads UTF-16 of the given form from `pull`.
    pub(super) fn new(pull: Box<dyn Pull>, form: Utf16) -> Self {
        Self {
            pull,
            decoder: Utf16Decoder::new(form),
            input: vec![0; 64 << 10].into(),
            taken: 0,
            filled: 0,
            pulled: 0,
            ended: false,
            finished: false,
            failed: None,
            offsets: TextOffsets::default(),
        }
    }

    /// Returns the map from offsets in the output to offsets in the input.
    pub(super) fn offsets(&self) -> TextOffsets {
        self.offsets.clone()
    }
}

impl Pull for Transcoder {
    fn pull(&mut self, out: &mut [u8]) -> Result<usize> {
        while !self.finished {
            if self.taken == self.filled && !self.ended {
                match self.pull.pull(&mut self.input) {
                    Ok(more) => {
                        (self.taken, self.filled) = (0, more);
                        self.pulled += more as u64;
                        self.ended = more == 0;
                    }
                    Err(error) => {
                        // The decoder may hold half a character; it is flushed as at the end.
                        (self.taken, self.filled, self.ended) = (0, 0, true);
                        self.failed = Some(error);
                    }
                }
            }
            let input = &self.input[self.taken..self.filled];
            let (read, written, is_decoded) = self.decoder.decode(input, out, self.ended);
            self.taken += read;
            self.finished = self.ended && is_decoded;
            self.offsets.push_utf16(&out[..written], self.finished.then_some(self.pulled));
            if written > 0 {
                return Ok(written);
            }
        }
        self.failed.take().map_or(Ok(0), Err)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::super::plain::Plain;
    use super::super::text_form::TextForm;
    use super::super::{InputBytes, OpenOptions, ReadProgress, from_reader};
    use super::*;

    fn encode(text: &str, form: Utf16) -> Vec<u8> {
        let bytes = |unit: u16| match form {
            Utf16::Little => unit.to_le_bytes(),
            Utf16::Big => unit.to_be_bytes(),
        };
        text.encode_utf16().flat_map(bytes).collect()
    }

    /// Transcodes `text` in reads of `step` bytes into buffers of `room` bytes, compares the result with the standard
    /// library, and checks the original offset of every byte.
    fn check(text: &str, form: Utf16, step: usize, room: usize) {
        let original = encode(text, form);
        let reader = ShortReads(Cursor::new(original.clone()), step);
        let mut transcoder =
            Transcoder::new(Box::new(Plain::new(Box::new(reader), ReadProgress::default())), form);
        let mut out = Vec::new();
        let mut buffer = vec![0; room];
        loop {
            match transcoder.pull(&mut buffer).unwrap() {
                0 => break,
                more => out.extend_from_slice(&buffer[..more]),
            }
        }
        assert_eq!(String::from_utf8(out).unwrap(), text);
        let offsets = transcoder.offsets();
        let mut expected = 0;
        for (at, character) in text.char_indices() {
            for inside in 0..character.len_utf8() {
                assert_eq!(offsets.original_offset((at + inside) as u64), expected, "{text:?} at {at}");
            }
            expected += 2 * character.len_utf16() as u64;
        }
        assert_eq!(offsets.original_offset(u64::MAX), original.len() as u64);
    }

    /// A reader that returns at most the given number of bytes per read.
    struct ShortReads(Cursor<Vec<u8>>, usize);

    impl std::io::Read for ShortReads {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let len = out.len().min(self.1);
            self.0.read(&mut out[..len])
        }
    }

    proptest! {
        #[test]
        fn transcoding_is_equal_in_any_chunks(text in "[ -~а-яÀ-ÿ♔-♟😀-😎\u{feff}]{0,200}", step in 1usize..9, room in 8usize..40) {
            for form in [Utf16::Little, Utf16::Big] {
                check(&text, form, step, room);
            }
        }

        #[test]
        fn any_bytes_are_transcoded(original: Vec<u8>, step in 1usize..9) {
            let mut expected = String::new();
            let units: Vec<u16> = original.as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
            expected.extend(char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{FFFD}')));
            let odd = original.len() % 2 == 1;
            let mut all = b"\xFF\xFE".to_vec();
            all.extend_from_slice(&original);
            let reader = ShortReads(Cursor::new(all), step);
            let input = from_reader(reader, "test", &OpenOptions::new()).unwrap().next().unwrap().unwrap();
            let offsets = input.source.offsets().unwrap();
            let (bytes, error) = input.source.into_bytes();
            prop_assert!(error.is_none());
            let text = std::str::from_utf8(&bytes).unwrap().strip_prefix('\u{FEFF}').unwrap();
            if odd {
                let whole = expected.trim_end_matches('\u{FFFD}');
                prop_assert!(text.starts_with(whole));
            } else {
                prop_assert_eq!(text, expected);
            }
            prop_assert!(offsets.original_offset(u64::MAX) <= original.len() as u64 + 2);
        }
    }

    #[test]
    fn stream_reports_form_and_mark() {
        let original = encode("\u{FEFF}[Event \"Ё\"]", Utf16::Big);
        let input =
            from_reader(Cursor::new(original), "x", &OpenOptions::new()).unwrap().next().unwrap().unwrap();
        assert!(input.source.bom());
        assert_eq!(input.source.form(), Some(TextForm::Utf16(Utf16::Big)));
        assert!(matches!(&input.source, InputBytes::Stream(stream) if stream.len_hint().is_none()));
    }
}
