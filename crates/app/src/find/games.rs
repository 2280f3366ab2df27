//! The games that match a filter: their number, their rows, or their records.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pdn::stop::Stop;
use pdn::value::Round;
use pdn_index::Index;
use pdn_index::internal::TextColumn;
use pdn_index::internal::query::{Plan, RowTable, nearest};
use pdn_index::query::{Hit, Query, Search, SearchStats};
use pdn_rules::internal::position::split_mix;
use pdn_tables::GameField;
use serde::Serialize;

use crate::ask::error::{AppError, Result};
use crate::ask::fields::FoundField;
use crate::ask::filter::Filter;
use crate::ask::options::options;
use crate::ask::rows::fact;
use crate::ask::sort::SortField;
use crate::ask::values::winner_name;
use crate::find::no_match::no_match;

options! {
    /// The order of games that are found.
    #[derive(Eq)]
    pub struct FindOrder in "" {
        /// Order of the games
        sort: SortField, value "KEY";
        /// Reverse the order; games whose value is unknown stay last
        reverse: bool;
    }
}

options! {
    /// A choice among what is found.
    #[derive(Copy, Eq)]
    pub struct FindSample in "" {
        /// Print this many games, or positions with {all_plies}, chosen at random
        sample: Option<usize>, value "N";
        /// Seed of the random choice of {sample}
        seed: u64 = 1, value "N", needs "sample";
    }
}

/// Asks for the games that match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FindRequest {
    /// The conditions.
    pub filter: Filter,
    /// The order.
    pub order: FindOrder,
    /// Whether every matching position of a game counts, instead of the first.
    pub all_plies: bool,
    /// How many games, or positions if all count, are chosen at random.
    pub choice: FindSample,
}

/// The number of games that match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindCount {
    /// The number of games.
    pub games: u64,
    /// The number of positions, if all were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
}

impl FindCount {
    /// Returns the number of positions, if all were asked for, otherwise that of games.
    pub fn number(self) -> u64 {
        self.positions.unwrap_or(self.games)
    }
}

/// The games that match, in the order that was asked for.
#[derive(Clone, Debug)]
pub struct Matches {
    /// The number of games that match, or of positions; before a sample is taken. If a search ended early, those that were found.
    pub total: u64,
    /// The games, or the first of them if no more were asked for.
    pub hits: Vec<Hit>,
    /// The distances of the hits, if they are sorted by them: the numbers of squares that differ from the position of the query.
    pub distances: Option<HashMap<Hit, u32>>,
    /// What the search did.
    pub stats: SearchStats,
}

/// A search that is planned and can be carried out.
#[derive(Debug)]
pub struct FindSearch<'a> {
    request: &'a FindRequest,
    index: &'a Index,
    query: Query,
    threads: NonZeroUsize,
    search: Search<'a>,
    stop: Stop,
    /// The time that planning took.
    pub planning_time: Duration,
}

impl FindRequest {
    /// Returns the query of all conditions.
    pub fn query(&self) -> Query {
        self.filter.query()
    }

    /// Plans the search.
    ///
    /// # Errors
    ///
    /// If no game of this index can match, whatever it is, squares are ambiguous, or the index is damaged.
    pub fn plan<'a>(
        &'a self,
        index: &'a Index,
        threads: NonZeroUsize,
        stop: &Stop,
    ) -> Result<FindSearch<'a>> {
        // There is no clock in WebAssembly.
        let start = (!cfg!(target_family = "wasm")).then(Instant::now);
        let query = self.query();
        self.filter.check(&query, index)?;
        let search = Search::new(index, &query, threads)?.stop(stop);
        let planning_time = start.map(|start| start.elapsed()).unwrap_or_default();
        Ok(FindSearch { request: self, index, query, threads, search, stop: stop.clone(), planning_time })
    }

    /// Returns `true` if the games come in the order of the index.
    pub fn is_index_order(&self) -> bool {
        self.order == FindOrder::default() && self.choice.sample.is_none()
    }
}

impl FindSearch<'_> {
    /// Returns the query.
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Returns the plan.
    pub fn steps(&self) -> &Plan {
        self.search.plan()
    }

    /// Returns `true` if the games come in the order of the index, so that a search can end when the first of them are found.
    pub fn is_index_order(&self) -> bool {
        self.request.is_index_order()
    }

    /// Counts the games that match, of a sample those in it.
    ///
    /// # Errors
    ///
    /// If the index is damaged, a text cannot be read, or the work was stopped.
    pub fn count(&self) -> Result<(FindCount, SearchStats)> {
        let FindRequest { all_plies, choice: FindSample { sample, seed }, .. } = *self.request;
        if !all_plies {
            let (games, stats) = self.search.count()?;
            let games = sample.map_or(games, |size| games.min(size as u64));
            return Ok((FindCount { games, positions: None }, stats));
        }
        let (mut hits, stats) = self.search.all_hits(usize::MAX)?;
        if let Some(size) = sample {
            keep_sample(&mut hits, size, seed, all_plies);
        }
        let games = hits.chunk_by(|one, other| one.game == other.game).count() as u64;
        Ok((FindCount { games, positions: Some(hits.len() as u64) }, stats))
    }

    /// Finds the games that match, at least the first `wanted` of them. With `counts_all`, the total is that of all games, which a search
    /// in the order of the index would not need.
    ///
    /// # Errors
    ///
    /// As [`count`](Self::count).
    pub fn matches(&self, wanted: usize, counts_all: bool) -> Result<Matches> {
        let FindRequest { all_plies, choice: FindSample { sample, seed }, .. } = *self.request;
        let key = self.request.order.sort;
        if key == SortField::Distance {
            return self.nearest(wanted);
        }
        // Where the columns decide, the first games and their number cost little, however many match.
        let reads_text = self.steps().steps.iter().any(|step| step.reads_text);
        let is_by_columns = self.steps().played == 0 && !reads_text && !all_plies;
        let is_short = self.request.is_index_order() && (!counts_all || is_by_columns);
        let limit = if is_short { wanted } else { usize::MAX };
        let (mut hits, stats) =
            if all_plies { self.search.all_hits(limit)? } else { self.search.hits(limit)? };
        let total = match counts_all && is_short {
            true => self.search.count()?.0,
            false => hits.len() as u64,
        };
        if let Some(size) = sample {
            keep_sample(&mut hits, size, seed, all_plies);
        }
        if !self.request.is_index_order() {
            let FindOrder { sort: key, reverse } = self.request.order;
            let table = match texts(key) {
                Some(texts) => RowTable::with_texts(self.index, texts, hits.len() as u64, self.threads)?,
                None => RowTable::new(self.index)?,
            };
            Order { table: &table, reverse, wanted }.sort(&mut hits, key);
        }
        Ok(Matches { total, hits, distances: None, stats })
    }

    /// Finds the games that match in the order of their distances; see [`matches`](Self::matches).
    fn nearest(&self, wanted: usize) -> Result<Matches> {
        let FindRequest { all_plies, choice: FindSample { sample, seed }, .. } = *self.request;
        let reverse = self.request.order.reverse;
        let wanted = if reverse || sample.is_some() { usize::MAX } else { wanted };
        let found = nearest(self.index, &self.query, self.threads, &self.stop, wanted, all_plies)?;
        let found = found.ok_or_else(|| {
            let message = message!(
                "no_distance",
                "games are sorted by distance if the query has one condition such as `distance \"W:WK3:B18\" <= 6`, \
                 which is neither negated, counted, nor one of several that are joined by `or`"
            );
            AppError::contradiction(message).in_field("sort")
        })?;
        let distances: HashMap<Hit, u32> = found.hits.iter().copied().collect();
        let mut hits: Vec<Hit> = found.hits.into_iter().map(|(hit, _)| hit).collect();
        let total = if all_plies && wanted == usize::MAX { hits.len() as u64 } else { found.games };
        if let Some(size) = sample {
            keep_sample(&mut hits, size, seed, all_plies);
        }
        match reverse {
            false => hits.sort_by_key(|hit| distances.get(hit)),
            true => hits.sort_by_key(|hit| Reverse(distances.get(hit))),
        }
        Ok(Matches { total, hits, distances: Some(distances), stats: found.stats })
    }

    /// Passes the games that match to `visit` while they are found, in the order of the index, until it breaks.
    ///
    /// # Errors
    ///
    /// As [`count`](Self::count).
    pub fn visit(&self, visit: impl FnMut(&[Hit]) -> ControlFlow<()>) -> Result<()> {
        self.search.visit_hits(visit)?;
        Ok(())
    }

    /// Returns why no game matches.
    ///
    /// # Errors
    ///
    /// If the index is damaged.
    pub fn no_match(&self) -> Result<AppError> {
        no_match(self.index, &self.query, self.threads)
    }
}

/// Adds the distance of the match, after its ply and line, to the fields of rows that are sorted by it.
pub fn add_distance(fields: &mut Vec<FoundField>, sort: SortField) {
    let is_place = |field: &FoundField| matches!(field, FoundField::Game(GameField::Ply) | FoundField::Line);
    if sort == SortField::Distance && !fields.contains(&FoundField::Distance) {
        let place = fields.iter().rposition(is_place).map_or(fields.len(), |place| place + 1);
        fields.insert(place, FoundField::Distance);
    }
}

/// Keeps the first hit of each game.
pub fn keep_games(hits: &mut Vec<Hit>) {
    let mut seen = HashSet::new();
    hits.retain(|hit| seen.insert(hit.game));
}

/// Keeps `size` hits, chosen at random: games by the seed and their numbers alone, or positions independently of each other.
fn keep_sample(hits: &mut Vec<Hit>, size: usize, seed: u64, all_plies: bool) {
    if size < hits.len() {
        hits.sort_by_cached_key(|hit| {
            let of_game = split_mix(seed, hit.game);
            if all_plies { split_mix(of_game, hit.ply.into()) } else { of_game }
        });
        hits.truncate(size);
        hits.sort_unstable();
    }
}

/// Returns the columns of texts that an order needs; `None` for the order by a fact, which not every table has.
fn texts(key: SortField) -> Option<&'static [TextColumn]> {
    match key {
        SortField::White => Some(&[TextColumn::White]),
        SortField::Black => Some(&[TextColumn::Black]),
        SortField::Event => Some(&[TextColumn::Event]),
        SortField::Site => Some(&[TextColumn::Site]),
        SortField::Round => Some(&[TextColumn::Round]),
        SortField::Known => Some(&[TextColumn::White, TextColumn::Black]),
        SortField::Game
        | SortField::Date
        | SortField::Result
        | SortField::Rating
        | SortField::Plies
        | SortField::Ply
        | SortField::Variant
        | SortField::Distance => Some(&[]),
        SortField::ManTakes
        | SortField::KingTakes
        | SortField::WhitePromotes
        | SortField::BlackPromotes
        | SortField::WhiteLead
        | SortField::BlackLead
        | SortField::KingRun => None,
    }
}

/// Puts hits in order, and keeps the first `wanted` of them. Games whose value is unknown come last in both directions, and those with
/// equal values stay in the order of the index.
struct Order<'a> {
    table: &'a RowTable<'a>,
    reverse: bool,
    wanted: usize,
}

impl Order<'_> {
    fn sort(&self, hits: &mut Vec<Hit>, key: SortField) {
        let row = |hit: &Hit| self.table.row(hit.game);
        let by_fact = |hits: &mut Vec<Hit>, field: GameField| self.by(hits, |hit| fact(field, &row(hit)?));
        match key {
            SortField::Game if !self.reverse => {}
            SortField::Game => hits.reverse(),
            SortField::Date => {
                self.by(hits, |hit| self.table.date(hit.game).filter(|date| date.year().is_some()));
            }
            SortField::White => self.by_text(hits, TextColumn::White),
            SortField::Black => self.by_text(hits, TextColumn::Black),
            SortField::Event => self.by_text(hits, TextColumn::Event),
            SortField::Site => self.by_text(hits, TextColumn::Site),
            SortField::Round => self.by(hits, |hit| {
                let round = Round::parse(row(hit)?.text(TextColumn::Round).as_bytes()).ok()?;
                Some(round.numbers().collect::<Vec<_>>()).filter(|numbers| !numbers.is_empty())
            }),
            SortField::Variant => self.by(hits, |hit| row(hit).map(|row| row.kind.variant.name())),
            SortField::Result => self.by(hits, |hit| {
                let row = row(hit)?;
                let winner = winner_name(row.outcome, row.kind.numbering.start)?;
                ["white", "draw", "black"].iter().position(|name| *name == winner)
            }),
            SortField::Rating => self.by(hits, |hit| {
                let [white, black] = self.table.ratings(hit.game)?;
                (white != 0 && black != 0).then(|| u32::from(white) + u32::from(black))
            }),
            SortField::Known => {
                let orders =
                    [TextColumn::White, TextColumn::Black].map(|column| self.table.text_order(column));
                self.by(hits, |hit| {
                    let named = orders.iter().filter(|order| order.rank(hit.game).is_some()).count();
                    let ratings: u32 = self.table.ratings(hit.game)?.into_iter().map(u32::from).sum();
                    Some(Reverse((named, ratings)))
                });
            }
            SortField::Plies => self.by(hits, |hit| row(hit).map(|row| row.plies)),
            SortField::Ply => self.by(hits, |hit| Some(hit.ply)),
            // Sorted while they are found.
            SortField::Distance => {}
            SortField::ManTakes => by_fact(hits, GameField::ManTakes),
            SortField::KingTakes => by_fact(hits, GameField::KingTakes),
            SortField::WhitePromotes => by_fact(hits, GameField::WhitePromotes),
            SortField::BlackPromotes => by_fact(hits, GameField::BlackPromotes),
            SortField::WhiteLead => by_fact(hits, GameField::WhiteLead),
            SortField::BlackLead => by_fact(hits, GameField::BlackLead),
            SortField::KingRun => by_fact(hits, GameField::KingRun),
        }
        hits.truncate(self.wanted);
    }

    fn by_text(&self, hits: &mut Vec<Hit>, column: TextColumn) {
        let order = self.table.text_order(column);
        self.by(hits, |hit| order.rank(hit.game));
    }

    /// Takes O(n) for n hits, and O(w log w) for the w of them that are wanted.
    fn by<K: Ord>(&self, hits: &mut Vec<Hit>, key: impl Fn(&Hit) -> Option<K>) {
        let mut keyed: Vec<(Option<K>, usize)> =
            hits.iter().enumerate().map(|(place, hit)| (key(hit), place)).collect();
        let compare = |(one, place): &(Option<K>, usize), (other, place_of_other): &(Option<K>, usize)| {
            let by_key = match (one, other) {
                (Some(one), Some(other)) if self.reverse => other.cmp(one),
                (Some(one), Some(other)) => one.cmp(other),
                (one, other) => one.is_none().cmp(&other.is_none()),
            };
            by_key.then_with(|| place.cmp(place_of_other))
        };
        if self.wanted < keyed.len() {
            keyed.select_nth_unstable_by(self.wanted, compare);
            keyed.truncate(self.wanted);
        }
        keyed.sort_unstable_by(compare);
        *hits = keyed.into_iter().map(|(_, place)| hits[place]).collect();
    }
}
