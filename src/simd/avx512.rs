//! AVX-512: a block in one register; every comparison yields its mask directly.
#![expect(
    unsafe_code,
    reason = "vector instructions; the portable set is the twin that the tests compare with"
)]

use std::arch::x86_64::*;

use super::avx512_numbers::{ALL, Avx512};
use super::block::{BLOCK, Block, Class, NUMBERS, PLACES, WORDS};
use super::isa::{Isa, NumberReader, Task};

impl Isa for Avx512 {
    type Block = Wide;

    #[inline(always)]
    fn load(self, bytes: &[u8; BLOCK]) -> Wide {
        // SAFETY: `self` proves AVX-512; a block has 64 bytes, and the load requires no alignment.
        unsafe { Wide(_mm512_loadu_si512(bytes.as_ptr().cast())) }
    }

    #[inline(always)]
    fn places(self, mask: u64) -> [u8; PLACES] {
        // SAFETY: `self` proves AVX-512 and VBMI2.
        unsafe { places(mask) }
    }

    const HAS_FAST_LOOK_UP: bool = true;

    #[inline(always)]
    fn look_up(self, table: &[u8; BLOCK], at: &[u8; BLOCK]) -> [u8; BLOCK] {
        // SAFETY: `self` proves AVX-512 and VBMI.
        unsafe { look_up(table, at) }
    }

    #[inline(always)]
    fn translate(self, table: &[u8; 256], bytes: &[[u8; 4]; WORDS], _: usize, out: &mut [[u8; 4]; WORDS]) {
        // SAFETY: `self` proves AVX-512 and VBMI.
        unsafe { translate(table, bytes, out) }
    }

    #[inline(always)]
    fn non_zero(self, halves: [&[u64; NUMBERS]; 2]) -> u64 {
        // SAFETY: `self` proves AVX-512 with byte instructions.
        unsafe { non_zero(halves) }
    }

    #[inline(always)]
    fn number_reader(self) -> NumberReader {
        NumberReader { avx512: Some(self) }
    }

    #[inline]
    fn run<T: Task>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_features<T: Task>(isa: Avx512, task: T) -> T::Output {
            task.run(isa)
        }
        // SAFETY: `self` proves all of these features.
        unsafe { with_features(self, task) }
    }
}

/// Looks up 64 bytes; see [`Isa::look_up`].
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn look_up(table: &[u8; BLOCK], at: &[u8; BLOCK]) -> [u8; BLOCK] {
    let mut entries = [0; BLOCK];
    // SAFETY: each array read or written is as long as its register, and no instruction requires alignment.
    unsafe {
        let [table, at] = [table, at].map(|bytes| _mm512_loadu_si512(bytes.as_ptr().cast()));
        _mm512_storeu_si512(entries.as_mut_ptr().cast(), _mm512_permutexvar_epi8(at, table));
    }
    entries
}

/// Tests all numbers; see [`Isa::non_zero`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn non_zero([first, second]: [&[u64; NUMBERS]; 2]) -> u64 {
    let test = |numbers: &[u64; NUMBERS], at: usize| {
        let eight = &numbers.as_chunks::<8>().0[at];
        // SAFETY: eight numbers fill the register, and the load requires no alignment.
        let eight = unsafe { _mm512_loadu_si512(eight.as_ptr().cast()) };
        _mm512_test_epi64_mask(eight, eight)
    };
    let join = |numbers| {
        let low = _mm512_kunpackb(test(numbers, 1).into(), test(numbers, 0).into());
        let high = _mm512_kunpackb(test(numbers, 3).into(), test(numbers, 2).into());
        _mm512_kunpackw(high.into(), low.into())
    };
    _mm512_kunpackd(join(second).into(), join(first).into())
}

/// Translates all words; see [`Isa::translate`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn translate(table: &[u8; 256], bytes: &[[u8; 4]; WORDS], out: &mut [[u8; 4]; WORDS]) {
    // SAFETY: every load and store lies within its array, and no instruction requires alignment.
    unsafe {
        let part = |n: usize| _mm512_loadu_si512(table.as_ptr().add(n * BLOCK).cast());
        for n in [0, WORDS / 2] {
            let indices = _mm512_loadu_si512(bytes.as_ptr().add(n).cast());
            let low = _mm512_permutex2var_epi8(part(0), indices, part(1));
            let high = _mm512_permutex2var_epi8(part(2), indices, part(3));
            let entries = _mm512_mask_blend_epi8(_mm512_movepi8_mask(indices), low, high);
            _mm512_storeu_si512(out.as_mut_ptr().add(n).cast(), entries);
        }
    }
}

/// Locates the set bits; see [`Isa::places`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn places(mask: u64) -> [u8; PLACES] {
    let mut places = [0; PLACES];
    // SAFETY: both arrays are as long as their registers, and no instruction requires alignment.
    unsafe {
        let packed = _mm512_maskz_compress_epi8(mask, _mm512_loadu_si512(ALL.as_ptr().cast()));
        _mm256_storeu_si256(places.as_mut_ptr().cast(), _mm512_castsi512_si256(packed));
    }
    places
}

/// A block in one register. Only [`Isa::load`] of [`Avx512`] creates one, so a value proves AVX-512 as well.
#[derive(Clone, Copy)]
pub(crate) struct Wide(__m512i);

impl Wide {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn equal_to_any<const N: usize>(self, bytes: [u8; N]) -> u64 {
        if let [byte] = bytes[..] {
            return _mm512_cmpeq_epi8_mask(self.0, _mm512_set1_epi8(byte as i8));
        }
        // Comparing only the bytes not yet matched costs less than joining the masks.
        let mut none = u64::MAX;
        for byte in bytes {
            none = _mm512_mask_cmpneq_epi8_mask(none, self.0, _mm512_set1_epi8(byte as i8));
        }
        !none
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn in_class(self, low: u128, high: u128) -> u64 {
        let four_times =
            |table: u128| _mm512_broadcast_i32x4(_mm_set_epi64x((table >> 64) as i64, table as i64));
        let half = _mm512_set1_epi8(15);
        let lower = _mm512_shuffle_epi8(four_times(low), _mm512_and_si512(self.0, half));
        let upper = _mm512_and_si512(_mm512_srli_epi16(self.0, 4), half);
        _mm512_test_epi8_mask(lower, _mm512_shuffle_epi8(four_times(high), upper))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn inside(self, first: u8, last: u8) -> u64 {
        let above = _mm512_sub_epi8(self.0, _mm512_set1_epi8(first as i8));
        _mm512_cmple_epu8_mask(above, _mm512_set1_epi8((last - first) as i8))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn signs(self) -> u64 {
        _mm512_movepi8_mask(self.0)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn or(self, bits: u8) -> Self {
        Self(_mm512_or_si512(self.0, _mm512_set1_epi8(bits as i8)))
    }
}

impl Block for Wide {
    #[inline(always)]
    fn among<const N: usize>(self, bytes: [u8; N]) -> u64 {
        // SAFETY: `self` proves AVX-512.
        unsafe { self.equal_to_any(bytes) }
    }

    #[inline(always)]
    fn of<const N: usize>(self, class: &Class<N>) -> u64 {
        // SAFETY: `self` proves AVX-512.
        unsafe { self.in_class(u128::from_le_bytes(class.low), u128::from_le_bytes(class.high)) }
    }

    #[inline(always)]
    fn within(self, first: u8, last: u8) -> u64 {
        // SAFETY: `self` proves AVX-512.
        unsafe { self.inside(first, last) }
    }

    #[inline(always)]
    fn beyond_ascii(self) -> u64 {
        // SAFETY: `self` proves AVX-512.
        unsafe { self.signs() }
    }

    #[inline(always)]
    fn with_bits(self, bits: u8) -> Self {
        // SAFETY: `self` proves AVX-512.
        unsafe { self.or(bits) }
    }
}
