//! UTF-16 in, UTF-8 out, and the way back.
//!
//! Each character of the UTF-8 text says by itself how many bytes it had in UTF-16, so the map between the two is
//! runs of characters of one shape. Lone surrogates become U+FFFD, which keeps their two bytes.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use encoding_rs::CoderResult;

use crate::error::{Error, Result};

use super::Encoding;
use super::stream::Pull;

/// A form of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Utf16 {
    /// Low byte first, as Windows writes it.
    Little,
    /// High byte first.
    Big,
}

impl Utf16 {
    /// The form that the text has whose beginning, all of it or a thousand bytes, is `head`; `None` if it is no
    /// UTF-16.
    ///
    /// A byte order mark decides. Without one, the text has to look like ASCII with a zero in every pair: the
    /// first pair does, at least half of all pairs do, and hardly any pair (one in sixteen) looks so in the
    /// other order.
    pub(super) fn of(head: &[u8], forced: Option<Encoding>) -> Option<Self> {
        match head {
            [0xFF, 0xFE, ..] => return Some(Self::Little),
            [0xFE, 0xFF, ..] => return Some(Self::Big),
            _ => {}
        }
        if let Some(encoding) = forced {
            return encoding.utf16();
        }
        let pairs = head.len() / 2;
        let like = |pair: &[u8; 2], low: usize| matches!(pair[low], 1..0x80) && pair[1 - low] == 0;
        let count = |low| head.as_chunks::<2>().0.iter().filter(|pair| like(pair, low)).count();
        let first = head.first_chunk::<2>()?;
        let (little, big) = (count(0), count(1));
        let (form, pro, contra) =
            if like(first, 0) { (Self::Little, little, big) } else { (Self::Big, big, little) };
        let looks =
            pairs >= 2 && (like(first, 0) || like(first, 1)) && 2 * pro >= pairs && 16 * contra <= pairs;
        looks.then_some(form)
    }

    /// Whether `head` opens with this form's byte order mark.
    pub(super) fn bom(self, head: &[u8]) -> bool {
        head.starts_with(match self {
            Self::Little => b"\xFF\xFE",
            Self::Big => b"\xFE\xFF",
        })
    }

    /// `utf-16le` or `utf-16be`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Little => "utf-16le",
            Self::Big => "utf-16be",
        }
    }
}

/// The stage that makes UTF-8.
pub(super) struct Transcoder {
    pull: Box<dyn Pull>,
    decoder: encoding_rs::Decoder,
    input: Box<[u8]>,
    taken: usize,
    filled: usize,
    pulled: u64,
    /// The stage before has ended; `finished`: so has this one.
    ended: bool,
    finished: bool,
    failed: Option<Error>,
    offsets: Utf16Offsets,
}

impl Transcoder {
    pub(super) fn new(pull: Box<dyn Pull>, form: Utf16) -> Self {
        let encoding = match form {
            Utf16::Little => encoding_rs::UTF_16LE,
            Utf16::Big => encoding_rs::UTF_16BE,
        };
        Self {
            pull,
            decoder: encoding.new_decoder_without_bom_handling(),
            input: vec![0; 64 << 10].into(),
            taken: 0,
            filled: 0,
            pulled: 0,
            ended: false,
            finished: false,
            failed: None,
            offsets: Utf16Offsets::default(),
        }
    }

    pub(super) fn offsets(&self) -> Utf16Offsets {
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
                        // Half a character may still wait in the decoder.
                        (self.taken, self.filled, self.ended) = (0, 0, true);
                        self.failed = Some(error);
                    }
                }
            }
            let input = &self.input[self.taken..self.filled];
            let (outcome, read, written, _) = self.decoder.decode_to_utf8(input, out, self.ended);
            self.taken += read;
            self.finished = self.ended && outcome == CoderResult::InputEmpty;
            self.offsets.push(&out[..written], self.finished.then_some(self.pulled));
            if written > 0 {
                return Ok(written);
            }
        }
        self.failed.take().map_or(Ok(0), Err)
    }
}

/// The way from offsets in a transcoded text back to offsets in its UTF-16 original.
///
/// A handle on a map that grows while the stream is read; clones share it. Answers are exact for the last 16 MB
/// or so of what has been read (that depends on how often the alphabet changes), and before that within 64 KiB,
/// rounded down, so that memory stays bounded: at most 6 MB, plus 16 bytes for every 64 KiB read.
#[derive(Clone, Debug, Default)]
pub struct Utf16Offsets(Arc<Mutex<Map>>);

#[derive(Debug, Default)]
struct Map {
    /// Every so often, both offsets.
    marks: Vec<(u64, u64)>,
    /// The latest runs, without gaps up to `end`.
    runs: VecDeque<Run>,
    /// Both offsets at the end of what has been read.
    end: (u64, u64),
    /// Length of the original, once known.
    len: Option<u64>,
}

/// Characters of one shape, up to the next run.
#[derive(Clone, Copy, Debug)]
struct Run {
    text: u64,
    original: u64,
    shape: Shape,
}

/// Bytes a character takes in UTF-8 and in UTF-16.
type Shape = (u8, u8);

impl Utf16Offsets {
    const MARK_EVERY: u64 = 64 << 10;
    const RUNS: usize = 1 << 18;

    /// The byte offset in the original of the character that holds byte `offset` of the text. What lies beyond
    /// what has been read gives the end of what has been read. O(log n).
    pub fn original_offset(&self, offset: u64) -> u64 {
        let map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let exact = if offset >= map.end.0 {
            map.end.1
        } else {
            let next = map.runs.partition_point(|run| run.text <= offset);
            match next.checked_sub(1).map(|last| map.runs[last]) {
                Some(run) => {
                    run.original + (offset - run.text) / u64::from(run.shape.0) * u64::from(run.shape.1)
                }
                None => {
                    let next = map.marks.partition_point(|mark| mark.0 <= offset);
                    next.checked_sub(1).map_or(0, |last| map.marks[last].1)
                }
            }
        };
        // An odd last byte became a character as well.
        exact.min(map.len.unwrap_or(u64::MAX))
    }

    /// Adds whole characters.
    fn push(&self, mut text: &[u8], len: Option<u64>) {
        let mut map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let map = &mut *map;
        if len.is_some() {
            map.len = len;
        }
        while let Some(&first) = text.first() {
            let shape = shape(first);
            let bytes = if shape.0 == 1 {
                encoding_rs::Encoding::ascii_valid_up_to(text)
            } else {
                let characters = text.chunks(usize::from(shape.0));
                text.len().min(
                    characters.take_while(|chunk| self::shape(chunk[0]) == shape).count()
                        * usize::from(shape.0),
                )
            };
            map.run(bytes as u64, shape);
            text = &text[bytes..];
        }
    }
}

impl Map {
    fn run(&mut self, bytes: u64, shape: Shape) {
        let (text, original) = self.end;
        if self.runs.back().is_none_or(|last| last.shape != shape) {
            if self.runs.len() == Utf16Offsets::RUNS {
                self.runs.pop_front();
            }
            self.runs.push_back(Run { text, original, shape });
        }
        let last = self.marks.last().map_or(0, |mark| mark.0);
        if text >= last + Utf16Offsets::MARK_EVERY {
            self.marks.push((text, original));
        }
        self.end = (text + bytes, original + bytes / u64::from(shape.0) * u64::from(shape.1));
    }
}

fn shape(first: u8) -> Shape {
    match first {
        0..0x80 => (1, 2),
        0x80..0xE0 => (2, 2),
        0xE0..0xF0 => (3, 2),
        0xF0.. => (4, 4),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::super::stream::{Plain, Pull};
    use super::super::{InputBytes, OpenOptions, ReadProgress, from_reader};
    use super::*;

    fn encode(text: &str, form: Utf16) -> Vec<u8> {
        let bytes = |unit: u16| match form {
            Utf16::Little => unit.to_le_bytes(),
            Utf16::Big => unit.to_be_bytes(),
        };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn forms_are_recognised() {
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
            assert_eq!(Utf16::of(head, None), expected, "{}", head.escape_ascii());
        }
        let forced = |label: &str| Utf16::of(b"ab", Some(label.parse().unwrap()));
        assert_eq!(forced("utf-16be"), Some(Utf16::Big));
        assert_eq!(forced("latin1"), None);
        assert_eq!(Utf16::of(b"[\0E\0", Some(Encoding::WINDOWS_1252)), None);
    }

    /// Transcodes in reads of `step` bytes into rooms of `room` bytes, then compares with the standard library
    /// and checks the way back for every character.
    fn check(text: &str, form: Utf16, step: usize, room: usize) {
        let original = encode(text, form);
        let reader = Chunks(Cursor::new(original.clone()), step);
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

    struct Chunks(Cursor<Vec<u8>>, usize);

    impl std::io::Read for Chunks {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let len = out.len().min(self.1);
            self.0.read(&mut out[..len])
        }
    }

    proptest! {
        #[test]
        fn any_chunks_give_the_same(text in "[ -~а-яÀ-ÿ♔-♟😀-😎\u{feff}]{0,200}", step in 1usize..9, room in 8usize..40) {
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
            let reader = Chunks(Cursor::new(all), step);
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
    fn old_offsets_are_near() {
        let offsets = Utf16Offsets::default();
        let game = "[White \"Иванов\"]\n".repeat(100);
        let (mut text, mut original) = (0, 0);
        for _ in 0..3000 {
            offsets.push(game.as_bytes(), None);
            text += game.len() as u64;
            original += 2 * game.encode_utf16().count() as u64;
        }
        assert_eq!(offsets.original_offset(text), original);
        assert_eq!(offsets.original_offset(text - game.len() as u64), original - original / 3000);
        let near = offsets.original_offset(game.len() as u64 * 40);
        let exact = original / 3000 * 40;
        assert!(near <= exact && exact - near <= 2 * Utf16Offsets::MARK_EVERY, "{near} {exact}");
    }

    #[test]
    fn source_says_so() {
        let original = encode("\u{FEFF}[Event \"Ё\"]", Utf16::Big);
        let input =
            from_reader(Cursor::new(original), "x", &OpenOptions::new()).unwrap().next().unwrap().unwrap();
        assert!(input.source.bom());
        assert_eq!(input.source.utf16(), Some(Utf16::Big));
        assert!(matches!(&input.source, InputBytes::Stream(stream) if stream.len_hint().is_none()));
    }
}
