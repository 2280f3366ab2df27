//! Conditions on texts that an index does not store, because an earlier version has written it.

use std::borrow::Cow;
use std::convert::Infallible;

use super::conditions::TagCondition;
use super::language::{Condition, Field, GameCondition, Query};
use super::select::ANNOTATIONS;
use crate::{AnnotationBits, Index, TextColumn};
use pdn::error::{ErrorKind, Result};
use pdn_names::NamePattern;

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
