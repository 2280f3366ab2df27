//! AVX2: a block in two registers.
#![expect(
    unsafe_code,
    reason = "vector instructions; the portable set is the twin that the tests compare with"
)]

use std::arch::x86_64::*;

use super::block::{BLOCK, Block, Class, NUMBERS, WORDS};
use super::isa::{Isa, Task, translate_each};

/// AVX2 and the bit instructions of the same processors. A value proves that the processor has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Creates the proof, or returns `None` if this processor lacks an instruction.
    pub(crate) fn new() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }
}

impl Isa for Avx2 {
    type Block = Halves;

    #[inline(always)]
    fn load(self, bytes: &[u8; BLOCK]) -> Halves {
        // SAFETY: `self` proves AVX2; each half has 32 bytes, and the loads require no alignment.
        unsafe {
            Halves(
                _mm256_loadu_si256(bytes.as_ptr().cast()),
                _mm256_loadu_si256(bytes[BLOCK / 2..].as_ptr().cast()),
            )
        }
    }

    #[inline(always)]
    fn translate(
        self,
        table: &[u8; 256],
        bytes: &[[u8; 4]; WORDS],
        words: usize,
        out: &mut [[u8; 4]; WORDS],
    ) {
        // SAFETY: `self` proves AVX2.
        if unsafe { !translate_ascii(table, bytes, out) } {
            translate_each(table, bytes, words, out);
        }
    }

    #[inline(always)]
    fn non_zero(self, halves: [&[u64; NUMBERS]; 2]) -> u64 {
        // SAFETY: `self` proves AVX2.
        unsafe { non_zero(halves) }
    }

    #[inline]
    fn run<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_features<T: Task>(isa: Avx2, task: T) -> T::Output {
            task.run(isa)
        }
        // SAFETY: `self` proves all of these features.
        unsafe { with_features(self, task) }
    }
}

/// Tests all numbers; see [`Isa::non_zero`].
#[inline]
#[target_feature(enable = "avx2")]
fn non_zero([first, second]: [&[u64; NUMBERS]; 2]) -> u64 {
    const FOUR: usize = 4;
    let mut zero = 0;
    let fours = first.as_chunks::<FOUR>().0.iter().chain(second.as_chunks::<FOUR>().0);
    for (n, four) in fours.enumerate() {
        // SAFETY: four numbers fill the register, and the load requires no alignment.
        let four = unsafe { _mm256_loadu_si256(four.as_ptr().cast()) };
        let are_zero = _mm256_castsi256_pd(_mm256_cmpeq_epi64(four, _mm256_setzero_si256()));
        zero |= (_mm256_movemask_pd(are_zero) as u64) << (n * FOUR);
    }
    !zero
}

/// Translates all bytes and returns `true` if all of them are below 128; returns `false` otherwise. Uses the table 16
/// entries at a time.
#[inline]
#[target_feature(enable = "avx2")]
fn translate_ascii(table: &[u8; 256], bytes: &[[u8; 4]; WORDS], out: &mut [[u8; 4]; WORDS]) -> bool {
    const EIGHT: usize = 8;
    // SAFETY: every load and store lies within its array, and no instruction requires alignment.
    unsafe {
        let mut rest: [__m256i; 4] =
            std::array::from_fn(|n| _mm256_loadu_si256(bytes.as_ptr().add(n * EIGHT).cast()));
        let all = rest.into_iter().fold(_mm256_setzero_si256(), |all, part| _mm256_or_si256(all, part));
        if _mm256_movemask_epi8(all) != 0 {
            return false;
        }
        let mut translated = [_mm256_setzero_si256(); 4];
        let mut previous = _mm_setzero_si128();
        for row in 0..EIGHT {
            // A shuffle uses only the low four bits of a positive index, so bytes of later rows select an entry of
            // this row too. Each row therefore holds the difference from the previous one, which the XOR of all rows
            // cancels.
            let entries = _mm_loadu_si128(table.as_ptr().add(row * 16).cast());
            let changes = _mm256_broadcastsi128_si256(_mm_xor_si128(entries, previous));
            previous = entries;
            for (sum, rest) in translated.iter_mut().zip(&mut rest) {
                *sum = _mm256_xor_si256(*sum, _mm256_shuffle_epi8(changes, *rest));
                // Indices below zero select 0, so bytes of this row take no part in later rows.
                *rest = _mm256_sub_epi8(*rest, _mm256_set1_epi8(16));
            }
        }
        for (n, entries) in translated.into_iter().enumerate() {
            _mm256_storeu_si256(out.as_mut_ptr().add(n * EIGHT).cast(), entries);
        }
    }
    true
}

/// A block in two registers. Only [`Isa::load`] of [`Avx2`] creates one, so a value proves AVX2 as well.
#[derive(Clone, Copy)]
pub(crate) struct Halves(__m256i, __m256i);

impl Halves {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn bits(self) -> u64 {
        u64::from(_mm256_movemask_epi8(self.1) as u32) << 32 | u64::from(_mm256_movemask_epi8(self.0) as u32)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn equal_to_any<const N: usize>(self, bytes: [u8; N]) -> u64 {
        let mut any = Self(_mm256_setzero_si256(), _mm256_setzero_si256());
        for byte in bytes {
            let byte = _mm256_set1_epi8(byte as i8);
            any.0 = _mm256_or_si256(any.0, _mm256_cmpeq_epi8(self.0, byte));
            any.1 = _mm256_or_si256(any.1, _mm256_cmpeq_epi8(self.1, byte));
        }
        any.bits()
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn in_class(self, low: u128, high: u128) -> u64 {
        let twice = |table: u128| {
            _mm256_set_epi64x((table >> 64) as i64, table as i64, (table >> 64) as i64, table as i64)
        };
        let (low, high, half) = (twice(low), twice(high), _mm256_set1_epi8(15));
        let look_up = |bytes: __m256i| {
            let lower = _mm256_shuffle_epi8(low, _mm256_and_si256(bytes, half));
            let upper = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half));
            _mm256_cmpeq_epi8(_mm256_and_si256(lower, upper), _mm256_setzero_si256())
        };
        !Self(look_up(self.0), look_up(self.1)).bits()
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn inside(self, first: u8, last: u8) -> u64 {
        let (base, span) = (_mm256_set1_epi8(first as i8), _mm256_set1_epi8((last - first) as i8));
        let above = Self(_mm256_sub_epi8(self.0, base), _mm256_sub_epi8(self.1, base));
        let low = Self(_mm256_min_epu8(above.0, span), _mm256_min_epu8(above.1, span));
        Self(_mm256_cmpeq_epi8(low.0, above.0), _mm256_cmpeq_epi8(low.1, above.1)).bits()
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn or(self, bits: u8) -> Self {
        let bits = _mm256_set1_epi8(bits as i8);
        Self(_mm256_or_si256(self.0, bits), _mm256_or_si256(self.1, bits))
    }
}

impl Block for Halves {
    #[inline(always)]
    fn among<const N: usize>(self, bytes: [u8; N]) -> u64 {
        // SAFETY: `self` proves AVX2.
        unsafe { self.equal_to_any(bytes) }
    }

    #[inline(always)]
    fn of<const N: usize>(self, class: &Class<N>) -> u64 {
        // SAFETY: `self` proves AVX2.
        unsafe { self.in_class(u128::from_le_bytes(class.low), u128::from_le_bytes(class.high)) }
    }

    #[inline(always)]
    fn within(self, first: u8, last: u8) -> u64 {
        // SAFETY: `self` proves AVX2.
        unsafe { self.inside(first, last) }
    }

    #[inline(always)]
    fn beyond_ascii(self) -> u64 {
        // SAFETY: `self` proves AVX2.
        unsafe { self.bits() }
    }

    #[inline(always)]
    fn with_bits(self, bits: u8) -> Self {
        // SAFETY: `self` proves AVX2.
        unsafe { self.or(bits) }
    }
}
