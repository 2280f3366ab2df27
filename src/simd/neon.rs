//! NEON, which every 64-bit ARM processor has: a block in four registers, each with every fourth byte.
#![expect(
    unsafe_code,
    reason = "vector instructions; the portable set is the twin that the tests compare with"
)]

use std::arch::aarch64::*;

use super::block::{BLOCK, Block, Class, PLACES, WORDS};
use super::isa::{Isa, Task, translate_each};

/// The NEON instruction set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon;

impl Isa for Neon {
    type Block = Quarters;

    #[inline(always)]
    fn load(self, bytes: &[u8; BLOCK]) -> Quarters {
        // SAFETY: every processor that this file is compiled for has NEON; 64 bytes are loaded, and the load requires no alignment.
        let uint8x16x4_t(a, b, c, d) = unsafe { vld4q_u8(bytes.as_ptr()) };
        Quarters([a, b, c, d])
    }

    #[inline(always)]
    fn places(self, mask: u64) -> [u8; PLACES] {
        let mut places = [0; PLACES];
        // There is no instruction that counts trailing zeros. With the bits in reverse order, one less is needed for each place.
        let mut reversed = mask.reverse_bits();
        for eight in places.as_chunks_mut::<8>().0 {
            for place in eight {
                let zeros = reversed.leading_zeros();
                *place = zeros as u8;
                reversed &= !(1_u64 << 63).wrapping_shr(zeros);
            }
            if reversed == 0 {
                break;
            }
        }
        places
    }

    const HAS_FAST_LOOK_UP: bool = true;

    #[inline(always)]
    fn look_up(self, table: &[u8; BLOCK], at: &[u8; BLOCK]) -> [u8; BLOCK] {
        // SAFETY: every processor that this file is compiled for has NEON.
        unsafe { look_up(table, at) }
    }

    #[inline(always)]
    fn translate(
        self,
        table: &[u8; 256],
        bytes: &[[u8; 4]; WORDS],
        words: usize,
        out: &mut [[u8; 4]; WORDS],
    ) {
        // SAFETY: every processor that this file is compiled for has NEON.
        if unsafe { !translate_ascii(table, bytes, out) } {
            translate_each(table, bytes, words, out);
        }
    }

    #[inline]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

/// Loads 64 bytes, 16 in a row in each register.
#[inline]
#[target_feature(enable = "neon")]
fn quarters(bytes: &[u8; BLOCK]) -> [uint8x16_t; 4] {
    let quarters = bytes.as_chunks::<16>().0;
    // SAFETY: a quarter has 16 bytes, and the load requires no alignment.
    std::array::from_fn(|n| unsafe { vld1q_u8(quarters[n].as_ptr()) })
}

/// Stores 64 bytes.
#[inline]
#[target_feature(enable = "neon")]
fn store(quarters: [uint8x16_t; 4], out: &mut [u8; BLOCK]) {
    for (quarter, out) in quarters.into_iter().zip(out.as_chunks_mut::<16>().0) {
        // SAFETY: a quarter has 16 bytes, and the store requires no alignment.
        unsafe { vst1q_u8(out.as_mut_ptr(), quarter) };
    }
}

/// Returns 64 entries as the operand of look-ups.
#[inline]
#[target_feature(enable = "neon")]
fn table_of(entries: &[u8; BLOCK]) -> uint8x16x4_t {
    let [a, b, c, d] = quarters(entries);
    uint8x16x4_t(a, b, c, d)
}

/// Looks up 64 bytes; see [`Isa::look_up`].
#[inline]
#[target_feature(enable = "neon")]
fn look_up(table: &[u8; BLOCK], at: &[u8; BLOCK]) -> [u8; BLOCK] {
    let (table, low_bits) = (table_of(table), vdupq_n_u8(63));
    let mut entries = [0; BLOCK];
    store(quarters(at).map(|at| vqtbl4q_u8(table, vandq_u8(at, low_bits))), &mut entries);
    entries
}

/// Translates all bytes and returns `true` if all of them are below 128; returns `false` otherwise.
#[inline]
#[target_feature(enable = "neon")]
fn translate_ascii(table: &[u8; 256], bytes: &[[u8; 4]; WORDS], out: &mut [[u8; 4]; WORDS]) -> bool {
    let (bytes, _) = bytes.as_flattened().as_chunks::<BLOCK>();
    let (out, _) = out.as_flattened_mut().as_chunks_mut::<BLOCK>();
    let [first, second, ..] = table.as_chunks::<BLOCK>().0 else { return false };
    let blocks: [[uint8x16_t; 4]; 2] = std::array::from_fn(|n| quarters(&bytes[n]));
    let all = blocks.as_flattened().iter().fold(vdupq_n_u8(0), |all, &quarter| vorrq_u8(all, quarter));
    if vmaxvq_u8(all) >= 128 {
        return false;
    }
    let (first, second, width) = (table_of(first), table_of(second), vdupq_n_u8(BLOCK as u8));
    for (block, out) in blocks.into_iter().zip(out) {
        // An index beyond the first table gives 0 there. One that is not in the second table leaves what the first one gave.
        store(block.map(|at| vqtbx4q_u8(vqtbl4q_u8(first, at), second, vsubq_u8(at, width))), out);
    }
    true
}

/// A block in four registers: byte `n` of register `r` is byte `4 * n + r` of the block. So neighbouring bits of a mask come from
/// different registers, which takes fewer instructions than bits of one register.
#[derive(Clone, Copy)]
pub(crate) struct Quarters([uint8x16_t; 4]);

impl Quarters {
    /// Returns the mask of bytes whose upper bit is set.
    #[inline]
    #[target_feature(enable = "neon")]
    fn bits(self) -> u64 {
        let [a, b, c, d] = self.0;
        // The upper bits of four bytes are shifted into the upper half of one byte, which is then copied to its lower half.
        let four = vsriq_n_u8::<2>(vsriq_n_u8::<1>(d, c), vsriq_n_u8::<1>(b, a));
        let twice = vsriq_n_u8::<4>(four, four);
        // Of two bytes, the half of the first and the half of the second.
        vget_lane_u64::<0>(vreinterpret_u64_u8(vshrn_n_u16::<4>(vreinterpretq_u16_u8(twice))))
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn equal_to_any<const N: usize>(self, bytes: [u8; N]) -> u64 {
        let mut any = [vdupq_n_u8(0); 4];
        for byte in bytes {
            let byte = vdupq_n_u8(byte);
            for (any, quarter) in any.iter_mut().zip(self.0) {
                *any = vorrq_u8(*any, vceqq_u8(quarter, byte));
            }
        }
        Self(any).bits()
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn in_class(self, low: &[u8; 16], high: &[u8; 16]) -> u64 {
        // SAFETY: each table has 16 bytes, and the loads require no alignment.
        let [low, high] = [low, high].map(|table| unsafe { vld1q_u8(table.as_ptr()) });
        let half = vdupq_n_u8(15);
        let look_up = |bytes: uint8x16_t| {
            let lower = vqtbl1q_u8(low, vandq_u8(bytes, half));
            vtstq_u8(lower, vqtbl1q_u8(high, vshrq_n_u8::<4>(bytes)))
        };
        Self(self.0.map(look_up)).bits()
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn inside(self, first: u8, last: u8) -> u64 {
        let (base, span) = (vdupq_n_u8(first), vdupq_n_u8(last - first));
        Self(self.0.map(|quarter| vcleq_u8(vsubq_u8(quarter, base), span))).bits()
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn or(self, bits: u8) -> Self {
        let bits = vdupq_n_u8(bits);
        Self(self.0.map(|quarter| vorrq_u8(quarter, bits)))
    }
}

impl Block for Quarters {
    #[inline(always)]
    fn among<const N: usize>(self, bytes: [u8; N]) -> u64 {
        // SAFETY: every processor that this file is compiled for has NEON.
        unsafe { self.equal_to_any(bytes) }
    }

    #[inline(always)]
    fn of<const N: usize>(self, class: &Class<N>) -> u64 {
        // SAFETY: every processor that this file is compiled for has NEON.
        unsafe { self.in_class(&class.low, &class.high) }
    }

    #[inline(always)]
    fn within(self, first: u8, last: u8) -> u64 {
        // SAFETY: every processor that this file is compiled for has NEON.
        unsafe { self.inside(first, last) }
    }

    #[inline(always)]
    fn beyond_ascii(self) -> u64 {
        // SAFETY: every processor that this file is compiled for has NEON.
        unsafe { self.bits() }
    }

    #[inline(always)]
    fn with_bits(self, bits: u8) -> Self {
        // SAFETY: every processor that this file is compiled for has NEON.
        unsafe { self.or(bits) }
    }
}
