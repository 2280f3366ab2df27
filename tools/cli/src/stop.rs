//! Ctrl-C, and its like: the run at work is asked to stop, and stopped anyway if it does not listen.
//!
//! Only commands that have something to put in order ask for this; the others simply end.

use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::clean;
use crate::exit::{Exit, complain};

static ASKED: AtomicBool = AtomicBool::new(false);

/// How long a run may take to stop; it may be waiting for standard input.
const GRACE: Duration = Duration::from_secs(2);

/// From now on Ctrl-C asks first. A second one, or some patience, ends the process.
pub(crate) fn listen() {
    // Without a handler Ctrl-C ends the process at once, which the index survives as well.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            process::exit(Exit::Stopped as i32);
        }
        thread::spawn(|| {
            thread::sleep(GRACE);
            complain("stopped; what was not finished is removed by the next run");
            process::exit(Exit::Stopped as i32);
        });
    });
}

/// Whether somebody wants the run to stop.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Says that a run has stopped before it touched the index in a folder.
pub(crate) fn stopped(dir: &Path) -> Exit {
    complain(&format!("stopped; {} is as it was", clean::path(dir)));
    Exit::Stopped
}
