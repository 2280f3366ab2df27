//! A query compiled for the games of one segment, with the strategy of evaluation for each kind of games.

use super::line_marks::MarkedSegment;
use crate::query::eval::{
    CompiledQuery, CountTest, Frame, Marks, MaterialBounds, PackedRun, StepSumTest, TemporalPlan, TurnTests,
};
use crate::query::language::{GameCondition, Query};
use crate::query::opening_names::OpeningTest;
use crate::query::select::GameSelector;
use crate::{GameKind, GameSet};
use pdn::error::Result;
use pdn_rules::internal::board::{BoardFamily, Geometry, PerBoard, WithBoard};
use pdn_rules::internal::position::State;

/// A query compiled for the games of one segment.
#[derive(Debug)]
pub(in crate::query) struct SegmentPlan<'a> {
    /// The plan for each kind of games.
    kinds: Vec<BoardPlan>,
    /// The conditions on games within the query.
    pub(super) game_tests: Vec<GameTest>,
    /// The variations and notes, as far as the query asks for them.
    pub(super) marked: MarkedSegment<'a>,
    /// Material bounds that a match of any kind satisfies; shown by `pdn find --explain`.
    pub(in crate::query) bounds: MaterialBounds,
}

/// A condition on games as a whole.
#[derive(Debug)]
pub(super) enum GameTest {
    /// True for these games.
    Set(GameSet),
    /// True for games whose opening has a name that matches: a test for each kind of games.
    Opening(Vec<OpeningTest>),
}

/// The plans for the games of one kind: one on its board, none on all other boards.
#[derive(Debug, Default)]
struct BoardPlan(PerBoard<KindPlans>);

/// The family of the plans for the games of one kind.
#[derive(Debug)]
struct KindPlans;

impl BoardFamily for KindPlans {
    type Of<G: Geometry> = Option<KindPlan<G::Bits>>;
}

/// A query compiled for the games of one kind.
#[derive(Debug)]
pub(super) struct KindPlan<B> {
    pub(super) strategy: EvalStrategy<B>,
    /// How marked positions are found; `None` if the query needs none.
    pub(super) marks: Option<Marks<B>>,
    /// For an exact position that only steps of men lead to: how continuous games are searched instead.
    pub(super) step_sums: Option<StepSumTest<B>>,
    /// Runs of moves of which a game must have one; `None` if any game may match.
    pub(super) runs: Option<Vec<PackedRun>>,
    pub(super) bounds: MaterialBounds,
    /// The last ply at which the query may be true.
    pub(super) last_ply: u32,
    /// Whether the query is `first earlier = 0`, so that the novelty of a game is its only match.
    pub(super) is_novelty: bool,
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

impl<B> KindPlan<B> {
    /// Returns `false` if the query is true nowhere in a game with these packed moves, as far as the bytes tell.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn may_match(&self, bytes: &[u8]) -> bool {
        self.runs.as_ref().is_none_or(|runs| runs.iter().any(|run| run.may_occur(bytes)))
    }
}

impl<'a> SegmentPlan<'a> {
    /// Compiles a query for the games of a segment.
    ///
    /// # Errors
    /// If a section that the conditions on games need is damaged.
    pub(in crate::query) fn new(query: &Query, games: &GameSelector<'a>) -> Result<Self> {
        let (mut conditions, mut game_tests) = (Vec::new(), Vec::new());
        // Every kind of games asks for the same conditions.
        let mut game_test = |condition: &GameCondition| {
            if let Some(number) = conditions.iter().position(|known| known == condition) {
                return Ok(number);
            }
            conditions.push(condition.clone());
            game_tests.push(match condition {
                GameCondition::OpeningPlayed(pattern) => {
                    let of_kind = |kind: &GameKind| OpeningTest::new(kind.variant, pattern);
                    GameTest::Opening(games.kinds().iter().map(of_kind).collect())
                }
                condition => GameTest::Set(games.matching(condition)?),
            });
            Ok(game_tests.len() - 1)
        };
        let mut bounds = MaterialBounds::NEVER;
        let mut kinds = Vec::new();
        for kind in games.kinds() {
            let (plan, of_kind) =
                kind.variant.board().with(PlanKind { query, kind, game_test: &mut game_test })?;
            bounds = bounds.or(of_kind);
            kinds.push(plan);
        }
        let marked = MarkedSegment::of(query, games)?;
        Ok(Self { kinds, game_tests, marked, bounds })
    }

    /// Returns the plan for a kind of games; `None` if there is no such kind or it is played on another board.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of_kind<G: Geometry>(&self, kind: usize) -> Option<&KindPlan<G::Bits>> {
        G::entry(&self.kinds.get(kind)?.0).as_ref()
    }
}

/// A query to be compiled for the games of one kind.
struct PlanKind<'a> {
    query: &'a Query,
    kind: &'a GameKind,
    /// Prepares a condition on games and returns its number.
    game_test: &'a mut dyn FnMut(&GameCondition) -> Result<usize>,
}

impl WithBoard for PlanKind<'_> {
    type Output = Result<(BoardPlan, MaterialBounds)>;

    fn run<G: Geometry>(self) -> Self::Output {
        let Self { query, kind, game_test } = self;
        let mut compiled = CompiledQuery::<G::Bits>::new::<G>(query, kind, Frame::default(), game_test)?;
        let marks = Marks::extract(&mut compiled);
        let bounds = compiled.material_bounds::<G>();
        let runs = compiled.required_runs();
        let board_test = compiled.as_board_test();
        let start = State::start(&kind.variant.rules(), kind.numbering.start);
        let step_sums =
            board_test.and_then(|test| StepSumTest::new::<G>(&test, &start, &kind.variant.rules()));
        let last_ply = if compiled.is_local() { compiled.last_ply() } else { u32::MAX };
        let is_novelty = compiled.is_novelty();
        let strategy = match (board_test, compiled.as_count_tests()) {
            (Some(test), _) => EvalStrategy::Board(test.into()),
            (_, Some(tests)) => EvalStrategy::Counts(tests),
            _ => EvalStrategy::Batches(TemporalPlan::new(compiled)),
        };
        let mut plan = BoardPlan::default();
        let of_kind = KindPlan { strategy, marks, step_sums, runs, bounds, last_ply, is_novelty };
        *G::entry_mut(&mut plan.0) = Some(of_kind);
        Ok((plan, bounds))
    }
}
