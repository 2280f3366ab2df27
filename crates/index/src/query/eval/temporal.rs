//! Evaluates what looks beyond one position (`then`, `for`, `ever`, `sacrifice`, `repeats` and the like) on sets of positions of one
//! game.

// Twin: naive evaluation in tests/it/query_naive; test: long_games_match_across_batch_borders.

use std::ops::RangeInclusive;

use super::move_test::PlayedStep;
use super::position_batch::{BATCH_LEN, PositionBatch};
use super::position_set::{LineContext, PositionSet, Repetitions};
use super::predicate::{BatchContext, CompiledQuery, value_of_all};
use crate::pack::ScannedPly;
use crate::query::conditions::Sacrifice;
use pdn::internal::simd;
use pdn::internal::simd::{Isa, Task};
use pdn::value::Colour;
use pdn_rules::internal::board::Bits;
use pdn_rules::internal::position::State;

/// A compiled query, split into local parts, which are evaluated batch by batch, and the operators above them.
#[derive(Debug)]
pub(in crate::query) struct TemporalPlan<B> {
    /// The local parts.
    parts: Vec<CompiledQuery<B>>,
    root: PlanNode,
    tests_moves: bool,
    counts_earlier_games: bool,
    has_sacrifices: bool,
    has_repetitions: bool,
    /// Whether men may come back to where they were, so that positions without kings may repeat.
    men_return: bool,
}

/// An operator over the sets of positions at which the local parts are true.
#[derive(Debug)]
enum PlanNode {
    /// The set of the local part with this number.
    Part(usize),
    Sacrifice(Sacrifice),
    /// Moves from the position on.
    Played(Vec<PlanStep>),
    Not(Box<PlanNode>),
    And(Vec<PlanNode>),
    Or(Vec<PlanNode>),
    Ever(Box<PlanNode>),
    /// The number of times, and whether men may come back to where they were.
    Repeats(RangeInclusive<u32>, bool),
    Then(Box<PlanNode>, Box<PlanNode>, RangeInclusive<u32>),
    After(Box<PlanNode>, Box<PlanNode>, RangeInclusive<u32>),
    For(Box<PlanNode>, u32),
    Times(Box<PlanNode>, RangeInclusive<u32>),
    First(Box<PlanNode>),
}

/// A step of a sequence of moves.
#[derive(Debug)]
enum PlanStep {
    /// A move that the local part with this number is true for.
    Part(usize),
    /// Any single move.
    One,
    /// Any number of moves.
    Any,
}

impl<B: Bits> TemporalPlan<B> {
    /// Splits a compiled query.
    pub(in crate::query) fn new(query: CompiledQuery<B>) -> Self {
        let mut parts = Vec::new();
        let root = PlanNode::new(query, &mut parts);
        Self {
            tests_moves: parts.iter().any(CompiledQuery::tests_moves),
            counts_earlier_games: parts.iter().any(CompiledQuery::counts_earlier_games),
            has_sacrifices: root.any(|node| matches!(node, PlanNode::Sacrifice(_))),
            has_repetitions: root.any(|node| matches!(node, PlanNode::Repeats(..))),
            men_return: root.any(|node| matches!(node, PlanNode::Repeats(_, true))),
            parts,
            root,
        }
    }

    /// Returns `true` if the value at a position follows from that position and the next move.
    pub(in crate::query) fn is_local(&self) -> bool {
        matches!(self.root, PlanNode::Part(_))
    }

    /// Returns the value of the query at all positions of a game, if the conditions on games decide it. `membership` says for each
    /// of them whether it is true.
    #[inline]
    pub(in crate::query) fn value_in_game(&self, membership: &[bool]) -> Option<bool> {
        self.root.value_in_game(membership, &self.parts)
    }

    /// Returns `true` if the query tests moves, so that batches have to store them.
    pub(in crate::query) fn tests_moves(&self) -> bool {
        self.tests_moves
    }

    /// Returns `true` if the query counts earlier games, so that the context of a line has to have their numbers.
    pub(in crate::query) fn counts_earlier_games(&self) -> bool {
        self.counts_earlier_games
    }
}

impl PlanNode {
    fn new<B: Bits>(query: CompiledQuery<B>, parts: &mut Vec<CompiledQuery<B>>) -> Self {
        if query.is_local() {
            parts.push(query);
            return Self::Part(parts.len() - 1);
        }
        if let CompiledQuery::Played(played) = query {
            let step = |step| match step {
                PlayedStep::Move(test) => {
                    parts.push(test.map_or(CompiledQuery::Always(false), CompiledQuery::Move));
                    PlanStep::Part(parts.len() - 1)
                }
                PlayedStep::One => PlanStep::One,
                PlayedStep::Any => PlanStep::Any,
            };
            return Self::Played(played.steps.into_iter().map(step).collect());
        }
        let mut boxed = |inner: Box<CompiledQuery<B>>| Box::new(Self::new(*inner, parts));
        match query {
            CompiledQuery::Not(inner) => Self::Not(boxed(inner)),
            CompiledQuery::Ever(inner) => Self::Ever(boxed(inner)),
            CompiledQuery::For(inner, plies) => Self::For(boxed(inner), plies),
            CompiledQuery::Then(first, second, within) => Self::Then(boxed(first), boxed(second), within),
            CompiledQuery::After(later, earlier, within) => Self::After(boxed(later), boxed(earlier), within),
            CompiledQuery::Times(inner, count) => Self::Times(boxed(inner), count),
            CompiledQuery::First(inner) => Self::First(boxed(inner)),
            CompiledQuery::Repeats(times, men_return) => Self::Repeats(times, men_return),
            CompiledQuery::And(all) => Self::And(Self::operands(all, CompiledQuery::And, parts)),
            CompiledQuery::Or(all) => Self::Or(Self::operands(all, CompiledQuery::Or, parts)),
            CompiledQuery::Sacrifice(sacrifice) => Self::Sacrifice(sacrifice),
            local => {
                parts.push(local);
                Self::Part(parts.len() - 1)
            }
        }
    }

    /// Splits the operands of `and` or `or`; the local ones stay joined as one part.
    fn operands<B: Bits>(
        all: Vec<CompiledQuery<B>>,
        join: fn(Vec<CompiledQuery<B>>) -> CompiledQuery<B>,
        parts: &mut Vec<CompiledQuery<B>>,
    ) -> Vec<Self> {
        let (local, others): (Vec<_>, Vec<_>) = all.into_iter().partition(CompiledQuery::is_local);
        let local = (!local.is_empty()).then(|| join(local));
        local.into_iter().chain(others).map(|query| Self::new(query, parts)).collect()
    }

    /// Returns the value at all positions of a game, if the conditions on games decide it.
    fn value_in_game<B: Bits>(&self, membership: &[bool], parts: &[CompiledQuery<B>]) -> Option<bool> {
        let value = |node: &Self| node.value_in_game(membership, parts);
        match self {
            Self::Part(number) => parts[*number].value_in_game(membership),
            Self::Not(inner) => value(inner).map(|value| !value),
            Self::Ever(inner) => value(inner),
            Self::And(nodes) => value_of_all(nodes.iter().map(value), true),
            Self::Or(nodes) => value_of_all(nodes.iter().map(value), false),
            Self::First(inner) => value(inner).filter(|value| !value),
            Self::Times(inner, count) => match value(inner) {
                Some(false) => Some(count.contains(&0)),
                _ => None,
            },
            Self::Then(..)
            | Self::After(..)
            | Self::For(..)
            | Self::Played(_)
            | Self::Sacrifice(_)
            | Self::Repeats(..) => None,
        }
    }

    /// Returns `true` if the node or one below it passes a test.
    fn any(&self, test: fn(&Self) -> bool) -> bool {
        test(self)
            || match self {
                Self::Part(_) | Self::Played(_) | Self::Sacrifice(_) | Self::Repeats(..) => false,
                Self::Not(inner)
                | Self::Ever(inner)
                | Self::For(inner, _)
                | Self::Times(inner, _)
                | Self::First(inner) => inner.any(test),
                Self::And(nodes) | Self::Or(nodes) => nodes.iter().any(|node| node.any(test)),
                Self::Then(first, second, _) | Self::After(first, second, _) => {
                    first.any(test) || second.any(test)
                }
            }
    }
}

/// The state of evaluating a plan on one game: the batch that is being filled, and the sets of the batches before it.
/// Reused for many games.
#[derive(Debug)]
pub(in crate::query) struct GameTrace<B> {
    batch: PositionBatch<B>,
    /// The number of positions evaluated so far.
    len: usize,
    /// For each local part of the plan, the positions at which it is true.
    parts: Vec<PositionSet>,
    /// The positions with Black to move; only for sacrifices.
    black_to_move: PositionSet,
    /// For each position, the number of white pieces less black pieces; only for sacrifices.
    balance: Vec<i16>,
    /// How often each position has stood; only for repetitions.
    repetitions: Repetitions<B>,
    /// Sets that are not in use, kept for their memory.
    spare: Vec<PositionSet>,
    /// The positions at which the plan is true; only if all of them are wanted.
    matches: PositionSet,
}

impl<B: Bits> GameTrace<B> {
    /// Creates a trace for games of any plan.
    pub(in crate::query) fn new() -> Self {
        Self {
            batch: PositionBatch::new(),
            len: 0,
            parts: Vec::new(),
            black_to_move: PositionSet::default(),
            balance: Vec::new(),
            repetitions: Repetitions::new(),
            spare: Vec::new(),
            matches: PositionSet::default(),
        }
    }

    /// Removes the game, to begin another one. `is_continuous` says whether that one is continuous.
    #[inline]
    pub(in crate::query) fn clear(&mut self, plan: &TemporalPlan<B>, is_continuous: bool) {
        self.batch.clear();
        self.len = 0;
        if !plan.is_local() {
            self.parts.resize_with(plan.parts.len(), PositionSet::default);
            self.parts.iter_mut().for_each(PositionSet::clear);
            self.black_to_move.clear();
            self.balance.clear();
            if plan.has_repetitions {
                self.repetitions.clear(is_continuous && !plan.men_return);
            }
        }
    }

    /// Appends a ply and the position before it. `at` is the number of that position in the game. After every
    /// [`BATCH_LEN`] positions the caller calls [`flush`](Self::flush).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(in crate::query) fn push<const MOVES: bool>(&mut self, at: usize, ply: &ScannedPly<B>) {
        self.batch.set::<MOVES>(at, ply);
    }

    /// Evaluates the local parts on a full batch. Returns the first position at which a local plan is true.
    /// `line` says what else is known of the line.
    #[inline(never)]
    pub(in crate::query) fn flush(&mut self, plan: &TemporalPlan<B>, line: &LineContext<'_>) -> Option<u32> {
        let first = self.len as u32;
        let found = self.evaluate_batch(plan, line, BATCH_LEN, 0);
        (found != 0).then(|| first + found.trailing_zeros())
    }

    /// Evaluates the local parts on a full batch and keeps all positions at which a local plan is true, for
    /// [`take_matches`](Self::take_matches).
    pub(in crate::query) fn flush_all(&mut self, plan: &TemporalPlan<B>, line: &LineContext<'_>) {
        let found = self.evaluate_batch(plan, line, BATCH_LEN, 0);
        if plan.is_local() {
            self.matches.push(found);
        }
    }

    /// Appends the last position, number `at`, and keeps all positions of the game at which the plan is true.
    pub(in crate::query) fn finish_all(
        &mut self,
        plan: &TemporalPlan<B>,
        line: &LineContext<'_>,
        at: usize,
        last: &State<B>,
    ) {
        self.batch.set_last(at, last);
        let found = self.evaluate_batch(plan, line, at % BATCH_LEN + 1, 1 << (at % BATCH_LEN));
        if plan.is_local() {
            self.matches.push(found);
        } else {
            self.matches = self.evaluate(&plan.root);
        }
    }

    /// Returns the positions that were kept, and removes them.
    pub(in crate::query) fn take_matches(&mut self) -> Vec<u32> {
        let plies = self.matches.iter().map(|ply| ply as u32).collect();
        self.matches.clear();
        plies
    }

    /// Appends the last position, number `at`, and returns the first position of the game at which the plan is true. For
    /// a local plan, earlier batches are not repeated.
    #[inline(never)]
    pub(in crate::query) fn finish(
        &mut self,
        plan: &TemporalPlan<B>,
        line: &LineContext<'_>,
        at: usize,
        last: &State<B>,
    ) -> Option<u32> {
        self.batch.set_last(at, last);
        let before = self.len as u32;
        let found = self.evaluate_batch(plan, line, at % BATCH_LEN + 1, 1 << (at % BATCH_LEN));
        if plan.is_local() {
            return (found != 0).then(|| before + found.trailing_zeros());
        }
        let set = self.evaluate(&plan.root);
        let first = set.first();
        self.spare.push(set);
        first.map(|first| first as u32)
    }

    /// Returns the number of pieces of White and of Black in a position of the last batch.
    #[inline]
    pub(in crate::query) fn piece_counts(&self, at: usize) -> [u32; 2] {
        self.batch.piece_counts(at)
    }

    /// Evaluates the local parts on the first `count` positions of the batch. `last` is the bit of the last position of
    /// the game, or 0. Returns the positions at which a local plan is true, a bit each.
    fn evaluate_batch(
        &mut self,
        plan: &TemporalPlan<B>,
        line: &LineContext<'_>,
        count: usize,
        last: u64,
    ) -> u64 {
        let batch = &self.batch;
        let all = u64::MAX >> (BATCH_LEN - count);
        let context = BatchContext {
            batch,
            first: line.first_ply + self.len as u32,
            number: self.len / BATCH_LEN,
            marked: line.marked,
            last,
            membership: line.membership,
            earlier: line.earlier.get(self.len..).unwrap_or_default(),
        };
        self.len += count;
        if let (PlanNode::Part(part), parts) = (&plan.root, &plan.parts) {
            let found = parts.get(*part).map_or(0, |query| query.matches(&context, all));
            self.batch.go_on(plan.tests_moves);
            return found;
        }
        for (query, set) in plan.parts.iter().zip(&mut self.parts) {
            set.push(query.matches(&context, all));
        }
        if plan.has_sacrifices {
            self.black_to_move.push(batch.turn(Colour::Black));
            self.balance.extend(batch.balances(count));
        }
        if plan.has_repetitions {
            self.repetitions.push(batch, count);
        }
        self.batch.go_on(plan.tests_moves);
        0
    }

    fn spare_set(&mut self) -> PositionSet {
        self.spare.pop().unwrap_or_default()
    }

    /// Returns the positions of the game at which a node is true.
    fn evaluate(&mut self, node: &PlanNode) -> PositionSet {
        let mut set;
        match node {
            PlanNode::Part(part) => {
                set = self.spare_set();
                set.clear();
                if let Some(part) = self.parts.get(*part) {
                    set.copy_from(part);
                }
            }
            PlanNode::Played(steps) => {
                // From the last step on: the positions from which the steps after it are played.
                set = self.spare_set();
                set.fill(self.len);
                for step in steps.iter().rev() {
                    if let PlanStep::Any = step {
                        set.fill_to_last();
                        continue;
                    }
                    set.move_ahead(&(1..=1));
                    if let PlanStep::Part(part) = step
                        && let Some(part) = self.parts.get(*part)
                    {
                        set.and(part);
                    }
                    if !set.any() {
                        break;
                    }
                }
            }
            PlanNode::Sacrifice(sacrifice) => set = self.sacrifices(*sacrifice),
            PlanNode::Repeats(times, _) => {
                set = self.spare_set();
                set.clear();
                self.repetitions.add_to(&mut set, times);
            }
            PlanNode::Not(inner) => {
                set = self.evaluate(inner);
                set.invert(self.len);
            }
            PlanNode::And(nodes) => {
                set = self.spare_set();
                set.fill(self.len);
                for node in nodes {
                    if !set.any() {
                        break;
                    }
                    let other = self.evaluate(node);
                    set.and(&other);
                    self.spare.push(other);
                }
            }
            PlanNode::Or(nodes) => {
                set = self.spare_set();
                set.clear();
                for node in nodes {
                    let other = self.evaluate(node);
                    set.or(&other);
                    self.spare.push(other);
                }
            }
            PlanNode::Ever(inner) => {
                set = self.evaluate(inner);
                if set.any() {
                    set.fill(self.len);
                }
            }
            PlanNode::Then(first, second, within) => {
                set = self.evaluate(first);
                if set.any() {
                    let mut later = self.evaluate(second);
                    later.move_ahead(within);
                    set.and(&later);
                    self.spare.push(later);
                }
            }
            PlanNode::After(later, earlier, within) => {
                set = self.evaluate(later);
                if set.any() {
                    let mut earlier = self.evaluate(earlier);
                    earlier.move_back(within, self.len);
                    set.and(&earlier);
                    self.spare.push(earlier);
                }
            }
            PlanNode::For(inner, plies) => {
                set = self.evaluate(inner);
                set.keep_lasting(*plies as usize);
            }
            PlanNode::Times(inner, count) => {
                set = self.evaluate(inner);
                if count.contains(&(set.len() as u32)) {
                    set.fill(self.len);
                } else {
                    set.clear();
                }
            }
            PlanNode::First(inner) => {
                set = self.evaluate(inner);
                set.keep_first();
            }
        }
        set
    }

    /// Returns the positions at which a sacrifice begins.
    fn sacrifices(&mut self, sacrifice: Sacrifice) -> PositionSet {
        let mut set = self.spare_set();
        set.clear();
        let Self { balance, black_to_move, len, .. } = self;
        simd::run(FindSacrifices { sacrifice, balance, black_to_move, len: *len, set: &mut set });
        set
    }
}

/// Finds all sacrifices of a game. For 64 positions at a time, it compares the balance with that one ply later, two plies
/// later, and so on.
struct FindSacrifices<'a> {
    sacrifice: Sacrifice,
    balance: &'a mut Vec<i16>,
    black_to_move: &'a PositionSet,
    /// The number of positions of the game.
    len: usize,
    /// Receives the positions at which a sacrifice begins.
    set: &'a mut PositionSet,
}

impl Task for FindSacrifices<'_> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, _: I) {
        let Self { sacrifice, balance, black_to_move, len, set } = self;
        let padded_len = len.next_multiple_of(BATCH_LEN);
        let within = (sacrifice.within as usize).min(len);
        balance.resize(padded_len + within, 0);
        let min_given = i16::from(sacrifice.given);
        for first in (0..padded_len).step_by(BATCH_LEN) {
            let black = black_to_move.word(first / BATCH_LEN);
            let signs: [i16; BATCH_LEN] = std::array::from_fn(|at| 1 - 2 * (black >> at & 1) as i16);
            // All bits are set (-1) where pieces have been given, and where they have been won back.
            let (mut given, mut regained) = ([0; BATCH_LEN], [0; BATCH_LEN]);
            let Some(before) = balance[first..].first_chunk::<BATCH_LEN>() else { return };
            for later in 1..=within {
                let Some(after) = balance[first + later..].first_chunk::<BATCH_LEN>() else { return };
                // The positions of this batch that still have a position `later` plies after them.
                let count = len.saturating_sub(first + later).min(BATCH_LEN) as i16;
                for at in 0..BATCH_LEN {
                    let inside = -i16::from((at as i16) < count);
                    let change = signs[at] * (after[at] - before[at]);
                    regained[at] |= inside & given[at] & -i16::from(change >= 0);
                    given[at] |= inside & -i16::from(change <= -min_given);
                }
            }
            let (mut all, mut won_back) = (0, 0);
            for at in 0..BATCH_LEN {
                all |= if given[at] != 0 { 1u64 << at } else { 0 };
                won_back |= if regained[at] != 0 { 1u64 << at } else { 0 };
            }
            set.push(match sacrifice.regained {
                None => all,
                Some(true) => all & won_back,
                Some(false) => all & !won_back,
            });
        }
    }
}
