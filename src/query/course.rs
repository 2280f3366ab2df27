//! Questions that look beyond one position: the sets of positions at which their parts are true, put together over the
//! course of a game.

use super::manoeuvre::Sacrifice;
use super::program::{BatchContext, CompiledQuery};
use super::record::{LEN, PositionBatch};
use super::words::PositionSet;
use crate::board::Bits;
use crate::pack::ScannedPly;
use crate::position::State;
use crate::simd::{self, Isa, Task};
use crate::value::Colour;

/// A question, taken apart into what is asked of positions one by one and what of their course.
#[derive(Debug)]
pub(super) struct TemporalPlan<B> {
    /// Each is local.
    parts: Vec<CompiledQuery<B>>,
    shape: PlanNode,
    /// Whether moves are asked for.
    moves: bool,
    /// Whether sacrifices are.
    sacrifices: bool,
}

/// How the answers of the parts make that of the question.
#[derive(Debug)]
enum PlanNode {
    /// That of the part with this number.
    Part(usize),
    Sacrifice(Sacrifice),
    Not(Box<PlanNode>),
    And(Vec<PlanNode>),
    Or(Vec<PlanNode>),
    Ever(Box<PlanNode>),
    Then(Box<PlanNode>, Box<PlanNode>, u32),
    For(Box<PlanNode>, u32),
}

impl<B: Bits> TemporalPlan<B> {
    pub(super) fn new(program: CompiledQuery<B>) -> Self {
        let mut parts = Vec::new();
        let shape = PlanNode::new(program, &mut parts);
        let (moves, sacrifices) = (parts.iter().any(CompiledQuery::has_moves), shape.has_sacrifices());
        Self { parts, shape, moves, sacrifices }
    }

    /// Whether a position and the next move tell the answer.
    pub(super) fn is_local(&self) -> bool {
        matches!(self.shape, PlanNode::Part(_))
    }

    /// Whether moves are asked for.
    pub(super) fn has_moves(&self) -> bool {
        self.moves
    }
}

impl PlanNode {
    fn new<B: Bits>(program: CompiledQuery<B>, parts: &mut Vec<CompiledQuery<B>>) -> Self {
        if program.is_local() {
            parts.push(program);
            return Self::Part(parts.len() - 1);
        }
        let mut boxed = |inner: Box<CompiledQuery<B>>| Box::new(Self::new(*inner, parts));
        match program {
            CompiledQuery::Not(inner) => Self::Not(boxed(inner)),
            CompiledQuery::Ever(inner) => Self::Ever(boxed(inner)),
            CompiledQuery::For(inner, plies) => Self::For(boxed(inner), plies),
            CompiledQuery::Then(first, second, within) => Self::Then(boxed(first), boxed(second), within),
            CompiledQuery::And(all) => Self::And(Self::several(all, CompiledQuery::And, parts)),
            CompiledQuery::Or(all) => Self::Or(Self::several(all, CompiledQuery::Or, parts)),
            CompiledQuery::Sacrifice(sacrifice) => Self::Sacrifice(sacrifice),
            local => {
                parts.push(local);
                Self::Part(parts.len() - 1)
            }
        }
    }

    /// What is local of it is one part.
    fn several<B: Bits>(
        all: Vec<CompiledQuery<B>>,
        join: fn(Vec<CompiledQuery<B>>) -> CompiledQuery<B>,
        parts: &mut Vec<CompiledQuery<B>>,
    ) -> Vec<Self> {
        let (local, others): (Vec<_>, Vec<_>) = all.into_iter().partition(CompiledQuery::is_local);
        let local = (!local.is_empty()).then(|| join(local));
        local.into_iter().chain(others).map(|program| Self::new(program, parts)).collect()
    }

    fn has_sacrifices(&self) -> bool {
        match self {
            Self::Part(_) => false,
            Self::Sacrifice(_) => true,
            Self::Not(inner) | Self::Ever(inner) | Self::For(inner, _) => inner.has_sacrifices(),
            Self::And(shapes) | Self::Or(shapes) => shapes.iter().any(Self::has_sacrifices),
            Self::Then(first, second, _) => first.has_sacrifices() || second.has_sacrifices(),
        }
    }
}

/// A game on its way through a question. Meant to be used again and again.
#[derive(Debug)]
pub(super) struct GameTrace<B> {
    record: PositionBatch<B>,
    /// Positions of the game so far.
    len: usize,
    /// For each part, where it is true.
    parts: Vec<PositionSet>,
    /// Where Black is to move.
    black: PositionSet,
    /// White's pieces less Black's.
    balance: Vec<i16>,
    /// Sets that are not in use.
    spare: Vec<PositionSet>,
}

impl<B: Bits> GameTrace<B> {
    pub(super) fn new() -> Self {
        Self {
            record: PositionBatch::new(),
            len: 0,
            parts: Vec::new(),
            black: PositionSet::default(),
            balance: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Forgets the game, and is ready for a question.
    #[inline]
    pub(super) fn clear(&mut self, course: &TemporalPlan<B>) {
        self.record.clear();
        self.len = 0;
        if !course.is_local() {
            self.parts.resize_with(course.parts.len(), PositionSet::default);
            self.parts.iter_mut().for_each(PositionSet::clear);
            self.black.clear();
            self.balance.clear();
        }
    }

    /// Adds a ply and the position before it, the one with this number. After [`LEN`] of them comes
    /// [`flush`](Self::flush).
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn push<const MOVES: bool>(&mut self, at: usize, ply: &ScannedPly<B>) {
        self.record.set::<MOVES>(at, ply);
    }

    /// Looks at the positions that were added; at the first where a local question is true.
    #[inline(never)]
    pub(super) fn flush(&mut self, course: &TemporalPlan<B>, member: &[bool]) -> Option<u32> {
        self.look(course, member, LEN, 0)
    }

    /// Adds the last position, and answers with the first position at which the question is true.
    #[inline(never)]
    pub(super) fn finish(
        &mut self,
        course: &TemporalPlan<B>,
        member: &[bool],
        at: usize,
        last: &State<B>,
    ) -> Option<u32> {
        self.record.set_last(at, last);
        let hit = self.look(course, member, at % LEN + 1, 1 << (at % LEN));
        if course.is_local() {
            return hit;
        }
        let set = self.eval(&course.shape);
        let first = set.first();
        self.spare.push(set);
        first.map(|first| first as u32)
    }

    /// How many pieces each side has in the position with this number, one of those added last.
    #[inline]
    pub(super) fn left(&self, at: usize) -> [u32; 2] {
        self.record.left(at)
    }

    fn look(&mut self, course: &TemporalPlan<B>, member: &[bool], count: usize, last: u64) -> Option<u32> {
        let (first, record) = (self.len as u32, &self.record);
        let all = u64::MAX >> (LEN - count);
        let here = BatchContext { record, first, last, member };
        self.len += count;
        if let (PlanNode::Part(part), parts) = (&course.shape, &course.parts) {
            let word = parts.get(*part).map_or(0, |program| program.matches(&here, all));
            self.record.clear();
            return (word != 0).then(|| first + word.trailing_zeros());
        }
        for (program, set) in course.parts.iter().zip(&mut self.parts) {
            set.push(program.matches(&here, all));
        }
        if course.sacrifices {
            self.black.push(record.turn(Colour::Black));
            self.balance.extend(record.balance(count));
        }
        self.record.clear();
        None
    }

    fn take(&mut self) -> PositionSet {
        self.spare.pop().unwrap_or_default()
    }

    /// Where a question is true.
    fn eval(&mut self, shape: &PlanNode) -> PositionSet {
        let mut set;
        match shape {
            PlanNode::Part(part) => {
                set = self.take();
                set.clear();
                if let Some(part) = self.parts.get(*part) {
                    set.copy(part);
                }
            }
            PlanNode::Sacrifice(sacrifice) => set = self.sacrifices(*sacrifice),
            PlanNode::Not(inner) => {
                set = self.eval(inner);
                set.invert(self.len);
            }
            PlanNode::And(shapes) => {
                set = self.take();
                set.fill(self.len);
                for shape in shapes {
                    if !set.any() {
                        break;
                    }
                    let other = self.eval(shape);
                    set.and(&other);
                    self.spare.push(other);
                }
            }
            PlanNode::Or(shapes) => {
                set = self.take();
                set.clear();
                for shape in shapes {
                    let other = self.eval(shape);
                    set.or(&other);
                    self.spare.push(other);
                }
            }
            PlanNode::Ever(inner) => {
                set = self.eval(inner);
                if set.any() {
                    set.fill(self.len);
                }
            }
            PlanNode::Then(first, second, within) => {
                set = self.eval(first);
                if set.any() {
                    let mut later = self.eval(second);
                    later.ahead(*within as usize);
                    set.and(&later);
                    self.spare.push(later);
                }
            }
            PlanNode::For(inner, plies) => {
                set = self.eval(inner);
                set.lasting(*plies as usize);
            }
        }
        set
    }

    /// Where a sacrifice begins.
    fn sacrifices(&mut self, sacrifice: Sacrifice) -> PositionSet {
        let mut set = self.take();
        set.clear();
        let Self { balance, black, len, .. } = self;
        simd::run(Give { sacrifice, balance, black, len: *len, set: &mut set });
        set
    }
}

/// All positions a ply later, two, and so on: what the side to move has lost there and what won back.
struct Give<'a> {
    sacrifice: Sacrifice,
    balance: &'a mut Vec<i16>,
    black: &'a PositionSet,
    len: usize,
    set: &'a mut PositionSet,
}

impl Task for Give<'_> {
    type Output = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, _: I) {
        let Self { sacrifice, balance, black, len, set } = self;
        let room = len.next_multiple_of(LEN);
        let within = (sacrifice.within as usize).min(len);
        balance.resize(room + within, 0);
        let least = i16::from(sacrifice.given);
        for first in (0..room).step_by(LEN) {
            let black = black.word(first / LEN);
            let signs: [i16; LEN] = std::array::from_fn(|at| 1 - 2 * (black >> at & 1) as i16);
            // -1 where pieces are given, and where they are won back.
            let (mut given, mut regained) = ([0; LEN], [0; LEN]);
            let Some(before) = balance[first..].first_chunk::<LEN>() else { return };
            for later in 1..=within {
                let Some(after) = balance[first + later..].first_chunk::<LEN>() else { return };
                // So many of these positions are that far from the end.
                let there = len.saturating_sub(first + later).min(LEN) as i16;
                for at in 0..LEN {
                    let inside = -i16::from((at as i16) < there);
                    let change = signs[at] * (after[at] - before[at]);
                    regained[at] |= inside & given[at] & -i16::from(change >= 0);
                    given[at] |= inside & -i16::from(change <= -least);
                }
            }
            let (mut all, mut back) = (0, 0);
            for at in 0..LEN {
                all |= if given[at] != 0 { 1u64 << at } else { 0 };
                back |= if regained[at] != 0 { 1u64 << at } else { 0 };
            }
            set.push(match sacrifice.regained {
                None => all,
                Some(true) => all & back,
                Some(false) => all & !back,
            });
        }
    }
}
