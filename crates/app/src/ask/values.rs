//! Variants as values of fields: a name, a GameType number or a whole GameType value.

use pdn::internal::message::Message;
use pdn::internal::replay::CandidateGame;
use pdn::rules::{GameRules, ParseVariantError, Variant};

/// The rules of a game, with a name for output.
#[derive(Clone, Debug)]
pub struct NamedRules {
    /// Name of the variant, or the GameType value if no variant has exactly these rules.
    pub name: String,
    /// The rules.
    pub game: GameRules,
    /// The variant and its numbering.
    pub candidate: CandidateGame,
}

impl From<Variant> for NamedRules {
    fn from(variant: Variant) -> Self {
        Self { name: variant.name().to_owned(), game: variant.game(), candidate: variant.into() }
    }
}

/// Parses the value that says which variant games without a tag are of: all that a GameType or Variant tag may hold.
///
/// # Errors
///
/// A message if the value denotes no game, or several.
pub fn parse_game(text: &str) -> Result<CandidateGame, Message> {
    text.parse().map_err(|error: ParseVariantError| message!("variant", "{error}"))
}

/// Parses a value that must denote a named variant.
///
/// # Errors
///
/// A message if the value is malformed or no variant has exactly its rules.
pub fn parse_variant(text: &str) -> Result<Variant, Message> {
    text.parse().map_err(|error| match (error, text.parse::<CandidateGame>()) {
        (ParseVariantError::NotAVariant, Ok(game)) => {
            let name = game.variant.name();
            message!(
                "variant_alone",
                "this is `{name}` with other names of squares; give the variant alone: {variant}",
                variant = name
            )
        }
        (error, _) => message!("variant", "{error}"),
    })
}

/// Parses a variant name, a GameType number or a GameType value.
///
/// # Errors
///
/// A message if the value denotes no game, or several.
pub fn parse_rules(text: &str) -> Result<NamedRules, Message> {
    let candidate = parse_game(text)?;
    let named = candidate == CandidateGame::from(candidate.variant);
    let name = if named { candidate.variant.name().to_owned() } else { text.to_owned() };
    Ok(NamedRules { name, game: candidate.game(), candidate })
}
