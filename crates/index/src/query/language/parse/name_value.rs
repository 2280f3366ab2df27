//! Parses the name that a condition compares a text with.

use super::scanner::Scanner;
use crate::query::error::QueryError;
use pdn::span::Span;
use pdn_names::{NameMatch, NamePattern};

/// Parses `:`, `=` or `~` and a name; `None` if no such sign comes next.
pub(super) fn parse_name(scanner: &mut Scanner<'_>) -> Result<Option<NamePattern>, QueryError> {
    let Some(sign) = [":", "=", "~"].into_iter().find(|sign| scanner.take_sign(sign)) else {
        return Ok(None);
    };
    let (at, value, star) = scanner.value("a name")?;
    name_pattern(sign, at, value, star).map(Some)
}

/// Creates the pattern of a name after a sign. `at` is the place of its first character, and `star` says whether it ends
/// with a `*` that is not escaped.
///
/// # Errors
/// If nothing of the name is compared: it has no letter and no digit. Only `= ""` is allowed, for names without either.
pub(super) fn name_pattern(
    sign: &str,
    at: usize,
    mut value: String,
    star: bool,
) -> Result<NamePattern, QueryError> {
    let span = Span::new(at as u32, (at + value.len()) as u32);
    let kind = match (sign, star) {
        ("=", true) => NameMatch::Prefix,
        ("=", false) => NameMatch::Exact,
        ("~", _) => NameMatch::Fuzzy,
        _ => NameMatch::Words,
    };
    if kind == NameMatch::Prefix {
        value.pop();
    }
    let pattern = NamePattern::new(value, kind);
    let stands_for_unknown = kind == NameMatch::Exact && pattern.text().is_empty();
    if pattern.folded().is_empty() && !stands_for_unknown {
        let message = message!(
            "empty_name",
            "expected a name with a letter or a digit; `= \"\"` stands for names without either, such as `?`"
        );
        return Err(QueryError::new(span, message));
    }
    Ok(pattern)
}
