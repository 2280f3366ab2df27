//! A position that is looked for in games, and when a game can no longer have it.

use std::ops::ControlFlow;

use crate::board::{Bits, Directions, Geometry};
use crate::index::PackedPieceCounts;
use crate::pack::{CorruptMoves, MoveCodec, ScannedPly};
use crate::position::State;
use crate::rules::Rules;
use crate::value::Colour;

/// A position to be found in games of one start position. Compiled once, asked for every game.
#[derive(Clone, Copy, Debug)]
pub struct PositionTarget<B> {
    state: State<B>,
    /// Pieces of White, pieces of Black, and their men.
    pieces: [u32; 2],
    men: [u32; 2],
    reach: Reach,
}

/// What is known about the ply at which games from the start position have it, if nothing is set up on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reach {
    /// At any.
    Any,
    /// Nothing was captured and nobody crowned, so the rows that men have gone are the plies.
    Ply(u32),
    /// Never.
    Never,
}

/// What [`PositionTarget::seek`] shows.
#[derive(Clone, Copy, Debug)]
pub enum PositionEvent<'a, B> {
    /// The position is there after so many plies, by the last of them unless it was there from the start or set up.
    Reached(u32, Option<&'a ScannedPly<B>>),
    /// It was left after so many plies, by this one.
    Left(u32, &'a ScannedPly<B>),
}

impl<B: Bits> PositionTarget<B> {
    /// A position in games that begin with `start`. King counters do not count.
    pub fn new(rules: &Rules, start: &State<B>, position: &State<B>) -> Self {
        let layout = rules.board.layout();
        let counts = |state: &State<B>| Colour::ALL.map(|colour| state.side(colour).count());
        let men = Colour::ALL.map(|colour| position.men(colour).count());
        let pieces = counts(position);
        let first = counts(start);
        let kings = (start.kings | position.kings).any();
        let reach =
            if pieces[0] > first[0] || pieces[1] > first[1] || (0..2).any(|side| men[side] > first[side]) {
                Reach::Never
            } else if pieces == first && !kings && rules.movement.man_steps == Directions::FORWARD {
                let rows = |state: &State<B>, colour| -> i32 {
                    let row = |at| layout.cell(at).map_or(0, |(row, _)| i32::from(row));
                    state.side(colour).squares().map(row).sum()
                };
                let white = rows(start, Colour::White) - rows(position, Colour::White);
                let black = rows(position, Colour::Black) - rows(start, Colour::Black);
                let (first, second) =
                    if start.turn == Colour::White { (white, black) } else { (black, white) };
                let in_turn = if position.turn == start.turn { first == second } else { first == second + 1 };
                // Whoever passes has gone less far, but then the game is not a plain one.
                if in_turn && second >= 0 { Reach::Ply((first + second) as u32) } else { Reach::Never }
            } else {
                Reach::Any
            };
        Self { state: *position, pieces, men, reach }
    }

    /// The same on a wider or narrower word.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn resized<O: Bits>(&self) -> PositionTarget<O> {
        PositionTarget { state: self.state.resized(), pieces: self.pieces, men: self.men, reach: self.reach }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is(&self, state: &State<B>) -> bool {
        let [white, black] = [state.pieces[0] ^ self.state.pieces[0], state.pieces[1] ^ self.state.pieces[1]];
        !(white | black | (state.kings ^ self.state.kings)).any() && state.turn == self.state.turn
    }

    /// Whether a plain game that ends with these pieces may have the position: men and pieces only grow fewer.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn may_end_with(&self, last: PackedPieceCounts) -> bool {
        Colour::ALL.into_iter().all(|colour| {
            u32::from(last.pieces(colour)) <= self.pieces[colour as usize]
                && u32::from(last.men(colour)) <= self.men[colour as usize]
        })
    }

    /// Shows every time that a game has the position, in order. `plain` says that it begins with `start` and goes on
    /// with moves alone; then the search stops as soon as pieces are missing.
    ///
    /// # Errors
    /// When the moves make no sense.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn seek<G: Geometry<Bits = B>>(
        &self,
        codec: &MoveCodec<G>,
        start: &State<B>,
        bytes: &[u8],
        plain: bool,
        mut seen: impl FnMut(PositionEvent<'_, B>),
    ) -> Result<(), CorruptMoves> {
        if !plain {
            return self.seek_everywhere(codec, start, bytes, seen);
        }
        match self.reach {
            Reach::Never => Ok(()),
            Reach::Ply(goal) => self.seek_at(codec, start, bytes, goal, seen),
            Reach::Any => {
                let mut ply = 0;
                let mut here = self.is(start);
                if here {
                    seen(PositionEvent::Reached(0, None));
                }
                codec.scan(start, bytes, |played| {
                    if here {
                        seen(PositionEvent::Left(ply, played));
                    }
                    ply += 1;
                    let after = played.after();
                    here = self.is(&after);
                    if here {
                        seen(PositionEvent::Reached(ply, Some(played)));
                    }
                    if played.captured().any()
                        && after.side(after.turn).count() < self.pieces[after.turn as usize]
                    {
                        return ControlFlow::Break(());
                    }
                    ControlFlow::Continue(())
                })?;
                Ok(())
            }
        }
    }

    /// The position can stand after `goal` plies only.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn seek_at<G: Geometry<Bits = B>>(
        &self,
        codec: &MoveCodec<G>,
        start: &State<B>,
        bytes: &[u8],
        goal: u32,
        mut seen: impl FnMut(PositionEvent<'_, B>),
    ) -> Result<(), CorruptMoves> {
        if goal == 0 {
            seen(PositionEvent::Reached(0, None));
        }
        let mut ply = 0;
        codec.scan(start, bytes, |played| {
            if ply == goal {
                seen(PositionEvent::Left(ply, played));
                return ControlFlow::Break(());
            }
            ply += 1;
            if ply == goal {
                if !self.is(&played.after()) {
                    return ControlFlow::Break(());
                }
                seen(PositionEvent::Reached(ply, Some(played)));
            }
            if played.captured().any() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(())
    }

    /// In a game in which anything may be set up.
    #[inline(never)]
    fn seek_everywhere<G: Geometry<Bits = B>>(
        &self,
        codec: &MoveCodec<G>,
        start: &State<B>,
        bytes: &[u8],
        mut seen: impl FnMut(PositionEvent<'_, B>),
    ) -> Result<(), CorruptMoves> {
        let mut ply = 0;
        let mut before: Option<ScannedPly<B>> = None;
        let reached = |ply,
                       position: &State<B>,
                       before: &Option<ScannedPly<B>>,
                       seen: &mut dyn FnMut(PositionEvent<'_, B>)| {
            let here = self.is(position);
            if here {
                let by = before.as_ref().filter(|by| self.is(&by.after()) && by.mv().is_some());
                seen(PositionEvent::Reached(ply, by));
            }
            here
        };
        let last = codec.scan(start, bytes, |played| {
            if reached(ply, &played.before(), &before, &mut seen) {
                seen(PositionEvent::Left(ply, played));
            }
            ply += 1;
            before = Some(*played);
            ControlFlow::Continue(())
        })?;
        reached(ply, &last, &before, &mut seen);
        Ok(())
    }
}
