//! Recognises runs of canonical moves, in one pass without calls and with all state in registers.

use super::layout::{LineEnd, NumberTexts};
use super::man_steps::NearSteps;
use crate::simd::{Isa, Task};

/// Moves in canonical form that follow a move or a comment, as [`MovetextReader`](super::canonical) reads them one by one.
///
/// Only what two words of eight bytes hold is recognised here: numbers below 1000, and the squares of [`NearSteps`]. The run
/// ends before everything else, and a few moves before the end of the text.
// Twin: MovetextReader::numbered_move; tests: runs_of_moves_are_read_as_single_moves, damaged_runs_are_read_as_single_moves.
#[derive(Clone)]
pub(super) struct MoveRun<'t, const ALGEBRAIC: bool> {
    pub(super) text: &'t [u8],
    pub(super) line_end: LineEnd,
    /// The maximum number of bytes of a line.
    pub(super) width: usize,
    /// The separator of captures.
    pub(super) capture: u8,
    pub(super) steps: &'t NearSteps,
    pub(super) numbers: &'t NumberTexts,
    pub(super) state: RunState,
}

/// What is known between two moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RunState {
    /// The end of the last word.
    pub(super) at: usize,
    pub(super) line_start: usize,
    /// The number of the next move.
    pub(super) number: u32,
    /// The next move is one of the side that does not start.
    pub(super) second: bool,
    /// The squares of men that may have become kings.
    pub(super) kings: u64,
}

impl<const ALGEBRAIC: bool> Task for MoveRun<'_, ALGEBRAIC> {
    /// The state after the run. It is the old one if there is no move.
    type Output = RunState;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, _: I) -> RunState {
        match self.line_end {
            LineEnd::Lf => self.read::<false>(),
            LineEnd::CrLf => self.read::<true>(),
        }
    }
}

impl<const ALGEBRAIC: bool> MoveRun<'_, ALGEBRAIC> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<const CR_LF: bool>(self) -> RunState {
        let Self { text, width, capture, steps, numbers, state, .. } = self;
        let RunState { mut at, mut line_start, mut number, mut second, mut kings } = state;
        while let Some(separators) = load(text, at) {
            let (is_new_line, is_separator, start) = match CR_LF {
                false => {
                    let is_new_line = separators as u8 == b'\n';
                    (is_new_line, is_new_line | (separators as u8 == b' '), at + 1)
                }
                true => {
                    let is_new_line = separators as u16 == u16::from_le_bytes(*b"\r\n");
                    (is_new_line, is_new_line | (separators as u8 == b' '), at + 1 + usize::from(is_new_line))
                }
            };
            let (mut squares_at, mut has_number) = (start, true);
            if !second {
                let (Some(expected), Some(written)) = (numbers.short(number), load(text, start)) else {
                    break;
                };
                // The bytes of the number are the highest ones after the shift.
                has_number = (written ^ expected.word()) << (64 - 8 * expected.len() as u32) == 0;
                squares_at += expected.len();
            }
            let Some(word) = load(text, squares_at) else { break };
            let squares = if ALGEBRAIC { algebraic(word) } else { numeric(word) };
            let Some(Squares { from, to, separator, len }) = squares else { break };
            let (is_quiet, is_capture) = (separator == b'-', separator == capture);
            let was_king = kings >> (from & 63) & 1;
            let is_step = steps.squares[usize::from(from & 63)] >> (to & 63) & 1;
            // Of a king, only the step says something for certain.
            let is_played = is_capture & (is_step == 0) | is_quiet & (is_step | was_king != 0);
            let end = squares_at + len;
            let fits = at - line_start + 1 + (end - start) <= width;
            if !(is_separator & has_number & is_played & (fits != is_new_line)) {
                break;
            }
            let is_king = was_king | steps.promotions[usize::from(second)] >> (to & 63) & 1;
            kings &= !(1 << (from & 63));
            kings = kings & !(1 << (to & 63)) | is_king << (to & 63);
            line_start = if is_new_line { start } else { line_start };
            at = end;
            number += u32::from(second);
            second = !second;
        }
        RunState { at, line_start, number, second, kings }
    }
}

/// The squares of a move as [`NearSteps`] numbers them, the byte between them, and the length of the text.
struct Squares {
    from: u8,
    to: u8,
    separator: u8,
    len: usize,
}

/// Reads a move such as `32-28` with numbers of one or two digits below 64.
#[cfg_attr(not(debug_assertions), inline(always))]
fn numeric(word: u64) -> Option<Squares> {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let values = word ^ 0x3030_3030_3030_3030;
    // The high bit of every byte that is no digit.
    let others = (((values & LOW) + 0x7676_7676_7676_7676) | values) & !LOW;
    // The numbers of bits before the first such byte and before the second.
    let from_bits = others.trailing_zeros() & !7;
    let to_end = (others & others.wrapping_sub(1)).trailing_zeros() & !7;
    let to_bits = to_end.wrapping_sub(from_bits + 8);
    // 8 and 16 are allowed: one digit or two.
    let is_form = (from_bits.wrapping_sub(8) | to_bits.wrapping_sub(8)) & !8 == 0 && to_end < 64;
    let to_values = values.wrapping_shr(from_bits + 8);
    // Two digits as bytes, the first one 0 if there is only one.
    let number = |values: u64, bits: u32| {
        let digits = (values << (16u32.wrapping_sub(bits) & 15)) as u16;
        (digits & 0xFF) * 10 + (digits >> 8)
    };
    let (from, to) = (number(values, from_bits), number(to_values, to_bits));
    let has_zero = (values as u8 == 0) | (to_values as u8 == 0);
    if !is_form | has_zero | (from > 63) | (to > 63) {
        return None;
    }
    let separator = (word >> from_bits) as u8;
    Some(Squares { from: from as u8, to: to as u8, separator, len: to_end as usize / 8 })
}

/// Reads a move such as `c3-d4` with files up to `h` and ranks of one digit up to 8.
#[cfg_attr(not(debug_assertions), inline(always))]
fn algebraic(word: u64) -> Option<Squares> {
    // Files and ranks from 0. A byte of 0 borrows from the next one, but is none of them itself.
    let values = word.wrapping_sub(0x0001_0100_0101) ^ 0x0030_6000_3060;
    if values & 0x00F8_F800_F8F8 != 0 || (word >> 40) as u8 & 0xF0 == 0x30 {
        return None;
    }
    let square = |bits: u32| ((values >> bits & 7) << 3 | values >> (bits + 8) & 7) as u8;
    Some(Squares { from: square(0), to: square(24), separator: (word >> 16) as u8, len: 5 })
}

/// Returns eight bytes as a word; `None` near the end of the text.
#[cfg_attr(not(debug_assertions), inline(always))]
fn load(text: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*text.get(at..)?.first_chunk()?))
}
