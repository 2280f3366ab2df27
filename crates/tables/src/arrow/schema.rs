//! The Arrow schema of a table.
//!
//! The dictionaries of columns that hold one of a few texts. They are the same in every batch of a table, because some
//! readers cannot compare dictionaries that differ.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::{ColumnSelection, ColumnSpec, SCHEMA_VERSION, Table, ValueType};
use arrow_array::StringArray;
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use pdn::diag::Code;
use pdn::replay::GameStatus;
use pdn::rules::Variant;

/// How columns with one of a few texts are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum StringsType {
    /// As dictionaries: numbers of 32 bits and a list of texts.
    #[default]
    Dictionary,
    /// As plain texts, for readers without dictionaries.
    Plain,
}

/// How sets of squares are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum SquaresType {
    /// As integers of 64 bits, which hold the squares of all boards but 12x12.
    #[default]
    U64,
    /// As 16 bytes, little endian, which hold the squares of every board.
    Wide,
}

/// Returns the Arrow schema of selected columns.
///
/// Its metadata has the version of the tables (`pdn.schema`), that of this crate (`pdn.version`), the name of the table
/// (`pdn.table`) and how squares are numbered (`pdn.squares`: `game` or `variant`).
pub fn arrow_schema(selection: &ColumnSelection, strings: StringsType, squares: SquaresType) -> SchemaRef {
    let field = |column: &ColumnSpec| {
        Field::new(column.name, data_type(column.value_type, strings, squares), column.nullable)
    };
    let fields: Vec<Field> = selection.specs().map(field).collect();
    let numbering = if selection.table() == Table::Positions { "variant" } else { "game" };
    let metadata = HashMap::from([
        ("pdn.schema".to_owned(), SCHEMA_VERSION.to_string()),
        ("pdn.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ("pdn.table".to_owned(), selection.table().name().to_owned()),
        ("pdn.squares".to_owned(), numbering.to_owned()),
    ]);
    Arc::new(Schema::new_with_metadata(fields, metadata))
}

/// Returns the Arrow type of a value.
fn data_type(value: ValueType, strings: StringsType, squares: SquaresType) -> DataType {
    match value {
        ValueType::Bool => DataType::Boolean,
        ValueType::I16 => DataType::Int16,
        ValueType::I32 => DataType::Int32,
        ValueType::I64 => DataType::Int64,
        ValueType::Key => DataType::UInt64,
        ValueType::Date => DataType::Date32,
        ValueType::Squares => match squares {
            SquaresType::U64 => DataType::UInt64,
            SquaresType::Wide => DataType::FixedSizeBinary(16),
        },
        ValueType::Word if strings == StringsType::Dictionary => {
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
        }
        ValueType::I16List => DataType::List(item_field(DataType::Int16)),
        ValueType::I32List => DataType::List(item_field(DataType::Int32)),
        ValueType::TextMap => DataType::Map(entries_field(), false),
        // A type of a later version of the library would be a text; there is none.
        _ => DataType::Utf8,
    }
}

/// Returns the field of the items of a list.
pub(crate) fn item_field(item: DataType) -> FieldRef {
    Arc::new(Field::new("item", item, false))
}

/// Returns the fields of the entries of a map.
pub(crate) fn entry_fields() -> Fields {
    vec![Field::new("key", DataType::Utf8, false), Field::new("value", DataType::Utf8, false)].into()
}

/// Returns the field of the entries of a map.
pub(crate) fn entries_field() -> FieldRef {
    Arc::new(Field::new("entries", DataType::Struct(entry_fields()), false))
}

/// The greatest number of file names that every batch carries. With more, each batch has the names that it needs.
const MAX_FILES: usize = 256;

/// A dictionary that is known before the first row.
#[derive(Debug)]
pub(crate) struct Words {
    codes: HashMap<String, i32>,
    pub(crate) values: Arc<StringArray>,
}

impl Words {
    /// Creates the dictionary of these texts; repeated ones are left out.
    fn new(texts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut codes = HashMap::new();
        let mut values: Vec<String> = Vec::new();
        for text in texts {
            let text = text.into();
            codes.entry(text).or_insert_with_key(|text| {
                values.push(text.clone());
                values.len() as i32 - 1
            });
        }
        Self { codes, values: Arc::new(StringArray::from(values)) }
    }

    /// Creates the dictionary of the names of inputs; `None` if there are too many.
    pub(crate) fn of_files(names: impl ExactSizeIterator<Item = String>) -> Option<Self> {
        (names.len() <= MAX_FILES).then(|| Self::new(names))
    }

    /// Returns the number of a text.
    pub(crate) fn code(&self, text: &str) -> Option<i32> {
        self.codes.get(text).copied()
    }

    /// Returns the dictionary of a column that always has the same texts.
    pub(crate) fn of_column(name: &str) -> Option<&'static Self> {
        macro_rules! dictionaries {
            ($($column:literal => $texts:expr;)*) => {
                match name {
                    $($column => {
                        static WORDS: OnceLock<Words> = OnceLock::new();
                        Some(WORDS.get_or_init(|| Words::new($texts)))
                    })*
                    _ => None,
                }
            };
        }
        dictionaries! {
            "status" => GameStatus::ALL.map(GameStatus::name);
            "variant" => Variant::ALL.iter().map(|variant| variant.name());
            "variant_from" => ["tag", "option", "inferred", "assumed"];
            "winner" => ["white", "black", "draw"];
            "by" => ["white", "black"];
            "kind" => ["braces", "semicolon", "percent", "parentheses", "bare"];
            "severity" => ["error", "warning", "style"];
            "code" => Code::ALL.iter().map(|code| code.id());
        }
    }
}
