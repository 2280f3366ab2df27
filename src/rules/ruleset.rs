//! Rules as types, so that a generator written once is compiled for each row with its fields as constants.

use super::axes::{Movement, Rules};
use super::table;
use crate::board::{Eight, EightFull, Geometry, Ten, TenByEight, Twelve, WithBoard};

/// A board and a movement that a generator can be compiled for.
///
/// The rows of the table are types without size whose [`movement`](Ruleset::movement) is a constant, so that
/// reading a field costs nothing and branches on it vanish. [`Custom`] carries its fields and pays for them.
pub trait Ruleset: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// The board.
    type Geometry: Geometry;
    /// Whether the fields are constants, so that code which tests many of them at once is worth compiling.
    const FIXED: bool;

    /// How pieces move, capture and promote.
    fn movement(&self) -> Movement;
}

/// The word that holds a set of squares of a ruleset's board.
pub type BitsOf<R> = <<R as Ruleset>::Geometry as Geometry>::Bits;

/// Movement that is known only at run time, on a board known at compile time.
#[derive(Clone, Copy, Debug)]
pub struct Custom<G> {
    movement: Movement,
    board: std::marker::PhantomData<fn() -> G>,
}

impl<G: Geometry> Custom<G> {
    /// A ruleset with these fields.
    pub const fn new(movement: Movement) -> Self {
        Self { movement, board: std::marker::PhantomData }
    }
}

impl<G: Geometry> Ruleset for Custom<G> {
    type Geometry = G;
    const FIXED: bool = false;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn movement(&self) -> Movement {
        self.movement
    }
}

/// Work that is to be compiled for every row of the table; handed to [`Rules::with`].
///
/// It is a trait and not a closure because a closure cannot be generic.
pub trait WithRules {
    /// What the work returns.
    type Output;

    /// Does the work under these rules.
    fn run<R: Ruleset>(self, rules: R) -> Self::Output;
}

/// Runs work with [`Custom`] rules on a board known at run time.
struct RunCustom<W> {
    movement: Movement,
    work: W,
}

impl<W: WithRules> WithBoard for RunCustom<W> {
    type Output = W::Output;

    fn run<G: Geometry>(self) -> W::Output {
        self.work.run(Custom::<G>::new(self.movement))
    }
}

macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident: $geometry:ident, $row:ident;)*) => {
        /// The rows of the table as types. Variants that move alike on the same board share one.
        pub mod rows {
            use super::*;

            $(
                $(#[$doc])*
                #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
                pub struct $name;

                impl Ruleset for $name {
                    type Geometry = $geometry;
                    const FIXED: bool = true;

                    #[cfg_attr(not(debug_assertions), inline(always))]
                    fn movement(&self) -> Movement {
                        const MOVEMENT: Movement = table::$row.movement;
                        MOVEMENT
                    }
                }
            )*
        }

        impl Rules {
            /// Runs `work` with these rules as a type: the row of the table that moves like this, or
            /// [`Custom`]. The choice costs a few nanoseconds, so make it once a game, not once a move.
            pub fn with<W: WithRules>(&self, work: W) -> W::Output {
                $(
                    if self.board == $geometry::BOARD && self.movement == table::$row.movement {
                        return work.run(rows::$name);
                    }
                )*
                self.board.with(RunCustom { movement: self.movement, work })
            }
        }

        #[cfg(test)]
        mod tests {
            use super::*;
            use crate::rules::Variant;

            #[test]
            fn every_variant_is_compiled_for() {
                struct IsCustom;
                impl WithRules for IsCustom {
                    type Output = bool;
                    fn run<R: Ruleset>(self, _: R) -> bool {
                        size_of::<R>() != 0
                    }
                }
                for variant in Variant::ALL {
                    assert!(!variant.rules().with(IsCustom), "{variant} has no row");
                }
                $(assert_eq!(<rows::$name as Ruleset>::Geometry::BOARD, table::$row.board);)*
            }
        }
    };
}

rows! {
    /// International, Breakthrough and Antidraughts.
    International: Ten, INTERNATIONAL;
    /// English.
    English: Eight, ENGLISH;
    /// Italian.
    Italian: Eight, ITALIAN;
    /// Pool under every numbering.
    Pool: Eight, POOL;
    /// Spanish and Portuguese.
    Spanish: Eight, SPANISH;
    /// Russian.
    Russian: Eight, RUSSIAN;
    /// Brazilian.
    Brazilian: Eight, BRAZILIAN;
    /// Canadian.
    Canadian: Twelve, CANADIAN;
    /// Czech.
    Czech: Eight, CZECH;
    /// Turkish.
    Turkish: EightFull, TURKISH;
    /// Thai.
    Thai: Eight, THAI;
    /// Frisian and Frysk!.
    Frisian: Ten, FRISIAN;
    /// Spantsiretti.
    Spantsiretti: TenByEight, SPANTSIRETTI;
}
