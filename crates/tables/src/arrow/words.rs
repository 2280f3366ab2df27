//! The dictionaries of columns that hold one of a few texts. They are the same in every batch of a table, because some
//! readers cannot compare dictionaries that differ.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use arrow_array::StringArray;
use pdn::diag::Code;
use pdn::replay::GameStatus;
use pdn::rules::Variant;

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
