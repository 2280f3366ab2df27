//! The vectors of WebAssembly (`simd128`): a block in four of them.
#![expect(
    unsafe_code,
    reason = "vector instructions; the portable set is the twin that the tests compare with"
)]

use std::arch::wasm32::*;

use super::block::{BLOCK, Block, Class, WORDS};
use super::isa::{Isa, Task, translate_each};

/// Vectors of WebAssembly. A module that uses them is refused as a whole where they are missing, so they are compiled in only where
/// the build enables them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128;

impl Isa for Simd128 {
    type Block = Quarters;

    #[inline(always)]
    fn load(self, bytes: &[u8; BLOCK]) -> Quarters {
        let quarters = bytes.as_chunks::<16>().0;
        Quarters(std::array::from_fn(|n| load(&quarters[n])))
    }

    #[inline(always)]
    fn translate(
        self,
        table: &[u8; 256],
        bytes: &[[u8; 4]; WORDS],
        words: usize,
        out: &mut [[u8; 4]; WORDS],
    ) {
        if !translate_ascii(table, bytes, out) {
            translate_each(table, bytes, words, out);
        }
    }

    #[inline]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

/// Loads 16 bytes.
#[inline(always)]
fn load(bytes: &[u8; 16]) -> v128 {
    // SAFETY: the array has 16 bytes, and the load requires no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Translates all bytes and returns `true` if all of them are below 128; returns `false` otherwise. Uses the table 16
/// entries at a time.
#[inline(always)]
fn translate_ascii(table: &[u8; 256], bytes: &[[u8; 4]; WORDS], out: &mut [[u8; 4]; WORDS]) -> bool {
    const VECTORS: usize = WORDS / 4;
    let (bytes, _) = bytes.as_flattened().as_chunks::<16>();
    let mut rest: [v128; VECTORS] = std::array::from_fn(|n| load(&bytes[n]));
    let all = rest.into_iter().fold(u8x16_splat(0), |all, part| v128_or(all, part));
    if i8x16_bitmask(all) != 0 {
        return false;
    }
    let mut translated = [u8x16_splat(0); VECTORS];
    for row in &table.as_chunks::<16>().0[..8] {
        let entries = load(row);
        for (sum, rest) in translated.iter_mut().zip(&mut rest) {
            // An index from 16 on selects 0, so each byte takes an entry from its own row only.
            *sum = v128_or(*sum, i8x16_swizzle(entries, *rest));
            *rest = u8x16_sub(*rest, u8x16_splat(16));
        }
    }
    for (entries, out) in translated.into_iter().zip(out.as_flattened_mut().as_chunks_mut::<16>().0) {
        // SAFETY: the array has 16 bytes, and the store requires no alignment.
        unsafe { v128_store(out.as_mut_ptr().cast(), entries) };
    }
    true
}

/// A block in four vectors.
#[derive(Clone, Copy)]
pub(crate) struct Quarters([v128; 4]);

impl Quarters {
    /// Returns the mask of bytes whose highest bit is set.
    #[inline(always)]
    fn signs(self) -> u64 {
        self.0.into_iter().rev().fold(0, |bits, quarter| bits << 16 | u64::from(i8x16_bitmask(quarter)))
    }
}

impl Block for Quarters {
    #[inline(always)]
    fn among<const N: usize>(self, bytes: [u8; N]) -> u64 {
        let mut any = [u8x16_splat(0); 4];
        for byte in bytes {
            for (any, quarter) in any.iter_mut().zip(self.0) {
                *any = v128_or(*any, u8x16_eq(quarter, u8x16_splat(byte)));
            }
        }
        Self(any).signs()
    }

    #[inline(always)]
    fn of<const N: usize>(self, class: &Class<N>) -> u64 {
        let (low, high) = (load(&class.low), load(&class.high));
        let look_up = |bytes: v128| {
            let lower = i8x16_swizzle(low, v128_and(bytes, u8x16_splat(15)));
            let upper = i8x16_swizzle(high, u8x16_shr(bytes, 4));
            u8x16_ne(v128_and(lower, upper), u8x16_splat(0))
        };
        Self(self.0.map(look_up)).signs()
    }

    #[inline(always)]
    fn within(self, first: u8, last: u8) -> u64 {
        let (base, span) = (u8x16_splat(first), u8x16_splat(last - first));
        Self(self.0.map(|quarter| u8x16_le(u8x16_sub(quarter, base), span))).signs()
    }

    #[inline(always)]
    fn beyond_ascii(self) -> u64 {
        self.signs()
    }

    #[inline(always)]
    fn with_bits(self, bits: u8) -> Self {
        Self(self.0.map(|quarter| v128_or(quarter, u8x16_splat(bits))))
    }
}
