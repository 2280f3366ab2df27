//! Whether the tags of two games agree.

use pdn::internal::value::round_parts;
use pdn::value::{Date, Outcome};
use pdn_names::fold;
use std::collections::HashSet;

/// Whether two values of a tag agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum TagAgreement {
    /// At least one of them is not known, so nothing is contradicted.
    Unknown,
    /// They are the same, or one says more than the other: `1978` and `1978.03.01`, rounds `3` and `3.1`.
    Same,
    /// Complete dates, one or two days apart.
    Close,
    /// They contradict each other.
    Different,
}

impl TagAgreement {
    /// Returns the name in lower case, as the command prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Same => "same",
            Self::Close => "close",
            Self::Different => "different",
        }
    }
}

/// Most days between two dates that are close.
const CLOSE_DAYS: u32 = 2;

/// Compares dates part by part.
pub(super) fn compare_dates(a: Date, b: Date) -> TagAgreement {
    if let (Some(a), Some(b)) = (a.days(), b.days()) {
        return match a.abs_diff(b) {
            0 => TagAgreement::Same,
            1..=CLOSE_DAYS => TagAgreement::Close,
            _ => TagAgreement::Different,
        };
    }
    let parts = |date: Date| [date.year(), date.month().map(u16::from), date.day().map(u16::from)];
    let both = parts(a).into_iter().zip(parts(b)).filter_map(|(a, b)| Some(a? == b?));
    both.reduce(|all, same| all && same)
        .map_or(TagAgreement::Unknown, |same| if same { TagAgreement::Same } else { TagAgreement::Different })
}

/// Compares rounds by their [parts](round_parts): `3`, `3.1` and `R3` agree, `3a` and `3b` do not. Rounds without numbers are compared as
/// names. The one rule for rounds, also for the games of an event.
pub fn compare_rounds(a: &str, b: &str) -> TagAgreement {
    if round_parts(a).next().is_none() || round_parts(b).next().is_none() {
        return compare_names(a, b);
    }
    let mut parts = round_parts(a).zip(round_parts(b));
    if parts.all(|(a, b)| a.eq_ignore_ascii_case(b)) { TagAgreement::Same } else { TagAgreement::Different }
}

/// Bytes of a name whose words are looked for one by one.
const SHORT_BYTES: usize = 100;

/// Compares names of events: they agree if all words of the one occur in the other.
pub(super) fn compare_names(a: &str, b: &str) -> TagAgreement {
    if a == b {
        return if fold(a).is_empty() { TagAgreement::Unknown } else { TagAgreement::Same };
    }
    let (a, b) = (fold(a), fold(b));
    if a.is_empty() || b.is_empty() {
        return TagAgreement::Unknown;
    }
    let contains = |a: &str, b: &str| {
        if a.len() < SHORT_BYTES {
            return b.split(' ').all(|word| a.split(' ').any(|other| word == other));
        }
        let words: HashSet<&str> = a.split(' ').collect();
        b.split(' ').all(|word| words.contains(word))
    };
    if contains(&a, &b) || contains(&b, &a) { TagAgreement::Same } else { TagAgreement::Different }
}

/// Compares web addresses of games, which servers write as the site. Two of them on one server are two games.
pub(super) fn compare_web_addresses(a: &str, b: &str) -> TagAgreement {
    fn parts(text: &str) -> Option<(&str, &str)> {
        let (_, address) = text.trim().split_once("://")?;
        let (server, path) = address.split_once('/')?;
        (!path.trim_matches('/').is_empty()).then_some((server, path.trim_end_matches('/')))
    }
    match (parts(a), parts(b)) {
        (Some((server, path)), Some((other_server, other_path)))
            if server.eq_ignore_ascii_case(other_server) =>
        {
            if path == other_path {
                TagAgreement::Same
            } else {
                TagAgreement::Different
            }
        }
        _ => TagAgreement::Unknown,
    }
}

/// Compares outcomes.
pub(super) fn compare_outcomes(a: Outcome, b: Outcome) -> TagAgreement {
    match (a, b) {
        (Outcome::Unknown, _) | (_, Outcome::Unknown) => TagAgreement::Unknown,
        (a, b) if a == b => TagAgreement::Same,
        _ => TagAgreement::Different,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_agree_by_their_known_parts() {
        for (a, b, expected) in [
            ("1978.03.01", "1978.03.01", TagAgreement::Same),
            ("1978.03.01", "1978.03.03", TagAgreement::Close),
            ("1977.12.31", "1978.01.02", TagAgreement::Close),
            ("1978.03.01", "1978.03.04", TagAgreement::Different),
            ("1978.??.??", "1978.03.04", TagAgreement::Same),
            ("1978.??.??", "1979.03.04", TagAgreement::Different),
            ("1978.03.??", "1978.04.01", TagAgreement::Different),
            ("????.??.??", "1978.03.04", TagAgreement::Unknown),
            ("?", "?", TagAgreement::Unknown),
        ] {
            let [first, second] = [a, b].map(|text| text.parse().unwrap());
            assert_eq!(compare_dates(first, second), expected, "{a} {b}");
            assert_eq!(compare_dates(second, first), expected, "{b} {a}");
        }
    }

    #[test]
    fn rounds_agree_by_their_numbers() {
        for (a, b, expected) in [
            ("3", "3", TagAgreement::Same),
            ("3", "3.1", TagAgreement::Same),
            ("R 03", "3", TagAgreement::Same),
            ("3a", "3A", TagAgreement::Same),
            ("3a", "3", TagAgreement::Same),
            ("3a", "3b", TagAgreement::Different),
            ("1/8 final", "1/4 final", TagAgreement::Different),
            ("ronde 3.1", "3.2", TagAgreement::Different),
            ("Round 1 board 2", "Round 1 board 3", TagAgreement::Different),
            ("3.2", "3.1", TagAgreement::Different),
            ("3", "4", TagAgreement::Different),
            ("final", "Final", TagAgreement::Same),
            ("final", "4", TagAgreement::Different),
            ("?", "4", TagAgreement::Unknown),
            ("-", "4", TagAgreement::Unknown),
            ("", "", TagAgreement::Unknown),
        ] {
            assert_eq!(compare_rounds(a, b), expected, "{a} {b}");
            assert_eq!(compare_rounds(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn two_addresses_on_one_server_are_two_games() {
        for (a, b, expected) in [
            ("https://lidraughts.org/abcd", "https://lidraughts.org/abcd", TagAgreement::Same),
            ("https://lidraughts.org/abcd", "https://lidraughts.org/efgh", TagAgreement::Different),
            ("https://lidraughts.org/abcd", "https://example.org/efgh", TagAgreement::Unknown),
            ("https://lidraughts.org/", "https://lidraughts.org/efgh", TagAgreement::Unknown),
            ("https://lidraughts.org", "https://lidraughts.org/efgh", TagAgreement::Unknown),
            ("Zwartsluis", "https://lidraughts.org/efgh", TagAgreement::Unknown),
            ("Zwartsluis", "Utrecht", TagAgreement::Unknown),
        ] {
            assert_eq!(compare_web_addresses(a, b), expected, "{a} {b}");
            assert_eq!(compare_web_addresses(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn events_agree_if_one_has_all_words_of_the_other() {
        for (a, b, expected) in [
            ("WK 2003", "WK-2003", TagAgreement::Same),
            ("WK 2003", "WK 2003, Zwartsluis", TagAgreement::Same),
            ("WK 2003", "WK 2005", TagAgreement::Different),
            ("?", "WK 2005", TagAgreement::Unknown),
            ("", "?", TagAgreement::Unknown),
        ] {
            assert_eq!(compare_names(a, b), expected, "{a} {b}");
            assert_eq!(compare_names(b, a), expected, "{b} {a}");
        }
    }
}
