//! The fields of a game that `pdn find --fields` prints.

use std::fmt;

/// A list of fields, as `--fields` gives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FieldList {
    /// Whether the fields are added to those that are printed without the option.
    pub(crate) adds: bool,
    pub(crate) fields: Vec<GameField>,
}

/// A field of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GameField {
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
        pub(crate) enum StoredField {
            $($(#[$doc])* $field,)*
        }

        impl StoredField {
            /// All fields.
            pub(crate) const ALL: &[Self] = &[$(Self::$field,)*];

            /// Returns the name of the field, which is also its key in JSON.
            pub(crate) const fn name(self) -> &'static str {
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
    White = "white",
    Black = "black",
    Event = "event",
    Site = "site",
    /// The date as `YYYY-MM-DD` if it is complete.
    Date = "date",
    /// The known parts of the date, as `YYYY.MM.DD`.
    DateText = "date_text",
    Year = "year",
    Month = "month",
    Round = "round",
    /// The result as written.
    Result = "result",
    /// The Result tag as written, read from the text of the game.
    ResultTag = "result_tag",
    /// The terminator as written, read from the text of the game.
    ResultEnd = "result_end",
    Winner = "winner",
    Variant = "variant",
    /// How the variant is known: `tag`, `option` or `inferred`.
    VariantFrom = "variant_from",
    Plies = "plies",
    Status = "status",
    WhiteRating = "white_rating",
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
    pub(crate) const fn is_number(self) -> bool {
        use StoredField::{BlackRating, Game, Length, Month, Offset, Plies, Ply, Record, WhiteRating, Year};
        matches!(
            self,
            Game | Ply | Year | Month | Plies | WhiteRating | BlackRating | Record | Offset | Length
        )
    }

    /// Returns whether `pdn find --json` prints the field without `--fields`.
    pub(crate) const fn is_default(self) -> bool {
        !matches!(self, Self::Fen | Self::Moves) && !self.needs_text()
    }

    /// Returns `true` for a value that is read from the text of the game.
    pub(crate) const fn needs_text(self) -> bool {
        matches!(self, Self::ResultTag | Self::ResultEnd)
    }
}

impl GameField {
    /// Returns `true` for a value that is read from the text of the game.
    pub(crate) const fn needs_text(&self) -> bool {
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

/// Parses the value of `--fields`: names separated by commas, after `+` to add them to the default.
///
/// # Errors
///
/// A message with all names if one is unknown.
pub(super) fn parse_fields(text: &str) -> Result<FieldList, String> {
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
