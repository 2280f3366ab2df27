//! AVX-512: many numbers of a block at once.
#![expect(unsafe_code, reason = "vector instructions; the tests compare them with reading each number")]

use std::arch::x86_64::*;

use super::block::{BLOCK, PAIRS, Pairs};

/// AVX-512 with byte instructions and bit counts, AVX2 and the bit instructions. A value proves that the processor has them.
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
            && is_x86_feature_detected!("avx512vpopcntdq")
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
    pub(super) fn pairs(self, bytes: &[u8], starts: u64, ends: u64, at: u32) -> Pairs {
        // SAFETY: `self` proves AVX-512, VBMI and VBMI2.
        unsafe { pairs(bytes, starts, ends, at) }
    }

    /// Checks that numbers count up; see `NumberReader::count_up`.
    #[inline(always)]
    pub(super) fn count_up(self, bytes: &[u8], numbers: u64, tokens: u64) -> Option<(u8, u32)> {
        // SAFETY: `self` proves AVX-512, VBMI, VBMI2, BMI2 and POPCNT.
        unsafe { count_up(bytes, numbers, tokens) }
    }
}

/// Reads pairs; see `NumberReader::pairs`.
///
/// There are at most 16 words, so only the look-ups in the block need wide registers. Processors that split wide instructions in
/// halves execute half as much for each of the others.
///
/// # Safety
/// The processor has AVX-512, VBMI and VBMI2, and the caller is compiled for them.
// Always inlined, which `#[target_feature]` does not allow: after a call for each block, the caller would load its constants again.
#[inline(always)]
unsafe fn pairs(bytes: &[u8], starts: u64, ends: u64, at: u32) -> Pairs {
    let mut pairs = Pairs { numbers: [[0; 2]; PAIRS], places: [[0; 2]; PAIRS] };
    // SAFETY: each array read or written is as long as its register, and no instruction requires alignment.
    unsafe {
        let bytes = load_padded(bytes);
        let all = _mm512_loadu_si512(ALL.as_ptr().cast());
        let start = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(starts, all));
        let end = _mm512_castsi512_si128(_mm512_maskz_compress_epi8(ends, all));
        let last = _mm_sub_epi8(end, _mm_set1_epi8(1));
        let from = one_or_two_digits(bytes, start);
        let before = bytes_at(bytes, _mm_sub_epi8(last, _mm_set1_epi8(1)));
        let tens = _mm_and_si128(tens(before), are_digits(before));
        let to = _mm_add_epi8(value(bytes_at(bytes, last)), tens);
        let numbers = _mm256_set_m128i(_mm_unpackhi_epi8(from, to), _mm_unpacklo_epi8(from, to));
        _mm256_storeu_si256(pairs.numbers.as_mut_ptr().cast(), numbers);
        // Starts and ends alternate, each as a word of four bytes.
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
fn count_up(bytes: &[u8], numbers: u64, tokens: u64) -> Option<(u8, u32)> {
    /// Every third bit, from the lowest.
    const EVERY_THIRD: u64 = 0x9249_2492_4924_9249;
    // SAFETY: the array is as long as its register, and the load requires no alignment.
    let (bytes, all) = (load_padded(bytes), unsafe { _mm512_loadu_si512(ALL.as_ptr().cast()) });
    let read = one_or_two_digits(bytes, _mm512_castsi512_si128(_mm512_maskz_compress_epi8(numbers, all)));
    let first = _mm_cvtsi128_si32(read) as u8;
    let expected = _mm_add_epi8(_mm_broadcastb_epi8(read), _mm512_castsi512_si128(all));
    let equal = _mm_movemask_epi8(_mm_cmpeq_epi8(read, expected)) as u32;
    // A block with two moves between any two numbers has no more than seven numbers; 16 are read.
    let wrong = _bzhi_u32(!equal, numbers.count_ones());
    let number_tokens = _pext_u64(numbers, tokens);
    let before = number_tokens.trailing_zeros();
    let regular = _bzhi_u64(EVERY_THIRD.wrapping_shl(before), tokens.count_ones());
    (wrong == 0 && number_tokens == regular && numbers != 0).then_some((first, before))
}

/// Loads the first bytes; see `Isa::load_padded`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn load_padded(bytes: &[u8]) -> __m512i {
    let spaces = _mm512_set1_epi8(b' ' as i8);
    // SAFETY: only bytes of the slice are loaded, and the loads require no alignment.
    unsafe {
        match bytes.first_chunk::<BLOCK>() {
            Some(block) => _mm512_loadu_si512(block.as_ptr().cast()),
            None => _mm512_mask_loadu_epi8(spaces, (1 << bytes.len()) - 1, bytes.as_ptr().cast()),
        }
    }
}

/// Reads the numbers of one or two digits that start at the places `at` of a block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn one_or_two_digits(bytes: __m512i, at: __m128i) -> __m128i {
    let first = bytes_at(bytes, at);
    let second = bytes_at(bytes, _mm_add_epi8(at, _mm_set1_epi8(1)));
    let two = _mm_add_epi8(tens(first), value(second));
    _mm_blendv_epi8(value(first), two, are_digits(second))
}

/// Returns the bytes at the places `at` of a block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn bytes_at(bytes: __m512i, at: __m128i) -> __m128i {
    _mm512_castsi512_si128(_mm512_permutexvar_epi8(_mm512_castsi128_si512(at), bytes))
}

/// Returns the values of digits.
#[inline]
#[target_feature(enable = "sse2")]
fn value(digits: __m128i) -> __m128i {
    _mm_and_si128(digits, _mm_set1_epi8(15))
}

/// Returns ten times the values of digits.
#[inline]
#[target_feature(enable = "ssse3")]
fn tens(digits: __m128i) -> __m128i {
    _mm_shuffle_epi8(_mm_set_epi64x((TENS >> 64) as i64, TENS as i64), value(digits))
}

/// Returns all bits of each byte that is a digit.
#[inline]
#[target_feature(enable = "sse2")]
fn are_digits(bytes: __m128i) -> __m128i {
    let above = _mm_sub_epi8(bytes, _mm_set1_epi8(b'0' as i8));
    _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8(9)), above)
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

/// Ten times the value of each digit.
const TENS: u128 = u128::from_le_bytes([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 0, 0, 0, 0, 0, 0]);
