//! The position of a board's cells in a word, and the tables that follow from it.
//!
//! On boards that use every second cell, a step down is half a `pitch` of bits and a step to the right is half a
//! bit. Every direction is then one constant shift. If the pitch is large enough, a step across the edge falls on a
//! bit that no square owns (a ghost). If it is not, the tables list the squares from which a step would wrap
//! around. Everything here is computed at compile time.

use super::direction::Direction;

/// The cells of a board and the bits that they own.
///
/// Rows count from Black's side downwards and columns from the left, both as White sees the board and both from 0.
/// On boards that use every second cell, the lower left corner is a playing square. A board set up the other way
/// round is the mirror image of this one; its [`Numbering`](super::Numbering) says so.
///
/// ```
/// use pdn_rules::board::Board;
///
/// let layout = Board::Ten.layout();
/// assert_eq!((layout.bit(0, 1), layout.bit(0, 0)), (Some(0), None), "only every second cell is played on");
/// assert_eq!(layout.squares(), 50);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct BitLayout {
    /// The number of columns.
    pub width: u8,
    /// The number of rows.
    pub height: u8,
    /// The number of bits from a row to the next but one; on boards that use every cell, from a row to the next.
    pub pitch: u8,
    /// `true` if every cell is a playing square.
    pub full: bool,
}

impl BitLayout {
    /// The largest number of bits that a layout has.
    pub const MAX: usize = 128;

    /// Returns the number of playing squares.
    pub const fn squares(self) -> u8 {
        let cells = self.width * self.height;
        if self.full { cells } else { cells / 2 }
    }

    /// Returns the length of a straight step in cells.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn straight(self) -> i8 {
        if self.full { 1 } else { 2 }
    }

    /// Returns the bit of a cell; `None` off the board and for cells that are not played on.
    pub const fn bit(self, row: i8, column: i8) -> Option<u8> {
        if row < 0 || column < 0 || row >= self.height as i8 || column >= self.width as i8 {
            return None;
        }
        if self.full {
            return Some(row as u8 * self.pitch + column as u8);
        }
        if (row + column) % 2 == 0 {
            return None;
        }
        // The first playing cell is row 0, column 1; half bits cancel because row + column is odd.
        Some((row as u8 * self.pitch + column as u8 - 1) / 2)
    }

    /// Returns the row and column of a bit; `None` if no square owns the bit.
    pub const fn cell(self, bit: u8) -> Option<(i8, i8)> {
        let mut row = 0;
        while row < self.height as i8 {
            let mut column = 0;
            while column < self.width as i8 {
                if let Some(at) = self.bit(row, column)
                    && at == bit
                {
                    return Some((row, column));
                }
                column += 1;
            }
            row += 1;
        }
        None
    }

    /// Returns for each bit the one of its square after a turn of the board by 180 degrees. Bits without a square stay.
    pub const fn turned(self) -> [u8; Self::MAX] {
        self.moved_cells(true)
    }

    /// Returns for each bit the one of its square after an exchange of left and right. Bits without a square stay, and so do
    /// all on boards that use every second cell: there the exchange puts pieces on cells that are not played on.
    pub const fn mirrored(self) -> [u8; Self::MAX] {
        self.moved_cells(false)
    }

    /// Returns where each bit is after an exchange of left and right and, if `rows` is `true`, of top and bottom.
    const fn moved_cells(self, rows: bool) -> [u8; Self::MAX] {
        let mut moved = [0; Self::MAX];
        let mut bit = 0;
        while bit < Self::MAX {
            moved[bit] = bit as u8;
            bit += 1;
        }
        let mut row = 0;
        while row < self.height as i8 {
            let mut column = 0;
            while column < self.width as i8 {
                let other_row = if rows { self.height as i8 - 1 - row } else { row };
                let other_column = self.width as i8 - 1 - column;
                if let (Some(from), Some(to)) = (self.bit(row, column), self.bit(other_row, other_column)) {
                    moved[from as usize] = to;
                }
                column += 1;
            }
            row += 1;
        }
        moved
    }

    /// Returns the signed shift of one step in the direction with this number, taken modulo 8.
    ///
    /// The move generator calls it for every step with constants, so it is inlined to become a constant there.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn shift(self, direction: usize) -> i32 {
        let (rows, columns) = Direction::ALL[direction & 7].cells(self.straight());
        if self.full {
            rows as i32 * self.pitch as i32 + columns as i32
        } else {
            (rows as i32 * self.pitch as i32 + columns as i32) / 2
        }
    }

    /// Computes the set of all playing squares, cell by cell: for constants, such as those of [`Board::valid`](super::Board::valid).
    pub(super) const fn valid(self) -> u128 {
        let mut set = 0;
        let mut row = 0;
        while row < self.height as i8 {
            set |= self.row(row);
            row += 1;
        }
        set
    }

    /// Returns the playing squares of a row.
    pub const fn row(self, row: i8) -> u128 {
        let mut set = 0;
        let mut column = 0;
        while column < self.width as i8 {
            if let Some(bit) = self.bit(row, column) {
                set |= 1u128 << bit;
            }
            column += 1;
        }
        set
    }

    /// Returns, for each direction, the squares from which a bare shift would land on a wrong square.
    pub const fn wraps(self) -> [u128; 8] {
        let mut wraps = [0; 8];
        let valid = self.valid();
        let mut direction = 0;
        while direction < 8 {
            let (rows, columns) = Direction::ALL[direction].cells(self.straight());
            let mut row = 0;
            while row < self.height as i8 {
                let mut column = 0;
                while column < self.width as i8 {
                    if let Some(bit) = self.bit(row, column) {
                        let to = bit as i32 + self.shift(direction);
                        let off = self.bit(row + rows, column + columns).is_none();
                        if off && to >= 0 && to < 128 && valid >> to & 1 != 0 {
                            wraps[direction] |= 1u128 << bit;
                        }
                    }
                    column += 1;
                }
                row += 1;
            }
            direction += 1;
        }
        wraps
    }

    /// Returns, for each direction and bit, the squares from there to the edge, without the first.
    pub const fn rays(self) -> [[u128; Self::MAX]; 8] {
        let mut rays = [[0; Self::MAX]; 8];
        let mut direction = 0;
        while direction < 8 {
            let (rows, columns) = Direction::ALL[direction].cells(self.straight());
            let mut row = 0;
            while row < self.height as i8 {
                let mut column = 0;
                while column < self.width as i8 {
                    if let Some(bit) = self.bit(row, column) {
                        let (mut r, mut c) = (row + rows, column + columns);
                        while let Some(next) = self.bit(r, c) {
                            rays[direction][bit as usize] |= 1u128 << next;
                            r += rows;
                            c += columns;
                        }
                    }
                    column += 1;
                }
                row += 1;
            }
            direction += 1;
        }
        rays
    }
}
