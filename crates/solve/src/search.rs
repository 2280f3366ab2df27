//! The search for a way to a goal that no reply prevents.

use std::fmt;

use pdn::movegen::MoveList;
use pdn::position::{Move, Position};
use pdn::rules::GameRules;
use pdn::stop::Stop;
use pdn::value::Colour;
use pdn_rules::internal::movegen::{MoveGenerator, move_generator};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::{Ending, Rules};
use pdn_rules::internal::steps;

/// Plies in which the other side must be unable to lessen a lead.
const HELD_PLIES: u32 = 4;
/// Most legal moves of a position without a capture that count as forced.
pub(super) const MAX_FORCED: usize = 2;
/// Maximum number of nodes of the capture search of one position.
const CAPTURE_NODES: u32 = 20_000;
/// Nodes between two looks at the handle that stops the work.
const NODES_PER_CHECK: u64 = 1 << 12;

/// The number of plies within which there is no way where it is proved that there is none at all.
pub(super) const FOR_GOOD: u32 = u32::MAX;

/// What tables prove of positions of a few pieces. A search that comes to one of them goes no further.
///
/// ```
/// use pdn::{Position, Variant, value::Colour};
/// use pdn_solve::{Goal, ProvenEnd, ProvenEnds, SolveOptions, solve};
/// use std::sync::Arc;
///
/// /// Says that White wins with the last two pieces.
/// #[derive(Debug)]
/// struct LastTwo;
///
/// impl ProvenEnds for LastTwo {
///     fn most_pieces(&self) -> u32 {
///         2
///     }
///
///     fn end(&self, _: &Position) -> Option<ProvenEnd> {
///         Some(ProvenEnd { winner: Some(Colour::White), plies: 50 })
///     }
/// }
///
/// let start = Position::parse_fen(Variant::International, "W:W28:B2,22")?;
/// let options = SolveOptions::new().plies(1).goal(Goal::End).tables(Some(Arc::new(LastTwo)));
/// let solved = solve(&start, &[], &options)?.expect("a goal");
/// assert!(solved.moves.iter().all(|first| first.reaches()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ProvenEnds: fmt::Debug + Send + Sync {
    /// Returns the most pieces of a position that is known.
    fn most_pieces(&self) -> u32;

    /// Returns how a position ends if both sides play as well as they can; `None` if it is not known.
    fn end(&self, position: &Position) -> Option<ProvenEnd>;
}

/// How a position ends if both sides play as well as they can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProvenEnd {
    /// The side that wins; `None` for a draw.
    pub winner: Option<Colour>,
    /// The number of plies to the end of the game; 0 for a draw.
    pub plies: u16,
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cut {
    /// The limit of nodes is reached, or the captures of a position have too many paths.
    Limit,
    /// A stop was requested.
    Stopped,
}

/// Searches for ways to one goal, in reused memory.
pub(super) struct Search<'s> {
    game: GameRules,
    rules: Rules,
    /// The tables that are asked.
    pub(super) tables: Option<&'s dyn ProvenEnds>,
    generator: Box<dyn MoveGenerator>,
    /// The side that wants to reach the goal.
    pub(super) solver: Colour,
    goal: Goal,
    stop: &'s Stop,
    /// Nodes that may still be looked at.
    pub(super) nodes_left: u64,
    /// `true` if the solving side plays moves only after which the other side has a capture or two moves at most, up to its last
    /// one.
    pub(super) forcing: bool,
    /// The moves of the position at each ply.
    lists: Vec<MoveList>,
    /// The way found from each ply on: to the goal, against the replies that make it longest.
    lines: Vec<Vec<Move>>,
    /// The move at each ply that decided last: it is tried first.
    deciding: Vec<Option<Move>>,
    failures: Failures,
}

impl<'s> Search<'s> {
    /// Creates a search for `solver` that looks at `nodes` positions at most.
    pub(super) fn new(game: &GameRules, solver: Colour, goal: Goal, nodes: u64, stop: &'s Stop) -> Self {
        Self {
            game: *game,
            rules: game.rules,
            tables: None,
            generator: move_generator(&game.rules),
            solver,
            goal,
            stop,
            nodes_left: nodes,
            forcing: false,
            lists: Vec::new(),
            lines: Vec::new(),
            deciding: Vec::new(),
            failures: Failures::new(),
        }
    }

    /// Changes the goal.
    pub(super) fn set_goal(&mut self, goal: Goal) {
        self.goal = goal;
        self.failures = Failures::new();
    }

    /// Returns the lead that the solving side would have if the other one had no pieces.
    pub(super) fn greatest_lead(&self, state: &State<u128>) -> i32 {
        let mut alone = *state;
        alone.pieces[!self.solver as usize] = 0;
        lead(&self.rules, &alone, self.solver)
    }

    /// Returns the lead of the solving side.
    pub(super) fn lead(&self, state: &State<u128>) -> i32 {
        lead(&self.rules, state, self.solver)
    }

    /// Returns the way that the last search has found.
    pub(super) fn line(&self) -> &[Move] {
        self.lines.first().map_or(&[], Vec::as_slice)
    }

    /// Returns the first move of the last search that decided: a reply that prevents the goal if there is no way.
    pub(super) fn decided_by(&self) -> Option<Move> {
        self.deciding.first().copied().flatten()
    }

    /// Returns `true` if the solving side reaches the goal within `plies`, whatever the other side plays. Captures that are pending
    /// then are played out.
    // Twin: `NaiveSearch` of the tests; test: `search_equals_its_naive_twin`.
    pub(super) fn reaches(&mut self, state: &State<u128>, plies: u32) -> Result<bool, Cut> {
        Ok(self.prevented(state, plies)?.is_none())
    }

    /// Returns `None` if the solving side [`reaches`](Self::reaches) the goal; else the number of plies within which it does not: `plies`, or
    /// [`FOR_GOOD`] if every line ends in a position that is decided.
    pub(super) fn prevented(&mut self, state: &State<u128>, plies: u32) -> Result<Option<u32>, Cut> {
        self.deciding.iter_mut().for_each(|mv| *mv = None);
        self.prevented_from(state, plies, 0)
    }

    fn prevented_from(&mut self, state: &State<u128>, plies: u32, ply: usize) -> Result<Option<u32>, Cut> {
        self.count_node()?;
        let mut list = self.take_list(ply);
        self.lines[ply].clear();
        let prevented = match self.failures.find(state, plies, self.forcing) {
            Some(within) => Ok(Some(within)),
            None => self.prevented_by(state, plies, ply, &mut list),
        };
        self.lists[ply] = list;
        prevented
    }

    /// Returns how a position ends, as tables prove it.
    pub(super) fn proven(&self, state: &State<u128>) -> Option<ProvenEnd> {
        let is_small = |tables: &&dyn ProvenEnds| {
            (state.pieces[0] | state.pieces[1]).count_ones() <= tables.most_pieces()
        };
        self.tables.filter(is_small)?.end(&Position::from_state(self.game, *state))
    }

    fn prevented_by(
        &mut self,
        state: &State<u128>,
        plies: u32,
        ply: usize,
        list: &mut MoveList,
    ) -> Result<Option<u32>, Cut> {
        match self.proven(state) {
            Some(end) if end.winner == Some(self.solver) => return Ok(None),
            Some(_) if self.goal == Goal::End => return Ok(Some(FOR_GOOD)),
            _ => {}
        }
        self.fill(state, list)?;
        if let Some(winner) = winner(self.rules.ending, state, list.is_empty()) {
            return Ok((winner != self.solver).then_some(FOR_GOOD));
        }
        let is_own = state.turn == self.solver;
        if !list[0].is_capture() {
            if self.is_goal(state, ply)? {
                return Ok(None);
            }
            if plies == 0 || self.forcing && !is_own && list.len() > MAX_FORCED {
                return Ok(Some(plies));
            }
        }
        let first = self.deciding[ply].and_then(|mv| list.iter().position(|other| *other == mv));
        let others = (0..list.len()).filter(|&at| Some(at) != first);
        let (mut has_reply, mut within) = (false, FOR_GOOD);
        for at in first.into_iter().chain(others) {
            let mv = list[at];
            let mut next = *state;
            self.play(&mut next, &mv);
            let prevented = self.prevented_from(&next, plies.saturating_sub(1), ply + 1)?;
            let reaches = prevented.is_none();
            if prevented.is_some_and(|plies| plies < FOR_GOOD) {
                within = plies;
            }
            if reaches && (is_own || !has_reply || self.lines[ply + 1].len() >= self.lines[ply].len()) {
                has_reply = true;
                let (line, rest) = self.lines.split_at_mut(ply + 1);
                let line = &mut line[ply];
                line.clear();
                line.push(mv);
                line.extend_from_slice(&rest[0]);
            }
            if reaches == is_own {
                self.deciding[ply] = Some(mv);
                if !reaches {
                    self.failures.insert(state, within, self.forcing);
                }
                return Ok((!reaches).then_some(within));
            }
        }
        if is_own {
            self.failures.insert(state, within, self.forcing);
        }
        Ok(is_own.then_some(within))
    }

    /// Returns `true` if a position without a pending capture is the goal.
    fn is_goal(&mut self, state: &State<u128>, ply: usize) -> Result<bool, Cut> {
        match self.goal {
            Goal::End => Ok(false),
            Goal::Lead(goal) => Ok(lead(&self.rules, state, self.solver) >= goal
                && self.holds(state, goal, HELD_PLIES, ply + 1)?),
        }
    }

    /// Returns `true` if the solving side has the lead `goal` after so many plies, whatever the other side plays, or has won by
    /// then. Captures that are pending then are played out.
    fn holds(&mut self, state: &State<u128>, goal: i32, plies: u32, ply: usize) -> Result<bool, Cut> {
        self.count_node()?;
        let mut list = self.take_list(ply);
        let holds = self.holds_by(state, goal, plies, ply, &mut list);
        self.lists[ply] = list;
        holds
    }

    fn holds_by(
        &mut self,
        state: &State<u128>,
        goal: i32,
        plies: u32,
        ply: usize,
        list: &mut MoveList,
    ) -> Result<bool, Cut> {
        self.fill(state, list)?;
        if let Some(winner) = winner(self.rules.ending, state, list.is_empty()) {
            return Ok(winner == self.solver);
        }
        if plies == 0 && !list[0].is_capture() {
            return Ok(lead(&self.rules, state, self.solver) >= goal);
        }
        let is_own = state.turn == self.solver;
        for mv in list.iter() {
            let mut next = *state;
            self.play(&mut next, mv);
            if self.holds(&next, goal, plies.saturating_sub(1), ply + 1)? == is_own {
                return Ok(is_own);
            }
        }
        Ok(!is_own)
    }

    fn fill(&self, state: &State<u128>, list: &mut MoveList) -> Result<(), Cut> {
        self.generator.fill(state, CAPTURE_NODES, list).map_err(|_| Cut::Limit)
    }

    /// Plays a legal move. It does so in place: a copy of the words that were just written in parts would wait for them.
    pub(super) fn play(&self, state: &mut State<u128>, mv: &Move) {
        if self.rules.movement.king_streak != 0 {
            state.count_streak(mv);
        }
        state.play_uncounted(mv);
    }

    /// Returns the list of a ply, which has to be put back.
    fn take_list(&mut self, ply: usize) -> MoveList {
        if ply >= self.lists.len() {
            self.lists.push(MoveList::new());
            self.lines.push(Vec::new());
            self.deciding.push(None);
        }
        std::mem::take(&mut self.lists[ply])
    }

    fn count_node(&mut self) -> Result<(), Cut> {
        steps::add(1);
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(Cut::Limit)?;
        if self.nodes_left.is_multiple_of(NODES_PER_CHECK) && self.stop.is_requested() {
            return Err(Cut::Stopped);
        }
        Ok(())
    }
}

/// What the side that solves a composition wants to reach.
///
/// ```
/// use pdn_solve::Goal;
///
/// assert_eq!(Goal::Lead(3).to_string(), "a lead of 3");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Goal {
    /// To win by the end of the game: the other side has no piece or no move, or what else ends the game in the variant.
    End,
    /// To have so many more pieces than the other side, a man counted as 1, and a king as 3 if kings move over any distance and as
    /// 2 if not. No capture may be pending, and the other side must be unable to lessen the lead in the next four plies. To win by
    /// the end of the game reaches this goal, too.
    Lead(i32),
}

/// Writes `the end of the game` or `a lead of 3`.
impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::End => f.pad("the end of the game"),
            Self::Lead(lead) => f.pad(&format!("a lead of {lead}")),
        }
    }
}

/// Returns how many more pieces a side has than the other one; see [`Goal::Lead`].
pub(super) fn lead(rules: &Rules, state: &State<u128>, side: Colour) -> i32 {
    let king = if rules.movement.flying { 3 } else { 2 };
    let value = |side| state.men(side).count_ones() as i32 + king * state.kings(side).count_ones() as i32;
    value(side) - value(!side)
}

/// Returns the winner if the game is over: `is_stuck` says whether the side to move has no move.
pub(super) fn winner(ending: Ending, state: &State<u128>, is_stuck: bool) -> Option<Colour> {
    let turn = state.turn;
    if ending == Ending::FirstKingWins {
        // The side that moved last has just won.
        let has_king = |side: &Colour| state.kings(*side) != 0;
        if let Some(side) = [!turn, turn].into_iter().find(has_king) {
            return Some(side);
        }
    }
    is_stuck.then_some(if ending == Ending::NoMoveWins { turn } else { !turn })
}

/// Number of entries; a power of two.
const ENTRIES: usize = 1 << 15;

/// A position without a way to the goal.
#[derive(Clone, Copy, Debug)]
struct Failure {
    state: State<u128>,
    /// The number of plies that were looked at.
    plies: u32,
    /// `true` if only forcing lines were looked at.
    forcing: bool,
}

/// A table of fixed size. A new position takes the place of an older one, so it forgets, but what it says is exact: whole positions are
/// compared. Memory is taken for the places that are used.
#[derive(Debug)]
struct Failures {
    /// For each place 1 more than its number in `failures`, or 0 if it is free, and more bits of the hash: `failures` is too large for the
    /// near caches, and with these bits hardly any position is fetched from it in vain.
    places: Vec<(u16, u16)>,
    failures: Vec<Failure>,
}

impl Failures {
    /// Creates an empty table.
    fn new() -> Self {
        Self { places: vec![(0, 0); ENTRIES], failures: Vec::new() }
    }

    /// Returns `plies`, or [`FOR_GOOD`], if there is known to be no way within so many. A search through all lines speaks for forcing lines,
    /// too.
    fn find(&self, state: &State<u128>, plies: u32, forcing: bool) -> Option<u32> {
        let (slot, bits) = slot(state);
        let (number, bits_there) = self.places[slot];
        let number = usize::from(number).checked_sub(1).filter(|_| bits_there == bits);
        let failure = number.and_then(|number| self.failures.get(number)).filter(|failure| {
            failure.plies >= plies && (forcing || !failure.forcing) && failure.state == *state
        })?;
        Some(if failure.plies == FOR_GOOD { FOR_GOOD } else { plies })
    }

    /// Remembers that there is no way within `plies`.
    fn insert(&mut self, state: &State<u128>, plies: u32, forcing: bool) {
        let failure = Failure { state: *state, plies, forcing };
        let (slot, bits) = slot(state);
        let (number, bits_there) = &mut self.places[slot];
        *bits_there = bits;
        match usize::from(*number).checked_sub(1) {
            Some(before) => self.failures[before] = failure,
            None => {
                self.failures.push(failure);
                // At most as many as there are places, which are half of what the number can say.
                *number = self.failures.len() as u16;
            }
        }
    }
}

/// Returns the place of a position in the table, and other bits of its hash.
fn slot(state: &State<u128>) -> (usize, u16) {
    let mut hash = state.turn as u64;
    for word in [state.pieces[0], state.pieces[1], state.kings] {
        for half in [word as u64, (word >> 64) as u64] {
            hash = (hash.rotate_left(23) ^ half).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
    ((hash >> 40) as usize & (ENTRIES - 1), (hash >> 24) as u16)
}
