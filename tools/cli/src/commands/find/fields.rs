//! The fields of a game that `--fields` asks for.

use pdn::index::{GameRow, Index, IndexedGame, RecordNumbers};
use pdn::notation::{MoveStyle, move_text};
use pdn::query::{Hit, RecordTags, RowTable};
use pdn::source::Decoder;
use serde_json::{Map, Value};

use super::print::date;
use crate::args::{FieldList, GameField, StoredField};
use crate::board::words::{variant_from, winner_name};

/// The fields that a table shows without `--fields`.
const TABLE_FIELDS: [StoredField; 11] = [
    StoredField::Game,
    StoredField::Ply,
    StoredField::White,
    StoredField::Black,
    StoredField::Result,
    StoredField::DateText,
    StoredField::Variant,
    StoredField::Event,
    StoredField::Round,
    StoredField::File,
    StoredField::Record,
];

/// Returns the fields to print: those of the list, after the usual ones of a table or of JSON if there is no list or it
/// adds to them.
pub(super) fn chosen(list: Option<&FieldList>, is_table: bool) -> Vec<GameField> {
    let mut fields = Vec::new();
    if list.is_none_or(|list| list.adds) {
        let all = StoredField::ALL.iter().copied().filter(|field| field.is_default());
        let usual: Vec<StoredField> = if is_table { TABLE_FIELDS.to_vec() } else { all.collect() };
        fields.extend(usual.into_iter().map(GameField::Stored));
    }
    for field in list.iter().flat_map(|list| &list.fields) {
        if !fields.contains(field) {
            fields.push(field.clone());
        }
    }
    fields
}

/// Returns `true` if the text of a game is read for some field of the list.
pub(super) fn read_text(list: &FieldList) -> bool {
    list.fields.iter().any(GameField::needs_text)
}

/// Looks up the fields of hits.
pub(super) struct FieldReader<'a> {
    pub(super) index: &'a Index,
    pub(super) table: &'a RowTable<'a>,
    pub(super) numbers: &'a RecordNumbers,
    pub(super) fields: &'a [GameField],
}

impl FieldReader<'_> {
    /// Returns the values of the fields, by their names; `None` if there is no such game. The text of the game is read once,
    /// and only for tags that the index does not store.
    ///
    /// # Errors
    ///
    /// If the index is damaged, or the text of the game cannot be read.
    pub(super) fn values(&self, hit: &Hit) -> pdn::Result<Option<Map<String, Value>>> {
        let (Some(row), Some(game)) = (self.table.row(hit.game), self.index.game(hit.game)) else {
            return Ok(None);
        };
        let text = if self.fields.iter().any(GameField::needs_text) { game.text()? } else { Vec::new() };
        let decoder = if text.is_empty() { Decoder::default() } else { game.decoder()? };
        let tags = RecordTags::with_decoder(&text, decoder);
        let mut values = Map::new();
        for field in self.fields {
            let value = match field {
                GameField::Stored(StoredField::ResultTag) => tags.result_tag().into(),
                GameField::Stored(StoredField::ResultEnd) => tags.result_end().into(),
                GameField::Stored(field) => self.stored(*field, hit, &row, &game)?,
                GameField::Tags => {
                    let mut all = Map::new();
                    for (name, value) in tags.all() {
                        // If a tag is repeated, the first one counts.
                        all.entry(name).or_insert_with(|| value.into());
                    }
                    Value::Object(all)
                }
                GameField::Tag(name) => tags.value(name).into(),
            };
            values.insert(field.to_string(), value);
        }
        Ok(Some(values))
    }

    /// Returns the value of a field that the index stores or that follows from it.
    fn stored(
        &self,
        field: StoredField,
        hit: &Hit,
        row: &GameRow<'_>,
        game: &IndexedGame<'_>,
    ) -> pdn::Result<Value> {
        let rating = |rating: u16| Value::from((rating != 0).then_some(rating));
        Ok(match field {
            StoredField::Game => (hit.game + 1).into(),
            StoredField::Ply => hit.ply.into(),
            StoredField::White => row.white.into(),
            StoredField::Black => row.black.into(),
            StoredField::Event => row.event.into(),
            StoredField::Site => row.site.into(),
            StoredField::Date => row
                .date
                .day()
                .and(row.date.month())
                .and(row.date.year())
                .map(|_| date(row).replace('.', "-"))
                .into(),
            StoredField::DateText => date(row).into(),
            StoredField::Year => row.date.year().into(),
            StoredField::Month => row.date.month().into(),
            StoredField::Round => row.round.into(),
            StoredField::Result => row.result.into(),
            // They are read from the text, by the caller.
            StoredField::ResultTag | StoredField::ResultEnd => Value::Null,
            StoredField::Winner => winner_name(row.outcome, row.kind.numbering.start).into(),
            StoredField::Variant => row.kind.variant.name().into(),
            StoredField::VariantFrom => variant_from(row.kind.basis).into(),
            StoredField::Plies => row.plies.into(),
            StoredField::Status => row.status.name().into(),
            StoredField::WhiteRating => rating(row.ratings[0]),
            StoredField::BlackRating => rating(row.ratings[1]),
            StoredField::File => game.input()?.name.to_string_lossy().into(),
            StoredField::Record => self.numbers.get(hit.game).map(|record| record + 1).into(),
            StoredField::Offset => game.location()?.offset.into(),
            StoredField::Length => game.location()?.len.into(),
            StoredField::Fen => game.position(hit.ply)?.fen().into(),
            StoredField::Moves => moves(game)?.into(),
        })
    }
}

/// Returns the moves of the main line in their shortest form; `--` for a null move. A setup in the middle of a game is not a
/// move.
fn moves(game: &IndexedGame<'_>) -> pdn::Result<Vec<String>> {
    let (plies, _) = game.plies()?;
    let text = |ply: &pdn::pack::UnpackedPly| match &ply.mv {
        Some(mv) => move_text(&ply.before, mv, MoveStyle::Shortest).unwrap_or_else(|_| {
            let names = ply.before.names();
            format!("{}x{}", names.name(mv.from), names.name(mv.to))
        }),
        None => "--".to_owned(),
    };
    Ok(plies.iter().map(text).collect())
}

/// Returns the text of a value in a table.
pub(super) fn table_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(moves) => moves.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        Value::Object(tags) => {
            let pairs = tags.iter().map(|(name, value)| format!("[{name} {value}]"));
            pairs.collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}
