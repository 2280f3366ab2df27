//! Conditions on texts: tags that an index does not store, files, and what is written about a move.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;

use pdn::value::MoveStrength;
use pdn_names::{NameMatch, NamePattern};

/// A condition on any tag of a record, such as `TimeControl`. Its value is read from the text of the game.
///
/// A tag counts under its own name in any case, and under the names that other languages and programs use for it. Of
/// several, the first counts. An empty value counts as none.
///
/// ```
/// use pdn_names::NamePattern;
/// use pdn_index::query::Query;
/// use pdn_index::internal::query::TagCondition;
///
/// let condition = TagCondition::new("TimeControl", Some(NamePattern::parse("blitz")));
/// assert!(condition.matches(Some("Blitz 5 min")) && !condition.matches(None));
/// assert_eq!(Query::text_tag(condition), Query::parse("tag TimeControl : blitz").unwrap());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct TagCondition {
    name: String,
    value: Option<NamePattern>,
}

impl TagCondition {
    /// Creates the condition that the value of a tag matches a pattern; `None` matches any value.
    pub fn new(name: impl Into<String>, value: Option<NamePattern>) -> Self {
        Self { name: name.into(), value }
    }

    /// Returns the name of the tag.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the pattern of the value; `None` if any value matches.
    pub fn value(&self) -> Option<&NamePattern> {
        self.value.as_ref()
    }

    /// Returns `true` if a record with this value of the tag matches; `None` stands for a record without the tag.
    pub fn matches(&self, value: Option<&str>) -> bool {
        let Some(value) = value.filter(|value| !value.trim().is_empty()) else { return false };
        self.value.as_ref().is_none_or(|pattern| pattern.matches(value))
    }
}

impl fmt::Display for TagCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tag ")?;
        write_quoted(&self.name, f)?;
        self.value.as_ref().map_or(Ok(()), |value| write!(f, " {value}"))
    }
}

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

/// A condition on what is written about a move.
///
/// A comment belongs to the position that the moves before it lead to, as in exported tables of comments. A NAG and a strength
/// belong to the position in which the move is played that they follow, as in exported tables of moves.
///
/// ```
/// use pdn_index::internal::query::NoteCondition;
/// use pdn_index::query::Query;
/// use pdn::value::MoveStrength;
///
/// let strong = Query::note(NoteCondition::Mark(MoveStrength::Good));
/// assert_eq!(strong, Query::parse("mark \"!\"").unwrap());
/// assert_eq!(Query::note(NoteCondition::Nag(1..=3)).to_string(), "nag 1..3");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum NoteCondition {
    /// A comment follows that has words, and not only embedded commands such as clocks. With a pattern, these words match it.
    Comment(Option<NamePattern>),
    /// A NAG follows whose number lies in the range.
    Nag(RangeInclusive<u32>),
    /// This strength follows, in any spelling: `!` or `(!)`.
    Mark(MoveStrength),
}

impl NoteCondition {
    /// Returns `true` if the text of a game has to be read to decide the condition.
    pub fn reads_text(&self) -> bool {
        matches!(self, Self::Comment(Some(_)))
    }

    /// Returns a strength as queries write it.
    pub(in crate::query) const fn written(strength: MoveStrength) -> &'static str {
        // The standard writes a NAG for a forced move; games have the mark.
        if matches!(strength, MoveStrength::Forced) { "*" } else { strength.marks() }
    }
}

impl fmt::Display for NoteCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Comment(None) => f.write_str("comment"),
            Self::Comment(Some(words)) => write!(f, "comment {words}"),
            Self::Nag(numbers) if numbers.start() == numbers.end() => write!(f, "nag {}", numbers.start()),
            Self::Nag(numbers) if *numbers.end() == u32::MAX => write!(f, "nag {}..", numbers.start()),
            Self::Nag(numbers) => write!(f, "nag {}..{}", numbers.start(), numbers.end()),
            Self::Mark(strength) => write!(f, "mark \"{}\"", Self::written(*strength)),
        }
    }
}

/// Writes a text between quotes, with `\` before quotes and backslashes.
pub(in crate::query) fn write_quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            f.write_str("\\")?;
        }
        write!(f, "{c}")?;
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Query;

    #[test]
    fn names_with_quotes_and_backslashes_are_read_as_they_are_shown() {
        for name in ["TimeControl", "a \"b\"", r"C:\games", r"\", "\\\""] {
            let query = Query::text_tag(TagCondition::new(name, None));
            assert_eq!(Query::parse(&query.to_string()).as_ref(), Ok(&query), "{query}");
        }
    }

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
