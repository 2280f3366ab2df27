//! The fields of a game that `--fields` asks for.

use pdn::export::GameField;
use pdn::index::{GameRow, Index, IndexedGame, RecordNumbers};
use pdn::notation::{MoveStyle, move_text};
use pdn::query::{Hit, RecordTags, RowTable};
use pdn::source::Decoder;
use serde_json::{Map, Value};

use super::print::date;
use crate::args::{FieldList, FoundField};
use crate::board::words::{variant_from, winner_name};

/// The fields that a table shows without `--fields`.
const TABLE_FIELDS: [GameField; 11] = [
    GameField::Game,
    GameField::Ply,
    GameField::White,
    GameField::Black,
    GameField::Result,
    GameField::DateText,
    GameField::Variant,
    GameField::Event,
    GameField::Round,
    GameField::File,
    GameField::Record,
];

/// Returns the fields to print: those of the list, after the usual ones of a table or of JSON if there is no list or it
/// adds to them.
pub(super) fn chosen(list: Option<&FieldList>, is_table: bool) -> Vec<FoundField> {
    let mut fields = Vec::new();
    if list.is_none_or(|list| list.adds) {
        let all = GameField::OF_MATCHES.iter().copied().filter(|field| field.is_default_of_matches());
        let usual: Vec<GameField> = if is_table { TABLE_FIELDS.to_vec() } else { all.collect() };
        fields.extend(usual.into_iter().map(FoundField::Game));
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
    list.fields.iter().any(FoundField::needs_text)
}

/// Looks up the fields of hits.
pub(super) struct FieldReader<'a> {
    pub(super) index: &'a Index,
    pub(super) table: &'a RowTable<'a>,
    pub(super) numbers: &'a RecordNumbers,
    pub(super) fields: &'a [FoundField],
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
        let needs_text = |field: &FoundField| field.needs_text() || self.is_unstored(field);
        let text = if self.fields.iter().any(needs_text) { game.text()? } else { Vec::new() };
        let decoder = if text.is_empty() { Decoder::default() } else { game.decoder()? };
        let tags = RecordTags::with_decoder(&text, decoder);
        let mut values = Map::new();
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
                FoundField::Tags => {
                    let mut all = Map::new();
                    for (name, value) in tags.all() {
                        // If a tag is repeated, the first one counts.
                        all.entry(name).or_insert_with(|| value.into());
                    }
                    Value::Object(all)
                }
                FoundField::Tag(name) => tags.value(name).into(),
            };
            values.insert(field.to_string(), value);
        }
        Ok(Some(values))
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
    ) -> pdn::Result<Value> {
        if let Some(column) = field.text_column() {
            return Ok(row.text(column).into());
        }
        let rating = |rating: u16| Value::from((rating != 0).then_some(rating));
        Ok(match field {
            GameField::Game => (hit.game + 1).into(),
            GameField::Ply => hit.ply.into(),
            GameField::Date => row
                .date
                .day()
                .and(row.date.month())
                .and(row.date.year())
                .map(|_| date(row).replace('.', "-"))
                .into(),
            GameField::DateText => date(row).into(),
            GameField::Year => row.date.year().into(),
            GameField::Month => row.date.month().into(),
            GameField::Winner => winner_name(row.outcome, row.kind.numbering.start).into(),
            GameField::Variant => row.kind.variant.name().into(),
            GameField::VariantFrom => variant_from(row.kind.basis).into(),
            GameField::Plies => row.plies.into(),
            GameField::Status => row.status.name().into(),
            GameField::WhiteRating => rating(row.ratings[0]),
            GameField::BlackRating => rating(row.ratings[1]),
            GameField::File => game.input()?.name.to_string_lossy().into(),
            GameField::Record => self.numbers.get(hit.game).map(|record| record + 1).into(),
            GameField::Offset => game.location()?.offset.into(),
            GameField::Length => game.location()?.len.into(),
            GameField::Fen => game.position(hit.ply)?.fen().into(),
            GameField::Moves => moves(game)?.into(),
            // Read from the text by the caller, or columns of tables only.
            _ => Value::Null,
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
