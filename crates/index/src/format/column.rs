//! Columns of numbers: one value per game, each in as few bits as the largest needs, read in O(1).
//!
//! A column is `width kind 0 0 | u32 entries of the table | u64 base | table | bits`. Number `i` of the bits is added
//! to `base` in kind 0. In kind 1 it is an index into the table, whose entries are `u64` in ascending order. A table
//! is written where it makes the column smaller: dates, piece counts. A column of equal values has width 0 and no
//! bits.

use std::ops::Range;

use super::packed_bits::{PackedBits, width_of, write_bits};
use super::wire::{Reader, Writer, u64_at};
use crate::files::FilePart;
use crate::game_set::GameSet;
use pdn::internal::simd;
use pdn::internal::simd::{Isa, Task};

/// Greatest width, in bits, of the stored numbers of a column whose possible numbers are all tested beforehand. In wider
/// columns the test is called for each game.
const MAX_TRIED_WIDTH: u32 = 16;
/// Least number of games for each such number. In columns with fewer games the test is called for each game.
const GAMES_PER_NUMBER: usize = 4;

/// Bytes before the table.
const HEADER_LEN: u64 = 16;

/// Finds the minimum and maximum of values; compiled for every instruction set.
// Twin: the values themselves; test: `columns_return_their_values`.
struct MinMax<'v>(&'v [u32]);

impl Task for MinMax<'_> {
    type Output = (u32, u32);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, _: I) -> (u32, u32) {
        self.0.iter().fold((u32::MAX, 0), |(min, max), &value| (value.min(min), value.max(max)))
    }
}

/// A column of a segment: one value per game. Reading a value costs a load, a shift and a mask.
///
/// No promise: part of the format, public for tools and tests.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct Column<'a> {
    len: usize,
    base: u64,
    table: Option<&'a [u8]>,
    packed: PackedBits<'a>,
}

impl<'a> Column<'a> {
    /// Reads a column of `len` values; `None` if the bytes are malformed.
    pub(crate) fn new(bytes: &'a [u8], len: usize) -> Option<Self> {
        let mut reader = Reader(bytes);
        let [width, kind, _, _] = reader.array()?;
        let entries = reader.u32()? as usize;
        let base = reader.u64()?;
        let (table, bits) = reader.0.split_at_checked(entries.checked_mul(8)?)?;
        let packed = PackedBits::new(bits, width, len)?;
        let table = match kind {
            0 if entries == 0 => None,
            1 if entries > 0 || len == 0 => Some(table),
            _ => return None,
        };
        Some(Self { len, base, table, packed })
    }

    /// Reads a column of a file that is read by ranges: the part before its values now, and each value when it is asked for.
    pub(crate) fn in_file(part: FilePart<'a>, len: usize) -> Option<Self> {
        let mut reader = Reader(part.get(0..HEADER_LEN)?);
        let [width, kind, _, _] = reader.array()?;
        let entries = u64::from(reader.u32()?);
        let base = reader.u64()?;
        let table = part.get(HEADER_LEN..HEADER_LEN + 8 * entries)?;
        let packed = PackedBits::in_file(part.after(HEADER_LEN + 8 * entries)?, width, len)?;
        let table = match kind {
            0 if entries == 0 => None,
            1 if entries > 0 || len == 0 => Some(table),
            _ => return None,
        };
        Some(Self { len, base, table, packed })
    }

    /// Reads a column of which `head` has the part before its numbers. These are at some bit in rows of so many bits, and each is read when it
    /// is asked for.
    pub(crate) fn in_rows(
        head: &'a [u8],
        rows: FilePart<'a>,
        (first_bit, row_bits): (u32, u32),
        len: usize,
    ) -> Option<Self> {
        let mut reader = Reader(head);
        let [width, kind, _, _] = reader.array()?;
        let entries = reader.u32()? as usize;
        let base = reader.u64()?;
        let packed = PackedBits::in_steps(rows, width, (first_bit.into(), row_bits.into()), len)?;
        let table = match kind {
            0 if entries == 0 => None,
            1 if entries > 0 || len == 0 => Some(reader.0),
            _ => return None,
        };
        (entries.checked_mul(8)? == reader.0.len()).then_some(Self { len, base, table, packed })
    }

    /// Returns the number of bytes before the numbers.
    pub(crate) fn head_len(&self) -> usize {
        HEADER_LEN as usize + self.table.map_or(0, <[u8]>::len)
    }

    /// Returns the width of the numbers in bits.
    pub(crate) fn width(&self) -> u32 {
        self.packed.width
    }

    /// Returns the number that is stored of a game.
    pub(crate) fn stored(&self, index: usize) -> u64 {
        self.packed.get(index)
    }

    /// Returns the number of values, one per game of the segment.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the column has no values.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the value of a game, counted from 0 in the segment.
    #[inline]
    pub fn get(&self, index: usize) -> Option<u64> {
        (index < self.len).then(|| self.value(self.packed.get(index)))
    }

    /// Adds where the value of a game is in its file, if it is read from there.
    pub(crate) fn expect(&self, index: usize, parts: &mut Vec<FilePart<'a>>) {
        self.packed.expect(index, parts);
    }

    /// Iterates over the values in the order of the games.
    #[inline]
    pub fn values(&self) -> impl ExactSizeIterator<Item = u64> {
        let column = self.read();
        (0..self.len).map(move |index| column.value(column.packed.get(index)))
    }

    /// Returns the same column, all of whose values are read at once if they are in a file that is read by ranges.
    fn read(&self) -> Self {
        Self { packed: self.packed.read(), ..*self }
    }

    /// Returns the games whose value passes `test`. If the column has a table, or many games share few possible values, `test` is
    /// called once per value, not per game.
    pub fn games(&self, test: impl Fn(u64) -> bool) -> GameSet {
        let filter = self.read().filter(test);
        if let Some(result) = filter.constant() {
            return GameSet::first(if result { self.len as u32 } else { 0 });
        }
        let mut bytes = Vec::with_capacity(self.len.div_ceil(64) * 8);
        for first in (0..self.len).step_by(64) {
            bytes.extend_from_slice(&filter.bits(first, 64).to_le_bytes());
        }
        GameSet::from_bits(&bytes)
    }

    /// Prepares `test` for repeated use on ranges of games; see [`ColumnFilter`].
    pub fn filter<F: Fn(u64) -> bool>(&self, test: F) -> ColumnFilter<'a, F> {
        let test_by = match self.table {
            _ if self.len == 0 => FilterTest::Same(false),
            Some(table) => FilterTest::numbers(
                (0..table.len() / 8).map(|i| u64_at(table, i).is_some_and(&test)).collect(),
            ),
            None if self.tries_numbers() => {
                let stored = 0..1 << self.packed.width;
                FilterTest::numbers(stored.map(|stored| test(self.base.wrapping_add(stored))).collect())
            }
            None => FilterTest::Values(test),
        };
        ColumnFilter { column: *self, test_by }
    }

    /// Returns `true` if trying all stored numbers takes less time than testing the value of each game.
    fn tries_numbers(&self) -> bool {
        let width = self.packed.width;
        width == 0 || width <= MAX_TRIED_WIDTH && self.len >> width >= GAMES_PER_NUMBER
    }

    /// Returns the value that a stored number stands for.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value(&self, stored: u64) -> u64 {
        match self.table {
            None => self.base.wrapping_add(stored),
            Some(table) => u64_at(table, stored as usize).unwrap_or(0),
        }
    }
}

/// The games whose value passes a test; made by [`Column::filter`].
///
/// No promise: part of the format, public for tools and tests.
#[derive(Debug)]
#[doc(hidden)]
pub struct ColumnFilter<'a, F> {
    column: Column<'a>,
    test_by: FilterTest<F>,
}

/// How the test is decided for a game.
#[derive(Debug)]
enum FilterTest<F> {
    /// The same result for every game.
    Same(bool),
    /// Passes if the stored number is in this range. Faster than looking each up.
    Run(Range<u64>),
    /// The result by stored number.
    Numbers(Vec<bool>),
    /// The test, to be called with the value.
    Values(F),
}

impl<F> FilterTest<F> {
    /// Returns the test that passes the stored numbers for which `passing` is `true`.
    fn numbers(passing: Vec<bool>) -> Self {
        let Some(first) = passing.iter().position(|&passes| passes) else { return Self::Same(false) };
        let count = passing.iter().filter(|&&passes| passes).count();
        if count == passing.len() {
            Self::Same(true)
        } else if passing[first..first + count].iter().all(|&passes| passes) {
            Self::Run(first as u64..(first + count) as u64)
        } else {
            Self::Numbers(passing)
        }
    }
}

impl<F: Fn(u64) -> bool> ColumnFilter<'_, F> {
    /// Returns the result if it is the same for all games and known without reading them.
    pub fn constant(&self) -> Option<bool> {
        match self.test_by {
            FilterTest::Same(result) => Some(result),
            _ => None,
        }
    }

    /// Returns a bit for each of `games` (at most 64) games from `first` on, lowest first: 1 if its value passes.
    /// Bits beyond the last game are 0. Costs about 1 ns per game.
    #[inline]
    pub fn bits(&self, first: usize, games: usize) -> u64 {
        let Column { len, base, packed, .. } = &self.column;
        let games = games.min(64).min(len.saturating_sub(first));
        match &self.test_by {
            FilterTest::Same(false) => 0,
            FilterTest::Same(true) => u64::MAX.checked_shr(64 - games as u32).unwrap_or(0),
            FilterTest::Run(run) => {
                let (start, len) = (run.start, run.end - run.start);
                packed.matching(first, games, |stored| stored.wrapping_sub(start) < len)
            }
            FilterTest::Numbers(passing) => {
                packed.matching(first, games, |stored| passing.get(stored as usize) == Some(&true))
            }
            FilterTest::Values(test) => {
                packed.matching(first, games, |stored| test(base.wrapping_add(stored)))
            }
        }
    }
}

/// Encodes a column. With `table`, a table is written if that is smaller.
pub(crate) fn write_column(values: &[u32], table: bool) -> Vec<u8> {
    let (min, max) = simd::run(MinMax(values));
    let min = min.min(max);
    let width = width_of(u64::from(max - min));
    let mut out = Writer::default();
    if table && width > 0 {
        let untabled_len = values.len() * width as usize / 8;
        if let Some((entries, ids)) = table_of(values, min, max, untabled_len / 8) {
            let id_width = width_of(entries.len() as u64 - 1);
            if entries.len() * 8 + values.len() * id_width as usize / 8 < untabled_len {
                out.0.extend([id_width as u8, 1, 0, 0]);
                out.u32(entries.len() as u32);
                out.u64(0);
                entries.iter().for_each(|&entry| out.u64(u64::from(entry)));
                write_bits(ids.iter().map(|&id| u64::from(id)), id_width, &mut out.0);
                return out.0;
            }
        }
    }
    out.0.extend([width as u8, 0, 0, 0]);
    out.u32(0);
    out.u64(u64::from(min));
    write_bits(values.iter().map(|&value| u64::from(value - min)), width, &mut out.0);
    out.0
}

/// Returns the distinct values in ascending order, and the index of each value among them; `None` if there are more
/// than `max_entries`.
fn table_of(values: &[u32], min: u32, max: u32, max_entries: usize) -> Option<(Vec<u32>, Vec<u32>)> {
    /// Largest range of values that is looked up in an array instead of a hash map.
    const DIRECT: u32 = 1 << 20;
    if max - min < DIRECT {
        let mut ids_by_value = vec![0; (max - min) as usize + 1];
        values.iter().for_each(|&value| ids_by_value[(value - min) as usize] = 1);
        let mut entries = Vec::new();
        for (value, id) in (min..).zip(&mut ids_by_value) {
            if *id != 0 {
                *id = entries.len() as u32;
                entries.push(value);
            }
        }
        let ids = || values.iter().map(|&value| ids_by_value[(value - min) as usize]).collect();
        return (entries.len() <= max_entries).then(|| (entries, ids()));
    }
    // Numbers distinct values by first occurrence, then renumbers them in ascending order.
    let (mut ids_by_value, mut distinct) = (foldhash::HashMap::<u32, u32>::default(), Vec::new());
    let mut ids = Vec::with_capacity(values.len());
    let mut last = None;
    for &value in values {
        let id = match last {
            Some((before, id)) if before == value => id,
            _ => *ids_by_value.entry(value).or_insert_with(|| {
                distinct.push(value);
                distinct.len() as u32 - 1
            }),
        };
        if distinct.len() > max_entries {
            return None;
        }
        last = Some((value, id));
        ids.push(id);
    }
    let mut order: Vec<u32> = (0..distinct.len() as u32).collect();
    order.sort_unstable_by_key(|&id| distinct[id as usize]);
    let mut ranks = vec![0; distinct.len()];
    (0..).zip(&order).for_each(|(rank, &id)| ranks[id as usize] = rank);
    ids.iter_mut().for_each(|id| *id = ranks[*id as usize]);
    Some((order.iter().map(|&id| distinct[id as usize]).collect(), ids))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(values: &[u32], table: bool) -> usize {
        let bytes = write_column(values, table);
        let column = Column::new(&bytes, values.len()).expect("as written");
        assert!(column.values().eq(values.iter().map(|&value| u64::from(value))));
        assert_eq!(column.get(values.len()), None);
        // Values that are not consecutive, consecutive ones in the middle, all and none.
        let tests: [fn(u64) -> bool; 5] = [
            |value| value.is_multiple_of(2),
            |value| (2..6).contains(&value),
            |value| value > 3,
            |_| true,
            |_| false,
        ];
        for test in tests {
            let filter = column.filter(test);
            for (first, games) in [(0, 64), (8, 3), (5, 64), (64, 32), (values.len(), 1)] {
                let bits = values.iter().skip(first).take(games).zip(0..);
                let expected = bits.fold(0, |bits, (&v, at)| bits | u64::from(test(v.into())) << at);
                assert_eq!(filter.bits(first, games), expected, "{games} from {first}");
            }
            let expected: GameSet =
                (0..).zip(values).filter(|&(_, &v)| test(v.into())).map(|(i, _)| i).collect();
            assert_eq!(column.games(test), expected);
        }
        for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            assert!(Column::new(&bytes[..cut], values.len()).is_none(), "cut to {cut}");
        }
        bytes.len()
    }

    #[test]
    fn column_stores_no_bits_for_equal_values() {
        assert_eq!(check(&[7; 1000], true), 24);
        assert_eq!(check(&[], false), 24);
    }

    #[test]
    fn column_uses_a_table_if_it_is_smaller() {
        let two_values: Vec<u32> = (0..1000).map(|i| if i % 2 == 0 { 0 } else { 1_000_000 }).collect();
        assert_eq!(check(&two_values, true), 24 + 16 + 125);
        assert!(check(&two_values, false) > 2000);
    }

    #[test]
    fn column_table_does_not_depend_on_the_range() {
        // Ranges: dense, within reach of an array, and sparse. 100,000 distinct values are too many for a table to be
        // smaller.
        for range in [300, 1 << 19, 1 << 31] {
            for different in [3, 40, 100_000u32] {
                let value = |i: u32| i.wrapping_mul(0x9e37_79b9) % different * (range / different).max(1);
                let values: Vec<u32> = (0..2000).map(value).collect();
                let bytes = check(&values, true);
                let untabled_len = check(&values, false);
                let mut entries = values.clone();
                entries.sort_unstable();
                entries.dedup();
                let id_width = width_of(entries.len() as u64 - 1) as usize;
                let tabled = 24 + entries.len() * 8 + (values.len() * id_width).div_ceil(8);
                assert_eq!(bytes, untabled_len.min(tabled), "{different} values below {range}");
            }
        }
    }

    proptest! {
        #[test]
        fn columns_return_their_values(values in prop::collection::vec(any::<u32>(), 0..200), table: bool, few: bool) {
            let values: Vec<u32> = values.iter().map(|value| if few { value % 8 } else { *value }).collect();
            check(&values, table);
        }

        #[test]
        fn columns_never_panic_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..80), len in 0usize..100) {
            if let Some(column) = Column::new(&bytes, len) {
                column.values().for_each(drop);
            }
        }
    }
}
