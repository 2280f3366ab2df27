//! All bytes of an input at once.

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::sync::Arc;

use memmap2::Mmap;

use super::buffers::PooledBuffer;
use super::map;

/// Immutable bytes, mapped or owned. Cloning is O(1) and shares them, across threads too.
///
/// Files are mapped only by request; [`OpenOptions::map_files`](super::OpenOptions::map_files) states what must hold for them.
///
/// [`Archive::from_bytes`](crate::archive::Archive::from_bytes) has an example.
#[derive(Clone)]
pub struct Bytes(Arc<Inner>);

enum Inner {
    Map(Mmap),
    Owned(Vec<u8>),
    Pooled(PooledBuffer),
}

impl Bytes {
    /// Maps a regular file that is not empty and will be read from start to end.
    pub(super) fn map(file: &File) -> io::Result<Self> {
        Ok(Self(Arc::new(Inner::Map(map::map(file)?))))
    }

    /// Advises the system that the bytes from `from` to `to` are not needed soon. They can still be read.
    pub fn release(&self, from: usize, to: usize) {
        if let Inner::Map(map) = &*self.0 {
            map::release(map, from, to);
        }
    }

    /// Returns `true` if these bytes are a mapped file.
    pub fn is_mapped(&self) -> bool {
        matches!(*self.0, Inner::Map(_))
    }
}

/// Maps a file of an index, which is read in no particular order.
pub fn map_random(file: &File) -> io::Result<Bytes> {
    Ok(Bytes(Arc::new(Inner::Map(map::map_random(file)?))))
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &*self.0 {
            Inner::Map(map) => map,
            Inner::Owned(bytes) => bytes,
            Inner::Pooled(buffer) => buffer.as_slice(),
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

impl From<PooledBuffer> for Bytes {
    fn from(buffer: PooledBuffer) -> Self {
        Self(Arc::new(Inner::Pooled(buffer)))
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bytes").field("len", &self.len()).field("mapped", &self.is_mapped()).finish()
    }
}
