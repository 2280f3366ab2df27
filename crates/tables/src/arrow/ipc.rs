//! Record batches as an Arrow file or stream.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow_ipc::convert::IpcSchemaEncoder;
use arrow_ipc::writer::{
    DictionaryTracker, EncodedData, IpcDataGenerator, IpcWriteContext, IpcWriteOptions, write_message,
};
use arrow_ipc::{Block, FooterBuilder, MetadataVersion};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use flatbuffers::FlatBufferBuilder;

/// What a file begins and ends with.
const MAGIC: &[u8; 6] = b"ARROW1";
/// Messages and the buffers in them begin at multiples of this number of bytes, the default of `IpcWriteOptions`.
const ALIGNMENT: usize = 64;
/// The end of the messages.
const END_OF_STREAM: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];

/// The two forms of Arrow's format for files and pipes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IpcFormat {
    /// A file with a list of its batches at the end, which readers map into memory.
    File,
    /// A stream, which is read from its beginning.
    Stream,
}

/// Encodes record batches as an Arrow file or stream.
///
/// Dictionaries only grow. A stream repeats one that has grown. A file may have a single dictionary for each column, so the one
/// that its footer names is the last, which has the texts of all batches. No reader has to know delta dictionaries.
pub struct IpcWriter {
    format: IpcFormat,
    schema: SchemaRef,
    options: IpcWriteOptions,
    generator: IpcDataGenerator,
    tracker: DictionaryTracker,
    context: IpcWriteContext,
    /// Bytes that have not been returned, in parts that follow each other.
    parts: Vec<Vec<u8>>,
    /// Number of bytes so far, returned or not.
    len: usize,
    batches: Vec<Block>,
    /// The dictionaries of a file, by their number.
    dictionaries: BTreeMap<i64, Block>,
    /// Dictionaries of a file that have grown since they were written.
    grown: BTreeMap<i64, EncodedData>,
    /// The dictionary of each column that has one.
    columns: Vec<Option<GrowingDictionary>>,
}

impl std::fmt::Debug for IpcWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IpcWriter").field("format", &self.format).finish_non_exhaustive()
    }
}

impl IpcWriter {
    /// Creates a writer of batches with this schema.
    ///
    /// # Errors
    /// None in practice: writing to memory does not fail.
    pub fn new(format: IpcFormat, schema: SchemaRef) -> io::Result<Self> {
        let has_dictionary = |data_type: &DataType| matches!(data_type, DataType::Dictionary(..));
        let columns = schema.fields().iter().map(|field| {
            let has_dictionary = has_dictionary(field.data_type());
            has_dictionary.then(GrowingDictionary::default)
        });
        let mut writer = Self {
            format,
            options: IpcWriteOptions::default(),
            generator: IpcDataGenerator::default(),
            tracker: DictionaryTracker::new(false),
            context: IpcWriteContext::default(),
            parts: Vec::new(),
            len: 0,
            batches: Vec::new(),
            dictionaries: BTreeMap::new(),
            grown: BTreeMap::new(),
            columns: columns.collect(),
            schema,
        };
        if format == IpcFormat::File {
            let mut start = MAGIC.to_vec();
            start.resize(ALIGNMENT, 0);
            writer.push_bytes(start);
        }
        let message = writer.generator.schema_to_bytes_with_dictionary_tracker(
            &writer.schema,
            &mut writer.tracker,
            &writer.options,
        );
        writer.push(message)?;
        Ok(writer)
    }

    /// Encodes a batch. Returns the bytes that follow those returned before, in parts that follow each other, because the body of a batch
    /// is not copied behind its head.
    ///
    /// # Errors
    /// If the batch has other columns than the schema.
    pub fn write(&mut self, batch: &RecordBatch) -> io::Result<Vec<Vec<u8>>> {
        let grown = |(column, dictionary): (&ArrayRef, &mut Option<GrowingDictionary>)| match dictionary {
            Some(dictionary) => dictionary.recode(column),
            None => ArrayRef::clone(column),
        };
        let columns = batch.columns().iter().zip(&mut self.columns).map(grown).collect();
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let batch = RecordBatch::try_new_with_options(SchemaRef::clone(&self.schema), columns, &options);
        let (dictionaries, batch) = self
            .generator
            .encode(&batch.map_err(io_error)?, &mut self.tracker, &self.options, &mut self.context)
            .map_err(io_error)?;
        for dictionary in dictionaries {
            match (self.format, dictionary_number(&dictionary)?) {
                (IpcFormat::Stream, _) => _ = self.push(dictionary)?,
                (IpcFormat::File, number) if self.dictionaries.contains_key(&number) => {
                    self.grown.insert(number, dictionary);
                }
                (IpcFormat::File, number) => {
                    let block = self.push(dictionary)?;
                    self.dictionaries.insert(number, block);
                }
            }
        }
        let block = self.push(batch)?;
        if self.format == IpcFormat::File {
            self.batches.push(block);
        }
        Ok(std::mem::take(&mut self.parts))
    }

    /// Returns the last bytes of the file or stream, in parts that follow each other.
    ///
    /// # Errors
    /// None in practice: writing to memory does not fail.
    pub fn finish(mut self) -> io::Result<Vec<Vec<u8>>> {
        for (number, dictionary) in std::mem::take(&mut self.grown) {
            let block = self.push(dictionary)?;
            self.dictionaries.insert(number, block);
        }
        let mut end = END_OF_STREAM.to_vec();
        if self.format == IpcFormat::File {
            let footer = self.footer();
            end.extend_from_slice(&footer);
            end.extend_from_slice(&(footer.len() as i32).to_le_bytes());
            end.extend_from_slice(MAGIC);
        }
        self.push_bytes(end);
        Ok(self.parts)
    }

    /// Appends a message and returns its place.
    fn push(&mut self, message: EncodedData) -> io::Result<Block> {
        let EncodedData { ipc_message, arrow_data: body } = message;
        if !body.len().is_multiple_of(ALIGNMENT) {
            return Err(io::Error::other("the body of a message has no padding at its end"));
        }
        let (offset, body_len, mut head) = (self.len, body.len(), Vec::new());
        let message = EncodedData { ipc_message, arrow_data: Vec::new() };
        let (head_len, _) = write_message(&mut head, message, &self.options).map_err(io_error)?;
        self.push_bytes(head);
        self.push_bytes(body);
        Ok(Block::new(offset as i64, head_len as i32, body_len as i64))
    }

    /// Appends bytes.
    fn push_bytes(&mut self, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            self.len += bytes.len();
            self.parts.push(bytes);
        }
    }

    /// Returns the list of the dictionaries and batches of a file.
    fn footer(&self) -> Vec<u8> {
        let mut builder = FlatBufferBuilder::new();
        let blocks: Vec<Block> = self.dictionaries.values().copied().collect();
        let dictionaries = builder.create_vector(&blocks);
        let batches = builder.create_vector(&self.batches);
        // The numbers of the dictionaries are given anew, in the same order.
        let mut tracker = DictionaryTracker::new(false);
        let schema: &Schema = &self.schema;
        let schema = IpcSchemaEncoder::new()
            .with_dictionary_tracker(&mut tracker)
            .schema_to_fb_offset(&mut builder, schema);
        let mut footer = FooterBuilder::new(&mut builder);
        footer.add_version(MetadataVersion::V5);
        footer.add_schema(schema);
        footer.add_dictionaries(dictionaries);
        footer.add_recordBatches(batches);
        let footer = footer.finish();
        builder.finish(footer, None);
        builder.finished_data().to_vec()
    }
}

/// Returns the number of the dictionary in a message.
fn dictionary_number(message: &EncodedData) -> io::Result<i64> {
    let message = arrow_ipc::root_as_message(&message.ipc_message).map_err(io::Error::other)?;
    let dictionary = message.header_as_dictionary_batch();
    dictionary.map(|dictionary| dictionary.id()).ok_or_else(|| io::Error::other("a message is no dictionary"))
}

fn io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

/// A dictionary that every batch so far has used, with the texts of earlier batches first.
#[derive(Debug, Default)]
struct GrowingDictionary {
    /// The texts, as the last batch had them.
    values: Option<Arc<StringArray>>,
    codes: HashMap<String, i32>,
}

impl GrowingDictionary {
    /// Returns the column with this dictionary, to which the texts of the column are added.
    fn recode(&mut self, column: &ArrayRef) -> ArrayRef {
        let Some(column_dictionary) = column.as_dictionary_opt::<Int32Type>() else {
            return ArrayRef::clone(column);
        };
        let texts = column_dictionary.values().as_string::<i32>();
        let values = match &self.values {
            Some(values) if is_same(values, texts) => return ArrayRef::clone(column),
            Some(values) => Arc::clone(values),
            None => Arc::new(StringArray::from(Vec::<&str>::new())),
        };
        let before = self.codes.len();
        let codes: Vec<i32> = (0..texts.len())
            .map(|n| {
                let (text, next) = (texts.value(n), self.codes.len() as i32);
                self.codes
                    .get(text)
                    .copied()
                    .unwrap_or_else(|| *self.codes.entry(text.to_owned()).or_insert(next))
            })
            .collect();
        let is_first = self.values.is_none();
        if is_first && self.codes.len() == texts.len() {
            // The texts are used as they are; later batches share them.
            self.values = Some(Arc::new(texts.clone()));
            return ArrayRef::clone(column);
        }
        let values = if self.codes.len() == before {
            values
        } else {
            let mut added: Vec<&str> = vec![""; self.codes.len() - before];
            for (n, &code) in codes.iter().enumerate() {
                if let Some(place) = (code as usize).checked_sub(before) {
                    added[place] = texts.value(n);
                }
            }
            Arc::new((0..values.len()).map(|n| values.value(n)).chain(added).map(Some).collect())
        };
        self.values = Some(Arc::clone(&values));
        let keys = column_dictionary.keys();
        // A null has any code, perhaps none of the dictionary's.
        let code = |&key: &i32| codes.get(key as usize).copied().unwrap_or(0);
        let recoded = Int32Array::new(keys.values().iter().map(code).collect(), keys.nulls().cloned());
        Arc::new(DictionaryArray::<Int32Type>::new(recoded, values))
    }
}

/// Returns `true` if both are the same memory.
fn is_same(one: &StringArray, other: &StringArray) -> bool {
    one.len() == other.len() && one.values().ptr_eq(other.values()) && one.offsets().ptr_eq(other.offsets())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(keys: &[i32], texts: &[&str]) -> ArrayRef {
        let values = Arc::new(StringArray::from(texts.to_vec()));
        Arc::new(DictionaryArray::<Int32Type>::new(Int32Array::from(keys.to_vec()), values))
    }

    fn texts(column: &ArrayRef) -> Vec<String> {
        let column = column.as_dictionary::<Int32Type>();
        let values = column.values().as_string::<i32>();
        column.keys().values().iter().map(|&key| values.value(key as usize).to_owned()).collect()
    }

    #[test]
    fn dictionary_of_a_batch_may_repeat_texts() {
        let mut dictionary = GrowingDictionary::default();
        let batches = [
            column(&[0, 1, 2], &["a", "a", "b"]),
            column(&[0, 1], &["c", "a"]),
            column(&[1, 0], &["b", "d"]),
        ];
        for batch in &batches {
            let recoded = dictionary.recode(batch);
            assert_eq!(texts(&recoded), texts(batch));
        }
        assert_eq!(dictionary.values.map(|values| values.len()), Some(4));
    }
}
