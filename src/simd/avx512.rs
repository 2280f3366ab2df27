//! AVX-512: a block in one register, and every comparison a mask at once.
#![expect(
    unsafe_code,
    reason = "vector instructions; the portable set is the twin that the tests compare with"
)]

use std::arch::x86_64::*;

use super::{BLOCK, Block, Class, Isa, PAIRS, PLACES, PairReader, Pairs, Task, WORDS};

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

    const LOOKS_UP: bool = true;

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
    fn pair_reader(self) -> PairReader {
        PairReader { avx512: Some(self) }
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
    /// As [`PairReader::read`].
    #[inline(always)]
    pub(super) fn pairs(self, block: &[u8; BLOCK], starts: u64, ends: u64, at: u32) -> Pairs {
        // SAFETY: `self` proves AVX-512, VBMI and VBMI2.
        unsafe { pairs(block, starts, ends, at) }
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
    const ALL: [u8; BLOCK] = {
        let mut all = [0; BLOCK];
        let mut n = 0;
        while n < BLOCK {
            all[n] = n as u8;
            n += 1;
        }
        all
    };
    const TENS: u128 = u128::from_le_bytes([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 0, 0, 0, 0, 0, 0]);
    let mut pairs = Pairs { numbers: [[0; 2]; PAIRS], places: [[0; 2]; PAIRS] };
    // SAFETY: what is read or written is as long as its register, with no alignment asked for.
    unsafe {
        let bytes = _mm512_loadu_si512(block.as_ptr().cast());
        let all = _mm512_loadu_si512(ALL.as_ptr().cast());
        let start = _mm512_maskz_compress_epi8(starts, all);
        let end = _mm512_maskz_compress_epi8(ends, all);
        let one = _mm512_set1_epi8(1);
        let last = _mm512_sub_epi8(end, one);
        let byte = |at| _mm512_permutexvar_epi8(at, bytes);
        let low_half = _mm512_set1_epi8(15);
        let digit = |at| _mm512_and_si512(byte(at), low_half);
        let tens = |at| {
            let table = _mm512_broadcast_i32x4(_mm_set_epi64x((TENS >> 64) as i64, TENS as i64));
            _mm512_shuffle_epi8(table, digit(at))
        };
        let is_digit = |at| {
            let above = _mm512_sub_epi8(byte(at), _mm512_set1_epi8(b'0' as i8));
            _mm512_cmple_epu8_mask(above, _mm512_set1_epi8(9))
        };
        let (second, before) = (_mm512_add_epi8(start, one), _mm512_sub_epi8(last, one));
        let two = _mm512_add_epi8(tens(start), digit(second));
        let from = _mm512_mask_blend_epi8(is_digit(second), digit(start), two);
        let to = _mm512_mask_add_epi8(digit(last), is_digit(before), digit(last), tens(before));
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

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn places(mask: u64) -> [u8; PLACES] {
    const ALL: [u8; BLOCK] = {
        let mut all = [0; BLOCK];
        let mut n = 0;
        while n < BLOCK {
            all[n] = n as u8;
            n += 1;
        }
        all
    };
    let mut places = [0; PLACES];
    // SAFETY: both are as long as what is read or written, with no alignment asked for.
    unsafe {
        let packed = _mm512_maskz_compress_epi8(mask, _mm512_loadu_si512(ALL.as_ptr().cast()));
        _mm256_storeu_si256(places.as_mut_ptr().cast(), _mm512_castsi512_si256(packed));
    }
    places
}

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
