//! Selects games without playing them: conditions on whole games, bounds for all others, and the variants of games.

mod game_values;
mod game_selector;
mod annotated_games;

pub(super) use annotated_games::ANNOTATIONS;
pub use game_selector::GameSelector;
pub(super) use game_selector::{MatchingComments, Place};
pub use game_values::{Answer, GameValues, MatchBounds, round_number, sum_of};

use std::cmp::Reverse;

use crate::{GameSet, Index, Section};
use pdn::error::Result;
use pdn::internal::sort;
use pdn::rules::Variant;

/// Returns the variants of the games of an index and their numbers of games, the commonest first; of equally many, in the
/// order of [`Variant::ALL`]. Only the games of `among` count, which has a set for each segment; `None` stands for all.
///
/// # Errors
/// If a section is damaged.
pub fn variant_counts(index: &Index, among: Option<&[GameSet]>) -> Result<Vec<(Variant, u64)>> {
    let mut counts = vec![0u64; Variant::ALL.len()];
    for (number, segment) in index.segments().iter().enumerate() {
        let kinds = segment.kinds()?;
        let chosen = match among {
            Some(sets) => Some(sets.get(number).cloned().unwrap_or_default()),
            None => index.retired_games(number).map(|_| index.live_games(number)),
        };
        let mut games = vec![0u64; kinds.len()];
        let extract = if chosen.is_none() && kinds.len() > 1 { index.extract(number)? } else { None };
        match (games.as_mut_slice(), &chosen) {
            ([all], None) => *all = segment.len() as u64,
            ([all], Some(chosen)) => *all = chosen.len(),
            (games, None) if extract.is_some() => {
                let known = extract.into_iter().flat_map(|extract| extract.kind_games());
                games.iter_mut().zip(known).for_each(|(games, &known)| *games = known.into());
            }
            (games, chosen) => {
                let column = segment.column(Section::Kind)?;
                let mut count = |kind: u64| {
                    if let Some(count) = games.get_mut(kind as usize) {
                        *count += 1;
                    }
                };
                match chosen {
                    None => column.values().for_each(&mut count),
                    Some(chosen) => {
                        chosen.iter().filter_map(|game| column.get(game as usize)).for_each(&mut count);
                    }
                }
            }
        }
        for (kind, games) in kinds.iter().zip(games) {
            if let Some(place) = Variant::ALL.iter().position(|&variant| variant == kind.variant) {
                counts[place] += games;
            }
        }
    }
    let mut found: Vec<(Variant, u64)> =
        Variant::ALL.iter().copied().zip(counts).filter(|&(_, games)| games > 0).collect();
    sort::by_key(&mut found, |&(_, games)| Reverse(games));
    Ok(found)
}

/// Returns the variant of most games of an index; of several, the first in the order of [`Variant::ALL`]. `None` for an
/// index without games.
///
/// # Errors
/// If a section is damaged.
pub fn commonest_variant(index: &Index) -> Result<Option<Variant>> {
    Ok(variant_counts(index, None)?.first().map(|&(variant, _)| variant))
}
