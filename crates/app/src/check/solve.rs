//! Whether the first moves of problems are the only ones that reach the goal of their solutions.

use std::ops::ControlFlow;
use std::sync::Arc;

use pdn::archive::{Batch, GameRef};
use pdn::internal::source::path_text;
use pdn::notation::{MoveStyle, move_text};
use pdn::position::{Move, Position};
use pdn::replay::{ReplayOptions, Replayer};
use pdn::rules::Variant;
use pdn_index::internal::query::{ProvenValue, Tables};
use pdn_rules::internal::position::State;
use pdn_solve::{FirstMove, Goal, MoveAnswer, ProvenEnd, ProvenEnds, SolveOptions, Solved, solve};
use serde::Serialize;

use crate::ask::context::Context;
use crate::ask::endings::EndingTables;
use crate::ask::error::{AppError, Result};
use crate::ask::options::options;
use crate::ask::values::colour_name;
use crate::check::caption::Caption;
use crate::check::reporter::annotate;
use crate::read::inputs::{self, BatchConsumer, BatchWork, Inputs};

options! {
    /// The goal, and how far it is looked for.
    #[derive(Copy, Eq)]
    pub struct SolveLimits in "" {
        /// Longest way to the goal in plies, with the first move and without captures that are pending at its end [default: as many as
        /// the solution needs, and 4 more]
        max_plies: Option<u32>, value "N", range (1, SolveOptions::MAX_PLIES as u64);
        /// Most positions to look at for each first move
        nodes: u64 = SolveOptions::DEFAULT_NODES, value "N", range (1, u64::MAX);
        /// Goal of all problems: this lead, whatever the solution reaches. Problems without a solution are searched, too, for as many
        /// plies as {max_plies} says
        lead: Option<i32>, value "N", hyphens true;
    }
}

/// Asks whether the solutions of problems are the only ones.
#[derive(Clone, Debug)]
pub struct SolveRequest {
    /// The archives.
    pub inputs: Inputs,
    /// The goal, and how far it is looked for.
    pub limits: SolveLimits,
    /// The tables of endings, in which what is found needs no limit.
    pub tables: Option<Arc<EndingTables>>,
}

/// The tables of endings of a variant.
#[derive(Debug)]
struct TablesOfVariant {
    tables: Tables,
    variant: Variant,
}

impl ProvenEnds for TablesOfVariant {
    fn most_pieces(&self) -> u32 {
        self.tables.most_pieces(self.variant)
    }

    fn end(&self, position: &Position) -> Option<ProvenEnd> {
        let ProvenValue { value, plies } = self.tables.known(self.variant, position)?;
        let winner = match value {
            0 => None,
            1.. => Some(position.turn()),
            _ => Some(!position.turn()),
        };
        Some(ProvenEnd { winner, plies: plies.unwrap_or(0) })
    }
}

/// What is known about a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProblemVerdict {
    /// As [`Verdict::Unique`](pdn_solve::Verdict::Unique).
    Unique,
    /// As [`Verdict::SecondSolutions`](pdn_solve::Verdict::SecondSolutions).
    SecondSolutions,
    /// As [`Verdict::Undecided`](pdn_solve::Verdict::Undecided).
    Undecided,
    /// As [`Verdict::Unproven`](pdn_solve::Verdict::Unproven).
    Unproven,
    /// The solution neither wins the game nor a piece.
    NoGoal,
    /// The record has no solution.
    NoSolution,
    /// The solution is not legal to its end.
    NotReplayed,
}

impl ProblemVerdict {
    /// All verdicts.
    pub const ALL: [Self; 7] = [
        Self::Unique,
        Self::SecondSolutions,
        Self::Undecided,
        Self::Unproven,
        Self::NoGoal,
        Self::NoSolution,
        Self::NotReplayed,
    ];

    fn of(solved: &Solved) -> Self {
        use pdn_solve::Verdict;
        match solved.verdict() {
            Verdict::Unique => Self::Unique,
            Verdict::SecondSolutions => Self::SecondSolutions,
            Verdict::Undecided => Self::Undecided,
            _ => Self::Unproven,
        }
    }
}

/// A problem and what was found out about its solution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProblemAnswer {
    /// The name of the input.
    pub file: String,
    /// The number of the record in the input, from 1.
    pub record: u64,
    /// The offset of the record in the file, in bytes.
    pub offset: u64,
    /// Composer, source and date.
    #[serde(flatten)]
    pub caption: Caption,
    /// The name of the variant.
    pub variant: &'static str,
    /// The position as a FEN.
    pub fen: String,
    /// The side to move, which solves.
    pub turn: &'static str,
    /// What is known about the solution.
    pub verdict: ProblemVerdict,
    /// The goal: `end` or `lead`; null if there is none.
    pub goal: Option<&'static str>,
    /// The lead that is the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<i32>,
    /// The first move of the solution.
    pub key: Option<String>,
    /// The number of plies within which the goal has to be reached.
    pub plies: Option<u32>,
    /// All legal first moves; none without a goal.
    pub moves: Vec<MoveFound>,
}

/// A first move and what was found out about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveFound {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// Whether it is the first move of the solution.
    pub is_key: bool,
    /// Whether it is proved to reach the goal.
    pub reaches: bool,
    /// The way to the goal from this move on, if it reaches it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// The number of plies from the end of that way to the end of the game, which tables of endings prove.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<u16>,
    /// The number of plies of that way after which it stands in a position of the solution, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joins: Option<u32>,
    /// The number of plies within which the move is proved not to reach the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// The same for lines of forced replies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forced_plies: Option<u32>,
    /// A reply that prevents the goal within `plies`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    /// Whether it is proved that the move does not reach the goal however long the play is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refuted: Option<bool>,
    /// Whether it may still reach the goal, because it was not searched far enough.
    #[serde(skip)]
    pub is_open: bool,
}

/// The numbers of problems.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolveTotals {
    /// Records that were read.
    pub records: u64,
    /// Records with a position of their own.
    pub problems: u64,
    /// Problems by verdict.
    #[serde(serialize_with = "by_verdict")]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, u64>"))]
    pub verdicts: [u64; ProblemVerdict::ALL.len()],
    /// Whether all inputs could be read completely.
    #[serde(skip)]
    pub is_complete: bool,
}

/// Serialises numbers by verdict as an object.
fn by_verdict<S: serde::Serializer>(
    numbers: &[u64; ProblemVerdict::ALL.len()],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_map(ProblemVerdict::ALL.iter().zip(numbers))
}

impl SolveTotals {
    /// Returns the number of problems with a verdict.
    pub fn of(&self, verdict: ProblemVerdict) -> u64 {
        self.verdicts[verdict as usize]
    }
}

impl SolveRequest {
    /// Searches the problems of all inputs, one after the other, and passes each to `answer`. Records without a position of their own are
    /// counted only. Inputs that cannot be read are problems of the context.
    ///
    /// # Errors
    ///
    /// If a table of endings cannot be read, or the work was stopped. Tables of other variants than those of the problems are a problem of the
    /// context.
    pub fn run(
        &self,
        answer: &mut dyn FnMut(&ProblemAnswer) -> ControlFlow<()>,
        context: &mut Context<'_>,
    ) -> Result<SolveTotals> {
        let work = ReadProblems(self.inputs.read.replay());
        let tables = self.tables.clone().map(|tables| Tables::new(tables));
        let mut solver =
            Solver { request: self, tables, answer, totals: SolveTotals::default(), variants: Vec::new() };
        let mut is_complete = inputs::process(&self.inputs, None, &work, &mut solver, context)?;
        if let Some(Err(problem)) = self.tables.as_ref().map(|tables| tables.require(solver.variants)) {
            context.events.problem(&problem);
            is_complete = false;
        }
        Ok(SolveTotals { is_complete, ..solver.totals })
    }
}

/// A record with a position of its own.
struct Problem {
    record: u64,
    offset: u64,
    caption: Caption,
    start: Position,
    variant: Variant,
    /// The legal moves from the start on.
    solution: Vec<Move>,
    /// `true` if the moves are all moves of the record, and follow each other.
    is_whole: bool,
}

/// Reads the problems of a batch, on many threads.
struct ReadProblems(ReplayOptions);

impl BatchWork for ReadProblems {
    type Scratch = Replayer;
    type Product = Vec<Problem>;

    fn scratch(&self) -> Replayer {
        Replayer::new(&self.0)
    }

    fn work(&self, replayer: &mut Replayer, batch: &Batch) -> Vec<Problem> {
        batch.games().filter_map(|game| Problem::read(replayer, game)).collect()
    }
}

impl Problem {
    /// Reads a record; `None` if it has no position of its own.
    fn read(replayer: &mut Replayer, game: GameRef<'_>) -> Option<Self> {
        let annotated = annotate(replayer, game);
        let summary = &annotated.summary;
        let start = summary.start_position();
        if !has_own_start(&start) {
            return None;
        }
        let offset = game.offset();
        Some(Self {
            record: game.number(),
            offset: game.offsets().map_or(offset, |offsets| offsets.original_offset(offset)),
            caption: Caption::of(game),
            start,
            variant: summary.variant,
            solution: annotated.main.plies.iter().map(|ply| ply.mv).collect(),
            is_whole: summary.status.is_complete()
                && !summary.has_setups
                && annotated.main.plies.len() as u32 == summary.plies,
        })
    }
}

/// Returns `true` if a position has other pieces than the start position of its variant.
pub(crate) fn has_own_start(start: &Position) -> bool {
    let usual = Position::start(*start.game());
    let pieces = |state: &State<u128>| (state.pieces, state.kings);
    pieces(start.state()) != pieces(usual.state())
}

/// Searches the problems of batches.
struct Solver<'a> {
    request: &'a SolveRequest,
    tables: Option<Tables>,
    answer: &'a mut dyn FnMut(&ProblemAnswer) -> ControlFlow<()>,
    totals: SolveTotals,
    /// The variants of the problems.
    variants: Vec<Variant>,
}

impl BatchConsumer<Vec<Problem>> for Solver<'_> {
    type Error = AppError;

    fn batch(
        &mut self,
        batch: &Batch,
        problems: Vec<Problem>,
        context: &mut Context<'_>,
    ) -> Result<ControlFlow<()>> {
        self.totals.records += batch.len() as u64;
        for problem in problems {
            if !self.variants.contains(&problem.variant) {
                self.variants.push(problem.variant);
            }
            let found = self.solve(batch, problem, context)?;
            self.tables.as_ref().map_or(Ok(()), Tables::check)?;
            self.totals.problems += 1;
            self.totals.verdicts[found.verdict as usize] += 1;
            if (self.answer)(&found).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

impl Solver<'_> {
    fn solve(&self, batch: &Batch, problem: Problem, context: &Context<'_>) -> Result<ProblemAnswer> {
        let SolveRequest { inputs, limits: SolveLimits { max_plies, nodes, lead }, .. } = self.request;
        let tables = self.tables.clone().map(|tables| {
            let tables: Arc<dyn ProvenEnds> = Arc::new(TablesOfVariant { tables, variant: problem.variant });
            tables
        });
        let options = SolveOptions::new()
            .tables(tables)
            .plies(*max_plies)
            .nodes(*nodes)
            .goal(lead.map(Goal::Lead))
            .threads(inputs.threads)
            .stop(&context.stop);
        let Problem { record, offset, caption, start, variant, solution, is_whole } = problem;
        let unsolved = match (is_whole, solution.is_empty()) {
            (false, _) => Some(ProblemVerdict::NotReplayed),
            (true, true) if lead.is_none() => Some(ProblemVerdict::NoSolution),
            _ => None,
        };
        let solved = match unsolved {
            Some(_) => None,
            None => solve(&start, &solution, &options)?,
        };
        let (goal, lead) = match solved.as_ref().map(|solved| solved.goal) {
            Some(Goal::Lead(lead)) => (Some("lead"), Some(lead)),
            Some(_) => (Some("end"), None),
            None => (None, None),
        };
        let found = solved.as_ref().map(ProblemVerdict::of);
        let path = Path { start: &start, solution: &solution };
        Ok(ProblemAnswer {
            file: path_text(batch.name()).into_owned(),
            record,
            offset,
            caption,
            variant: variant.name(),
            fen: start.fen(),
            turn: colour_name(start.turn()),
            verdict: unsolved.or(found).unwrap_or(ProblemVerdict::NoGoal),
            goal,
            lead,
            key: solution.first().map(|mv| text_of(&start, mv)),
            plies: solved.as_ref().map(|solved| solved.plies),
            moves: solved
                .iter()
                .flat_map(|solved| solved.moves.iter().map(|first| path.describe(first, solved)))
                .collect(),
        })
    }
}

/// Returns the shortest text of a legal move.
fn text_of(position: &Position, mv: &Move) -> String {
    move_text(position, mv, MoveStyle::Shortest).unwrap_or_default()
}

/// The moves of the solution.
struct Path<'a> {
    start: &'a Position,
    solution: &'a [Move],
}

impl Path<'_> {
    fn describe(&self, first: &FirstMove, solved: &Solved) -> MoveFound {
        let mut found = MoveFound {
            text: text_of(self.start, &first.mv),
            is_key: Some(first.mv) == solved.key,
            reaches: first.reaches(),
            line: Vec::new(),
            distance: None,
            joins: None,
            plies: None,
            forced_plies: None,
            reply: None,
            refuted: None,
            is_open: solved.is_open(first),
        };
        match &first.answer {
            MoveAnswer::Reaches { line, proven } => {
                found.distance = *proven;
                found.line = texts(self.start, line);
                found.joins = (!found.is_key).then(|| self.joins(line)).flatten();
            }
            MoveAnswer::Unproven { plies, forced_plies, reply, refuted } => {
                found.refuted = refuted.then_some(true);
                let after = self.start.after_unchecked(&first.mv);
                found.plies = Some(*plies);
                found.forced_plies = Some(*forced_plies);
                found.reply = reply.map(|mv| text_of(&after, &mv));
            }
            _ => {}
        }
        found
    }

    /// Returns the number of plies after which a line stands in a position of the solution.
    fn joins(&self, line: &[Move]) -> Option<u32> {
        let of_solution = positions(self.start, self.solution);
        let of_line = positions(self.start, line);
        let is_shared = |position: &Position| of_solution.iter().skip(1).any(|other| other == position);
        let at = of_line.iter().skip(1).position(is_shared)?;
        Some(at as u32 + 1)
    }
}

/// Returns the positions of a line of legal moves, from its start on.
fn positions(start: &Position, line: &[Move]) -> Vec<Position> {
    let mut position = *start;
    let after = line.iter().map(|mv| {
        position = position.after_unchecked(mv);
        position
    });
    [*start].into_iter().chain(after).collect()
}

/// Returns the texts of a line of legal moves.
fn texts(start: &Position, line: &[Move]) -> Vec<String> {
    positions(start, line).iter().zip(line).map(|(position, mv)| text_of(position, mv)).collect()
}
