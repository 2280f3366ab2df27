//! Keeps SIGHUP ignored if it was ignored when the process was started, as by `nohup`.
#![expect(unsafe_code, reason = "the action of a signal is read and set through the interface of the system")]

use std::mem;
use std::ptr::null;

/// Calls `install`, which installs a handler of SIGHUP among others. If the signal was ignored before, it is afterwards, too.
pub(crate) fn keep_ignored(install: impl FnOnce()) {
    // SAFETY: `sigaction` is plain data, for which zeros are valid. Without a new action, the call only writes the present one.
    let is_ignored = unsafe {
        let mut action: libc::sigaction = mem::zeroed();
        libc::sigaction(libc::SIGHUP, null(), &raw mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
    };
    install();
    if is_ignored {
        // SAFETY: `signal` has no preconditions, and ignoring a signal runs no code.
        unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
    }
}
