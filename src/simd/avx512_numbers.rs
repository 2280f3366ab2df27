//! AVX-512: many numbers of a block at once.
#![expect(unsafe_code, reason = "vector instructions; the tests compare them with reading each number")]

use std::arch::x86_64::*;

use super::block::{BLOCK, PAIRS, Pairs};

/// AVX-512 with byte instructions, AVX2 and the bit instructions. A value proves that the processor has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// Creates the proof, or returns `None` if this processor lacks an instruction. Processors without VBMI2 run
    /// slower while wide registers are in use, so AVX2 is the better choice there.
    pub(crate) fn new() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Self(()))
    }
}

impl Avx512 {
    /// Reads pairs; see `NumberReader::pairs`.
    #[inline(always)]
    pub(super) fn pairs(self, block: &[u8; BLOCK], starts: u64, ends: u64, at: u32) -> Pairs {
        // SAFETY: `self` proves AVX-512, VBMI and VBMI2.
        unsafe { pairs(block, starts, ends, at) }
    }

    /// Checks that numbers count up; see `NumberReader::count_up`.
    #[inline(always)]
    pub(super) fn count_up(self, block: &[u8; BLOCK], numbers: u64, tokens: u64) -> Option<(u8, u32)> {
        // SAFETY: `self` proves AVX-512, VBMI, VBMI2, BMI2 and POPCNT.
        unsafe { count_up(block, numbers, tokens) }
    }
}

/// Reads pairs; see `NumberReader::pairs`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn pairs(block: &[u8; BLOCK], starts: u64, ends: u64, at: u32) -> Pairs {
    let mut pairs = Pairs { numbers: [[0; 2]; PAIRS], places: [[0; 2]; PAIRS] };
    // SAFETY: each array read or written is as long as its register, and no instruction requires alignment.
    unsafe {
        let bytes = _mm512_loadu_si512(block.as_ptr().cast());
        let all = _mm512_loadu_si512(ALL.as_ptr().cast());
        let start = _mm512_maskz_compress_epi8(starts, all);
        let end = _mm512_maskz_compress_epi8(ends, all);
        let one = _mm512_set1_epi8(1);
        let last = _mm512_sub_epi8(end, one);
        let before = _mm512_sub_epi8(last, one);
        let from = one_or_two_digits(bytes, start);
        let tens = _mm512_shuffle_epi8(tens(), digits(bytes, before));
        let to = digits(bytes, last);
        let to = _mm512_mask_add_epi8(to, are_digits(bytes, before), to, tens);
        let (from, to) = (_mm512_castsi512_si128(from), _mm512_castsi512_si128(to));
        let numbers = _mm256_set_m128i(_mm_unpackhi_epi8(from, to), _mm_unpacklo_epi8(from, to));
        _mm256_storeu_si256(pairs.numbers.as_mut_ptr().cast(), numbers);
        // Starts and ends alternate, each as a word of four bytes.
        let (start, end) = (_mm512_castsi512_si128(start), _mm512_castsi512_si128(end));
        let at = _mm512_set1_epi32(at as i32);
        let first = _mm512_cvtepu8_epi32(_mm_unpacklo_epi8(start, end));
        let rest = _mm512_cvtepu8_epi32(_mm_unpackhi_epi8(start, end));
        let places = pairs.places.as_mut_ptr().cast::<[u32; PAIRS]>();
        _mm512_storeu_si512(places.cast(), _mm512_add_epi32(first, at));
        _mm512_storeu_si512(places.add(1).cast(), _mm512_add_epi32(rest, at));
    }
    pairs
}

/// Checks that numbers count up; see `NumberReader::count_up`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
fn count_up(block: &[u8; BLOCK], numbers: u64, tokens: u64) -> Option<(u8, u32)> {
    /// Every third bit, from the lowest.
    const EVERY_THIRD: u64 = 0x9249_2492_4924_9249;
    // SAFETY: each array read is as long as its register, and no instruction requires alignment.
    let (bytes, all) =
        unsafe { (_mm512_loadu_si512(block.as_ptr().cast()), _mm512_loadu_si512(ALL.as_ptr().cast())) };
    let read = one_or_two_digits(bytes, _mm512_maskz_compress_epi8(numbers, all));
    let first = _mm_cvtsi128_si32(_mm512_castsi512_si128(read)) as u8;
    let expected = _mm512_add_epi8(_mm512_broadcastb_epi8(_mm512_castsi512_si128(read)), all);
    let valid = _bzhi_u64(u64::MAX, numbers.count_ones());
    let wrong = _mm512_mask_cmpneq_epi8_mask(valid, read, expected);
    let number_tokens = _pext_u64(numbers, tokens);
    let before = number_tokens.trailing_zeros();
    let regular = _bzhi_u64(EVERY_THIRD.wrapping_shl(before), tokens.count_ones());
    (wrong == 0 && number_tokens == regular && numbers != 0).then_some((first, before))
}

/// Reads the numbers of one or two digits that start at the places `at` of a block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn one_or_two_digits(bytes: __m512i, at: __m512i) -> __m512i {
    let second = _mm512_add_epi8(at, _mm512_set1_epi8(1));
    let one = digits(bytes, at);
    let two = _mm512_add_epi8(_mm512_shuffle_epi8(tens(), one), digits(bytes, second));
    _mm512_mask_blend_epi8(are_digits(bytes, second), one, two)
}

/// Returns the values of the digits at the places `at` of a block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn digits(bytes: __m512i, at: __m512i) -> __m512i {
    _mm512_and_si512(_mm512_permutexvar_epi8(at, bytes), _mm512_set1_epi8(15))
}

/// Returns the mask of the places `at` of a block that hold digits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn are_digits(bytes: __m512i, at: __m512i) -> u64 {
    let above = _mm512_sub_epi8(_mm512_permutexvar_epi8(at, bytes), _mm512_set1_epi8(b'0' as i8));
    _mm512_cmple_epu8_mask(above, _mm512_set1_epi8(9))
}

/// Returns [`TENS`] as a table for shuffles.
#[inline]
#[target_feature(enable = "avx512f")]
fn tens() -> __m512i {
    _mm512_broadcast_i32x4(_mm_set_epi64x((TENS >> 64) as i64, TENS as i64))
}

/// Every place of a block, in order.
pub(super) const ALL: [u8; BLOCK] = {
    let mut all = [0; BLOCK];
    let mut n = 0;
    while n < BLOCK {
        all[n] = n as u8;
        n += 1;
    }
    all
};

/// The value of a tens digit.
const TENS: u128 = u128::from_le_bytes([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 0, 0, 0, 0, 0, 0]);
