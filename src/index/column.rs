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

use super::wire::{Reader, Writer, u64_at};
use crate::simd::{self, Isa, Task};

/// The widest value.
const WIDEST: u32 = 56;

/// Ends in a block.
pub(super) const BLOCK: usize = 32;

/// Bytes after the bits.
const SLACK: usize = 8;

fn width_of(greatest: u64) -> u32 {
    u64::BITS - greatest.leading_zeros()
}

/// Numbers in bits.
#[derive(Clone, Copy, Debug)]
struct Packed<'a> {
    bits: &'a [u8],
    width: u32,
    mask: u64,
}

impl<'a> Packed<'a> {
    /// Numbers below the length of the column whose bits these are, if that many fit in.
    fn new(bits: &'a [u8], width: u8, len: usize) -> Option<Self> {
        let width = u32::from(width);
        if width > WIDEST {
            return None;
        }
        let needed = len.checked_mul(width as usize)?.div_ceil(8).checked_add(SLACK)?;
        (bits.len() == needed).then_some(Self { bits, width, mask: (1 << width) - 1 })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn get(&self, index: usize) -> u64 {
        let bit = index * self.width as usize;
        match self.bits.get(bit / 8..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => u64::from_le_bytes(*bytes) >> (bit % 8) & self.mask,
            // Never for an index below the length.
            None => 0,
        }
    }
}

impl Packed<'_> {
    /// A bit for each of at most 64 numbers: whether it fits. Eight numbers from a multiple of eight are as many bytes
    /// as each has bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bits(&self, first: usize, numbers: usize, fits: impl Fn(u64) -> bool) -> u64 {
        let width = self.width as usize;
        let whole = if first.is_multiple_of(8) { numbers / 8 } else { 0 };
        let bytes = self.bits.get(first / 8 * width..).unwrap_or(&[]);
        let eighths = (0..whole).fold(0, |bits, eighth| {
            let chunk = bytes.get(eighth * width..eighth * width + width + SLACK).unwrap_or(&[]);
            let number = |at: usize| {
                let word = chunk.get(at * width / 8..).and_then(|rest| rest.first_chunk());
                word.map_or(0, |word| u64::from_le_bytes(*word)) >> (at * width % 8) & self.mask
            };
            bits | (0..8).fold(0, |byte, at| byte | u64::from(fits(number(at))) << at) << (8 * eighth)
        });
        (8 * whole..numbers)
            .fold(eighths, |bits, number| bits | u64::from(fits(self.get(first + number))) << number)
    }
}

/// Appends numbers of `width` bits and the slack.
fn write_bits(values: impl ExactSizeIterator<Item = u64>, width: u32, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + (values.len() * width as usize).div_ceil(8) + SLACK, 0);
    let mut bits = Bits { bytes: &mut out[start..], at: 0, word: 0, used: 0, width };
    // As many together as surely fit a word: each waits for those before it.
    match WIDEST / width.max(1) {
        8.. => bits.put_all::<8>(values),
        4.. => bits.put_all::<4>(values),
        2.. => bits.put_all::<2>(values),
        _ => bits.put_all::<1>(values),
    }
}

/// Numbers on their way to bytes, which have to be long enough.
struct Bits<'a> {
    bytes: &'a mut [u8],
    at: usize,
    /// Bits that are not yet a byte, less than eight of them.
    word: u64,
    used: u32,
    width: u32,
}

impl Bits<'_> {
    fn put_all<const N: usize>(&mut self, mut values: impl ExactSizeIterator<Item = u64>) {
        while values.len() >= N {
            let mut shift = 0;
            let joined = (0..N).fold(0, |joined, _| {
                let value = values.next().unwrap_or(0) << shift;
                shift += self.width;
                joined | value
            });
            self.put(joined, shift);
        }
        values.for_each(|value| self.put(value, self.width));
    }

    /// Adds at most [`WIDEST`] bits.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put(&mut self, value: u64, bits: u32) {
        self.word |= value << self.used;
        self.used += bits;
        if let Some(place) = self.bytes.get_mut(self.at..self.at + 8) {
            place.copy_from_slice(&self.word.to_le_bytes());
        }
        self.at += self.used as usize / 8;
        self.word >>= self.used & !7;
        self.used &= 7;
    }
}

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
    pub(super) fn new(bytes: &'a [u8], len: usize) -> Option<Self> {
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
pub(super) fn write_column(values: &[u32], table: bool) -> Vec<u8> {
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

/// Where consecutive things end, or start: number `i` starts where the one before ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends<'a> {
    len: usize,
    bases: &'a [u8],
    packed: Packed<'a>,
}

impl<'a> Ends<'a> {
    /// The ends of `len` things; `None` if the bytes are not that.
    pub(super) fn new(bytes: &'a [u8], len: usize) -> Option<Self> {
        let mut reader = Reader(bytes);
        let [width, _, _, _] = reader.array()?;
        if reader.u32()? as usize != len {
            return None;
        }
        let (bases, bits) = reader.0.split_at_checked(len.div_ceil(BLOCK).checked_mul(8)?)?;
        Some(Self { len, bases, packed: Packed::new(bits, width, len)? })
    }

    /// As [`new`](Self::new), as many as the bytes say.
    pub(super) fn counted(bytes: &'a [u8]) -> Option<Self> {
        Self::new(bytes, Reader(bytes.get(4..)?).u32()? as usize)
    }

    /// Where number `index` lies.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<std::ops::Range<u64>> {
        let start = match index.checked_sub(1) {
            Some(before) => self.end(before)?,
            None => 0,
        };
        let end = self.end(index)?;
        (start <= end).then_some(start..end)
    }

    /// Where number `index` ends.
    #[inline]
    pub(super) fn end(&self, index: usize) -> Option<u64> {
        let base = u64_at(self.bases, index / BLOCK)?;
        (index < self.len).then(|| base.wrapping_add(self.packed.get(index)))
    }

    /// Where number `index` ends, counted from the start of its block.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn in_block(&self, index: usize) -> u64 {
        if index < self.len { self.packed.get(index) } else { 0 }
    }

    /// Where a block lies.
    pub(super) fn block(&self, block: usize) -> Option<std::ops::Range<u64>> {
        let start = u64_at(self.bases, block)?;
        let last = (block * BLOCK + BLOCK).min(self.len).checked_sub(1)?;
        Some(start..self.end(last)?)
    }

    /// Where the last one ends.
    pub(super) fn last(&self) -> u64 {
        self.len.checked_sub(1).and_then(|last| self.end(last)).unwrap_or(0)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }
}

/// The bytes of the ends of things that are so long.
pub(super) fn write_ends(lengths: &[u32]) -> Vec<u8> {
    let mut end = 0;
    let mut bases = Vec::with_capacity(lengths.len().div_ceil(BLOCK));
    let mut greatest = 0;
    for block in lengths.chunks(BLOCK) {
        bases.push(end);
        let long: u64 = block.iter().map(|&length| u64::from(length)).sum();
        greatest = greatest.max(long);
        end += long;
    }
    let width = width_of(greatest);
    let mut out = Writer::default();
    out.0.extend([width as u8, 0, 0, 0]);
    out.u32(lengths.len() as u32);
    bases.iter().for_each(|&base| out.u64(base));
    let mut sum = 0;
    let differences = lengths.iter().enumerate().map(|(i, &length)| {
        sum = if i % BLOCK == 0 { 0 } else { sum } + u64::from(length);
        sum
    });
    write_bits(differences, width, &mut out.0);
    out.0
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
        fn any_ends_come_back(lengths in prop::collection::vec(prop_oneof![0u32..2000, any::<u32>()], 0..200)) {
            let bytes = write_ends(&lengths);
            let ends = Ends::new(&bytes, lengths.len()).expect("as written");
            let mut start = 0;
            for (i, &length) in lengths.iter().enumerate() {
                prop_assert_eq!(ends.get(i), Some(start..start + u64::from(length)));
                start += u64::from(length);
            }
            prop_assert_eq!(ends.last(), start);
            prop_assert_eq!(ends.get(lengths.len()), None);
        }

        #[test]
        fn any_bytes_are_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..80), len in 0usize..100) {
            if let Some(column) = Column::new(&bytes, len) {
                column.values().for_each(drop);
            }
            if let Some(ends) = Ends::new(&bytes, len) {
                (0..len).for_each(|i| assert!(ends.get(i).is_none_or(|range| range.start <= range.end)));
            }
        }
    }
}
