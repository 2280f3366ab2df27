//! Ordinary code for every processor: loops of fixed length without branches, which compilers usually vectorise.

use super::block::{BLOCK, Block};
use super::isa::{Isa, Task};

/// The instruction set of every processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Isa for Portable {
    type Block = [u8; BLOCK];

    #[inline(always)]
    fn load(self, bytes: &[u8; BLOCK]) -> [u8; BLOCK] {
        *bytes
    }

    #[inline]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.run(self)
    }
}

impl Block for [u8; BLOCK] {
    #[inline(always)]
    fn among<const N: usize>(self, bytes: [u8; N]) -> u64 {
        gather(self.map(|b| bytes.iter().fold(0, |any, &byte| any | u8::from(b == byte))))
    }

    #[inline(always)]
    fn within(self, first: u8, last: u8) -> u64 {
        gather(self.map(|b| u8::from(b.wrapping_sub(first) <= last - first)))
    }

    #[inline(always)]
    fn beyond_ascii(self) -> u64 {
        gather(self.map(|b| b >> 7))
    }

    #[inline(always)]
    fn with_bits(self, bits: u8) -> Self {
        self.map(|b| b | bits)
    }
}

/// Returns the mask of 64 bytes that are 0 or 1, one bit per byte.
#[inline(always)]
fn gather(flags: [u8; BLOCK]) -> u64 {
    let mut mask = 0;
    for (i, eight) in flags.as_chunks::<8>().0.iter().enumerate() {
        // Moves the bit of byte k to bit 56 + k.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        mask |= bits << (8 * i);
    }
    mask
}
