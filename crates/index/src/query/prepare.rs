//! Prepares a query for an index: replaces the positions of games that it refers to, and conditions on texts that the index
//! does not store, because an earlier version has written it.

use std::borrow::Cow;
use std::convert::Infallible;

use super::conditions::{FoundPositions, GamePositions, TagCondition};
use super::language::{Condition, Field, GameCondition, Query};
use super::select::ANNOTATIONS;
use crate::{AnnotationBits, Index, TextColumn};
use pdn::error::{Error, ErrorKind, Result};
use pdn_names::NamePattern;
use pdn_rules::internal::position::State;

/// Returns a query that is true where `query` is, and that asks for the texts of games instead of columns that the index does not
/// have for all of them.
pub(super) fn by_text_if_unstored<'q>(query: &'q Query, index: &Index) -> Cow<'q, Query> {
    let unstored: Vec<TextColumn> =
        TextColumn::ALL.into_iter().filter(|&column| !index.stores(column)).collect();
    if unstored.is_empty() { Cow::Borrowed(query) } else { Cow::Owned(by_text(query, &unstored)) }
}

/// Checks that an index stores the variations and notes of all its games, if a query asks for them.
///
/// # Errors
/// If an earlier version has written some of the games.
pub(super) fn check_annotations(query: &Query, index: &Index) -> Result<()> {
    if !query.needs_annotations() {
        return Ok(());
    }
    for (number, segment) in index.segments().iter().enumerate() {
        let live = index.live_games(number);
        let unknown = match segment.annotation_bits()? {
            Some(bits) => live & bits.games(|bits| bits as u8 & AnnotationBits::UNKNOWN != 0),
            None => live,
        };
        if !unknown.is_empty() {
            return Err(ErrorKind::NotStored(ANNOTATIONS).into());
        }
    }
    Ok(())
}

/// Checks that all conditions that ask tables of endings have some.
///
/// # Errors
/// [`ErrorKind::NoTables`] with the first condition that has none.
pub(super) fn check_tables(query: &Query) -> Result<()> {
    let missing = query.tables().into_iter().find_map(std::result::Result::err);
    missing.map_or(Ok(()), |condition| Err(ErrorKind::NoTables { condition }.into()))
}

fn by_text(query: &Query, unstored: &[TextColumn]) -> Query {
    let Ok(replaced) = query.with_replaced::<Infallible>(&mut |condition| {
        Ok(match condition {
            Condition::Game(GameCondition::Tag(field, pattern)) if needs_text(*field, unstored) => {
                Some(in_tag(field.columns()[0], pattern))
            }
            _ => None,
        })
    });
    replaced
}

fn needs_text(field: Field, unstored: &[TextColumn]) -> bool {
    field.columns().iter().any(|column| unstored.contains(column))
}

/// Returns the condition on the tag that a column is read from.
fn in_tag(column: TextColumn, pattern: &NamePattern) -> Query {
    let tag = |value| Query::text_tag(TagCondition::new(column.tag().name(), value));
    let named = tag(Some(pattern.clone()));
    // A game without the tag has an empty text in the column.
    if pattern.matches("") { named | !tag(None) } else { named }
}

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
