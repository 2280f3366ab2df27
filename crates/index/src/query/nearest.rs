//! The matches of a query that are nearest to a position: those with the fewest squares that differ from it.
//!
//! A query says with `distance "W:..." <= 6` how near is near enough. It is first searched as it is. The games that it finds are then
//! searched with 0, 1, 2 and so on in the place of the 6, until there are as many matches as are wanted. So only the games that match are
//! played again, and transforms such as `flipped` count as they do in any search.
//!
//! Cost: that of a search, and that of playing its games again, once for each distance. Memory: a set of games, and the matches that
//! are returned.

// Twin: the distances of all positions, counted square by square; test: nearest_matches_are_those_of_the_least_distances.

use std::collections::HashSet;
use std::convert::Infallible;
use std::num::NonZeroUsize;

use super::conditions::{Count, SumCondition};
use super::language::{Condition, Query};
use super::search::{Hit, Search, SearchStats};
use crate::{GameSet, Index};
use pdn::error::Result;
use pdn::stop::Stop;

/// The greatest number of squares of a board.
const MAX_DISTANCE: i32 = 72;

/// The matches of a query, the nearest first.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct NearestMatches {
    /// The matches with their distances; those of one distance in the order of the index.
    pub hits: Vec<(Hit, u32)>,
    /// The number of games that match, however many are returned.
    pub games: u64,
    /// What the first search did.
    pub stats: SearchStats,
}

impl Query {
    /// Returns the greatest distance that the query allows, if it has one condition `distance "W:..." <= n`, which is true of
    /// more positions the greater n is: it is neither negated nor one of several possibilities, and not counted.
    fn greatest_distance(&self) -> Option<u32> {
        let mut bounds = Vec::new();
        let is_plain = distances(self, true, &mut bounds);
        match bounds.as_slice() {
            [max] if is_plain => u32::try_from((*max).min(MAX_DISTANCE)).ok(),
            _ => None,
        }
    }

    /// Returns the query with `max` as the greatest distance that it allows.
    fn within_distance(&self, max: u32) -> Self {
        let Ok(replaced) = self.with_replaced::<Infallible>(&mut |condition| {
            Ok(match condition {
                Condition::Sum(sum) if sum.compares_positions() => {
                    Some(Self::sum(SumCondition { max: max as i32, ..sum.clone() }))
                }
                _ => None,
            })
        });
        replaced
    }
}

/// Collects the greatest distances that conditions allow. Returns `false` if one of them stands where the query need not be true of
/// more positions the greater it is. `grows` says whether the query stands where it is.
fn distances(query: &Query, grows: bool, bounds: &mut Vec<i32>) -> bool {
    match query {
        Query::Is(Condition::Sum(sum)) if sum.compares_positions() => {
            bounds.push(sum.max);
            grows && matches!(sum.terms.as_slice(), [(1, Count::Distance(_))])
        }
        operator => {
            let stays =
                matches!(operator, Query::Not(_) | Query::Or(_) | Query::Times { .. } | Query::First(_));
            let mut operands = operator.operands().into_iter();
            operands.all(|operand| distances(operand, grows && !stays, bounds))
        }
    }
}

/// Returns the matches with the least distances, at least `wanted` of them if there are as many: the nearest position of each game,
/// or with `all_plies` every matching position. `None` unless the query has one condition
/// `distance "W:..." <= n`, which is neither negated, counted, nor one of several possibilities.
///
/// # Errors
/// As [`Search::new`] and [`Search::hits`].
pub fn nearest(
    index: &Index,
    query: &Query,
    threads: NonZeroUsize,
    stop: &Stop,
    wanted: usize,
    all_plies: bool,
) -> Result<Option<NearestMatches>> {
    let Some(greatest) = query.greatest_distance() else { return Ok(None) };
    let (mut remaining, stats) = Search::new(index, query, threads)?.stop(stop).games()?;
    let mut found = NearestMatches { hits: Vec::new(), games: count(&remaining), stats };
    let mut seen: HashSet<Hit> = HashSet::new();
    for distance in 0..=greatest {
        if found.hits.len() >= wanted || remaining.iter().all(GameSet::is_empty) {
            break;
        }
        let query = query.within_distance(distance);
        let search = Search::new(index, &query, threads)?.stop(stop).among(&remaining);
        let (mut hits, _) = if all_plies { search.all_hits(usize::MAX)? } else { search.hits(usize::MAX)? };
        if all_plies {
            hits.retain(|hit| seen.insert(*hit));
        } else {
            for (segment, games) in remaining.iter_mut().enumerate() {
                let first = index.first_game(segment).unwrap_or(0);
                let local = |hit: &Hit| hit.game.checked_sub(first).and_then(|game| u32::try_from(game).ok());
                let matched: GameSet = hits.iter().filter_map(local).collect();
                *games = &*games - &matched;
            }
        }
        found.hits.extend(hits.into_iter().map(|hit| (hit, distance)));
    }
    Ok(Some(found))
}

fn count(games: &[GameSet]) -> u64 {
    games.iter().map(GameSet::len).sum()
}
