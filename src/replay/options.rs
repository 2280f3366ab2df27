//! What the caller says about games before they are replayed.

use super::Prior;
use crate::board::{Numbering, SquareNames};
use crate::limits::Limits;
use crate::rules::{Game, Variant};

/// A game that may be played: a variant, and the names of its squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// Which game.
    pub variant: Variant,
    /// What its squares are called.
    pub numbering: Numbering,
}

impl Candidate {
    /// The rules and the numbering.
    pub const fn game(&self) -> Game {
        Game { rules: self.variant.rules(), numbering: self.numbering }
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

impl From<Variant> for Candidate {
    fn from(variant: Variant) -> Self {
        Self { variant, numbering: variant.game().numbering }
    }
}

/// How games are replayed.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The variant of games without a GameType tag.
    pub variant: Option<Variant>,
    /// What is known about the file they come from.
    pub prior: Prior,
    /// Bounds on captures searched and findings kept.
    pub limits: Limits,
}
