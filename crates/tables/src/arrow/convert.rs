//! Turns rows of the library into Arrow arrays. Numbers and texts are moved, not copied.

use std::sync::Arc;

use crate::{BatchColumn, ColumnValues, DictionaryValues, SquareSets, TableBatch, TextValues};
use arrow_array::builder::StringBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, DictionaryArray, FixedSizeBinaryArray, Int16Array,
    Int32Array, Int64Array, ListArray, MapArray, RecordBatch, StringArray, StructArray, UInt64Array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::SchemaRef;

use super::schema::Words;
use crate::arrow::error::TableError;
use crate::arrow::schema::{SquaresType, StringsType, entries_field, entry_fields, item_field};
use crate::arrow::text_array::text_array;

/// What all batches of a table share.
#[derive(Debug)]
pub(crate) struct Conversion {
    pub(crate) schema: SchemaRef,
    /// The names of the columns.
    pub(crate) names: Vec<&'static str>,
    pub(crate) strings: StringsType,
    pub(crate) squares: SquaresType,
    /// The names of the inputs, unless there are many.
    pub(crate) files: Option<Words>,
}

impl Conversion {
    /// Converts the rows of a batch.
    pub(crate) fn record_batch(&self, batch: TableBatch) -> Result<RecordBatch, TableError> {
        let rows = batch.rows;
        let mut arrays = Vec::with_capacity(batch.columns.len());
        for (name, column) in self.names.iter().zip(batch.columns) {
            arrays.push(self.array(name, column)?);
        }
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
        let made = RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options);
        Ok(made.expect("arrays and schema are made from the same definitions"))
    }

    fn array(&self, name: &'static str, column: BatchColumn) -> Result<ArrayRef, TableError> {
        let nulls = column.valid.map(|valid| NullBuffer::new(packed_bits(&valid)));
        macro_rules! primitive {
            ($array:ident, $values:ident) => {
                Arc::new($array::new(ScalarBuffer::from($values), nulls))
            };
        }
        Ok(match column.values {
            ColumnValues::Bool(values) => Arc::new(BooleanArray::new(packed_bits(&values), nulls)),
            ColumnValues::I16(values) => primitive!(Int16Array, values),
            ColumnValues::I32(values) => primitive!(Int32Array, values),
            ColumnValues::I64(values) => primitive!(Int64Array, values),
            ColumnValues::Key(values) => primitive!(UInt64Array, values),
            ColumnValues::Date(values) => primitive!(Date32Array, values),
            ColumnValues::Squares(values) => match self.squares {
                SquaresType::U64 => {
                    let values = match values {
                        SquareSets::Narrow(values) => values,
                        _ => {
                            let narrow = |n| u64::try_from(values.get(n)).map_err(|_| TableError::WideBoard);
                            (0..values.len()).map(narrow).collect::<Result<_, _>>()?
                        }
                    };
                    primitive!(UInt64Array, values)
                }
                SquaresType::Wide => {
                    let bytes: Vec<u8> =
                        (0..values.len()).flat_map(|n| values.get(n).to_le_bytes()).collect();
                    Arc::new(FixedSizeBinaryArray::new(16, Buffer::from_vec(bytes), nulls))
                }
            },
            ColumnValues::Text(values) => Arc::new(texts(name, values, nulls)?),
            ColumnValues::Dictionary(values) => match self.strings {
                StringsType::Dictionary => self.dictionary(name, values, nulls)?,
                StringsType::Plain => plain(&values, nulls.as_ref()),
            },
            ColumnValues::I16List(lists) => {
                let items: ArrayRef = Arc::new(Int16Array::new(lists.items.into(), None));
                Arc::new(list(offsets(name, &lists.ends)?, items, nulls))
            }
            ColumnValues::I32List(lists) => {
                let items: ArrayRef = Arc::new(Int32Array::new(lists.items.into(), None));
                Arc::new(list(offsets(name, &lists.ends)?, items, nulls))
            }
            ColumnValues::TextMap(maps) => {
                let entries: Vec<ArrayRef> =
                    vec![Arc::new(texts(name, maps.names, None)?), Arc::new(texts(name, maps.values, None)?)];
                let entries = StructArray::new(entry_fields(), entries, None);
                Arc::new(MapArray::new(entries_field(), offsets(name, &maps.ends)?, entries, nulls, false))
            }
        })
    }

    /// Makes a dictionary array with the texts of the column, which are the same in every batch, or with those of the batch.
    fn dictionary(
        &self,
        name: &'static str,
        values: DictionaryValues,
        nulls: Option<NullBuffer>,
    ) -> Result<ArrayRef, TableError> {
        let words = if name == "file" { self.files.as_ref() } else { Words::of_column(name) };
        // A null has the empty text, which is in no dictionary.
        let code = |words: &Words, text: &str| if text.is_empty() { Some(0) } else { words.code(text) };
        let known = words.and_then(|words| {
            let texts = (0..values.texts.len()).map(|n| values.texts.get(n));
            let codes: Option<Vec<i32>> = texts.map(|text| code(words, text)).collect();
            Some((codes?, &words.values))
        });
        let Some((codes, words)) = known else {
            let texts = texts(name, values.texts, None)?;
            let len = values.codes.len();
            let keys = ScalarBuffer::<i32>::new(Buffer::from_vec(values.codes), 0, len);
            return Ok(Arc::new(DictionaryArray::<Int32Type>::new(
                Int32Array::new(keys, nulls),
                Arc::new(texts),
            )));
        };
        let keys: Vec<i32> = match codes.as_slice() {
            [code] => vec![*code; values.codes.len()],
            codes => values.codes.iter().map(|&code| codes[code as usize]).collect(),
        };
        let words: ArrayRef = Arc::<StringArray>::clone(words);
        Ok(Arc::new(DictionaryArray::<Int32Type>::new(Int32Array::new(keys.into(), nulls), words)))
    }
}

/// Makes an array of lists of numbers.
fn list(offsets: OffsetBuffer<i32>, items: ArrayRef, nulls: Option<NullBuffer>) -> ListArray {
    ListArray::new(item_field(items.data_type().clone()), offsets, items, nulls)
}

/// Makes an array of texts.
fn texts(
    name: &'static str,
    values: TextValues,
    nulls: Option<NullBuffer>,
) -> Result<StringArray, TableError> {
    Ok(text_array(values.bytes, offsets(name, &values.ends)?, nulls))
}

/// Makes an array of texts from the codes of a dictionary.
fn plain(values: &DictionaryValues, nulls: Option<&NullBuffer>) -> ArrayRef {
    let mut builder = StringBuilder::with_capacity(values.codes.len(), 16 * values.codes.len());
    for row in 0..values.codes.len() {
        match nulls {
            Some(nulls) if nulls.is_null(row) => builder.append_null(),
            _ => builder.append_value(values.get(row)),
        }
    }
    Arc::new(builder.finish()) as Arc<dyn Array>
}

/// Packs truth values into bits, eight at a time.
// Twin: `BooleanBuffer::from`; test: `packed_bits_are_those_of_arrow`.
fn packed_bits(values: &[bool]) -> BooleanBuffer {
    // The product has the sum of all bytes, each shifted to its bit, as its highest byte.
    const TO_BITS: u64 = 0x0102_0408_1020_4080;
    let byte =
        |values: &[bool; 8]| (u64::from_le_bytes(values.map(u8::from)).wrapping_mul(TO_BITS) >> 56) as u8;
    let (whole, rest) = values.as_chunks();
    let mut bits = Vec::with_capacity(values.len().div_ceil(8));
    bits.extend(whole.iter().map(byte));
    if !rest.is_empty() {
        let mut last = [false; 8];
        last[..rest.len()].copy_from_slice(rest);
        bits.push(byte(&last));
    }
    BooleanBuffer::new(Buffer::from_vec(bits), 0, values.len())
}

/// Makes the offsets of texts or lists from their ends.
fn offsets(column: &'static str, ends: &[usize]) -> Result<OffsetBuffer<i32>, TableError> {
    if ends.last().is_some_and(|&end| i32::try_from(end).is_err()) {
        return Err(TableError::TooMuchText { column });
    }
    let mut offsets = Vec::with_capacity(ends.len() + 1);
    offsets.push(0);
    offsets.extend(ends.iter().map(|&end| end as i32));
    Ok(OffsetBuffer::new(offsets.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_bits_are_those_of_arrow() {
        for len in 0..200 {
            for of in [1, 2, 3, 7, 1000] {
                let values: Vec<bool> = (0..len).map(|n| (n * n + len) % of == 0).collect();
                let (packed, expected) = (packed_bits(&values), BooleanBuffer::from(values.as_slice()));
                assert_eq!(packed, expected, "{values:?}");
                // The bits after the last value are written to files.
                assert_eq!(packed.values(), expected.values(), "{values:?}");
            }
        }
    }
}
