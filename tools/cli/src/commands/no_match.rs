//! Explains on standard error why no game matches.

use std::num::NonZeroUsize;

use pdn::index::Index;
use pdn::query::{Field, NearNames, NoMatch, Query, explain_no_match};

use crate::output::exit::{fail, print_error};
use crate::output::numbers::count;
use crate::output::{Exit, sanitize};

/// Prints that no game matches, which part of the query leaves no game, and what is near to it. Returns
/// [`Exit::Negative`], or [`Exit::Failure`] if the index is damaged.
pub(super) fn report(index: &Index, query: &Query, threads: NonZeroUsize) -> Exit {
    if index.is_empty() {
        print_error("no game matches: the index has no games");
        return Exit::Negative;
    }
    match explain_no_match(index, query, threads) {
        Ok(found) => {
            print_error(&text(&found));
            Exit::Negative
        }
        Err(error) => fail(&error),
    }
}

fn text(found: &NoMatch) -> String {
    let mut text = "no game matches".to_owned();
    let part = |step: &pdn::query::NoMatchStep| format!("`{}`", sanitize::text(&step.text));
    if let [before @ .., last] = &found.steps[..] {
        match before.last() {
            Some(previous) if last.alone != Some(0) => {
                let matching = |games: u64| {
                    format!("{} {}", count(games, "game"), if games == 1 { "matches" } else { "match" })
                };
                let others: Vec<String> = before.iter().map(part).collect();
                text += &format!("\n  {} {}", matching(previous.left), others.join(" and "));
                let alone = last.alone.unwrap_or_default();
                text += &format!("\n  {} {}, but none of the games above", matching(alone), part(last));
            }
            _ => text += &format!("\n  {} matches no game of the index", part(last)),
        }
    }
    for names in &found.names {
        text += &format!("\n  {}", near_names(names));
    }
    if !found.variants.is_empty() {
        let variants: Vec<String> = found
            .variants
            .iter()
            .map(|(variant, games)| format!("{variant} ({})", count(*games, "game")))
            .collect();
        text += &format!("\n  the index has {}", variants.join(", "));
    }
    text
}

fn near_names(names: &NearNames) -> String {
    let kind = match names.field {
        Field::White | Field::Black | Field::Player | Field::Winner | Field::Loser => "player",
        other => other.name(),
    };
    let wanted = sanitize::text(&names.wanted);
    if names.near.is_empty() {
        return format!("no {kind} is near to `{wanted}`");
    }
    let near: Vec<String> = names
        .near
        .iter()
        .map(|near| format!("`{}` ({})", sanitize::text(&near.name), count(near.games, "game")))
        .collect();
    format!("{kind}s near to `{wanted}`: {}", near.join(", "))
}
