//! Handles Ctrl-C, SIGTERM and SIGHUP: requests the running command to stop, and ends the process if it does not stop in time.
//!
//! Only commands that have files to clean up install the handler; the others end at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::Duration;

use pdn::stop::Stop;

use super::exit::{Exit, print_error};

/// Stops the command of the process; requested by signals.
static STOP: LazyLock<Stop> = LazyLock::new(Stop::new);

/// `true` while a command has files to clean up.
static HAS_FILES: AtomicBool = AtomicBool::new(false);

/// Temporary files and folders that are removed if the process has to be ended.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Time after which a process that has not stopped is ended; it may be blocked on standard input.
const GRACE_PERIOD: Duration = Duration::from_secs(2);

/// Returns the handle that stops this command.
pub(crate) fn handle() -> Stop {
    STOP.clone()
}

/// Installs the handler. The first Ctrl-C requests a stop; a second one or the end of the grace period ends the process. A signal
/// that was ignored before stays ignored.
pub(crate) fn install_handler() {
    HAS_FILES.store(true, Ordering::Relaxed);
    #[cfg(target_os = "linux")]
    super::ignored_signals::keep_ignored(set_handler);
    #[cfg(not(target_os = "linux"))]
    set_handler();
}

fn set_handler() {
    // Without a handler Ctrl-C ends the process at once; the index survives that too.
    let _ = ctrlc::set_handler(|| {
        let is_second = STOP.is_requested();
        STOP.request();
        if is_second || !HAS_FILES.load(Ordering::Relaxed) {
            remove_temporary();
            process::exit(Exit::Interrupted as i32);
        }
        // Without room for a thread, the process ends when the command notices the request.
        let _ = thread::Builder::new().spawn(|| {
            thread::sleep(GRACE_PERIOD);
            let has_removed = remove_temporary();
            print_error(if has_removed {
                "stopped"
            } else {
                "stopped; the next run removes unfinished files"
            });
            process::exit(Exit::Interrupted as i32);
        });
    });
}

/// Installs the handler for a command whose only unfinished file or folder is this one, which is removed in any case. It may be
/// called for several.
pub(crate) fn install_handler_for(temporary: &Path) {
    if let Ok(mut paths) = TEMPORARY.lock() {
        paths.push(temporary.to_owned());
    }
    install_handler();
}

/// Removes the temporary files and folders; returns `true` if there was one.
fn remove_temporary() -> bool {
    let paths = TEMPORARY.lock().map(|mut paths| std::mem::take(&mut *paths)).unwrap_or_default();
    for path in &paths {
        // What cannot be removed is left to the system, which cleans its temporary folder.
        let _ = fs::remove_dir_all(path).or_else(|_| fs::remove_file(path));
    }
    !paths.is_empty()
}

/// Makes Ctrl-C end the process at once, as without the handler: the command has no more files to clean up.
pub(crate) fn end_at_once() {
    HAS_FILES.store(false, Ordering::Relaxed);
    if cfg!(unix)
        && let Ok(mut paths) = TEMPORARY.lock()
    {
        paths.clear();
    }
}
