//! The file prior: a ranking of the variants that the games of a file may be of.

use std::fmt;
use std::str::FromStr;

use crate::error::UnknownName;
use crate::rules::Variant;

/// A ranking of variants, made from the first records of a file.
///
/// The games of an [`Archive`](crate::archive::Archive) bring that of their input to the replayer.
/// For records without an archive, [`FilePrior::of`] makes one. The default is an empty ranking. A prior depends only on the
/// records that it was made from, so that results do not depend on the number of threads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FilePrior {
    /// All variants that can be inferred, the one with most votes first; empty if nothing is known.
    pub(super) ranking: Vec<Variant>,
    /// `true` if nearly all polled games replay under the first variant.
    pub(super) firm: bool,
    /// `true` if tags or moves show that the file is of the first variant.
    pub(super) shown: bool,
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

    /// Returns `true` if the polled records that have a tag or moves show that the file is of [`variant`](Self::variant): of those
    /// that replay at all, nearly all do so under it.
    ///
    /// Then a record without moves, such as a problem or a forfeit, is of this variant too. Squares of positions show nothing.
    pub const fn is_shown(&self) -> bool {
        self.shown
    }
}

/// Writes the names of the variants in the order of the ranking, separated by commas. `firm:` stands before them if the
/// prior is firm, and `shown:` before all if the variant is shown. [`FromStr`] reads it back.
///
/// ```
/// use pdn::internal::replay::FilePrior;
/// use pdn::replay::ReplayOptions;
///
/// let games = [&b"1. 11-15 23-19 2. 8-11 22-17 *"[..]; 8];
/// let prior = FilePrior::of(games, &ReplayOptions::new());
/// assert!(prior.to_string().starts_with("shown:firm:english,"));
/// assert_eq!(prior.to_string().parse(), Ok(prior));
/// ```
impl fmt::Display for FilePrior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shown {
            f.write_str("shown:")?;
        }
        if self.firm {
            f.write_str("firm:")?;
        }
        for (n, variant) in self.ranking.iter().enumerate() {
            if n > 0 {
                f.write_str(",")?;
            }
            f.write_str(variant.name())?;
        }
        Ok(())
    }
}

impl FromStr for FilePrior {
    type Err = UnknownName;

    /// Parses what [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// If a part of the text is not the name of a variant.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let (shown, text) = after_word(text, "shown:");
        let (firm, names) = after_word(text, "firm:");
        let named = |name: &str| Variant::ALL.iter().copied().find(|variant| variant.name() == name);
        let unknown = UnknownName { expected: "names of variants, separated by commas" };
        let ranking: Option<Vec<Variant>> =
            if names.is_empty() { Some(Vec::new()) } else { names.split(',').map(named).collect() };
        Ok(Self { ranking: ranking.ok_or(unknown)?, firm, shown })
    }
}

/// Returns whether `text` begins with `word`, and what follows it.
fn after_word<'t>(text: &'t str, word: &str) -> (bool, &'t str) {
    text.strip_prefix(word).map_or((false, text), |rest| (true, rest))
}
