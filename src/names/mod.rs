//! Names of players and events, which archives spell in many ways.
//!
//! [`fold`] returns the form in which names are compared. `NamePattern` is a name that a user asks for: exact, by
//! its beginning, by its words, or misspelt. Index dictionaries, query conditions and sorting all use this module, so
//! that they agree on which names are equal.
//!
//! [`same_person`] says whether two spellings can mean one person, and why. Names in Cyrillic letters are compared with
//! their spellings in other languages by `Romanisation`.
//!
//! A [`NameMap`] holds the names that spellings become. With the feature `unstable`, `group_names` finds the spellings of an archive
//! that mean one person, event or site, from what `NameCensus` collects, and `edit::name_edits` applies a map.
//!
//! Tag names are not here but in [`value`](crate::value).
//!
//! ```
//! use pdn::names::{Likeness, MappedNames, NameKind, NameMap, same_person};
//!
//! assert_eq!(same_person("Sijbrands, T.", "T. Sijbrands").likeness, Likeness::Same);
//!
//! let map = NameMap::new(&[MappedNames::new(NameKind::Player, "Sijbrands, Ton", ["T. Sijbrands"])])?;
//! assert_eq!(map.canonical(NameKind::Player, "T. Sijbrands"), Some("Sijbrands, Ton"));
//! # Ok::<(), pdn::names::NameMapError>(())
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
mod groups;
mod map;

pub use fold::fold;
pub(crate) use fold::fold_into;
pub use map::{MappedNames, NameMap, NameMapError};
pub use name_use::NameKind;
pub(crate) use outline::NameOutline;
pub use person::{Likeness, NameSimilarity, same_person};
pub(crate) use person_comparer::PersonComparer;
pub(crate) use player_name::is_placeholder;

unstable! {
    use census::{CensusGame, NameCensus};
    use groups::group_names;
    use map::NameMapErrorKind;
    use name_group::{GroupSpelling, NameDoubt, NameEvidence, NameGroup, NameGrouping};
    use name_use::{Meeting, NameUse};
    use pattern::{NameMatch, NamePattern};
    use person::blocking_keys;
    use romanisation::Romanisation;
}
