//! The records of the files of a training set.

use std::io::Write;

use super::options::DatasetFormat;
use super::sample::{NO_EVAL, Sample, store_boards};
use crate::board::SquareNaming;
use crate::rules::Variant;

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
    /// Adds a sample.
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

    /// Returns the mean of the evaluations, rounded; [`NO_EVAL`] if there is none.
    fn eval(&self) -> i16 {
        match self.eval_count {
            0 => NO_EVAL,
            count => (self.evals as f64 / count as f64).round() as i16,
        }
    }
}

/// Writes records of one variant.
#[derive(Clone, Debug)]
pub(super) struct RecordWriter {
    format: DatasetFormat,
    wide: bool,
    /// The name of each square, by its number less 1.
    names: Vec<String>,
}

/// Length of the header of an array of NumPy, in bytes.
pub(super) const NPY_HEADER: usize = 512;

impl RecordWriter {
    /// Creates a writer for the positions of a variant.
    pub(super) fn new(format: DatasetFormat, variant: Variant) -> Self {
        let squares = variant.board().layout().valid().count_ones() as u16;
        let name =
            |number| variant.names().of_number(number).map(|square| variant.names().name(square).to_string());
        Self { format, wide: squares > 64, names: (1..=squares).filter_map(name).collect() }
    }

    /// Returns `true` if a bitboard takes 16 bytes.
    pub(super) fn is_wide(&self) -> bool {
        self.wide
    }

    /// Returns the length in bytes of a record; 0 for text.
    pub(super) fn record_len(&self) -> usize {
        match (self.format, self.wide) {
            (DatasetFormat::Text, _) => 0,
            (_, false) => 48,
            (_, true) => 80,
        }
    }

    /// Appends a record.
    pub(super) fn write(&self, sample: &Sample, joined: &JoinedSamples, out: &mut Vec<u8>) {
        if self.format == DatasetFormat::Text {
            return self.write_line(sample, joined, out);
        }
        store_boards(&sample.boards, self.wide, out);
        out.extend((joined.result() as f32).to_le_bytes());
        out.extend(u32::try_from(joined.count).unwrap_or(u32::MAX).to_le_bytes());
        out.extend(joined.eval().to_le_bytes());
        out.extend(joined.ply.to_le_bytes());
        out.extend([u8::from(sample.black_to_move), 0, 0, 0]);
    }

    /// Appends a line: FEN, result, evaluation, count, ply.
    fn write_line(&self, sample: &Sample, joined: &JoinedSamples, out: &mut Vec<u8>) {
        out.push(if sample.black_to_move { b'B' } else { b'W' });
        for (colour, men, kings) in [(b'W', 0, 1), (b'B', 2, 3)] {
            out.extend([b':', colour]);
            let (men, kings) = (sample.boards[men], sample.boards[kings]);
            let mut pieces = men | kings;
            let mut is_first = true;
            while pieces != 0 {
                let bit = pieces.trailing_zeros();
                pieces &= pieces - 1;
                if !std::mem::take(&mut is_first) {
                    out.push(b',');
                }
                if kings >> bit & 1 == 1 {
                    out.push(b'K');
                }
                out.extend_from_slice(self.names.get(bit as usize).map_or(b"", |name| name.as_bytes()));
            }
        }
        // Writing into memory does not fail.
        let _ = match joined.halves % joined.count.max(1) {
            0 => write!(out, ";{:.1};", joined.result()),
            _ => write!(out, ";{:.4};", joined.result()),
        };
        if joined.eval() != NO_EVAL {
            let _ = write!(out, "{}", joined.eval());
        }
        let _ = writeln!(out, ";{};{}", joined.count, joined.ply);
    }

    /// Returns the header of an array of NumPy with this number of records: version 1.0, padded with spaces.
    pub(super) fn npy_header(&self, records: u64) -> Vec<u8> {
        let board = |name: &str| match self.wide {
            false => format!("('{name}', '<u8'), "),
            true => format!("('{name}', '<u8', (2,)), "),
        };
        let boards: String = ["white_men", "white_kings", "black_men", "black_kings"].map(board).concat();
        let dictionary = format!(
            "{{'descr': [{boards}('result', '<f4'), ('count', '<u4'), ('eval', '<i2'), ('ply', '<u2'), \
             ('black_to_move', '|u1'), ('zero', '|u1', (3,))], 'fortran_order': False, 'shape': ({records},), }}"
        );
        let mut header = b"\x93NUMPY\x01\x00".to_vec();
        header.extend(((NPY_HEADER - 10) as u16).to_le_bytes());
        header.extend(dictionary.bytes());
        header.resize(NPY_HEADER - 1, b' ');
        header.push(b'\n');
        header
    }
}

/// Returns how the squares of a variant are named, for the manifest.
pub(super) fn naming(variant: Variant) -> &'static str {
    match variant.game().numbering.letters {
        SquareNaming::Algebraic => "algebraic",
        SquareNaming::Numeric => "numeric",
    }
}
