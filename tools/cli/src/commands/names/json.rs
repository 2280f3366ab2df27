//! Groups of names as JSON.

use std::fmt::Write;

use pdn::names::{GroupSpelling, NameGroup};
use serde_json::{Value, json};

use crate::output::sanitize;

/// Returns a line for each group.
pub(super) fn text(groups: &[NameGroup]) -> String {
    groups.iter().fold(String::new(), |mut text, group| {
        let _ = writeln!(text, "{}", sanitize::json(&group_value(group)));
        text
    })
}

fn group_value(group: &NameGroup) -> Value {
    let spelling = |spelling: &GroupSpelling| {
        json!({
            "name": spelling.name,
            "games": spelling.games,
            "first_year": spelling.years.map(|years| years.0),
            "last_year": spelling.years.map(|years| years.1),
            "evidence": spelling.evidence.keys(),
            "reason": spelling.evidence.text(group.kind),
        })
    };
    json!({
        "kind": group.kind.name(),
        "canonical": group.canonical,
        "games": group.games(),
        "doubt": group.doubt.map(|doubt| doubt.name()),
        "spellings": group.spellings.iter().map(spelling).collect::<Vec<_>>(),
        "evidence": group.evidence(),
        "candidates": group.candidates,
    })
}
