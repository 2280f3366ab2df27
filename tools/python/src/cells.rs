//! Rows of record batches as dictionaries of Python, for those who look at a few.

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int16Type, Int32Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::DataType;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// Returns the rows of a batch, each as a dictionary with the values by the names of the columns.
pub(crate) fn rows<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let schema = batch.schema();
    let row = |row: usize| {
        let values = PyDict::new(py);
        for (field, column) in schema.fields().iter().zip(batch.columns()) {
            values.set_item(field.name(), cell(py, column, row)?)?;
        }
        Ok(values)
    };
    (0..batch.num_rows()).map(row).collect()
}

/// Returns a value as an object of Python.
fn cell(py: Python<'_>, column: &ArrayRef, row: usize) -> PyResult<Py<PyAny>> {
    if column.is_null(row) {
        return Ok(py.None());
    }
    match column.data_type() {
        DataType::Boolean => column.as_boolean().value(row).into_py_any(py),
        DataType::Int16 => column.as_primitive::<Int16Type>().value(row).into_py_any(py),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).into_py_any(py),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into_py_any(py),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).into_py_any(py),
        DataType::Date32 => {
            // Day 1 is 1 January of year 1.
            let day = column.as_primitive::<Date32Type>().value(row) + 719_163;
            Ok(py.import("datetime")?.getattr("date")?.call_method1("fromordinal", (day,))?.unbind())
        }
        DataType::Utf8 => column.as_string::<i32>().value(row).into_py_any(py),
        DataType::Dictionary(..) => {
            let words = column.as_dictionary::<Int32Type>();
            let code = words.keys().value(row) as usize;
            words.values().as_string::<i32>().value(code).into_py_any(py)
        }
        DataType::FixedSizeBinary(_) => {
            PyBytes::new(py, column.as_fixed_size_binary().value(row)).into_py_any(py)
        }
        DataType::List(_) => {
            let items = column.as_list::<i32>().value(row);
            let items: Vec<_> =
                (0..items.len()).map(|item| cell(py, &items, item)).collect::<PyResult<_>>()?;
            items.into_py_any(py)
        }
        DataType::Map(..) => {
            let entries = column.as_map().value(row);
            let map = PyDict::new(py);
            for entry in 0..entries.len() {
                map.set_item(cell(py, entries.column(0), entry)?, cell(py, entries.column(1), entry)?)?;
            }
            map.into_py_any(py)
        }
        // Only tables for Spark have other types.
        other => Err(pyo3::exceptions::PyTypeError::new_err(format!("a column of the type {other}"))),
    }
}
