//! Positions in text: spans in a record, lines and columns in an input.
//!
//! A record has at most 2 GiB, by default 16 MiB ([`Limits::record_bytes`](crate::limits::Limits::record_bytes)), so two
//! `u32` offsets are enough and keep tokens small. Offsets in an input are `u64` and count bytes.
//!
//! ```
//! use pdn::view::RecordView;
//!
//! let file = b"1. 32-28 *\n[Date \"soon\"]\n1. 33-29 *\n";
//! let record = pdn::split::records(file).nth(1).unwrap();
//! let date = RecordView::from(record).tags().next().unwrap();
//! // Spans are relative to the record; the offset of the record leads to the file.
//! assert_eq!(date.value_span.of(record.bytes), b"soon");
//! assert_eq!(record.offset + u64::from(date.value_span.start), 18);
//! ```

use std::fmt;

#[doc(inline)]
pub use pdn_rules::value::Span;

/// A line and a column of an input, both counted from 1; the column counts characters. See
/// [`InputLines`](crate::archive::InputLines).
///
/// ```
/// let at = pdn::span::LineColumn { line: 3, column: 19 };
/// assert_eq!(at.to_string(), "3:19");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LineColumn {
    /// Line number, from 1. LF, CR and CRLF each end a line.
    pub line: u64,
    /// Column in that line in characters, from 1.
    pub column: u64,
}

/// Writes `line:column`.
impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
