//! Questions that look beyond one position: the whole game is recorded, and each part of the question becomes the set
//! of positions at which it is true.

use super::manoeuvre::Sacrifice;
use super::program::{Here, Program};
use crate::board::Bits;
use crate::index::packed::{Ply, Strength};
use crate::position::State;
use crate::value::Colour;

/// A game, position by position. Meant to be used again and again.
#[derive(Debug)]
pub(super) struct Trace<B> {
    plies: Vec<Ply<B>>,
    /// The position before each ply, and the last one.
    states: Vec<State<B>>,
    strengths: Vec<Strength>,
    /// White's pieces less Black's.
    balance: Vec<i32>,
    /// Sets that are not in use.
    spare: Vec<Vec<bool>>,
}

/// A position of a recorded game.
struct At<'a, B>(&'a Trace<B>, usize);

impl<B: Bits> Here<B> for At<'_, B> {
    fn state(&self) -> &State<B> {
        &self.0.states[self.1]
    }

    fn strength(&self) -> Strength {
        self.0.strengths[self.1]
    }

    fn ply(&self) -> u32 {
        self.1 as u32
    }

    fn last(&self) -> bool {
        self.1 + 1 == self.0.states.len()
    }

    fn next(&self) -> Option<&Ply<B>> {
        self.0.plies.get(self.1)
    }
}

impl<B: Bits> Trace<B> {
    pub(super) fn new() -> Self {
        Self {
            plies: Vec::new(),
            states: Vec::new(),
            strengths: Vec::new(),
            balance: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Forgets the game.
    pub(super) fn clear(&mut self) {
        self.plies.clear();
        self.states.clear();
        self.strengths.clear();
        self.balance.clear();
    }

    /// Adds a ply and the position before it.
    pub(super) fn push(&mut self, ply: &Ply<B>) {
        self.plies.push(*ply);
        self.add(ply.before(), ply.had());
    }

    /// Adds the last position.
    pub(super) fn finish(&mut self, last: State<B>) {
        self.add(last, Strength::of(&last));
    }

    fn add(&mut self, state: State<B>, strength: Strength) {
        let [white, black] = Colour::ALL.map(|colour| strength.pieces(colour) as i32);
        self.balance.push(white - black);
        self.strengths.push(strength);
        self.states.push(state);
    }

    /// How many positions there are.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// The first position at which a question is true. O(positions) for each of its parts; sacrifices also times the
    /// plies that they look ahead.
    pub(super) fn first(&mut self, program: &Program<B>, member: &[bool]) -> Option<u32> {
        let set = self.eval(program, member);
        let first = set.iter().position(|&holds| holds);
        self.spare.push(set);
        first.map(|first| first as u32)
    }

    fn take(&mut self) -> Vec<bool> {
        let mut set = self.spare.pop().unwrap_or_default();
        set.clear();
        set
    }

    fn eval(&mut self, program: &Program<B>, member: &[bool]) -> Vec<bool> {
        let len = self.states.len();
        if program.is_local() {
            let mut set = self.take();
            set.extend((0..len).map(|at| program.holds(&At(self, at), member)));
            return set;
        }
        match program {
            Program::Sacrifice(sacrifice) => self.sacrifices(*sacrifice),
            Program::Not(inner) => {
                let mut set = self.eval(inner, member);
                set.iter_mut().for_each(|holds| *holds = !*holds);
                set
            }
            Program::And(parts) | Program::Or(parts) => {
                let and = matches!(program, Program::And(_));
                let mut set = self.take();
                set.resize(len, and);
                for part in parts {
                    let other = self.eval(part, member);
                    for (holds, other) in set.iter_mut().zip(&other) {
                        *holds = if and { *holds & other } else { *holds | other };
                    }
                    self.spare.push(other);
                }
                set
            }
            Program::Ever(inner) => {
                let mut set = self.eval(inner, member);
                let ever = set.iter().any(|&holds| holds);
                set.fill(ever);
                set
            }
            Program::Then(first, second, within) => {
                let mut set = self.eval(first, member);
                let later = self.eval(second, member);
                let mut next = None;
                for at in (0..len).rev() {
                    set[at] &= next.is_some_and(|next| next - at <= *within as usize);
                    next = if later[at] { Some(at) } else { next };
                }
                self.spare.push(later);
                set
            }
            Program::For(inner, plies) => {
                let mut set = self.eval(inner, member);
                let mut run = 0;
                for holds in set.iter_mut().rev() {
                    run = if *holds { run + 1 } else { 0 };
                    *holds = run > *plies as usize;
                }
                set
            }
            // The rest is local.
            _ => self.take(),
        }
    }

    fn sacrifices(&mut self, sacrifice: Sacrifice) -> Vec<bool> {
        let mut set = self.take();
        let happens = |at: usize| sacrifice.happens(at, self.states[at].turn, &self.balance);
        set.extend((0..self.states.len()).map(happens));
        set
    }
}
