//! Explains why a query matches no game.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use super::language::{Condition, Field, GameCondition, Query};
use super::opening_names::OpeningNames;
use super::search::{Search, conjuncts};
use super::select::variant_counts;
use crate::{GameSet, Index, Segment, TextColumn};
use pdn::error::Result;
use pdn::internal::sort;
use pdn::rules::Variant;
use pdn_names::NamePattern;

/// Why a query matches no game, and what the index has instead.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct NoMatch {
    /// The parts of the query joined by `and`, in the order of evaluation, up to the first after which no game is left.
    pub steps: Vec<NoMatchStep>,
    /// The names nearest to each name that no game has.
    pub names: Vec<NearNames>,
    /// The names of openings nearest to each name that no opening of the index's variants has.
    pub openings: Vec<NearOpenings>,
    /// The variants of the index with their numbers of games, if the part that leaves no game asks for a variant.
    pub variants: Vec<(Variant, u64)>,
}

/// A part of a query that matches no game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NoMatchStep {
    /// The part, as text of the query language.
    pub text: String,
    /// The number of games that match this part and all parts before it.
    pub left: u64,
    /// The number of games that match this part alone; known for the first and the last step, unless the text of every game would have
    /// to be read.
    pub alone: Option<u64>,
}

/// The names that are nearest to a wanted one.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NearNames {
    /// The tag, or the players, that the condition is about.
    pub field: Field,
    /// The wanted name, as given.
    pub wanted: String,
    /// The nearest names, nearest first, those with most games first among equally near ones.
    pub near: Vec<NearName>,
}

/// A name that is near to a wanted one.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NearName {
    /// The name as the archive writes it.
    pub name: String,
    /// The number of games with this name.
    pub games: u64,
    /// The number of wrong letters; see [`NamePattern::distance`].
    pub errors: u32,
}

/// The names of openings that are nearest to a wanted one.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NearOpenings {
    /// The wanted name, as given.
    pub wanted: String,
    /// The nearest names, nearest first.
    pub near: Vec<&'static str>,
}

/// Maximum number of names that are near to one.
const MAX_NAMES: usize = 5;

/// Explains why a query matches no game, which the caller knows: evaluates its parts one after the other until no game is left, and looks
/// for names near to those that no game has. Returns nothing useful for a query that matches.
///
/// The cost is that of a search for each part but the last one, and of one comparison with each different name. No text is read that the
/// search for the query has not read.
///
/// # Errors
/// If a section of the index is damaged.
pub fn explain_no_match(index: &Index, query: &Query, threads: NonZeroUsize) -> Result<NoMatch> {
    let count = |query: Query| Search::new(index, &query, threads)?.count().map(|(games, _)| games);
    let mut found = NoMatch::default();
    let mut parts = Query::all();
    let all = conjuncts(query);
    for (number, part) in all.iter().copied().enumerate() {
        parts = parts & Query::And(vec![part.clone()]);
        let left = if number + 1 == all.len() { 0 } else { count(parts.clone())? };
        let alone = match (found.steps.is_empty(), left) {
            (true, _) => Some(left),
            (false, 0) if !part.reads_text() => Some(count(part.clone())?),
            (false, _) => None,
        };
        found.steps.push(NoMatchStep { text: part.to_string(), left, alone });
        if left > 0 {
            continue;
        }
        if alone == Some(0) {
            for (field, wanted) in wanted_names(part) {
                if wanted.folded().is_empty() {
                    // Nothing is near to no name.
                    continue;
                }
                // What the texts of the games have instead is not known.
                let is_stored = field.columns().iter().all(|&column| index.stores(column));
                if is_stored && count(Query::tag(field, wanted.clone()))? == 0 {
                    let near = nearest(index, field, wanted)?;
                    found.names.push(NearNames { field, wanted: wanted.text().to_owned(), near });
                }
            }
            for wanted in wanted_openings(part) {
                found.openings.extend(nearest_openings(index, wanted)?);
            }
            if asks_for_variant(part) {
                found.variants = variant_counts(index, None)?;
            }
        }
        break;
    }
    Ok(found)
}

/// Returns the names that a part of a query asks for.
fn wanted_names(query: &Query) -> Vec<(Field, &NamePattern)> {
    match query {
        Query::Is(Condition::Game(GameCondition::Tag(field, names))) => vec![(*field, names)],
        Query::And(parts) | Query::Or(parts) => parts.iter().flat_map(wanted_names).collect(),
        Query::Ever(inner) | Query::Transformed { query: inner, .. } => wanted_names(inner),
        _ => Vec::new(),
    }
}

/// Returns the names of openings that a part of a query asks for.
fn wanted_openings(query: &Query) -> Vec<&NamePattern> {
    match query {
        Query::Is(Condition::Game(GameCondition::OpeningPlayed(names))) => vec![names],
        Query::And(parts) | Query::Or(parts) => parts.iter().flat_map(wanted_openings).collect(),
        Query::Ever(inner) | Query::Transformed { query: inner, .. } => wanted_openings(inner),
        _ => Vec::new(),
    }
}

/// Returns the names of openings that are nearest to a wanted one, of all variants of the index; `None` if some opening has the name.
fn nearest_openings(index: &Index, wanted: &NamePattern) -> Result<Option<NearOpenings>> {
    let variants = variant_counts(index, None)?;
    let named = variants.iter().filter_map(|(variant, _)| OpeningNames::of(*variant));
    let names: Vec<&'static str> = named.flat_map(|names| names.all().iter().copied()).collect();
    if wanted.folded().is_empty() || names.iter().any(|name| wanted.matches(name)) {
        return Ok(None);
    }
    let mut near: Vec<(u32, &'static str)> =
        names.into_iter().filter_map(|name| Some((wanted.distance(name)?, name))).collect();
    near.sort_unstable();
    near.dedup();
    near.truncate(MAX_NAMES);
    let near = near.into_iter().map(|(_, name)| name).collect();
    Ok(Some(NearOpenings { wanted: wanted.text().to_owned(), near }))
}

fn asks_for_variant(query: &Query) -> bool {
    match query {
        Query::Is(condition) => matches!(condition, Condition::Game(GameCondition::Variant(_))),
        Query::And(parts) | Query::Or(parts) => parts.iter().any(asks_for_variant),
        Query::Ever(inner) | Query::Transformed { query: inner, .. } => asks_for_variant(inner),
        _ => false,
    }
}

/// Returns the names of the index that are nearest to a wanted one, with their numbers of games.
fn nearest(index: &Index, field: Field, wanted: &NamePattern) -> Result<Vec<NearName>> {
    if matches!(field, Field::Round | Field::Result) {
        // There are no suggestions for numbers and results.
        return Ok(Vec::new());
    }
    let columns = field.columns();
    // Segments share most of their names. For each name its number of games, and of those that are near the number of wrong letters.
    let mut found: HashMap<&str, (Option<u32>, u64), foldhash::fast::RandomState> = HashMap::default();
    for (place, segment) in index.segments().iter().enumerate() {
        if segment.text_column(columns[0])?.is_none() {
            continue;
        }
        let names = segment.dictionary(columns[0].dictionary())?;
        let mut games: Option<Vec<u64>> = None;
        for number in 0..names.len() as u32 {
            let Some(name) = names.get(number) else { continue };
            let (errors, all) = found.entry(name).or_insert_with(|| (wanted.distance(name), 0));
            if errors.is_none() {
                continue;
            }
            if games.is_none() {
                let retired = index.retired_games(place);
                games = Some(games_by_name(segment, columns, names.len(), retired)?);
            }
            *all += games.as_ref().and_then(|games| games.get(number as usize)).copied().unwrap_or(0);
        }
    }
    let mut near: Vec<NearName> = found
        .into_iter()
        .filter(|&(_, (_, games))| games > 0)
        .filter_map(|(name, (errors, games))| {
            Some(NearName { name: name.to_owned(), games, errors: errors? })
        })
        .collect();
    sort::by(&mut near, |a, b| {
        a.errors.cmp(&b.errors).then(b.games.cmp(&a.games)).then_with(|| a.name.cmp(&b.name))
    });
    near.truncate(MAX_NAMES);
    Ok(near)
}

/// Returns the number of games of each name of a dictionary. A game with the same name in two columns counts once, a
/// retired game not at all.
fn games_by_name(
    segment: &Segment,
    columns: &[TextColumn],
    names: usize,
    retired: Option<&GameSet>,
) -> Result<Vec<u64>> {
    let columns: Vec<_> =
        columns.iter().map(|column| segment.column(column.section())).collect::<Result<_>>()?;
    let mut games = vec![0u64; names];
    let live =
        (0..segment.len()).filter(|&game| retired.is_none_or(|retired| !retired.contains(game as u32)));
    for game in live {
        let mut before = None;
        for number in columns.iter().filter_map(|column| column.get(game)) {
            if before != Some(number)
                && let Some(games) = games.get_mut(number as usize)
            {
                *games += 1;
            }
            before = Some(number);
        }
    }
    Ok(games)
}
