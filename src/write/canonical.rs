//! Recognises records that are in canonical form already, without replaying and writing them.
//!
//! What is recognised is the form of the text: if the record can be written at all, [`RecordWriter`](super::RecordWriter) gives
//! the same bytes. No position is known here. So a man may take one step with `-` and go further with the separator of
//! captures; a man that may have become a king may go anywhere with either. A record with more than two squares in a move, with
//! variations, setups or anything else out of the ordinary is not recognised, and then the writer decides.
//!
//! Two things take a replay and are not looked at: whether a long move of a king captures, which decides about its separator,
//! and whether another capture has the same two squares, so that the path has to be written.

use std::sync::OnceLock;

use super::canonical_moves::{MoveRun, RunState};
use super::layout::{LineEnd, NumberTexts};
use super::man_steps::{SquareKeys, algebraic_key, has_key, near_squares, set_near_squares};
use super::tag_section::{MoveForms, TagSectionWriter};
use crate::board::SquareNaming;
use crate::rules::Variant;
use crate::simd;

/// Returns `true` if `record` is in canonical form, with a line end after its last line and no empty line.
// Twin: RecordWriter::write; tests: canonical_records_are_written_as_they_are, written_records_are_canonical.
pub(super) fn is_canonical(
    record: &[u8],
    tags: &mut TagSectionWriter,
    numbers: &NumberTexts,
    line_end: LineEnd,
    width: usize,
) -> bool {
    recognise::<true>(record, tags, numbers, line_end, width)
}

/// Does the same with runs of moves in one pass, or one by one.
#[cfg_attr(not(debug_assertions), inline(always))]
fn recognise<const RUNS: bool>(
    record: &[u8],
    tags: &mut TagSectionWriter,
    numbers: &NumberTexts,
    line_end: LineEnd,
    width: usize,
) -> bool {
    let Some(section) = tags.canonical(record, line_end.bytes()) else { return false };
    if section.end == 0 && !record.first().is_some_and(u8::is_ascii_digit) {
        // A comment before the moves would belong to the record before, unless a tag precedes it.
        return false;
    }
    let forms = match section.forms {
        Some(forms) => forms,
        None => untagged_forms(&record[section.end..]),
    };
    let mut reader = MovetextReader {
        text: record,
        at: section.end,
        line_start: section.end,
        is_first: true,
        width: if width == 0 { usize::MAX } else { width },
        line_end,
        forms,
        numbers,
        second: section.second_begins,
        number: None,
        is_apart: true,
        kings: [0; 4],
    };
    match forms.naming {
        SquareNaming::Numeric => reader.read::<false, RUNS>(),
        SquareNaming::Algebraic => reader.read::<true, RUNS>(),
    }
    .is_some()
}

/// Returns the forms of a movetext without a GameType tag, from its first move: those of International draughts, English
/// draughts or Russian draughts. A game of another variant with other steps is not recognised.
fn untagged_forms(movetext: &[u8]) -> &'static MoveForms {
    static FORMS: OnceLock<[MoveForms; 3]> = OnceLock::new();
    let [international, english, russian] = FORMS.get_or_init(|| {
        [Variant::International, Variant::English, Variant::Russian].map(MoveForms::untagged)
    });
    // After the number; comments before it may hold any text, and then any answer will do.
    let number = movetext.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'.' | b' ')).count();
    match &movetext[number..] {
        [b'a'..=b'l', ..] => russian,
        _ => {
            let last = movetext[..number].rsplit(|&byte| byte == b' ').next().unwrap_or_default();
            // White begins from the sixth row in International draughts, Black from the third in English.
            if last.len() == 2 && last > b"30".as_slice() { international } else { english }
        }
    }
}

/// Reads a movetext in canonical form.
struct MovetextReader<'t> {
    text: &'t [u8],
    /// The end of the last word.
    at: usize,
    line_start: usize,
    /// No word was read yet.
    is_first: bool,
    width: usize,
    line_end: LineEnd,
    forms: &'t MoveForms,
    numbers: &'t NumberTexts,
    /// The next move is one of the side that does not start.
    second: bool,
    /// The number of the next move, once it is known.
    number: Option<u32>,
    /// The next move does not follow a move directly, so it has a number.
    is_apart: bool,
    /// The squares of men that may have become kings. Captured ones stay, until another piece goes there.
    kings: SquareKeys,
}

impl MovetextReader<'_> {
    /// Reads everything up to the end of the text; `None` if it is not canonical.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<const ALGEBRAIC: bool, const RUNS: bool>(&mut self) -> Option<()> {
        let line_end = self.line_end.bytes();
        loop {
            if RUNS {
                self.moves::<ALGEBRAIC>();
            }
            let before = self.at;
            let (start, is_new_line) = match *self.text.get(before)? {
                _ if self.is_first => (before, false),
                b' ' => (before + 1, false),
                _ if self.text[before..].starts_with(line_end) => (before + line_end.len(), true),
                _ => return None,
            };
            let byte = *self.text.get(start)?;
            let mut last_line = start;
            // The end of the part of the word that counts for the length of the line.
            let first_line_end = match byte {
                b'*' => {
                    self.at = start + 1;
                    self.at
                }
                b'{' => self.comment(start, &mut last_line)?,
                b'$' => {
                    self.at = start + 1 + digits(&self.text[start + 1..]);
                    if self.at == start + 1 {
                        return None;
                    }
                    self.at
                }
                _ => self.numbered_move::<ALGEBRAIC>(start)?,
            };
            let fits = before - self.line_start + 1 + (first_line_end - start) <= self.width;
            if !self.is_first && fits == is_new_line {
                return None;
            }
            if is_new_line | (last_line > start) {
                self.line_start = last_line;
            }
            self.is_first = false;
            if byte == b'*' {
                return (&self.text[self.at..] == line_end).then_some(());
            }
        }
    }

    /// Reads moves as far as a run goes, and the strength after the last one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn moves<const ALGEBRAIC: bool>(&mut self) {
        let Some(number) = self.number else { return };
        if self.is_apart && self.second {
            return;
        }
        let naming = if ALGEBRAIC { SquareNaming::Algebraic } else { SquareNaming::Numeric };
        let &mut Self { text, at, line_start, width, line_end, forms, numbers, second, .. } = self;
        let state = RunState { at, line_start, number, second, kings: near_squares(&self.kings, naming) };
        let (capture, steps) = (forms.capture, forms.steps.near());
        let run = MoveRun::<ALGEBRAIC> { text, line_end, width, capture, steps, numbers, state };
        let RunState { at: end, line_start, number, second, kings } = simd::run(run);
        if end == at {
            return;
        }
        set_near_squares(&mut self.kings, naming, kings);
        (self.line_start, self.number, self.second, self.is_apart) =
            (line_start, Some(number), second, false);
        self.at = self.after_strength(end);
    }

    /// Returns the end of the strength of the move that ends here.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn after_strength(&self, mut at: usize) -> usize {
        while let Some(b'!' | b'?') = self.text.get(at) {
            at += 1;
        }
        at
    }

    /// Reads a comment and returns the end of its first line. Sets `last_line` to the start of its last line if it has several.
    #[inline(never)]
    fn comment(&mut self, start: usize, last_line: &mut usize) -> Option<usize> {
        let inside = &self.text[start + 1..];
        let len = memchr::memchr(b'}', inside)?;
        let inside = &inside[..len];
        // An empty comment is not written.
        if memchr::memchr(b'{', inside).is_some() || inside.trim_ascii().is_empty() {
            return None;
        }
        self.at = start + len + 2;
        self.is_apart = true;
        let Some(first_line) = memchr::memchr(b'\n', inside) else { return Some(self.at) };
        *last_line = start + 2 + memchr::memrchr(b'\n', inside).unwrap_or(first_line);
        Some(start + 1 + first_line)
    }

    /// Reads a move, the number before it and the strength after it, and returns its end.
    #[inline(never)]
    fn numbered_move<const ALGEBRAIC: bool>(&mut self, start: usize) -> Option<usize> {
        let mut at = start;
        if self.is_apart | !self.second {
            at += match self.number {
                Some(number) if !self.second => {
                    let expected = self.numbers.short(number)?;
                    let len = expected.len();
                    let mask = (1u64 << (8 * len)) - 1;
                    if (load(self.text, at) ^ expected.word()) & mask != 0 {
                        return None;
                    }
                    len
                }
                _ => self.any_number(at)?,
            };
        }
        let len = if ALGEBRAIC { self.algebraic(at)? } else { self.numeric(at)? };
        let end = at + len;
        self.is_apart = false;
        self.number = self.number.map(|number| number + u32::from(self.second));
        self.second = !self.second;
        self.at = self.after_strength(end);
        Some(end)
    }

    /// Reads the first number, or one of the second side, and returns its length with the dots and the space.
    #[inline(never)]
    fn any_number(&mut self, at: usize) -> Option<usize> {
        let len = digits(&self.text[at..]);
        if !(1..=3).contains(&len) {
            return None;
        }
        let digits = &self.text[at..at + len];
        let number = digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
        let is_written_so = len == 1 || digits[0] != b'0';
        if !is_written_so || self.number.is_some_and(|expected| expected != number) {
            return None;
        }
        self.number = Some(number);
        let dots: &[u8] = if self.second { b"... " } else { b". " };
        self.text[at + len..].starts_with(dots).then_some(len + dots.len())
    }

    /// Returns the length of a move such as `32-28`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn numeric(&mut self, at: usize) -> Option<usize> {
        const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        const HIGH: u64 = !LOW;
        let word = load(self.text, at);
        let values = word ^ 0x3030_3030_3030_3030;
        // The high bit of every byte that is no digit.
        let others = (((values & LOW) + 0x7676_7676_7676_7676) | values) & HIGH;
        let from_bits = others.trailing_zeros() & !7;
        let after = others & others.wrapping_sub(1);
        let to_bits = after.trailing_zeros() & !7;
        let byte = |bits: u32| word.checked_shr(bits).unwrap_or(0) as u8;
        let (separator, first_of_to) = (byte(from_bits), byte(from_bits + 8));
        let to_len = to_bits.wrapping_sub(from_bits + 8);
        // One digit or two.
        let number = |start: u32, len: u32| {
            let (first, last) = (byte(start) & 15, byte(start + len - 8) & 15);
            first * if len == 8 { 0 } else { 10 } + last
        };
        let is_form = (from_bits == 8 || from_bits == 16)
            & (to_len == 8 || to_len == 16)
            & (word as u8 != b'0')
            & (first_of_to != b'0');
        if !is_form {
            return None;
        }
        let has_separator = self.play(number(0, from_bits), separator, number(from_bits + 8, to_len));
        has_separator.then_some(to_bits as usize / 8)
    }

    /// Returns the length of a move such as `c3-d4`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn algebraic(&mut self, at: usize) -> Option<usize> {
        let (from, from_key) = algebraic_square(self.text, at)?;
        let separator = *self.text.get(at + from)?;
        let (to, to_key) = algebraic_square(self.text, at + from + 1)?;
        self.play(from_key, separator, to_key).then_some(from + 1 + to)
    }

    /// Returns `true` if a move may have this separator, and notes where kings are.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn play(&mut self, from: u8, separator: u8, to: u8) -> bool {
        let was_king = has_key(&self.kings, from);
        let is_king = was_king | self.forms.steps.promotes(self.second, to);
        self.kings[usize::from(from >> 6)] &= !(1 << (from & 63));
        let word = &mut self.kings[usize::from(to >> 6)];
        *word = *word & !(1 << (to & 63)) | is_king << (to & 63);
        let is_step = self.forms.steps.contain(from, to);
        let captures = separator == self.forms.capture;
        // Of a king, only the step says something for certain. In Thai draughts, `-` is the separator of both.
        captures && !is_step || separator == b'-' && (is_step || was_king != 0)
    }
}

/// Returns the length of the name of a square such as `c3` or `l12`, and the key of the square.
#[cfg_attr(not(debug_assertions), inline(always))]
fn algebraic_square(text: &[u8], at: usize) -> Option<(usize, u8)> {
    match *text.get(at..)? {
        [file @ b'a'..=b'l', b'1', unit @ b'0'..=b'2', ..] => {
            Some((3, algebraic_key(file - b'a', 10 + unit - b'0')))
        }
        [file @ b'a'..=b'l', rank @ b'1'..=b'9', ..] => Some((2, algebraic_key(file - b'a', rank - b'0'))),
        _ => None,
    }
}

/// Returns the number of digits at the start of a text.
fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Returns eight bytes as a word, with zeros after the end of the text.
#[cfg_attr(not(debug_assertions), inline(always))]
fn load(text: &[u8], at: usize) -> u64 {
    match text.get(at..at + 8).and_then(|bytes| bytes.first_chunk()) {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => load_end(text, at),
    }
}

#[cold]
fn load_end(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    let mut bytes = [0; 8];
    let len = rest.len().min(8);
    bytes[..len].copy_from_slice(&rest[..len]);
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests;
