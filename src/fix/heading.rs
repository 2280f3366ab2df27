//! Proposes the tags that a heading gives: `Piet Jansen - Jan de Vries 1-1 (12-07-2025)`.

use super::repair::{Applicability, Repair, RepairKind, safe};
use crate::ast::tag_text;
use crate::diag::Code;
use crate::edit::TextEdit;
use crate::syntax::result_len;
use crate::value::{Date, DateForm, DateOrders, GameResult};

/// What a heading says of its game.
#[derive(Default, PartialEq, Debug)]
struct Heading<'h> {
    names: Option<[&'h str; 2]>,
    result: Option<&'h str>,
    date: Option<Date>,
}

/// Returns the repair that adds the tags which a heading gives, before a record without tags. It is unsafe, because only the line itself
/// says what its words mean.
pub(super) fn tags_of(heading: &[u8], dates: DateOrders, line_end: &[u8]) -> Option<Repair> {
    let read = std::str::from_utf8(heading).ok()?.lines().find_map(|line| Heading::read(line, dates))?;
    let [white, black] = read.names?;
    let result = read.result.map(|result| GameResult::parse(result.as_bytes()).to_string());
    let date = read.date.map(|date| date.to_string());
    let tags = [
        ("White", Some(white)),
        ("Black", Some(black)),
        ("Date", date.as_deref()),
        ("Result", result.as_deref()),
    ];
    let mut text = Vec::new();
    for (name, value) in tags {
        if let Some(value) = value {
            text.extend_from_slice(&tag_text(name, value.as_bytes()));
            text.extend_from_slice(line_end);
        }
    }
    text.extend_from_slice(line_end);
    let repair = safe(Code::MissingTag, RepairKind::AddedTag, TextEdit::new(0..0, text));
    Some(Repair { applicability: Applicability::Unsafe, ..repair })
}

impl<'h> Heading<'h> {
    /// Reads a line with two names, a hyphen between them, and perhaps a result and a date after them.
    fn read(line: &'h str, dates: DateOrders) -> Option<Self> {
        let mut heading = Self::default();
        let (first, rest) = line.split_once(" - ").or_else(|| line.split_once(" – "))?;
        let mut end = rest.len();
        for (at, word) in words(rest) {
            let bare = word.trim_matches(|c| matches!(c, '(' | ')' | ',' | ';'));
            let bare_at = at + word.find(bare).unwrap_or(0);
            let is_result = result_len(rest.as_bytes(), bare_at).filter(|_| heading.result.is_none());
            if let Some(len) = is_result {
                heading.result = rest.get(bare_at..bare_at + len);
                end = end.min(at);
            } else if bare.contains(|c: char| c.is_ascii_digit()) {
                if let Ok(read) = dates.read(bare.as_bytes())
                    && !matches!(read.form, DateForm::EitherOrder { .. })
                    && heading.date.is_none()
                {
                    heading.date = Some(read.date);
                }
                end = end.min(at);
            }
        }
        let names = [first, &rest[..end]]
            .map(|name| name.trim_matches(|c: char| c.is_whitespace() || c == ',' || c == '('));
        let is_name = |name: &&str| name.chars().any(char::is_alphabetic) && !name.contains(['"', ':']);
        if !names.iter().all(is_name) {
            return None;
        }
        heading.names = Some(names);
        Some(heading)
    }
}

/// Iterates over the words of a text with their offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(|word| (word.as_ptr().addr() - text.as_ptr().addr(), word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_give_names_result_and_date() {
        let read = |line| Heading::read(line, DateOrders::default());
        let heading = read("Piet Jansen - Jan de Vries 1-1 (25-07-2025)").expect("a heading");
        assert_eq!(heading.names, Some(["Piet Jansen", "Jan de Vries"]));
        assert_eq!(
            (heading.result, heading.date.map(|date| date.to_string()).as_deref()),
            (Some("1-1"), Some("2025.07.25"))
        );
        // The day may be the month.
        assert_eq!(
            read("Piet - Jan (12-07-2025)").map(|heading| (heading.names, heading.date)),
            Some((Some(["Piet", "Jan"]), None))
        );
        assert_eq!(read("Piet - Jan 2 - 0").and_then(|heading| heading.result), Some("2 - 0"));
        assert_eq!(read("Club evening"), None);
        assert_eq!(read("Round 3 - 2-0"), None);
    }
}
