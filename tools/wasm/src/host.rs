//! Progress and panics, which pass between the module and its host apart from questions and answers.

use std::cell::RefCell;
use std::panic;
use std::sync::Once;

use pdn_app::Events;

use crate::progress;

/// Passes progress on, and keeps the first problem.
#[derive(Debug, Default)]
pub(crate) struct HostEvents {
    /// What could not be read.
    pub(crate) problem: Option<pdn_app::AppError>,
}

impl Events for HostEvents {
    fn problem(&mut self, problem: &pdn_app::AppError) {
        self.problem.get_or_insert_with(|| problem.clone());
    }

    fn progress(&mut self, done: u64, _: &str) {
        // Whole numbers up to 2^53 are exact.
        progress(done as f64);
    }
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the message of a panic from now on, so that the host can say what went wrong.
pub(crate) fn keep_panics() {
    static ONCE: Once = Once::new();
    if cfg!(target_family = "wasm") {
        ONCE.call_once(|| {
            panic::set_hook(Box::new(|info| {
                let message = info.to_string();
                PANIC.with(|kept| kept.try_borrow_mut().map(|mut kept| *kept = message).unwrap_or_default());
            }));
        });
    }
}

/// Returns the message of the panic; empty if there was none.
pub(crate) fn panic_message() -> String {
    PANIC.with(|kept| kept.try_borrow().map(|kept| kept.clone()).unwrap_or_default())
}
