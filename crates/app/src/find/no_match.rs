//! Explains why no game matches.

use std::num::NonZeroUsize;

use pdn_index::Index;
use pdn_index::internal::query::{Field, NearNames, NoMatch, explain_no_match};
use pdn_index::query::Query;

use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::numbers::count;

/// Returns the error that no game matches, with the part of the query that leaves no game, and what is near to it.
///
/// # Errors
///
/// If the index is damaged.
pub(crate) fn no_match(index: &Index, query: &Query, threads: NonZeroUsize) -> Result<AppError> {
    if index.is_empty() {
        return Ok(AppError::new(
            ErrorCode::NoMatch,
            message!("no_games", "no game matches: the index has no games"),
        ));
    }
    let found = explain_no_match(index, query, threads)?;
    let meant: Vec<&str> =
        found.names.iter().flat_map(|names| &names.near).map(|near| near.name.as_str()).collect();
    let meant = meant.as_slice();
    let message = match &found.steps[..] {
        [_, .., last] => {
            message!("no_match_part", "no game matches", part = last.text.as_str(), meant = meant)
        }
        _ => message!("no_match", "no game matches", meant = meant),
    };
    let mut error = AppError::new(ErrorCode::NoMatch, message);
    error.details = details(&found);
    Ok(error)
}

/// Returns the lines that explain why no game matches.
fn details(found: &NoMatch) -> Vec<String> {
    let mut lines = Vec::new();
    let part = |step: &pdn_index::internal::query::NoMatchStep| format!("`{}`", step.text);
    if let [before @ .., last] = &found.steps[..] {
        match before.last() {
            Some(previous) if last.alone != Some(0) => {
                let matching = |games: u64| {
                    format!("{} {}", count(games, "game"), if games == 1 { "matches" } else { "match" })
                };
                let others: Vec<String> = before.iter().map(part).collect();
                lines.push(format!("{} {}", matching(previous.left), others.join(" and ")));
                lines.push(match last.alone {
                    Some(alone) => format!("{} {}, but none of the games above", matching(alone), part(last)),
                    None => format!("{} matches none of these games; the others were not read", part(last)),
                });
            }
            _ => lines.push(format!("{} matches no game of the index", part(last))),
        }
    }
    for names in &found.names {
        lines.push(near_names(names));
    }
    for openings in &found.openings {
        let near: Vec<String> = openings.near.iter().map(|name| format!("`{name}`")).collect();
        lines.push(match &near[..] {
            [] => format!("no opening has a name near to `{}`", openings.wanted),
            near => format!("openings near to `{}`: {}", openings.wanted, near.join(", ")),
        });
    }
    if !found.variants.is_empty() {
        let variants: Vec<String> = found
            .variants
            .iter()
            .map(|(variant, games)| format!("{variant} ({})", count(*games, "game")))
            .collect();
        lines.push(format!("the index has {}", variants.join(", ")));
    }
    lines
}

fn near_names(names: &NearNames) -> String {
    let kind = match names.field {
        Field::White | Field::Black | Field::Player | Field::Winner | Field::Loser => "player",
        other => other.name(),
    };
    let wanted = &names.wanted;
    if names.near.is_empty() {
        return format!("no {kind} is near to `{wanted}`");
    }
    let near: Vec<String> =
        names.near.iter().map(|near| format!("`{}` ({})", near.name, count(near.games, "game"))).collect();
    format!("{kind}s near to `{wanted}`: {}", near.join(", "))
}
