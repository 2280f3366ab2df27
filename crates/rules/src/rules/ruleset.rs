//! Rules as types, so that one generic move generator is compiled for each row with its fields as constants.

use super::axes::{Movement, Rules};
use super::table::{self, rows_with_code};
use crate::board::{Eight, EightFull, Geometry, Ten, TenByEight, Twelve, WithBoard};

/// A board and a movement as a type, which a move generator is compiled for.
///
/// The rows of the table are types without size whose [`movement`](Ruleset::movement) is a constant. Reading a
/// field costs nothing, and branches on it vanish. [`Custom`] carries its fields and reads them at run time.
///
/// ```
/// use pdn_rules::internal::rules::{Ruleset, rows};
///
/// assert!(rows::International.movement().flying && !rows::English.movement().flying);
/// assert_eq!(size_of::<rows::International>(), 0, "the fields are constants of the type");
/// ```
pub trait Ruleset: Copy + Send + Sync + core::fmt::Debug + 'static {
    /// The board.
    type Geometry: Geometry;
    /// `true` if the fields are constants. Code that tests many fields at once is worth compiling only then.
    const FIXED: bool;

    /// Returns how pieces move, capture and promote.
    fn movement(&self) -> Movement;
}

/// The word that holds a set of squares of the ruleset's board.
pub type BitsOf<R> = <<R as Ruleset>::Geometry as Geometry>::Bits;

/// Movement that is known only at run time, on a board known at compile time.
///
/// ```
/// use pdn_rules::internal::board::Eight;
/// use pdn_rules::internal::rules::{Custom, Ruleset};
/// use pdn_rules::rules::Variant;
///
/// let mut movement = Variant::English.rules().movement;
/// movement.flying = true;
/// assert!(Custom::<Eight>::new(movement).movement().flying);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Custom<G> {
    movement: Movement,
    board: core::marker::PhantomData<fn() -> G>,
}

impl<G: Geometry> Custom<G> {
    /// Creates a ruleset with these fields.
    pub const fn new(movement: Movement) -> Self {
        Self { movement, board: core::marker::PhantomData }
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

/// Work that is compiled for every row of the table; handed to [`Rules::with`].
///
/// It is a trait and not a closure because a closure cannot be generic.
///
/// ```
/// use pdn_rules::internal::board::Geometry;
/// use pdn_rules::internal::rules::{Ruleset, WithRules};
/// use pdn_rules::rules::Variant;
///
/// struct BoardOf;
///
/// impl WithRules for BoardOf {
///     type Output = (pdn_rules::board::Board, bool);
///     fn run<R: Ruleset>(self, rules: R) -> Self::Output {
///         (R::Geometry::BOARD, rules.movement().flying)
///     }
/// }
///
/// assert_eq!(Variant::English.rules().with(BoardOf), (pdn_rules::board::Board::Eight, false));
/// ```
pub trait WithRules {
    /// The result of the work.
    type Output;

    /// Does the work under these rules.
    fn run<R: Ruleset>(self, rules: R) -> Self::Output;
}

/// Runs work under [`Custom`] rules on a board known at run time.
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

// Twin: `Custom`, which reads the fields at run time; test: `row_types_equal_rules_read_at_run_time`.
macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident: $geometry:ident, $row:ident, if $kept:meta;)*) => {
        /// The rows of the table as types. Variants with the same movement on the same board share one.
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

        /// A row of the table that has code of its own.
        #[derive(Clone, Copy)]
        enum Row {
            $(#[cfg($kept)] $name,)*
        }

        impl Rules {
            /// Returns the row with the same movement and board; `None` if there is none, which without the feature `all-rows` is
            /// so for most.
            // Not inlined: the comparisons would stand in the program once for each work.
            #[inline(never)]
            fn row(&self) -> Option<Row> {
                $(
                    #[cfg($kept)]
                    if self.board == $geometry::BOARD && self.movement == table::$row.movement {
                        return Some(Row::$name);
                    }
                )*
                None
            }

            /// Runs `work` with these rules as a type: the row of the table with the same movement and board, or
            /// [`Custom`] if there is none. The choice costs a few nanoseconds, so make it once per game and not once per move.
            pub fn with<W: WithRules>(&self, work: W) -> W::Output {
                match self.row() {
                    $(#[cfg($kept)] Some(Row::$name) => work.run(rows::$name),)*
                    None => self.board.with(RunCustom { movement: self.movement, work }),
                }
            }
        }

        #[cfg(all(test, feature = "all-rows"))]
        mod tests {
            use super::*;
            use crate::rules::Variant;

            #[test]
            fn every_variant_has_a_row_type() {
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

rows_with_code!(rows);
