//! The paths of a capture. A move is defined by what it captures, so that one move may have several paths.

use super::capture_search::{CaptureLimit, CaptureSearch, CaptureSink};
use super::jumps::Jumps;
use super::side::{Side, View, for_side};
use crate::board::{Bits, Geometry, Square};
use crate::position::{Move, State};
use crate::rules::{BitsOf, Ruleset};
use alloc::vec;
use alloc::vec::Vec;

/// One path of a capture.
///
/// PDN 3.0, restriction 9: an intermediate square is the square where the direction changed. If the piece goes
/// straight on, it is the first square after the captured piece.
///
/// ```
/// use pdn_rules::{Position, Variant};
///
/// let position = Position::parse_fen(Variant::International, "W:W26:B21,12,22")?;
/// let mv = position.parse_move("26x8")?;
/// let paths = position.paths(&mv)?;
/// let names = position.names();
/// assert_eq!(paths[0].squares.iter().map(|&square| names.number(square)).collect::<Vec<_>>(), [26, 17, 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct CapturePath {
    /// The squares from the first to the last, one more than there are captured pieces.
    pub squares: Vec<Square>,
    /// The captured pieces in the order of capture.
    pub captured: Vec<Square>,
}

/// Returns all paths of a legal capture, or the only path of a quiet move.
///
/// # Errors
/// [`CaptureLimit`] if the search needs more than `capture_nodes` nodes.
pub fn paths<R: Ruleset>(
    rules: R,
    state: &State<BitsOf<R>>,
    mv: &Move<BitsOf<R>>,
    capture_nodes: u32,
) -> Result<Vec<CapturePath>, CaptureLimit> {
    if !mv.is_capture() {
        return Ok(vec![CapturePath { squares: vec![mv.from, mv.to], captured: Vec::new() }]);
    }
    for_side!(state.turn, S => paths_of_side::<R, S>(rules, View::of::<S>(state), mv, capture_nodes))
}

fn paths_of_side<R: Ruleset, S: Side>(
    rules: R,
    view: View<BitsOf<R>>,
    mv: &Move<BitsOf<R>>,
    capture_nodes: u32,
) -> Result<Vec<CapturePath>, CaptureLimit> {
    let jumps = Jumps::of::<R, S>(rules, view);
    let only = BitsOf::<R>::one(mv.from.0);
    let mut collector = PathCollector { mv: *mv, path: PathStack::new(), paths: Vec::new() };
    CaptureSearch::<R, S>::run(rules, view, &jumps, only, capture_nodes, &mut collector)?;
    Ok(collector.paths)
}

/// A sink that keeps the paths of one move. If captures of the same pieces in another order take precedence, only
/// their paths are kept.
struct PathCollector<B> {
    mv: Move<B>,
    path: PathStack,
    paths: Vec<CapturePath>,
}

impl<B: Bits> CaptureSink<B> for PathCollector<B> {
    fn enter(&mut self, landing: u8, jumped: u8) {
        self.path.enter(landing, jumped);
    }

    fn leave(&mut self) {
        self.path.leave();
    }

    fn clear(&mut self) {
        self.paths.clear();
    }

    fn add(&mut self, mv: Move<B>, _repeats: bool) -> u32 {
        if mv == self.mv {
            let landings = self.path.landings().iter().copied();
            self.paths.push(CapturePath {
                squares: core::iter::once(mv.from).chain(landings.map(Square)).collect(),
                captured: self.path.captured().iter().copied().map(Square).collect(),
            });
        }
        1
    }
}

/// The path of the capture that is being searched. Never allocates, because a capture has fewer jumps than a board
/// has squares.
pub(super) struct PathStack {
    landings: [u8; 128],
    captured: [u8; 128],
    len: usize,
}

impl PathStack {
    pub(super) fn new() -> Self {
        Self { landings: [0; 128], captured: [0; 128], len: 0 }
    }

    pub(super) fn enter(&mut self, landing: u8, jumped: u8) {
        self.landings[self.len & 127] = landing;
        self.captured[self.len & 127] = jumped;
        self.len += 1;
    }

    pub(super) fn leave(&mut self) {
        self.len -= 1;
    }

    fn landings(&self) -> &[u8] {
        &self.landings[..self.len.min(128)]
    }

    fn captured(&self) -> &[u8] {
        &self.captured[..self.len.min(128)]
    }
}

/// How well a written capture matches a legal one with the same first and last square, from worst to best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum PathMatch {
    /// There is no such capture.
    None,
    /// Only the first and the last square match.
    Ends,
    /// The path leads over the written squares, or they are some of the captured squares.
    Squares,
    /// The written squares are all squares of the path, or all captured squares.
    Exact,
}

/// Compares the squares written between the first and the last with a capture.
pub(super) fn path_match<R: Ruleset>(
    _rules: R,
    from: Square,
    path: &PathStack,
    captured: BitsOf<R>,
    via: &[Square],
) -> PathMatch {
    let landings = path.landings();
    if via.iter().map(|square| &square.0).eq(&landings[..landings.len().saturating_sub(1)]) {
        return PathMatch::Exact;
    }
    if via.iter().all(|square| square.0 < 128 && captured.has(square.0)) {
        return if via.len() == path.len { PathMatch::Exact } else { PathMatch::Squares };
    }
    if passes_through::<R>(from, path, via) { PathMatch::Squares } else { PathMatch::Ends }
}

fn passes_through<R: Ruleset>(from: Square, path: &PathStack, via: &[Square]) -> bool {
    // Follow the path square by square and strike out the written squares in order.
    let mut remaining = via.iter();
    let mut next = remaining.next();
    let mut at = from.0;
    for (&landing, &jumped) in path.landings().iter().zip(path.captured()) {
        for direction in 0..8 {
            let ray = R::Geometry::ray(direction, at);
            if !ray.has(jumped) || !ray.has(landing) {
                continue;
            }
            let beyond = R::Geometry::ray(direction, jumped);
            let one = BitsOf::<R>::one;
            let mut flight = beyond & !R::Geometry::ray(direction, landing) | one(landing);
            while flight.any() {
                let square = R::Geometry::nearest(flight, direction);
                flight &= !one(square);
                if next == Some(&Square(square)) {
                    next = remaining.next();
                }
            }
            break;
        }
        at = landing;
    }
    next.is_none()
}
