//! Which games of an index may have a position.

use super::target::PositionTarget;
use crate::error::Result;
use crate::index::{GameKind, GameSet, Index, Section, Segment};
use crate::position::Position;

/// Returns the games of a segment that may have a position: those of the same rules and, of these, the ones that the
/// key table lists, if there is one and the position is rare enough. Retired games are left out. No game of an unknown segment is returned.
///
/// With a key table it takes microseconds, and one in some hundred listed games is listed in vain, because the table
/// keeps only part of each key. Without a table it takes some milliseconds per million games of several kinds.
///
/// # Errors
/// If the key table or a section is damaged.
pub fn candidates(index: &Index, segment: usize, position: &Position) -> Result<GameSet> {
    let Some(data) = index.segments().get(segment) else { return Ok(GameSet::new()) };
    let has_same_rules: Vec<bool> =
        data.kinds()?.iter().map(|kind| kind.variant.rules() == *position.rules()).collect();
    if !has_same_rules.contains(&true) {
        return Ok(GameSet::new());
    }
    let key = position.key();
    let keys = match index.keys(segment)? {
        Some(keys) if keys.is_selective(key)? => Some(keys),
        _ => None,
    };
    let mut games = match keys {
        Some(keys) => keys.games(key)?,
        None => GameSet::first(data.len() as u32),
    };
    if has_same_rules.contains(&false) && !games.is_empty() {
        let kinds = data.column(Section::Kind)?;
        games &= kinds.games(|kind| has_same_rules.get(kind as usize) == Some(&true));
    }
    if let Some(retired) = index.retired_games(segment) {
        games -= retired;
    }
    Ok(games)
}

/// Returns the compiled position for each segment of an index and each kind of games in it.
///
/// # Errors
/// If the section of the kinds of games is damaged.
pub(in crate::query) fn targets(
    index: &Index,
    position: &Position,
) -> Result<Vec<Vec<PositionTarget<u128>>>> {
    let of_kind = |kind: &GameKind| {
        let start = Position::start(kind.game());
        PositionTarget::new(position.rules(), start.state(), position.state())
    };
    let of_segment = |segment: &Segment| Ok(segment.kinds()?.iter().map(of_kind).collect());
    index.segments().iter().map(of_segment).collect()
}
