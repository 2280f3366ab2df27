//! Finds the legal move between two squares without listing all moves.
//!
//! The common cases, steps and single jumps, are decided by [`fast_legality`](super::fast_legality). Captures of
//! several pieces by men have a search of their own, [`man_capture`](super::man_capture). Where flying kings
//! capture, all captures are searched and only the matching ones are kept. Nothing is allocated.

use super::capture_paths::{PathMatch, PathStack, path_match};
use super::capture_search::{CaptureSearch, CaptureSink};
use super::fast_legality::simple_move_captures;
use super::generate::{can_capture, king_targets};
use super::jumps::Jumps;
use super::man_capture::find_man_capture;
use super::move_error::FindError;
use super::short_capture::short_capture;
use super::side::{Axes, Side, View, each, for_side, last_row};
use crate::board::{Bits, Geometry, Square};
use crate::position::{Move, State};
use crate::rules::{BitsOf, Precedence, Ruleset};
use crate::steps;
use crate::value::Colour;

/// Returns the only legal move between two squares.
// Twin: `legal_moves`; test: `find_returns_exactly_the_legal_moves`.
///
/// ```
/// use pdn_rules::internal::movegen::{FindError, find};
/// use pdn_rules::internal::position::State;
/// use pdn_rules::rules::Variant;
/// use pdn_rules::internal::rules::rows;
/// use pdn_rules::value::Colour;
///
/// let international = Variant::International;
/// let square = |number| international.names().of_number(number).unwrap();
/// let state = State::<u64>::start(&international.rules(), Colour::White);
/// assert!(find(rows::International, &state, square(32), square(28), 1_000).is_ok());
/// assert_eq!(find(rows::International, &state, square(32), square(23), 1_000), Err(FindError::Illegal));
/// ```
///
/// # Errors
/// [`FindError::Illegal`] if there is no such move, [`FindError::Ambiguous`] if there are several,
/// [`FindError::Limit`] if the capture search needs more than `capture_nodes` nodes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn find<R: Ruleset>(
    rules: R,
    state: &State<BitsOf<R>>,
    from: Square,
    to: Square,
    capture_nodes: u32,
) -> Result<Move<BitsOf<R>>, FindError> {
    steps::add(1);
    for_side!(state.turn, S => {
        let view = View::of::<S>(state);
        if let Some(captured) = find_without_kings::<R, S>(rules, view, from, to) {
            return Ok(Move { captured, from, to, promotes: is_promotion::<R, S>(view, from, to) });
        }
        let blocked = state.blocked_king(rules.movement().king_streak);
        find_with_kings::<R, S>(rules, view.own, view.opp, view.kings, blocked, from, to, capture_nodes).of(from, to)
    })
}

/// Does the same as [`find`] followed by [`State::play`]: the fastest way to replay a game. The state does not
/// change if there is no such move.
// Twin: `legal_moves`; test: `typed_core_agrees_with_position`.
///
/// ```
/// use pdn_rules::internal::movegen::advance;
/// use pdn_rules::internal::position::State;
/// use pdn_rules::rules::Variant;
/// use pdn_rules::internal::rules::rows;
/// use pdn_rules::value::Colour;
///
/// let international = Variant::International;
/// let square = |number| international.names().of_number(number).unwrap();
/// let mut state = State::<u64>::start(&international.rules(), Colour::White);
/// for (from, to) in [(32, 28), (19, 23), (28, 19)] {
///     advance(rows::International, &mut state, square(from), square(to), 1_000)?;
/// }
/// assert_eq!(state.turn, Colour::Black);
/// # Ok::<(), pdn_rules::internal::movegen::FindError>(())
/// ```
///
/// # Errors
/// The same as [`find`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn advance<R: Ruleset>(
    rules: R,
    state: &mut State<BitsOf<R>>,
    from: Square,
    to: Square,
    capture_nodes: u32,
) -> Result<Move<BitsOf<R>>, FindError> {
    steps::add(1);
    for_side!(state.turn, S => {
        let view = View::of::<S>(state);
        let (start, target) = (BitsOf::<R>::one(from.0), BitsOf::<R>::one(to.0));
        let (mv, kings) = match find_without_kings::<R, S>(rules, view, from, to) {
            Some(captured) => {
                // A man moves on a board without kings.
                let promotes = is_promotion::<R, S>(view, from, to);
                (Move { captured, from, to, promotes }, target & last_row::<R::Geometry, S>())
            }
            None => {
                let blocked = state.blocked_king(rules.movement().king_streak);
                let View { own, opp, kings } = view;
                let mv = find_with_kings::<R, S>(rules, own, opp, kings, blocked, from, to, capture_nodes)
                    .of(from, to)?;
                let king = (kings & start).any() | mv.promotes;
                (mv, (kings & !start & !mv.captured) | (target & Bits::all_if(king)))
            }
        };
        if rules.movement().king_streak != 0 {
            state.count_streak(&mv);
        }
        state.kings = kings;
        // The side is a constant here, so that no word of the state is addressed by a computed index.
        state.pieces[S::BLACK as usize] = (view.own & !start) | target;
        state.pieces[!S::BLACK as usize] = view.opp ^ mv.captured;
        state.turn = if S::BLACK { Colour::White } else { Colour::Black };
        Ok(mv)
    })
}

/// Returns `true` if the piece on `from` is a man that reaches the last row.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn is_promotion<R: Ruleset, S: Side>(view: View<BitsOf<R>>, from: Square, to: Square) -> bool {
    !(view.kings & Bits::one(from.0)).any() & (last_row::<R::Geometry, S>() & Bits::one(to.0)).any()
}

/// Returns the captured pieces of a simple move on a board without kings. `None` if there are kings or the move is
/// not decided here; it may still be legal.
#[cfg_attr(not(debug_assertions), inline(always))]
fn find_without_kings<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    from: Square,
    to: Square,
) -> Option<BitsOf<R>> {
    if !R::FIXED || view.kings.any() {
        return None;
    }
    // The empty set of kings is written as a constant, so that all code about kings vanishes.
    simple_move_captures::<R, S>(rules, View { kings: Bits::NONE, ..view }, from, to)
}

/// A [`Move`] without its squares, or a [`FindError`]; small enough to be returned in registers.
#[derive(Clone, Copy)]
pub(super) struct MoveEffect<B> {
    captured: B,
    outcome: u64,
}

impl<B: Bits> MoveEffect<B> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of(self, from: Square, to: Square) -> Result<Move<B>, FindError> {
        match self.outcome {
            promotes @ 0..=1 => Ok(Move { captured: self.captured, from, to, promotes: promotes != 0 }),
            2 => Err(FindError::Illegal),
            3 => Err(FindError::OtherPath),
            4 => Err(FindError::Ambiguous),
            _ => Err(FindError::Limit),
        }
    }
}

impl<B: Bits> From<Result<Move<B>, FindError>> for MoveEffect<B> {
    fn from(found: Result<Move<B>, FindError>) -> Self {
        match found {
            Ok(mv) => MoveEffect { captured: mv.captured, outcome: u64::from(mv.promotes) },
            Err(error) => {
                let outcome = match error {
                    FindError::Illegal => 2,
                    FindError::OtherPath => 3,
                    FindError::Ambiguous => 4,
                    FindError::Limit => 5,
                };
                MoveEffect { captured: B::NONE, outcome }
            }
        }
    }
}

/// Finds a move on a board that may have kings, by search if necessary.
///
/// Arguments and result travel in registers. A state that is read back as a whole right after its words were
/// written would stall on those stores.
#[expect(clippy::too_many_arguments, reason = "each is a register")]
#[inline(never)]
pub(super) fn find_with_kings<R: Ruleset, S: Side>(
    rules: R,
    own: BitsOf<R>,
    opp: BitsOf<R>,
    kings: BitsOf<R>,
    blocked: BitsOf<R>,
    from: Square,
    to: Square,
    capture_nodes: u32,
) -> MoveEffect<BitsOf<R>> {
    let view = View { own, opp, kings };
    if R::FIXED
        && view.kings.any()
        && let Some(captured) = simple_move_captures::<R, S>(rules, view, from, to)
    {
        return MoveEffect { captured, outcome: u64::from(is_promotion::<R, S>(view, from, to)) };
    }
    let captured = short_capture::<R, S>(rules, view, from, to);
    if captured.any() {
        return MoveEffect { captured, outcome: u64::from(is_promotion::<R, S>(view, from, to)) };
    }
    find_by_search::<R, S>(rules, view, blocked, from, to, &[], capture_nodes).into()
}

/// Returns the only legal move between two squares that leads over other written squares.
///
/// `via` are the squares written between the first and the last. They match a capture if its path leads over them
/// in this order, with or without landing there. They also match if all of them are squares of captured pieces, in
/// any order. Thus a capture may be written with every square, with turning squares only, or with its captured
/// squares. A capture that `via` describes completely is preferred to others that match. An empty `via` matches
/// every move.
///
/// # Errors
/// The same as [`find`], and [`FindError::OtherPath`] if the squares match no capture.
pub fn find_via<R: Ruleset>(
    rules: R,
    state: &State<BitsOf<R>>,
    from: Square,
    to: Square,
    via: &[Square],
    capture_nodes: u32,
) -> Result<Move<BitsOf<R>>, FindError> {
    let blocked = state.blocked_king(rules.movement().king_streak);
    for_side!(state.turn, S => find_by_search::<R, S>(rules, View::of::<S>(state), blocked, from, to, via, capture_nodes))
}

/// Returns the capture that is written as the Hub protocol does: its first and its last square, then all captured squares in any
/// order.
///
/// In other forms the last square written is one that the piece lands on. Only where captured pieces are removed at once can it land on the
/// square of one of them, so that a text has both meanings.
///
/// # Errors
/// [`FindError::Illegal`] if there is none, [`FindError::Limit`] as for [`find`].
pub fn find_captured<R: Ruleset>(
    rules: R,
    state: &State<BitsOf<R>>,
    squares: &[Square],
    capture_nodes: u32,
) -> Result<Move<BitsOf<R>>, FindError> {
    let [from, to, captured @ ..] = squares else { return Err(FindError::Illegal) };
    let enemies = state.side(!state.turn);
    if captured.is_empty() || !captured.iter().all(|square| square.0 < 128 && enemies.has(square.0)) {
        return Err(FindError::Illegal);
    }
    let set = captured.iter().fold(BitsOf::<R>::NONE, |set, square| set | BitsOf::<R>::one(square.0));
    let mv = find_via(rules, state, *from, *to, captured, capture_nodes)?;
    if mv.captured == set { Ok(mv) } else { Err(FindError::Illegal) }
}

/// Finds any move, by search if the side to move can capture.
#[cold]
#[inline(never)]
fn find_by_search<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    blocked: BitsOf<R>,
    from: Square,
    to: Square,
    via: &[Square],
    capture_nodes: u32,
) -> Result<Move<BitsOf<R>>, FindError> {
    let (f, t) = (BitsOf::<R>::one(from.0), BitsOf::<R>::one(to.0));
    if from.0 >= 128 || to.0 >= 128 || !(f & view.own).any() {
        return Err(FindError::Illegal);
    }
    let axes = Axes::of::<R, S>(rules);
    let jumps = Jumps::of::<R, S>(rules, view);
    if !can_capture::<R, S>(rules, view, &jumps) {
        let mut targets = BitsOf::<R>::NONE;
        let king = (f & view.kings).any();
        if king {
            targets = king_targets(rules, view, from.0);
        } else {
            each!(axes.man_steps, d => { targets |= R::Geometry::step(f, d); });
        }
        let legal = (targets & t & R::Geometry::VALID & !(view.own | view.opp) & !(blocked & f)).any();
        if !legal || (f & blocked).any() {
            return Err(FindError::Illegal);
        }
        // A quiet move has no squares between its first and last.
        if !via.is_empty() {
            return Err(FindError::OtherPath);
        }
        let promotes = !king && (t & last_row::<R::Geometry, S>()).any();
        return Ok(Move::quiet(from.0, to.0, promotes));
    }
    if via.is_empty()
        && let Some(found) = find_man_capture::<R, S>(rules, view, &jumps, f, t, capture_nodes)
    {
        return found.map(|captured| Move {
            captured,
            from,
            to,
            promotes: is_promotion::<R, S>(view, from, to),
        });
    }
    // If captures are not compared, those of other pieces need not be searched.
    let only = match axes.movement.precedence {
        Precedence::Free => f,
        _ => R::Geometry::VALID,
    };
    let path = if via.is_empty() { None } else { Some(PathStack::new()) };
    let mut candidates =
        Candidates::<R> { rules, from, to, via, path, best: PathMatch::None, found: None, ambiguous: false };
    CaptureSearch::<R, S>::run(rules, view, &jumps, only, capture_nodes, &mut candidates)?;
    match candidates {
        Candidates { ambiguous: true, .. } => Err(FindError::Ambiguous),
        Candidates { found: Some(mv), .. } => Ok(mv),
        Candidates { best: PathMatch::Ends, .. } => Err(FindError::OtherPath),
        _ => Err(FindError::Illegal),
    }
}

/// A sink that keeps the capture between two squares that matches best.
struct Candidates<'a, R: Ruleset> {
    rules: R,
    from: Square,
    to: Square,
    via: &'a [Square],
    /// The path of the capture being searched; `None` if `via` is empty.
    path: Option<PathStack>,
    /// The match of the best capture so far.
    best: PathMatch,
    found: Option<Move<BitsOf<R>>>,
    ambiguous: bool,
}

impl<B: Bits, R: Ruleset> CaptureSink<B> for Candidates<'_, R>
where
    R::Geometry: Geometry<Bits = B>,
{
    fn enter(&mut self, landing: u8, jumped: u8) {
        if let Some(path) = &mut self.path {
            path.enter(landing, jumped);
        }
    }

    fn leave(&mut self) {
        if let Some(path) = &mut self.path {
            path.leave();
        }
    }

    fn clear(&mut self) {
        (self.found, self.ambiguous, self.best) = (None, false, PathMatch::None);
    }

    fn add(&mut self, mv: Move<B>, _repeats: bool) -> u32 {
        if mv.from != self.from || mv.to != self.to {
            return 0;
        }
        let agrees = match &self.path {
            None => PathMatch::Exact,
            Some(path) => path_match(self.rules, self.from, path, mv.captured, self.via),
        };
        if agrees < self.best {
            return 1;
        }
        if agrees > self.best {
            (self.found, self.ambiguous, self.best) = (None, false, agrees);
        }
        if agrees == PathMatch::Ends {
            return 1;
        }
        match self.found {
            None => self.found = Some(mv),
            Some(one) => self.ambiguous |= one != mv,
        }
        1
    }
}
