//! Conditions on the file that a game came from.

use std::fmt;
use std::path::Path;

use pdn_names::{NameMatch, NamePattern};

/// A condition on the name of the input that a game came from: a path as it was given to the index.
///
/// A whole name matches the whole path or its last parts: `2003/games.pdn` matches `archive/2003/games.pdn`, and
/// `games.pdn` does too. The beginning of a name matches a path or file name that begins so. Words are compared as in
/// names, so that `~` finds a misspelt one.
///
/// ```
/// use pdn_index::internal::query::FileCondition;
/// use pdn_index::query::Query;
/// use std::path::Path;
///
/// let condition = FileCondition::parse("2003/games.pdn");
/// assert!(condition.matches(Path::new("archive/2003/games.pdn")));
/// assert!(!condition.matches(Path::new("archive/12003/games.pdn")));
/// assert_eq!(Query::file(condition), Query::parse("file \"2003/games.pdn\"").unwrap());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct FileCondition(NamePattern);

impl FileCondition {
    /// Creates the condition that the name of the input matches a pattern.
    pub fn new(name: NamePattern) -> Self {
        Self(name)
    }

    /// Parses a path, the beginning of one before `*`, or after `~` words that may be misspelt.
    pub fn parse(text: &str) -> Self {
        let pattern = NamePattern::parse(text);
        Self(match pattern.match_kind() {
            NameMatch::Words => NamePattern::new(text.trim(), NameMatch::Exact),
            _ => pattern,
        })
    }

    /// Returns the pattern of the name.
    pub fn name(&self) -> &NamePattern {
        &self.0
    }

    /// Returns `true` if games from the input with this name match.
    pub fn matches(&self, input: &Path) -> bool {
        let wanted = self.0.text();
        match self.0.match_kind() {
            NameMatch::Exact => input.ends_with(wanted),
            NameMatch::Prefix => {
                let begins = |name: &str| name.starts_with(wanted);
                begins(&input.to_string_lossy())
                    || input.file_name().is_some_and(|name| begins(&name.to_string_lossy()))
            }
            _ => self.0.matches(&input.to_string_lossy()),
        }
    }
}

impl fmt::Display for FileCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "file {}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_condition_matches_whole_parts_of_a_path() {
        let path = Path::new("archive/2003/games.pdn");
        for (text, expected) in [
            ("games.pdn", true),
            (" 2003/games.pdn ", true),
            ("2003/games.pdn", true),
            ("archive/2003/games.pdn", true),
            ("ames.pdn", false),
            ("archive", false),
            ("archive/*", true),
            ("gam*", true),
            ("2003*", false),
            ("~archvie", true),
            ("~2003 games", true),
            ("~players", false),
        ] {
            assert_eq!(FileCondition::parse(text).matches(path), expected, "{text}");
        }
    }
}
