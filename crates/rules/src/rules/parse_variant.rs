//! Parses variants: a name, a GameType number or a whole GameType value, as options and tags hold them.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::lookup::LookupError;
use super::variant::{GameRules, Variant};
use crate::value::{GameType, ValueError};

/// The reason why a text names no variant.
///
/// ```
/// use pdn_rules::rules::{ParseVariantError, Variant};
///
/// let error = "rusian".parse::<Variant>().unwrap_err();
/// assert_eq!(error, ParseVariantError::UnknownName { nearest: Some(Variant::Russian) });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseVariantError {
    /// The text begins with no digit, and no variant has this name.
    UnknownName {
        /// The variant with the most similar name, if one is similar.
        nearest: Option<Variant>,
    },
    /// Several variants share this name: those of these GameType numbers.
    AmbiguousName(&'static [u16]),
    /// The text begins with a digit but is no GameType value.
    GameType(ValueError),
    /// The GameType value belongs to no draughts game.
    #[doc(hidden)]
    Lookup(LookupError),
    /// The GameType value describes a game that differs from every variant, such as in its numbering.
    NotAVariant,
}

impl fmt::Display for ParseVariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { nearest } => {
                f.write_str("no variant has this name")?;
                match nearest {
                    Some(nearest) => write!(f, "; did you mean {nearest}? The variants are ")?,
                    None => f.write_str("; the variants are ")?,
                }
                write_list(f, Variant::ALL.iter().copied())
            }
            Self::AmbiguousName(numbers) => {
                f.write_str("several variants have this name: ")?;
                write_list(f, numbers.iter().filter_map(|&number| Variant::from_number(number)))
            }
            Self::GameType(error) => error.fmt(f),
            Self::Lookup(error) => error.fmt(f),
            Self::NotAVariant => f.write_str("no variant is exactly this"),
        }
    }
}

impl core::error::Error for ParseVariantError {}

/// Writes names with commas between them.
fn write_list(f: &mut fmt::Formatter<'_>, variants: impl Iterator<Item = Variant>) -> fmt::Result {
    for (number, variant) in variants.enumerate() {
        write!(f, "{}{variant}", if number == 0 { "" } else { ", " })?;
    }
    Ok(())
}

impl Variant {
    /// Returns the variant that a name denotes: its own name in any case, or one of the names that servers and people use
    /// ([`GameType::numbers_of_name`]).
    ///
    /// # Errors
    /// If no variant has this name, or several share it.
    pub fn named(name: &str) -> Result<Self, ParseVariantError> {
        let letters =
            |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
        let own: String = letters(name);
        if let Some(variant) = Self::ALL.iter().find(|variant| letters(variant.name()) == own) {
            return Ok(*variant);
        }
        match GameType::numbers_of_name(name) {
            // A name such as `chess` is known, but of no variant.
            [number] => Self::from_number(*number).ok_or(ParseVariantError::UnknownName { nearest: None }),
            [] => Err(ParseVariantError::UnknownName { nearest: nearest(&own) }),
            several => Err(ParseVariantError::AmbiguousName(several)),
        }
    }
}

/// Returns the variant with the name nearest to `name`, which is in lower case: at most a third of its letters differ.
fn nearest(name: &str) -> Option<Variant> {
    let own = Variant::ALL.iter().map(|variant| (variant.name(), *variant));
    let others = GameType::unique_names()
        .filter_map(|known| Some((known, Variant::from_number(*GameType::numbers_of_name(known).first()?)?)));
    let is_near = |&(distance, known, _): &(usize, &str, Variant)| distance * 3 <= known.chars().count();
    own.chain(others)
        .map(|(known, variant)| (edit_distance(name, known), known, variant))
        .filter(is_near)
        .min_by_key(|&(distance, ..)| distance)
        .map(|(.., variant)| variant)
}

/// Returns the least number of letters to insert, remove or replace that makes one text of the other.
fn edit_distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    // Names are short; a long text is far from all of them anyway.
    for (n, letter) in one.chars().take(64).enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], n + 1);
        for (m, &expected) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != expected);
            diagonal = row[m + 1];
            row[m + 1] = replaced.min(row[m] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

/// Parses a name in any case (`russian`, `checkers`), a GameType number (`25`) or a GameType value (`25,W,8,8,A0,0`).
///
/// ```
/// use pdn_rules::rules::Variant;
///
/// assert_eq!("Russian".parse(), Ok(Variant::Russian));
/// assert_eq!("25".parse(), Ok(Variant::Russian));
/// assert_eq!("23,W,8,8,A0,0".parse(), Ok(Variant::UnifiedPool));
/// assert!("chess".parse::<Variant>().is_err());
/// ```
impl FromStr for Variant {
    type Err = ParseVariantError;

    fn from_str(text: &str) -> Result<Self, ParseVariantError> {
        if !is_game_type_value(text) {
            return Self::named(text);
        }
        let given = GameType::parse(text.as_bytes()).map_err(ParseVariantError::GameType)?;
        let game = GameRules::from_attributes(given.number, given.attributes.as_ref())
            .map_err(ParseVariantError::Lookup)?;
        Self::of_game(&game).ok_or(ParseVariantError::NotAVariant)
    }
}

/// Returns `true` if a text is meant as a GameType number or value, not as a name such as `10x10`.
pub(crate) fn is_game_type_value(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with(|c: char| c.is_ascii_digit()) && GameType::numbers_of_name(text).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

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
        assert_eq!("go".parse::<Variant>(), Err(ParseVariantError::UnknownName { nearest: None }));
        assert_eq!("".parse::<Variant>(), Err(ParseVariantError::UnknownName { nearest: None }));
        assert_eq!("chess".parse::<Variant>(), Err(ParseVariantError::UnknownName { nearest: None }));
        assert_eq!(
            "20,W,8,8,N2,0".parse::<Variant>(),
            Err(ParseVariantError::Lookup(LookupError::WrongBoard))
        );
        assert_eq!("1".parse::<Variant>(), Err(ParseVariantError::Lookup(LookupError::UnknownNumber)));
        assert_eq!("20,B,10,10,N2,0".parse::<Variant>(), Err(ParseVariantError::NotAVariant));
        assert!(matches!("20,,,".parse::<Variant>(), Err(ParseVariantError::GameType(_))));
        let message = "rusian".parse::<Variant>().unwrap_err().to_string();
        assert!(
            message.starts_with(
                "no variant has this name; did you mean russian? The variants are international, english, "
            ),
            "{message}"
        );
        assert_eq!(
            "dama".parse::<Variant>().unwrap_err().to_string(),
            "several variants have this name: italian, spanish, czech, turkish"
        );
    }

    #[test]
    fn names_that_people_use_are_parsed_or_have_a_suggestion() {
        for (name, variant) in [
            ("checkers", Variant::English),
            ("American", Variant::English),
            ("American/English", Variant::English),
            ("shashki", Variant::Russian),
            ("dames", Variant::International),
            ("10x10", Variant::International),
            ("Frysk!", Variant::Frysk),
            ("unified pool", Variant::UnifiedPool),
            ("Jamaican", Variant::Jamaican),
        ] {
            assert_eq!(name.parse(), Ok(variant), "{name}");
        }
        for (name, nearest) in [
            ("brasilian", Some(Variant::Brazilian)),
            ("chekers", Some(Variant::English)),
            ("internatoinal", Some(Variant::International)),
            ("jamacan", Some(Variant::Jamaican)),
            ("xyz", None),
        ] {
            assert_eq!(name.parse::<Variant>(), Err(ParseVariantError::UnknownName { nearest }), "{name}");
        }
    }

    #[test]
    fn edit_distance_counts_letters() {
        for (one, other, distance) in [
            ("", "", 0),
            ("abc", "abc", 0),
            ("abc", "", 3),
            ("", "ab", 2),
            ("kitten", "sitting", 3),
            ("ab", "ba", 2),
        ] {
            assert_eq!(edit_distance(one, other), distance, "{one} {other}");
        }
    }
}
