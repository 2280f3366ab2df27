//! Variants as option values: a name, a GameType number or a whole GameType value.

use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
use pdn::rules::{GameRules, Variant};
use pdn::value::GameType;

/// The rules of a game, with a name for output.
#[derive(Clone, Debug)]
pub(crate) struct NamedRules {
    /// Name of the variant, or the GameType value if no variant has exactly these rules.
    pub(crate) name: String,
    pub(crate) game: GameRules,
}

impl From<Variant> for NamedRules {
    fn from(variant: Variant) -> Self {
        Self { name: variant.name().to_owned(), game: variant.game() }
    }
}

/// Creates a value parser for [`NamedRules`].
pub(super) fn rules_parser() -> impl TypedValueParser<Value = NamedRules> {
    NonEmptyStringValueParser::new().try_map(|text| parse_rules(&text))
}

/// Parses an option value that must denote a named variant.
///
/// # Errors
///
/// A message if the value is malformed or no variant has exactly its rules.
pub(super) fn parse_variant(text: &str) -> Result<Variant, String> {
    let NamedRules { game, .. } = parse_rules(text)?;
    Variant::from_name(text)
        .or_else(|| Variant::of_game(&game))
        .ok_or_else(|| "no variant has exactly these rules".to_owned())
}

/// Parses a variant name, a GameType number or a GameType value.
fn parse_rules(text: &str) -> Result<NamedRules, String> {
    if let Some(variant) = Variant::from_name(text) {
        return Ok(variant.into());
    }
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        let names: Vec<_> = Variant::ALL.iter().map(|variant| variant.name()).collect();
        return Err(format!("no variant has this name; the variants are {}", names.join(", ")));
    }
    let given = GameType::parse(text.as_bytes()).map_err(|error| error.to_string())?;
    let game = GameRules::from_attributes(given.number, given.attributes.as_ref())
        .map_err(|error| error.to_string())?;
    let name = Variant::of_game(&game).map_or_else(|| text.to_owned(), |variant| variant.name().to_owned());
    Ok(NamedRules { name, game })
}
