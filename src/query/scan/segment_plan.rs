//! A query compiled for the games of one segment, with the strategy of evaluation for each kind of games.

use std::any::Any;

use roaring::RoaringBitmap;

use crate::board::{Bits, Board, Eight, EightFull, Geometry, Ten, TenByEight, Twelve};
use crate::error::Result;
use crate::index::GameKind;
use crate::position::State;
use crate::query::eval::{CompiledQuery, CountTest, MaterialBounds, StepSumTest, TemporalPlan, TurnTests};
use crate::query::language::{GameCondition, Query};
use crate::query::select::GameSelector;

/// A query compiled for the games of one segment.
#[derive(Debug)]
pub(in crate::query) struct SegmentPlan {
    /// The plan for each kind of games.
    kinds: Vec<BoardPlan>,
    /// The sets of games that match the conditions on games within the query.
    pub(super) game_sets: Vec<RoaringBitmap>,
    /// Material bounds that a match of any kind satisfies; shown by `pdn find --explain`.
    pub(in crate::query) bounds: MaterialBounds,
}

/// A plan for the games of one kind, for the bitboards of its board. One of the two is given.
#[derive(Debug, Default)]
struct BoardPlan {
    narrow: Option<KindPlan<u64>>,
    wide: Option<KindPlan<u128>>,
}

impl BoardPlan {
    fn of<B: Bits>(plan: KindPlan<B>) -> Self {
        let mut plans = Self::default();
        let mut plan = Some(plan);
        if let Some(narrow) = (&mut plans.narrow as &mut dyn Any).downcast_mut() {
            *narrow = plan.take();
        } else if let Some(wide) = (&mut plans.wide as &mut dyn Any).downcast_mut() {
            *wide = plan.take();
        }
        plans
    }

    /// Returns the plan for this type of bitboards. The comparison of types is resolved at compile time.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn on<B: Bits>(&self) -> Option<&KindPlan<B>> {
        let narrow = (&self.narrow as &dyn Any).downcast_ref::<Option<KindPlan<B>>>();
        narrow.or_else(|| (&self.wide as &dyn Any).downcast_ref())?.as_ref()
    }
}

/// A query compiled for the games of one kind.
#[derive(Debug)]
pub(super) struct KindPlan<B> {
    pub(super) strategy: EvalStrategy<B>,
    /// For an exact position that only steps of men lead to: how continuous games are searched instead.
    pub(super) step_sums: Option<StepSumTest<B>>,
    pub(super) bounds: MaterialBounds,
    /// The last ply at which the query may be true.
    pub(super) last_ply: u32,
}

/// How the positions of a game are tested.
#[derive(Debug)]
pub(super) enum EvalStrategy<B> {
    /// By one test of squares, position by position.
    Board(TurnTests<B>),
    /// By two tests of piece counts, position by position.
    Counts([CountTest; 2]),
    /// In batches of positions.
    Batches(TemporalPlan<B>),
}

impl SegmentPlan {
    /// Compiles a query for the games of a segment.
    ///
    /// # Errors
    /// If a section that the conditions on games need is damaged.
    pub(in crate::query) fn new(query: &Query, games: &GameSelector<'_>) -> Result<Self> {
        let mut game_sets = Vec::new();
        let mut game_set = |condition: &GameCondition| {
            game_sets.push(games.matching(condition)?);
            Ok(game_sets.len() - 1)
        };
        let mut bounds = MaterialBounds::NEVER;
        let mut kinds = Vec::new();
        for kind in games.kinds() {
            let (plan, of_kind) = match kind.variant.board() {
                Board::Eight => plan::<Eight>(query, kind, &mut game_set)?,
                Board::EightFull => plan::<EightFull>(query, kind, &mut game_set)?,
                Board::TenByEight => plan::<TenByEight>(query, kind, &mut game_set)?,
                Board::Ten => plan::<Ten>(query, kind, &mut game_set)?,
                Board::Twelve => plan::<Twelve>(query, kind, &mut game_set)?,
            };
            bounds = bounds.or(of_kind);
            kinds.push(plan);
        }
        Ok(Self { kinds, game_sets, bounds })
    }

    /// Returns the plan for a kind of games; `None` if there is no such kind or it is played on another board.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of_kind<B: Bits>(&self, kind: usize) -> Option<&KindPlan<B>> {
        self.kinds.get(kind).and_then(BoardPlan::on::<B>)
    }
}

fn plan<G: Geometry>(
    query: &Query,
    kind: &GameKind,
    game_set: &mut dyn FnMut(&GameCondition) -> Result<usize>,
) -> Result<(BoardPlan, MaterialBounds)> {
    let compiled = CompiledQuery::<G::Bits>::new::<G>(query, kind, game_set)?;
    let bounds = compiled.material_bounds::<G>();
    let board_test = compiled.as_board_test();
    let start = State::start(&kind.variant.rules(), kind.numbering.start);
    let step_sums = board_test.and_then(|test| StepSumTest::new::<G>(&test, &start, &kind.variant.rules()));
    let last_ply = if compiled.is_local() { compiled.last_ply() } else { u32::MAX };
    let strategy = match (board_test, compiled.as_count_tests()) {
        (Some(test), _) => EvalStrategy::Board(test.into()),
        (_, Some(tests)) => EvalStrategy::Counts(tests),
        _ => EvalStrategy::Batches(TemporalPlan::new(compiled)),
    };
    Ok((BoardPlan::of(KindPlan { strategy, step_sums, bounds, last_ply }), bounds))
}
