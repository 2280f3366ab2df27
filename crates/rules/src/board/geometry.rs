//! The five boards as types: constant shifts, rays and rows in a word of the right size.
//!
//! A board that is known only at run time becomes a type in one place, [`Board::with`]. [`PerBoard`] holds a value
//! of another type for each board, such as tables of its squares.

use core::fmt;

use super::bits::Bits;
use super::layout::BitLayout;
use super::square::Board;

/// A board whose shape is known at compile time, so that every step is a constant shift.
///
/// The trait is sealed: there are five boards. [`Board::with`] finds the type of a board that is known at run time only.
///
/// ```
/// use pdn_rules::internal::board::{Bits, Direction, Geometry, Ten};
///
/// // One step forward and left from all squares of White's edge.
/// let [_, blacks_last_row] = Ten::LAST_ROWS;
/// let reached = Ten::step(blacks_last_row, Direction::NorthWest as usize) & Ten::VALID;
/// assert_eq!((blacks_last_row.count(), reached.count()), (5, 4));
/// ```
pub trait Geometry: super::Sealed + Copy + Default + Send + Sync + fmt::Debug + 'static {
    /// The word that holds a set of the board's squares.
    type Bits: Bits;
    /// The board as a value.
    const BOARD: Board;
    /// The position of the squares in the word.
    const LAYOUT: BitLayout = Self::BOARD.layout();
    /// The set of all squares.
    const VALID: Self::Bits;
    /// For each direction, the squares from which a bare shift would wrap around the edge.
    const WRAPS: [Self::Bits; 8];
    /// The rows on which men are promoted: White's men on the first, Black's men on the second.
    const LAST_ROWS: [Self::Bits; 2];

    /// Returns the squares from `at` to the edge, without `at` itself.
    fn ray(direction: usize, at: u8) -> Self::Bits;

    /// Returns the value of this board.
    #[doc(hidden)]
    fn entry<F: BoardFamily>(all: &PerBoard<F>) -> &F::Of<Self>;

    /// Returns the value of this board, to be changed.
    #[doc(hidden)]
    fn entry_mut<F: BoardFamily>(all: &mut PerBoard<F>) -> &mut F::Of<Self>;

    /// Moves every square of the set by one step. A square that leaves the board becomes a bit that no square owns,
    /// or falls out of the word. Intersect the result with real squares before the next step.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn step(set: Self::Bits, direction: usize) -> Self::Bits {
        let shift = Self::LAYOUT.shift(direction);
        let set = set & !Self::WRAPS[direction & 7];
        if shift < 0 { set >> shift.unsigned_abs() } else { set << shift as u32 }
    }

    /// Returns the square of `blockers` that a ray in this direction meets first. `blockers` must lie on that ray
    /// and must not be empty.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn nearest(blockers: Self::Bits, direction: usize) -> u8 {
        if Self::LAYOUT.shift(direction) < 0 { blockers.highest() } else { blockers.lowest() }
    }
}

macro_rules! geometry {
    ($(#[$doc:meta])* $name:ident, $entry:ident, $bits:ty, $board:expr, $size:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name;

        const _: () = {
            const LAYOUT: BitLayout = $board.layout();
            static RAYS: [[$bits; $size]; 8] = {
                let wide = LAYOUT.rays();
                let mut rays = [[0; $size]; 8];
                let mut direction = 0;
                while direction < 8 {
                    let mut at = 0;
                    while at < $size {
                        rays[direction][at] = wide[direction][at] as $bits;
                        at += 1;
                    }
                    direction += 1;
                }
                rays
            };
            const _: () = assert!($size == 128 || LAYOUT.valid() >> ($size % 128) == 0, "the board fits the word");

            impl crate::board::Sealed for $name {}

            impl Geometry for $name {
                type Bits = $bits;
                const BOARD: Board = $board;
                const VALID: $bits = LAYOUT.valid() as $bits;
                const WRAPS: [$bits; 8] = {
                    let wide = LAYOUT.wraps();
                    let mut wraps = [0; 8];
                    let mut direction = 0;
                    while direction < 8 {
                        wraps[direction] = wide[direction] as $bits;
                        direction += 1;
                    }
                    wraps
                };
                const LAST_ROWS: [$bits; 2] =
                    [LAYOUT.row(0) as $bits, LAYOUT.row(LAYOUT.height as i8 - 1) as $bits];

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn ray(direction: usize, at: u8) -> $bits {
                    RAYS[direction & 7][at as usize % $size]
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn entry<F: BoardFamily>(all: &PerBoard<F>) -> &F::Of<Self> {
                    &all.$entry
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn entry_mut<F: BoardFamily>(all: &mut PerBoard<F>) -> &mut F::Of<Self> {
                    &mut all.$entry
                }
            }
        };
    };
}

geometry!(
    /// The 8x8 board with 32 squares.
    Eight, eight, u64, Board::Eight, 64
);
geometry!(
    /// The 8x8 board with 64 squares, for games that move straight.
    EightFull, eight_full, u64, Board::EightFull, 64
);
geometry!(
    /// The board that is 10 wide and 8 high, with 40 squares.
    TenByEight, ten_by_eight, u64, Board::TenByEight, 64
);
geometry!(
    /// The 10x10 board with 50 squares.
    Ten, ten, u64, Board::Ten, 64
);
geometry!(
    /// The 12x12 board with 72 squares.
    Twelve, twelve, u128, Board::Twelve, 128
);

/// Work that is compiled for every board; handed to [`Board::with`].
///
/// It is a trait and not a closure because a closure cannot be generic.
///
/// ```
/// use pdn_rules::board::Board;
/// use pdn_rules::internal::board::{Bits, Geometry, WithBoard};
///
/// struct CountSquares;
///
/// impl WithBoard for CountSquares {
///     type Output = u32;
///     fn run<G: Geometry>(self) -> u32 {
///         G::VALID.count()
///     }
/// }
///
/// assert_eq!(Board::Twelve.with(CountSquares), 72);
/// ```
pub trait WithBoard {
    /// The result of the work.
    type Output;

    /// Does the work on the board `G`.
    fn run<G: Geometry>(self) -> Self::Output;
}

impl Board {
    /// Runs `work` compiled for this board. The choice costs about a nanosecond.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn with<W: WithBoard>(self, work: W) -> W::Output {
        match self {
            Self::Eight => work.run::<Eight>(),
            Self::EightFull => work.run::<EightFull>(),
            Self::TenByEight => work.run::<TenByEight>(),
            Self::Ten => work.run::<Ten>(),
            Self::Twelve => work.run::<Twelve>(),
        }
    }
}

/// The types of the values in a [`PerBoard`]: one type for each board.
///
/// Not part of the stable interface.
#[doc(hidden)]
pub trait BoardFamily {
    /// The type of the value for the board `G`.
    type Of<G: Geometry>;
}

/// One value for each of the five boards; [`Geometry::entry`] selects one by the type of its board.
///
/// Not part of the stable interface.
#[doc(hidden)]
pub struct PerBoard<F: BoardFamily> {
    eight: F::Of<Eight>,
    eight_full: F::Of<EightFull>,
    ten_by_eight: F::Of<TenByEight>,
    ten: F::Of<Ten>,
    twelve: F::Of<Twelve>,
}

impl<F: BoardFamily> Default for PerBoard<F>
where
    F::Of<Eight>: Default,
    F::Of<EightFull>: Default,
    F::Of<TenByEight>: Default,
    F::Of<Ten>: Default,
    F::Of<Twelve>: Default,
{
    fn default() -> Self {
        Self {
            eight: Default::default(),
            eight_full: Default::default(),
            ten_by_eight: Default::default(),
            ten: Default::default(),
            twelve: Default::default(),
        }
    }
}

impl<F: BoardFamily> fmt::Debug for PerBoard<F>
where
    F::Of<Eight>: fmt::Debug,
    F::Of<EightFull>: fmt::Debug,
    F::Of<TenByEight>: fmt::Debug,
    F::Of<Ten>: fmt::Debug,
    F::Of<Twelve>: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { eight, eight_full, ten_by_eight, ten, twelve } = self;
        let values: [&dyn fmt::Debug; 5] = [eight, eight_full, ten_by_eight, ten, twelve];
        f.debug_map().entries(Board::ALL.iter().zip(values)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::internal::board::Direction;

    /// Compares every step and ray with counting rows and columns.
    fn check<G: Geometry>(wrapping: bool) {
        let layout = G::LAYOUT;
        assert_eq!(G::VALID.count(), u32::from(layout.squares()));
        assert_eq!(G::VALID.widen(), G::BOARD.valid());
        let diagonal_wraps = G::WRAPS[..4].iter().any(|wraps| wraps.any());
        assert_eq!(diagonal_wraps, wrapping, "{:?} needs no mask on diagonals", G::BOARD);
        for at in G::VALID.squares() {
            let (row, column) = layout.cell(at).expect("a square owns the bit");
            assert_eq!(layout.bit(row, column), Some(at));
            for &direction in Direction::ALL {
                let (rows, columns) = direction.cells(layout.straight());
                let expected = layout.bit(row + rows, column + columns);
                let stepped = G::step(G::Bits::one(at), direction as usize) & G::VALID;
                assert_eq!(stepped.squares().next(), expected);
                let ray = G::ray(direction as usize, at);
                match expected {
                    None => assert!(!ray.any()),
                    Some(next) => {
                        assert_eq!(G::nearest(ray, direction as usize), next);
                        assert_eq!(ray, G::ray(direction as usize, next) | G::Bits::one(next));
                    }
                }
            }
        }
    }

    #[test]
    fn shifts_and_rays_agree_with_rows_and_columns() {
        check::<Eight>(false);
        check::<TenByEight>(false);
        check::<Ten>(false);
        check::<Twelve>(false);
        check::<EightFull>(true);
        assert!(Ten::WRAPS.iter().all(|&wraps| wraps == 0), "straight steps on 10x10 need no mask either");
    }

    #[test]
    fn boards_dispatch_to_their_own_types_and_values() {
        struct Written;
        impl BoardFamily for Written {
            type Of<G: Geometry> = Option<G>;
        }
        struct Write<'a>(&'a mut PerBoard<Written>);
        impl WithBoard for Write<'_> {
            type Output = Board;
            fn run<G: Geometry>(self) -> Board {
                assert!(G::entry(self.0).is_none(), "each board has a value of its own");
                *G::entry_mut(self.0) = Some(G::default());
                G::BOARD
            }
        }
        let mut written = PerBoard::<Written>::default();
        for &board in Board::ALL {
            assert_eq!(board.with(Write(&mut written)), board);
        }
    }
}
