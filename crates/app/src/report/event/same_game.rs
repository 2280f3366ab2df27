//! Finds games of an event that are given twice.

use std::collections::HashMap;

use pdn::internal::value::round_parts;
use pdn::value::Date;
use pdn_dedup::{TagAgreement, compare_rounds};
use pdn_index::Index;
use pdn_names::fold;

use super::TableGame;
use crate::ask::error::Result;

/// Number of earlier games with the same players, colours and length with which a game is compared.
const COMPARED: usize = 64;

/// Returns for each game the one before it that is the same, by their places; `None` if there is none.
///
/// Two games of the same players with the same colours are the same if their rounds, as in [`compare_rounds`], and their dates do not contradict, and
/// the moves are equal. If one has no moves, the round has to be known and equal; if both have none, the round or the whole date.
/// Linear in the games: a game is compared with the last 64 of the same players and length.
///
/// # Errors
///
/// If the index is damaged.
pub(super) fn same_games(index: &Index, games: &[TableGame<'_>]) -> Result<Vec<Option<usize>>> {
    let mut same = vec![None; games.len()];
    let mut by_length: HashMap<([usize; 2], u32), Vec<usize>> = HashMap::new();
    let mut by_round: HashMap<([usize; 2], String), usize> = HashMap::new();
    for (place, game) in games.iter().enumerate() {
        let round = known_round(game.round).map(|round| (game.players, round));
        let known = by_length.entry((game.players, game.plies)).or_default();
        let of_round = round.as_ref().and_then(|round| by_round.get(round)).copied();
        for other in known.iter().rev().take(COMPARED).copied().chain(of_round) {
            if is_same(index, &games[other], game)? {
                same[place] = Some(other);
                break;
            }
        }
        if same[place].is_none() {
            known.push(place);
            if let Some(round) = round {
                by_round.entry(round).or_insert(place);
            }
        }
    }
    Ok(same)
}

fn is_same(index: &Index, one: &TableGame<'_>, other: &TableGame<'_>) -> Result<bool> {
    if compare_rounds(one.round, other.round) == TagAgreement::Different {
        return Ok(false);
    }
    let rounds = [one, other].map(|game| known_round(game.round));
    let same_round = rounds[0].is_some() && rounds[0] == rounds[1];
    if contradicts(one.date, other.date) {
        return Ok(false);
    }
    match (one.plies, other.plies) {
        (0, 0) => Ok(same_round || (one.date == other.date && one.date.day().is_some())),
        (0, _) | (_, 0) => Ok(same_round),
        (of_one, of_other) if of_one != of_other || one.variant != other.variant => Ok(false),
        _ => {
            let moves = |game: &TableGame<'_>| index.game(game.number).map(|game| game.moves()).transpose();
            Ok(moves(one)? == moves(other)?)
        }
    }
}

/// Returns a round in one spelling: its parts, or else its words; `None` if it is unknown.
pub(super) fn known_round(text: &str) -> Option<String> {
    let parts = round_parts(text).map(str::to_lowercase).collect::<Vec<_>>().join(".");
    let known = if parts.is_empty() { fold(text) } else { parts };
    Some(known).filter(|known| !known.is_empty())
}

/// Returns `true` if two dates have different known parts.
fn contradicts(one: Date, other: Date) -> bool {
    let differ =
        |one: Option<u16>, other: Option<u16>| one.zip(other).is_some_and(|(one, other)| one != other);
    differ(one.year(), other.year())
        || differ(one.month().map(u16::from), other.month().map(u16::from))
        || differ(one.day().map(u16::from), other.day().map(u16::from))
}
