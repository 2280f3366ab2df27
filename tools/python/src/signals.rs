//! Signals such as Ctrl-C, while other code than Python's runs.

use std::cell::Cell;

use pyo3::prelude::*;

thread_local! {
    /// Whether this thread is the one in which Python handles signals; `None` before it was asked.
    static HANDLES_SIGNALS: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Finds out whether this thread is the one in which Python handles signals.
pub(crate) fn note_thread(py: Python<'_>) -> PyResult<()> {
    if HANDLES_SIGNALS.get().is_none() {
        let threading = py.import("threading")?;
        let is_main = threading.call_method0("current_thread")?.is(&threading.call_method0("main_thread")?);
        HANDLES_SIGNALS.set(Some(is_main));
    }
    Ok(())
}

/// Returns `true` if a signal such as Ctrl-C came, whose exception is then set in this thread.
pub(crate) fn raises_signal() -> bool {
    Python::try_attach(|py| py.check_signals().map_err(|signal| signal.restore(py)).is_err()).unwrap_or(true)
}

/// Returns `true` on the [thread of signals](note_thread), which may take the interpreter while another library reads a stream.
///
/// Any other thread of another library must not wait for the interpreter, which may be held by the thread that waits for it.
pub(crate) fn may_attach() -> bool {
    HANDLES_SIGNALS.get() == Some(true)
}

/// Returns `true` if a signal such as Ctrl-C came. For streams: their readers in other languages do not expect that an exception is set,
/// and raise one of their own for the error that the stream then returns.
///
/// This is `false` at once on a thread that [may not ask](may_attach).
pub(crate) fn takes_signal() -> bool {
    may_attach() && Python::try_attach(|py| py.check_signals().is_err()).unwrap_or(true)
}
