//! All bytes of an input at once.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use memmap2::Mmap;

/// Immutable bytes, mapped or owned. Cloning is O(1) and shares them, across threads too.
#[derive(Clone)]
pub struct Bytes(Arc<Inner>);

enum Inner {
    Map(Mmap),
    Owned(Vec<u8>),
}

impl Bytes {
    pub(super) fn from_map(map: Mmap) -> Self {
        Self(Arc::new(Inner::Map(map)))
    }

    /// Says that the bytes from `from` to `to` are not needed for now. They can still be read.
    pub(crate) fn release(&self, from: usize, to: usize) {
        if let Inner::Map(map) = &*self.0 {
            super::map::release(map, from, to);
        }
    }

    /// Whether these bytes are a mapped file.
    pub fn is_mapped(&self) -> bool {
        matches!(*self.0, Inner::Map(_))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &*self.0 {
            Inner::Map(map) => map,
            Inner::Owned(bytes) => bytes,
        }
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::new(Inner::Owned(bytes)))
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bytes").field("len", &self.len()).field("mapped", &self.is_mapped()).finish()
    }
}
