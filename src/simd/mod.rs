//! Bit masks of 64 bytes at a time: which bytes equal a given byte, which lie in a range.
//!
//! Every mask is a [`u64`] with one bit per byte, the lowest for the first. Algorithms are written once, over `Isa`
//! and `Block`, and compiled for every instruction set by `run`, which chooses the best one of the processor.
//! They are in the modules that use them (`syntax`, `lex`); only instruction sets are here.
//!
//! The portable set is ordinary code and the twin that the others are tested against. A value of another set can be
//! created only after the processor was asked, so that it proves that its instructions may be used.
// Twin of every mask: the test of single bytes; test: masks_equal_tests_of_single_bytes.

pub(crate) mod block;
#[cfg(target_arch = "x86_64")]
mod avx512_numbers;
pub(crate) mod isa;
#[cfg(any(
    debug_assertions,
    test,
    not(any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little"),
        all(target_arch = "wasm32", target_feature = "simd128")
    ))
))]
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use avx512_numbers::Avx512;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use neon::Neon as Baseline;
#[cfg(any(debug_assertions, test))]
use portable::Portable;
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
use portable::Portable as Baseline;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use simd128::Simd128 as Baseline;
#[cfg(target_arch = "x86_64")]
use sse2::Sse2 as Baseline;

pub(crate) use block::{BLOCK, Block, Class, PAIRS, Pairs, TokenBytes};
#[cfg(test)]
use block::{NUMBERS, PLACES, PlyMaxima, WORDS};
pub(crate) use isa::{Isa, NumberReader, Task, contains_any};

/// Runs `task` with the best instruction set of this processor.
#[inline]
pub fn run<T: Task>(task: T) -> T::Output {
    match best() {
        #[cfg(debug_assertions)]
        Best::Portable(isa) => isa.run(task),
        Best::Baseline(isa) => isa.run(task),
        #[cfg(target_arch = "x86_64")]
        Best::Avx2(isa) => isa.run(task),
        #[cfg(target_arch = "x86_64")]
        Best::Avx512(isa) => isa.run(task),
    }
}

/// Runs `task` with the instruction set that all processors have. So the task is compiled once.
#[inline]
pub(crate) fn run_on_baseline<T: Task>(task: T) -> T::Output {
    Baseline.run(task)
}

/// Asks the processor to load the 192 bytes from offset `at` on into its cache, because they will be read soon. Changes no result.
#[inline]
pub(crate) fn prefetch(bytes: &[u8], at: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..3 {
        if let Some(byte) = bytes.get(at + 64 * line) {
            sse2::prefetch(byte);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, at);
}

/// The best instruction set of this processor.
#[derive(Clone, Copy, Debug)]
enum Best {
    #[cfg(debug_assertions)]
    Portable(Portable),
    Baseline(Baseline),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Best {
    const fn name(self) -> &'static str {
        match self {
            #[cfg(debug_assertions)]
            Self::Portable(_) => "portable",
            Self::Baseline(_) => BASELINE,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
        }
    }
}

/// The name of the instruction set that all processors of this architecture have.
const BASELINE: &str = if cfg!(target_arch = "x86_64") {
    "sse2"
} else if cfg!(all(target_arch = "aarch64", target_endian = "little")) {
    "neon"
} else if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) {
    "simd128"
} else {
    "portable"
};

/// The instruction set in use.
static BEST: OnceLock<Best> = OnceLock::new();

/// Returns the instruction set in use: the best one, which is detected once, unless another was chosen before.
#[inline]
fn best() -> Best {
    *BEST.get_or_init(detect)
}

/// Returns the name of the instruction set in use, such as `avx2`.
pub fn instruction_set() -> &'static str {
    best().name()
}

/// Chooses the instruction set by its name, so that a benchmark can measure what other processors have. Returns `false` if this
/// processor does not have it, or if another one is in use already.
#[must_use]
pub fn use_instruction_set(name: &str) -> bool {
    chosen(name).is_some_and(|set| BEST.get_or_init(|| set).name() == name)
}

/// The names of the instruction sets that a released program has code for, the least one first.
pub const INSTRUCTION_SETS: &[&str] =
    if cfg!(target_arch = "x86_64") { &[BASELINE, "avx2", "avx512"] } else { &[BASELINE] };

/// Asks the processor for its instruction sets. In builds with debug assertions the environment variable `PDN_TEST_SIMD`
/// (such as `portable` or `sse2`) chooses a lesser one, so that tests can run the whole pipeline on each.
#[cold]
fn detect() -> Best {
    #[cfg(debug_assertions)]
    if let Ok(name) = std::env::var("PDN_TEST_SIMD") {
        return chosen(&name).unwrap_or_else(|| panic!("this processor has no instruction set `{name}`"));
    }
    #[cfg(target_arch = "x86_64")]
    return match (Avx512::new(), Avx2::new()) {
        (Some(isa), _) => Best::Avx512(isa),
        (None, Some(isa)) => Best::Avx2(isa),
        (None, None) => Best::Baseline(Baseline),
    };
    #[cfg(not(target_arch = "x86_64"))]
    Best::Baseline(Baseline)
}

/// Returns the instruction set of this name, if the processor has it.
fn chosen(name: &str) -> Option<Best> {
    match name {
        _ if name == BASELINE => Some(Best::Baseline(Baseline)),
        #[cfg(debug_assertions)]
        "portable" => Some(Best::Portable(Portable)),
        #[cfg(target_arch = "x86_64")]
        "avx2" => Avx2::new().map(Best::Avx2),
        #[cfg(target_arch = "x86_64")]
        "avx512" => Avx512::new().map(Best::Avx512),
        _ => None,
    }
}

/// Runs `task` with every instruction set of this processor and returns the results, the portable one first.
#[cfg(any(test, debug_assertions))]
pub fn run_on_all<T: Task + Clone>(task: T) -> Vec<T::Output> {
    let results = [Portable.run(task.clone()), Baseline.run(task.clone())].into_iter();
    #[cfg(target_arch = "x86_64")]
    let results = results
        .chain(Avx2::new().map(|isa| isa.run(task.clone())))
        .chain(Avx512::new().map(|isa| isa.run(task.clone())));
    results.collect()
}

#[cfg(test)]
mod tests;
