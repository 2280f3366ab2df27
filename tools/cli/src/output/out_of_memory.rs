//! Ends the process with a sentence when memory runs out. Without this, the system ends it with SIGABRT and a core dump.
#![expect(
    unsafe_code,
    reason = "a signal handler is installed and called through the interface of the system"
)]

use std::ffi::c_int;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{mem, panic};

use super::Exit;

/// `true` once something has panicked, which also ends the process with SIGABRT in a release.
static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

/// Installs the handler of SIGABRT, by which the standard library ends a process that gets no memory. A panic ends the process as before.
///
/// An allocator that ends the process would be simpler, but some work asks for memory and does with less where it gets none.
pub(crate) fn install_handler() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        HAS_PANICKED.store(true, Ordering::Relaxed);
        report(panic);
    }));
    // SAFETY: `sigaction` is plain data, for which zeros are valid. The handler has the type that is demanded without SA_SIGINFO and is
    // async-signal-safe: it only makes system calls and reads a static flag.
    unsafe {
        let mut action: libc::sigaction = mem::zeroed();
        let handler: extern "C" fn(c_int) = handle;
        action.sa_sigaction = handler as libc::sighandler_t;
        libc::sigemptyset(&raw mut action.sa_mask);
        // Without the handler, the process ends as before.
        let _ = libc::sigaction(libc::SIGABRT, &raw const action, null_mut());
    }
}

/// Handles SIGABRT.
extern "C" fn handle(_: c_int) {
    // SAFETY: `stack_t` is plain data, for which zeros are valid. Without a new stack, the call only writes the present one.
    let on_own_stack = unsafe {
        let mut stack: libc::stack_t = mem::zeroed();
        libc::sigaltstack(null(), &raw mut stack) == 0 && stack.ss_flags & libc::SS_ONSTACK == 0
    };
    // A stack that overflows is reported on another stack.
    if on_own_stack && !HAS_PANICKED.load(Ordering::Relaxed) {
        let message = b"pdn: there is not enough memory; fewer threads or a part of the archive need less\n";
        // SAFETY: The pointer and the length are those of the message. `_exit` has no preconditions; it runs no destructors, which could
        // need memory. What the command has begun to write is removed by the next one.
        unsafe {
            let _ = libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
            libc::_exit(Exit::Failure as c_int);
        }
    }
    // SAFETY: `signal` is async-signal-safe. `abort` ends the process when the handler returns.
    unsafe { libc::signal(libc::SIGABRT, libc::SIG_DFL) };
}
