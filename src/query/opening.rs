//! Exact positions with all their men: found by adding up the steps of a game, without playing it.
//!
//! As long as nothing has been captured, every ply is a step of a man by one row, and a step exchanges two
//! squares whatever else stands on the board. So the rows that the men have gone tell after how many plies the
//! position must stand there, and the exclusive or of so many steps whether it may. Whether it does is then
//! confirmed by playing the game.

use super::mask::BoardTest;
use crate::board::{Bits, Directions, Geometry};
use crate::pack::MoveCodec;
use crate::position::State;
use crate::rules::Rules;
use crate::value::Colour;

/// A position that can only come about by steps from the start.
#[derive(Debug)]
pub(super) struct StepSumTest<B> {
    mask: BoardTest<B>,
    /// What the plies of the side that starts, and of the other, must add up to.
    sums: [B; 2],
    /// After how many plies; `None` for never.
    plies: Option<u32>,
    /// What a code exchanges; nothing for one that is no step.
    steps: Box<[B; 256]>,
}

impl<B: Bits> StepSumTest<B> {
    /// The position of a mask, if it leaves nothing open and has the men of the start.
    pub(super) fn new<G: Geometry<Bits = B>>(
        mask: &BoardTest<B>,
        start: &State<B>,
        rules: &Rules,
    ) -> Option<Self> {
        let [white, black] = [mask.squares(1, G::VALID), mask.squares(4, G::VALID)];
        let (_, empty) = mask.squares(16, G::VALID);
        let exact = (white.1 | black.1 | empty) == G::VALID;
        let men = [white.1, black.1];
        let all = (0..2).all(|side| men[side].count() == start.pieces[side].count());
        if !exact || !all || start.kings.any() || rules.movement.man_steps != Directions::FORWARD {
            return None;
        }
        let codec = MoveCodec::<G>::new();
        let mut steps = Box::new([B::NONE; 256]);
        for code in 0..=255 {
            if let Some((from, next)) = codec.step_of(code) {
                steps[usize::from(code)] = from | next;
            }
        }
        let rows = |set: B| {
            set.squares().filter_map(|at| G::LAYOUT.cell(at)).map(|(row, _)| i64::from(row)).sum::<i64>()
        };
        // White goes up and Black down; rows count from the top.
        let gone = [rows(start.pieces[0]) - rows(men[0]), rows(men[1]) - rows(start.pieces[1])];
        let (first, second) = (start.turn as usize, !start.turn as usize);
        let possible = gone[second] >= 0 && (gone[first] == gone[second] || gone[first] == gone[second] + 1);
        let sums = [first, second].map(|side| start.pieces[side] ^ men[side]);
        let turn = if gone[first] == gone[second] { start.turn } else { !start.turn };
        let possible = possible && mask.turn.is_none_or(|wanted: Colour| wanted == turn);
        Some(Self { mask: *mask, sums, plies: possible.then_some((gone[0] + gone[1]) as u32), steps })
    }

    /// Adds up the first plies of a game without setups and null moves. Answers with the only number of plies after
    /// which the game may have the position.
    #[inline]
    pub(super) fn plies_in(&self, bytes: &[u8]) -> Option<u32> {
        let plies = self.plies?;
        let bytes = bytes.get(..plies as usize)?;
        let mut sums = self.sums;
        let mut steps = true;
        let mut add = |side: usize, code: u8| {
            let step = self.steps[usize::from(code)];
            steps &= step.any();
            sums[side] ^= step;
        };
        let (pairs, rest) = bytes.as_chunks::<2>();
        for &[first, second] in pairs {
            add(0, first);
            add(1, second);
        }
        if let &[first] = rest {
            add(0, first);
        }
        (steps && sums == [B::NONE; 2]).then_some(plies)
    }

    /// Whether this is the position.
    pub(super) fn is(&self, state: &State<B>) -> bool {
        self.mask.fits(state)
    }
}
