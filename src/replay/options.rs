//! What the caller says about games before they are replayed.

use super::FilePrior;
use crate::board::{Numbering, SquareNames};
use crate::limits::Limits;
use crate::rules::{GameRules, Variant};

/// A game that may be played: a variant, and the names of its squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CandidateGame {
    /// Which game.
    pub variant: Variant,
    /// What its squares are called.
    pub numbering: Numbering,
}

impl CandidateGame {
    /// The rules and the numbering.
    pub const fn game(&self) -> GameRules {
        GameRules { rules: self.variant.rules(), numbering: self.numbering }
    }

    /// The names of its squares. Builds the tables unless they are the variant's own.
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

/// How games are replayed.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReplayOptions {
    /// The variant of games without a GameType tag.
    pub variant: Option<Variant>,
    /// What is known about the file they come from.
    pub prior: FilePrior,
    /// Bounds on captures searched and findings kept.
    pub limits: Limits,
}
