//! Parses variants: a name, a GameType number or a whole GameType value.

use std::fmt;
use std::str::FromStr;

use super::lookup::LookupError;
use super::variant::{GameRules, Variant};
use crate::value::{GameType, GameTypeError};

/// The reason why a text names no variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseVariantError {
    /// The text begins with no digit, and no variant has this name.
    UnknownName,
    /// The text begins with a digit but is no GameType value.
    GameType(GameTypeError),
    /// The GameType value belongs to no draughts game.
    Lookup(LookupError),
    /// The GameType value describes a game that differs from every variant, such as in its numbering.
    NotAVariant,
}

impl fmt::Display for ParseVariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName => {
                f.write_str("no variant has this name; there are ")?;
                for (number, variant) in Variant::ALL.iter().enumerate() {
                    write!(f, "{}{variant}", if number == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Self::GameType(error) => error.fmt(f),
            Self::Lookup(error) => error.fmt(f),
            Self::NotAVariant => f.write_str("no variant is exactly this"),
        }
    }
}

impl std::error::Error for ParseVariantError {}

/// Parses a name in any case (`russian`), a GameType number (`25`) or a GameType value (`25,W,8,8,A0,0`).
///
/// ```
/// use pdn::rules::Variant;
///
/// assert_eq!("Russian".parse(), Ok(Variant::Russian));
/// assert_eq!("25".parse(), Ok(Variant::Russian));
/// assert_eq!("23,W,8,8,A0,0".parse(), Ok(Variant::UnifiedPool));
/// assert!("chess".parse::<Variant>().is_err());
/// ```
impl FromStr for Variant {
    type Err = ParseVariantError;

    fn from_str(text: &str) -> Result<Self, ParseVariantError> {
        if let Some(variant) = Self::from_name(text) {
            return Ok(variant);
        }
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(ParseVariantError::UnknownName);
        }
        let given = GameType::parse(text.as_bytes()).map_err(ParseVariantError::GameType)?;
        let game = GameRules::from_attributes(given.number, given.attributes.as_ref())
            .map_err(ParseVariantError::Lookup)?;
        Self::of_game(&game).ok_or(ParseVariantError::NotAVariant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_parse_from_names_numbers_and_game_types() {
        for &variant in Variant::ALL {
            assert_eq!(variant.to_string().parse(), Ok(variant));
            assert_eq!(variant.name().to_uppercase().parse(), Ok(variant));
            let first = Variant::of_game(&variant.game()).expect("a row of the table");
            assert_eq!(variant.tag().parse(), if variant.number() > 90 { Ok(variant) } else { Ok(first) });
        }
        assert_eq!("23".parse(), Ok(Variant::Pool));
    }

    #[test]
    fn other_texts_are_refused_with_their_reason() {
        assert_eq!("chess".parse::<Variant>(), Err(ParseVariantError::UnknownName));
        assert_eq!("".parse::<Variant>(), Err(ParseVariantError::UnknownName));
        assert_eq!(
            "20,W,8,8,N2,0".parse::<Variant>(),
            Err(ParseVariantError::Lookup(LookupError::WrongBoard))
        );
        assert_eq!("1".parse::<Variant>(), Err(ParseVariantError::Lookup(LookupError::UnknownNumber)));
        assert_eq!("20,B,10,10,N2,0".parse::<Variant>(), Err(ParseVariantError::NotAVariant));
        assert!(matches!("20,,,".parse::<Variant>(), Err(ParseVariantError::GameType(_))));
        let message = ParseVariantError::UnknownName.to_string();
        assert!(
            message.starts_with("no variant has this name; there are international, english, "),
            "{message}"
        );
    }
}
