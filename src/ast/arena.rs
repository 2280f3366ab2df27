//! The memory that trees live in.

use bumpalo::Bump;

/// Memory for syntax trees, released for all trees at once.
///
/// A tree borrows its arena, so the arena can be reset only when no tree of it is in use. Resetting keeps the largest
/// block of memory: an arena that is reset after each record stops allocating once it has held the largest tree.
///
/// ```
/// use pdn::ast::{Arena, TreeBuilder};
///
/// let (mut builder, mut arena) = (TreeBuilder::new(), Arena::new());
/// for game in pdn::split::games(b"1. 32-28 19-23 *\n1. 33-29 *\n") {
///     assert!(builder.build(game.bytes, &arena).moves().count() > 0);
///     arena.reset();
/// }
/// ```
#[derive(Debug, Default)]
pub struct Arena(Bump);

impl Arena {
    /// Creates an arena without allocating; the first tree allocates.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an arena with room for `bytes` bytes of trees.
    pub fn with_capacity(bytes: usize) -> Self {
        Self(Bump::with_capacity(bytes))
    }

    /// Discards all trees and keeps the memory for the next ones. O(blocks allocated).
    pub fn reset(&mut self) {
        self.0.reset();
    }

    /// Returns the number of bytes allocated from the system, in use or not.
    pub fn allocated_bytes(&self) -> usize {
        self.0.allocated_bytes()
    }

    /// Copies `items` into the arena.
    #[inline]
    pub(super) fn copy<T: Copy>(&self, items: &[T]) -> &[T] {
        self.0.alloc_slice_copy(items)
    }
}
