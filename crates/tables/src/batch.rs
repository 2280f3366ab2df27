//! Rows of a table as typed columns: the form that every format is written from.

use std::borrow::Cow;
use std::collections::HashSet;

use pdn::internal::replay::CandidateGame;
use pdn::position::Position;
use pdn::value::FenStyle;
use pdn_index::internal::query::{TableNumber, Tables, VALUE_NAMES};
use pdn_rules::internal::position::State;

use super::dataset::DatasetGames;
use pdn_rules::internal::steps;

/// Consecutive rows of a table, column by column.
///
/// The columns are those of a [`ColumnSelection`](super::ColumnSelection), in its order. All have the same length.
///
/// [`RowMaker::rows`](super::RowMaker::rows) and [`IndexRows::for_each`](super::IndexRows::for_each) make it.
/// [`CsvWriter`](super::CsvWriter) and [`JsonlWriter`](super::JsonlWriter) write it as text.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TableBatch {
    /// The number of rows.
    pub rows: usize,
    /// The columns.
    #[doc(hidden)]
    pub columns: Vec<BatchColumn>,
    /// The positions of the games that were chosen for a training set, instead of rows.
    #[doc(hidden)]
    pub dataset: DatasetGames,
    /// How positions are written.
    pub(super) fen_style: FenStyle,
    /// The tables of endings in which positions are looked up.
    pub(super) tables: Option<Tables>,
}

impl TableBatch {
    /// Makes room for more rows.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.columns.iter_mut().for_each(|column| column.reserve(rows));
    }
}

/// The values of one column.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BatchColumn {
    /// The values. A null has a value too, which means nothing: 0 or an empty text.
    pub values: ColumnValues,
    /// `false` for each null; `None` if there is no null.
    pub valid: Option<Vec<bool>>,
}

/// The values of one column, by type.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum ColumnValues {
    /// Truth values.
    Bool(Vec<bool>),
    /// Signed integers of 16 bits.
    I16(Vec<i16>),
    /// Signed integers of 32 bits.
    I32(Vec<i32>),
    /// Signed integers of 64 bits.
    I64(Vec<i64>),
    /// Days since 1 January 1970.
    Date(Vec<i32>),
    /// Position keys.
    Key(Vec<u64>),
    /// Sets of squares: bit `n - 1` is the square with number `n`.
    Squares(SquareSets),
    /// Texts.
    Text(TextValues),
    /// Texts that repeat, as numbers of a list.
    Dictionary(DictionaryValues),
    /// Lists of signed integers of 16 bits.
    I16List(ListValues<i16>),
    /// Lists of signed integers of 32 bits.
    I32List(ListValues<i32>),
    /// Names with values, in order; no name occurs twice.
    TextMap(MapValues),
}

/// Sets of squares, in words of 64 bits as long as all sets are of boards with as few squares.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SquareSets {
    /// Sets of boards with up to 64 squares.
    Narrow(Vec<u64>),
    /// Sets of which some are of larger boards.
    Wide(Vec<u128>),
}

/// Texts, one after the other in one buffer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct TextValues {
    /// All texts without separators.
    pub bytes: String,
    /// The end of each text in `bytes`.
    pub ends: Vec<usize>,
}

/// Texts of a short list, by their number in the list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct DictionaryValues {
    /// The number of each value in `texts`.
    pub codes: Vec<u32>,
    /// The texts, each once.
    pub texts: TextValues,
}

/// Lists of numbers, one after the other in one buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ListValues<T> {
    /// The numbers of all lists.
    pub items: Vec<T>,
    /// The end of each list in `items`.
    pub ends: Vec<usize>,
}

/// Names with values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct MapValues {
    /// The names of all maps.
    pub names: TextValues,
    /// The values of all maps.
    pub values: TextValues,
    /// The end of each map in `names` and `values`.
    pub ends: Vec<usize>,
}

impl<T> Default for ListValues<T> {
    fn default() -> Self {
        Self { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T> ListValues<T> {
    /// Returns list `n`, from 0.
    pub fn get(&self, n: usize) -> &[T] {
        &self.items[start(&self.ends, n)..self.ends[n]]
    }

    /// Appends a list.
    pub(super) fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.ends.push(self.items.len());
    }
}

impl Default for SquareSets {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

impl SquareSets {
    /// Returns the number of sets.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(sets) => sets.len(),
            Self::Wide(sets) => sets.len(),
        }
    }

    /// Returns `true` if there is no set.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns set `n`, from 0.
    #[inline]
    pub fn get(&self, n: usize) -> u128 {
        match self {
            Self::Narrow(sets) => sets[n].into(),
            Self::Wide(sets) => sets[n],
        }
    }

    /// Returns the words of 128 bits, into which earlier sets are copied first.
    fn widened(&mut self) -> &mut Vec<u128> {
        if let Self::Narrow(sets) = self {
            *self = Self::Wide(sets.iter().map(|&set| set.into()).collect());
        }
        match self {
            Self::Wide(sets) => sets,
            Self::Narrow(_) => unreachable!("the sets were widened"),
        }
    }
}

impl TextValues {
    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there is no text.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns text `n`, from 0.
    #[inline]
    pub fn get(&self, n: usize) -> &str {
        &self.bytes[start(&self.ends, n)..self.ends[n]]
    }

    /// Appends a text.
    pub(super) fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.end();
    }

    /// Ends a text that was appended to `bytes`.
    #[inline]
    pub(super) fn end(&mut self) {
        self.ends.push(self.bytes.len());
    }
}

impl DictionaryValues {
    /// Returns the number of a text, which is added if it is new.
    fn code(&mut self, text: &str) -> u32 {
        // The last text is the most likely one: the rows of a game have the same file.
        let known = (0..self.texts.len()).rev().find(|&n| self.texts.get(n) == text);
        let code = known.unwrap_or_else(|| {
            self.texts.push(text);
            self.texts.len() - 1
        });
        code as u32
    }

    /// Appends `rows` values that are all `text`.
    pub(super) fn push(&mut self, text: &str, rows: usize) {
        let code = self.code(text);
        self.codes.resize(self.codes.len() + rows, code);
    }

    /// Returns text `n`, from 0.
    pub fn get(&self, n: usize) -> &str {
        self.texts.get(self.codes[n] as usize)
    }
}

impl MapValues {
    /// Returns the names and values of map `n`, from 0, in their order.
    pub fn get(&self, n: usize) -> impl Iterator<Item = (&str, &str)> {
        (start(&self.ends, n)..self.ends[n]).map(|item| (self.names.get(item), self.values.get(item)))
    }

    /// Appends names with their values to the map that is not ended yet. Of equal names the first one counts.
    pub(super) fn extend<'t>(&mut self, pairs: impl Iterator<Item = (Cow<'t, str>, Cow<'t, str>)>) {
        /// Names that are compared one by one; more are looked up.
        const MAX_COMPARED: usize = 32;
        let begin = self.names.len();
        let mut seen: Option<HashSet<String>> = None;
        for (name, value) in pairs {
            let count = self.names.len() - begin;
            if count == MAX_COMPARED && seen.is_none() {
                seen = Some((begin..self.names.len()).map(|item| self.names.get(item).to_owned()).collect());
            }
            let is_new = match &mut seen {
                Some(seen) => seen.insert(name.clone().into_owned()),
                None => {
                    steps::add(1 + count);
                    (begin..self.names.len()).all(|item| self.names.get(item) != name)
                }
            };
            if is_new {
                self.names.push(&name);
                self.values.push(&value);
            }
        }
    }

    /// Ends the map.
    pub(super) fn end(&mut self) {
        self.ends.push(self.names.len());
    }
}

/// Returns the start of an item in a buffer from the ends of all items.
#[inline]
fn start(ends: &[usize], n: usize) -> usize {
    n.checked_sub(1).map_or(0, |before| ends[before])
}

impl ColumnValues {
    /// Returns the number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Bool(values) => values.len(),
            Self::Key(values) => values.len(),
            Self::I16(values) => values.len(),
            Self::I64(values) => values.len(),
            Self::I32(values) | Self::Date(values) => values.len(),
            Self::Squares(values) => values.len(),
            Self::Text(values) => values.len(),
            Self::Dictionary(values) => values.codes.len(),
            Self::I16List(values) => values.ends.len(),
            Self::I32List(values) => values.ends.len(),
            Self::TextMap(values) => values.ends.len(),
        }
    }

    /// Returns `true` if there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl BatchColumn {
    /// Creates a column without values.
    pub(super) fn new(values: ColumnValues) -> Self {
        Self { values, valid: None }
    }

    /// Returns `true` if value `n`, from 0, is null.
    #[inline]
    pub fn is_null(&self, n: usize) -> bool {
        self.valid.as_ref().is_some_and(|valid| !valid[n])
    }

    /// Marks values as valid or null. `rows` is the number of values so far, `added` of which are new.
    fn mark(&mut self, rows: usize, added: usize, is_valid: bool) {
        if self.valid.is_none() && !is_valid {
            self.valid = Some(vec![true; rows - added]);
        }
        if let Some(valid) = &mut self.valid {
            valid.resize(rows, is_valid);
        }
    }
}

/// Appends values of a type to a column. A value of another type than the column is a fault of this module: the
/// table's definition names the type of each column, and a test fills every column.
macro_rules! push_methods {
    ($($(#[$doc:meta])* $name:ident, $variant:ident: $type:ty;)*) => {
        impl BatchColumn {
            $(
                $(#[$doc])*
                pub(super) fn $name(&mut self, value: Option<$type>) {
                    let ColumnValues::$variant(values) = &mut self.values else { return wrong_type(&self.values) };
                    values.push(value.unwrap_or_default());
                    let rows = values.len();
                    self.mark(rows, 1, value.is_some());
                }
            )*
        }
    };
}

push_methods! {
    /// Appends an integer or a null.
    push_i16, I16: i16;
    /// Appends an integer or a null.
    push_i32, I32: i32;
    /// Appends an integer or a null.
    push_i64, I64: i64;
    /// Appends a number of days or a null.
    push_date, Date: i32;
}

/// Appends values and nulls.
macro_rules! extend_nullable_methods {
    ($($name:ident, $variant:ident: $type:ty;)*) => {
        impl BatchColumn {
            $(
                /// Appends values and nulls.
                #[cfg_attr(not(debug_assertions), inline(always))]
                pub(super) fn $name(&mut self, new: impl Iterator<Item = Option<$type>> + Clone) {
                    let ColumnValues::$variant(values) = &mut self.values else { return wrong_type(&self.values) };
                    let before = values.len();
                    values.extend(new.clone().map(Option::unwrap_or_default));
                    if self.valid.is_none() && new.clone().any(|value| value.is_none()) {
                        self.valid = Some(vec![true; before]);
                    }
                    if let Some(valid) = &mut self.valid {
                        valid.extend(new.map(|value| value.is_some()));
                    }
                }
            )*
        }
    };
}

extend_nullable_methods! {
    extend_nullable_i16, I16: i16;
    extend_nullable_i32, I32: i32;
    extend_nullable_i64, I64: i64;
}

/// Appends values that are not null.
macro_rules! extend_methods {
    ($($name:ident, $variant:ident: $type:ty;)*) => {
        impl BatchColumn {
            $(
                /// Appends values that are not null.
                #[cfg_attr(not(debug_assertions), inline(always))]
                pub(super) fn $name(&mut self, new: impl Iterator<Item = $type>) {
                    let ColumnValues::$variant(values) = &mut self.values else { return wrong_type(&self.values) };
                    values.extend(new);
                    let rows = values.len();
                    if let Some(valid) = &mut self.valid {
                        valid.resize(rows, true);
                    }
                }
            )*
        }
    };
}

extend_methods! {
    extend_bool, Bool: bool;
    extend_i16, I16: i16;
    extend_i32, I32: i32;
    extend_key, Key: u64;
}

impl BatchColumn {
    /// Appends a text or a null.
    pub(super) fn push_text(&mut self, value: Option<&str>) {
        let ColumnValues::Text(values) = &mut self.values else { return wrong_type(&self.values) };
        values.push(value.unwrap_or_default());
        let rows = values.len();
        self.mark(rows, 1, value.is_some());
    }

    /// Appends a text that `write` appends to the buffer; `false` stands for a null.
    #[inline]
    pub(super) fn write_text(&mut self, write: impl FnOnce(&mut String) -> bool) {
        let ColumnValues::Text(values) = &mut self.values else { return wrong_type(&self.values) };
        let is_valid = write(&mut values.bytes);
        values.end();
        let rows = values.len();
        self.mark(rows, 1, is_valid);
    }

    /// Appends the same text, or null, `rows` times.
    pub(super) fn push_word(&mut self, value: Option<&str>, rows: usize) {
        let ColumnValues::Dictionary(values) = &mut self.values else { return wrong_type(&self.values) };
        values.push(value.unwrap_or_default(), rows);
        let all = values.codes.len();
        self.mark(all, rows, value.is_some());
    }

    /// Appends a number that tables of endings have of each position of a game.
    pub(super) fn extend_table_numbers<'s>(
        &mut self,
        number: TableNumber,
        tables: Option<&Tables>,
        candidate: &CandidateGame,
        states: impl Iterator<Item = &'s State<u128>>,
    ) {
        let found = |state: &State<u128>| {
            tables?.number(number, candidate.variant, &Position::from_state(candidate.game(), *state))
        };
        match number {
            TableNumber::Value => {
                let name =
                    |value| VALUE_NAMES.iter().find(|(_, named)| *named == value).map(|(name, _)| *name);
                states.for_each(|state| self.push_word(found(state).and_then(name), 1));
            }
            TableNumber::Distance => {
                // Each is looked up once.
                let plies: Vec<Option<i32>> = states.map(found).collect();
                self.extend_nullable_i32(plies.into_iter());
            }
        }
    }

    /// Appends one of two texts for each of `picks`: the second for `true`.
    pub(super) fn push_either(&mut self, texts: [&str; 2], picks: impl Iterator<Item = bool>) {
        let ColumnValues::Dictionary(values) = &mut self.values else { return wrong_type(&self.values) };
        let codes = texts.map(|text| values.code(text));
        let before = values.codes.len();
        values.codes.extend(picks.map(|pick| codes[usize::from(pick)]));
        let all = values.codes.len();
        self.mark(all, all - before, true);
    }

    /// Appends sets of squares of a board with up to 64 squares.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn extend_squares(&mut self, new: impl Iterator<Item = u64>) {
        match &mut self.values {
            ColumnValues::Squares(SquareSets::Narrow(sets)) => sets.extend(new),
            ColumnValues::Squares(SquareSets::Wide(sets)) => sets.extend(new.map(u128::from)),
            other => wrong_type(other),
        }
    }

    /// Appends sets of squares of a larger board.
    pub(super) fn extend_wide_squares(&mut self, new: impl Iterator<Item = u128>) {
        let ColumnValues::Squares(sets) = &mut self.values else { return wrong_type(&self.values) };
        sets.widened().extend(new);
    }

    /// Appends a text for each row, of which `write` appends the bytes to a buffer. They are UTF-8; this is checked for all rows at once.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn extend_text_bytes<T>(
        &mut self,
        rows: impl ExactSizeIterator<Item = T>,
        mut write: impl FnMut(T, &mut Vec<u8>),
    ) {
        let ColumnValues::Text(TextValues { bytes, ends }) = &mut self.values else {
            return wrong_type(&self.values);
        };
        let (before, mut text) = (bytes.len(), Vec::with_capacity(8 * rows.len()));
        ends.extend(rows.map(|row| {
            write(row, &mut text);
            before + text.len()
        }));
        bytes.push_str(&String::from_utf8_lossy(&text));
        let all = ends.len();
        if let Some(valid) = &mut self.valid {
            valid.resize(all, true);
        }
    }

    /// Appends a text for each row, which `write` appends to the buffer.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn extend_texts<T>(
        &mut self,
        rows: impl Iterator<Item = T>,
        mut write: impl FnMut(T, &mut String),
    ) {
        let ColumnValues::Text(TextValues { bytes, ends }) = &mut self.values else {
            return wrong_type(&self.values);
        };
        ends.extend(rows.map(|row| {
            write(row, bytes);
            bytes.len()
        }));
        let all = ends.len();
        if let Some(valid) = &mut self.valid {
            valid.resize(all, true);
        }
    }

    /// Appends a list for each row, which `write` appends to the buffer.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn extend_i16_lists<T>(
        &mut self,
        rows: impl Iterator<Item = T>,
        mut write: impl FnMut(T, &mut Vec<i16>),
    ) {
        let ColumnValues::I16List(ListValues { items, ends }) = &mut self.values else {
            return wrong_type(&self.values);
        };
        ends.extend(rows.map(|row| {
            write(row, items);
            items.len()
        }));
        let all = ends.len();
        if let Some(valid) = &mut self.valid {
            valid.resize(all, true);
        }
    }

    /// Appends nulls.
    pub(super) fn push_nulls(&mut self, rows: usize) {
        match &mut self.values {
            ColumnValues::I16(values) => values.resize(values.len() + rows, 0),
            ColumnValues::I32(values) => values.resize(values.len() + rows, 0),
            ColumnValues::I64(values) => values.resize(values.len() + rows, 0),
            ColumnValues::Text(values) => values.ends.resize(values.ends.len() + rows, values.bytes.len()),
            ColumnValues::Dictionary(values) => values.push("", rows),
            ColumnValues::I32List(values) => values.ends.resize(values.ends.len() + rows, values.items.len()),
            ColumnValues::TextMap(values) => (0..rows).for_each(|_| values.end()),
            other => return wrong_type(other),
        }
        let all = self.values.len();
        self.mark(all, rows, false);
    }

    /// Makes room for more rows with texts and lists of a few bytes.
    fn reserve(&mut self, rows: usize) {
        match &mut self.values {
            ColumnValues::Bool(values) => values.reserve(rows),
            ColumnValues::Key(values) => values.reserve(rows),
            ColumnValues::I16(values) => values.reserve(rows),
            ColumnValues::I64(values) => values.reserve(rows),
            ColumnValues::I32(values) | ColumnValues::Date(values) => values.reserve(rows),
            ColumnValues::Squares(SquareSets::Narrow(values)) => values.reserve(rows),
            ColumnValues::Squares(SquareSets::Wide(values)) => values.reserve(rows),
            ColumnValues::Text(values) => {
                values.ends.reserve(rows);
                values.bytes.reserve(6 * rows);
            }
            ColumnValues::Dictionary(values) => values.codes.reserve(rows),
            ColumnValues::I16List(values) => {
                values.ends.reserve(rows);
                values.items.reserve(2 * rows);
            }
            ColumnValues::I32List(values) => values.ends.reserve(rows),
            ColumnValues::TextMap(values) => values.ends.reserve(rows),
        }
    }

    /// Appends a list or a null.
    pub(super) fn push_i32_list(&mut self, items: Option<impl IntoIterator<Item = i32>>) {
        let is_valid = items.is_some();
        let ColumnValues::I32List(values) = &mut self.values else { return wrong_type(&self.values) };
        values.push(items.into_iter().flatten());
        let rows = values.ends.len();
        self.mark(rows, 1, is_valid);
    }

    /// Appends the same integer, or null, `rows` times.
    pub(super) fn repeat_i64(&mut self, value: Option<i64>, rows: usize) {
        let ColumnValues::I64(values) = &mut self.values else { return wrong_type(&self.values) };
        values.resize(values.len() + rows, value.unwrap_or_default());
        let all = values.len();
        self.mark(all, rows, value.is_some());
    }

    /// Appends the same integer `rows` times.
    pub(super) fn repeat_i32(&mut self, value: i32, rows: usize) {
        self.extend_i32(std::iter::repeat_n(value, rows));
    }

    /// Returns the map that is being filled, to add its names; [`end_map`](Self::end_map) ends it.
    pub(super) fn map(&mut self) -> Option<&mut MapValues> {
        match &mut self.values {
            ColumnValues::TextMap(values) => Some(values),
            _ => None,
        }
    }

    /// Ends the map that is being filled.
    pub(super) fn end_map(&mut self) {
        let Some(values) = self.map() else { return wrong_type(&self.values) };
        values.end();
        let rows = values.ends.len();
        self.mark(rows, 1, true);
    }
}

/// Reports a value of another type than its column in tests. In a release the row would be incomplete, which
/// [`TableBatch`]'s user sees from the lengths of its columns.
#[cold]
fn wrong_type(values: &ColumnValues) {
    debug_assert!(false, "a value of another type than {values:?}");
}
