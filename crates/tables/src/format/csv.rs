//! Writes tables as CSV: RFC 4180, UTF-8.

use std::ops::Range;

use super::value::{
    write_date, write_integer, write_json_map, write_key, write_list, write_number, write_squares,
};
use crate::batch::{BatchColumn, ColumnValues, ListValues, SquareSets, TableBatch, TextValues};
use crate::schema::ColumnSelection;

/// Writes tables as CSV (RFC 4180) in UTF-8: a header with the names of the columns, then a line for each row, each with
/// CR and LF at its end.
///
/// A null is an empty field, an empty text is `""`. Dates are `1996-12-28`, keys and sets of squares hexadecimal, lists have
/// spaces between their numbers, and a map is a JSON object.
///
/// The [module page](crate) has an example.
#[derive(Clone, Debug)]
pub struct CsvWriter {
    header: Vec<u8>,
}

impl CsvWriter {
    /// Creates a writer of these columns.
    pub fn new(selection: &ColumnSelection) -> Self {
        let names: Vec<_> = selection.specs().map(|column| column.name).collect();
        Self { header: format!("{}\r\n", names.join(",")).into_bytes() }
    }

    /// Returns the header.
    pub fn header(&self) -> &[u8] {
        &self.header
    }

    /// Appends a text, quoted if it needs quotes.
    #[doc(hidden)]
    #[inline]
    pub fn write_text(text: &str, out: &mut Vec<u8>) {
        if needs_quotes(text.as_bytes()) {
            write_quoted(text.as_bytes(), out);
        } else {
            out.extend_from_slice(text.as_bytes());
        }
    }

    /// Appends rows of a batch.
    ///
    /// # Panics
    /// If the batch has no such rows.
    pub fn write(&self, batch: &TableBatch, rows: Range<usize>, out: &mut Vec<u8>) {
        if rows.is_empty() {
            return;
        }
        let columns: Vec<CsvColumn<'_>> = batch.columns.iter().map(CsvColumn::new).collect();
        // Neighbouring columns that seldom change, such as file and record, are copied from the row before. Any choice of them gives
        // the same text.
        let next = (rows.start + 1).min(rows.end - 1);
        let mut parts: Vec<Part<'_, '_>> = columns
            .chunk_by(|one, other| one.repeats(rows.start, next) == other.repeats(rows.start, next))
            .map(|columns| {
                let is_copied = columns.len() > 1 && columns[0].repeats(rows.start, next);
                Part { columns, is_copied, text: 0..0 }
            })
            .collect();
        let row_room = (columns.len() + 1) * ROOM;
        let mut text = TextEnd { at: out.len(), out, row_room, value: Vec::new() };
        for row in rows.clone() {
            text.make_room(parts.iter().map(|part| part.text.len()).sum());
            for Part { columns, is_copied, text: before } in &mut parts {
                let start = text.at;
                if *is_copied && row > rows.start && columns.iter().all(|column| column.repeats(row - 1, row))
                {
                    text.copy(before.clone());
                } else {
                    for column in *columns {
                        column.write(row, &mut text);
                        text.short(*b",\0\0\0\0\0\0\0", 1);
                    }
                }
                if *is_copied {
                    *before = start..text.at;
                }
            }
            // In place of the last comma.
            text.at -= usize::from(!columns.is_empty());
            text.short(*b"\r\n\0\0\0\0\0\0", 2);
        }
        text.finish();
    }
}

/// Number of bytes that a value of a fixed size needs at most, with what is stored after it.
const ROOM: usize = 40;

/// Neighbouring columns that are written together.
struct Part<'c, 'b> {
    columns: &'c [CsvColumn<'b>],
    /// Their text may be copied from the row before.
    is_copied: bool,
    /// Their text of the row before, with the commas after them, if it may be copied.
    text: Range<usize>,
}

/// A column in the form from which its values are written fastest.
struct CsvColumn<'b> {
    column: &'b BatchColumn,
    valid: Option<&'b [bool]>,
    cells: Cells<'b>,
}

enum Cells<'b> {
    /// Nulls only.
    Empty,
    Bool(&'b [bool]),
    I16(&'b [i16]),
    I32(&'b [i32]),
    I64(&'b [i64]),
    Key(&'b [u64]),
    Squares(&'b [u64]),
    WideSquares(&'b [u128]),
    /// The numbers of texts, and the texts as they are written.
    Words(&'b [u32], Vec<Word>),
    /// Texts of which none needs quotes, unless it is empty.
    PlainTexts(&'b TextValues),
    /// Texts of which some may need quotes.
    Texts(&'b TextValues),
    Lists(&'b ListValues<i16>),
    /// Values that are written one by one.
    Others,
}

/// A text as it is written.
struct Word {
    /// Its first bytes.
    short: [u8; 8],
    text: Vec<u8>,
}

impl Word {
    fn new(text: &str) -> Self {
        let mut written = Vec::new();
        CsvWriter::write_text(text, &mut written);
        let mut short = [0; 8];
        short.iter_mut().zip(&written).for_each(|(short, &byte)| *short = byte);
        Self { short, text: written }
    }
}

impl<'b> CsvColumn<'b> {
    fn new(column: &'b BatchColumn) -> Self {
        let valid = column.valid.as_deref();
        let cells = match &column.values {
            _ if valid.is_some_and(|valid| valid.iter().all(|is_valid| !is_valid)) => Cells::Empty,
            ColumnValues::Bool(values) => Cells::Bool(values),
            ColumnValues::I16(values) => Cells::I16(values),
            ColumnValues::I32(values) => Cells::I32(values),
            ColumnValues::I64(values) => Cells::I64(values),
            ColumnValues::Key(values) => Cells::Key(values),
            ColumnValues::Squares(SquareSets::Narrow(values)) => Cells::Squares(values),
            ColumnValues::Squares(SquareSets::Wide(values)) => Cells::WideSquares(values),
            ColumnValues::Dictionary(values) => {
                let texts = &values.texts;
                Cells::Words(&values.codes, (0..texts.len()).map(|n| Word::new(texts.get(n))).collect())
            }
            ColumnValues::Text(values) if !values.bytes.bytes().any(may_need_quotes) => {
                Cells::PlainTexts(values)
            }
            ColumnValues::Text(values) => Cells::Texts(values),
            ColumnValues::I16List(values) => Cells::Lists(values),
            _ => Cells::Others,
        };
        Self { column, valid, cells }
    }

    /// Returns `true` if two rows are known to have the same text.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn repeats(&self, one: usize, other: usize) -> bool {
        let is_valid = |row: usize| self.valid.is_none_or(|valid| valid[row]);
        match &self.cells {
            Cells::Empty => true,
            Cells::I64(values) => values[one] == values[other] && is_valid(one) == is_valid(other),
            Cells::I32(values) => values[one] == values[other] && is_valid(one) == is_valid(other),
            Cells::Words(codes, _) => codes[one] == codes[other] && is_valid(one) == is_valid(other),
            _ => false,
        }
    }

    /// Appends a value. There is room for [`ROOM`] bytes.
    // Twin: `write_value`; test: `columns_are_written_as_their_values_one_by_one`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write(&self, row: usize, text: &mut TextEnd<'_>) {
        if self.valid.is_some_and(|valid| !valid[row]) {
            return;
        }
        match &self.cells {
            Cells::Empty => {}
            Cells::Bool(values) if values[row] => text.short(*b"true\0\0\0\0", 4),
            Cells::Bool(_) => text.short(*b"false\0\0\0", 5),
            Cells::I16(values) => text.number(values[row]),
            Cells::I32(values) => text.number(values[row]),
            Cells::I64(values) => text.number(values[row]),
            Cells::Key(values) => text.key(values[row]),
            Cells::Squares(values) => text.key(values[row]),
            Cells::WideSquares(values) => {
                let set = values[row];
                if set >> 64 != 0 {
                    text.key((set >> 64) as u64);
                }
                text.key(set as u64);
            }
            Cells::Words(codes, words) => {
                let Word { short, text: long } = &words[codes[row] as usize];
                if long.len() <= short.len() { text.short(*short, long.len()) } else { text.bytes(long) }
            }
            Cells::PlainTexts(values) => {
                let start = row.checked_sub(1).map_or(0, |before| values.ends[before]);
                let len = values.ends[row] - start;
                let bytes = &values.bytes.as_bytes()[start..];
                match bytes.first_chunk() {
                    _ if len == 0 => text.short(*b"\"\"\0\0\0\0\0\0", 2),
                    Some(short) if len <= short.len() => text.short(*short, len),
                    _ => text.bytes(&bytes[..len]),
                }
            }
            Cells::Texts(values) => {
                let bytes = values.get(row).as_bytes();
                if needs_quotes(bytes) { text.quoted(bytes) } else { text.bytes(bytes) }
            }
            Cells::Lists(values) => match values.get(row) {
                [] => {}
                items if items.len() <= MAX_SHORT_LIST => {
                    for &item in items {
                        text.number(item);
                        text.short(*b" \0\0\0\0\0\0\0", 1);
                    }
                    // The space after the last number.
                    text.at -= 1;
                }
                items => text.append(|out| write_list(items, b' ', out)),
            },
            Cells::Others => text.append(|out| write_value(self.column, row, out)),
        }
    }
}

/// Returns `true` if a text with this byte may need quotes: spaces inside of it do not.
fn may_need_quotes(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b',' | b'"')
}

/// The longest list and the longest text that fit into [`ROOM`] bytes.
const MAX_SHORT_LIST: usize = 5;
const MAX_SHORT_BYTES: usize = 24;

/// The end of a text. The bytes after it are room for the next values.
struct TextEnd<'o> {
    out: &'o mut Vec<u8>,
    at: usize,
    /// The room that all values of a row need if they have a fixed size.
    row_room: usize,
    /// A value that is written apart, as its length is known afterwards.
    value: Vec<u8>,
}

impl TextEnd<'_> {
    /// Makes room for this many bytes and for a row.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn make_room(&mut self, bytes: usize) {
        let len = self.at + bytes + self.row_room;
        if self.out.len() < len {
            grow(self.out, len);
        }
    }

    /// Appends the first bytes of a text of eight. There must be room.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn short(&mut self, text: [u8; 8], len: usize) {
        if let Some(room) = self.out.get_mut(self.at..).and_then(|room| room.first_chunk_mut()) {
            *room = text;
            self.at += len;
        }
    }

    /// Appends a number. There must be room.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn number<N: itoa::Integer + TryInto<usize> + Copy>(&mut self, number: N) {
        match number.try_into().ok().and_then(|number| NUMBERS.get(number)) {
            Some(&[a, b, c, len]) => self.short([a, b, c, 0, 0, 0, 0, 0], usize::from(len)),
            None => self.bytes(itoa::Buffer::new().format(number).as_bytes()),
        }
    }

    /// Appends a key as 16 hexadecimal digits. There must be room.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn key(&mut self, key: u64) {
        self.short(hexadecimal((key >> 32) as u32), 8);
        self.short(hexadecimal(key as u32), 8);
    }

    /// Appends bytes of any number.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(&mut self, bytes: &[u8]) {
        if bytes.len() > MAX_SHORT_BYTES {
            self.make_room(bytes.len());
        }
        if let Some(room) = self.out.get_mut(self.at..self.at + bytes.len()) {
            room.copy_from_slice(bytes);
            self.at += bytes.len();
        }
    }

    /// Appends bytes between quotes, with quotes among them doubled.
    fn quoted(&mut self, bytes: &[u8]) {
        self.make_room(2 * bytes.len() + 2);
        for (n, part) in bytes.split(|&byte| byte == b'"').enumerate() {
            self.short(*b"\"\"\0\0\0\0\0\0", if n == 0 { 1 } else { 2 });
            self.bytes(part);
        }
        self.short(*b"\"\0\0\0\0\0\0\0", 1);
    }

    /// Appends a part of the text again. There must be room.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn copy(&mut self, part: Range<usize>) {
        let len = part.len();
        let is_short = len <= 32;
        match self.out.get(part.start..).and_then(|text| text.first_chunk::<32>()).copied() {
            Some(text) if is_short => {
                if let Some(room) = self.out.get_mut(self.at..).and_then(|room| room.first_chunk_mut()) {
                    *room = text;
                }
            }
            _ => self.out.copy_within(part, self.at),
        }
        self.at += len;
    }

    /// Appends what `write` appends to a vector.
    fn append(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let mut value = std::mem::take(&mut self.value);
        value.clear();
        write(&mut value);
        self.bytes(&value);
        self.value = value;
    }

    /// Removes the room.
    fn finish(self) {
        self.out.truncate(self.at);
    }
}

/// Makes room for `len` bytes and a few more. Not for a share of the text: that would be cleared again by each call that appends to it.
#[cold]
fn grow(out: &mut Vec<u8>, len: usize) {
    out.resize(len + MORE_ROOM, 0);
}

/// Number of bytes of room that are made at once.
const MORE_ROOM: usize = 4096;

/// The numbers below 1000: three bytes of text and their number.
static NUMBERS: [[u8; 4]; 1000] = {
    let mut texts = [[0; 4]; 1000];
    let mut number = 0;
    while number < 1000 {
        let digits =
            [(number / 100) as u8 + b'0', (number / 10 % 10) as u8 + b'0', (number % 10) as u8 + b'0'];
        texts[number] = match number {
            0..10 => [digits[2], 0, 0, 1],
            10..100 => [digits[1], digits[2], 0, 2],
            _ => [digits[0], digits[1], digits[2], 3],
        };
        number += 1;
    }
    texts
};

/// Returns a number as eight hexadecimal digits.
#[cfg_attr(not(debug_assertions), inline(always))]
fn hexadecimal(number: u32) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // The first digit is the highest one, and the first byte the lowest.
    let mut digits = u64::from(number.swap_bytes());
    digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF;
    digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF;
    digits = (digits >> 4 | digits << 8) & (0x0F * ONES);
    // One in each byte that is a letter.
    let letters = (digits + 6 * ONES) >> 4 & ONES;
    (digits + u64::from(b'0') * ONES + letters * u64::from(b'a' - b'0' - 10)).to_le_bytes()
}

/// Appends a value that is not null.
#[cfg_attr(not(debug_assertions), inline(always))]
fn write_value(column: &BatchColumn, row: usize, out: &mut Vec<u8>) {
    if write_number(&column.values, row, out) {
        return;
    }
    match &column.values {
        ColumnValues::Text(values) => CsvWriter::write_text(values.get(row), out),
        ColumnValues::Dictionary(values) => CsvWriter::write_text(values.get(row), out),
        ColumnValues::I16List(values) => write_list(values.get(row), b' ', out),
        ColumnValues::I32List(values) => write_list(values.get(row), b' ', out),
        ColumnValues::Key(values) => write_key(values[row], out),
        ColumnValues::Squares(values) => write_squares(values.get(row), out),
        ColumnValues::Date(values) => write_date(values[row], out),
        ColumnValues::TextMap(values) => {
            let mut json = Vec::new();
            write_json_map(values.get(row), &mut json);
            write_quoted(&json, out);
        }
        // Written as numbers above.
        _ => write_integer(0u8, out),
    }
}

/// Returns `true` if a text is empty or contains a comma, a quote or a control character, or has spaces at its ends.
#[inline]
fn needs_quotes(text: &[u8]) -> bool {
    text.iter().any(|&byte| byte < b' ' || matches!(byte, b',' | b'"'))
        || text.is_empty()
        || text.starts_with(b" ")
        || text.ends_with(b" ")
}

fn write_quoted(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for (n, part) in text.split(|&byte| byte == b'"').enumerate() {
        if n > 0 {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(part);
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::{DictionaryValues, MapValues};
    use crate::schema::Table;
    use pdn_rules::internal::position::split_mix;

    /// Writes rows value by value.
    fn value_by_value(batch: &TableBatch, rows: Range<usize>) -> Vec<u8> {
        let mut out = Vec::new();
        for row in rows {
            for (n, column) in batch.columns.iter().enumerate() {
                if n > 0 {
                    out.push(b',');
                }
                if !column.is_null(row) {
                    write_value(column, row, &mut out);
                }
            }
            out.extend_from_slice(b"\r\n");
        }
        out
    }

    fn texts(values: impl Iterator<Item = String>) -> TextValues {
        let mut texts = TextValues::default();
        values.for_each(|value| texts.push(&value));
        texts
    }

    /// Returns columns of every type with random values. Few of them change from row to row if `seldom`.
    fn columns(rows: usize, seed: u64, seldom: bool) -> Vec<BatchColumn> {
        let at = |n: usize, kind: u64| split_mix(seed + kind, if seldom { n as u64 / 40 } else { n as u64 });
        // Values of few and of many digits.
        let number = move |n: usize, kind: u64| at(n, kind) >> (at(n, kind + 1) % 64);
        let numbers = move |kind: u64| (0..rows).map(move |n| number(n, kind));
        let words = ["plain", "two words", "", "a,b", "say \"x\"", " x", "ninebytes", &"long ".repeat(30)];
        let word = |n: usize, kind: u64, count: u64| words[(at(n, kind) % count) as usize].to_owned();
        let mut lists = ListValues::<i16>::default();
        let mut long_lists = ListValues::<i32>::default();
        let (mut dictionary, mut maps) = (DictionaryValues::default(), MapValues::default());
        for n in 0..rows {
            let len = [0, 1, 2, 2, 2, 7, 8, 30][(at(n, 21) % 8) as usize];
            lists.push((0..len).map(|item| at(n, item + 30) as i16));
            long_lists.push((0..len).map(|item| number(n, item + 30) as i32));
            dictionary.push(&word(n, 22, 8), 1);
            maps.extend(std::iter::once((word(n, 23, 8).into(), word(n, 24, 8).into())));
            maps.end();
        }
        let values = [
            ColumnValues::Dictionary(dictionary),
            ColumnValues::I32(numbers(1).map(|value| value as i32).collect()),
            ColumnValues::Bool(numbers(2).map(|value| value % 2 == 1).collect()),
            ColumnValues::I64(numbers(5).map(|value| value as i64).collect()),
            ColumnValues::I16(numbers(6).map(|value| value as i16).collect()),
            ColumnValues::I32(numbers(7).map(|value| value as i32).collect()),
            ColumnValues::Date(numbers(8).map(|value| value as i32 % 1_000_000).collect()),
            ColumnValues::Key(numbers(9).collect()),
            ColumnValues::Squares(SquareSets::Narrow(numbers(10).collect())),
            ColumnValues::Squares(SquareSets::Wide(
                numbers(13).map(|value| u128::from(value) << (value % 60)).collect(),
            )),
            ColumnValues::Text(texts((0..rows).map(|n| word(n, 11, 8)))),
            // Without a text that needs quotes.
            ColumnValues::Text(texts((0..rows).map(|n| word(n, 12, 8).replace([' ', ',', '"'], "-")))),
            ColumnValues::I16List(lists),
            ColumnValues::I32List(long_lists),
            ColumnValues::TextMap(maps),
        ];
        let column = |(n, values)| {
            let valid = match split_mix(seed, n) % 3 {
                0 => None,
                1 => Some((0..rows).map(|row| at(row, n + 40) % 4 > 0).collect()),
                _ => Some(vec![n % 2 == 0; rows]),
            };
            BatchColumn { values, valid }
        };
        (0u64..).zip(values).map(column).collect()
    }

    #[test]
    fn columns_are_written_as_their_values_one_by_one() {
        let writer = CsvWriter::new(&ColumnSelection::of(Table::Moves));
        for seed in 0..60 {
            let rows = 150;
            let mut columns = columns(rows, seed * 1000, seed % 2 == 0);
            columns.rotate_left(seed as usize % 15);
            columns.truncate(split_mix(seed, 3) as usize % 16);
            let batch = TableBatch { rows, columns, ..TableBatch::default() };
            for range in [0..rows, 7..8, 20..90, 5..5] {
                let mut written = b"before".to_vec();
                writer.write(&batch, range.clone(), &mut written);
                let expected = [b"before", &value_by_value(&batch, range)[..]].concat();
                assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&expected), "{seed}");
            }
        }
    }

    /// Otherwise many batches that are appended to one text take time that grows with its square.
    #[test]
    fn room_for_rows_does_not_grow_with_the_text_before_them() {
        let writer = CsvWriter::new(&ColumnSelection::of(Table::Moves));
        let rows = 100;
        let batch = TableBatch { rows, columns: columns(rows, 1, false), ..TableBatch::default() };
        let needed = value_by_value(&batch, 0..rows).len() + (batch.columns.len() + 1) * ROOM + MORE_ROOM;
        let mut out = vec![b'x'; 4 << 20];
        out.reserve_exact(needed);
        let before = (out.as_ptr(), out.capacity());
        writer.write(&batch, 0..rows, &mut out);
        assert_eq!((out.as_ptr(), out.capacity()), before);
    }

    #[test]
    fn hexadecimal_digits_are_those_of_the_standard_library() {
        for n in 0..10_000 {
            let number = (split_mix(1, n) >> (n % 33)) as u32;
            assert_eq!(hexadecimal(number).escape_ascii().to_string(), format!("{number:08x}"));
        }
    }

    /// Equal values of neighbours are written once and copied; behind a null stands any value.
    #[test]
    fn null_repeats_no_equal_value() {
        let words = ["a", "a", "a", "b"];
        let mut dictionary = DictionaryValues::default();
        words.iter().for_each(|word| dictionary.push(word, 1));
        let columns = [
            ColumnValues::I32(vec![7, 7, 7, 8]),
            ColumnValues::I64(vec![7, 7, 7, 8]),
            ColumnValues::Dictionary(dictionary),
        ];
        for (values, text) in
            columns.into_iter().zip(["7\r\n\r\n7\r\n8\r\n", "7\r\n\r\n7\r\n8\r\n", "a\r\n\r\na\r\nb\r\n"])
        {
            let column = BatchColumn { values, valid: Some(vec![true, false, true, true]) };
            let batch = TableBatch { rows: 4, columns: vec![column], ..TableBatch::default() };
            let mut written = Vec::new();
            CsvWriter::new(&ColumnSelection::of(Table::Moves)).write(&batch, 0..4, &mut written);
            assert_eq!(String::from_utf8_lossy(&written), text);
        }
    }
}
