//! The five boards as types: constant shifts, rays and rows in a word of the right size.

use super::bits::Bits;
use super::layout::BitLayout;
use super::square::Board;

/// A board whose shape is known at compile time, so that every step is a constant shift.
pub trait Geometry: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// The word that holds a set of its squares.
    type Bits: Bits;
    /// The board as a value.
    const BOARD: Board;
    /// Where the squares lie.
    const LAYOUT: BitLayout = Self::BOARD.layout();
    /// All squares.
    const VALID: Self::Bits;
    /// The squares from which a shift in a direction would wrap around the edge.
    const WRAPS: [Self::Bits; 8];
    /// The row on which a man of White, a man of Black is crowned.
    const LAST_ROWS: [Self::Bits; 2];

    /// The squares from `at`, itself excluded, to the edge.
    fn ray(direction: usize, at: u8) -> Self::Bits;

    /// Every square of the set moved by one step. What leaves the board lands on no square or falls out of the
    /// word, so the result is to be intersected with real squares before the next step.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn step(set: Self::Bits, direction: usize) -> Self::Bits {
        let shift = Self::LAYOUT.shift(direction);
        let set = set & !Self::WRAPS[direction];
        if shift < 0 { set >> shift.unsigned_abs() } else { set << shift as u32 }
    }

    /// The square of `blockers` that is first met on a ray in this direction; only for a non-empty set.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn nearest(blockers: Self::Bits, direction: usize) -> u8 {
        if Self::LAYOUT.shift(direction) < 0 { blockers.highest() } else { blockers.lowest() }
    }
}

macro_rules! geometry {
    ($(#[$doc:meta])* $name:ident, $bits:ty, $board:expr, $size:literal) => {
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
            }
        };
    };
}

geometry!(
    /// The 32 squares of 8x8.
    Eight, u64, Board::Eight, 64
);
geometry!(
    /// The 64 squares of 8x8, for games that move straight.
    EightFull, u64, Board::EightFull, 64
);
geometry!(
    /// The 40 squares of the board that is 10 wide and 8 high.
    TenByEight, u64, Board::TenByEight, 64
);
geometry!(
    /// The 50 squares of 10x10.
    Ten, u64, Board::Ten, 64
);
geometry!(
    /// The 72 squares of 12x12.
    Twelve, u128, Board::Twelve, 128
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Direction;

    /// Every step and ray agrees with counting rows and columns.
    fn check<G: Geometry>(wrapping: bool) {
        let layout = G::LAYOUT;
        assert_eq!(G::VALID.count(), u32::from(layout.squares()));
        let diagonal_wraps = G::WRAPS[..4].iter().any(|wraps| wraps.any());
        assert_eq!(diagonal_wraps, wrapping, "{:?} needs no mask on diagonals", G::BOARD);
        for at in G::VALID.squares() {
            let (row, column) = layout.cell(at).expect("a square owns the bit");
            assert_eq!(layout.bit(row, column), Some(at));
            for direction in Direction::ALL {
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
}
