//! Buffers that are used again, so that a stream needs no new memory for each batch.

use std::sync::{Arc, Mutex, PoisonError};

/// Buffers that are not in use. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct BufferPool {
    idle: Arc<Mutex<Vec<Vec<u8>>>>,
    /// The capacity in bytes up to which a buffer is kept.
    max_bytes: usize,
}

/// A buffer of a pool, to which it returns when it is dropped.
#[derive(Debug)]
pub(crate) struct PooledBuffer {
    /// All bytes that were ever written, so that no byte is set to zero twice.
    bytes: Vec<u8>,
    /// The number of bytes in use.
    len: usize,
    pool: BufferPool,
}

impl BufferPool {
    /// Number of buffers that are kept. More are in use only if the caller keeps many batches.
    const MAX_IDLE: usize = 32;

    /// Creates a pool that keeps buffers of up to `max_bytes` bytes.
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { idle: Arc::default(), max_bytes }
    }

    /// Returns an empty buffer.
    pub(crate) fn take(&self) -> PooledBuffer {
        let bytes = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        PooledBuffer { bytes, len: 0, pool: self.clone() }
    }

    fn give_back(&self, bytes: Vec<u8>) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes.capacity() <= self.max_bytes && idle.len() < Self::MAX_IDLE {
            idle.push(bytes);
        }
    }
}

impl PooledBuffer {
    /// Returns the bytes in use.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Returns at least `room` bytes after those in use. Their values are arbitrary.
    pub(crate) fn room(&mut self, room: usize) -> &mut [u8] {
        if self.bytes.len() < self.len + room {
            self.bytes.resize(self.len + room, 0);
        }
        &mut self.bytes[self.len..]
    }

    /// Puts the first `more` bytes of the room to use.
    pub(crate) fn advance(&mut self, more: usize) {
        self.len += more;
        assert!(self.len <= self.bytes.len(), "only bytes that exist are used");
    }

    /// Appends bytes.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.advance(bytes.len());
    }

    /// Keeps the first `len` bytes only. Memory after them is freed if there is more than a pool keeps.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
        let kept = self.len + self.pool.max_bytes;
        if self.bytes.capacity() > kept {
            self.bytes.truncate(kept);
            self.bytes.shrink_to(kept);
        }
    }
}

impl Drop for PooledBuffer {
    fn drop(&mut self) {
        self.pool.give_back(std::mem::take(&mut self.bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_used_again_without_its_old_bytes() {
        let pool = BufferPool::new(100);
        let mut first = pool.take();
        first.extend(b"1. 32-28");
        let place = first.as_slice().as_ptr();
        drop(first);
        let mut second = pool.take();
        assert_eq!(second.as_slice(), b"");
        second.extend(b"*");
        assert_eq!(second.as_slice(), b"*");
        assert_eq!(second.as_slice().as_ptr(), place, "the memory is that of the first buffer");
        second.room(3)[..3].copy_from_slice(b" {}");
        second.advance(2);
        assert_eq!(second.as_slice(), b"* {");
        second.truncate(1);
        assert_eq!(second.as_slice(), b"*");
    }

    #[test]
    fn large_and_many_buffers_are_not_kept() {
        let pool = BufferPool::new(100);
        let idle = |pool: &BufferPool| pool.idle.lock().unwrap().len();
        let mut large = pool.take();
        large.room(1000);
        large.advance(20);
        large.truncate(10);
        assert!(large.bytes.capacity() < 1000, "{}", large.bytes.capacity());
        drop(large);
        assert_eq!(idle(&pool), 0);
        let many: Vec<_> = (0..2 * BufferPool::MAX_IDLE).map(|_| pool.take()).collect();
        drop(many);
        assert_eq!(idle(&pool), BufferPool::MAX_IDLE);
    }
}
