//! What the caller specifies before games are replayed.

use super::FilePrior;
use crate::board::{Numbering, SquareNames};
use crate::limits::Limits;
use crate::rules::{GameRules, Variant};

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
    pub const fn game(&self) -> GameRules {
        GameRules { rules: self.variant.rules(), numbering: self.numbering }
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

/// Options of a replay.
///
/// ```
/// use pdn::replay::{ReplayOptions, Replayer, VariantBasis};
/// use pdn::rules::Variant;
///
/// let options = ReplayOptions::new().variant(Variant::Brazilian);
/// let summary = Replayer::new(options).replay(b"1. c3-d4 f6-g5 *", &mut ());
/// assert_eq!((summary.variant, summary.basis), (Variant::Brazilian, VariantBasis::Caller));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReplayOptions {
    /// The variant of games without a GameType tag; `None` to infer it.
    pub variant: Option<Variant>,
    /// The prior of the file that the games come from.
    pub prior: FilePrior,
    /// Limits on capture searches and on diagnostics per game.
    pub limits: Limits,
}

impl ReplayOptions {
    /// Creates the defaults: variants are inferred without a prior, within [`Limits::DEFAULT`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the variant of games without a GameType tag; `None` to infer it.
    #[must_use]
    pub fn variant(mut self, variant: impl Into<Option<Variant>>) -> Self {
        self.variant = variant.into();
        self
    }

    /// Sets the prior of the file that the games come from.
    #[must_use]
    pub fn prior(mut self, prior: FilePrior) -> Self {
        self.prior = prior;
        self
    }

    /// Sets the limits on capture searches and on diagnostics per game.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}
