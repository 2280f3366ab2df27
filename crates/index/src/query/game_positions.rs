//! Reads the positions of games that a query refers to.

use std::borrow::Cow;

use super::conditions::{FoundPositions, GamePositions};
use super::language::{Condition, Query};
use crate::Index;
use pdn::error::{Error, ErrorKind, Result};
use pdn_rules::internal::position::State;

/// Returns a query with the positions of all games that it refers to.
///
/// # Errors
/// [`ErrorKind::NoSuchPosition`] for a game that the index does not have, and for a ply that a game does not have; also if a section
/// of the index is damaged.
pub(super) fn with_positions_of_games<'q>(query: Cow<'q, Query>, index: &Index) -> Result<Cow<'q, Query>> {
    let mut is_changed = false;
    let replaced = query.with_replaced(&mut |condition| {
        let Condition::InGame(positions) = condition else { return Ok::<_, Error>(None) };
        is_changed = true;
        let found = Some(read(positions, index)?);
        Ok(Some(Query::in_game(GamePositions { found, ..positions.clone() })))
    })?;
    Ok(if is_changed { Cow::Owned(replaced) } else { query })
}

fn read(positions: &GamePositions, index: &Index) -> Result<FoundPositions> {
    let error =
        |reason: String| Error::new(ErrorKind::NoSuchPosition { condition: positions.to_string(), reason });
    let game = positions.game.checked_sub(1).and_then(|number| index.game(number));
    let Some(game) = game.filter(|game| !game.is_retired()) else {
        return Err(error(format!("the index has no game {}", positions.game)));
    };
    let kind = game.kind()?;
    let (plies, last) = game.plies()?;
    // King counters do not tell positions apart.
    let all = plies.iter().map(|ply| &ply.before).chain([&last]).map(|position| {
        let state: State<u128> = *position.state();
        State { pieces: state.pieces, kings: state.kings, ..State::empty(state.turn) }
    });
    let mut states: Vec<State<u128>> = all.skip(positions.first as usize).collect();
    if states.is_empty() {
        return Err(error(format!("game {} has {} plies", positions.game, plies.len())));
    }
    states.truncate(if positions.is_single { 1 } else { usize::MAX });
    Ok(FoundPositions { board: kind.variant.board(), is_inverted: kind.numbering.inverted, states })
}
