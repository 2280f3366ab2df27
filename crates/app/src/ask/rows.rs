//! The rows of games that a search finds.

use std::collections::{HashMap, HashSet};

use pdn::internal::source::path_text;
use pdn::notation::{MoveStyle, move_text};
use pdn::source::Decoder;
use pdn::stop::Stop;
use pdn::value::{Date, FenStyle};
use pdn_index::internal::pack::UnpackedPly;
use pdn_index::internal::query::{DateRange, RecordTags, RowTable, novelties, played_opening};
use pdn_index::internal::{RecordNumbers, TextReader};
use pdn_index::query::Hit;
use pdn_index::{GameRow, Index, IndexedGame};
use pdn_tables::{GameField, IndexedValue};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::values::variant_from;
use crate::ask::error::Result;
use crate::ask::fields::FoundField;
#[cfg(feature = "schema")]
use crate::ask::fields::chosen_fields;

/// The value of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FieldValue {
    /// Nothing is known.
    Null,
    /// A text.
    Text(String),
    /// A number.
    Number(u64),
    /// Moves.
    Moves(Vec<String>),
    /// Names and values of tags.
    Tags(Vec<(String, String)>),
}

impl FieldValue {
    /// Returns the value as the text of a cell; empty if nothing is known.
    pub fn cell(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Moves(moves) => moves.join(" "),
            Self::Tags(tags) => {
                let pairs = tags
                    .iter()
                    .map(|(name, value)| format!("[{name} {}]", serde_json::Value::from(value.as_str())));
                pairs.collect::<Vec<_>>().join(" ")
            }
        }
    }
}

impl Serialize for FieldValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(number) => serializer.serialize_u64(*number),
            Self::Moves(moves) => moves.serialize(serializer),
            Self::Tags(tags) => serializer.collect_map(tags.iter().map(|(name, value)| (name, value))),
        }
    }
}

impl From<&str> for FieldValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for FieldValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for FieldValue {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl<T: Into<Self>> From<Option<T>> for FieldValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The row of a game: a value for each field. Its JSON is an object with the names of the fields as keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundGame<'a> {
    /// The fields.
    pub fields: &'a [FoundField],
    /// Their values.
    pub values: Vec<FieldValue>,
}

impl Serialize for FoundGame<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.values.len()))?;
        for (field, value) in self.fields.iter().zip(&self.values) {
            object.serialize_entry(&field.to_string(), value)?;
        }
        object.end()
    }
}

/// The schema of a row with the usual fields and the position of the match.
#[cfg(feature = "schema")]
impl schemars::JsonSchema for FoundGame<'_> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FoundGame".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let usual = chosen_fields(None, false).into_iter();
        rows_schema(&[], &usual.chain([FoundField::Game(GameField::Fen)]).collect::<Vec<_>>())
    }
}

/// Returns the schema of rows that always have some fields, and others if they are asked for. A tag among these stands for all tags.
#[cfg(feature = "schema")]
pub fn rows_schema(always: &[FoundField], others: &[FoundField]) -> schemars::Schema {
    let (mut properties, mut tag) = (serde_json::Map::new(), serde_json::json!(true));
    for field in always.iter().chain(others) {
        match field {
            FoundField::Tag(_) => tag = field_schema(field),
            _ => drop(properties.insert(field.to_string(), field_schema(field))),
        }
    }
    let required: Vec<String> = always.iter().map(ToString::to_string).collect();
    schemars::json_schema!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": tag
    })
}

/// Returns the schema of the values of a field: their types, and their meaning where a search has found the game.
#[cfg(feature = "schema")]
fn field_schema(field: &FoundField) -> serde_json::Value {
    use serde_json::json;

    let field = match field {
        FoundField::Game(field) => *field,
        FoundField::Line => {
            let doc = "Line of the matching position: 0 is the main line, 1, 2 and so on the variations in the order in which their \
                brackets open.";
            return json!({ "type": "integer", "description": doc });
        }
        FoundField::Distance => {
            let doc =
                "Number of squares of the matching position that differ from the position of the query.";
            return json!({ "type": "integer", "description": doc });
        }
        FoundField::Tags => {
            let doc = "All tags of the record by their names; of several with one name, the first.";
            let values = json!({ "type": "string", "description": "Value of a tag." });
            return json!({ "type": "object", "description": doc, "additionalProperties": values });
        }
        FoundField::Tag(_) => {
            let doc = "Value of a tag, such as `WhiteRating`; null without it.";
            return json!({ "type": ["string", "null"], "description": doc });
        }
    };
    // The other meanings are those of the table of games.
    let doc = match field {
        GameField::Game => "number of the game in the index, from 1".to_owned(),
        GameField::Date => {
            "date as ISO 8601 writes it, `1982-11-20`; null unless year, month and day are known".to_owned()
        }
        GameField::DateText => "known parts of the date; empty without a year".to_owned(),
        GameField::Moves => "moves of the main line in their shortest form, `--` for a null move".to_owned(),
        _ if field.text_column().is_some() => format!("{}; empty if unknown", field.doc()),
        _ => field.doc().to_owned(),
    };
    let doc = format!("{}{}.", doc[..1].to_uppercase(), &doc[1..]);
    if field == GameField::Moves {
        return json!({ "type": "array", "description": doc, "items": { "type": "string" } });
    }
    let value_type = if field.is_number() { "integer" } else { "string" };
    let is_nullable = field.is_fact()
        || matches!(
            field,
            GameField::Date
                | GameField::Year
                | GameField::Month
                | GameField::Winner
                | GameField::WhiteRating
                | GameField::BlackRating
                | GameField::ResultTag
                | GameField::ResultEnd
                | GameField::OpeningPlayed
                | GameField::Novelty
        );
    match is_nullable {
        true => json!({ "type": [value_type, "null"], "description": doc }),
        false => json!({ "type": value_type, "description": doc }),
    }
}

/// Looks up the fields of hits.
#[derive(Clone, Copy, Debug)]
pub struct RowReader<'a> {
    /// The index.
    pub index: &'a Index,
    /// Its columns.
    pub table: &'a RowTable<'a>,
    /// The numbers of its records.
    pub numbers: &'a RecordNumbers,
    /// The fields of a row.
    pub fields: &'a [FoundField],
    /// The distances of the hits, if they are sorted by them.
    pub distances: Option<&'a HashMap<Hit, u32>>,
    /// How positions are written.
    pub fen_style: FenStyle,
}

impl<'a> RowReader<'a> {
    /// Returns the row of a game; `None` if there is no such game. The text of the game is read once,
    /// and only for tags that the index does not store.
    ///
    /// # Errors
    ///
    /// If the index is damaged, or the text of the game cannot be read.
    pub fn row(&self, hit: &Hit) -> Result<Option<FoundGame<'a>>> {
        self.row_with(hit, &mut TextReader::new(self.index))
    }

    /// Returns the row of a game, as [`row`](Self::row) does. `texts` reads the records of the index, and most quickly those of games
    /// that follow each other.
    ///
    /// # Errors
    ///
    /// As [`row`](Self::row).
    pub fn row_with(&self, hit: &Hit, texts: &mut TextReader<'_>) -> Result<Option<FoundGame<'a>>> {
        let (Some(row), Some(game)) = (self.table.row(hit.game), self.index.game(hit.game)) else {
            return Ok(None);
        };
        let needs_text = |field: &FoundField| field.needs_text() || self.is_unstored(field);
        let text = if self.fields.iter().any(needs_text) { texts.text(hit.game)? } else { &[] };
        let decoder = if text.is_empty() { Decoder::default() } else { game.decoder()? };
        let tags = RecordTags::with_decoder(text, decoder);
        let mut values = Vec::with_capacity(self.fields.len());
        for field in self.fields {
            let value = match field {
                FoundField::Game(GameField::ResultTag) => tags.result_tag().into(),
                FoundField::Game(GameField::ResultEnd) => tags.result_end().into(),
                FoundField::Game(of_tag) if self.is_unstored(field) => of_tag
                    .text_column()
                    .and_then(|column| tags.value(column.tag().name()))
                    .unwrap_or_default()
                    .into(),
                FoundField::Game(field) => self.stored(*field, hit, &row, &game)?,
                FoundField::Line => u64::from(hit.line).into(),
                FoundField::Distance => {
                    let distance = self.distances.and_then(|distances| distances.get(hit));
                    distance.map(|&distance| u64::from(distance)).into()
                }
                FoundField::Tags => {
                    let (mut all, mut seen) = (Vec::new(), HashSet::new());
                    for (name, value) in tags.all() {
                        // If a tag is repeated, the first one counts.
                        if seen.insert(name.clone()) {
                            all.push((name, value));
                        }
                    }
                    FieldValue::Tags(all)
                }
                FoundField::Tag(name) => tags.value(name).into(),
            };
            values.push(value);
        }
        Ok(Some(FoundGame { fields: self.fields, values }))
    }

    /// Returns the rows of games, and reads what they need of the index in as few steps as possible.
    ///
    /// # Errors
    ///
    /// As [`row`](Self::row).
    pub fn games(&self, hits: &[Hit]) -> Result<Vec<FoundGame<'a>>> {
        let has_position = self.fields.contains(&FoundField::Game(GameField::Fen));
        self.table.fetch(hits.iter().map(|hit| hit.game), has_position)?;
        let mut texts = TextReader::new(self.index);
        hits.iter().filter_map(|hit| self.row_with(hit, &mut texts).transpose()).collect()
    }

    /// Returns `true` for a text that the index does not store of every game, because an earlier version has written it.
    fn is_unstored(&self, field: &FoundField) -> bool {
        matches!(field, FoundField::Game(field) if field.text_column().is_some_and(|column| !self.index.stores(column)))
    }

    /// Returns the value of a field that the index stores or that follows from it.
    fn stored(
        &self,
        field: GameField,
        hit: &Hit,
        row: &GameRow<'_>,
        game: &IndexedGame<'_>,
    ) -> Result<FieldValue> {
        Ok(match field.in_index(row) {
            IndexedValue::Text(text) => text.into(),
            IndexedValue::Word(word) => word.into(),
            IndexedValue::Number(number) => u64::from(number).into(),
            IndexedValue::Date(date) => date.days().map(|_| date_text(date).replace('.', "-")).into(),
            IndexedValue::DateText(date) => date_text(date).into(),
            IndexedValue::Basis(basis) => variant_from(basis).into(),
            IndexedValue::Game => (hit.game + 1).into(),
            IndexedValue::Ply => u64::from(hit.ply).into(),
            // The first row waits until they are found; the index keeps them.
            IndexedValue::Novelty => {
                let novelties = novelties(self.index, pdn::default_threads(), &Stop::new())?;
                novelties.of(hit.game).ply.map(u64::from).into()
            }
            IndexedValue::File => path_text(&game.input()?.name).into_owned().into(),
            IndexedValue::Record => self.numbers.get(hit.game).map(|record| record + 1).into(),
            IndexedValue::Offset => game.location()?.offset.into(),
            IndexedValue::Length => game.location()?.len.into(),
            IndexedValue::Fen => game.position_in(hit.line, hit.ply)?.fen_as(self.fen_style).into(),
            IndexedValue::OpeningPlayed => Some(played_opening(game)?).filter(|name| !name.is_empty()).into(),
            IndexedValue::Moves => FieldValue::Moves(moves(game)?),
            // No fields of matches.
            IndexedValue::StartFen | IndexedValue::FinalFen => FieldValue::Null,
            // Read from the text by the caller, or columns of tables only.
            IndexedValue::Unknown | IndexedValue::OfText => FieldValue::Null,
        })
    }
}

/// Returns the moves of the main line; see [`ply_text`]. A setup in the middle of a game is not a move.
fn moves(game: &IndexedGame<'_>) -> Result<Vec<String>> {
    let (plies, _) = game.plies()?;
    Ok(plies.iter().map(ply_text).collect())
}

/// Returns the move of a ply in its shortest form; `--` for a null move.
pub(crate) fn ply_text(ply: &UnpackedPly) -> String {
    match &ply.mv {
        Some(mv) => move_text(&ply.before, mv, MoveStyle::Shortest).unwrap_or_else(|_| {
            let names = ply.before.names();
            format!("{}x{}", names.name(mv.from), names.name(mv.to))
        }),
        None => "--".to_owned(),
    }
}

/// Returns a fact of a game; `None` if it did not happen or an earlier version has written the index.
pub(crate) fn fact(field: GameField, row: &GameRow<'_>) -> Option<u32> {
    field.fact(&row.facts?)
}

/// Formats the known parts of a date; empty if the year is unknown.
pub(crate) fn date_text(date: Date) -> String {
    if date.year().is_some() { DateRange::of(date).to_string() } else { String::new() }
}
