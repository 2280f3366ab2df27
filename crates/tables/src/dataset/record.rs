//! The records of the files of a training set.

use std::io::Write;

use super::options::{DatasetFormat, DatasetOptions, squares};
use super::sample::{NO_EVAL, Sample, is_wide, store_boards};
use pdn::board::{SquareName, SquareNaming};
use pdn::rules::Variant;
use pdn_index::internal::query::{ProvenValue, Tables, VALUE_NAMES};

/// Equal positions, joined.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JoinedSamples {
    /// The sum of White's scores in halves.
    halves: u64,
    pub(super) count: u64,
    evals: i64,
    eval_count: u64,
    /// The ply of the first one.
    ply: u16,
}

impl JoinedSamples {
    /// Returns a sample alone.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of(sample: &Sample) -> Self {
        let mut joined = Self::default();
        joined.add(sample);
        joined
    }

    /// Adds a sample.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn add(&mut self, sample: &Sample) {
        if self.count == 0 {
            self.ply = sample.ply;
        }
        self.halves += u64::from(sample.halves);
        self.count += 1;
        if sample.eval != NO_EVAL {
            self.evals += i64::from(sample.eval);
            self.eval_count += 1;
        }
    }

    /// Returns the mean of White's scores, from 0 to 1.
    fn result(&self) -> f64 {
        self.halves as f64 / (2 * self.count.max(1)) as f64
    }

    /// Appends [`result`](Self::result): one digit after the point if that is all, else four.
    // Twin: `write!`; test: `results_are_written_as_rounded_means`.
    fn write_result(&self, out: &mut Vec<u8>) {
        let count = self.count.max(1);
        if self.halves.is_multiple_of(count) {
            let text: &[u8] = match self.halves / count {
                0 => b"0.0",
                1 => b"0.5",
                _ => b"1.0",
            };
            return out.extend_from_slice(text);
        }
        let (tens, rest) = (self.halves * 5_000 / count, self.halves * 5_000 % count);
        // The mean as a floating-point number decides about a half, and about counts for which it is not precise.
        if 2 * rest == count || count > 1 << 32 {
            // Writing into memory does not fail.
            let _ = write!(out, "{:.4}", self.result());
            return;
        }
        let digits = tens + u64::from(2 * rest > count) + 10_000;
        let start = out.len();
        out.extend_from_slice(itoa::Buffer::new().format(digits).as_bytes());
        // `10625` becomes `0.0625`, and `20000` becomes `1.0000`.
        out[start] -= 1;
        out.insert(start + 1, b'.');
    }

    /// Returns [`eval`](Self::eval), or 0 if there is none.
    fn score(&self) -> i16 {
        match self.eval() {
            NO_EVAL => 0,
            eval => eval,
        }
    }

    /// Returns the mean of the evaluations, rounded; [`NO_EVAL`] if there is none.
    fn eval(&self) -> i16 {
        match self.eval_count {
            0 => NO_EVAL,
            1 => self.evals as i16,
            count => (self.evals as f64 / count as f64).round() as i16,
        }
    }
}

/// Writes records of one variant.
#[derive(Clone, Debug)]
pub(super) struct RecordWriter {
    format: DatasetFormat,
    variant: Variant,
    wide: bool,
    /// The tables of endings whose values positions get.
    tables: Option<Tables>,
    /// The texts of men and kings on each square, by its number less 1.
    pieces: [Vec<PieceText>; 2],
}

/// The text of a piece in a FEN with a comma after it, seven bytes at most, and its length.
#[derive(Clone, Copy, Debug, Default)]
struct PieceText {
    bytes: [u8; 8],
    len: usize,
}

impl PieceText {
    fn new(text: &str) -> Self {
        let mut bytes = [0; 8];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Self { bytes, len: text.len() }
    }
}

/// Length of the header of an array of NumPy, in bytes.
const NPY_HEADER: usize = 512;
/// Codes of pieces in a record of bulletformat: a pawn stands for a man and a queen for a king, and the other side has the fourth bit.
const BULLET_KING: u128 = 4;
const BULLET_OTHER: u128 = 8;

impl RecordWriter {
    /// Creates a writer for the positions of a variant.
    pub(super) fn new(options: &DatasetOptions, variant: Variant) -> Self {
        let squares = squares(variant) as u16;
        let square = |number| variant.names().of_number(number).map(|square| variant.names().name(square));
        let names: Vec<String> =
            (1..=squares).filter_map(square).map(|name: SquareName| name.to_string()).collect();
        let pieces = ["", "K"]
            .map(|sign| names.iter().map(|name| PieceText::new(&format!("{sign}{name},"))).collect());
        let DatasetOptions { format, tables, .. } = options;
        Self { format: *format, variant, wide: is_wide(variant), tables: tables.clone(), pieces }
    }

    /// Returns the length in bytes of a record; 0 for lines of text.
    pub(super) fn record_len(&self) -> usize {
        record_len(self.format, self.wide)
    }

    /// Returns what tables of endings prove of a sample.
    fn proven(&self, sample: &Sample) -> Option<ProvenValue> {
        let tables = self.tables.as_ref()?;
        let is_known = sample.pieces() <= tables.most_pieces(self.variant);
        is_known.then(|| tables.known(self.variant, &sample.position(self.variant)?))?
    }

    /// Appends a record. Returns `true` if tables of endings prove what its position is worth.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn write(&self, sample: &Sample, joined: &JoinedSamples, out: &mut Vec<u8>) -> bool {
        let proven = self.proven(sample);
        match self.format {
            DatasetFormat::Text => self.write_line(sample, joined, proven, out),
            DatasetFormat::BulletText => self.write_bullet_line(sample, joined, out),
            DatasetFormat::Bin | DatasetFormat::Npy => {
                store_boards(&sample.boards(), self.wide, out);
                out.extend((joined.result() as f32).to_le_bytes());
                out.extend(u32::try_from(joined.count).unwrap_or(u32::MAX).to_le_bytes());
                out.extend(joined.eval().to_le_bytes());
                out.extend(joined.ply.to_le_bytes());
                // 0 for a value that is not known.
                let value = proven.map_or(0, |proven| (proven.value + 2) as u8);
                let plies = proven.and_then(|proven| proven.plies).unwrap_or(0);
                out.extend([u8::from(sample.black_to_move), value]);
                out.extend(plies.to_le_bytes());
            }
            DatasetFormat::Jnnw | DatasetFormat::Jnnt => {
                let ToMove { score, halves } = ToMove::of(sample, joined);
                let mut record = [0; 38];
                let (boards, rest) = record.split_at_mut(32);
                for (board, out) in sample.boards().into_iter().zip(boards.as_chunks_mut::<8>().0) {
                    *out = (board as u64).to_le_bytes();
                }
                let [a, b, c, d] = i32::from(score).to_le_bytes();
                rest.copy_from_slice(&[u8::from(sample.black_to_move), a, b, c, d, halves.wrapping_sub(1)]);
                match self.format {
                    DatasetFormat::Jnnw => out.extend_from_slice(&record),
                    _ => out.extend_from_slice(&record[..37]),
                }
            }
            DatasetFormat::BulletChess => {
                let ToMove { score, halves } = ToMove::of(sample, joined);
                let [own, other, kings] = sample.sets.map(|set| set as u64);
                let mut rest = own | other;
                let (mut codes, mut shift) = (0u128, 0);
                while rest != 0 {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    let king = u128::from(kings >> bit & 1) * BULLET_KING;
                    let side = u128::from(other >> bit & 1) * BULLET_OTHER;
                    codes |= (king | side) << (shift & 127);
                    shift += 4;
                }
                let mut record = [0; 32];
                record[..8].copy_from_slice(&(own | other).to_le_bytes());
                record[8..24].copy_from_slice(&codes.to_le_bytes());
                record[24..26].copy_from_slice(&score.to_le_bytes());
                record[26] = halves;
                out.extend_from_slice(&record);
            }
            DatasetFormat::BulletAtaxx => {
                let ToMove { score, halves } = ToMove::of(sample, joined);
                let mut record = [0; 32];
                for (set, out) in sample.sets.into_iter().zip(record.as_chunks_mut::<8>().0) {
                    *out = (set as u64).to_le_bytes();
                }
                record[24..26].copy_from_slice(&score.to_le_bytes());
                record[26] = halves;
                record[28..30].copy_from_slice(&(joined.ply / 2 + 1).to_le_bytes());
                out.extend_from_slice(&record);
            }
        }
        proven.is_some()
    }

    /// Appends a line as converters of bullet read it: FEN, score, result, as White sees them.
    fn write_bullet_line(&self, sample: &Sample, joined: &JoinedSamples, out: &mut Vec<u8>) {
        self.write_fen(sample, out);
        out.extend_from_slice(b" | ");
        out.extend_from_slice(itoa::Buffer::new().format(joined.score()).as_bytes());
        out.extend_from_slice(b" | ");
        joined.write_result(out);
        out.push(b'\n');
    }

    /// Appends a line: FEN, result, evaluation, count, ply, and with tables of endings the value and the distance that they prove.
    fn write_line(
        &self,
        sample: &Sample,
        joined: &JoinedSamples,
        proven: Option<ProvenValue>,
        out: &mut Vec<u8>,
    ) {
        self.write_fen(sample, out);
        out.push(b';');
        joined.write_result(out);
        out.push(b';');
        let mut digits = itoa::Buffer::new();
        if joined.eval() != NO_EVAL {
            out.extend_from_slice(digits.format(joined.eval()).as_bytes());
        }
        out.push(b';');
        out.extend_from_slice(digits.format(joined.count).as_bytes());
        out.push(b';');
        out.extend_from_slice(digits.format(joined.ply).as_bytes());
        if self.tables.is_some() {
            let word =
                VALUE_NAMES.iter().find(|(_, value)| proven.is_some_and(|of| *value == i32::from(of.value)));
            out.push(b';');
            out.extend_from_slice(word.map_or("", |(word, _)| word).as_bytes());
            out.push(b';');
            if let Some(plies) = proven.and_then(|proven| proven.plies) {
                out.extend_from_slice(digits.format(plies).as_bytes());
            }
        }
        out.push(b'\n');
    }

    /// Appends a position as a FEN.
    fn write_fen(&self, sample: &Sample, out: &mut Vec<u8>) {
        out.push(if sample.black_to_move { b'B' } else { b'W' });
        let [white, black, kings] = sample.sets;
        for (colour, pieces) in [(b'W', white), (b'B', black)] {
            out.extend([b':', colour]);
            self.write_pieces(pieces as u64, kings as u64, 0, out);
            if self.wide {
                self.write_pieces((pieces >> 64) as u64, (kings >> 64) as u64, 64, out);
            }
            if out.ends_with(b",") {
                out.pop();
            }
        }
    }

    /// Appends pieces with a comma after each. `first` is the place of the lowest bit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write_pieces(&self, mut pieces: u64, kings: u64, first: usize, out: &mut Vec<u8>) {
        const LEN: usize = 8;
        let start = out.len();
        // Every text is stored as a whole word, over the end of the one before it.
        out.resize(start + LEN * (pieces.count_ones() as usize + 1), 0);
        let mut at = start;
        while pieces != 0 {
            let bit = pieces.trailing_zeros();
            pieces &= pieces - 1;
            let texts = &self.pieces[(kings >> bit & 1) as usize];
            let text = texts.get(first + bit as usize).copied().unwrap_or_default();
            if let Some(room) = out.get_mut(at..).and_then(|room| room.first_chunk_mut::<LEN>()) {
                *room = text.bytes;
            }
            at += text.len;
        }
        out.truncate(at);
    }

    /// Returns what a file with this number of records begins with; `None` for nothing.
    pub(super) fn header(&self, records: u64) -> Option<Vec<u8>> {
        let word = header_word(self.format);
        match self.format {
            DatasetFormat::Npy => Some(self.npy_header(records)),
            // No file has more; see `DatasetFormat::max_records`.
            _ if !word.is_empty() => {
                Some([word, &u32::try_from(records).unwrap_or(u32::MAX).to_le_bytes()].concat())
            }
            _ => None,
        }
    }

    /// Returns the header of an array of NumPy with this number of records: version 1.0, padded with spaces.
    fn npy_header(&self, records: u64) -> Vec<u8> {
        let board = |name: &str| match self.wide {
            false => format!("('{name}', '<u8'), "),
            true => format!("('{name}', '<u8', (2,)), "),
        };
        let boards: String = ["white_men", "white_kings", "black_men", "black_kings"].map(board).concat();
        let last = match self.tables {
            None => "('zero', '|u1', (3,))",
            Some(_) => "('table', '|u1'), ('table_distance', '<u2')",
        };
        let dictionary = format!(
            "{{'descr': [{boards}('result', '<f4'), ('count', '<u4'), ('eval', '<i2'), ('ply', '<u2'), \
             ('black_to_move', '|u1'), {last}], 'fortran_order': False, 'shape': ({records},), }}"
        );
        let mut header = header_word(self.format).to_vec();
        header.extend(((NPY_HEADER - 10) as u16).to_le_bytes());
        header.extend(dictionary.bytes());
        header.resize(NPY_HEADER - 1, b' ');
        header.push(b'\n');
        header
    }
}

/// A score and a result as the side to move sees them.
struct ToMove {
    score: i16,
    /// 0 for a loss, 1 for a draw, 2 for a win.
    halves: u8,
}

impl ToMove {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn of(sample: &Sample, joined: &JoinedSamples) -> Self {
        let (score, halves) = (joined.score(), sample.halves);
        if sample.black_to_move { Self { score: -score, halves: 2 - halves } } else { Self { score, halves } }
    }
}

/// Returns the bytes that every file begins with.
pub(super) fn header_word(format: DatasetFormat) -> &'static [u8] {
    match format {
        DatasetFormat::Npy => b"\x93NUMPY\x01\x00",
        DatasetFormat::Jnnw => b"JNNW",
        DatasetFormat::Jnnt => b"JNNT",
        _ => b"",
    }
}

/// Returns the length in bytes of what a file begins with.
pub(super) fn header_len(format: DatasetFormat) -> usize {
    match format {
        DatasetFormat::Npy => NPY_HEADER,
        DatasetFormat::Jnnw | DatasetFormat::Jnnt => 8,
        _ => 0,
    }
}

/// Returns the length in bytes of a record; 0 for lines of text. `wide` is for boards of more than 64 squares.
pub(super) fn record_len(format: DatasetFormat, wide: bool) -> usize {
    match (format, wide) {
        (DatasetFormat::Text | DatasetFormat::BulletText, _) => 0,
        (DatasetFormat::Bin | DatasetFormat::Npy, false) => 48,
        (DatasetFormat::Bin | DatasetFormat::Npy, true) => 80,
        (DatasetFormat::Jnnw, _) => 38,
        (DatasetFormat::Jnnt, _) => 37,
        (DatasetFormat::BulletChess | DatasetFormat::BulletAtaxx, _) => 32,
    }
}

/// Returns how the squares of a variant are named, for the manifest.
pub(super) fn naming(variant: Variant) -> &'static str {
    match variant.game().numbering.letters {
        SquareNaming::Algebraic => "algebraic",
        SquareNaming::Numeric => "numeric",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn_rules::internal::position::split_mix;

    #[test]
    fn results_are_written_as_rounded_means() {
        let small = (1..300u64).flat_map(|count| (0..=2 * count).map(move |halves| (halves, count)));
        let large = (0..20_000).map(|n| {
            let count = split_mix(n, 0) >> (split_mix(n, 1) % 40 + 24) | 1;
            (split_mix(n, 2) % (2 * count + 1), count)
        });
        for (halves, count) in small.chain(large) {
            let joined = JoinedSamples { halves, count, ..JoinedSamples::default() };
            let mut written = Vec::new();
            joined.write_result(&mut written);
            let expected = match halves % count {
                0 => format!("{:.1}", joined.result()),
                _ => format!("{:.4}", joined.result()),
            };
            assert_eq!(String::from_utf8_lossy(&written), expected, "{halves} of {count}");
        }
    }
}
