//! SSE2, which every x86-64 processor has: a block in four registers.
#![expect(
    unsafe_code,
    reason = "vector instructions; the portable set is the twin that the tests compare with"
)]

use std::arch::x86_64::*;

use super::block::{BLOCK, Block};
use super::isa::{Isa, Task};

/// The SSE2 instruction set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sse2;

impl Isa for Sse2 {
    type Block = Quarters;

    #[inline(always)]
    fn load(self, bytes: &[u8; BLOCK]) -> Quarters {
        let quarters = bytes.as_chunks::<16>().0;
        // SAFETY: every x86-64 processor has SSE2; a quarter has 16 bytes, and the load requires no alignment.
        Quarters(std::array::from_fn(|i| unsafe { _mm_loadu_si128(quarters[i].as_ptr().cast()) }))
    }

    #[inline]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

/// Asks the processor to load the cache line of this byte.
#[inline(always)]
pub(super) fn prefetch(byte: &u8) {
    // SAFETY: every x86-64 processor has the instruction, which changes no memory and never faults.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) };
}

/// A block in four registers.
#[derive(Clone, Copy)]
pub(crate) struct Quarters([__m128i; 4]);

impl Quarters {
    #[inline]
    #[target_feature(enable = "sse2")]
    fn bits(self) -> u64 {
        let mut bits = 0;
        for quarter in self.0.into_iter().rev() {
            bits = bits << 16 | u64::from(_mm_movemask_epi8(quarter) as u16);
        }
        bits
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn equal_to_any<const N: usize>(self, bytes: [u8; N]) -> u64 {
        let mut any = [_mm_setzero_si128(); 4];
        for byte in bytes {
            let byte = _mm_set1_epi8(byte as i8);
            for (any, quarter) in any.iter_mut().zip(self.0) {
                *any = _mm_or_si128(*any, _mm_cmpeq_epi8(quarter, byte));
            }
        }
        Self(any).bits()
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn inside(mut self, first: u8, last: u8) -> u64 {
        let (base, span) = (_mm_set1_epi8(first as i8), _mm_set1_epi8((last - first) as i8));
        for quarter in &mut self.0 {
            let above = _mm_sub_epi8(*quarter, base);
            *quarter = _mm_cmpeq_epi8(_mm_min_epu8(above, span), above);
        }
        self.bits()
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn or(mut self, bits: u8) -> Self {
        for quarter in &mut self.0 {
            *quarter = _mm_or_si128(*quarter, _mm_set1_epi8(bits as i8));
        }
        self
    }
}

impl Block for Quarters {
    #[inline(always)]
    fn among<const N: usize>(self, bytes: [u8; N]) -> u64 {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { self.equal_to_any(bytes) }
    }

    #[inline(always)]
    fn within(self, first: u8, last: u8) -> u64 {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { self.inside(first, last) }
    }

    #[inline(always)]
    fn beyond_ascii(self) -> u64 {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { self.bits() }
    }

    #[inline(always)]
    fn with_bits(self, bits: u8) -> Self {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { self.or(bits) }
    }
}
