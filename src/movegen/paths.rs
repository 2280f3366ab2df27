//! The ways a capture can take. Moves are told apart by what they capture, so one move may have several paths.

use super::jumps::Jumps;
use super::search::{CaptureLimit, Search, Sink};
use super::side::{Side, View, for_side};
use crate::board::{Bits, Geometry, Square};
use crate::position::{Move, State};
use crate::rules::Ruleset;

/// One way that a capture can take.
///
/// PDN 3.0, restriction 9: an intermediate square is where the direction changed or, going straight on, the
/// square right behind the captured piece.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct CapturePath {
    /// The squares from the first to the last, one more than there are captured pieces.
    pub squares: Vec<Square>,
    /// The captured pieces in the order of their capture.
    pub captured: Vec<Square>,
}

/// All ways to make a legal capture; for a quiet move its only one.
///
/// # Errors
/// When the captures are too many to be searched.
pub fn paths<R: Ruleset>(
    rules: R,
    state: &State<<R::Geometry as Geometry>::Bits>,
    mv: &Move<<R::Geometry as Geometry>::Bits>,
    capture_nodes: u32,
) -> Result<Vec<CapturePath>, CaptureLimit> {
    if !mv.is_capture() {
        return Ok(vec![CapturePath { squares: vec![mv.from, mv.to], captured: Vec::new() }]);
    }
    for_side!(state.turn, S => paths_of_side::<R, S>(rules, View::of::<S>(state), mv, capture_nodes))
}

fn paths_of_side<R: Ruleset, S: Side>(
    rules: R,
    view: View<<R::Geometry as Geometry>::Bits>,
    mv: &Move<<R::Geometry as Geometry>::Bits>,
    capture_nodes: u32,
) -> Result<Vec<CapturePath>, CaptureLimit> {
    let jumps = Jumps::of::<R, S>(rules, view);
    let only = <R::Geometry as Geometry>::Bits::one(mv.from.0);
    let mut found = Found { mv: *mv, trail: Trail::new(), paths: Vec::new() };
    Search::<R, S, dyn Sink<_>>::run(rules, view, &jumps, only, capture_nodes, &mut found)?;
    Ok(found.paths)
}

/// Keeps the paths of one move. A capture of the same pieces in an order without precedence is no path of it.
struct Found<B> {
    mv: Move<B>,
    trail: Trail,
    paths: Vec<CapturePath>,
}

impl<B: Bits> Sink<B> for Found<B> {
    fn enter(&mut self, landing: u8, victim: u8) {
        self.trail.enter(landing, victim);
    }

    fn leave(&mut self) {
        self.trail.leave();
    }

    fn clear(&mut self) {
        self.paths.clear();
    }

    fn add(&mut self, mv: Move<B>, _repeats: bool) -> u32 {
        if mv == self.mv {
            let landings = self.trail.landings().iter().copied();
            self.paths.push(CapturePath {
                squares: std::iter::once(mv.from).chain(landings.map(Square)).collect(),
                captured: self.trail.victims().iter().copied().map(Square).collect(),
            });
        }
        1
    }
}

/// Where a capture has come by so far. Never allocates: a capture has fewer steps than a board has squares.
pub(super) struct Trail {
    landings: [u8; 128],
    victims: [u8; 128],
    steps: usize,
}

impl Trail {
    pub(super) fn new() -> Self {
        Self { landings: [0; 128], victims: [0; 128], steps: 0 }
    }

    pub(super) fn enter(&mut self, landing: u8, victim: u8) {
        self.landings[self.steps & 127] = landing;
        self.victims[self.steps & 127] = victim;
        self.steps += 1;
    }

    pub(super) fn leave(&mut self) {
        self.steps -= 1;
    }

    fn landings(&self) -> &[u8] {
        &self.landings[..self.steps.min(128)]
    }

    fn victims(&self) -> &[u8] {
        &self.victims[..self.steps.min(128)]
    }
}

/// How well a written capture agrees with a legal one that has the same first and last square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Agreement {
    /// There is no such capture.
    None,
    /// Only the first and last square agree.
    Ends,
    /// The path leads over the squares written, or they are among the captured ones.
    Squares,
    /// The squares written are the whole chain, or all captured squares.
    Exact,
}

/// How well the squares written between the first and the last agree with this capture.
pub(super) fn agreement<R: Ruleset>(
    _rules: R,
    from: Square,
    trail: &Trail,
    captured: <R::Geometry as Geometry>::Bits,
    via: &[Square],
) -> Agreement {
    let landings = trail.landings();
    if via.iter().map(|square| &square.0).eq(&landings[..landings.len().saturating_sub(1)]) {
        return Agreement::Exact;
    }
    if via.iter().all(|square| square.0 < 128 && captured.has(square.0)) {
        return if via.len() == trail.steps { Agreement::Exact } else { Agreement::Squares };
    }
    if leads_through::<R>(from, trail, via) { Agreement::Squares } else { Agreement::Ends }
}

fn leads_through<R: Ruleset>(from: Square, trail: &Trail, via: &[Square]) -> bool {
    // Walk along the path square by square and tick off what is written.
    let mut wanted = via.iter();
    let mut next = wanted.next();
    let mut at = from.0;
    for (&landing, &victim) in trail.landings().iter().zip(trail.victims()) {
        for direction in 0..8 {
            let ray = R::Geometry::ray(direction, at);
            if !ray.has(victim) || !ray.has(landing) {
                continue;
            }
            let beyond = R::Geometry::ray(direction, victim);
            let one = <R::Geometry as Geometry>::Bits::one;
            let mut leg = beyond & !R::Geometry::ray(direction, landing) | one(landing);
            while leg.any() {
                let here = R::Geometry::nearest(leg, direction);
                leg &= !one(here);
                if next == Some(&Square(here)) {
                    next = wanted.next();
                }
            }
            break;
        }
        at = landing;
    }
    next.is_none()
}
