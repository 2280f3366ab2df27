//! Columns of numbers, each value in as few bits as the largest needs, and still found in O(1).
//!
//! A column is `width kind 0 0 | u32 entries of the table | u64 base | table | bits`. Value `i` is the number of
//! `width` bits (at most 56) that starts at bit `i * width`, lowest bits first; of kind 0 it is added to `base`, of kind 1
//! it is an index into the table, whose entries are u64 in ascending order. A table is written where it makes
//! the column smaller: dates, material. A column whose values are all the same has width 0 and no bits. Eight
//! zero bytes follow the bits, so that every value can be read as eight bytes.
//!
//! [`Ends`] are numbers that never fall, such as where things end: `width 0 0 0 | u32 count | u64 base of each
//! block of 32 | bits`, where the value is the difference to its block's base.

use roaring::RoaringBitmap;

use super::packed_bits::{Packed, width_of, write_bits};
use super::wire::{Reader, Writer, u64_at};
use crate::simd::{self, Isa, Task};

/// The search for the least and the greatest of some values, by vectors.
struct Extremes<'v>(&'v [u32]);

impl Task for Extremes<'_> {
    type Output = (u32, u32);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<I: Isa>(self, _: I) -> (u32, u32) {
        self.0.iter().fold((u32::MAX, 0), |(least, greatest), &value| (value.min(least), value.max(greatest)))
    }
}

/// A column of a segment. Reading a value is a load, a shift and a mask.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    len: usize,
    base: u64,
    table: Option<&'a [u8]>,
    packed: Packed<'a>,
}

impl<'a> Column<'a> {
    /// A column of `len` values; `None` if the bytes are not that.
    pub(crate) fn new(bytes: &'a [u8], len: usize) -> Option<Self> {
        let mut reader = Reader(bytes);
        let [width, kind, _, _] = reader.array()?;
        let entries = reader.u32()? as usize;
        let base = reader.u64()?;
        let (table, bits) = reader.0.split_at_checked(entries.checked_mul(8)?)?;
        let packed = Packed::new(bits, width, len)?;
        let table = match kind {
            0 if entries == 0 => None,
            1 if entries > 0 || len == 0 => Some(table),
            _ => return None,
        };
        Some(Self { len, base, table, packed })
    }

    /// How many values there are: one a game.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of a game.
    #[inline]
    pub fn get(&self, index: usize) -> Option<u64> {
        (index < self.len).then(|| self.value(self.packed.get(index)))
    }

    /// All values, in order.
    #[inline]
    pub fn values(&self) -> impl ExactSizeIterator<Item = u64> {
        (0..self.len).map(|index| self.value(self.packed.get(index)))
    }

    /// The games whose value fits. Where the column has a table, `fits` is asked once an entry, not once a game.
    pub fn games(&self, fits: impl Fn(u64) -> bool) -> RoaringBitmap {
        let marks = self.marks(fits);
        if let Some(answer) = marks.same() {
            let mut games = RoaringBitmap::new();
            if answer {
                games.insert_range(0..self.len as u32);
            }
            return games;
        }
        let mut bytes = Vec::with_capacity(self.len.div_ceil(64) * 8);
        for first in (0..self.len).step_by(64) {
            bytes.extend_from_slice(&marks.of(first, 64).to_le_bytes());
        }
        RoaringBitmap::from_lsb0_bytes(0, &bytes)
    }

    /// Prepares to ask which games have a value that fits.
    pub fn marks<F: Fn(u64) -> bool>(&self, fits: F) -> ColumnFilter<'a, F> {
        let all = |chosen: &[bool]| {
            chosen.iter().all(|&fits| fits == chosen[0]).then(|| chosen.first() == Some(&true))
        };
        let asked = match self.table {
            _ if self.len == 0 => Asked::Same(false),
            Some(table) => {
                let chosen: Vec<bool> =
                    (0..table.len() / 8).map(|i| u64_at(table, i).is_some_and(&fits)).collect();
                all(&chosen).map_or(Asked::Entries(chosen), Asked::Same)
            }
            None if self.packed.width == 0 => Asked::Same(fits(self.base)),
            None => Asked::Values(fits),
        };
        ColumnFilter { column: *self, asked }
    }

    /// What a stored number stands for.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value(&self, stored: u64) -> u64 {
        match self.table {
            None => self.base.wrapping_add(stored),
            Some(table) => u64_at(table, stored as usize).unwrap_or(0),
        }
    }
}

/// Which games have a value that fits; see [`Column::marks`].
#[derive(Debug)]
pub struct ColumnFilter<'a, F> {
    column: Column<'a>,
    asked: Asked<F>,
}

/// What has to be asked of a game.
#[derive(Debug)]
enum Asked<F> {
    /// Nothing.
    Same(bool),
    /// Which entry of the table its value is.
    Entries(Vec<bool>),
    /// Its value.
    Values(F),
}

impl<F: Fn(u64) -> bool> ColumnFilter<'_, F> {
    /// The answer, if it is the same for all games and known without looking at them.
    pub fn same(&self) -> Option<bool> {
        match self.asked {
            Asked::Same(answer) => Some(answer),
            _ => None,
        }
    }

    /// A bit for each of at most 64 games, the first one lowest; 0 for games that there are not. About a nanosecond each.
    #[inline]
    pub fn of(&self, first: usize, games: usize) -> u64 {
        let Column { len, base, packed, .. } = &self.column;
        let games = games.min(64).min(len.saturating_sub(first));
        match &self.asked {
            Asked::Same(false) => 0,
            Asked::Same(true) => u64::MAX.checked_shr(64 - games as u32).unwrap_or(0),
            Asked::Entries(chosen) => {
                packed.bits(first, games, |stored| chosen.get(stored as usize) == Some(&true))
            }
            Asked::Values(fits) => packed.bits(first, games, |stored| fits(base.wrapping_add(stored))),
        }
    }
}

/// The bytes of a column. `table` says whether a table is worth trying.
pub(crate) fn write_column(values: &[u32], table: bool) -> Vec<u8> {
    let (least, greatest) = simd::run(Extremes(values));
    let least = least.min(greatest);
    let width = width_of(u64::from(greatest - least));
    let mut out = Writer::default();
    if table && width > 0 {
        let plain = values.len() * width as usize / 8;
        if let Some((entries, ids)) = tabled(values, least, greatest, plain / 8) {
            let narrow = width_of(entries.len() as u64 - 1);
            if entries.len() * 8 + values.len() * narrow as usize / 8 < plain {
                out.0.extend([narrow as u8, 1, 0, 0]);
                out.u32(entries.len() as u32);
                out.u64(0);
                entries.iter().for_each(|&entry| out.u64(u64::from(entry)));
                write_bits(ids.iter().map(|&id| u64::from(id)), narrow, &mut out.0);
                return out.0;
            }
        }
    }
    out.0.extend([width as u8, 0, 0, 0]);
    out.u32(0);
    out.u64(u64::from(least));
    write_bits(values.iter().map(|&value| u64::from(value - least)), width, &mut out.0);
    out.0
}

/// The different values, ascending, and which of them each value is; `None` if they are more than `most`.
fn tabled(values: &[u32], least: u32, greatest: u32, most: usize) -> Option<(Vec<u32>, Vec<u32>)> {
    /// The widest range that is looked up by value.
    const DIRECT: u32 = 1 << 20;
    if greatest - least < DIRECT {
        let mut known = vec![0; (greatest - least) as usize + 1];
        values.iter().for_each(|&value| known[(value - least) as usize] = 1);
        let mut entries = Vec::new();
        for (value, id) in (least..).zip(&mut known) {
            if *id != 0 {
                *id = entries.len() as u32;
                entries.push(value);
            }
        }
        let ids = || values.iter().map(|&value| known[(value - least) as usize]).collect();
        return (entries.len() <= most).then(|| (entries, ids()));
    }
    // Numbered as they come first, then in their order.
    let (mut known, mut found) = (foldhash::HashMap::<u32, u32>::default(), Vec::new());
    let mut ids = Vec::with_capacity(values.len());
    let mut last = None;
    for &value in values {
        let id = match last {
            Some((before, id)) if before == value => id,
            _ => *known.entry(value).or_insert_with(|| {
                found.push(value);
                found.len() as u32 - 1
            }),
        };
        if found.len() > most {
            return None;
        }
        last = Some((value, id));
        ids.push(id);
    }
    let mut order: Vec<u32> = (0..found.len() as u32).collect();
    order.sort_unstable_by_key(|&id| found[id as usize]);
    let mut ranks = vec![0; found.len()];
    (0..).zip(&order).for_each(|(rank, &id)| ranks[id as usize] = rank);
    ids.iter_mut().for_each(|id| *id = ranks[*id as usize]);
    Some((order.iter().map(|&id| found[id as usize]).collect(), ids))
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
        let even = |value: u64| value.is_multiple_of(2);
        let marks = column.marks(even);
        for (first, games) in [(0, 64), (8, 3), (5, 64), (64, 32), (values.len(), 1)] {
            let bits = values.iter().skip(first).take(games).zip(0..);
            let expected = bits.fold(0, |bits, (&v, at)| bits | u64::from(even(v.into())) << at);
            assert_eq!(marks.of(first, games), expected, "{games} from {first}");
        }
        let expected: RoaringBitmap =
            (0..).zip(values).filter(|&(_, &v)| even(v.into())).map(|(i, _)| i).collect();
        assert_eq!(column.games(even), expected);
        for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            assert!(Column::new(&bytes[..cut], values.len()).is_none(), "cut to {cut}");
        }
        bytes.len()
    }

    #[test]
    fn a_constant_column_costs_nothing() {
        assert_eq!(check(&[7; 1000], true), 24);
        assert_eq!(check(&[], false), 24);
    }

    #[test]
    fn a_table_is_used_where_it_is_smaller() {
        let few: Vec<u32> = (0..1000).map(|i| if i % 2 == 0 { 0 } else { 1_000_000 }).collect();
        assert_eq!(check(&few, true), 24 + 16 + 125);
        assert!(check(&few, false) > 2000);
    }

    #[test]
    fn a_table_is_the_same_whatever_the_range() {
        // Beside each other, within reach of an array, and far apart; and the same with more values than pay.
        for range in [300, 1 << 19, 1 << 31] {
            for different in [3, 40, 100_000u32] {
                let value = |i: u32| i.wrapping_mul(0x9e37_79b9) % different * (range / different).max(1);
                let values: Vec<u32> = (0..2000).map(value).collect();
                let bytes = check(&values, true);
                let plain = check(&values, false);
                let mut entries = values.clone();
                entries.sort_unstable();
                entries.dedup();
                let narrow = width_of(entries.len() as u64 - 1) as usize;
                let tabled = 24 + entries.len() * 8 + (values.len() * narrow).div_ceil(8);
                assert_eq!(bytes, plain.min(tabled), "{different} values below {range}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_column_comes_back(values in prop::collection::vec(any::<u32>(), 0..200), table: bool) {
            check(&values, table);
        }

        #[test]
        fn any_bytes_are_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..80), len in 0usize..100) {
            if let Some(column) = Column::new(&bytes, len) {
                column.values().for_each(drop);
            }
        }
    }
}
