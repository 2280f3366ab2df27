//! Looks for a way to the goal behind each first move of a composition.

use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::search::{Cut, FOR_GOOD, Goal, ProvenEnd, ProvenEnds, Search};
use pdn::error::{ErrorKind, Result};
use pdn::internal::pool;
use pdn::position::{Move, Position};
use pdn::stop::Stop;
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::Ending;

/// Greatest number of plies after a solution within which the end of the game is looked for.
const MAX_END_PLIES: u32 = 30;
/// Greatest number of positions that are looked at for the goal of a solution.
const GOAL_NODES: u64 = 200_000;
/// Plies by which the other side may resist longer than in the solution.
const LONGER_PLIES: u32 = 4;

/// How first moves are searched.
///
/// ```
/// use pdn_solve::{Goal, SolveOptions};
///
/// let options = SolveOptions::new().plies(15).nodes(100_000).goal(Goal::Lead(2));
/// assert_eq!((options.plies, options.nodes), (Some(15), 100_000));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SolveOptions {
    /// Greatest number of plies of a way to the goal, with the first move; `None` for as many as the solution has. Captures that are
    /// pending then are played out.
    pub plies: Option<u32>,
    /// Greatest number of positions that are looked at for each first move.
    pub nodes: u64,
    /// The goal; `None` for the one that the solution reaches.
    pub goal: Option<Goal>,
    /// What tables prove of positions of a few pieces. Where a first move leads to one of them, it is proved without a limit of plies.
    pub tables: Option<Arc<dyn ProvenEnds>>,
    /// Number of threads.
    pub threads: NonZeroUsize,
    /// Stops the work: [`solve`] then fails with [`ErrorKind::Stopped`] within some milliseconds.
    pub stop: Stop,
}

impl Default for SolveOptions {
    /// Returns options for as many plies as the solution has, a million positions for each first move, the goal of the solution, and
    /// all processors.
    fn default() -> Self {
        let threads = pdn::default_threads();
        let stop = Stop::default();
        Self { plies: None, nodes: Self::DEFAULT_NODES, goal: None, tables: None, threads, stop }
    }
}

impl SolveOptions {
    /// The default of [`SolveOptions::nodes`].
    pub const DEFAULT_NODES: u64 = 1_000_000;
    /// The greatest number of plies that counts; a larger [`SolveOptions::plies`] means this one.
    pub const MAX_PLIES: u32 = 99;

    /// Creates the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`SolveOptions::plies`].
    #[must_use]
    pub fn plies(mut self, plies: impl Into<Option<u32>>) -> Self {
        self.plies = plies.into();
        self
    }

    /// Sets [`SolveOptions::nodes`].
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Self {
        self.nodes = nodes;
        self
    }

    /// Sets [`SolveOptions::goal`].
    #[must_use]
    pub fn goal(mut self, goal: impl Into<Option<Goal>>) -> Self {
        self.goal = goal.into();
        self
    }

    /// Sets [`SolveOptions::tables`].
    #[must_use]
    pub fn tables(mut self, tables: Option<Arc<dyn ProvenEnds>>) -> Self {
        self.tables = tables;
        self
    }

    /// Sets [`SolveOptions::threads`].
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets [`SolveOptions::stop`].
    #[must_use]
    pub fn stop(mut self, stop: &Stop) -> Self {
        self.stop = stop.clone();
        self
    }
}

/// What the search says about the first moves of a composition.
///
/// ```
/// use pdn_solve::{Goal, SolveOptions, Verdict, solve};
/// use pdn::{Position, Variant};
///
/// // Both men can capture the man on 23, and no other is left.
/// let start = Position::parse_fen(Variant::International, "W:W28,29:B23")?;
/// let key = start.parse_move("28x19")?;
/// let solved = solve(&start, &[key], &SolveOptions::new())?.expect("a solution that ends the game");
/// assert_eq!((solved.goal, solved.verdict()), (Goal::End, Verdict::SecondSolutions));
/// assert_eq!(solved.second_solutions().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Solved {
    /// What a first move has to reach: what the key can force, at most [`reached`](Self::reached).
    pub goal: Goal,
    /// What the solution reaches. It is more than the goal if replies that the solution does not have lead to less.
    pub reached: Goal,
    /// The first move of the solution; `None` without a solution.
    pub key: Option<Move>,
    /// The number of plies within which the goal has to be reached.
    pub plies: u32,
    /// All legal first moves with their answers, in the order of the squares that they leave and reach.
    pub moves: Vec<FirstMove>,
}

/// A legal first move, and whether it reaches the goal. [`Solved`] has an example.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FirstMove {
    /// The move.
    pub mv: Move,
    /// Whether it reaches the goal.
    pub answer: MoveAnswer,
}

/// Whether a first move reaches the goal.
///
/// ```
/// use pdn_solve::{Goal, MoveAnswer, SolveOptions, solve};
/// use pdn::{Position, Variant};
///
/// let start = Position::parse_fen(Variant::International, "W:W33,34:B29")?;
/// let solved = solve(&start, &[], &SolveOptions::new().plies(1).goal(Goal::End))?.expect("a goal");
/// assert!(solved.moves.iter().all(|first| matches!(first.answer, MoveAnswer::Reaches { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveAnswer {
    /// It does, whatever the other side plays.
    Reaches {
        /// The way to the goal from the first move on, against replies that make it long. It ends where tables prove the rest.
        line: Vec<Move>,
        /// The number of plies from the end of `line` to the end of the game, as tables prove it; `None` if `line` reaches the goal.
        proven: Option<u16>,
    },
    /// It is not proved that it does.
    Unproven {
        /// The number of plies within which it is proved that the move does not reach the goal; 0 if none.
        plies: u32,
        /// The same for lines in which each move of the solving side leaves the other side a capture or two moves at
        /// most; at least
        /// `plies`.
        forced_plies: u32,
        /// A reply that prevents the goal within `plies`, if one is known.
        reply: Option<Move>,
        /// `true` if it is proved that the move does not reach the goal however long the play is.
        refuted: bool,
    },
}

/// What [`Solved::moves`] mean for the solution; see [`Solved::verdict`]. [`Solved`] has an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// The key reaches the goal, and it is proved that no other first move does within the plies.
    Unique,
    /// Another first move than the key reaches the goal; without a solution, two first moves do.
    SecondSolutions,
    /// The key reaches the goal, and no other first move is known to do. For some of them, the limits leave it open.
    Undecided,
    /// No first move is proved to reach the goal, the key least of all.
    Unproven,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Self; 4] = [Self::Unique, Self::SecondSolutions, Self::Undecided, Self::Unproven];

    /// Returns the name in lower case, as the command prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unique => "unique",
            Self::SecondSolutions => "second-solutions",
            Self::Undecided => "undecided",
            Self::Unproven => "unproven",
        }
    }
}

impl FirstMove {
    /// Returns `true` if the move is proved to reach the goal.
    pub fn reaches(&self) -> bool {
        matches!(self.answer, MoveAnswer::Reaches { .. })
    }
}

impl Solved {
    /// Iterates over the first moves other than the key that reach the goal; without a solution, over all that do.
    pub fn second_solutions(&self) -> impl Iterator<Item = &FirstMove> {
        self.moves.iter().filter(|first| Some(first.mv) != self.key && first.reaches())
    }

    /// Returns `true` if a first move may still reach the goal: it was not searched to the end of the plies. If another move reaches the goal
    /// only in more plies than were searched, this one may do so too, unless it is refuted.
    pub fn is_open(&self, first: &FirstMove) -> bool {
        let takes_longer = |other: &FirstMove| match &other.answer {
            MoveAnswer::Reaches { line, proven: Some(plies) } => {
                line.len() as u32 + u32::from(*plies) > self.plies
            }
            _ => false,
        };
        match first.answer {
            MoveAnswer::Unproven { plies, refuted, .. } => {
                !refuted && (plies < self.plies || self.moves.iter().any(takes_longer))
            }
            MoveAnswer::Reaches { .. } => false,
        }
    }

    /// Returns what the answers mean for the solution.
    pub fn verdict(&self) -> Verdict {
        let reaching = self.moves.iter().filter(|first| first.reaches()).count();
        let own = usize::from(self.key.is_none());
        if self.second_solutions().count() > own {
            Verdict::SecondSolutions
        } else if reaching == 0 {
            Verdict::Unproven
        } else if self.moves.iter().any(|first| self.is_open(first)) {
            Verdict::Undecided
        } else {
            Verdict::Unique
        }
    }
}

/// Looks for a way to the goal behind each first move of a position. `solution` has legal moves from `start` on, and may be empty if
/// [`SolveOptions::goal`] is set. Returns `None` if there is no goal: the solution neither ends the game with a win of the side that
/// solves nor wins a piece that it can keep, or the side without pieces wins in the variant and the game does not end.
///
/// Looks at [`SolveOptions::nodes`] positions for each first move at most, each in about a tenth of a microsecond, and takes up to 3 MB for
/// each thread. The result depends neither on the threads nor on the machine.
///
/// ```
/// use pdn_solve::{SolveOptions, Verdict, solve};
/// use pdn::{Position, Variant};
///
/// let start = Position::parse_fen(Variant::English, "B:W18,19,24:B1,11")?;
/// // No piece is won by this move.
/// let key = start.parse_move("1-5")?;
/// assert!(solve(&start, &[key], &SolveOptions::new())?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Stopped`] if a stop is requested.
pub fn solve(start: &Position, solution: &[Move], options: &SolveOptions) -> Result<Option<Solved>> {
    let found = match options.goal {
        Some(goal) => Some(FoundGoal { goal, plies: 0 }),
        None if solution.is_empty() => None,
        None => find_goal(start, solution, options)?,
    };
    let Some(FoundGoal { goal: reached, plies }) = found else { return Ok(None) };
    let whole = || solution.len() as u32 + plies + LONGER_PLIES;
    let plies = options.plies.unwrap_or_else(whole).clamp(1, SolveOptions::MAX_PLIES);
    let Ok(mut first_moves) = start.moves().map(|list| list.as_slice().to_vec()) else { return Ok(None) };
    let names = start.names();
    first_moves.sort_unstable_by_key(|mv| (names.number(mv.from), names.number(mv.to), mv.captured));
    let try_first = |mv: Move, goal: Goal| {
        let answer = try_move(start, mv, goal, plies, options)?;
        Ok::<_, pdn::Error>(FirstMove { mv, answer })
    };
    let key = solution.first().copied();
    let (mut goal, mut key_answer) = (reached, key.map(|key| try_first(key, reached)).transpose()?);
    if let (Some(key), None) = (&mut key_answer, options.goal)
        && matches!(key.answer, MoveAnswer::Unproven { plies: searched, .. } if searched == plies)
        && start.rules().ending != Ending::NoMoveWins
    {
        // Replies that the solution does not have may lead to less.
        let mut leads = leads_to_try(start, &options.stop);
        if let Goal::Lead(lead) = reached {
            leads.end = leads.end.min(lead);
        }
        while !leads.is_empty() {
            let lead = leads.start + (leads.end - leads.start) / 2;
            let lesser = try_first(key.mv, Goal::Lead(lead))?;
            if lesser.reaches() {
                (goal, *key) = (Goal::Lead(lead), lesser);
                leads.start = lead + 1;
            } else {
                leads.end = lead;
            }
        }
    }
    let mut moves = Vec::with_capacity(first_moves.len());
    pool::try_ordered(
        first_moves,
        options.threads,
        || (),
        |(), mv| match &key_answer {
            Some(key) if key.mv == mv => Ok(key.clone()),
            _ => try_first(mv, goal),
        },
        |first| {
            moves.push(first);
            ControlFlow::Continue(())
        },
    )?;
    Ok(Some(Solved { goal, reached, key, plies, moves }))
}

/// Returns the leads that a first move may be able to force.
fn leads_to_try(start: &Position, stop: &Stop) -> Range<i32> {
    let search = Search::new(start.game(), start.turn(), Goal::End, GOAL_NODES, stop);
    search.lead(start.state()) + 1..search.greatest_lead(start.state()) + 1
}

/// A goal, and the plies that are missing to it at the end of the solution.
struct FoundGoal {
    goal: Goal,
    plies: u32,
}

/// Returns the goal that a solution reaches; `None` if it reaches none.
fn find_goal(start: &Position, solution: &[Move], options: &SolveOptions) -> Result<Option<FoundGoal>> {
    let mut search = Search::new(start.game(), start.turn(), Goal::End, GOAL_NODES, &options.stop);
    search.tables = options.tables.as_deref();
    let mut last = *start.state();
    solution.iter().for_each(|mv| search.play(&mut last, mv));
    match end_of_game(&mut search, &last) {
        Ok(Some(plies)) => return Ok(Some(FoundGoal { goal: Goal::End, plies })),
        Err(Cut::Stopped) => return Err(ErrorKind::Stopped.into()),
        Ok(None) | Err(Cut::Limit) => {}
    }
    if start.rules().ending == Ending::NoMoveWins {
        return Ok(None);
    }
    search.nodes_left = GOAL_NODES;
    match greatest_lead(&mut search, start.state(), &last) {
        Ok(found) => Ok(found),
        Err(Cut::Limit) => Ok(None),
        Err(Cut::Stopped) => Err(ErrorKind::Stopped.into()),
    }
}

/// Returns the number of plies within which the solving side can force the end of the game, if it wins and that is found.
fn end_of_game(search: &mut Search<'_>, last: &State<u128>) -> std::result::Result<Option<u32>, Cut> {
    for plies in 0..=MAX_END_PLIES {
        if search.reaches(last, plies)? {
            return Ok(Some(plies));
        }
    }
    Ok(None)
}

/// Returns the lead that the solution reaches, if it is greater than that of the start: after the captures that are pending at its end,
/// and without what further moves win.
fn greatest_lead(
    search: &mut Search<'_>,
    start: &State<u128>,
    last: &State<u128>,
) -> std::result::Result<Option<FoundGoal>, Cut> {
    let (before, greatest) = (search.lead(start), search.greatest_lead(last));
    for lead in (before + 1..=greatest).rev() {
        let goal = Goal::Lead(lead);
        search.set_goal(goal);
        if search.reaches(last, 0)? {
            return Ok(Some(FoundGoal { goal, plies: 0 }));
        }
    }
    Ok(None)
}

/// Looks for a way to the goal behind one first move.
fn try_move(
    start: &Position,
    mv: Move,
    goal: Goal,
    plies: u32,
    options: &SolveOptions,
) -> Result<MoveAnswer> {
    let forcing_nodes = options.nodes / 2;
    let mut search = Search::new(start.game(), start.turn(), goal, forcing_nodes, &options.stop);
    search.tables = options.tables.as_deref();
    let mut state = *start.state();
    search.play(&mut state, &mv);
    search.forcing = true;
    let forced = deepen(&mut search, &state, plies)?;
    if let Some(line) = forced.line {
        return Ok(way(&search, state, mv, line));
    }
    search.forcing = false;
    search.nodes_left += options.nodes - forcing_nodes;
    let all = deepen(&mut search, &state, plies)?;
    Ok(match all.line {
        Some(line) => way(&search, state, mv, line),
        None => MoveAnswer::Unproven {
            plies: all.plies,
            forced_plies: forced.plies.max(all.plies),
            reply: all.reply,
            refuted: all.refuted,
        },
    })
}

/// What searches of growing depth have found.
struct Deepened {
    /// The way to the goal after the first move, if there is one.
    line: Option<Vec<Move>>,
    /// The plies, with the first move, within which there is none.
    plies: u32,
    /// A reply that prevents it.
    reply: Option<Move>,
    /// There is none, however long.
    refuted: bool,
}

/// Searches the position after a first move, each time by a move of both sides deeper, until a way is found or a limit is reached.
fn deepen(search: &mut Search<'_>, state: &State<u128>, plies: u32) -> Result<Deepened> {
    let mut found = Deepened { line: None, plies: 0, reply: None, refuted: false };
    // The solving side makes the last move, unless that leaves out a ply.
    for depth in (1..=plies).step_by(2).chain(plies.is_multiple_of(2).then_some(plies)) {
        match search.prevented(state, depth - 1) {
            Ok(None) => {
                found.line = Some(search.line().to_vec());
                break;
            }
            Ok(Some(within)) => {
                found.refuted = within == FOR_GOOD;
                found.plies = if found.refuted { plies } else { depth };
                found.reply = search.decided_by().or(found.reply);
                if found.refuted {
                    break;
                }
            }
            Err(Cut::Limit) => break,
            Err(Cut::Stopped) => return Err(ErrorKind::Stopped.into()),
        }
    }
    Ok(found)
}

/// Returns the answer that a first move reaches the goal by a line from the position after it.
fn way(search: &Search<'_>, after: State<u128>, first: Move, mut line: Vec<Move>) -> MoveAnswer {
    let mut last = after;
    line.iter().for_each(|mv| search.play(&mut last, mv));
    line.insert(0, first);
    let is_won = |end: &ProvenEnd| end.winner == Some(search.solver) && end.plies > 0;
    let proven = search.proven(&last).filter(is_won).map(|end| end.plies);
    MoveAnswer::Reaches { line, proven }
}
