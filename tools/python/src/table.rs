//! Tables as streams of Arrow, for every library that reads the Arrow PyCapsule interface.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use pdn_app::read::inputs::Threads;
use pdn_app::write::export::{ExportTables, SquaresWidth};
use pdn_tables::arrow::{
    ArrowTable, Rows, SkippedArchives, SquaresType, StringsType, TableOptions, TableReader,
};
use pdn_tables::{ColumnSelection, ExportOptions, Table as TableKind};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyString, PyTuple};

use crate::archive::Archive;
use crate::arguments::{Strings, Texts, export_options};
use crate::cells;
use crate::errors::{self, error, from_arrow, from_table, parse_query, warn_skipped};
use crate::index::Index;
use crate::options::{self, read_all, take};
use crate::reading::ReadOptions;
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
    made: Arc<Made>,
    limit: Option<usize>,
}

/// What a table was made of.
#[derive(Debug)]
struct Made {
    rows: Rows,
    reading: ReadOptions,
    /// The name of the archives or of the index.
    source: String,
    arguments: Py<PyDict>,
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
    /// Makes a table with the arguments of its function.
    fn take(
        kind: TableKind,
        source: &Bound<'_, PyAny>,
        arguments: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let py = source.py();
        // A library may ask for the stream on a thread of its own, and read it on this one.
        note_thread(py)?;
        let arguments = arguments.map_or_else(|| PyDict::new(py), Clone::clone);
        let columns = arguments.get_item("columns")?.filter(|columns| !columns.is_none());
        let mut given = options::given(Some(&arguments))?;
        given.take("columns");
        let selection = select(kind, columns.as_ref(), py)?;
        let query = take::<String>(py, &mut given, "where")?;
        let mut reading = ReadOptions::take(py, &mut given)?;
        let (tables, strings, threads) = read_all(py, given, |given| {
            let tables: ExportTables = options::some(given, export_options(kind))?;
            Ok((tables, given.group::<Texts>()?.strings, given.group::<Threads>()?.number()))
        })?;
        let query = parse_query(py, "where", query.as_deref())?;
        let mut table = TableOptions::new();
        table.strings = match strings {
            Strings::Dictionary => StringsType::Dictionary,
            Strings::Plain => StringsType::Plain,
        };
        table.squares = match tables.squares {
            None | Some(SquaresWidth::U64) => SquaresType::U64,
            Some(SquaresWidth::Wide) => SquaresType::Wide,
        };
        table.threads = threads;
        let source = Source::of(source, &mut reading)?;
        (table.open, table.skipped) = (reading.open, source.skipped);
        table.export = ExportOptions::new()
            .replay(reading.replay())
            .query(query)
            .main_line(tables.main_line)
            .style(tables.strict);
        let rows = source.rows.clone();
        let table = ArrowTable::new(source.rows, selection, table).map_err(|error| from_table(py, &error))?;
        let made = Made { rows, reading, source: source.name, arguments: arguments.unbind() };
        Ok(Self { table: Arc::new(table), made: Arc::new(made), limit: None })
    }

    /// Returns the table in another form.
    fn with(&self, table: ArrowTable, limit: Option<usize>) -> Self {
        Self { table: Arc::new(table), made: Arc::clone(&self.made), limit }
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
        Ok(self.with(table, self.limit))
    }

    /// Returns the table with its first `rows` rows.
    fn limit(&self, rows: usize) -> Self {
        let limit = Some(self.limit.map_or(rows, |limit| limit.min(rows)));
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
        let Made { rows, reading, source, arguments } = &*self.made;
        let source = match rows {
            Rows::Archives(archives) => {
                let skipped = SkippedArchives::default();
                Archive::new(archives.clone(), source.clone(), *reading, skipped).into_py_any(py)?
            }
            Rows::Index(index) => Index::new(py, index.dir().to_owned())?.into_py_any(py)?,
        };
        let arguments = arguments.bind(py).copy()?;
        arguments.set_item("columns", self.columns())?;
        let all = (self.name(), source, arguments, self.limit);
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

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let columns = self.columns().join(", ");
        let query = self.made.arguments.bind(py).get_item("where")?.filter(|query| !query.is_none());
        let query = query.map_or_else(String::new, |query| format!(" where {query}"));
        let limit = self.limit.map_or_else(String::new, |rows| format!(", first {rows} rows"));
        Ok(format!("<pdn.Table {}: {columns}; of {}{query}{limit}>", self.name(), self.made.source))
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
#[pyfunction]
// begin signature of games
#[pyo3(signature = (source, **options), text_signature = "(source, *, columns=None, where=None, strings='dictionary', variant=None, encoding=None, scores=None, errors=None, threads=None, mmap=False)")]
// end signature of games
pub(crate) fn games(source: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
    Table::take(TableKind::Games, source, options)
}

/// Returns the table of moves: a row for each legal move of the main lines, then of the variations.
///
/// `main_line=True` leaves the variations out. The other arguments are those of `pdn.games`.
#[pyfunction]
// begin signature of moves
#[pyo3(signature = (source, **options), text_signature = "(source, *, columns=None, where=None, main_line=False, strings='dictionary', variant=None, encoding=None, scores=None, errors=None, threads=None, mmap=False)")]
// end signature of moves
pub(crate) fn moves(source: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
    Table::take(TableKind::Moves, source, options)
}

/// Returns the table of positions: a row for each position of the main lines, the last one included.
///
/// Sets of squares are integers of 64 bits; bit `n - 1` is the square with number `n`. The 12x12 board takes
/// `squares="wide"`: 16 bytes, little endian. The other arguments are those of `pdn.games`.
#[pyfunction]
// begin signature of positions
#[pyo3(signature = (source, **options), text_signature = "(source, *, columns=None, where=None, squares=None, strings='dictionary', variant=None, encoding=None, scores=None, errors=None, threads=None, mmap=False)")]
// end signature of positions
pub(crate) fn positions(source: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
    Table::take(TableKind::Positions, source, options)
}

/// Returns the table of comments: a row for each comment, in text order. The arguments are those of `pdn.games`.
#[pyfunction]
// begin signature of comments
#[pyo3(signature = (source, **options), text_signature = "(source, *, columns=None, where=None, strings='dictionary', variant=None, encoding=None, scores=None, errors=None, threads=None, mmap=False)")]
// end signature of comments
pub(crate) fn comments(source: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
    Table::take(TableKind::Comments, source, options)
}

/// Returns the table of diagnostics: a row for each diagnostic that `pdn.check` reports.
///
/// `strict=True` includes those of severity `style`. The other arguments are those of `pdn.games`.
#[pyfunction]
// begin signature of diagnostics
#[pyo3(signature = (source, **options), text_signature = "(source, *, columns=None, where=None, strict=False, strings='dictionary', variant=None, encoding=None, scores=None, errors=None, threads=None, mmap=False)")]
// end signature of diagnostics
pub(crate) fn diagnostics(source: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
    Table::take(TableKind::Diagnostics, source, options)
}

/// Returns the kind of this name.
fn kind(py: Python<'_>, table: &str) -> PyResult<TableKind> {
    let kind = TableKind::ALL.into_iter().find(|kind| kind.name() == table);
    kind.ok_or_else(|| error(py, format!("table: there is no table {table:?}")))
}

/// Returns a table that was pickled: its name, its archive or index, its options, and its number of rows.
#[pyfunction]
pub(crate) fn restore_table(
    table: &str,
    source: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
    limit: Option<usize>,
) -> PyResult<Table> {
    let table = Table::take(kind(source.py(), table)?, source, Some(options))?;
    Ok(match limit {
        Some(rows) => table.limit(rows),
        None => table,
    })
}
