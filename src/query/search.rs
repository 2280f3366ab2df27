//! Searches an index: plans a query, plays the games that have to be played, and returns the hits.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::language::{Condition, GameCondition, Query};
use super::scan::{FirstMatchScan, SegmentPlan, scan_games};
use super::select::{GameSelector, MatchBounds};
use crate::error::Result;
use crate::index::{GameSet, Index};
use crate::pool;

/// A game that matches a query, with its first match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Hit {
    /// The number of the game in the index, from 0.
    pub game: u64,
    /// The number of plies before the first position at which the query is true.
    pub ply: u32,
}

/// A step of a plan: one of the parts of the query joined by `and`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlanStep {
    /// The part, as text of the query language.
    pub text: String,
    /// The number of games that may still match after this step.
    pub games: u64,
    /// Whether the step decides all games; otherwise some have to be played.
    pub exact: bool,
}

/// The plan of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The number of games of the index.
    pub games: u64,
    /// The steps that exclude games before any game is played, in their order.
    pub steps: Vec<PlanStep>,
    /// The number of games that match without being played.
    pub certain: u64,
    /// The number of games that have to be played.
    pub played: u64,
    /// The least numbers of white and of black pieces at a match; playing a game may stop below either.
    pub least: [u32; 2],
}

/// The work of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct SearchStats {
    /// The number of games played.
    pub games: u64,
    /// The number of positions tested.
    pub positions: u64,
}

/// A planned search of an index.
///
/// ```no_run
/// use pdn::index::Index;
/// use pdn::pool;
/// use pdn::query::{Query, Search};
///
/// let index = Index::open("games.idx")?;
/// let query = Query::player("~wiersma") & Query::parse("w-b >= 2 for 4").unwrap();
/// let search = Search::new(&index, &query, pool::default_threads())?;
/// for hit in search.hits(usize::MAX)?.0 {
///     let row = index.game(hit.game).expect("it is there").row()?;
///     println!("{} - {} after {} plies", row.white, row.black, hit.ply);
/// }
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug)]
pub struct Search<'a> {
    index: &'a Index,
    threads: NonZeroUsize,
    plan: Plan,
    /// The bounds of the matching games of each segment.
    bounds: Vec<MatchBounds>,
    scanner: FirstMatchScan,
}

impl<'a> Search<'a> {
    /// Plans a search on `threads` threads: evaluates the conditions on games from dictionaries and columns, and compiles
    /// the rest. Takes some milliseconds per million games.
    ///
    /// # Errors
    /// If a section or a key table of the index is damaged.
    pub fn new(index: &'a Index, query: &Query, threads: NonZeroUsize) -> Result<Self> {
        let parts = conjuncts(query);
        let mut steps: Vec<PlanStep> =
            parts.iter().map(|part| PlanStep { text: part.to_string(), games: 0, exact: true }).collect();
        let mut bounds = Vec::new();
        let mut plans = Vec::new();
        pool::try_ordered(
            0..index.segments().len(),
            threads,
            || (),
            |(), segment| plan_segment(index, segment, &parts),
            |(of_segment, plan, outcomes)| {
                bounds.push(of_segment);
                plans.push(plan);
                for (step, outcome) in steps.iter_mut().zip(outcomes) {
                    step.games += outcome.games;
                    step.exact &= outcome.exact;
                }
                ControlFlow::Continue(())
            },
        )?;
        let count = |of: fn(&MatchBounds) -> u64| bounds.iter().map(of).sum();
        let least = |at: usize| plans.iter().map(|plan: &SegmentPlan| plan.bounds.min[at]).min().unwrap_or(0);
        let plan = Plan {
            games: index.len(),
            steps,
            certain: count(|bounds| bounds.certain.len()),
            played: count(|bounds| bounds.open().len()),
            // The bounds are those of white men, white pieces, black men and black pieces.
            least: [least(1), least(3)],
        };
        Ok(Self { index, threads, plan, bounds, scanner: FirstMatchScan { segments: plans } })
    }

    /// Returns the plan of the search.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the first `limit` games that match, in the order of the index, each with its first match. The hits do not
    /// depend on the number of threads.
    ///
    /// # Errors
    /// If a section of the index is damaged.
    pub fn hits(&self, limit: usize) -> Result<(Vec<Hit>, SearchStats)> {
        let mut stats = SearchStats::default();
        let mut found: Vec<(usize, u32, u32)> = Vec::new();
        if self.plan.played > 0 {
            stats.games = scan_games(self.index, &self.open(), self.threads, &self.scanner, |part| {
                stats.positions += part.positions;
                found.extend(part.hits);
                // The certain games are merged in below; they can only displace games found here.
                if found.len() >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
        }
        let mut hits = Vec::with_capacity(found.len());
        let mut found = found.into_iter().peekable();
        for (segment, bounds) in self.bounds.iter().enumerate() {
            let first = self.index.first_game(segment).unwrap_or(0);
            let hit = |game: u32, ply| Hit { game: first + u64::from(game), ply };
            for certain in &bounds.certain {
                while let Some((_, game, ply)) =
                    found.next_if(|&(of, game, _)| of == segment && game < certain)
                {
                    hits.push(hit(game, ply));
                }
                hits.push(hit(certain, 0));
                if hits.len() >= limit {
                    break;
                }
            }
            while let Some((_, game, ply)) = found.next_if(|&(of, ..)| of == segment) {
                hits.push(hit(game, ply));
            }
            if hits.len() >= limit {
                hits.truncate(limit);
                break;
            }
        }
        Ok((hits, stats))
    }

    /// Returns the games that match, as a set for each segment.
    ///
    /// # Errors
    /// If a section of the index is damaged.
    pub fn games(&self) -> Result<(Vec<GameSet>, SearchStats)> {
        let mut stats = SearchStats::default();
        let mut games: Vec<GameSet> = self.bounds.iter().map(|bounds| bounds.certain.clone()).collect();
        if self.plan.played > 0 {
            stats.games = scan_games(self.index, &self.open(), self.threads, &self.scanner, |part| {
                stats.positions += part.positions;
                for (segment, game, _) in part.hits {
                    games[segment].insert(game);
                }
                ControlFlow::Continue(())
            })?;
        }
        Ok((games, stats))
    }

    /// Returns the number of games that match.
    ///
    /// # Errors
    /// If a section of the index is damaged.
    pub fn count(&self) -> Result<(u64, SearchStats)> {
        let mut stats = SearchStats::default();
        let mut count = self.plan.certain;
        if self.plan.played > 0 {
            stats.games = scan_games(self.index, &self.open(), self.threads, &self.scanner, |part| {
                stats.positions += part.positions;
                count += part.hits.len() as u64;
                ControlFlow::Continue(())
            })?;
        }
        Ok((count, stats))
    }

    /// Returns the games of each segment that have to be played.
    fn open(&self) -> Vec<GameSet> {
        self.bounds.iter().map(MatchBounds::open).collect()
    }
}

/// Returns the parts of a query that are joined by `and`, the cheap ones first.
pub(super) fn conjuncts(query: &Query) -> Vec<&Query> {
    fn collect<'q>(query: &'q Query, parts: &mut Vec<&'q Query>) {
        match query {
            Query::And(all) => all.iter().for_each(|part| collect(part, parts)),
            part => parts.push(part),
        }
    }
    let mut parts = Vec::new();
    collect(query, &mut parts);
    parts.sort_by_key(|part| cost(part));
    parts
}

/// Returns the relative cost of a part: 0 for dictionaries, 1 for columns, 3 for positions.
fn cost(query: &Query) -> u8 {
    match query {
        Query::Is(Condition::Game(GameCondition::Tag(..))) => 0,
        Query::Is(Condition::Game(_)) => 1,
        Query::Is(_) => 3,
        Query::Not(inner) | Query::Ever(inner) => cost(inner),
        Query::And(parts) | Query::Or(parts) => parts.iter().map(cost).max().unwrap_or(0),
        Query::Then { .. } | Query::For { .. } => 3,
    }
}

/// The outcome of a step of the plan in one segment.
struct StepOutcome {
    /// The number of games of the segment that may still match.
    games: u64,
    /// Whether the step decided all games of the segment.
    exact: bool,
}

/// Plans the search of a segment: the bounds of its matching games, the plan for those that have to be played, and the
/// outcome of each step.
fn plan_segment(
    index: &Index,
    segment: usize,
    parts: &[&Query],
) -> Result<(MatchBounds, SegmentPlan, Vec<StepOutcome>)> {
    let games = GameSelector::with_key_table(index, segment)?;
    let mut bounds = MatchBounds::exact(games.all());
    let mut outcomes = Vec::with_capacity(parts.len());
    let mut undecided = Vec::new();
    for part in parts {
        if bounds.possible.is_empty() {
            outcomes.push(StepOutcome { games: 0, exact: true });
            continue;
        }
        let own = games.bounds(part)?;
        let exact = own.is_exact();
        bounds = bounds.and(&own);
        outcomes.push(StepOutcome { games: bounds.possible.len(), exact });
        if !exact {
            // An exact part is true in every game that is left, so that it need not be evaluated again.
            undecided.push((*part).clone());
        }
    }
    let rest = if undecided.len() == 1 { undecided.swap_remove(0) } else { Query::And(undecided) };
    Ok((bounds, SegmentPlan::new(&rest, &games)?, outcomes))
}
