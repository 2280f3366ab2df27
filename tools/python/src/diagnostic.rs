//! Diagnostics: what is wrong in a record.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use pyo3::prelude::*;

/// A diagnostic: what is wrong in a record, and where.
///
/// >>> import pdn
/// >>> for found in pdn.check(b"1. 32-28 19-23 2. 33-29 *"):
/// ...     print(found)
/// <bytes>:1:19: error R003: a quiet move where a capture is compulsory: the side to move must capture
#[pyclass(frozen, get_all, eq, hash, module = "pdn")]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Diagnostic {
    /// The path of the file.
    file: String,
    /// The number of the record in the file, from 1.
    record: u64,
    /// The code, such as `R001`.
    code: String,
    /// `error`, `warning` or `style`.
    severity: String,
    /// The line of the first byte, from 1.
    line: u64,
    /// The column of the first byte, in characters from 1.
    column: u64,
    /// The offset of the first byte in the unpacked file, from 0.
    at: u64,
    /// The length in bytes; 0 for a place between two bytes.
    length: u64,
    /// What is wrong.
    message: String,
    /// How to fix it.
    help: Option<String>,
}

impl Diagnostic {
    /// Sets the number of the record.
    pub(crate) fn with_record(self, record: u64) -> Self {
        Self { record, ..self }
    }
}

/// The fields of a [`Diagnostic`], in their order.
type Fields = (String, u64, String, String, u64, u64, u64, u64, String, Option<String>);

#[pymethods]
impl Diagnostic {
    #[new]
    #[pyo3(signature = (file, record, code, severity, line, column, at, length, message, help=None))]
    #[expect(clippy::too_many_arguments, reason = "pickle passes all fields")]
    fn new(
        file: String,
        record: u64,
        code: String,
        severity: String,
        line: u64,
        column: u64,
        at: u64,
        length: u64,
        message: String,
        help: Option<String>,
    ) -> Self {
        Self { file, record, code, severity, line, column, at, length, message, help }
    }

    fn __getnewargs__(&self) -> Fields {
        let Self { file, record, code, severity, line, column, at, length, message, help } = self.clone();
        (file, record, code, severity, line, column, at, length, message, help)
    }

    fn __str__(&self) -> String {
        let Self { file, line, column, severity, code, message, .. } = self;
        format!("{file}:{line}:{column}: {severity} {code}: {message}")
    }

    fn __repr__(&self) -> String {
        format!("<pdn.Diagnostic {}>", self.__str__())
    }
}

/// Reads the rows of a batch of the table of diagnostics, with all columns.
pub(crate) fn read_diagnostics(batch: &RecordBatch) -> Vec<Diagnostic> {
    let column = |name: &str| batch.column_by_name(name).expect("all columns are selected");
    let text = |name: &str, row: usize| -> Option<String> {
        let column = column(name);
        if let Some(words) = column.as_any_dictionary_opt() {
            let row = words.normalized_keys().get(row).copied()?;
            return Some(words.values().as_string::<i32>().value(row).to_owned());
        }
        let texts = column.as_string::<i32>();
        texts.is_valid(row).then(|| texts.value(row).to_owned())
    };
    let number = |name: &str, row: usize| column(name).as_primitive::<Int64Type>().value(row).unsigned_abs();
    let diagnostic = |row: usize| Diagnostic {
        file: text("file", row).unwrap_or_default(),
        record: number("record", row),
        code: text("code", row).unwrap_or_default(),
        severity: text("severity", row).unwrap_or_default(),
        line: number("line", row),
        column: number("column", row),
        at: number("at", row),
        length: number("length", row),
        message: text("message", row).unwrap_or_default(),
        help: text("help", row),
    };
    (0..batch.num_rows()).map(diagnostic).collect()
}
