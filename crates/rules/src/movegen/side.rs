//! The position as the side to move sees it, and the two sides as types.
//!
//! The forward direction must be known at compile time, or every shift would depend on it. Therefore the generator
//! is compiled once for each side.

use crate::board::{Bits, Directions, Geometry};
use crate::position::{Move, State};
use crate::rules::{Movement, Ruleset};
use crate::value::Colour;

/// A side as a type.
pub(super) trait Side: Copy {
    /// `true` for Black.
    const BLACK: bool;
    /// The other side.
    type Other: Side<Other = Self>;
}

/// The type for White to move.
#[derive(Clone, Copy)]
pub(super) struct White;

/// The type for Black to move.
#[derive(Clone, Copy)]
pub(super) struct Black;

impl Side for White {
    const BLACK: bool = false;
    type Other = Black;
}

impl Side for Black {
    const BLACK: bool = true;
    type Other = White;
}

/// Runs an expression with `$side` as the type of the side to move.
macro_rules! for_side {
    ($turn:expr, $side:ident => $body:expr) => {
        match $turn {
            $crate::value::Colour::White => {
                type $side = $crate::movegen::side::White;
                $body
            }
            $crate::value::Colour::Black => {
                type $side = $crate::movegen::side::Black;
                $body
            }
        }
    };
}

/// Repeats a block for every direction of a set, with the direction number as a literal.
///
/// The compiler cannot be relied upon to unroll a loop. With a constant set, the blocks of absent directions vanish
/// and every shift has a constant width.
macro_rules! each {
    ($set:expr, $direction:ident => $body:block) => {{
        let set = $set;
        each!(@ set, $direction, $body, 0 1 2 3 4 5 6 7);
    }};
    (@ $set:ident, $direction:ident, $body:block, $($number:literal)*) => {
        $(if $set.has_number($number) {
            let $direction: usize = $number;
            $body
        })*
    };
}

pub(super) use {each, for_side};

/// The pieces as the side to move sees them. Squares are absolute: the board is not rotated.
#[derive(Clone, Copy)]
pub(super) struct View<B> {
    /// The pieces of the side to move.
    pub(super) own: B,
    /// The pieces of the other side.
    pub(super) opp: B,
    /// The kings of both sides.
    pub(super) kings: B,
}

impl<B: Bits> View<B> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of<S: Side>(state: &State<B>) -> Self {
        let own = if S::BLACK { Colour::Black } else { Colour::White };
        Self { own: state.side(own), opp: state.side(!own), kings: state.kings }
    }

    /// Returns the view of the other side after a move.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn after(self, mv: &Move<B>) -> Self {
        let (from, to) = (B::one(mv.from.0), B::one(mv.to.0));
        let king = (self.kings & from).any() | mv.promotes;
        Self {
            own: self.opp & !mv.captured,
            opp: (self.own & !from) | to,
            kings: (self.kings & !from & !mv.captured) | (to & B::all_if(king)),
        }
    }
}

/// The fields of the rules as the side to move sees them. All of them are constants after inlining.
#[derive(Clone, Copy)]
pub(super) struct Axes {
    pub(super) movement: Movement,
    pub(super) man_steps: Directions,
    pub(super) man_captures: Directions,
}

impl Axes {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn of<R: Ruleset, S: Side>(rules: R) -> Self {
        let movement = rules.movement();
        Self {
            movement,
            man_steps: movement.man_steps.seen_by(S::BLACK),
            man_captures: movement.man_captures.seen_by(S::BLACK),
        }
    }
}

/// Returns the row on which a man of this side is promoted.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn last_row<G: Geometry, S: Side>() -> G::Bits {
    G::LAST_ROWS[S::BLACK as usize]
}
