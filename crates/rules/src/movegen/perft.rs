//! Counts leaves: the number of move sequences of a length, the standard proof that a move generator is correct.
//!
//! Draw rules and the limit on moves of one king are ignored. At the last ply moves are counted without being made,
//! mostly by counting bits.

use super::capture_search::CaptureLimit;
use super::generate::{count_quiet_moves, generate, kings_can_capture, quiet_moves};
use super::jumps::Jumps;
use super::move_list::MoveList;
use super::side::{Side, View, for_side};
use crate::board::Bits;
use crate::position::{Move, Position, State};
use crate::rules::{BitsOf, Ruleset, WithRules};
use alloc::vec;
use alloc::vec::Vec;

/// Returns the number of sequences of `depth` moves from a position; 1 for depth 0.
// Twin: `naive::moves::perft` of the tests; tests: `leaf_counts_equal_the_referee_counts`,
// `generator_equals_naive_twin_in_every_variant`.
///
/// # Errors
/// [`CaptureLimit`] if the captures of some position on the way need more than `capture_nodes` search nodes.
pub fn perft(position: &Position, depth: u32, capture_nodes: u32) -> Result<u64, CaptureLimit> {
    struct Perft<'a>(&'a Position, u32, u32);
    impl WithRules for Perft<'_> {
        type Output = Result<u64, CaptureLimit>;
        fn run<R: Ruleset>(self, rules: R) -> Self::Output {
            perft_of(rules, &self.0.state().resized(), self.1, self.2)
        }
    }
    position.rules().with(Perft(position, depth, capture_nodes))
}

/// Returns each legal move with the number of sequences of `depth` moves that begin with it, in no particular
/// order. The list is empty for depth 0.
///
/// # Errors
/// The same as [`perft`].
pub fn divide(position: &Position, depth: u32, capture_nodes: u32) -> Result<Vec<(Move, u64)>, CaptureLimit> {
    if depth == 0 {
        return Ok(Vec::new());
    }
    // Leaf counts ignore king counters.
    let mut without_streaks = *position;
    for colour in crate::value::Colour::ALL {
        without_streaks = without_streaks.with_streak(colour, crate::position::Streak::default());
    }
    let mut moves = MoveList::new();
    without_streaks.legal_moves_within(capture_nodes, &mut moves)?;
    moves
        .iter()
        .map(|mv| Ok((*mv, perft(&without_streaks.after_unchecked(mv), depth - 1, capture_nodes)?)))
        .collect()
}

/// Does the same as [`perft`] for code that knows the ruleset as a type.
///
/// # Errors
/// The same as [`perft`].
pub fn perft_of<R: Ruleset>(
    rules: R,
    state: &State<BitsOf<R>>,
    depth: u32,
    capture_nodes: u32,
) -> Result<u64, CaptureLimit> {
    if depth == 0 {
        return Ok(1);
    }
    let mut lists = vec![MoveList::new(); depth as usize];
    for_side!(state.turn, S => count::<R, S>(rules, View::of::<S>(state), depth, capture_nodes, &mut lists))
}

/// The number of legal moves of a position.
///
/// ```
/// use pdn_rules::movegen::MoveList;
/// use pdn_rules::internal::movegen::count_moves;
/// use pdn_rules::internal::position::State;
/// use pdn_rules::rules::Variant;
/// use pdn_rules::internal::rules::rows;
/// use pdn_rules::value::Colour;
///
/// let start = State::<u64>::start(&Variant::English.rules(), Colour::Black);
/// let count = count_moves(rows::English, &start, 1_000, &mut MoveList::<u64>::new())?;
/// assert!(count.moves == 7 && !count.captures);
/// # Ok::<(), pdn_rules::movegen::CaptureLimit>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct MoveCount {
    /// The number of legal moves.
    pub moves: u32,
    /// `true` if they are captures.
    pub captures: bool,
}

/// Counts the legal moves of a position, mostly by counting bits. `list` is scratch memory for captures of several
/// pieces, and `capture_nodes` bounds their search.
// Twin: `legal_moves`; test: `move_counts_equal_the_lists_of_moves`.
///
/// ```
/// use pdn_rules::movegen::MoveList;
/// use pdn_rules::internal::movegen::count_moves;
/// use pdn_rules::internal::position::State;
/// use pdn_rules::rules::Variant;
/// use pdn_rules::internal::rules::rows;
/// use pdn_rules::value::Colour;
///
/// let start = State::<u64>::start(&Variant::International.rules(), Colour::White);
/// let mut list = MoveList::<u64>::new();
/// let count = count_moves(rows::International, &start, 1_000, &mut list);
/// assert_eq!(count.map(|count| (count.moves, count.captures)), Ok((9, false)));
/// ```
///
/// # Errors
/// [`CaptureLimit`] if the capture search needs more nodes. That the moves are captures is certain then.
pub fn count_moves<R: Ruleset, O: Bits>(
    rules: R,
    state: &State<BitsOf<R>>,
    capture_nodes: u32,
    list: &mut MoveList<O>,
) -> Result<MoveCount, CaptureLimit> {
    let blocked = state.blocked_king(rules.movement().king_streak);
    for_side!(state.turn, S => count_of::<R, S, O>(rules, View::of::<S>(state), blocked, capture_nodes, list))
}

/// Does the same as [`count_moves`] for the side to move. The king on `blocked` may not move.
#[cfg_attr(not(debug_assertions), inline(always))]
fn count_of<R: Ruleset, S: Side, O: Bits>(
    rules: R,
    view: View<BitsOf<R>>,
    blocked: BitsOf<R>,
    capture_nodes: u32,
    list: &mut MoveList<O>,
) -> Result<MoveCount, CaptureLimit> {
    let jumps = Jumps::of::<R, S>(rules, view);
    let flying_captures = kings_can_capture::<R, S>(rules, view);
    if jumps.any.any() || flying_captures {
        let single =
            if R::FIXED && !flying_captures { count_single_jumps::<R, S>(rules, view, &jumps) } else { None };
        if let Some(moves) = single {
            return Ok(MoveCount { moves: moves as u32, captures: true });
        }
    } else if !blocked.any() {
        return Ok(MoveCount { moves: count_quiet_moves::<R, S>(rules, view) as u32, captures: false });
    }
    generate::<R, S, O>(rules, view, blocked, capture_nodes, list)?;
    Ok(MoveCount { moves: list.len() as u32, captures: list.first().is_some_and(Move::is_capture) })
}

/// Counts the sequences of `depth` plies, at least 1. `lists` has one move list per ply.
fn count<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    depth: u32,
    capture_nodes: u32,
    lists: &mut [MoveList<BitsOf<R>>],
) -> Result<u64, CaptureLimit> {
    let Some((list, lists)) = lists.split_first_mut() else { return Ok(0) };
    if depth == 1 {
        let count = count_of::<R, S, _>(rules, view, Bits::NONE, capture_nodes, list)?;
        return Ok(count.moves.into());
    }
    let jumps = Jumps::of::<R, S>(rules, view);
    let mut total = Ok(0);
    let mut add = |mv: Move<BitsOf<R>>| {
        if let Ok(sum) = &mut total {
            match count::<R, S::Other>(rules, view.after(&mv), depth - 1, capture_nodes, lists) {
                Ok(leaves) => *sum += leaves,
                limit => total = limit,
            }
        }
    };
    if jumps.any.any() || kings_can_capture::<R, S>(rules, view) {
        generate::<R, S, _>(rules, view, Bits::NONE, capture_nodes, list)?;
        list.iter().for_each(|&mv| add(mv));
    } else {
        quiet_moves::<R, S>(rules, view, Bits::NONE, add);
    }
    total
}

/// Returns the number of captures if all of them take one piece and none takes precedence; else `None`.
#[cfg_attr(not(debug_assertions), inline(always))]
fn count_single_jumps<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    jumps: &Jumps<BitsOf<R>>,
) -> Option<u64> {
    let precedence = rules.movement().precedence;
    if precedence.looks_at_kings() && view.kings.any() {
        return None;
    }
    let continuing = jumps.continuing::<R, S>(rules, jumps.any, jumps.any);
    if continuing.any.any() { None } else { Some(jumps.count::<R, S>(rules)) }
}
