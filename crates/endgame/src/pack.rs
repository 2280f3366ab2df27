//! Compression of a table's entries, of which each block can be read alone.
//!
//! A pair of neighbours that is frequent becomes a symbol of its own, which may be part of further pairs: recursive pairing, as
//! N. J. Larsson and A. Moffat describe it in "Offline Dictionary-Based Compression" (1999). All symbols of a table are written in one
//! canonical Huffman code.
//!
//! To find an entry, the symbols before it in its block are decoded, and the entries that they stand for are counted; nothing is unpacked.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of entries of a block, except for the last one of a table.
pub(crate) const BLOCK: usize = 512;
/// The most pairs of a table.
pub(crate) const MAX_PAIRS: usize = 1_000;
/// The most symbols of a table that has pairs. The counts of all pairs of so many symbols take 64 MiB.
const MAX_PAIRED: usize = 4_096;
/// How often pairs are counted and replaced. With more rounds, tables become half a percent smaller.
const ROUNDS: usize = 12;
/// A table has at most one pair for so many entries, because a pair takes space itself.
const ENTRIES_OF_A_PAIR: usize = 200;
/// How often a pair has to occur.
const FREQUENT: u32 = 24;
/// The most bits of a code. Codes of tables with fewer than 2^36 symbols have no more, because a Huffman code of *n* bits takes a number of
/// symbols that is at least the *n*-th Fibonacci number.
const MAX_BITS: usize = 56;
/// Codes of at most so many bits are decoded by one look-up in a table.
const SHORT: usize = 10;

/// What the symbols of a table stand for, and their prefix code.
#[derive(Debug)]
pub(crate) struct Code {
    /// The two symbols that each further symbol stands for.
    pairs: Vec<[u16; 2]>,
    /// The number of bits of each symbol's code; 0 for symbols that do not occur.
    bits: Vec<u8>,
    /// The symbols that occur, in the order of their codes.
    order: Vec<u16>,
    /// For each number of bits, how many codes have fewer.
    first: [u16; MAX_BITS + 1],
    /// For each number of bits, the first code of that length, in the highest bits of the word.
    start: [u64; MAX_BITS + 1],
    /// For each number of bits, the first word after all that begin with a code of at most that length; may be 2^64.
    limit: [u128; MAX_BITS + 1],
    /// The decoding table: for each value of the next [`SHORT`] bits, the symbol whose code they begin with.
    short: Vec<Short>,
    /// All entries of all symbols, and where those of each symbol end.
    expanded: Vec<u16>,
    ends: Vec<u32>,
}

/// A symbol with a short code, the bits of the code, and the number of entries that it stands for. No bits: the code is longer.
#[derive(Clone, Copy, Debug, Default)]
struct Short {
    symbol: u16,
    entries: u16,
    bits: u8,
}

/// The symbols of a table, block by block.
#[derive(Debug)]
pub(crate) struct Symbols {
    /// A block starts every [`BLOCK`] places; only its first symbols are in use.
    symbols: Vec<u16>,
    /// The number of symbols of each block.
    counts: Vec<u16>,
}

impl Symbols {
    /// Returns the symbols of each block.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &[u16]> {
        self.symbols.chunks(BLOCK).zip(&self.counts).map(|(block, &count)| &block[..usize::from(count)])
    }

    /// Counts the pairs of neighbours. The count of the pair of symbols `a` and `b` is at `a * symbols + b`.
    fn count_pairs(&self, symbols: usize) -> Vec<u32> {
        let mut counts = vec![0; symbols * symbols];
        for block in self.blocks() {
            for pair in block.windows(2) {
                counts[usize::from(pair[0]) * symbols + usize::from(pair[1])] += 1;
            }
        }
        counts
    }

    /// Replaces pairs of neighbours by symbols, from left to right. `by` has the symbol of the pair of `a` and `b`, or 0 for none, at
    /// `a * symbols + b`.
    fn replace(&mut self, by: &[u16], symbols: usize) {
        for (block, count) in self.symbols.chunks_mut(BLOCK).zip(&mut self.counts) {
            let (mut from, mut to, end) = (0, 0, usize::from(*count));
            while from < end {
                let mut symbol = block[from];
                from += 1;
                if from < end {
                    let replaced = by[usize::from(symbol) * symbols + usize::from(block[from])];
                    if replaced != 0 {
                        symbol = replaced;
                        from += 1;
                    }
                }
                block[to] = symbol;
                to += 1;
            }
            *count = to as u16;
        }
    }
}

impl Code {
    /// Chooses a code for entries that are all less than `values`. Returns it, and the entries as symbols. O(n); counts of pairs take up to
    /// 64 MiB.
    pub(crate) fn choose(values: usize, entries: Vec<u16>) -> (Self, Symbols) {
        let counts = entries.chunks(BLOCK).map(|block| block.len() as u16).collect();
        let most = (entries.len() / ENTRIES_OF_A_PAIR).min(MAX_PAIRS).min(MAX_PAIRED.saturating_sub(values));
        let mut symbols = Symbols { symbols: entries, counts };
        let mut pairs: Vec<[u16; 2]> = Vec::new();
        while pairs.len() < most {
            let known = values + pairs.len();
            let counts = symbols.count_pairs(known);
            let mut frequent: Vec<(u32, usize)> =
                counts.into_iter().zip(0..).filter(|&(count, _)| count > FREQUENT).collect();
            frequent.sort_unstable_by_key(|&(count, pair)| (Reverse(count), pair));
            // Replacing the most frequent pairs changes the counts of the others, so that much rarer ones wait for the next round.
            let most_frequent = frequent.first().map_or(0, |&(count, _)| count);
            frequent.truncate(most.div_ceil(ROUNDS).min(most - pairs.len()));
            frequent.retain(|&(count, _)| count >= most_frequent / 8);
            if frequent.is_empty() {
                break;
            }
            let mut by = vec![0; known * known];
            for (_, pair) in frequent {
                by[pair] = (values + pairs.len()) as u16;
                pairs.push([(pair / known) as u16, (pair % known) as u16]);
            }
            symbols.replace(&by, known);
        }
        let mut counts = vec![0; values + pairs.len()];
        symbols.blocks().flatten().for_each(|&symbol| counts[usize::from(symbol)] += 1);
        let code = Self::new(values, pairs, code_lengths(&counts));
        (code.expect("lengths of a Huffman code make a code"), symbols)
    }

    /// Creates the canonical code with these numbers of bits; `None` if no prefix code has them, or if a pair is not of symbols before it.
    pub(crate) fn new(values: usize, pairs: Vec<[u16; 2]>, bits: Vec<u8>) -> Option<Self> {
        if bits.len() != values + pairs.len()
            || bits.len() > 1 << 16
            || bits.iter().any(|&bits| usize::from(bits) > MAX_BITS)
        {
            return None;
        }
        let mut expanded: Vec<u16> = (0..values).map(|entry| entry as u16).collect();
        let mut ends: Vec<u32> = (1..=values as u32).collect();
        for (pair, symbol) in pairs.iter().zip(values..) {
            let start = expanded.len();
            for part in pair.map(usize::from) {
                let end = *ends.get(part).filter(|_| part < symbol)? as usize;
                expanded
                    .extend_from_within(part.checked_sub(1).map_or(0, |before| ends[before] as usize)..end);
            }
            if expanded.len() - start > BLOCK {
                return None;
            }
            ends.push(expanded.len() as u32);
        }
        let mut order: Vec<u16> = (0..bits.len()).map(|symbol| symbol as u16).collect();
        order.retain(|&symbol| bits[usize::from(symbol)] != 0);
        order.sort_by_key(|&symbol| bits[usize::from(symbol)]);
        let mut code = Self {
            pairs,
            bits,
            order,
            first: [0; MAX_BITS + 1],
            start: [0; MAX_BITS + 1],
            limit: [0; MAX_BITS + 1],
            short: vec![Short::default(); 1 << SHORT],
            expanded,
            ends,
        };
        let mut next: u128 = 0;
        for bits in 1..=MAX_BITS {
            let of = |symbol: &u16| usize::from(code.bits[usize::from(*symbol)]);
            let first = code.order.partition_point(|symbol| of(symbol) < bits);
            let count = code.order[first..].iter().take_while(|symbol| of(symbol) == bits).count();
            (code.first[bits], code.start[bits]) = (first as u16, next as u64);
            next += (count as u128) << (64 - bits);
            code.limit[bits] = next;
            if next > 1 << 64 {
                return None;
            }
        }
        for (&symbol, at) in code.order.iter().zip(0..) {
            let bits = usize::from(code.bits[usize::from(symbol)]);
            if bits > SHORT {
                break;
            }
            let from = (code.code(symbol, at) >> (64 - SHORT)) as usize;
            let entries = code.entries_of(symbol).len() as u16;
            code.short[from..from + (1 << (SHORT - bits))].fill(Short { symbol, entries, bits: bits as u8 });
        }
        Some(code)
    }

    /// Returns the pairs, and the number of bits of each symbol.
    pub(crate) fn parts(&self) -> (&[[u16; 2]], &[u8]) {
        (&self.pairs, &self.bits)
    }

    /// Returns the code of a symbol, in the highest bits of the word, given its place in the order.
    fn code(&self, symbol: u16, at: usize) -> u64 {
        let bits = usize::from(self.bits[usize::from(symbol)]);
        self.start[bits] + (((at - usize::from(self.first[bits])) as u64) << (64 - bits))
    }

    /// Returns the entries that a symbol stands for.
    fn entries_of(&self, symbol: u16) -> &[u16] {
        let symbol = usize::from(symbol);
        let start = symbol.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.expanded[start as usize..self.ends[symbol] as usize]
    }

    /// Returns the codes of all symbols, by symbol.
    pub(crate) fn codes(&self) -> Vec<u64> {
        let mut codes = vec![0; self.bits.len()];
        for (&symbol, at) in self.order.iter().zip(0..) {
            codes[usize::from(symbol)] = self.code(symbol, at);
        }
        codes
    }

    /// Appends the codes of a block of symbols. `codes` are those of [`codes`](Self::codes).
    pub(crate) fn write(&self, codes: &[u64], symbols: &[u16], into: &mut Vec<u8>) {
        let (mut pending, mut count) = (0, 0);
        for symbol in symbols.iter().map(|&symbol| usize::from(symbol)) {
            pending |= codes[symbol] >> count;
            count += self.bits[symbol];
            while count >= 8 {
                into.push((pending >> 56) as u8);
                pending <<= 8;
                count -= 8;
            }
        }
        if count > 0 {
            into.push((pending >> 56) as u8);
        }
    }

    /// Decodes the symbol at bit `at` of a block; `None` if no code begins there.
    #[inline]
    fn symbol(&self, block: &[u8], at: usize) -> Option<Short> {
        let next = block.get(at / 8..)?;
        let window = match next.first_chunk() {
            Some(bytes) => u64::from_be_bytes(*bytes),
            None => next.iter().zip(0..).fold(0, |bits, (&byte, n)| bits | u64::from(byte) << (56 - 8 * n)),
        };
        let window = window << (at % 8);
        let short = self.short[(window >> (64 - SHORT)) as usize];
        let found = if short.bits != 0 {
            short
        } else {
            let bits = (SHORT + 1..=MAX_BITS).find(|&bits| u128::from(window) < self.limit[bits])?;
            let nth = (window.checked_sub(self.start[bits])? >> (64 - bits)) as usize;
            let symbol = *self.order.get(usize::from(self.first[bits]) + nth)?;
            Short { symbol, entries: self.entries_of(symbol).len() as u16, bits: bits as u8 }
        };
        (at + usize::from(found.bits) <= 8 * block.len()).then_some(found)
    }

    /// Returns an entry of a block; `None` if the block does not have it.
    pub(crate) fn entry(&self, block: &[u8], mut entry: usize) -> Option<u16> {
        let mut at = 0;
        loop {
            let Short { symbol, entries, bits } = self.symbol(block, at)?;
            if entry < usize::from(entries) {
                return self.entries_of(symbol).get(entry).copied();
            }
            entry -= usize::from(entries);
            at += usize::from(bits);
        }
    }

    /// Appends the `count` entries of a block, and returns `true`, if it has that many.
    pub(crate) fn read(&self, block: &[u8], count: usize, into: &mut Vec<u16>) -> bool {
        let (end, mut at) = (into.len() + count, 0);
        while into.len() < end {
            let Some(Short { symbol, bits, .. }) = self.symbol(block, at) else { return false };
            into.extend_from_slice(self.entries_of(symbol));
            at += usize::from(bits);
        }
        into.len() == end && at.div_ceil(8) == block.len()
    }
}

/// Returns the number of bits of each symbol in a Huffman code, given how often it occurs; 0 for those that do not.
fn code_lengths(counts: &[u64]) -> Vec<u8> {
    let mut heap: BinaryHeap<_> = counts
        .iter()
        .zip(0..)
        .filter(|(count, _)| **count > 0)
        .map(|(&count, node)| Reverse((count, node)))
        .collect();
    // The only symbol of a table takes a bit.
    if let (1, Some(Reverse((_, node)))) = (heap.len(), heap.peek()) {
        return (0..counts.len()).map(|symbol| u8::from(symbol == *node)).collect();
    }
    // The parent of each node of the tree; 0 for the root, and for nodes that are not in it.
    let mut parents = vec![0; counts.len()];
    while let (Some(Reverse((one, left))), Some(Reverse((other, right)))) = (heap.pop(), heap.pop()) {
        heap.push(Reverse((one + other, parents.len())));
        (parents[left], parents[right]) = (parents.len(), parents.len());
        parents.push(0);
    }
    let mut bits: Vec<u8> = vec![0; parents.len()];
    for node in (0..parents.len()).rev().filter(|&node| parents[node] != 0) {
        bits[node] = bits[parents[node]] + 1;
    }
    bits.truncate(counts.len());
    bits
}
