//! Values as text, in the forms that all text formats share.

use std::io::Write;

use crate::batch::ColumnValues;
use crate::record::civil_date;

/// Appends a value that needs neither quotes nor escapes in any format. Returns `false` for other types.
///
/// Keys have 16 hexadecimal digits. Sets of squares have 16 too, or 32 if they need more than 64 bits.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn write_number(values: &ColumnValues, row: usize, out: &mut Vec<u8>) -> bool {
    match values {
        ColumnValues::Bool(values) => out.extend_from_slice(if values[row] { b"true" } else { b"false" }),
        ColumnValues::I16(values) => write_integer(values[row], out),
        ColumnValues::I32(values) => write_integer(values[row], out),
        ColumnValues::I64(values) => write_integer(values[row], out),
        _ => return false,
    }
    true
}

/// Appends an integer in decimal digits.
#[inline]
pub(super) fn write_integer(value: impl itoa::Integer, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Appends a date as `1996-12-28`.
pub(super) fn write_date(days: i32, out: &mut Vec<u8>) {
    let (year, month, day) = civil_date(days);
    // Writing into memory does not fail.
    let _ = write!(out, "{year:04}-{month:02}-{day:02}");
}

/// Appends a key as 16 hexadecimal digits.
pub(super) fn write_key(key: u64, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |n: u32| DIGITS[(key >> (60 - 4 * n) & 15) as usize];
    out.extend((0..16).map(digit));
}

/// Appends a set of squares as 16 hexadecimal digits, or 32 if a square has a number above 64.
pub(super) fn write_squares(set: u128, out: &mut Vec<u8>) {
    if set >> 64 != 0 {
        write_key((set >> 64) as u64, out);
    }
    write_key(set as u64, out);
}

/// Appends a text as a JSON string. Characters that a terminal would act on are escaped; the value stays the same.
pub(super) fn write_json_text(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')) {
        out.extend_from_slice(text.as_bytes());
    } else {
        text.chars().for_each(|c| write_json_char(c, out));
    }
    out.push(b'"');
}

fn write_json_char(c: char, out: &mut Vec<u8>) {
    match c {
        '"' | '\\' => out.extend([b'\\', c as u8]),
        '\n' => out.extend(b"\\n"),
        '\r' => out.extend(b"\\r"),
        '\t' => out.extend(b"\\t"),
        // Controls, direction marks and invisible characters. All of them are below U+10000.
        '\0'..='\x1F'
        | '\x7F'..='\u{9F}'
        | '\u{061C}'
        | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' => {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
        c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// Appends a map as a JSON object.
pub(super) fn write_json_map<'m>(pairs: impl Iterator<Item = (&'m str, &'m str)>, out: &mut Vec<u8>) {
    out.push(b'{');
    for (n, (name, value)) in pairs.enumerate() {
        if n > 0 {
            out.push(b',');
        }
        write_json_text(name, out);
        out.push(b':');
        write_json_text(value, out);
    }
    out.push(b'}');
}

/// Appends numbers with a separator.
pub(super) fn write_list<T: itoa::Integer + Copy>(items: &[T], separator: u8, out: &mut Vec<u8>) {
    for (n, &item) in items.iter().enumerate() {
        if n > 0 {
            out.push(separator);
        }
        write_integer(item, out);
    }
}
