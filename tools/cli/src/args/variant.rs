//! Variants as option values: a name, a GameType number or a whole GameType value.

use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
use pdn::replay::CandidateGame;
use pdn::rules::{GameRules, ParseVariantError, Variant};

/// The rules of a game, with a name for output.
#[derive(Clone, Debug)]
pub(crate) struct NamedRules {
    /// Name of the variant, or the GameType value if no variant has exactly these rules.
    pub(crate) name: String,
    pub(crate) game: GameRules,
    /// The variant and its numbering.
    pub(crate) candidate: CandidateGame,
}

impl From<Variant> for NamedRules {
    fn from(variant: Variant) -> Self {
        Self { name: variant.name().to_owned(), game: variant.game(), candidate: variant.into() }
    }
}

/// Creates a value parser for [`NamedRules`].
pub(super) fn rules_parser() -> impl TypedValueParser<Value = NamedRules> {
    NonEmptyStringValueParser::new().try_map(|text| parse_rules(&text))
}

/// Parses an option value that says which variant games without a tag are of: all that a GameType or Variant tag may hold.
///
/// # Errors
///
/// A message if the value denotes no game, or several.
pub(super) fn parse_game(text: &str) -> Result<CandidateGame, String> {
    text.parse().map_err(|error: ParseVariantError| error.to_string())
}

/// Parses an option value that must denote a named variant.
///
/// # Errors
///
/// A message if the value is malformed or no variant has exactly its rules.
pub(super) fn parse_variant(text: &str) -> Result<Variant, String> {
    text.parse().map_err(|error| match (error, text.parse::<CandidateGame>()) {
        (ParseVariantError::NotAVariant, Ok(game)) => {
            format!("this is {0} with other names of squares; give the variant alone: {0}", game.variant)
        }
        (error, _) => error.to_string(),
    })
}

/// Parses a variant name, a GameType number or a GameType value.
fn parse_rules(text: &str) -> Result<NamedRules, String> {
    let candidate = parse_game(text)?;
    let named = candidate == CandidateGame::from(candidate.variant);
    let name = if named { candidate.variant.name().to_owned() } else { text.to_owned() };
    Ok(NamedRules { name, game: candidate.game(), candidate })
}
