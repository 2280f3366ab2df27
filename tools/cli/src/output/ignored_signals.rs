//! Keeps signals ignored that were ignored when the process was started: a hang-up by `nohup`, and Ctrl-C by a shell that starts a job
//! in the background. Ignores the signal of a limit on the size of files.
#![expect(unsafe_code, reason = "the action of a signal is read and set through the interface of the system")]

use std::mem;
use std::ptr::null;

/// The signals for which a handler is installed.
const SIGNALS: [libc::c_int; 3] = [libc::SIGHUP, libc::SIGINT, libc::SIGTERM];

/// Calls `install`, which installs a handler of these signals. Those that were ignored before are afterwards, too.
pub(crate) fn keep_ignored(install: impl FnOnce()) {
    let ignored = SIGNALS.map(|signal| {
        // SAFETY: `sigaction` is plain data, for which zeros are valid. Without a new action, the call only writes the present one.
        unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            libc::sigaction(signal, null(), &raw mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
        }
    });
    install();
    for (signal, _) in SIGNALS.into_iter().zip(ignored).filter(|(_, is_ignored)| *is_ignored) {
        // SAFETY: `signal` has no preconditions, and ignoring a signal runs no code.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// Ignores SIGXFSZ: a file that grows beyond the limit of the process (`ulimit -f`) is an error of the write, which is reported.
pub(crate) fn ignore_file_limit() {
    // SAFETY: `signal` has no preconditions, and ignoring a signal runs no code.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}
