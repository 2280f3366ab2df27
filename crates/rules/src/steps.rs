//! Counts steps of work in builds with debug assertions, so that tests can show that work is linear without a clock. Other
//! builds, and builds without the feature `steps`, count nothing.
//!
//! A step is a small piece of work: a token, a ply, a search node, some bytes of a checksum. Steps are added where a
//! mistake would repeat work, so that quadratic time shows in their number. Each thread counts its own.

#[cfg(all(debug_assertions, feature = "steps"))]
use core::cell::Cell;

#[cfg(all(debug_assertions, feature = "steps"))]
std::thread_local! {
    /// Steps of this thread so far.
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Adds steps to those of this thread.
#[cfg(all(debug_assertions, feature = "steps"))]
pub fn add(steps: usize) {
    STEPS.with(|count| count.set(count.get() + steps as u64));
}

/// Does nothing.
#[cfg(not(all(debug_assertions, feature = "steps")))]
#[inline(always)]
pub fn add(_: usize) {}

/// Returns the steps of this thread so far; `None` in a build that counts none.
pub fn count() -> Option<u64> {
    #[cfg(all(debug_assertions, feature = "steps"))]
    return Some(STEPS.with(Cell::get));
    #[cfg(not(all(debug_assertions, feature = "steps")))]
    None
}
