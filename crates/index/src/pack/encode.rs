//! Encodes an op in its shortest form.

use super::codes::{
    CHAIN, DirectionStep, EXPLICIT, LINE, MoveCodec, NO_CODE, NULL, OTHER, SETUP, StraightPath,
    main_direction,
};
use pdn::position::Move;
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Geometry};
use pdn_rules::internal::position::{State, Streak};

/// Maximum number of jumps that the search for the path of a capture tries before the captured squares are listed
/// instead.
const MAX_PATH_STEPS: u32 = 4096;

/// Maximum number of jumps of a chain; captures with more list their squares.
const MAX_JUMPS: usize = 31;

impl<G: Geometry> MoveCodec<G> {
    /// Appends a legal move to `out`.
    ///
    /// Quiet moves and single jumps take a few instructions. The path of a longer capture is searched for; the search is
    /// bounded, and takes more than one pass only if the path crosses itself.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn encode(&self, state: &State<G::Bits>, mv: &Move<G::Bits>, out: &mut Vec<u8>) {
        let path = self.path(mv);
        let quiet = !mv.captured.any();
        // The square halfway between two bits of a board is the one that a jump between them passes over.
        let over_one = mv.captured == G::Bits::one(u8::midpoint(mv.from.0, mv.to.0));
        let code = if quiet { path.quiet } else { path.jump };
        if (quiet | over_one) & (code != NO_CODE) {
            // A slide is followed by its first square, a pair by nothing. Writing both bytes avoids a branch.
            let len = out.len() + 1 + usize::from(code >= self.groups.pairs);
            out.extend([code, mv.from.0]);
            out.truncate(len);
            return;
        }
        // Passed by value: reloading the state from memory would stall on stores still in flight.
        let enemies = match state.turn {
            Colour::White => state.pieces[Colour::Black as usize],
            Colour::Black => state.pieces[Colour::White as usize],
        };
        self.encode_long(enemies, mv.promotes == promotes_by_rule::<G>(state, mv), *mv, out);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn path(&self, mv: &Move<G::Bits>) -> StraightPath {
        self.paths[usize::from(mv.from.0) & 127][usize::from(mv.to.0) & 127]
    }

    /// Returns the bytes of two jumps in main directions; `None` for other moves. The square between the jumps follows
    /// from the first, the last and the captured squares.
    fn two_jumps(&self, mv: &Move<G::Bits>) -> Option<[u8; 2]> {
        let second = mv.captured.without_lowest();
        if !second.any() || second.without_lowest().any() {
            return None;
        }
        // Each captured square is halfway along its jump, so the sum of both is the middle plus half the sum of the ends.
        let ends = u16::from(mv.from.0) + u16::from(mv.to.0);
        let captured_sum = u16::from(mv.captured.lowest()) + u16::from(mv.captured.highest());
        let middle = captured_sum.checked_sub(ends / 2).filter(|&middle| middle < 128)? as u8;
        let first = self.paths[usize::from(mv.from.0) & 127][usize::from(middle)];
        let last = self.paths[usize::from(middle)][usize::from(mv.to.0) & 127];
        let over = [u8::midpoint(mv.from.0, middle), u8::midpoint(middle, mv.to.0)].map(G::Bits::one);
        if first.jump == NO_CODE || last.jump == NO_CODE || over[0] | over[1] != mv.captured {
            return None;
        }
        let way = last.line()?.0.wrapping_sub(main_direction::<G>()) as u8;
        Some([self.groups.chain2 + way, first.jump])
    }

    /// Appends a null move to `out`.
    pub fn encode_null(&self, out: &mut Vec<u8>) {
        out.extend([OTHER, NULL]);
    }

    /// Appends a setup to `out`: the position in which the next op is played.
    pub fn encode_setup(&self, state: &State<G::Bits>, out: &mut Vec<u8>) {
        let has_streaks = state.streaks != [Streak::default(); 2];
        out.extend([OTHER, SETUP, u8::from(state.turn == Colour::Black) | u8::from(has_streaks) << 1]);
        for bitboard in [state.pieces[0], state.pieces[1], state.kings] {
            out.extend(&bitboard.widen().to_le_bytes()[..G::Bits::SIZE as usize / 8]);
        }
        if has_streaks {
            out.extend(state.streaks.iter().flat_map(|streak| [streak.square, streak.moves]));
        }
    }

    /// Appends a move that is neither a pair nor a slide without captures. `promotes_by_rule` is `true` if the move
    /// promotes exactly if a man ends on the last row.
    #[cold]
    #[inline(never)]
    fn encode_long(&self, enemies: G::Bits, promotes_by_rule: bool, mv: Move<G::Bits>, out: &mut Vec<u8>) {
        if !promotes_by_rule {
            return encode_explicit::<G>(mv, out);
        }
        let line = self.path(&mv).line();
        // Two jumps that turn are the most frequent case. They do not capture what lies on the line between their first and
        // last square.
        if line.is_none_or(|(direction, _)| direction.wrapping_sub(main_direction::<G>()) >= 4)
            && let Some(pair_of_jumps) = self.two_jumps(&mv)
        {
            out.extend(pair_of_jumps);
            return;
        }
        if let Some((direction, distance)) = line
            && enemies_between::<G>(enemies, mv, direction) == mv.captured
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
        let mut search = JumpSearch { directions: [0; MAX_JUMPS], steps: MAX_PATH_STEPS };
        let jumps = mv.captured.count() as usize;
        let has_path = jumps <= MAX_JUMPS
            && search.run(&self.directions, G::Bits::one(mv.from.0), mv.captured, mv.to.0, 0);
        if !has_path {
            return encode_explicit::<G>(mv, out);
        }
        let directions = &search.directions[..jumps];
        let way = |i: usize| directions[i].wrapping_sub(main_direction::<G>() as u8);
        let all_main = directions.iter().enumerate().all(|(i, _)| way(i) < 4);
        let pair = self.pairs[usize::from(mv.from.0) & 127][usize::from(way(0)) & 3];
        match (jumps, self.groups.chain3) {
            (2, _) if all_main => out.extend([self.groups.chain2 + way(1), pair]),
            (3, Some(chain3)) if all_main => out.extend([chain3 + 4 * way(1) + way(2), pair]),
            _ => {
                out.extend([CHAIN, mv.from.0, jumps as u8 | directions[0] << 5]);
                out.extend(
                    directions[1..].chunks(2).map(|two| two[0] | two.get(1).map_or(0, |&second| second << 4)),
                );
            }
        }
    }
}

/// Returns `true` if the move is by a man and ends on the last row.
#[cfg_attr(not(debug_assertions), inline(always))]
fn promotes_by_rule<G: Geometry>(state: &State<G::Bits>, mv: &Move<G::Bits>) -> bool {
    !state.kings.has(mv.from.0) & G::LAST_ROWS[state.turn as usize].has(mv.to.0)
}

/// Returns the enemies between the first and the last square of a move in a direction.
fn enemies_between<G: Geometry>(enemies: G::Bits, mv: Move<G::Bits>, direction: usize) -> G::Bits {
    let between = G::ray(direction, mv.from.0) & !G::ray(direction, mv.to.0) & !G::Bits::one(mv.to.0);
    between & enemies
}

/// Appends a move with the squares that it captures.
fn encode_explicit<G: Geometry>(mv: Move<G::Bits>, out: &mut Vec<u8>) {
    out.extend([OTHER, EXPLICIT, mv.from.0, mv.to.0, mv.captured.count() as u8 | u8::from(mv.promotes) << 7]);
    out.extend(mv.captured.squares());
}

/// The search for a sequence of jumps that captures given pieces, each landing on the square after the piece.
struct JumpSearch {
    /// The direction of each jump, 0 to 7.
    directions: [u8; MAX_JUMPS],
    /// The number of jumps that may still be tried.
    steps: u32,
}

impl JumpSearch {
    /// Searches for a path from `at` to `to` that captures all of `remaining`, after `done` jumps. Returns `false` if
    /// there is none or the steps are used up. The recursion is as deep as there are pieces, at most 31.
    fn run<B: Bits>(
        &mut self,
        steps: &[DirectionStep<B>; 8],
        at: B,
        remaining: B,
        to: u8,
        done: usize,
    ) -> bool {
        if !remaining.any() {
            return at == B::one(to);
        }
        for (direction, step) in (0..).zip(steps) {
            let over = step.step(at) & remaining;
            let landing = step.step(over);
            if !landing.any() {
                continue;
            }
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 {
                return false;
            }
            self.directions[done] = direction;
            if self.run(steps, landing, remaining & !over, to, done + 1) {
                return true;
            }
        }
        false
    }
}
