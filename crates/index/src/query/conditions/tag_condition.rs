//! Conditions on tags that an index does not store.

use std::fmt;

use super::quoted::write_quoted;
use pdn_names::NamePattern;

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

#[cfg(test)]
mod tests {
    use crate::query::Query;

    use super::*;

    #[test]
    fn names_with_quotes_and_backslashes_are_read_as_they_are_shown() {
        for name in ["TimeControl", "a \"b\"", r"C:\games", r"\", "\\\""] {
            let query = Query::text_tag(TagCondition::new(name, None));
            assert_eq!(Query::parse(&query.to_string()).as_ref(), Ok(&query), "{query}");
        }
    }
}
