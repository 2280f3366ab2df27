//! Names of players and events, which archives spell in many ways.
//!
//! [`fold`] returns the form in which names are compared. `NamePattern` is a name that a user asks for: exact, by
//! its beginning, by its words, or misspelt. Index dictionaries, query conditions and sorting all use this module, so
//! that they agree on which names are equal.
//!
//! [`same_person`] says whether two spellings can mean one person, and why. Names in Cyrillic letters are compared with
//! their spellings in other languages by `Romanisation`. Umlauts and the like may be spelt out, as in `Mueller`.
//!
//! A [`NameMap`] holds the names that spellings become. [`group_names`] finds the spellings of an archive
//! that mean one person, event or site, from what `NameCensus` collects, and `pdn_index::name_edits` applies a map.
//!
//! Tag names are not here but in the crate `pdn`.
//!
//! ```
//! use pdn_names::{Likeness, MappedNames, NameKind, NameMap, same_person};
//!
//! assert_eq!(same_person("Sijbrands, T.", "T. Sijbrands").likeness, Likeness::Same);
//!
//! let map = NameMap::new(&[MappedNames::new(NameKind::Player, "Sijbrands, Ton", ["T. Sijbrands"])])?;
//! assert_eq!(map.canonical(NameKind::Player, "T. Sijbrands"), Some("Sijbrands, Ton"));
//! # Ok::<(), pdn_names::NameMapError>(())
//! ```

mod fold;
mod romanisation;
mod word;
mod outline;
mod pattern;
mod person;
mod person_comparer;
mod name_use;
mod census;
mod player_name;
mod name_group;
mod blocks;
mod player_forms;
mod player_groups;
mod text_groups;
mod map;

pub use fold::fold;
pub use fold::fold_into;
pub use fold::{letters_of_person, turned_names};
pub use map::{MappedNames, NameMap, NameMapError};
pub use name_use::NameKind;
pub use outline::NameOutline;
pub use person::{Likeness, NameSimilarity, same_person};
pub use person_comparer::PersonComparer;
pub use player_name::is_placeholder;

pub use census::{CensusGame, NameCensus};
pub use map::NameMapErrorKind;
pub use name_group::{GroupSpelling, NameDoubt, NameEvidence, NameGroup, NameGrouping};
pub use name_use::{Meeting, NameUse};
pub use pattern::{NameMatch, NamePattern};
pub use person::blocking_keys;
pub use romanisation::Romanisation;
pub use word::nearest_words;

use player_groups::group_players;
use text_groups::group_texts;

/// Groups spellings that probably mean one person, event or site.
///
/// Precision comes before recall. Players with the same surname and different initials are never joined; a name that fits
/// several persons joins none; what is less than certain is a group with a [doubt](NameGroup::doubt). The
/// guide has all rules.
///
/// The result does not depend on the order of the uses. Names are compared only if they share a word, so that the work is
/// nearly linear in their number: 200,000 spellings take some seconds.
///
/// ```
/// use pdn_names::{NameKind, NameUse, group_names};
///
/// let uses = [("Sijbrands, Ton", 12), ("T. Sijbrands", 4), ("Jansen, G.", 2), ("Jansen, H.", 1)];
/// let uses: Vec<_> = uses.into_iter().map(|(name, games)| NameUse::new(name, games)).collect();
/// let found = group_names(NameKind::Player, &uses);
/// assert_eq!(found.groups.len(), 1);
/// assert_eq!(found.groups[0].canonical, "Sijbrands, Ton");
/// assert_eq!(found.groups[0].evidence(), ["order", "initials"]);
/// ```
pub fn group_names(kind: NameKind, uses: &[NameUse]) -> NameGrouping {
    match kind {
        NameKind::Player => group_players(uses),
        NameKind::Event | NameKind::Site => group_texts(kind, uses),
    }
}

/// The examples in README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
