//! Progress of a verification.

use std::io;
use std::ops::ControlFlow;

use pdn::error::Result;

/// Counts verified bytes and reports them to a callback, which may break off.
pub(super) struct Work<'a> {
    done: u64,
    total: u64,
    report: &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>,
}

impl<'a> Work<'a> {
    /// Prepares work on `total` bytes.
    pub(super) fn new(total: u64, report: &'a mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Self {
        Self { done: 0, total, report }
    }

    /// Counts `bytes` more as done.
    ///
    /// # Errors
    /// Fails with [`io::ErrorKind::Interrupted`] if the callback breaks off.
    pub(super) fn add(&mut self, bytes: u64) -> Result<()> {
        self.done = self.total.min(self.done + bytes);
        match (self.report)(self.done, self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(io::Error::from(io::ErrorKind::Interrupted).into()),
        }
    }
}
