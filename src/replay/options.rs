//! What the caller specifies before games are replayed.

use std::str::FromStr;

use super::FilePrior;
use crate::board::{Numbering, SquareNames};
use crate::limits::Limits;
use crate::rules::{GameRules, LookupError, ParseVariantError, Variant};
use crate::value::GameType;

/// A game that may be played: a variant and the numbering of its squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CandidateGame {
    /// The variant.
    pub variant: Variant,
    /// The numbering of its squares.
    pub numbering: Numbering,
}

impl CandidateGame {
    /// Returns the rules with the numbering.
    #[inline]
    pub const fn game(&self) -> GameRules {
        GameRules::new(self.variant.rules(), self.numbering)
    }

    /// Returns the names of its squares. Builds the tables unless the numbering is that of the variant.
    pub fn names(&self) -> SquareNames {
        if self.numbering == self.variant.game().numbering {
            *self.variant.names()
        } else {
            self.game().names()
        }
    }
}

impl From<Variant> for CandidateGame {
    fn from(variant: Variant) -> Self {
        Self { variant, numbering: variant.game().numbering }
    }
}

impl TryFrom<&GameType> for CandidateGame {
    type Error = LookupError;

    /// Returns the game of a GameType value: the variant of the number that has this numbering, else the first variant of
    /// the number with the numbering of the value.
    ///
    /// # Errors
    /// If no variant has the number, or none is played on a board of this size.
    fn try_from(game_type: &GameType) -> Result<Self, LookupError> {
        let number = game_type.number;
        let GameRules { numbering, .. } = GameRules::from_attributes(number, game_type.attributes.as_ref())?;
        let is_exact =
            |variant: &Variant| variant.number() == number && variant.game().numbering == numbering;
        let exact = Variant::ALL.iter().copied().find(is_exact);
        let variant = exact.or(Variant::from_number(number)).ok_or(LookupError::UnknownNumber)?;
        Ok(Self { variant, numbering })
    }
}

/// Parses what a GameType tag or a Variant tag may hold: a name of a variant, a GameType number or a GameType value.
///
/// ```
/// use pdn::internal::replay::CandidateGame;
/// use pdn::rules::Variant;
///
/// let game: CandidateGame = "21,W,8,8,A0,0".parse()?;
/// assert_eq!(game.variant, Variant::English);
/// assert_eq!("checkers".parse(), Ok(CandidateGame::from(Variant::English)));
/// # Ok::<(), pdn::rules::ParseVariantError>(())
/// ```
impl FromStr for CandidateGame {
    type Err = ParseVariantError;

    fn from_str(text: &str) -> Result<Self, ParseVariantError> {
        match text.parse::<Variant>() {
            Ok(variant) => Ok(variant.into()),
            Err(ParseVariantError::NotAVariant) => {
                let game_type = GameType::parse(text.as_bytes()).map_err(ParseVariantError::GameType)?;
                Self::try_from(&game_type).map_err(ParseVariantError::Lookup)
            }
            Err(error) => Err(error),
        }
    }
}

/// Options of a replay.
///
/// ```
/// use pdn::replay::{ReplayOptions, Replayer, VariantBasis};
/// use pdn::rules::Variant;
///
/// let options = ReplayOptions::new().variant(Variant::Brazilian);
/// let summary = Replayer::new(&options).summary(b"1. c3-d4 f6-g5 *");
/// assert_eq!((summary.variant, summary.basis), (Variant::Brazilian, VariantBasis::Caller));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReplayOptions {
    /// The variant of games that no tag names, and its numbering; `None` to infer it.
    #[doc(hidden)]
    pub variant: Option<CandidateGame>,
    /// The prior of the file that records come from. It counts only for records without their input: an
    /// [`Archive`](crate::archive::Archive) finds the prior of each input, and a replayer takes it from its games.
    #[doc(hidden)]
    pub prior: FilePrior,
    /// Limits on capture searches and on diagnostics per game; `None` for those of the game's
    /// [archive](crate::archive::Archive::limits), or [`Limits::DEFAULT`] for a record on its own.
    pub limits: Option<Limits>,
}

impl ReplayOptions {
    /// Creates the defaults: variants are inferred, within the limits of the archive.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the variant of games that no tag names; `None` to infer it.
    #[must_use]
    pub fn variant(mut self, variant: impl Into<Option<Variant>>) -> Self {
        self.variant = variant.into().map(CandidateGame::from);
        self
    }

    /// Sets the game: a variant with its numbering of the squares.
    #[doc(hidden)]
    #[must_use]
    pub fn game(mut self, game: impl Into<Option<CandidateGame>>) -> Self {
        self.variant = game.into();
        self
    }

    /// Sets the [prior](Self::prior) of records without their input.
    #[doc(hidden)]
    #[must_use]
    pub fn prior(mut self, prior: FilePrior) -> Self {
        self.prior = prior;
        self
    }

    /// Sets the limits on capture searches and on diagnostics per game.
    #[must_use]
    pub fn limits(mut self, limits: impl Into<Option<Limits>>) -> Self {
        self.limits = limits.into();
        self
    }
}
