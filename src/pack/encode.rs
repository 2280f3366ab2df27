//! The shortest bytes for an op.

use super::codes::{
    CHAIN, DirectionStep, EXPLICIT, LINE, MoveCodec, NONE, NULL, OTHER, SETUP, StraightPath, main_direction,
};
use crate::board::{Bits, Geometry};
use crate::position::{Move, State, Streak};
use crate::value::Colour;

/// Steps that the search for the path of a capture may take before its squares are listed instead.
const PATH_STEPS: u32 = 4096;

/// The most jumps that have a form of their own.
const MOST_JUMPS: usize = 31;

impl<G: Geometry> MoveCodec<G> {
    /// Appends a legal move. Quiet moves and single jumps take a few instructions; a chain of jumps is
    /// walked along once; only a capture whose path crosses itself is searched for, within a fixed bound.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn encode(&self, state: &State<G::Bits>, mv: &Move<G::Bits>, out: &mut Vec<u8>) {
        let road = self.road(mv);
        let quiet = !mv.captured.any();
        // The bits of a board lie so that the square jumped over is halfway.
        let over_one = mv.captured == G::Bits::one(u8::midpoint(mv.from.0, mv.to.0));
        let code = if quiet { road.quiet } else { road.jump };
        if (quiet | over_one) & (code != NONE) {
            // A slide has its square behind it.
            let len = out.len() + 1 + usize::from(code >= self.groups.pairs);
            out.extend([code, mv.from.0]);
            out.truncate(len);
            return;
        }
        // By value, in registers: a state in memory would be read back before its words are written.
        let enemies = match state.turn {
            Colour::White => state.pieces[Colour::Black as usize],
            Colour::Black => state.pieces[Colour::White as usize],
        };
        self.encode_long(enemies, mv.promotes == crowns::<G>(state, mv), *mv, out);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn road(&self, mv: &Move<G::Bits>) -> StraightPath {
        self.roads[usize::from(mv.from.0) & 127][usize::from(mv.to.0) & 127]
    }

    /// Two jumps in main directions: where the first one lands follows from the ends and the victims.
    fn two_jumps(&self, mv: &Move<G::Bits>) -> Option<[u8; 2]> {
        let second = mv.captured.without_lowest();
        if !second.any() || second.without_lowest().any() {
            return None;
        }
        // The victims lie halfway, so the sum of their bits is that of the middle and half the ends.
        let ends = u16::from(mv.from.0) + u16::from(mv.to.0);
        let victims = u16::from(mv.captured.lowest()) + u16::from(mv.captured.highest());
        let middle = victims.checked_sub(ends / 2).filter(|&middle| middle < 128)? as u8;
        let first = self.roads[usize::from(mv.from.0) & 127][usize::from(middle)];
        let last = self.roads[usize::from(middle)][usize::from(mv.to.0) & 127];
        let over = [u8::midpoint(mv.from.0, middle), u8::midpoint(middle, mv.to.0)].map(G::Bits::one);
        if first.jump == NONE || last.jump == NONE || over[0] | over[1] != mv.captured {
            return None;
        }
        let way = last.line()?.0.wrapping_sub(main_direction::<G>()) as u8;
        Some([self.groups.chain2 + way, first.jump])
    }

    /// Appends a null move.
    pub fn encode_null(&self, out: &mut Vec<u8>) {
        out.extend([OTHER, NULL]);
    }

    /// Appends a position from which the game goes on.
    pub fn encode_setup(&self, state: &State<G::Bits>, out: &mut Vec<u8>) {
        let streaks = state.streaks != [Streak::default(); 2];
        out.extend([OTHER, SETUP, u8::from(state.turn == Colour::Black) | u8::from(streaks) << 1]);
        for word in [state.pieces[0], state.pieces[1], state.kings] {
            out.extend(&word.widen().to_le_bytes()[..G::Bits::SIZE as usize / 8]);
        }
        if streaks {
            out.extend(state.streaks.iter().flat_map(|streak| [streak.square, streak.moves]));
        }
    }

    /// Appends what takes more than a byte; `plain` says that a man is crowned if it ends on the last row.
    #[cold]
    #[inline(never)]
    fn encode_long(&self, enemies: G::Bits, plain: bool, mv: Move<G::Bits>, out: &mut Vec<u8>) {
        if !plain {
            return explicit::<G>(mv, out);
        }
        let line = self.road(&mv).line();
        // Two jumps that turn, the most frequent ones; what lies on a line between their ends is not what they take.
        if line.is_none_or(|(direction, _)| direction.wrapping_sub(main_direction::<G>()) >= 4)
            && let Some(pair_of_jumps) = self.two_jumps(&mv)
        {
            out.extend(pair_of_jumps);
            return;
        }
        if let Some((direction, distance)) = line
            && takes::<G>(enemies, mv, direction) == mv.captured
        {
            let way = direction.wrapping_sub(main_direction::<G>());
            let slide = if way < 4 { self.groups.slide(way as u8, distance) } else { None };
            match (slide, self.groups.side) {
                (Some(slide), _) if distance >= 2 => out.extend([slide, mv.from.0]),
                (_, Some(side)) if distance == 2 && (4..8).contains(&direction) && mv.is_capture() => {
                    out.extend([side + direction as u8 - 4, mv.from.0]);
                }
                _ => out.extend([LINE, mv.from.0, mv.to.0]),
            }
            return;
        }
        if let Some(pair_of_jumps) = self.two_jumps(&mv) {
            out.extend(pair_of_jumps);
            return;
        }
        let mut path = Path { directions: [0; MOST_JUMPS], steps: PATH_STEPS };
        let jumps = mv.captured.count() as usize;
        let found =
            jumps <= MOST_JUMPS && path.search(&self.turns, G::Bits::one(mv.from.0), mv.captured, mv.to.0, 0);
        if !found {
            return explicit::<G>(mv, out);
        }
        let directions = &path.directions[..jumps];
        let way = |i: usize| directions[i].wrapping_sub(main_direction::<G>() as u8);
        let mains = directions.iter().enumerate().all(|(i, _)| way(i) < 4);
        let pair = self.pairs[usize::from(mv.from.0) & 127][usize::from(way(0)) & 3];
        match (jumps, self.groups.chain3) {
            (2, _) if mains => out.extend([self.groups.chain2 + way(1), pair]),
            (3, Some(chain3)) if mains => out.extend([chain3 + 4 * way(1) + way(2), pair]),
            _ => {
                out.extend([CHAIN, mv.from.0, jumps as u8 | directions[0] << 5]);
                out.extend(
                    directions[1..].chunks(2).map(|two| two[0] | two.get(1).map_or(0, |&second| second << 4)),
                );
            }
        }
    }
}

/// Whether a man ends its move on the last row.
#[cfg_attr(not(debug_assertions), inline(always))]
fn crowns<G: Geometry>(state: &State<G::Bits>, mv: &Move<G::Bits>) -> bool {
    !state.kings.has(mv.from.0) & G::LAST_ROWS[state.turn as usize].has(mv.to.0)
}

/// The enemies between the ends of a move in a direction.
fn takes<G: Geometry>(enemies: G::Bits, mv: Move<G::Bits>, direction: usize) -> G::Bits {
    let between = G::ray(direction, mv.from.0) & !G::ray(direction, mv.to.0) & !G::Bits::one(mv.to.0);
    between & enemies
}

/// From, to, and the squares captured.
fn explicit<G: Geometry>(mv: Move<G::Bits>, out: &mut Vec<u8>) {
    out.extend([OTHER, EXPLICIT, mv.from.0, mv.to.0, mv.captured.count() as u8 | u8::from(mv.promotes) << 7]);
    out.extend(mv.captured.squares());
}

/// A way to capture some pieces by jumps that land right behind them.
struct Path {
    directions: [u8; MOST_JUMPS],
    steps: u32,
}

impl Path {
    /// Finds a way from `at` to `to` over all of `left`. Recursion is as deep as there are pieces, 31 at most.
    fn search<B: Bits>(
        &mut self,
        turns: &[DirectionStep<B>; 8],
        at: B,
        left: B,
        to: u8,
        done: usize,
    ) -> bool {
        if !left.any() {
            return at == B::one(to);
        }
        for (direction, turn) in (0..).zip(turns) {
            let over = turn.step(at) & left;
            let landing = turn.step(over);
            if !landing.any() {
                continue;
            }
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 {
                return false;
            }
            self.directions[done] = direction;
            if self.search(turns, landing, left & !over, to, done + 1) {
                return true;
            }
        }
        false
    }
}
