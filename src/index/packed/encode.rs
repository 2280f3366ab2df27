//! The shortest bytes for an op.

use super::codes::{CHAIN, Codec, EXPLICIT, LINE, NULL, OTHER, SETUP, main_direction};
use crate::board::{Bits, Geometry};
use crate::position::{Move, State, Streak};
use crate::value::Colour;

/// Steps that the search for the path of a capture may take before its squares are listed instead.
const PATH_STEPS: u32 = 4096;

/// The most jumps that have a form of their own.
const MOST_JUMPS: usize = 31;

impl<G: Geometry> Codec<G> {
    /// Appends a legal move. Steps and single jumps take one byte and a few instructions; a chain of jumps is
    /// walked along once; only a capture whose path crosses itself is searched for, within a fixed bound.
    #[inline]
    pub fn encode(&self, state: &State<G::Bits>, mv: &Move<G::Bits>, out: &mut Vec<u8>) {
        let difference = i32::from(mv.to.0) - i32::from(mv.from.0);
        let way = self.ways[(difference + 128) as usize & 255];
        let pair = self.pairs[usize::from(mv.from.0) & 127][usize::from(way) & 3];
        if pair < self.groups.pairs {
            let step = self.steps[usize::from(pair)];
            let to = G::Bits::one(mv.to.0);
            let quiet = !mv.captured.any() & (step.next == to);
            let single = (step.next == mv.captured) & (step.behind == to);
            if (quiet | single) && mv.promotes == crowns::<G>(state, mv) {
                out.push(pair);
                return;
            }
        }
        self.encode_long(state, mv, out);
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

    #[cold]
    #[inline(never)]
    fn encode_long(&self, state: &State<G::Bits>, mv: &Move<G::Bits>, out: &mut Vec<u8>) {
        if mv.promotes != crowns::<G>(state, mv) {
            return explicit::<G>(mv, out);
        }
        if let Some((direction, distance)) = line::<G>(state, mv) {
            let way = direction.wrapping_sub(main_direction::<G>());
            match (self.groups.slide, self.groups.side) {
                (Some(slide), _) if way < 4 && distance >= 2 => {
                    out.extend([slide + (distance - 2) + way as u8 * (self.groups.longest - 1), mv.from.0]);
                }
                (_, Some(side)) if distance == 2 && (4..8).contains(&direction) && mv.is_capture() => {
                    out.extend([side + direction as u8 - 4, mv.from.0]);
                }
                _ => out.extend([LINE, mv.from.0, mv.to.0]),
            }
            return;
        }
        let mut path = Path { directions: [0; MOST_JUMPS], steps: PATH_STEPS };
        let jumps = mv.captured.count() as usize;
        let found = jumps <= MOST_JUMPS && path.search::<G>(G::Bits::one(mv.from.0), mv.captured, mv.to.0, 0);
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
#[inline(always)]
fn crowns<G: Geometry>(state: &State<G::Bits>, mv: &Move<G::Bits>) -> bool {
    !state.kings.has(mv.from.0) & G::LAST_ROWS[state.turn as usize].has(mv.to.0)
}

/// The direction and length of a move along a line that takes all enemies in between and no others.
fn line<G: Geometry>(state: &State<G::Bits>, mv: &Move<G::Bits>) -> Option<(usize, u8)> {
    let direction = (0..8).find(|&direction| G::ray(direction, mv.from.0).has(mv.to.0))?;
    let between = G::ray(direction, mv.from.0) & !G::ray(direction, mv.to.0) & !G::Bits::one(mv.to.0);
    let takes = between & state.side(!state.turn);
    (takes == mv.captured).then(|| (direction, between.count() as u8 + 1))
}

/// From, to, and the squares captured.
fn explicit<G: Geometry>(mv: &Move<G::Bits>, out: &mut Vec<u8>) {
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
    fn search<G: Geometry>(&mut self, at: G::Bits, left: G::Bits, to: u8, done: usize) -> bool {
        if !left.any() {
            return at == G::Bits::one(to);
        }
        for direction in 0..8 {
            let over = G::step(at, direction) & left;
            let landing = G::step(over, direction) & G::VALID;
            if !landing.any() {
                continue;
            }
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 {
                return false;
            }
            self.directions[done] = direction as u8;
            if self.search::<G>(landing, left & !over, to, done + 1) {
                return true;
            }
        }
        false
    }
}
