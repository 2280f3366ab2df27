//! The names that spellings become.

use std::collections::HashMap;
use std::fmt;

use super::name_use::NameKind;

/// Spellings, and the name that all of them become.
///
/// [`NameMap`] has an example.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MappedNames {
    /// What the names name.
    pub kind: NameKind,
    /// The name that the spellings become.
    pub canonical: String,
    /// The spellings.
    pub spellings: Vec<String>,
}

impl MappedNames {
    /// Creates a group of spellings that become `canonical`.
    pub fn new(
        kind: NameKind,
        canonical: impl Into<String>,
        spellings: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let spellings = spellings.into_iter().map(Into::into).collect();
        Self { kind, canonical: canonical.into(), spellings }
    }
}

/// The name that each spelling of players, events and sites becomes.
///
/// ```
/// use pdn_names::{MappedNames, NameKind, NameMap};
///
/// let groups = [MappedNames::new(NameKind::Player, "Sijbrands, Ton", ["T. Sijbrands", "Sijbrands,T."])];
/// let map = NameMap::new(&groups)?;
/// assert_eq!(map.canonical(NameKind::Player, "T. Sijbrands"), Some("Sijbrands, Ton"));
/// assert_eq!(map.canonical(NameKind::Player, "Sijbrands, Ton"), None);
/// assert_eq!(map.canonical(NameKind::Event, "T. Sijbrands"), None);
/// # Ok::<(), pdn_names::NameMapError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NameMap {
    /// The names by kind and spelling.
    names: [HashMap<String, String>; 3],
}

impl NameMap {
    /// Creates the map of these groups.
    ///
    /// Several groups may have the same canonical name. A canonical name may be a spelling of another group; then all of
    /// its spellings become that group's name. A group may list its own canonical name, which changes nothing.
    ///
    /// # Errors
    /// If a spelling is listed twice, if a name is empty, or if canonical names lead back to themselves.
    pub fn new(groups: &[MappedNames]) -> Result<Self, NameMapError> {
        let mut listed: [HashMap<&str, usize>; 3] = Default::default();
        for (number, group) in groups.iter().enumerate() {
            let error = |spelling: Option<usize>, kind| NameMapError { group: number, spelling, kind };
            if group.canonical.trim().is_empty() {
                return Err(error(None, NameMapErrorKind::Empty));
            }
            for (place, spelling) in group.spellings.iter().enumerate() {
                let spelling = spelling.trim();
                if spelling.is_empty() {
                    return Err(error(Some(place), NameMapErrorKind::Empty));
                }
                if listed[group.kind as usize].insert(spelling, number).is_some() {
                    let kind = NameMapErrorKind::ListedTwice { spelling: spelling.to_owned() };
                    return Err(error(Some(place), kind));
                }
            }
        }
        let mut names: [HashMap<String, String>; 3] = Default::default();
        for (number, group) in groups.iter().enumerate() {
            let listed = &listed[group.kind as usize];
            let mut canonical = group.canonical.trim();
            let mut passed = 0;
            while let Some(&next) = listed.get(canonical)
                && groups[next].canonical.trim() != canonical
            {
                canonical = groups[next].canonical.trim();
                passed += 1;
                if passed > groups.len() {
                    let kind = NameMapErrorKind::Cycle { canonical: group.canonical.clone() };
                    return Err(NameMapError { group: number, spelling: None, kind });
                }
            }
            let own = group
                .spellings
                .iter()
                .map(|spelling| spelling.trim())
                .filter(|&spelling| spelling != canonical);
            names[group.kind as usize]
                .extend(own.map(|spelling| (spelling.to_owned(), canonical.to_owned())));
        }
        Ok(Self { names })
    }

    /// Returns the name that a spelling becomes; `None` if it is not listed or already has that name. Spellings are compared
    /// letter by letter, without whitespace around them.
    pub fn canonical(&self, kind: NameKind, spelling: &str) -> Option<&str> {
        self.names[kind as usize].get(spelling.trim()).map(String::as_str)
    }

    /// Iterates over the spellings of a kind that are changed, each with the name that it becomes, in no particular order.
    #[doc(hidden)]
    pub fn pairs(&self, kind: NameKind) -> impl Iterator<Item = (&str, &str)> {
        self.names[kind as usize].iter().map(|(spelling, name)| (spelling.as_str(), name.as_str()))
    }

    /// Returns the number of spellings that are changed.
    pub fn len(&self) -> usize {
        self.names.iter().map(HashMap::len).sum()
    }

    /// Returns `true` if no spelling is changed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The error of groups that do not say what a spelling becomes.
///
/// ```
/// use pdn_names::{MappedNames, NameKind, NameMap};
///
/// let groups = [
///     MappedNames::new(NameKind::Player, "Wal, Jannes van der", ["J. van der Wal"]),
///     MappedNames::new(NameKind::Player, "Wal, Jan van der", ["Jan v.d. Wal", "J. van der Wal"]),
/// ];
/// let error = NameMap::new(&groups).unwrap_err();
/// assert_eq!((error.group, error.spelling), (1, Some(1)));
/// assert_eq!(error.to_string(), "the spelling `J. van der Wal` is listed twice; keep one of them");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NameMapError {
    /// The number of the group, from 0.
    pub group: usize,
    /// The number of the spelling in the group, from 0; `None` for its canonical name.
    pub spelling: Option<usize>,
    /// What is wrong.
    #[doc(hidden)]
    pub kind: NameMapErrorKind,
}

/// What is wrong with the groups of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NameMapErrorKind {
    /// A name has no characters.
    Empty,
    /// A spelling is listed twice.
    ListedTwice {
        /// The spelling.
        spelling: String,
    },
    /// Canonical names lead back to themselves.
    Cycle {
        /// The canonical name of the group.
        canonical: String,
    },
}

/// Writes a sentence without a full stop.
impl fmt::Display for NameMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            NameMapErrorKind::Empty => f.write_str("expected a name, found an empty text"),
            NameMapErrorKind::ListedTwice { spelling } => {
                write!(f, "the spelling `{spelling}` is listed twice; keep one of them")
            }
            NameMapErrorKind::Cycle { canonical } => write!(
                f,
                "the name `{canonical}` becomes itself by way of other groups; remove it from the spellings of one"
            ),
        }
    }
}

impl std::error::Error for NameMapError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(groups: &[(&str, &[&str])]) -> Result<NameMap, NameMapError> {
        let groups: Vec<_> = groups
            .iter()
            .map(|(canonical, spellings)| {
                MappedNames::new(NameKind::Player, *canonical, spellings.iter().copied())
            })
            .collect();
        NameMap::new(&groups)
    }

    #[test]
    fn canonical_names_may_be_spellings_of_other_groups() {
        let map = map(&[("b", &["a", "b"]), ("c", &["b2"]), ("d", &["c"]), ("b", &["x"])]).unwrap();
        let canonical = |name| map.canonical(NameKind::Player, name);
        assert_eq!(canonical("a"), Some("b"));
        assert_eq!(canonical(" x "), Some("b"));
        assert_eq!(canonical("b2"), Some("d"));
        assert_eq!(canonical("c"), Some("d"));
        assert_eq!((canonical("b"), canonical("d")), (None, None));
        assert_eq!(map.len(), 4);
    }

    #[test]
    fn maps_that_contradict_themselves_are_refused() {
        let error = |groups: &[(&str, &[&str])]| {
            let error = map(groups).unwrap_err();
            (error.group, error.spelling, error.kind)
        };
        let twice = NameMapErrorKind::ListedTwice { spelling: "a".to_owned() };
        assert_eq!(error(&[("b", &["a"]), ("c", &["x", "a"])]), (1, Some(1), twice.clone()));
        assert_eq!(error(&[("b", &["a", "a"])]), (0, Some(1), twice));
        let cycle = |canonical: &str| NameMapErrorKind::Cycle { canonical: canonical.to_owned() };
        assert_eq!(error(&[("b", &["a"]), ("a", &["b"])]), (0, None, cycle("b")));
        assert_eq!(error(&[("", &["a"])]), (0, None, NameMapErrorKind::Empty));
        assert_eq!(error(&[("b", &[" "])]), (0, Some(0), NameMapErrorKind::Empty));
    }
}
