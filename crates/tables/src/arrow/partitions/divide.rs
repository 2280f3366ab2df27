//! Divides a record batch by the values of some columns.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use crate::Table;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type};
use arrow_array::{Array, ArrayRef, RecordBatch, UInt32Array};
use arrow_schema::SchemaRef;
use arrow_select::take::take_record_batch;

use crate::arrow::words::Words;

/// What stands for a missing value in the name of a folder. Every reader of such folders knows it.
const NULL_NAME: &str = "__HIVE_DEFAULT_PARTITION__";

/// Returns the columns of a table whose values can be names of folders: those with one of a few words, the year and the month.
pub fn partition_columns(table: Table) -> impl Iterator<Item = &'static str> {
    let has_few_values = |name: &&str| Words::of_column(name).is_some() || ["year", "month"].contains(name);
    table.columns().iter().map(|column| column.name).filter(has_few_values)
}

/// Divides record batches by the values of some of their columns.
#[derive(Debug)]
pub(super) struct Divider {
    /// The names of the columns, and their numbers in the batches.
    keys: Vec<(&'static str, usize)>,
    /// The numbers of the other columns.
    rest: Vec<usize>,
    /// The schema of the parts, without the columns that divide them.
    schema: SchemaRef,
}

impl Divider {
    /// Creates a divider of batches with the columns of `schema` by the columns `keys`, the first one outermost.
    pub(super) fn new(schema: &SchemaRef, keys: &[&'static str]) -> io::Result<Self> {
        let number = |name| schema.index_of(name).map_err(io::Error::other);
        let keys = keys.iter().map(|&name| Ok((name, number(name)?))).collect::<io::Result<Vec<_>>>()?;
        let is_key = |column: &usize| keys.iter().any(|(_, number)| number == column);
        let rest: Vec<usize> = (0..schema.fields().len()).filter(|column| !is_key(column)).collect();
        let schema = Arc::new(schema.project(&rest).map_err(io::Error::other)?);
        Ok(Self { keys, rest, schema })
    }

    /// Returns the schema of the parts.
    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Divides a batch. Returns the rows of each part in their order, with its name, such as
    /// `variant=international/year=1987`.
    pub(super) fn divide(&self, batch: &RecordBatch) -> io::Result<Vec<(String, RecordBatch)>> {
        // The part of each row, and the names of the parts: refined by one column after the other.
        let mut parts = vec![0u32; batch.num_rows()];
        let mut names = vec![String::new()];
        for &(key, column) in &self.keys {
            let values = KeyValues::new(batch.column(column));
            let mut known: HashMap<(u32, Option<i32>), u32> = HashMap::new();
            let mut refined: Vec<String> = Vec::new();
            // Neighbouring rows are mostly those of one game.
            let mut last = None;
            for (row, part) in parts.iter_mut().enumerate() {
                let pair = (*part, values.code(row));
                if let Some((_, number)) = last.filter(|(before, _)| *before == pair) {
                    *part = number;
                    continue;
                }
                let number = *known.entry(pair).or_insert_with(|| {
                    let outer = &names[pair.0 as usize];
                    let separator = if outer.is_empty() { "" } else { "/" };
                    refined.push(format!("{outer}{separator}{key}={}", values.name(pair.1)));
                    refined.len() as u32 - 1
                });
                last = Some((pair, number));
                *part = number;
            }
            names = refined;
        }
        let rest = batch.project(&self.rest).map_err(io::Error::other)?;
        if names.len() == 1 {
            return Ok(vec![(names.remove(0), rest)]);
        }
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); names.len()];
        for (row, &part) in parts.iter().enumerate() {
            rows[part as usize].push(row as u32);
        }
        let divided = names.into_iter().zip(rows).map(|(name, rows)| {
            let rows = take_record_batch(&rest, &UInt32Array::from(rows)).map_err(io::Error::other)?;
            Ok((name, rows))
        });
        divided.collect()
    }
}

/// The values of a column that divides rows.
enum KeyValues<'a> {
    /// Codes of a dictionary, and its texts.
    Words(&'a arrow_array::Int32Array, &'a arrow_array::StringArray),
    I16(&'a arrow_array::Int16Array),
}

impl<'a> KeyValues<'a> {
    fn new(column: &'a ArrayRef) -> Self {
        if let Some(words) = column.as_dictionary_opt::<Int32Type>() {
            return Self::Words(words.keys(), words.values().as_string());
        }
        Self::I16(column.as_primitive::<Int16Type>())
    }

    /// Returns a number that rows with the same value share; `None` for a missing value.
    fn code(&self, row: usize) -> Option<i32> {
        match self {
            Self::Words(codes, _) => codes.is_valid(row).then(|| codes.value(row)),
            Self::I16(values) => values.is_valid(row).then(|| values.value(row).into()),
        }
    }

    /// Returns the value with this number as a part of the name of a folder. Words have letters, digits and hyphens only.
    fn name(&self, code: Option<i32>) -> String {
        match (self, code) {
            (_, None) => NULL_NAME.to_owned(),
            (Self::Words(_, texts), Some(code)) => texts.value(code as usize).to_owned(),
            (Self::I16(_), Some(number)) => number.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_divide_rows_are_names_of_folders() {
        let columns = |table| partition_columns(table).collect::<Vec<_>>();
        assert_eq!(columns(Table::Moves), ["by"]);
        for table in Table::ALL {
            for words in columns(table).into_iter().filter_map(Words::of_column) {
                for word in words.values.iter().flatten() {
                    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
                    assert!(!word.is_empty() && word.chars().all(is_plain), "{word}");
                }
            }
        }
    }
}
