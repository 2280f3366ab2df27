//! Generates all legal moves of a position.

use alloc::boxed::Box;

use super::capture_search::{CaptureLimit, CaptureSearch};
use super::jumps::{Jumps, two_steps};
use super::move_list::MoveList;
use super::side::{Axes, Side, View, each, for_side, last_row};
use crate::board::{Bits, Board, Geometry, WithBoard};
use crate::position::{Move, State};
use crate::rules::{BitsOf, Custom, Movement, Rules, Ruleset, WithRules};
use crate::steps;

/// Fills `list` with all legal moves, each once.
///
/// `capture_nodes` bounds the capture search; see [`CaptureLimit`]. The word `O` of the list may
/// be any that holds the board.
///
/// # Errors
/// [`CaptureLimit`] if the search needs more nodes; the content of the list has then no meaning.
pub fn legal_moves<R: Ruleset, O: Bits>(
    rules: R,
    state: &State<BitsOf<R>>,
    capture_nodes: u32,
    list: &mut MoveList<O>,
) -> Result<(), CaptureLimit> {
    let blocked = state.blocked_king(rules.movement().king_streak);
    for_side!(state.turn, S => generate::<R, S, O>(rules, View::of::<S>(state), blocked, capture_nodes, list))
}

/// Does the same as [`legal_moves`] with code that all rulesets of a board share, for callers that ask rarely.
#[cold]
pub fn legal_moves_shared<R: Ruleset>(
    rules: R,
    state: &State<BitsOf<R>>,
    capture_nodes: u32,
    list: &mut MoveList,
) -> Result<(), CaptureLimit> {
    struct Generate<'a>(Movement, &'a State<u128>, u32, &'a mut MoveList);

    impl WithBoard for Generate<'_> {
        type Output = Result<(), CaptureLimit>;

        fn run<G: Geometry>(self) -> Self::Output {
            let Self(movement, state, capture_nodes, list) = self;
            legal_moves(Custom::<G>::new(movement), &state.resized(), capture_nodes, list)
        }
    }

    #[inline(never)]
    fn on_board(board: Board, generate: Generate<'_>) -> Result<(), CaptureLimit> {
        board.with(generate)
    }

    on_board(R::Geometry::BOARD, Generate(rules.movement(), &state.resized(), capture_nodes, list))
}

/// A generator of legal moves for rules that were chosen before: [`legal_moves`], compiled once for each ruleset, in this crate.
pub trait MoveGenerator: core::fmt::Debug + Send + Sync {
    /// Fills `list` with all legal moves of a position; see [`legal_moves`].
    ///
    /// # Errors
    /// The same as [`legal_moves`].
    fn fill(&self, state: &State<u128>, capture_nodes: u32, list: &mut MoveList) -> Result<(), CaptureLimit>;
}

/// Returns the generator for some rules. The choice costs an allocation, so make it once and not once per position.
pub fn move_generator(rules: &Rules) -> Box<dyn MoveGenerator> {
    #[derive(Debug)]
    struct Generator<R>(R);

    impl<R: Ruleset> MoveGenerator for Generator<R> {
        fn fill(
            &self,
            state: &State<u128>,
            capture_nodes: u32,
            list: &mut MoveList,
        ) -> Result<(), CaptureLimit> {
            legal_moves(self.0, &state.resized(), capture_nodes, list)
        }
    }

    struct Choose;

    impl WithRules for Choose {
        type Output = Box<dyn MoveGenerator>;

        fn run<R: Ruleset>(self, rules: R) -> Self::Output {
            Box::new(Generator(rules))
        }
    }

    rules.with(Choose)
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn generate<R: Ruleset, S: Side, O: Bits>(
    rules: R,
    view: View<BitsOf<R>>,
    blocked: BitsOf<R>,
    capture_nodes: u32,
    list: &mut MoveList<O>,
) -> Result<(), CaptureLimit> {
    steps::add(10);
    list.reset();
    let jumps = Jumps::of::<R, S>(rules, view);
    if can_capture::<R, S>(rules, view, &jumps) {
        return CaptureSearch::<R, S>::run(rules, view, &jumps, R::Geometry::VALID, capture_nodes, list);
    }
    quiet_moves::<R, S>(rules, view, blocked, |mv| list.push(mv.resized()));
    Ok(())
}

/// Returns `true` if the side to move has a capture.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn can_capture<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    jumps: &Jumps<BitsOf<R>>,
) -> bool {
    jumps.any.any() || kings_can_capture::<R, S>(rules, view)
}

/// Returns `true` if a flying king of the side to move has a capture.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn kings_can_capture<R: Ruleset, S: Side>(rules: R, view: View<BitsOf<R>>) -> bool {
    let movement = rules.movement();
    movement.flying && (view.own & view.kings).any() && flying_kings_can_capture::<R>(rules, view)
}

#[inline(never)]
fn flying_kings_can_capture<R: Ruleset>(rules: R, view: View<BitsOf<R>>) -> bool {
    flying_king_targets(rules, view).any()
}

/// Returns the pieces that flying kings can capture by their first jump.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn flying_king_targets<R: Ruleset>(rules: R, view: View<BitsOf<R>>) -> BitsOf<R> {
    let empty = R::Geometry::VALID & !(view.own | view.opp);
    let mut targets = BitsOf::<R>::NONE;
    each!(rules.movement().king_captures, d => {
        targets |= flying_targets::<R>(view.own & view.kings, empty, view.opp, d);
    });
    targets
}

/// Returns the pieces of `opp` that flying kings on the squares of `set` can capture in direction `d`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn flying_targets<R: Ruleset>(
    set: BitsOf<R>,
    empty: BitsOf<R>,
    opp: BitsOf<R>,
    d: usize,
) -> BitsOf<R> {
    R::Geometry::step(slide::<R>(set, empty, d), d) & opp & R::Geometry::step(empty, d ^ 1)
}

/// Returns the squares of `set` and those that slide from them in direction `d` over empty squares.
///
/// All squares are extended at once: the free squares before them grow by one, by two and by four, so that no branch
/// depends on where they end.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn slide<R: Ruleset>(set: BitsOf<R>, empty: BitsOf<R>, d: usize) -> BitsOf<R> {
    let (mut reached, mut free) = (set, empty);
    reached |= R::Geometry::step(reached, d) & free;
    free &= R::Geometry::step(free, d);
    reached |= two_steps::<R::Geometry>(reached, d) & free;
    free &= two_steps::<R::Geometry>(free, d);
    reached |= four_steps::<R>(reached, d) & free;
    // Seven squares are covered now. Up to 10x10, no more lie before a piece with a free square after it, or after the first
    // free square behind a piece.
    if R::Geometry::LAYOUT.width > 10 || R::Geometry::LAYOUT.height > 10 {
        free &= four_steps::<R>(free, d);
        reached |= four_steps::<R>(four_steps::<R>(reached, d), d) & free;
    }
    reached
}

/// Moves every square by four steps.
#[cfg_attr(not(debug_assertions), inline(always))]
fn four_steps<R: Ruleset>(set: BitsOf<R>, d: usize) -> BitsOf<R> {
    two_steps::<R::Geometry>(two_steps::<R::Geometry>(set, d), d)
}

/// Returns the squares that a king can reach without capturing.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn king_targets<R: Ruleset>(rules: R, view: View<BitsOf<R>>, from: u8) -> BitsOf<R> {
    let movement = rules.movement();
    let occupied = view.own | view.opp;
    let mut targets = BitsOf::<R>::NONE;
    each!(movement.king_moves, d => {
        if movement.flying {
            let ray = R::Geometry::ray(d, from);
            let blockers = ray & occupied;
            if blockers.any() {
                let blocker = R::Geometry::nearest(blockers, d);
                targets |= ray & !(R::Geometry::ray(d, blocker) | BitsOf::<R>::one(blocker));
            } else {
                targets |= ray;
            }
        } else {
            let bit = BitsOf::<R>::one(from);
            targets |= R::Geometry::step(bit, d) & R::Geometry::VALID & !occupied;
        }
    });
    targets
}

/// Passes all quiet moves to `add`. They are legal only if there is no capture.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn quiet_moves<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    blocked: BitsOf<R>,
    mut add: impl FnMut(Move<BitsOf<R>>),
) {
    let axes = Axes::of::<R, S>(rules);
    let empty = R::Geometry::VALID & !(view.own | view.opp);
    let men = view.own & !view.kings;
    let last = last_row::<R::Geometry, S>();
    let shift = |d: usize| R::Geometry::LAYOUT.shift(d);
    each!(axes.man_steps, d => {
        for to in (R::Geometry::step(men, d) & empty).squares() {
            let from = (i32::from(to) - shift(d)) as u8;
            add(Move::quiet(from, to, last.has(to)));
        }
    });
    for from in (view.own & view.kings & !blocked).squares() {
        for to in king_targets(rules, view, from).squares() {
            add(Move::quiet(from, to, false));
        }
    }
}

/// Returns `true` if there is a quiet move.
pub(super) fn has_quiet_move<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    blocked: BitsOf<R>,
) -> bool {
    let mut any = false;
    quiet_moves::<R, S>(rules, view, blocked, |_| any = true);
    any
}

/// Returns the number of quiet moves. They are legal only if there is no capture; no king is blocked by its
/// counter.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn count_quiet_moves<R: Ruleset, S: Side>(rules: R, view: View<BitsOf<R>>) -> u64 {
    let axes = Axes::of::<R, S>(rules);
    let empty = R::Geometry::VALID & !(view.own | view.opp);
    let men = view.own & !view.kings;
    let mut count = 0;
    each!(axes.man_steps, d => {
        count += u64::from((R::Geometry::step(men, d) & empty).count());
    });
    for from in (view.own & view.kings).squares() {
        count += u64::from(king_targets(rules, view, from).count());
    }
    count
}
