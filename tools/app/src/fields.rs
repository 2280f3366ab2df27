//! The fields of a game that a question can ask for.

use std::fmt;

/// A list of fields: names separated by commas, after `+` to add them to the usual ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldList {
    /// Whether the fields are added to those that are printed without the option.
    pub adds: bool,
    /// The fields.
    pub fields: Vec<GameField>,
}

/// A field of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameField {
    /// A value that the index stores or that follows from it.
    Stored(StoredField),
    /// The names and values of all tags, read from the text of the game.
    Tags,
    /// The value of a tag, read from the text of the game.
    Tag(String),
}

/// Declares the fields with their names, in the order of the JSON of `pdn find`.
macro_rules! stored_fields {
    ($($(#[$doc:meta])* $field:ident = $name:literal,)*) => {
        /// A value of a game that the index stores or that follows from it.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum StoredField {
            $($(#[$doc])* $field,)*
        }

        impl StoredField {
            /// All fields.
            pub const ALL: &[Self] = &[$(Self::$field,)*];

            /// Returns the name of the field, which is also its key in JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$field => $name,)*
                }
            }
        }
    };
}

stored_fields! {
    /// The number of the game in the index, from 1.
    Game = "game",
    /// The ply of the match.
    Ply = "ply",
    /// The name of White.
    White = "white",
    /// The name of Black.
    Black = "black",
    /// The event.
    Event = "event",
    /// The site.
    Site = "site",
    /// The date as `YYYY-MM-DD` if it is complete.
    Date = "date",
    /// The known parts of the date, as `YYYY.MM.DD`.
    DateText = "date_text",
    /// The year.
    Year = "year",
    /// The month.
    Month = "month",
    /// The round.
    Round = "round",
    /// The result as written.
    Result = "result",
    /// The Result tag as written, read from the text of the game.
    ResultTag = "result_tag",
    /// The terminator as written, read from the text of the game.
    ResultEnd = "result_end",
    /// Who won: `white`, `black` or `draw`.
    Winner = "winner",
    /// The name of the variant.
    Variant = "variant",
    /// How the variant is known: `tag`, `option` or `inferred`.
    VariantFrom = "variant_from",
    /// The number of legal plies.
    Plies = "plies",
    /// The status of the replay.
    Status = "status",
    /// The rating of White.
    WhiteRating = "white_rating",
    /// The rating of Black.
    BlackRating = "black_rating",
    /// The name of the input.
    File = "file",
    /// The number of the record in the input, from 1.
    Record = "record",
    /// The offset of the record in the input, in bytes.
    Offset = "offset",
    /// The length of the record in bytes.
    Length = "length",
    /// The matching position.
    Fen = "fen",
    /// The moves of the main line.
    Moves = "moves",
}

impl StoredField {
    /// Returns `true` for a field of numbers, which a table aligns to the right.
    pub const fn is_number(self) -> bool {
        use StoredField::{BlackRating, Game, Length, Month, Offset, Plies, Ply, Record, WhiteRating, Year};
        matches!(
            self,
            Game | Ply | Year | Month | Plies | WhiteRating | BlackRating | Record | Offset | Length
        )
    }

    /// Returns whether rows have the field unless others are asked for.
    pub const fn is_default(self) -> bool {
        !matches!(self, Self::Fen | Self::Moves) && !self.needs_text()
    }

    /// Returns `true` for a value that is read from the text of the game.
    pub const fn needs_text(self) -> bool {
        matches!(self, Self::ResultTag | Self::ResultEnd)
    }
}

/// The fields that a table for people shows unless others are asked for.
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

/// Returns the fields of a row: those of the list, after the usual ones of a table or of JSON if there is no list or it adds to
/// them.
pub fn chosen_fields(list: Option<&FieldList>, is_table: bool) -> Vec<GameField> {
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

impl GameField {
    /// Returns `true` for a value that is read from the text of the game.
    pub const fn needs_text(&self) -> bool {
        match self {
            Self::Stored(field) => field.needs_text(),
            Self::Tags | Self::Tag(_) => true,
        }
    }
}

impl fmt::Display for GameField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stored(field) => f.write_str(field.name()),
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

fn parse_field(name: &str) -> Result<GameField, String> {
    if let Some(tag) = name.strip_prefix("tag:").map(str::trim).filter(|tag| !tag.is_empty()) {
        return Ok(GameField::Tag(tag.to_owned()));
    }
    if name == "tags" {
        return Ok(GameField::Tags);
    }
    if let Some(field) = StoredField::ALL.iter().find(|field| field.name() == name) {
        return Ok(GameField::Stored(*field));
    }
    if name.starts_with(char::is_uppercase) {
        return Ok(GameField::Tag(name.to_owned()));
    }
    let known: Vec<&str> = StoredField::ALL.iter().map(|field| field.name()).collect();
    Err(format!(
        "no field is called `{name}`; the fields are {}, tags, and any tag such as TimeControl or tag:eco",
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
                GameField::Stored(StoredField::Game),
                GameField::Stored(StoredField::White),
                GameField::Tag("TimeControl".to_owned()),
                GameField::Tag("eco".to_owned()),
            ]
        );
        assert!(!list.adds && parse_fields("+moves").unwrap().adds);
        for wrong in ["", "game,", "moove", "tag:"] {
            assert!(parse_fields(wrong).unwrap_err().contains("white_rating"), "{wrong}");
        }
    }
}
