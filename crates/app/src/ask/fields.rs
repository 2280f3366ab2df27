//! The fields of a game that a question can ask for.

use std::fmt;

use pdn_index::query::Query;
use pdn_tables::GameField;

/// A list of fields: names separated by commas, after `+` to add them to the usual ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldList {
    /// Whether the fields are added to those that are printed without the option.
    pub adds: bool,
    /// The fields.
    pub fields: Vec<FoundField>,
}

/// A field of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FoundField {
    /// A value that every game has.
    Game(GameField),
    /// The line of the game in which the match of a search lies.
    Line,
    /// The number of squares that differ from the position that a search asks for; only in rows that are sorted by it.
    Distance,
    /// The names and values of all tags, read from the text of the game.
    Tags,
    /// The value of a tag, read from the text of the game.
    Tag(String),
}

/// The name of the line of a match.
const LINE: &str = "line";

/// The fields that a table for people shows unless others are asked for.
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

/// Returns the fields of a row: those of the list, after the usual ones of a table or of JSON if there is no list or it
/// adds to them.
pub fn chosen_fields(list: Option<&FieldList>, is_table: bool) -> Vec<FoundField> {
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

/// Adds the line of the match after its ply, if the hits of a query may lie in variations.
pub fn add_line(fields: &mut Vec<FoundField>, query: &Query) {
    let ply = fields.iter().position(|field| *field == FoundField::Game(GameField::Ply));
    if let Some(ply) = ply.filter(|_| query.enters_variations() && !fields.contains(&FoundField::Line)) {
        fields.insert(ply + 1, FoundField::Line);
    }
}

impl FoundField {
    /// Returns `true` for a value that is read from the text of the game.
    pub const fn needs_text(&self) -> bool {
        match self {
            Self::Game(field) => field.needs_text_of_match(),
            Self::Line | Self::Distance => false,
            Self::Tags | Self::Tag(_) => true,
        }
    }
}

impl fmt::Display for FoundField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game(field) => f.write_str(field.name()),
            Self::Line => f.write_str(LINE),
            Self::Distance => f.write_str("distance"),
            Self::Tags => f.write_str("tags"),
            Self::Tag(name) => f.write_str(name),
        }
    }
}

/// Parses a list of fields: names separated by commas, after `+` to add them to the usual ones.
///
/// # Errors
///
/// A message with all names if one is unknown.
pub fn parse_fields(text: &str) -> Result<FieldList, String> {
    let (adds, names) = text.strip_prefix('+').map_or((false, text), |rest| (true, rest));
    let fields = names.split(',').map(|name| parse_field(name.trim())).collect::<Result<_, _>>()?;
    Ok(FieldList { adds, fields })
}

/// Parses the name of a field.
///
/// # Errors
///
/// A message with all names if it is unknown.
pub(crate) fn parse_field(name: &str) -> Result<FoundField, String> {
    if let Some(tag) = name.strip_prefix("tag:").map(str::trim).filter(|tag| !tag.is_empty()) {
        return Ok(FoundField::Tag(tag.to_owned()));
    }
    if name == "tags" {
        return Ok(FoundField::Tags);
    }
    if name == LINE {
        return Ok(FoundField::Line);
    }
    if let Some(field) = GameField::OF_MATCHES.iter().find(|field| field.name() == name) {
        return Ok(FoundField::Game(*field));
    }
    if name.starts_with(char::is_uppercase) {
        return Ok(FoundField::Tag(name.to_owned()));
    }
    let known: Vec<&str> = GameField::OF_MATCHES.iter().map(|field| field.name()).collect();
    Err(format!(
        "no field is called `{name}`; the fields are {}, line, tags, and any tag such as TimeControl or tag:eco",
        known.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn field_list_has_fields_and_tags() {
        let list = parse_fields("game, white,TimeControl,tag:eco").unwrap();
        assert_eq!(
            list.fields,
            [
                FoundField::Game(GameField::Game),
                FoundField::Game(GameField::White),
                FoundField::Tag("TimeControl".to_owned()),
                FoundField::Tag("eco".to_owned()),
            ]
        );
        assert!(!list.adds && parse_fields("+moves").unwrap().adds);
        for wrong in ["", "game,", "moove", "tag:"] {
            assert!(parse_fields(wrong).unwrap_err().contains("white_rating"), "{wrong}");
        }
    }
}
