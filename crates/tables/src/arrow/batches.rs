//! Batches of rows as record batches, one by one.

use crate::{ColumnSelection, TableBatch};
use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};

use crate::arrow::convert::Conversion;
use crate::arrow::error::TableError;
use crate::arrow::schema::{IntegersType, SquaresType, StringsType, arrow_schema};

/// Converts batches of rows to record batches, for callers that make the rows themselves.
///
/// The dictionaries of all columns but `file` are the same in every batch.
#[derive(Debug)]
pub struct BatchConverter {
    conversion: Conversion,
}

impl BatchConverter {
    /// Creates a converter of the batches of these columns.
    pub fn new(selection: &ColumnSelection, strings: StringsType, squares: SquaresType) -> Self {
        let integers = IntegersType::default();
        let schema = arrow_schema(selection, strings, squares, integers);
        let names = selection.specs().map(|column| column.name).collect();
        Self { conversion: Conversion { schema, names, strings, squares, integers, files: None } }
    }

    /// Returns the schema of the record batches.
    pub fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.conversion.schema)
    }

    /// Converts the rows of a batch. Numbers and texts are moved, not copied.
    ///
    /// # Errors
    /// [`WideBoard`](TableError::WideBoard) and [`TooMuchText`](TableError::TooMuchText).
    pub fn convert(&self, batch: TableBatch) -> Result<RecordBatch, TableError> {
        self.conversion.record_batch(batch)
    }
}

/// Returns a schema with more metadata, for a file that says where its rows come from.
pub fn with_metadata(schema: &Schema, added: impl IntoIterator<Item = (String, String)>) -> SchemaRef {
    let mut metadata = schema.metadata().clone();
    metadata.extend(added);
    SchemaRef::new(schema.clone().with_metadata(metadata))
}
