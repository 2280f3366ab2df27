//! Reads a file of names, as `pdn names` writes it.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use pdn_names::{MappedNames, NameKind, NameMap};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::option_file::{self, MAX_NAMES_BYTES};

/// Reads a file of names.
///
/// # Errors
///
/// If the file cannot be read; a fault in its text has a line and a column after the name of the file.
pub fn read(path: &Path) -> Result<NameMap> {
    let fault = |text: &[u8], at: usize, message: String| {
        let (line, column) = line_and_column(text, at);
        let place = format!("{}:{line}:{column}", path.display());
        AppError::path(ErrorCode::InvalidValue, place, message)
    };
    let text = option_file::read(path, MAX_NAMES_BYTES)?;
    let text = String::from_utf8(text).map_err(|error| {
        fault(error.as_bytes(), error.utf8_error().valid_up_to(), "expected UTF-8".to_owned())
    })?;
    parse(&text).map_err(|(at, message)| fault(text.as_bytes(), at.start, message))
}

/// Reads the file of names of an option, if one is given.
///
/// # Errors
///
/// As [`read`].
pub fn read_shared(path: Option<&Path>) -> Result<Option<Arc<NameMap>>> {
    Ok(path.map(read).transpose()?.map(Arc::new))
}

/// The place of a fault, in bytes, and what is wrong.
type Fault = (Range<usize>, String);
/// The place of a canonical name, and of each spelling of its group.
type GroupPlaces = (Range<usize>, Vec<Range<usize>>);

fn parse(text: &str) -> std::result::Result<NameMap, Fault> {
    let root = DeTable::parse(text).map_err(|error| {
        let message = error.message().lines().collect::<Vec<_>>().join("; ");
        (error.span().unwrap_or(0..0), message)
    })?;
    let mut groups: Vec<MappedNames> = Vec::new();
    let mut places: Vec<GroupPlaces> = Vec::new();
    for (key, value) in root.get_ref() {
        let kind = NameKind::parse(key.get_ref()).ok_or_else(|| {
            (key.span(), format!("expected `player`, `event` or `site`, found `{}`", key.get_ref()))
        })?;
        let expected = || (value.span(), format!("expected groups that begin with `[[{}]]`", kind.name()));
        for group in value.get_ref().as_array().ok_or_else(expected)? {
            let table = group.get_ref().as_table().ok_or_else(expected)?;
            let (names, place) = read_group(kind, table, group.span())?;
            groups.push(names);
            places.push(place);
        }
    }
    NameMap::new(&groups).map_err(|error| {
        let (canonical, spellings) = &places[error.group];
        let place = error.spelling.and_then(|spelling| spellings.get(spelling)).unwrap_or(canonical);
        (place.clone(), error.to_string())
    })
}

/// Reads a group, with the place of its canonical name and of each spelling.
fn read_group(
    kind: NameKind,
    table: &DeTable<'_>,
    place: Range<usize>,
) -> std::result::Result<(MappedNames, GroupPlaces), Fault> {
    let text = |value: &Spanned<DeValue<'_>>| {
        let text = value.get_ref().as_str().map(str::to_owned);
        text.ok_or_else(|| {
            (value.span(), format!("expected a name in quotes, found {}", value.get_ref().type_str()))
        })
    };
    let (mut canonical, mut spellings, mut places) = (None, Vec::new(), Vec::new());
    for (key, value) in table {
        match &**key.get_ref() {
            "canonical" => canonical = Some((text(value)?, value.span())),
            "spellings" => {
                let expected =
                    || (value.span(), "expected names in brackets: `[\"...\", \"...\"]`".to_owned());
                for spelling in value.get_ref().as_array().ok_or_else(expected)? {
                    spellings.push(text(spelling)?);
                    places.push(spelling.span());
                }
            }
            other => {
                return Err((key.span(), format!("expected `canonical` or `spellings`, found `{other}`")));
            }
        }
    }
    let (canonical, at) =
        canonical.ok_or_else(|| (place, "expected a line `canonical = \"...\"` in this group".to_owned()))?;
    Ok((MappedNames::new(kind, canonical, spellings), (at, places)))
}

/// Returns the line and the column of a byte, both from 1; columns count characters.
fn line_and_column(text: &[u8], at: usize) -> (usize, usize) {
    let before = &text[..at.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> (usize, usize, String) {
        let (at, message) = parse(text).expect_err(text);
        let (line, column) = line_and_column(text.as_bytes(), at.start);
        (line, column, message)
    }

    #[test]
    fn faults_have_line_and_column() {
        let group = "[[player]]\ncanonical = \"b\"\nspellings = [\"é\", \"a\"]\n";
        assert_eq!(parse(group).expect("valid").canonical(NameKind::Player, "a"), Some("b"));
        for (more, line, column, message) in [
            ("[[player]]\ncanonical = \"c\"\nspellings = [\"é\", \"a\"]", 6, 14, "`é` is listed twice"),
            ("[[player]]\ncanonical = \"c\"\nspellings = [\"x\", \"a\"]", 6, 19, "`a` is listed twice"),
            ("[[player]]\ncanonical = \"a\"\nspellings = [\"b\"]", 2, 13, "becomes itself"),
            ("[[player]]\nspellings = [\"x\"]", 4, 1, "expected a line `canonical"),
            ("[[player]]\ncanonical = 1", 5, 13, "expected a name in quotes, found integer"),
            ("[[player]]\ncanonical = \"c\"\nspelling = []", 6, 1, "found `spelling`"),
            ("[[person]]\ncanonical = \"c\"", 4, 3, "found `person`"),
            ("[event]\ncanonical = \"c\"", 4, 1, "[[event]]"),
            ("x", 4, 2, ""),
        ] {
            let found = fault(&format!("{group}{more}"));
            assert_eq!((found.0, found.1), (line, column), "{more}: {}", found.2);
            assert!(found.2.contains(message), "{more}: {}", found.2);
        }
    }
}
