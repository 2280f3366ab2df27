//! Which games of an index may have a position.

use super::target::PositionTarget;
use crate::{GameKind, GameSet, Index, Section, Segment};
use pdn::error::Result;
use pdn::position::Position;

/// Returns the games of a segment that may have a position: those of the same rules and, of these, the ones that the
/// key table lists, if there is one and the position is rare enough. Retired games are left out. No
/// game of an unknown segment is returned.
///
/// With a key table it takes microseconds, and one in some hundred listed games is listed in vain, because the table
/// keeps only part of each key. Without a table, or if the system cannot map it, it takes some milliseconds per million games of several kinds.
///
/// # Errors
/// If the key table or a section is damaged.
pub fn candidates(index: &Index, segment: usize, position: &Position) -> Result<GameSet> {
    let games = of_same_rules(index, segment, position)?;
    if games.is_empty() {
        return Ok(games);
    }
    Ok(match listed(index, segment, position)? {
        Some(listed) => games & listed,
        None => games,
    })
}

/// Returns the games of a segment that are played by the rules of a position, without retired ones.
///
/// # Errors
/// If a section is damaged.
pub(in crate::query) fn of_same_rules(index: &Index, segment: usize, position: &Position) -> Result<GameSet> {
    let Some(data) = index.segments().get(segment) else { return Ok(GameSet::new()) };
    let has_same_rules: Vec<bool> =
        data.kinds()?.iter().map(|kind| kind.variant.rules() == *position.rules()).collect();
    if !has_same_rules.contains(&false) {
        return Ok(index.live_games(segment));
    }
    if !has_same_rules.contains(&true) {
        return Ok(GameSet::new());
    }
    let kinds = data.column(Section::Kind)?;
    let games = kinds.games(|kind| has_same_rules.get(kind as usize) == Some(&true));
    Ok(match index.retired_games(segment) {
        Some(retired) => games - retired,
        None => games,
    })
}

/// Returns those of some games of a segment that are played by the rules of a position and not retired. Takes time for each
/// of these games only, unlike [`of_same_rules`].
///
/// # Errors
/// If a section is damaged.
pub(in crate::query) fn among_of_same_rules(
    index: &Index,
    segment: usize,
    position: &Position,
    mut games: GameSet,
) -> Result<GameSet> {
    let Some(data) = index.segments().get(segment) else { return Ok(GameSet::new()) };
    if let Some(retired) = index.retired_games(segment) {
        games -= retired;
    }
    let kinds = data.kinds()?;
    let has_same_rules =
        |kind: u64| kinds.get(kind as usize).is_some_and(|kind| kind.variant.rules() == *position.rules());
    if kinds.iter().all(|kind| kind.variant.rules() == *position.rules()) {
        return Ok(games);
    }
    let column = index.column_for(games.len(), segment, Section::Kind)?;
    if index.is_few(games.len()) {
        let mut parts = Vec::new();
        games.iter().for_each(|game| column.expect(game as usize, &mut parts));
        data.fetch(&parts)?;
    }
    Ok(games.iter().filter(|&game| column.get(game as usize).is_some_and(has_same_rules)).collect())
}

/// Returns the games that the key table lists for a position; `None` if there is no table that can be used, or playing all games is
/// faster.
///
/// # Errors
/// If the index itself is damaged.
pub(in crate::query) fn listed(
    index: &Index,
    segment: usize,
    position: &Position,
) -> Result<Option<GameSet>> {
    let key = position.key();
    let Some(keys) = index.readable_keys(segment)? else { return Ok(None) };
    let listed = || if keys.is_selective(key)? { keys.games(key).map(Some) } else { Ok(None) };
    index.or_without_table(listed())
}

/// Returns the compiled position for each segment of an index and each kind of games in it.
///
/// # Errors
/// If the section of the kinds of games is damaged.
pub(in crate::query) fn targets(
    index: &Index,
    position: &Position,
) -> Result<Vec<Vec<PositionTarget<u128>>>> {
    index.segments().iter().map(|segment| targets_of_segment(segment, position)).collect()
}

/// Returns the compiled position for each kind of games in a segment.
///
/// # Errors
/// If the section of the kinds of games is damaged.
pub(in crate::query) fn targets_of_segment(
    segment: &Segment,
    position: &Position,
) -> Result<Vec<PositionTarget<u128>>> {
    let of_kind = |kind: &GameKind| {
        let start = Position::start(kind.game());
        PositionTarget::new(position.rules(), start.state(), position.state())
    };
    Ok(segment.kinds()?.iter().map(of_kind).collect())
}
