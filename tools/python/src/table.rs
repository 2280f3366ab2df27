//! Tables as streams of Arrow, for every library that reads the Arrow PyCapsule interface.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, StructArray};
use arrow_schema::Schema;
use pdn::export::{ColumnSelection, ExportOptions, Table as TableKind};
use pdn::replay::ReplayOptions;
use pdn_tables::{ArrowTable, IntegersType, SquaresType, StringsType, TableOptions, TableReader};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};

use crate::errors::{error, from_arrow, from_table, parse_query};
use crate::reading::{self, ReadOptions};
use crate::source::Source;

/// A table of games, moves, positions, comments or diagnostics.
///
/// It is a recipe: nothing is read before a library asks for its rows, and each asks anew. Pass it to `polars.DataFrame`,
/// `pyarrow.table` or `pandas.DataFrame.from_arrow`, or name it in a query of DuckDB. Every library that reads the Arrow
/// PyCapsule interface takes it.
///
/// >>> import pdn
/// >>> pdn.games(b'[White "Ames"] 1. 32-28 *', columns=["white", "plies"])
/// <pdn.Table games: white, plies; of <bytes>>
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct Table {
    table: Arc<ArrowTable>,
    source: String,
    query: Option<String>,
}

/// Some ten thousand consecutive rows of a table: an Arrow record batch, which every library takes that takes the table.
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct Batch(RecordBatch);

/// The iterator over the batches of a table.
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct BatchIterator(Mutex<TableReader>);

/// The arguments that all tables have.
struct Arguments<'a, 'py> {
    source: &'a Bound<'py, PyAny>,
    columns: Option<&'a Bound<'py, PyAny>>,
    query: Option<&'a str>,
    variant: Option<&'a str>,
    encoding: Option<&'a str>,
    strings: &'a str,
    squares: &'a str,
    main_line: bool,
    strict: bool,
    threads: Option<usize>,
    mmap: bool,
    integers: IntegersType,
}

impl Table {
    fn new(kind: TableKind, arguments: &Arguments<'_, '_>) -> PyResult<Self> {
        let py = arguments.source.py();
        let selection = select(kind, arguments.columns, py)?;
        let mut options = TableOptions::new();
        options.strings = match arguments.strings {
            "dictionary" => StringsType::Dictionary,
            "plain" => StringsType::Plain,
            _ => return Err(error(py, "strings: expected \"dictionary\" or \"plain\"")),
        };
        options.squares = match arguments.squares {
            "u64" => SquaresType::U64,
            "wide" => SquaresType::Wide,
            _ => return Err(error(py, "squares: expected \"u64\" or \"wide\"")),
        };
        options.integers = arguments.integers;
        let mut reading = ReadOptions::new(py, arguments.variant, arguments.encoding, arguments.mmap)?;
        options.threads = reading::threads(py, arguments.threads)?;
        let query = parse_query(py, "where", arguments.query)?;
        let source = Source::of(arguments.source, &mut reading)?;
        options.open = reading.open;
        options.export = ExportOptions::new()
            .replay(ReplayOptions::new().variant(reading.variant))
            .query(query)
            .main_line(arguments.main_line)
            .style(arguments.strict);
        let table =
            ArrowTable::new(source.rows, selection, options).map_err(|error| from_table(py, &error))?;
        Ok(Self { table: Arc::new(table), source: source.name, query: arguments.query.map(str::to_owned) })
    }
}

/// Reads the argument `columns`.
fn select(kind: TableKind, columns: Option<&Bound<'_, PyAny>>, py: Python<'_>) -> PyResult<ColumnSelection> {
    let Some(columns) = columns else { return Ok(ColumnSelection::of(kind)) };
    if columns.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("columns: expected a list of names, not a text"));
    }
    let names: Vec<String> = columns.try_iter()?.map(|name| name?.extract()).collect::<PyResult<_>>()?;
    ColumnSelection::named(kind, names.iter().map(String::as_str))
        .map_err(|unknown| error(py, format!("columns: {unknown}")))
}

// `to_polars`, `to_arrow` and `to_pandas` are in `pdn/_tables.py`, which says why.
#[pymethods]
impl Table {
    /// The name of the table: `games`, `moves`, `positions`, `comments` or `diagnostics`.
    #[getter]
    fn name(&self) -> &'static str {
        self.table.selection().table().name()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&'static str> {
        self.table.selection().specs().map(|column| column.name).collect()
    }

    /// The number of records that readers have met so far whose rows are incomplete: of records longer than 256 KiB,
    /// variations, clocks and texts of moves are left out.
    #[getter]
    fn incomplete(&self) -> u64 {
        self.table.incomplete()
    }

    /// Returns the table with other columns.
    fn select(&self, py: Python<'_>, columns: &Bound<'_, PyAny>) -> PyResult<Self> {
        let selection = select(self.table.selection().table(), Some(columns), py)?;
        let table = self.table.select(selection).map_err(|error| from_table(py, &error))?;
        Ok(Self { table: Arc::new(table), source: self.source.clone(), query: self.query.clone() })
    }

    fn __iter__(&self) -> BatchIterator {
        BatchIterator(Mutex::new(self.table.reader().stop_if(raises_signal)))
    }

    /// Returns a batch without rows, which has the schema.
    fn empty(&self) -> Batch {
        Batch(RecordBatch::new_empty(self.table.schema()))
    }

    /// Returns a stream of record batches from the first row on: the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A producer may ignore the request, which is only a wish for other types.
        let _ = requested_schema;
        let stream = FFI_ArrowArrayStream::new(Box::new(self.table.reader().stop_if(takes_signal)));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// Returns the schema: the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.table.schema())
    }

    fn __repr__(&self) -> String {
        let columns = self.columns().join(", ");
        let query = self.query.as_ref().map_or_else(String::new, |query| format!(" where {query}"));
        format!("<pdn.Table {}: {columns}; of {}{query}>", self.name(), self.source)
    }
}

fn schema_capsule<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(|error| from_arrow(py, &error))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

#[pymethods]
impl Batch {
    /// Returns the schema and the rows: the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A producer may ignore the request, which is only a wish for other types.
        let _ = requested_schema;
        let rows = FFI_ArrowArray::new(&StructArray::from(self.0.clone()).into_data());
        Ok((self.__arrow_c_schema__(py)?, PyCapsule::new_with_value(py, rows, c"arrow_array")?))
    }

    /// Returns the schema: the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, self.0.schema_ref())
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("<pdn.Batch: {} rows, {} columns>", self.0.num_rows(), self.0.num_columns())
    }
}

#[pymethods]
impl BatchIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Batch>> {
        py.check_signals()?;
        let next = py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).next());
        // The exception of a signal that came while the reader waited.
        if let Some(raised) = PyErr::take(py) {
            return Err(raised);
        }
        next.transpose().map(|batch| batch.map(Batch)).map_err(|error| from_arrow(py, &error))
    }
}

/// Returns `true` if a signal such as Ctrl-C came, whose exception is then set in this thread.
fn raises_signal() -> bool {
    Python::try_attach(|py| py.check_signals().map_err(|signal| signal.restore(py)).is_err()).unwrap_or(true)
}

/// Returns `true` if a signal such as Ctrl-C came. For streams: their readers in other languages do not expect that an exception is set,
/// and raise one of their own for the error that the stream then returns.
fn takes_signal() -> bool {
    Python::try_attach(|py| py.check_signals().is_err()).unwrap_or(true)
}

/// Returns the table of games: a row for each record, whatever is wrong with it.
///
/// `source` is what `pdn.open` takes, or an index. `columns` chooses columns; only what they need is computed. `where` is a
/// query in the language of `pdn find`, such as `white ~ wiersma and date 1970..`. For a query about positions, files or tags without a
/// column, archives are indexed in a temporary folder, each time the rows are read: an index of your own saves that time.
/// `variant` is the variant of games without a GameType tag. `strings="plain"` gives texts instead of dictionaries.
///
/// >>> import pdn
/// >>> pdn.games(b'[White "Ames"] 1. 32-28 *').columns[:4]
/// ['game', 'file', 'record', 'line']
#[pyfunction]
#[pyo3(signature = (source, *, columns=None, r#where=None, variant=None, encoding=None, strings="dictionary", threads=None, mmap=false))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn games<'py>(
    source: &Bound<'py, PyAny>,
    columns: Option<&Bound<'py, PyAny>>,
    r#where: Option<&str>,
    variant: Option<&str>,
    encoding: Option<&str>,
    strings: &str,
    threads: Option<usize>,
    mmap: bool,
) -> PyResult<Table> {
    let (query, squares, main_line, strict) = (r#where, "u64", false, false);
    let arguments = Arguments {
        source,
        columns,
        query,
        variant,
        encoding,
        strings,
        squares,
        main_line,
        strict,
        threads,
        mmap,
        integers: IntegersType::Unsigned,
    };
    Table::new(TableKind::Games, &arguments)
}

/// Returns the table of moves: a row for each legal move of the main lines, then of the variations.
///
/// `main_line=True` leaves the variations out. The other arguments are those of `pdn.games`.
#[pyfunction]
#[pyo3(signature = (source, *, columns=None, r#where=None, main_line=false, variant=None, encoding=None, strings="dictionary", threads=None, mmap=false))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn moves<'py>(
    source: &Bound<'py, PyAny>,
    columns: Option<&Bound<'py, PyAny>>,
    r#where: Option<&str>,
    main_line: bool,
    variant: Option<&str>,
    encoding: Option<&str>,
    strings: &str,
    threads: Option<usize>,
    mmap: bool,
) -> PyResult<Table> {
    let (query, squares, strict) = (r#where, "u64", false);
    let arguments = Arguments {
        source,
        columns,
        query,
        variant,
        encoding,
        strings,
        squares,
        main_line,
        strict,
        threads,
        mmap,
        integers: IntegersType::Unsigned,
    };
    Table::new(TableKind::Moves, &arguments)
}

/// Returns the table of positions: a row for each position of the main lines, the last one included.
///
/// Sets of squares are integers of 64 bits; bit `n - 1` is the square with number `n`. The 12x12 board takes
/// `squares="wide"`: 16 bytes, little endian. The other arguments are those of `pdn.games`.
#[pyfunction]
#[pyo3(signature = (source, *, columns=None, r#where=None, squares="u64", variant=None, encoding=None, strings="dictionary", threads=None, mmap=false))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn positions<'py>(
    source: &Bound<'py, PyAny>,
    columns: Option<&Bound<'py, PyAny>>,
    r#where: Option<&str>,
    squares: &str,
    variant: Option<&str>,
    encoding: Option<&str>,
    strings: &str,
    threads: Option<usize>,
    mmap: bool,
) -> PyResult<Table> {
    let (query, main_line, strict) = (r#where, false, false);
    let arguments = Arguments {
        source,
        columns,
        query,
        variant,
        encoding,
        strings,
        squares,
        main_line,
        strict,
        threads,
        mmap,
        integers: IntegersType::Unsigned,
    };
    Table::new(TableKind::Positions, &arguments)
}

/// Returns the table of comments: a row for each comment, in text order. The arguments are those of `pdn.games`.
#[pyfunction]
#[pyo3(signature = (source, *, columns=None, r#where=None, variant=None, encoding=None, strings="dictionary", threads=None, mmap=false))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn comments<'py>(
    source: &Bound<'py, PyAny>,
    columns: Option<&Bound<'py, PyAny>>,
    r#where: Option<&str>,
    variant: Option<&str>,
    encoding: Option<&str>,
    strings: &str,
    threads: Option<usize>,
    mmap: bool,
) -> PyResult<Table> {
    let (query, squares, main_line, strict) = (r#where, "u64", false, false);
    let arguments = Arguments {
        source,
        columns,
        query,
        variant,
        encoding,
        strings,
        squares,
        main_line,
        strict,
        threads,
        mmap,
        integers: IntegersType::Unsigned,
    };
    Table::new(TableKind::Comments, &arguments)
}

/// Returns the table of diagnostics: a row for each diagnostic that `pdn.check` reports.
///
/// `strict=True` includes those of severity `style`. The other arguments are those of `pdn.games`.
#[pyfunction]
#[pyo3(signature = (source, *, columns=None, r#where=None, strict=false, variant=None, encoding=None, strings="dictionary", threads=None, mmap=false))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn diagnostics<'py>(
    source: &Bound<'py, PyAny>,
    columns: Option<&Bound<'py, PyAny>>,
    r#where: Option<&str>,
    strict: bool,
    variant: Option<&str>,
    encoding: Option<&str>,
    strings: &str,
    threads: Option<usize>,
    mmap: bool,
) -> PyResult<Table> {
    let (query, squares, main_line) = (r#where, "u64", false);
    let arguments = Arguments {
        source,
        columns,
        query,
        variant,
        encoding,
        strings,
        squares,
        main_line,
        strict,
        threads,
        mmap,
        integers: IntegersType::Unsigned,
    };
    Table::new(TableKind::Diagnostics, &arguments)
}

/// Returns a table with the types of Spark, made on one thread: signed integers and plain texts.
///
/// `pdn.spark` reads with it; `table` is the name of the table.
#[pyfunction]
#[pyo3(signature = (table, source, columns, r#where, variant, encoding, squares, main_line, strict, mmap))]
#[expect(clippy::too_many_arguments, reason = "one argument for each option of the source")]
pub(crate) fn spark_table<'py>(
    table: &str,
    source: &Bound<'py, PyAny>,
    columns: Option<&Bound<'py, PyAny>>,
    r#where: Option<&str>,
    variant: Option<&str>,
    encoding: Option<&str>,
    squares: &str,
    main_line: bool,
    strict: bool,
    mmap: bool,
) -> PyResult<Table> {
    let kind = TableKind::ALL.into_iter().find(|kind| kind.name() == table);
    let kind = kind.ok_or_else(|| error(source.py(), format!("table: there is no table {table:?}")))?;
    let arguments = Arguments {
        source,
        columns,
        query: r#where,
        variant,
        encoding,
        strings: "plain",
        squares,
        main_line,
        strict,
        threads: Some(1),
        mmap,
        integers: IntegersType::Signed,
    };
    Table::new(kind, &arguments)
}
