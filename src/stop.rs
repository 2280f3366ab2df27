//! A handle with which one thread stops the work of others.
//!
//! ```
//! use std::thread;
//! use pdn::error::ErrorKind;
//! use pdn::stop::Stop;
//!
//! let stop = Stop::new();
//! let of_the_worker = stop.clone();
//! let worker = thread::spawn(move || -> pdn::Result<()> {
//!     loop {
//!         // A small piece of work, and then
//!         of_the_worker.check()?;
//!     }
//! });
//! stop.request();
//! let error = worker.join().unwrap().unwrap_err();
//! assert!(matches!(error.kind(), ErrorKind::Stopped));
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::Result;
use crate::error::ErrorKind;

/// Stops work from another thread, from a handler of signals or from a callback.
///
/// All clones of a handle are one: a request on any of them is seen by all. Work that is given a handle looks at it every few
/// milliseconds, ends with [`ErrorKind::Stopped`] and leaves no unfinished file. A request cannot be taken back.
///
/// ```
/// use pdn::stop::Stop;
///
/// let stop = Stop::new();
/// let of_the_work = stop.clone();
/// assert!(of_the_work.check().is_ok());
/// stop.request();
/// assert!(of_the_work.is_requested() && of_the_work.check().is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Creates a handle that nobody has used yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests that the work ends. The call returns at once, and may be made by a handler of signals.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if the work shall end.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Fails if the work shall end.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Stopped`] if a stop was requested.
    pub fn check(&self) -> Result<()> {
        if self.is_requested() { Err(ErrorKind::Stopped.into()) } else { Ok(()) }
    }
}
