//! Searches an index: plans a query, plays the games that have to be played, and returns the hits.

use std::collections::BinaryHeap;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, OnceLock};

use super::conditions::Tables;
use super::eval::Frame;
use super::language::{Condition, GameCondition, Query};
use super::novelty::{AskingGames, EarlierSearch, earlier_games};
use super::prepare::{by_text_if_unstored, check_annotations, check_tables, with_positions_of_games};
use super::record_text::{RecordTags, RecordText};
use super::scan::{AllMatchScan, FirstMatchScan, FoundHit, GameScanner, SegmentPlan, scan_until};
use super::select::{GameSelector, MatchBounds, Place};
use crate::{GameSet, Index, TextReader};
use pdn::error::{ErrorKind, Result};
use pdn::internal::{pool, sort};
use pdn::stop::Stop;

/// The number of games whose texts a thread reads at a time.
const TEXT_BATCH: usize = 256;

/// The number of games that match without being played, and are passed on at a time.
const CERTAIN_BATCH: usize = 1024;

/// A game that matches a query, with its first match.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// # use pdn_index::{ImportOptions, import};
/// use pdn_index::Index;
/// use pdn_index::query::{Query, Search};
///
/// std::fs::write(&archive, "1. 34-30 20-25 1-1\n\n1. 32-28 19-23 2. 28x19 14x23 1-1\n")?;
/// # import([&archive], &path, &ImportOptions::new())?;
/// let index = Index::open(&path)?;
/// let query = Query::parse("bm < 20")?;
/// let (hits, _) = Search::new(&index, &query, pdn::default_threads())?.hits(10)?;
/// assert_eq!((hits[0].game, hits[0].ply), (1, 3));
/// // The position in which the query is true.
/// let position = index.game(hits[0].game).expect("it is a game of the index").position(hits[0].ply)?;
/// assert_eq!(position.counts().men, [20, 19]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Hit {
    /// The number of the game in the index, from 0.
    pub game: u64,
    /// The number of plies before the first position at which the query is true. If only an `aside` makes it true there,
    /// the position is the first one in the variation at which the query in it is true.
    pub ply: u32,
    /// The line of that position: 0 for the main line, 1, 2 and so on for the variations in the order in which their brackets open.
    pub line: u32,
}

/// A step of a plan: one of the parts of the query joined by `and`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PlanStep {
    /// The part, as text of the query language.
    pub text: String,
    /// The number of games that may still match after this step.
    pub games: u64,
    /// Whether the step decides all games; otherwise some have to be played, or their texts read.
    pub exact: bool,
    /// Whether the step reads the texts of the games that all other steps leave, for a tag that the index does not store.
    pub reads_text: bool,
}

/// The plan of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The number of games of the index.
    pub games: u64,
    /// The steps that exclude games before any game is played, in their order.
    pub steps: Vec<PlanStep>,
    /// The number of games that match without being played, apart from steps that read texts.
    pub certain: u64,
    /// The number of games that have to be played.
    pub played: u64,
    /// The least numbers of white and of black pieces at a match; playing a game may stop below either.
    pub least: [u32; 2],
}

/// The work of a search.
///
/// [`Search::hits`], [`Search::count`] and the other methods of a search return it with their answer. A query that the columns
/// of the index answer plays no games.
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
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// # use pdn_index::{ImportOptions, import};
/// use pdn_index::Index;
/// use pdn_index::query::{Query, Search};
///
/// let text = "[White \"Wiersma, H.\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n[White \"Ames\"]\n1. 32-28 19-23 *\n";
/// std::fs::write(&archive, text)?;
/// # import([&archive], &path, &ImportOptions::new())?;
/// let index = Index::open(&path)?;
/// let query = Query::player("~wiersma") & Query::parse("w-b = 1")?;
/// let search = Search::new(&index, &query, pdn::default_threads())?;
/// for hit in search.hits(usize::MAX)?.0 {
///     let row = index.game(hit.game).expect("it is there").row()?;
///     assert_eq!((row.white, hit.ply), ("Wiersma, H.", 3));
/// }
/// assert_eq!(search.count()?.0, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Search<'a> {
    index: &'a Index,
    threads: NonZeroUsize,
    stop: Stop,
    plan: Plan,
    /// The bounds of the matching games of each segment.
    bounds: Vec<MatchBounds>,
    scanner: FirstMatchScan<'a>,
    /// Which numbers of earlier games the query asks for.
    earlier: EarlierNeed,
    /// The parts that only the text of a game decides. They are evaluated last, for the games that match all others.
    text_parts: Vec<Query>,
    /// The tables of endings that the query asks.
    tables: Vec<Tables>,
}

impl<'a> Search<'a> {
    /// Plans a search on `threads` threads: evaluates the conditions on games from dictionaries and columns, and compiles
    /// the rest. Takes some milliseconds per million games.
    ///
    /// The number of a square stands for different squares on different boards. `check_squares`
    /// reports queries that are ambiguous for that reason; the search itself reads the number by the numbering of each game.
    ///
    /// # Errors
    /// If a section or a key table of the index is damaged, a text cannot be read that decides whether a game has to be
    /// played, or the query refers to a game or a ply that is not there.
    pub fn new(index: &'a Index, query: &Query, threads: NonZeroUsize) -> Result<Self> {
        check_annotations(query, index)?;
        check_tables(query)?;
        let query = with_positions_of_games(by_text_if_unstored(query, index), index)?;
        let (text_parts, parts): (Vec<&Query>, Vec<&Query>) =
            conjuncts(&query).into_iter().partition(|part| is_decided_by_text(part));
        let step = |part: &Query, reads_text: bool| PlanStep {
            text: part.to_string(),
            games: 0,
            exact: !reads_text,
            reads_text,
        };
        let mut steps: Vec<PlanStep> = parts.iter().map(|part| step(part, part.reads_text())).collect();
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
        let left: u64 = count(|bounds| bounds.possible.len());
        steps.extend(text_parts.iter().map(|part| PlanStep { games: left, ..step(part, true) }));
        let least =
            |at: usize| plans.iter().map(|plan: &SegmentPlan<'_>| plan.bounds.min[at]).min().unwrap_or(0);
        let plan = Plan {
            games: index.game_count(),
            steps,
            certain: count(|bounds| bounds.certain.len()),
            played: count(|bounds| bounds.open().len()),
            // The bounds are those of white men, white pieces, black men and black pieces.
            least: [least(1), least(3)],
        };
        let text_parts = text_parts.into_iter().cloned().collect();
        Ok(Self {
            index,
            threads,
            stop: Stop::default(),
            plan,
            bounds,
            scanner: FirstMatchScan { segments: plans, earlier: OnceLock::new() },
            earlier: EarlierNeed::of(&query),
            tables: query.tables().into_iter().flatten().cloned().collect(),
            text_parts,
        })
    }

    /// Sets the handle with which another thread stops the search: it then fails with
    /// [`ErrorKind::Stopped`](pdn::error::ErrorKind::Stopped) after the games that its threads have begun to play, some ten
    /// milliseconds later.
    #[must_use]
    pub fn stop(self, stop: &Stop) -> Self {
        Self { stop: stop.clone(), ..self }
    }

    /// Restricts the search to the games of these sets, one for each segment.
    pub(super) fn among(mut self, games: &[GameSet]) -> Self {
        for (bounds, games) in self.bounds.iter_mut().zip(games) {
            bounds.certain &= games;
            bounds.possible &= games;
        }
        self.plan.certain = self.bounds.iter().map(|bounds| bounds.certain.len()).sum();
        self.plan.played = self.bounds.iter().map(|bounds| bounds.open().len()).sum();
        self
    }

    /// Returns the plan of the search.
    #[doc(hidden)]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the first `limit` games that match, in the order of the index, each with its first match. The hits do not
    /// depend on the number of threads.
    ///
    /// # Errors
    /// If a section of the index is damaged, a condition on a tag needs a text that cannot be read, or the flag of
    /// [`stop`](Self::stop) is set.
    pub fn hits(&self, limit: usize) -> Result<(Vec<Hit>, SearchStats)> {
        self.hits_in(0..limit)
    }

    /// Returns a page of the games that match: of all of them, in the order of the index, those with these numbers, from 0. The games
    /// before the page are found again for each page; those after it are not looked for.
    ///
    /// # Errors
    /// As [`hits`](Self::hits).
    pub fn hits_in(&self, page: Range<usize>) -> Result<(Vec<Hit>, SearchStats)> {
        let mut hits = Vec::new();
        if page.is_empty() {
            return Ok((hits, SearchStats::default()));
        }
        let mut passed = 0;
        let stats = self.visit_hits(|found| {
            let skipped = page.start.saturating_sub(passed).min(found.len());
            hits.extend_from_slice(&found[skipped..]);
            passed += found.len();
            if passed >= page.end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        hits.truncate(page.len());
        Ok((hits, stats))
    }

    /// Returns a page of the games that match, in the order of a key: of all of them, those with these numbers, from 0. Games with equal
    /// keys stay in the order of the index. All games that match are found; those up to the end of the page are kept.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
    /// use std::cmp::Reverse;
    /// use pdn_index::{ImportOptions, Index, Query, Search, import};
    ///
    /// let years = ["1961", "1990", "1972", "1990"];
    /// let text: String = years.map(|year| format!("[Date \"{year}.??.??\"]\n1. 32-28 19-23 1-1\n\n")).concat();
    /// std::fs::write(&archive, text)?;
    /// # import([&archive], &path, &ImportOptions::new())?;
    /// let (index, query) = (Index::open(&path)?, Query::parse("plies = 2")?);
    /// let search = Search::new(&index, &query, pdn::default_threads())?;
    /// // The latest games first, three on a page.
    /// let date = |game| index.game(game).expect("it is a game of the index").row().map(|row| row.date);
    /// let (hits, _) = search.hits_by(0..3, |hit| Ok(Reverse(date(hit.game)?)))?;
    /// assert_eq!(hits.iter().map(|hit| hit.game).collect::<Vec<_>>(), [1, 3, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`hits`](Self::hits), and that of `key`.
    pub fn hits_by<K: Ord>(
        &self,
        page: Range<usize>,
        mut key: impl FnMut(Hit) -> Result<K>,
    ) -> Result<(Vec<Hit>, SearchStats)> {
        if page.is_empty() {
            return Ok((Vec::new(), SearchStats::default()));
        }
        // The first hits so far; the last of them comes out first.
        let (mut first, mut failure) = (BinaryHeap::new(), None);
        let stats = self.visit_hits(|found| {
            for &hit in found {
                match key(hit) {
                    Ok(key) => first.push((key, hit)),
                    Err(error) => {
                        failure = Some(error);
                        return ControlFlow::Break(());
                    }
                }
                if first.len() > page.end {
                    first.pop();
                }
            }
            ControlFlow::Continue(())
        })?;
        match failure {
            Some(error) => Err(error),
            None => Ok((
                first.into_sorted_vec().into_iter().skip(page.start).map(|(_, hit)| hit).collect(),
                stats,
            )),
        }
    }

    /// Passes the games that match to `visit` until it breaks, in the order of the index, each with its first match. They are
    /// passed some at a time as they are found, so the first come long before the search is complete. If a condition
    /// needs the texts of games, all games that match the other conditions are found before the first text is read.
    ///
    /// ```no_run
    /// use std::ops::ControlFlow;
    /// use pdn_index::Index;
    /// use pdn_index::query::{Query, Search};
    ///
    /// let index = Index::open("games.idx")?;
    /// let search = Search::new(&index, &Query::parse("w-b >= 2 for 4").unwrap(), pdn::default_threads())?;
    /// search.visit_hits(|hits| {
    ///     hits.iter().for_each(|hit| println!("game {} after {} plies", hit.game + 1, hit.ply));
    ///     ControlFlow::Continue(())
    /// })?;
    /// # Ok::<(), pdn::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`hits`](Self::hits). What was found before has been passed on.
    pub fn visit_hits(&self, visit: impl FnMut(&[Hit]) -> ControlFlow<()>) -> Result<SearchStats> {
        if self.text_parts.is_empty() {
            return self.visit_without_text(visit);
        }
        let mut hits = Vec::new();
        let stats = self.visit_without_text(|found| {
            hits.extend_from_slice(found);
            ControlFlow::Continue(())
        })?;
        self.visit_by_text(&hits, visit)?;
        Ok(stats)
    }

    /// Passes those of these hits to `visit` whose texts match, until it breaks.
    fn visit_by_text(&self, hits: &[Hit], mut visit: impl FnMut(&[Hit]) -> ControlFlow<()>) -> Result<()> {
        let mut is_stopped = false;
        let matches = |texts: &mut TextReader<'_>, hit: &Hit| {
            let text = RecordText::read(self.index, texts, hit.game)?;
            let tags = text.tags();
            Ok::<_, pdn::Error>(
                self.text_parts.iter().all(|part| matches_text(part, Frame::default(), &tags)),
            )
        };
        pool::try_ordered(
            hits.chunks(TEXT_BATCH),
            self.threads,
            || TextReader::new(self.index),
            |texts, batch| {
                let mut found = Vec::new();
                for hit in batch {
                    if matches(texts, hit)? {
                        found.push(*hit);
                    }
                }
                Ok::<_, pdn::Error>(found)
            },
            |found| {
                is_stopped = self.stop.is_requested();
                match found.as_slice() {
                    _ if is_stopped => ControlFlow::Break(()),
                    [] => ControlFlow::Continue(()),
                    found => visit(found),
                }
            },
        )?;
        if is_stopped { Err(ErrorKind::Stopped.into()) } else { Ok(()) }
    }

    /// Passes the games that match all parts that no text decides to `visit`, until it breaks.
    fn visit_without_text(&self, mut visit: impl FnMut(&[Hit]) -> ControlFlow<()>) -> Result<SearchStats> {
        let mut stats = SearchStats::default();
        // The games that match without being played are merged with those that are found.
        let certain = self.bounds.iter().enumerate();
        let certain =
            certain.flat_map(|(segment, bounds)| bounds.certain.iter().map(move |game| (segment, game)));
        let mut certain = certain.peekable();
        let (mut hits, mut flow) = (Vec::new(), ControlFlow::Continue(()));
        if self.plan.played > 0 {
            self.find_earlier_games()?;
            stats.games = self.scan(&self.open(), &self.scanner, |part| {
                stats.positions += part.positions;
                hits.clear();
                for (segment, game, found) in part.hits {
                    while let Some((segment, game)) = certain.next_if(|&before| before < (segment, game)) {
                        hits.push(self.hit(segment, game, FoundHit::default()));
                    }
                    hits.push(self.hit(segment, game, found));
                }
                if !hits.is_empty() {
                    flow = visit(&hits);
                }
                flow
            })?;
        }
        while flow.is_continue() && certain.peek().is_some() {
            hits.clear();
            hits.extend(
                certain
                    .by_ref()
                    .take(CERTAIN_BATCH)
                    .map(|(segment, game)| self.hit(segment, game, FoundHit::default())),
            );
            flow = visit(&hits);
        }
        Ok(stats)
    }

    /// Returns the first `limit` positions at which the query is true, in the order of the index and of the plies: all
    /// of each game, where [`hits`](Self::hits) returns the first. A condition on games alone is true at every position.
    ///
    /// # Errors
    /// As [`hits`](Self::hits).
    pub fn all_hits(&self, limit: usize) -> Result<(Vec<Hit>, SearchStats)> {
        let (games, mut stats) = self.games()?;
        self.find_earlier_games()?;
        let earlier = self.scanner.earlier.get().map(Arc::as_ref);
        let scanner = AllMatchScan { segments: &self.scanner.segments, earlier };
        let mut hits = Vec::new();
        stats.games = self.scan(&games, &scanner, |part| {
            stats.positions += part.positions;
            hits.extend(part.hits.into_iter().map(|(segment, game, found)| self.hit(segment, game, found)));
            if hits.len() >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        hits.truncate(limit);
        Ok((hits, stats))
    }

    /// Returns the games that match, as a set for each segment.
    ///
    /// # Errors
    /// As [`hits`](Self::hits).
    #[doc(hidden)]
    pub fn games(&self) -> Result<(Vec<GameSet>, SearchStats)> {
        if !self.text_parts.is_empty() {
            let (hits, stats) = self.hits(usize::MAX)?;
            let mut games = vec![GameSet::new(); self.bounds.len()];
            let starts: Vec<u64> =
                (0..games.len()).map(|segment| self.index.first_game(segment).unwrap_or(0)).collect();
            for hit in hits {
                let segment = starts.partition_point(|&start| start <= hit.game).saturating_sub(1);
                games[segment].insert((hit.game - starts[segment]) as u32);
            }
            return Ok((games, stats));
        }
        let mut stats = SearchStats::default();
        let mut games: Vec<GameSet> = self.bounds.iter().map(|bounds| bounds.certain.clone()).collect();
        if self.plan.played > 0 {
            self.find_earlier_games()?;
            stats.games = self.scan(&self.open(), &self.scanner, |part| {
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
    /// As [`hits`](Self::hits).
    pub fn count(&self) -> Result<(u64, SearchStats)> {
        if !self.text_parts.is_empty() {
            return self.hits(usize::MAX).map(|(hits, stats)| (hits.len() as u64, stats));
        }
        let mut stats = SearchStats::default();
        let mut count = self.plan.certain;
        if self.plan.played > 0 {
            self.find_earlier_games()?;
            stats.games = self.scan(&self.open(), &self.scanner, |part| {
                stats.positions += part.positions;
                count += part.hits.len() as u64;
                ControlFlow::Continue(())
            })?;
        }
        Ok((count, stats))
    }

    /// Passes games to a scanner, and what it finds to `consume`; see [`scan_until`].
    fn scan<V: GameScanner>(
        &self,
        games: &[GameSet],
        scanner: &V,
        consume: impl FnMut(V::Found) -> ControlFlow<()>,
    ) -> Result<u64> {
        let scanned = scan_until(&self.stop, self.index, games, self.threads, scanner, consume)?;
        self.tables.iter().try_for_each(Tables::check)?;
        Ok(scanned)
    }

    /// Returns the hit of a game of a segment.
    fn hit(&self, segment: usize, game: u32, found: FoundHit) -> Hit {
        let game = self.index.first_game(segment).unwrap_or(0) + u64::from(game);
        Hit { game, ply: found.ply, line: found.line }
    }

    /// Finds the earlier games with each position that is asked for, unless they are known.
    fn find_earlier_games(&self) -> Result<()> {
        let is_asked = self.earlier != EarlierNeed::None && self.plan.played > 0;
        if !is_asked || self.scanner.earlier.get().is_some() {
            return Ok(());
        }
        let search = EarlierSearch { index: self.index, threads: self.threads, stop: &self.stop };
        let games = self.open();
        let asking = AskingGames { games: &games, variations: self.earlier == EarlierNeed::Variations };
        let known = if asking.variations { None } else { self.index.known_earlier_games() };
        let found = match known {
            Some(known) => known,
            None if asking.variations || asking.are_few(self.index) => Arc::new(search.for_some(asking)?),
            None => earlier_games(search)?,
        };
        // If two threads have found them, both found the same.
        let _ = self.scanner.earlier.set(found);
        Ok(())
    }

    /// Returns the games of each segment that have to be played.
    fn open(&self) -> Vec<GameSet> {
        self.bounds.iter().map(MatchBounds::open).collect()
    }
}

/// The positions of which a query counts the earlier games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EarlierNeed {
    /// Of none.
    None,
    /// Of positions of main lines.
    Main,
    /// Of positions of variations too.
    Variations,
}

impl EarlierNeed {
    fn of(query: &Query) -> Self {
        match (query.counts_earlier_games(), query.counts_earlier_games_aside()) {
            (false, _) => Self::None,
            (true, false) => Self::Main,
            (true, true) => Self::Variations,
        }
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
    sort::by_key(&mut parts, |part| cost(part));
    parts
}

/// Returns `true` if all conditions of a part are on tags in the text of a game, so that the part can be evaluated last.
fn is_decided_by_text(query: &Query) -> bool {
    match query {
        Query::Is(Condition::Game(condition)) => condition.reads_text(),
        Query::Not(inner) | Query::Ever(inner) | Query::Transformed { query: inner, .. } => {
            is_decided_by_text(inner)
        }
        Query::And(parts) | Query::Or(parts) => !parts.is_empty() && parts.iter().all(is_decided_by_text),
        _ => false,
    }
}

/// Returns `true` if a part that only the text decides is true, as `frame` reads it, in a record with these tags.
fn matches_text(query: &Query, frame: Frame, tags: &RecordTags<'_>) -> bool {
    let matches = |query: &Query| matches_text(query, frame, tags);
    match query {
        Query::Is(Condition::Game(condition)) => match &*frame.of_game(condition) {
            GameCondition::TextTag(condition) => condition.matches(tags.value(condition.name()).as_deref()),
            _ => false,
        },
        Query::Not(inner) => !matches(inner),
        Query::Ever(inner) => matches(inner),
        Query::And(parts) => parts.iter().all(matches),
        Query::Or(parts) => parts.iter().any(matches),
        Query::Transformed { query, by } => {
            frame.turned_by(*by).into_iter().any(|frame| matches_text(query, frame, tags))
        }
        _ => false,
    }
}

/// Returns the relative cost of a part: 0 for dictionaries, 1 for columns, 2 for first moves, 3 for positions, 4 for texts.
fn cost(query: &Query) -> u8 {
    match query {
        part if part.reads_text() => 4,
        Query::Is(Condition::Game(GameCondition::Tag(..))) => 0,
        Query::Is(Condition::Game(GameCondition::OpeningPlayed(_))) => 2,
        Query::Is(Condition::Game(_)) => 1,
        Query::Is(_) => 3,
        Query::Not(_) | Query::Ever(_) | Query::And(_) | Query::Or(_) | Query::Transformed { .. } => {
            query.operands().into_iter().map(cost).max().unwrap_or(0)
        }
        _ => 3,
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
fn plan_segment<'a>(
    index: &'a Index,
    segment: usize,
    parts: &[&Query],
) -> Result<(MatchBounds, SegmentPlan<'a>, Vec<StepOutcome>)> {
    let mut games = GameSelector::with_key_table(index, segment)?;
    let place = Place::default().with(parts.iter().copied());
    let mut bounds = MatchBounds::exact(index.live_games(segment));
    let mut outcomes = Vec::with_capacity(parts.len());
    let mut undecided = Vec::new();
    for part in parts {
        if bounds.possible.is_empty() {
            outcomes.push(StepOutcome { games: 0, exact: true });
            continue;
        }
        if part.reads_text() {
            games.read_texts_of(bounds.possible.clone());
        }
        let own = games.bounds_at(part, place)?;
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
