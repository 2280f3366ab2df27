//! A query compiled for the games of one kind: names of squares become bitboards, once per search.

use std::ops::RangeInclusive;

use super::board_test::{BoardTest, CountTest};
use super::fact_need::{FactNeed, MaterialBounds};
use super::frame::Frame;
use super::move_test::{MoveTest, PlayedTest};
use super::packed_run::PackedRun;
use super::position_batch::{PositionBatch, PositionList};
use super::position_set::PositionSet;
use super::sum_test::SumTest;
use crate::GameKind;
use crate::query::conditions::{FoundPositions, GamePositions, NoteCondition, Sacrifice};
use crate::query::language::{Condition, GameCondition, Query};
use pdn::board::SquareNames;
use pdn::error::Result;
use pdn::internal::sort;
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Directions, Geometry};

/// The greatest number of runs of moves that are looked for in every game; more cost as much as playing it.
const MAX_RUNS: usize = 64;

/// A compiled query: the same expression, with predicates in place of conditions.
///
/// It is *local* if its value at a position follows from that position and the next move alone.
#[derive(Debug)]
pub(in crate::query) enum CompiledQuery<B> {
    /// The same value at every position.
    Always(bool),
    /// Whether the condition on games with this number is true.
    Game(usize),
    /// Whether the position passes one of the tests.
    Board(Vec<BoardTest<B>>),
    /// Whether the position is in a list.
    Listed(PositionList<B>),
    /// Whether the piece counts pass a test.
    Count(CountTest),
    /// Whether a sum of numbers lies in a range.
    Sum(SumTest<B>),
    /// Whether this side is to move.
    Turn(Colour),
    /// Whether the number of plies before the position lies in the range.
    Ply(RangeInclusive<u32>),
    /// Whether it is the last position of the game.
    Last,
    /// Whether the next move passes a test.
    Move(MoveTest<B>),
    /// Whether these moves are played from the position on.
    Played(PlayedTest<B>),
    /// See [`Condition::Sacrifice`].
    Sacrifice(Sacrifice),
    /// What is written about a move. Replaced by [`Self::Marked`] before positions are tested.
    Note(NoteCondition),
    /// See [`Query::Aside`]. Replaced by [`Self::Marked`] before positions are tested.
    Aside(Box<CompiledQuery<B>>),
    /// Whether the position belongs to the set of marked positions with this number.
    Marked(usize),
    /// See [`Query::Not`].
    Not(Box<CompiledQuery<B>>),
    /// See [`Query::And`]; cheap predicates come first.
    And(Vec<CompiledQuery<B>>),
    /// See [`Query::Or`].
    Or(Vec<CompiledQuery<B>>),
    /// See [`Query::Ever`].
    Ever(Box<CompiledQuery<B>>),
    /// See [`Condition::Repeats`]; and whether the men of the games may come back to where they were, so that positions without
    /// kings may repeat.
    Repeats(RangeInclusive<u32>, bool),
    /// See [`Query::Then`].
    Then(Box<CompiledQuery<B>>, Box<CompiledQuery<B>>, RangeInclusive<u32>),
    /// See [`Query::After`].
    After(Box<CompiledQuery<B>>, Box<CompiledQuery<B>>, RangeInclusive<u32>),
    /// See [`Query::For`].
    For(Box<CompiledQuery<B>>, u32),
    /// See [`Query::Times`].
    Times(Box<CompiledQuery<B>>, RangeInclusive<u32>),
    /// See [`Query::First`].
    First(Box<CompiledQuery<B>>),
}

/// A batch of positions with its place in a game.
#[derive(Debug)]
pub(super) struct BatchContext<'a, B> {
    pub(super) batch: &'a PositionBatch<B>,
    /// The number of plies before the first position of the batch.
    pub(super) first: u32,
    /// The number of batches before this one in the line.
    pub(super) number: usize,
    /// The sets of marked positions of the line.
    pub(super) marked: &'a [PositionSet],
    /// The last position of the game as a bit; 0 if it is in a later batch.
    pub(super) last: u64,
    /// For each condition on games of the query, whether it is true for this game.
    pub(super) membership: &'a [bool],
    /// The number of earlier games of each position; empty if it is unknown, or if the query does not ask for it.
    pub(super) earlier: &'a [u32],
}

impl<B: Bits> CompiledQuery<B> {
    /// Compiles a query as `frame` reads it. `game_test` prepares a condition on games and returns its number.
    ///
    /// # Errors
    /// Those of `game_test`.
    pub(in crate::query) fn new<G: Geometry<Bits = B>>(
        query: &Query,
        kind: &GameKind,
        frame: Frame,
        game_test: &mut dyn FnMut(&GameCondition) -> Result<usize>,
    ) -> Result<Self> {
        let mut compile = |query: &Query| Self::new::<G>(query, kind, frame, game_test);
        Ok(match query {
            Query::Is(Condition::Game(condition)) => Self::Game(game_test(&frame.of_game(condition))?),
            Query::Is(condition) => {
                Self::of_condition::<G>(condition, kind, frame).unwrap_or(Self::Always(false))
            }
            Query::Not(inner) => Self::Not(Box::new(compile(inner)?)),
            Query::And(parts) => {
                let mut parts: Vec<Self> = parts.iter().map(compile).collect::<Result<_>>()?;
                // The expensive parts are skipped where the cheap ones leave no position.
                sort::by_key(&mut parts, Self::cost);
                Self::And(parts)
            }
            Query::Or(parts) => Self::Or(parts.iter().map(compile).collect::<Result<_>>()?),
            Query::Ever(inner) => Self::Ever(Box::new(compile(inner)?)),
            Query::Aside(inner) => Self::Aside(Box::new(compile(inner)?)),
            Query::Then { first, second, within } => {
                Self::Then(Box::new(compile(first)?), Box::new(compile(second)?), within.clone())
            }
            Query::After { later, earlier, within } => {
                Self::After(Box::new(compile(later)?), Box::new(compile(earlier)?), within.clone())
            }
            Query::For { query, plies } => Self::For(Box::new(compile(query)?), *plies),
            Query::Times { query, count } => Self::Times(Box::new(compile(query)?), count.clone()),
            Query::First(inner) => Self::First(Box::new(compile(inner)?)),
            Query::Transformed { query, by } => {
                let names = SquareNames::new(G::BOARD, kind.numbering);
                let frames = frame.transformed_by::<G>(*by, query, &names).into_iter();
                let forms = frames.map(|frame| Self::new::<G>(query, kind, frame, game_test));
                Self::any_of(forms.collect::<Result<_>>()?)
            }
        })
    }

    /// Returns the query that is true where one of these is true. Tests of squares are joined, each once.
    fn any_of(forms: Vec<Self>) -> Self {
        let mut tests = Vec::new();
        let mut others = Vec::new();
        for form in forms {
            match form {
                Self::Always(false) => {}
                Self::Board(more) => more.into_iter().for_each(|test| {
                    if !tests.contains(&test) {
                        tests.push(test);
                    }
                }),
                form => others.push(form),
            }
        }
        if !tests.is_empty() {
            others.insert(0, Self::Board(tests));
        }
        match others.len() {
            0 => Self::Always(false),
            1 => others.swap_remove(0),
            _ => Self::Or(others),
        }
    }

    /// Compiles a condition on positions as `frame` reads it; `None` for a condition on games.
    pub(in crate::query) fn of_condition<G: Geometry<Bits = B>>(
        condition: &Condition,
        kind: &GameKind,
        frame: Frame,
    ) -> Option<Self> {
        Some(match condition {
            Condition::Game(_) => return None,
            Condition::Board(pattern) => BoardTest::of_pattern::<G>(pattern, kind.numbering, frame)
                .map_or(Self::Always(false), |test| Self::Board(vec![test])),
            Condition::InGame(positions) => Self::of_positions::<G>(positions, kind, frame),
            Condition::Line(moves) => match moves.play(&kind.game()) {
                Ok(position) => {
                    let test = BoardTest::exact::<G>(&position.state().resized());
                    Self::Board(vec![test.seen_in::<G>(frame)])
                }
                Err(_) => Self::Always(false),
            },
            Condition::Material(condition) => Self::Count(CountTest::new(condition, frame)),
            Condition::Sum(sum) => SumTest::new::<G>(sum, kind, frame).map_or(Self::Always(false), Self::Sum),
            Condition::Turn(turn) => Self::Turn(frame.turn(*turn)),
            Condition::Ply(range) => Self::Ply(range.clone()),
            Condition::Last => Self::Last,
            // These belong to the side that is to move.
            Condition::Move(_) | Condition::Played(_) | Condition::Sacrifice(_) | Condition::Repeats(_)
                if frame.is_passed() =>
            {
                Self::Always(false)
            }
            Condition::Move(condition) => {
                MoveTest::new::<G>(condition, kind.numbering, frame).map_or(Self::Always(false), Self::Move)
            }
            Condition::Played(moves) => Self::Played(PlayedTest::new::<G>(moves, kind, frame)),
            Condition::Sacrifice(sacrifice) => Self::Sacrifice(*sacrifice),
            Condition::Repeats(times) => {
                let men_return = kind.variant.rules().movement.man_steps != Directions::FORWARD;
                Self::Repeats(times.clone(), men_return)
            }
            Condition::Note(note) => Self::Note(note.clone()),
        })
    }

    /// Compiles a condition on the positions of a game, which must have been read.
    fn of_positions<G: Geometry<Bits = B>>(positions: &GamePositions, kind: &GameKind, frame: Frame) -> Self {
        let is_same =
            |found: &&FoundPositions| found.board == G::BOARD && found.is_inverted == kind.numbering.inverted;
        let Some(found) = positions.found.as_ref().filter(is_same) else { return Self::Always(false) };
        let states: Vec<_> = found.states.iter().map(|state| frame.state::<G>(&state.resized())).collect();
        match states.as_slice() {
            [state] => Self::Board(vec![BoardTest::exact::<G>(state)]),
            states => Self::Listed(PositionList::new::<G>(states)),
        }
    }

    /// Returns `true` if the value at a position follows from that position and the next move.
    pub(in crate::query) fn is_local(&self) -> bool {
        match self {
            Self::Played(_)
            | Self::Sacrifice(_)
            | Self::Repeats(..)
            | Self::Ever(_)
            | Self::Then(..)
            | Self::After(..)
            | Self::For(..)
            | Self::Times(..)
            | Self::First(_) => false,
            Self::Not(inner) => inner.is_local(),
            Self::And(parts) | Self::Or(parts) => parts.iter().all(Self::is_local),
            _ => true,
        }
    }

    /// Returns `true` if a local query tests the next move.
    pub(super) fn tests_moves(&self) -> bool {
        match self {
            Self::Move(_) => true,
            Self::Sum(test) => test.tests_moves(),
            Self::Not(inner) => inner.tests_moves(),
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::tests_moves),
            _ => false,
        }
    }

    /// Returns `true` if a local query needs the numbers of earlier games.
    pub(super) fn counts_earlier_games(&self) -> bool {
        match self {
            Self::Sum(test) => test.counts_earlier_games(),
            Self::Not(inner) => inner.counts_earlier_games(),
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::counts_earlier_games),
            _ => false,
        }
    }

    /// Returns `true` for `first earlier = 0`.
    pub(in crate::query) fn is_novelty(&self) -> bool {
        matches!(self, Self::First(inner) if matches!(&**inner, Self::Sum(test) if test.is_first_occurrence()))
    }

    /// Returns the positions of `among`, a bit each, at which a local query is true.
    pub(super) fn matches(&self, context: &BatchContext<'_, B>, among: u64) -> u64 {
        if among == 0 {
            return 0;
        }
        let all_if = |holds: bool| if holds { u64::MAX } else { 0 };
        let batch = context.batch;
        among
            & match self {
                Self::Always(value) => all_if(*value),
                Self::Game(set) => all_if(context.membership.get(*set) == Some(&true)),
                Self::Board(tests) => batch.passing(tests, among),
                Self::Listed(list) => batch.listed(list, among),
                Self::Count(test) => batch.counts_in(test),
                Self::Sum(test) => test.matches(batch, context.first, context.earlier, among),
                Self::Turn(turn) => batch.turn(*turn),
                Self::Ply(range) => {
                    // The positions of the batch before a ply.
                    let before = |ply: u32| match ply.saturating_sub(context.first) {
                        plies @ 0..64 => (1 << plies) - 1,
                        _ => u64::MAX,
                    };
                    range.end().checked_add(1).map_or(u64::MAX, before) & !before(*range.start())
                }
                Self::Last => context.last,
                Self::Move(test) => test.matches(batch, among),
                Self::Not(inner) => !inner.matches(context, among),
                Self::And(parts) => parts.iter().fold(among, |among, part| part.matches(context, among)),
                Self::Or(parts) => {
                    parts.iter().fold(0, |found, part| found | part.matches(context, among & !found))
                }
                Self::Marked(set) => context.marked.get(*set).map_or(0, |set| set.word(context.number)),
                Self::Note(_)
                | Self::Aside(_)
                | Self::Played(_)
                | Self::Sacrifice(_)
                | Self::Repeats(..)
                | Self::Ever(_)
                | Self::Then(..)
                | Self::After(..)
                | Self::For(..)
                | Self::Times(..)
                | Self::First(_) => 0,
            }
    }

    /// Returns the value at all positions of a game, if the conditions on games decide it. `membership` says for each of them
    /// whether it is true.
    pub(super) fn value_in_game(&self, membership: &[bool]) -> Option<bool> {
        let value = |part: &Self| part.value_in_game(membership);
        match self {
            Self::Always(value) => Some(*value),
            Self::Game(number) => Some(membership.get(*number) == Some(&true)),
            Self::Not(inner) => value(inner).map(|value| !value),
            Self::And(parts) => value_of_all(parts.iter().map(value), true),
            Self::Or(parts) => value_of_all(parts.iter().map(value), false),
            _ => None,
        }
    }

    /// Returns the single test of squares that is equal to the query, if there is one.
    pub(in crate::query) fn as_board_test(&self) -> Option<BoardTest<B>> {
        match self {
            Self::Board(tests) => tests.as_slice().try_into().ok().map(|[test]: [BoardTest<B>; 1]| test),
            Self::Turn(turn) => Some(BoardTest { turn: Some(*turn), ..BoardTest::ANY }),
            Self::And(parts) => {
                parts.iter().try_fold(BoardTest::ANY, |all, part| all.and(&part.as_board_test()?))
            }
            _ => None,
        }
    }

    /// Returns the two tests of piece counts that together are equal to the query, if there are such tests.
    pub(in crate::query) fn as_count_tests(&self) -> Option<[CountTest; 2]> {
        match self {
            Self::Count(test) => Some([*test, CountTest::ANY]),
            Self::And(parts) => match parts.as_slice() {
                [part] => part.as_count_tests(),
                [Self::Count(first), Self::Count(second)] => Some([*first, *second]),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the last ply at which a local query may be true; `u32::MAX` if it does not limit the ply.
    pub(in crate::query) fn last_ply(&self) -> u32 {
        match self {
            Self::Ply(range) => *range.end(),
            Self::And(parts) => parts.iter().map(Self::last_ply).min().unwrap_or(u32::MAX),
            Self::Or(parts) => parts.iter().map(Self::last_ply).max().unwrap_or(0),
            _ => u32::MAX,
        }
    }

    /// Returns the relative cost of a batch; each step costs about ten times as much as the one before.
    fn cost(&self) -> u8 {
        match self {
            Self::Always(_) | Self::Game(_) | Self::Turn(_) | Self::Ply(_) | Self::Last => 0,
            Self::Note(_) | Self::Aside(_) | Self::Marked(_) => 0,
            Self::Count(_) => 1,
            Self::Move(_) => 2,
            Self::Board(_) | Self::Listed(_) => 3,
            Self::Sum(test) if !test.generates_moves() => 3,
            Self::Not(inner) => inner.cost(),
            _ => 4,
        }
    }

    /// Returns runs of moves of which a game must have one for the query to be true anywhere in the game; `None` if
    /// nothing is known.
    pub(in crate::query) fn required_runs(&self) -> Option<Vec<PackedRun>> {
        // The runs that exclude more games: fewer of them, and longer ones.
        let rank = |runs: &Vec<PackedRun>| {
            let shortest = runs.iter().map(PackedRun::len).min().unwrap_or(usize::MAX);
            (shortest, usize::MAX - runs.len())
        };
        match self {
            Self::Played(test) => test.run.clone().map(|run| vec![run]),
            Self::And(parts) => parts.iter().filter_map(Self::required_runs).max_by_key(rank),
            Self::Or(parts) => {
                let all: Vec<_> = parts.iter().map(Self::required_runs).collect::<Option<_>>()?;
                Some(all.concat()).filter(|runs| runs.len() <= MAX_RUNS)
            }
            Self::Ever(inner) | Self::For(inner, _) | Self::First(inner) => inner.required_runs(),
            Self::Times(inner, count) if !count.contains(&0) => inner.required_runs(),
            Self::Then(first, second, _) | Self::After(first, second, _) => {
                first.required_runs().into_iter().chain(second.required_runs()).max_by_key(rank)
            }
            _ => None,
        }
    }

    /// Returns what the facts of a game must be for a condition on positions to be true at one of its positions.
    pub(in crate::query) fn fact_need<G: Geometry<Bits = B>>(&self) -> FactNeed {
        match self {
            Self::Always(false) => FactNeed::Any(Vec::new()),
            Self::Board(tests) => FactNeed::Any(tests.iter().map(FactNeed::of_board::<G>).collect()),
            Self::Count(test) => FactNeed::of_count(test),
            Self::Move(test) => test.fact_need(),
            Self::Sacrifice(sacrifice) => FactNeed::change(sacrifice.given.into()),
            Self::Repeats(times, false) if *times.start() > 1 => FactNeed::any_king(),
            _ => FactNeed::NOTHING,
        }
    }

    /// Returns bounds that some position of a game must meet for the query to be true anywhere in the game.
    pub(in crate::query) fn material_bounds<G: Geometry<Bits = B>>(&self) -> MaterialBounds {
        match self {
            Self::Always(false) => MaterialBounds::NEVER,
            Self::Board(tests) => tests
                .iter()
                .map(MaterialBounds::of_board::<G>)
                .fold(MaterialBounds::NEVER, MaterialBounds::or),
            Self::Count(test) => MaterialBounds::of_count(test),
            Self::Listed(list) => list.material_bounds(),
            Self::Sum(test) => test.material_bounds(),
            Self::And(parts) => {
                parts.iter().map(Self::material_bounds::<G>).fold(MaterialBounds::NONE, MaterialBounds::and)
            }
            Self::Or(parts) => {
                parts.iter().map(Self::material_bounds::<G>).fold(MaterialBounds::NEVER, MaterialBounds::or)
            }
            Self::Ever(inner) | Self::For(inner, _) | Self::First(inner) => inner.material_bounds::<G>(),
            Self::Times(inner, count) if !count.contains(&0) => inner.material_bounds::<G>(),
            Self::Then(here, ..) | Self::After(here, ..) => here.material_bounds::<G>(),
            _ => MaterialBounds::NONE,
        }
    }
}

/// Joins values by `and` if `neutral` is `true`, else by `or`; `None` if those that are known do not decide.
pub(super) fn value_of_all(mut values: impl Iterator<Item = Option<bool>>, neutral: bool) -> Option<bool> {
    values
        .try_fold(Some(neutral), |all, value| match value {
            Some(value) if value != neutral => Err(value),
            Some(_) => Ok(all),
            None => Ok(None),
        })
        .unwrap_or_else(Some)
}
