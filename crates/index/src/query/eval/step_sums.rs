//! Positions with all men of the start position, recognised by sums over the moves, without playing the game.
//!
//! In a continuous game, as long as nothing is captured and nobody promotes, every ply is a step of a man by one row. A
//! step exchanges the contents of two squares, whatever else stands on the board. Two sums follow:
//!
//! - The rows that all men have advanced are the number of plies, so that the position can stand at one ply only.
//! - The exclusive or of the steps of a side is the difference between its men in the position and at the start.
//!
//! Equal sums are necessary, not sufficient; playing the game confirms a match.

use super::board_test::BoardTest;
use crate::pack::MoveCodec;
use pdn::value::Colour;
use pdn_rules::internal::board::{Bits, Directions, Geometry};
use pdn_rules::internal::position::State;
use pdn_rules::internal::rules::Rules;

/// After how many plies a continuous game can have a position; see [`PlyFromStart::new`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::query) enum PlyFromStart {
    /// Any number, as far as the rows of the men tell.
    Any,
    /// Only this number, with this side to move.
    Only {
        /// The plies from the start position.
        ply: u32,
        /// The side to move after them.
        turn: Colour,
    },
    /// None: the men cannot stand like this.
    Never,
}

impl PlyFromStart {
    /// Adds up the rows that men have advanced from `start`. `pieces` are those of White and of Black in the position,
    /// `has_kings` whether one of them is a king.
    ///
    /// The sum tells the ply only where men step forward and all men of the start position are left, none promoted.
    pub(in crate::query) fn new<B: Bits>(
        rules: &Rules,
        start: &State<B>,
        pieces: [B; 2],
        has_kings: bool,
    ) -> Self {
        let same_men = (0..2).all(|side| pieces[side].count() == start.pieces[side].count());
        let kings = has_kings || start.kings.any();
        if !same_men || kings || rules.movement.man_steps != Directions::FORWARD {
            return Self::Any;
        }
        let layout = rules.board.layout();
        let rows = |men: B| {
            men.squares().filter_map(|at| layout.cell(at)).map(|(row, _)| i64::from(row)).sum::<i64>()
        };
        // Rows count from the top: White moves up and Black down.
        let advanced = [rows(start.pieces[0]) - rows(pieces[0]), rows(pieces[1]) - rows(start.pieces[1])];
        let (first, second) = (advanced[start.turn as usize], advanced[!start.turn as usize]);
        // The sides move in turn. A null move would break this, but a game with one is not continuous.
        let turn = if first == second { start.turn } else { !start.turn };
        let possible = second >= 0 && (first == second || first == second + 1);
        if possible { Self::Only { ply: (first + second) as u32, turn } } else { Self::Never }
    }
}

/// A test for a position that only steps of men can lead to from the start position.
// Twin: naive evaluation in tests/it/query_naive; test: openings_match_by_step_sums.
#[derive(Debug)]
pub(in crate::query) struct StepSumTest<B> {
    position: BoardTest<B>,
    /// The exclusive or of all steps of the side that starts, and of the other side.
    sums: [B; 2],
    /// The number of plies before the position; `None` if no game can have it.
    plies: Option<u32>,
    /// For each code of packed moves, the two squares of its step; empty if the code is not a step.
    steps: Box<[B; 256]>,
}

impl<B: Bits> StepSumTest<B> {
    /// Compiles a test of squares; `None` unless it leaves nothing open, has all men of `start` and no king, and men step
    /// forward only.
    pub(in crate::query) fn new<G: Geometry<Bits = B>>(
        test: &BoardTest<B>,
        start: &State<B>,
        rules: &Rules,
    ) -> Option<Self> {
        // By the bits of `SquareContents`: squares that must hold a white man, a black man, or nothing.
        let [white, black, empty] = [1, 4, 16].map(|contents| test.squares(contents, G::VALID).1);
        if (white | black | empty) != G::VALID {
            return None;
        }
        let men = [white, black];
        let plies = match PlyFromStart::new(rules, start, men, false) {
            PlyFromStart::Any => return None,
            PlyFromStart::Only { ply, turn } => test.turn.is_none_or(|wanted| wanted == turn).then_some(ply),
            PlyFromStart::Never => None,
        };
        let codec = MoveCodec::<G>::new();
        let mut steps = Box::new([B::NONE; 256]);
        for code in 0..=255 {
            if let Some((from, next)) = codec.step_of(code) {
                steps[usize::from(code)] = from | next;
            }
        }
        let sums = [start.turn, !start.turn].map(|side| start.pieces[side as usize] ^ men[side as usize]);
        Some(Self { position: *test, sums, plies, steps })
    }

    /// Adds up the first plies of a continuous game. Returns the only number of plies after which the game may have the
    /// position; `None` if it has it nowhere. Every step is one byte.
    #[inline]
    pub(in crate::query) fn candidate_ply(&self, bytes: &[u8]) -> Option<u32> {
        let plies = self.plies?;
        let bytes = bytes.get(..plies as usize)?;
        let mut sums = self.sums;
        let mut only_steps = true;
        let mut add = |side: usize, code: u8| {
            let step = self.steps[usize::from(code)];
            only_steps &= step.any();
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
        (only_steps && sums == [B::NONE; 2]).then_some(plies)
    }

    /// Returns `true` if this is the position.
    pub(in crate::query) fn matches(&self, state: &State<B>) -> bool {
        self.position.matches(state)
    }
}
