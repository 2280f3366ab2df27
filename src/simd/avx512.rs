//! AVX-512: a block in one register; every comparison yields its mask directly.
#![expect(
    unsafe_code,
    reason = "vector instructions; the portable set is the twin that the tests compare with"
)]

use std::arch::x86_64::*;

use super::avx512_numbers::{ALL, Avx512, load_padded};
use super::block::{BLOCK, Block, Class, NUMBERS, PLACES, PlyMaxima, TokenBytes, WORDS};
use super::isa::{Isa, NumberReader, Task};

impl Isa for Avx512 {
    type Block = Wide;

    #[inline(always)]
    fn load(self, bytes: &[u8; BLOCK]) -> Wide {
        // SAFETY: `self` proves AVX-512; a block has 64 bytes, and the load requires no alignment.
        unsafe { Wide(_mm512_loadu_si512(bytes.as_ptr().cast())) }
    }

    #[inline(always)]
    fn load_padded(self, bytes: &[u8]) -> Wide {
        // SAFETY: `self` proves AVX-512 with byte instructions.
        unsafe { Wide(load_padded(bytes)) }
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
    fn ply_maxima(self, halves: [[&[u64; NUMBERS]; 3]; 2], plies: u64, by_kings: u64) -> Option<PlyMaxima> {
        // SAFETY: `self` proves AVX-512 with byte instructions and VPOPCNTDQ.
        Some(unsafe { ply_maxima(halves, plies, by_kings) })
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

/// Counts all plies; see [`Isa::ply_maxima`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vpopcntdq")]
fn ply_maxima(halves: [[&[u64; NUMBERS]; 3]; 2], plies: u64, by_kings: u64) -> PlyMaxima {
    const EIGHT: usize = 8;
    let [mut most, mut least, mut men, mut kings] = [_mm512_setzero_si512(); 4];
    let (plies, by_kings) = (plies.to_le_bytes(), by_kings.to_le_bytes());
    for part in 0..2 * NUMBERS / EIGHT {
        let count = |numbers: &[u64; NUMBERS]| {
            let eight = &numbers.as_chunks::<EIGHT>().0[part % (NUMBERS / EIGHT)];
            // SAFETY: eight numbers fill the register, and the load requires no alignment.
            _mm512_popcnt_epi64(unsafe { _mm512_loadu_si512(eight.as_ptr().cast()) })
        };
        let [white, black, taken] = halves[part / (NUMBERS / EIGHT)].map(count);
        let (plies, by_kings) = (plies[part], by_kings[part]);
        let lead = _mm512_maskz_sub_epi64(plies, white, black);
        most = _mm512_max_epi64(most, lead);
        least = _mm512_min_epi64(least, lead);
        men = _mm512_mask_max_epi64(men, plies & !by_kings, men, taken);
        kings = _mm512_mask_max_epi64(kings, plies & by_kings, kings, taken);
    }
    // Each is one byte of a number, so that the maxima of all are found together.
    let takes = _mm512_or_si512(men, _mm512_slli_epi64::<8>(kings));
    let least = _mm512_sub_epi64(_mm512_setzero_si512(), least);
    let leads = _mm512_or_si512(_mm512_slli_epi64::<16>(most), _mm512_slli_epi64::<24>(least));
    let all = _mm512_or_si512(takes, leads);
    let half = _mm256_max_epu8(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64::<1>(all));
    let quarter = _mm_max_epu8(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
    let last = _mm_max_epu8(quarter, _mm_unpackhi_epi64(quarter, quarter));
    let [man_takes, king_takes, white_lead, black_lead, ..] = _mm_cvtsi128_si64(last).to_le_bytes();
    PlyMaxima { man_takes, king_takes, white_lead, black_lead }
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

/// The classes of ASCII bytes in movetext, one bit each, in the order of the fields of [`TokenBytes`].
static TOKEN_CLASSES: [[u8; BLOCK]; 2] = {
    let mut classes = [[0; BLOCK]; 2];
    let mut byte = 0;
    while byte < 2 * BLOCK {
        classes[byte / BLOCK][byte % BLOCK] = match byte as u8 {
            b'0'..=b'2' => 1 | 16,
            b'3'..=b'9' => 1,
            b'-' | b'x' | b':' | b'X' => 2,
            b'.' => 4,
            b' ' | b'\t'..=b'\r' => 8,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

impl Wide {
    /// Classifies all bytes by one look-up; see [`Block::token_bytes`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn classify_tokens(self) -> TokenBytes {
        // SAFETY: both halves of the table are as long as a register, and the loads require no alignment.
        let [low, high] =
            unsafe { [0, 1].map(|half| _mm512_loadu_si512(TOKEN_CLASSES[half].as_ptr().cast())) };
        // Bytes beyond ASCII become DEL, which has no class.
        let ascii = _mm512_min_epu8(self.0, _mm512_set1_epi8(0x7F));
        let classes = _mm512_permutex2var_epi8(low, ascii, high);
        let of = |bit: i8| _mm512_test_epi8_mask(classes, _mm512_set1_epi8(bit));
        TokenBytes { digits: of(1), separators: of(2), dots: of(4), whitespace: of(8), scores: of(16) }
    }
}

impl Block for Wide {
    #[inline(always)]
    fn token_bytes(self) -> TokenBytes {
        // SAFETY: `self` proves AVX-512 and VBMI.
        unsafe { self.classify_tokens() }
    }

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
