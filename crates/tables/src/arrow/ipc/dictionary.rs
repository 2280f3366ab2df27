//! Dictionaries that grow from batch to batch.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, StringArray};

/// A dictionary that every batch so far has used, with the texts of earlier batches first.
#[derive(Debug, Default)]
pub(super) struct GrowingDictionary {
    /// The texts, as the last batch had them.
    values: Option<Arc<StringArray>>,
    codes: HashMap<String, i32>,
}

impl GrowingDictionary {
    /// Returns the column with this dictionary, to which the texts of the column are added.
    pub(super) fn recode(&mut self, column: &ArrayRef) -> ArrayRef {
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
