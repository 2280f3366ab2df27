//! AVX-512: a block in one register, and every comparison a mask at once.
#![expect(
    unsafe_code,
    reason = "vector instructions; the portable set is the twin that the tests compare with"
)]

use std::arch::x86_64::*;

use super::{BLOCK, Block, Class, Isa, NumberReader, PAIRS, PLACES, Pairs, Task, WORDS};

/// AVX-512 of bytes, and the bit instructions that came before it. Having one proves that the processor has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// AVX-512, if this processor has it. Processors without VBMI2 run slower while wide registers are in use, so that
    /// AVX2 is the better choice there.
    pub(crate) fn new() -> Option<Self> {
        let found = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        found.then_some(Self(()))
    }
}

impl Isa for Avx512 {
    type Block = Wide;

    #[inline(always)]
    fn load(self, bytes: &[u8; BLOCK]) -> Wide {
        // SAFETY: `self` proves AVX-512; a block is sixty-four bytes, with no alignment asked for.
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

impl Avx512 {
    /// As [`NumberReader::pairs`].
    #[inline(always)]
    pub(super) fn pairs(self, block: &[u8; BLOCK], starts: u64, ends: u64, at: u32) -> Pairs {
        // SAFETY: `self` proves AVX-512, VBMI and VBMI2.
        unsafe { pairs(block, starts, ends, at) }
    }

    /// As [`NumberReader::count_up`].
    #[inline(always)]
    pub(super) fn count_up(self, block: &[u8; BLOCK], numbers: u64, tokens: u64) -> Option<(u8, u32)> {
        // SAFETY: `self` proves AVX-512, VBMI, VBMI2, BMI2 and the counting of bits.
        unsafe { count_up(block, numbers, tokens) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vbmi")]
fn look_up(table: &[u8; BLOCK], at: &[u8; BLOCK]) -> [u8; BLOCK] {
    let mut found = [0; BLOCK];
    // SAFETY: all are as long as what is read or written, with no alignment asked for.
    unsafe {
        let [table, at] = [table, at].map(|bytes| _mm512_loadu_si512(bytes.as_ptr().cast()));
        _mm512_storeu_si512(found.as_mut_ptr().cast(), _mm512_permutexvar_epi8(at, table));
    }
    found
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn translate(table: &[u8; 256], bytes: &[[u8; 4]; WORDS], out: &mut [[u8; 4]; WORDS]) {
    // SAFETY: all offsets lie within what is read or written, with no alignment asked for.
    unsafe {
        let part = |n: usize| _mm512_loadu_si512(table.as_ptr().add(n * BLOCK).cast());
        for n in [0, WORDS / 2] {
            let asked = _mm512_loadu_si512(bytes.as_ptr().add(n).cast());
            let low = _mm512_permutex2var_epi8(part(0), asked, part(1));
            let high = _mm512_permutex2var_epi8(part(2), asked, part(3));
            let found = _mm512_mask_blend_epi8(_mm512_movepi8_mask(asked), low, high);
            _mm512_storeu_si512(out.as_mut_ptr().add(n).cast(), found);
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2")]
fn pairs(block: &[u8; BLOCK], starts: u64, ends: u64, at: u32) -> Pairs {
    let mut pairs = Pairs { numbers: [[0; 2]; PAIRS], places: [[0; 2]; PAIRS] };
    // SAFETY: what is read or written is as long as its register, with no alignment asked for.
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
        // Starts and ends in turns, as words of four bytes.
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

/// Whether the numbers count up; see [`NumberReader::count_up`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
fn count_up(block: &[u8; BLOCK], numbers: u64, tokens: u64) -> Option<(u8, u32)> {
    /// A bit, two bits left out, and so on.
    const EVERY_THIRD: u64 = 0x9249_2492_4924_9249;
    // SAFETY: what is read is as long as its register, with no alignment asked for.
    let (bytes, all) =
        unsafe { (_mm512_loadu_si512(block.as_ptr().cast()), _mm512_loadu_si512(ALL.as_ptr().cast())) };
    let read = one_or_two_digits(bytes, _mm512_maskz_compress_epi8(numbers, all));
    let first = _mm_cvtsi128_si32(_mm512_castsi512_si128(read)) as u8;
    let expected = _mm512_add_epi8(_mm512_broadcastb_epi8(_mm512_castsi512_si128(read)), all);
    let there = _bzhi_u64(u64::MAX, numbers.count_ones());
    let wrong = _mm512_mask_cmpneq_epi8_mask(there, read, expected);
    let among = _pext_u64(numbers, tokens);
    let before = among.trailing_zeros();
    let regular = _bzhi_u64(EVERY_THIRD.wrapping_shl(before), tokens.count_ones());
    (wrong == 0 && among == regular && numbers != 0).then_some((first, before))
}

/// The numbers of one or two digits that start at places of a block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn one_or_two_digits(bytes: __m512i, at: __m512i) -> __m512i {
    let second = _mm512_add_epi8(at, _mm512_set1_epi8(1));
    let one = digits(bytes, at);
    let two = _mm512_add_epi8(_mm512_shuffle_epi8(tens(), one), digits(bytes, second));
    _mm512_mask_blend_epi8(are_digits(bytes, second), one, two)
}

/// What the digits at places of a block are worth.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn digits(bytes: __m512i, at: __m512i) -> __m512i {
    _mm512_and_si512(_mm512_permutexvar_epi8(at, bytes), _mm512_set1_epi8(15))
}

/// Which places of a block have digits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn are_digits(bytes: __m512i, at: __m512i) -> u64 {
    let above = _mm512_sub_epi8(_mm512_permutexvar_epi8(at, bytes), _mm512_set1_epi8(b'0' as i8));
    _mm512_cmple_epu8_mask(above, _mm512_set1_epi8(9))
}

/// [`TENS`], to be shuffled.
#[inline]
#[target_feature(enable = "avx512f")]
fn tens() -> __m512i {
    _mm512_broadcast_i32x4(_mm_set_epi64x((TENS >> 64) as i64, TENS as i64))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn places(mask: u64) -> [u8; PLACES] {
    let mut places = [0; PLACES];
    // SAFETY: both are as long as what is read or written, with no alignment asked for.
    unsafe {
        let packed = _mm512_maskz_compress_epi8(mask, _mm512_loadu_si512(ALL.as_ptr().cast()));
        _mm256_storeu_si256(places.as_mut_ptr().cast(), _mm512_castsi512_si256(packed));
    }
    places
}

/// Every place of a block.
const ALL: [u8; BLOCK] = {
    let mut all = [0; BLOCK];
    let mut n = 0;
    while n < BLOCK {
        all[n] = n as u8;
        n += 1;
    }
    all
};

/// What digits say that others follow.
const TENS: u128 = u128::from_le_bytes([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 0, 0, 0, 0, 0, 0]);

/// A block in one register. Only [`Avx512::load`] makes one, so having one proves AVX-512 as well.
#[derive(Clone, Copy)]
pub(crate) struct Wide(__m512i);

impl Wide {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn equal_to_any<const N: usize>(self, bytes: [u8; N]) -> u64 {
        if let [byte] = bytes[..] {
            return _mm512_cmpeq_epi8_mask(self.0, _mm512_set1_epi8(byte as i8));
        }
        // Comparisons of what is left cost less than joining their answers.
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
