//! Asking an index: the plan, the search, the hits.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use roaring::RoaringBitmap;

use super::expression::{Condition, GameCondition, Query};
use super::finder::{FirstMatchScan, SegmentPlan};
use super::games::GameSelector;
use super::sets::MatchBounds;
use super::visit::scan_games;
use crate::error::Result;
use crate::index::Index;
use crate::pool;

/// A game that answers a question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Hit {
    /// The number of the game in the index, from 0.
    pub game: u64,
    /// The first position at which the question is true, in plies from the first.
    pub ply: u32,
}

/// A part of a plan: what one of the questions joined by `and` cuts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanStep {
    /// The question, as text.
    pub text: String,
    /// Games that are left after it.
    pub games: u64,
    /// Whether it is answered for good; else games have to be played.
    pub exact: bool,
}

/// How a question is going to be answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Games of the index.
    pub games: u64,
    /// What is cut before any game is played, in the order in which it is done.
    pub steps: Vec<PlanStep>,
    /// Games that answer it whatever is played in them.
    pub certain: u64,
    /// Games that have to be played.
    pub played: u64,
    /// White pieces and black pieces that are needed; with fewer on the board a game is left.
    pub least: [u32; 2],
}

/// What a search took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchStats {
    /// Games that were played.
    pub games: u64,
    /// Positions that were looked at.
    pub positions: u64,
}

/// A question to an index, planned.
///
/// ```no_run
/// use pdn::index::Index;
/// use pdn::pool;
/// use pdn::query::{Query, Search};
///
/// let index = Index::open("games.idx")?;
/// let query = Query::player("~wiersma") & Query::parse("w-b >= 2 for 4").unwrap();
/// let search = Search::new(&index, &query, pool::default_threads())?;
/// for hit in search.hits(pool::default_threads(), usize::MAX)?.0 {
///     let row = index.game(hit.game).expect("it is there").row()?;
///     println!("{} - {} after {} plies", row.white, row.black, hit.ply);
/// }
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug)]
pub struct Search<'a> {
    index: &'a Index,
    plan: Plan,
    sets: Vec<MatchBounds>,
    finder: FirstMatchScan,
}

impl<'a> Search<'a> {
    /// Plans the answer: asks dictionaries and columns, and compiles what has to be asked of positions. Some
    /// milliseconds a million games.
    ///
    /// # Errors
    /// When a section of the index is damaged.
    pub fn new(index: &'a Index, query: &Query, threads: NonZeroUsize) -> Result<Self> {
        let parts = parts(query);
        let mut steps: Vec<PlanStep> =
            parts.iter().map(|part| PlanStep { text: part.to_string(), games: 0, exact: true }).collect();
        let mut sets = Vec::new();
        let mut plans = Vec::new();
        pool::try_ordered(
            0..index.segments().len(),
            threads,
            || (),
            |(), segment| planned(index, segment, &parts),
            |(found, plan, cuts)| {
                sets.push(found);
                plans.push(plan);
                for (step, (games, exact)) in steps.iter_mut().zip(cuts) {
                    step.games += games;
                    step.exact &= exact;
                }
                ControlFlow::Continue(())
            },
        )?;
        let count = |of: fn(&MatchBounds) -> u64| sets.iter().map(of).sum();
        let least =
            |at: usize| plans.iter().map(|plan: &SegmentPlan| plan.needs.least[at]).min().unwrap_or(0);
        let plan = Plan {
            games: index.len(),
            steps,
            certain: count(|sets| sets.certain.len()),
            played: count(|sets| sets.open().len()),
            least: [least(1), least(3)],
        };
        Ok(Self { index, plan, sets, finder: FirstMatchScan { segments: plans } })
    }

    /// How it is going to be answered.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The games that answer the question, in the order of the index and each with the first position that does; at
    /// most `limit` of them. The same whatever the number of threads.
    ///
    /// # Errors
    /// When a section of the index is damaged.
    pub fn hits(&self, threads: NonZeroUsize, limit: usize) -> Result<(Vec<Hit>, SearchStats)> {
        let mut effort = SearchStats::default();
        let mut found: Vec<(usize, u32, u32)> = Vec::new();
        if self.plan.played > 0 {
            let open: Vec<RoaringBitmap> = self.sets.iter().map(MatchBounds::open).collect();
            effort.games = scan_games(self.index, &open, threads, &self.finder, |part| {
                effort.positions += part.positions;
                found.extend(part.hits);
                // The games that answer it in any case may only push others out.
                if found.len() >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
        }
        let mut hits = Vec::with_capacity(found.len());
        let mut found = found.into_iter().peekable();
        for (segment, sets) in self.sets.iter().enumerate() {
            let first = self.index.first_of(segment).unwrap_or(0);
            let hit = |game: u32, ply| Hit { game: first + u64::from(game), ply };
            for certain in &sets.certain {
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
        Ok((hits, effort))
    }

    /// The games that answer the question, as a set for each segment.
    ///
    /// # Errors
    /// When a section of the index is damaged.
    pub fn games(&self, threads: NonZeroUsize) -> Result<(Vec<RoaringBitmap>, SearchStats)> {
        let mut effort = SearchStats::default();
        let mut games: Vec<RoaringBitmap> = self.sets.iter().map(|sets| sets.certain.clone()).collect();
        if self.plan.played > 0 {
            let open: Vec<RoaringBitmap> = self.sets.iter().map(MatchBounds::open).collect();
            effort.games = scan_games(self.index, &open, threads, &self.finder, |part| {
                effort.positions += part.positions;
                for (segment, game, _) in part.hits {
                    games[segment].insert(game);
                }
                ControlFlow::Continue(())
            })?;
        }
        Ok((games, effort))
    }

    /// How many games answer the question.
    ///
    /// # Errors
    /// When a section of the index is damaged.
    pub fn count(&self, threads: NonZeroUsize) -> Result<(u64, SearchStats)> {
        let mut effort = SearchStats::default();
        let mut count = self.plan.certain;
        if self.plan.played > 0 {
            let open: Vec<RoaringBitmap> = self.sets.iter().map(MatchBounds::open).collect();
            effort.games = scan_games(self.index, &open, threads, &self.finder, |part| {
                effort.positions += part.positions;
                count += part.hits.len() as u64;
                ControlFlow::Continue(())
            })?;
        }
        Ok((count, effort))
    }
}

/// The questions that are joined by `and`, the cheap ones first.
fn parts(query: &Query) -> Vec<&Query> {
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

/// Games left after a part, and whether it was answered for good.
type Cut = (u64, bool);

/// What is known of the games of a segment, and what has to be asked of positions.
fn planned(index: &Index, segment: usize, parts: &[&Query]) -> Result<(MatchBounds, SegmentPlan, Vec<Cut>)> {
    let games = GameSelector::listed_in(index, segment)?;
    let mut sets = MatchBounds::exact(games.all());
    let mut cuts = Vec::with_capacity(parts.len());
    let mut asked = Vec::new();
    for part in parts {
        if sets.possible.is_empty() {
            cuts.push((0, true));
            continue;
        }
        let own = games.sets(part)?;
        let exact = own.is_exact();
        sets = sets.and(&own);
        cuts.push((sets.possible.len(), exact));
        if !exact {
            // What is answered for good is true in every game that is left.
            asked.push((*part).clone());
        }
    }
    let rest = if asked.len() == 1 { asked.swap_remove(0) } else { Query::And(asked) };
    Ok((sets, SegmentPlan::new(&rest, &games)?, cuts))
}
