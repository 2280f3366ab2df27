//! Tables as streams of Arrow, for every library that reads the Arrow PyCapsule interface.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use pdn::replay::ReplayOptions;
use pdn_tables::arrow::{
    ArrowTable, IntegersType, Rows, SkippedArchives, SquaresType, StringsType, TableOptions, TableReader,
};
use pdn_tables::{ColumnSelection, ExportOptions, Table as TableKind};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyString, PyTuple};

use crate::archive::Archive;
use crate::cells;
use crate::errors::{self, error, from_arrow, from_table, parse_query, warn_skipped};
use crate::index::Index;
use crate::options::{self, end, take};
use crate::reading::{self, Errors, ReadOptions};
use crate::signals::{may_attach, note_thread, raises_signal, takes_signal};
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
    settings: Settings,
}

/// What a table was made with, besides its source, columns and query.
#[derive(Clone, Debug)]
struct Settings {
    rows: Rows,
    reading: ReadOptions,
    strings: String,
    squares: String,
    main_line: bool,
    strict: bool,
    threads: Option<usize>,
    integers: IntegersType,
    limit: Option<usize>,
}

/// Some ten thousand consecutive rows of a table: an Arrow record batch, which every library takes that takes the table.
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct Batch(RecordBatch);

/// The iterator over the batches of a table.
#[pyclass(frozen, module = "pdn")]
#[derive(Debug)]
pub(crate) struct BatchIterator(Mutex<TableReader>, SkippedArchives);

/// The batches of a stream. At its end it warns of what was skipped, where it may.
struct Stream {
    reader: TableReader,
    skipped: Option<SkippedArchives>,
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.reader.next();
        if next.is_none()
            && may_attach()
            && let Some(skipped) = self.skipped.take()
            && let Some(Err(raised)) = Python::try_attach(|py| warn_skipped(py, &skipped))
        {
            return Some(Err(ArrowError::ExternalError(raised.to_string().into())));
        }
        next
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        self.reader.schema()
    }
}

impl Table {
    /// Makes a table with these options; `own` are the names of those that only some tables have.
    fn take(
        kind: TableKind,
        source: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
        own: &[&str],
        integers: IntegersType,
    ) -> PyResult<Self> {
        let py = source.py();
        // A library may ask for the stream on a thread of its own, and read it on this one.
        note_thread(py)?;
        let columns = options.map(|options| options.get_item("columns")).transpose()?.flatten();
        let columns = columns.filter(|columns| !columns.is_none());
        let mut given = options::given(options)?;
        given.take("columns");
        let selection = select(kind, columns.as_ref(), py)?;
        let mut switch = |name| if own.contains(&name) { take(py, &mut given, name) } else { Ok(None) };
        let (main_line, strict) =
            (switch("main_line")?.unwrap_or_default(), switch("strict")?.unwrap_or_default());
        let mut word = |name, default: &str| {
            Ok::<_, PyErr>(take(py, &mut given, name)?.unwrap_or_else(|| default.to_owned()))
        };
        let strings = word("strings", "dictionary")?;
        let squares = if own.contains(&"squares") { word("squares", "u64")? } else { "u64".to_owned() };
        let threads = take(py, &mut given, "threads")?;
        let query = take::<String>(py, &mut given, "where")?;
        let mut reading = ReadOptions::take(py, &mut given)?;
        end(py, given)?;
        let mut table = TableOptions::new();
        table.strings = match &*strings {
            "dictionary" => StringsType::Dictionary,
            "plain" => StringsType::Plain,
            _ => return Err(error(py, "strings: expected \"dictionary\" or \"plain\"")),
        };
        table.squares = match &*squares {
            "u64" => SquaresType::U64,
            "wide" => SquaresType::Wide,
            _ => return Err(error(py, "squares: expected \"u64\" or \"wide\"")),
        };
        table.integers = integers;
        table.threads = reading::threads(py, threads)?;
        let parsed = parse_query(py, "where", query.as_deref())?;
        let source = Source::of(source, &mut reading)?;
        (table.open, table.skipped) = (reading.open, source.skipped);
        table.export = ExportOptions::new()
            .replay(ReplayOptions::new().variant(reading.variant))
            .query(parsed)
            .main_line(main_line)
            .style(strict);
        let rows = source.rows.clone();
        let settings =
            Settings { rows, reading, strings, squares, main_line, strict, threads, integers, limit: None };
        let table = ArrowTable::new(source.rows, selection, table).map_err(|error| from_table(py, &error))?;
        Ok(Self { table: Arc::new(table), source: source.name, query, settings })
    }

    /// Returns the table in another form.
    fn with(&self, table: ArrowTable, limit: Option<usize>) -> Self {
        let settings = Settings { limit, ..self.settings.clone() };
        Self { table: Arc::new(table), source: self.source.clone(), query: self.query.clone(), settings }
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
        Ok(self.with(table, self.settings.limit))
    }

    /// Returns the table with its first `rows` rows.
    fn limit(&self, rows: usize) -> Self {
        let limit = Some(self.settings.limit.map_or(rows, |limit| limit.min(rows)));
        self.with(self.table.limit(rows), limit)
    }

    /// The columns and their Arrow types, such as `int16` and `dictionary of string`.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let schema = PyDict::new(py);
        for field in self.table.schema().fields() {
            schema.set_item(field.name(), type_name(field.data_type()))?;
        }
        Ok(schema)
    }

    /// Returns the number of rows. Reads the table, with one column.
    fn count(&self, py: Python<'_>) -> PyResult<u64> {
        let names = [self.table.selection().table().columns()[0].name];
        let selection = ColumnSelection::named(self.table.selection().table(), names)
            .map_err(|unknown| error(py, unknown))?;
        let table = self.table.select(selection).map_err(|error| from_table(py, &error))?;
        let mut reader = table.reader().stop_if(raises_signal);
        let mut rows = 0;
        loop {
            let next = py.detach(|| reader.next());
            if let Some(raised) = PyErr::take(py) {
                return Err(raised);
            }
            match next.transpose().map_err(|error| from_arrow(py, &error))? {
                Some(batch) => rows += batch.num_rows() as u64,
                None => return warn_skipped(py, self.table.skipped()).map(|()| rows),
            }
        }
    }

    /// Returns the first rows, each as a dictionary.
    #[pyo3(signature = (rows=5))]
    fn head<'py>(&self, py: Python<'py>, rows: usize) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let mut reader = self.table.limit(rows).reader().stop_if(raises_signal);
        let mut found = Vec::new();
        loop {
            let next = py.detach(|| reader.next());
            if let Some(raised) = PyErr::take(py) {
                return Err(raised);
            }
            match next.transpose().map_err(|error| from_arrow(py, &error))? {
                Some(batch) => found.extend(cells::rows(py, &batch)?),
                None => return warn_skipped(py, self.table.skipped()).map(|()| found),
            }
        }
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// A table has no length before it is read.
    fn __len__(&self) -> PyResult<usize> {
        Err(PyTypeError::new_err(
            "a table is read anew by each who asks for its rows; `table.count()` reads it to count them",
        ))
    }

    /// Refuses what would be an array of batches.
    #[pyo3(signature = (*_args, **_options))]
    fn __array__(
        &self,
        _args: &Bound<'_, PyTuple>,
        _options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        Err(PyTypeError::new_err(
            "a table has columns of several types: `table.to_pandas()` is a data frame of pandas, `table.to_polars()[name].to_numpy()` a column",
        ))
    }

    /// What the table was made with. Each process reads the files anew.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Py<PyAny>)> {
        let Settings { rows, reading, strings, squares, main_line, strict, threads, integers, limit } =
            &self.settings;
        let source = match rows {
            Rows::Archives(archives) => {
                let skipped = SkippedArchives::default();
                Archive::new(archives.clone(), self.source.clone(), *reading, skipped).into_py_any(py)?
            }
            Rows::Index(index) => Index::new(py, index.dir().to_owned())?.into_py_any(py)?,
        };
        let options = PyDict::new(py);
        options.set_item("columns", self.columns())?;
        options.set_item("where", self.query.as_deref())?;
        options.set_item("errors", reading.errors.map(Errors::name))?;
        options.set_item("strings", strings)?;
        options.set_item("squares", squares)?;
        options.set_item("main_line", main_line)?;
        options.set_item("strict", strict)?;
        options.set_item("threads", threads)?;
        let all = (self.name(), source, options, *integers == IntegersType::Signed, *limit);
        Ok((py.import("pdn._pdn")?.getattr("restore_table")?, all.into_py_any(py)?))
    }

    /// The errors of the files that readers have skipped so far, or not read to their end; see `errors` of `pdn.open`.
    #[getter]
    fn skipped(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        errors::skipped(py, self.table.skipped())
    }

    fn __iter__(&self) -> BatchIterator {
        BatchIterator(Mutex::new(self.table.reader().stop_if(raises_signal)), self.table.skipped().clone())
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
        note_thread(py)?;
        let reader = self.table.reader().stop_if(takes_signal);
        let stream = Stream { reader, skipped: Some(self.table.skipped().clone()) };
        let stream = FFI_ArrowArrayStream::new(Box::new(stream));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// Returns the schema: the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.table.schema())
    }

    fn __repr__(&self) -> String {
        let columns = self.columns().join(", ");
        let query = self.query.as_ref().map_or_else(String::new, |query| format!(" where {query}"));
        let limit = self.settings.limit.map_or_else(String::new, |rows| format!(", first {rows} rows"));
        format!("<pdn.Table {}: {columns}; of {}{query}{limit}>", self.name(), self.source)
    }
}

/// Returns the name of an Arrow type, as the libraries write it or in words.
fn type_name(data_type: &DataType) -> String {
    match data_type {
        DataType::Boolean => "bool".to_owned(),
        DataType::Int16 => "int16".to_owned(),
        DataType::Int32 => "int32".to_owned(),
        DataType::Int64 => "int64".to_owned(),
        DataType::UInt64 => "uint64".to_owned(),
        DataType::Date32 => "date32".to_owned(),
        DataType::Utf8 => "string".to_owned(),
        DataType::Dictionary(..) => "dictionary of string".to_owned(),
        DataType::FixedSizeBinary(bytes) => format!("binary of {bytes} bytes"),
        DataType::List(item) => format!("list of {}", type_name(item.data_type())),
        DataType::Map(..) => "map of string".to_owned(),
        other => other.to_string(),
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
        match next.transpose().map_err(|error| from_arrow(py, &error))? {
            Some(batch) => Ok(Some(Batch(batch))),
            None => warn_skipped(py, &self.1).map(|()| None),
        }
    }
}

/// Declares the functions that return tables: all take the same options, and those that are named.
macro_rules! table_functions {
    ($($(#[$doc:meta])* fn $name:ident($($own:literal),*) $signature:literal -> $Kind:ident;)*) => {$(
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = (source, **options), text_signature = $signature)]
        pub(crate) fn $name(source: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
            Table::take(TableKind::$Kind, source, options, &[$($own),*], IntegersType::Unsigned)
        }
    )*};
}

table_functions! {
    /// Returns the table of games: a row for each record, whatever is wrong with it.
    ///
    /// `source` is what `pdn.open` takes, or an index. `columns` chooses columns; only what they need is computed. `where` is a
    /// query in the language of `pdn find`, such as `white ~ wiersma and date 1970..`. For a query about positions, files or tags without a
    /// column, archives are indexed in a temporary folder, each time the rows are read: an index of your own saves that time.
    /// `variant` is the variant of games without a GameType tag. `scores` and `errors` are as in `pdn.open`. `strings="plain"` gives texts instead of
    /// dictionaries.
    ///
    /// >>> import pdn
    /// >>> pdn.games(b'[White "Ames"] 1. 32-28 *').columns[:4]
    /// ['game', 'file', 'record', 'line']
    fn games()
        "(source, *, columns=None, where=None, variant=None, encoding=None, scores=None, errors=None, strings='dictionary', threads=None, mmap=False)"
        -> Games;

    /// Returns the table of moves: a row for each legal move of the main lines, then of the variations.
    ///
    /// `main_line=True` leaves the variations out. The other arguments are those of `pdn.games`.
    fn moves("main_line")
        "(source, *, columns=None, where=None, main_line=False, variant=None, encoding=None, scores=None, errors=None, strings='dictionary', threads=None, mmap=False)"
        -> Moves;

    /// Returns the table of positions: a row for each position of the main lines, the last one included.
    ///
    /// Sets of squares are integers of 64 bits; bit `n - 1` is the square with number `n`. The 12x12 board takes
    /// `squares="wide"`: 16 bytes, little endian. The other arguments are those of `pdn.games`.
    fn positions("squares")
        "(source, *, columns=None, where=None, squares='u64', variant=None, encoding=None, scores=None, errors=None, strings='dictionary', threads=None, mmap=False)"
        -> Positions;

    /// Returns the table of comments: a row for each comment, in text order. The arguments are those of `pdn.games`.
    fn comments()
        "(source, *, columns=None, where=None, variant=None, encoding=None, scores=None, errors=None, strings='dictionary', threads=None, mmap=False)"
        -> Comments;

    /// Returns the table of diagnostics: a row for each diagnostic that `pdn.check` reports.
    ///
    /// `strict=True` includes those of severity `style`. The other arguments are those of `pdn.games`.
    fn diagnostics("strict")
        "(source, *, columns=None, where=None, strict=False, variant=None, encoding=None, scores=None, errors=None, strings='dictionary', threads=None, mmap=False)"
        -> Diagnostics;
}

/// The options that only some tables have.
const OWN: [&str; 3] = ["main_line", "squares", "strict"];

/// Returns the kind of this name.
fn kind(py: Python<'_>, table: &str) -> PyResult<TableKind> {
    let kind = TableKind::ALL.into_iter().find(|kind| kind.name() == table);
    kind.ok_or_else(|| error(py, format!("table: there is no table {table:?}")))
}

/// Returns a table with the types of Spark, made on one thread: signed integers and plain texts.
///
/// `pdn.spark` reads with it; `table` is the name of the table.
#[pyfunction]
#[pyo3(signature = (table, source, **options))]
pub(crate) fn spark_table<'py>(
    table: &str,
    source: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Table> {
    let py = source.py();
    let options = options.map_or_else(|| Ok(PyDict::new(py)), |options| options.copy())?;
    options.set_item("strings", "plain")?;
    options.set_item("threads", 1)?;
    Table::take(kind(py, table)?, source, Some(&options), &OWN, IntegersType::Signed)
}

/// Returns a table that was pickled: its name, its archive or index, its options, whether its integers are signed, and its number of rows.
#[pyfunction]
pub(crate) fn restore_table(
    table: &str,
    source: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
    is_signed: bool,
    limit: Option<usize>,
) -> PyResult<Table> {
    let integers = if is_signed { IntegersType::Signed } else { IntegersType::Unsigned };
    let table = Table::take(kind(source.py(), table)?, source, Some(options), &OWN, integers)?;
    Ok(match limit {
        Some(rows) => table.limit(rows),
        None => table,
    })
}
