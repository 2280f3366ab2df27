//! Variants as values of fields (a name, a GameType number or a whole GameType value), and the words for colours and winners.

use pdn::board::SquareNames;
use pdn::internal::message::Message;
use pdn::internal::replay::CandidateGame;
use pdn::movegen::MoveError;
use pdn::position::Move;
use pdn::replay::{StopReason, VariantBasis};
use pdn::rules::{GameRules, ParseVariantError, Variant};
use pdn::value::{Colour, Outcome};

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

/// Returns the name of a colour as in JSON: `white`.
pub const fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "white",
        Colour::Black => "black",
    }
}

/// Returns who won, as in JSON: `white`, `black`, `draw`, or `None` if the outcome is unknown or both sides lost. `start` is
/// the side that starts in the game type.
pub fn winner_name(outcome: Outcome, start: Colour) -> Option<&'static str> {
    if outcome == Outcome::Draw { Some("draw") } else { outcome.winner(start).map(colour_name) }
}

/// Returns the name of a colour as in a sentence: `White`.
pub const fn colour_title(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

/// Returns how a variant is known, as in JSON: by the `tag`, by the `option`, or `inferred`.
pub const fn variant_from(basis: VariantBasis) -> &'static str {
    match basis {
        VariantBasis::Tag => "tag",
        VariantBasis::Caller => "option",
        _ => "inferred",
    }
}

/// Returns why a replay stopped, as in JSON: a word that stands for [`StopReason::text`] in every language.
pub const fn cause_name(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Move(MoveError::NoPiece) => "no_piece",
        StopReason::Move(MoveError::OtherSide) => "other_side",
        StopReason::Move(MoveError::MustCapture) => "must_capture",
        StopReason::Move(MoveError::Precedence) => "precedence",
        StopReason::Move(MoveError::Unfinished) => "unfinished",
        StopReason::Move(MoveError::OtherPath) => "other_path",
        StopReason::Move(MoveError::KingStreak) => "king_streak",
        StopReason::Move(MoveError::NoSuchSquare) => "no_such_square",
        StopReason::Move(MoveError::Unreadable) => "unreadable",
        StopReason::Move(MoveError::Ambiguous) => "ambiguous",
        StopReason::Move(MoveError::CaptureLimit) => "capture_limit",
        StopReason::MissingMove => "missing_move",
        StopReason::LostText => "lost_text",
        StopReason::BadPosition => "bad_position",
        StopReason::NotDraughts => "not_draughts",
        StopReason::UnclosedComment => "unclosed_comment",
        _ => "impossible",
    }
}

/// Returns the moves sorted by the numbers of their first and last squares.
pub fn sorted_moves(moves: &[Move], names: &SquareNames) -> Vec<Move> {
    let mut moves = moves.to_vec();
    moves.sort_by_key(|mv| (names.number(mv.from), names.number(mv.to), mv.captured));
    moves
}
