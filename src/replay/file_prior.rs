//! The file prior: a ranking of the variants that the games of a file may be of.

use crate::rules::Variant;

/// A ranking of variants, made from the first records of a file by a [`FilePriorPoll`](super::FilePriorPoll).
///
/// The default is an empty ranking. A prior depends only on the records that it was made from. A program that polls
/// the first [`FilePriorPoll::GAMES`](super::FilePriorPoll::GAMES) records before any worker starts therefore gets the
/// same results with any number of threads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FilePrior {
    /// All variants that can be inferred, the one with most votes first; empty if nothing is known.
    pub(super) ranking: Vec<Variant>,
    /// `true` if nearly all polled games replay under the first variant.
    pub(super) firm: bool,
}

impl FilePrior {
    /// Returns the variant with most votes; `None` if nothing is known.
    pub fn variant(&self) -> Option<Variant> {
        self.ranking.first().copied()
    }

    /// Returns `true` if nearly all polled games replay under [`variant`](Self::variant).
    ///
    /// A game of the same file that does not is then more likely faulty than of another variant.
    pub const fn is_firm(&self) -> bool {
        self.firm
    }
}
