//! Reports a mapped file that another program shortens while it is read. Without this, the system ends the process with
//! SIGBUS and no message.
#![expect(
    unsafe_code,
    reason = "a signal handler is installed and called through the interface of the system"
)]

use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Exit;

/// Installs the handler of SIGBUS. It writes a message with the name of the file to standard error and ends the process
/// with exit code 2. A fault that concerns no mapped file ends the process as without a handler.
pub(crate) fn install_handler() {
    // SAFETY: `sigaction` is plain data, for which zeros are valid. The handler has the type that SA_SIGINFO demands and is
    // async-signal-safe: it only makes system calls and uses its own stack and a static flag. It runs on the stack of the
    // thread, which has room, since the fault was an access to a file and not to the stack.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = handle;
        action.sa_sigaction = handler as libc::sighandler_t;
        action.sa_flags = libc::SA_SIGINFO;
        libc::sigemptyset(&raw mut action.sa_mask);
        // Without the handler, the process ends as before.
        let _ = libc::sigaction(libc::SIGBUS, &raw const action, null_mut());
    }
}

/// Handles SIGBUS.
extern "C" fn handle(_: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    /// `true` once a thread reports a file.
    static REPORTING: AtomicBool = AtomicBool::new(false);

    // SAFETY: With SA_SIGINFO the system passes a valid pointer, and SIGBUS has an address.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    if code == libc::BUS_ADRERR
        && let Some(maps) = Maps::open()
        && let Some(line) = maps.find(address)
    {
        if REPORTING.swap(true, Ordering::Relaxed) {
            // Another thread reports and then ends the process.
            loop {
                // SAFETY: `pause` has no preconditions.
                unsafe { libc::pause() };
            }
        }
        print(b"pdn: ");
        line.path().chunks(64).for_each(|part| {
            let mut clean = [0; 64];
            // Control characters could change the terminal.
            clean.iter_mut().zip(part).for_each(|(clean, &byte)| {
                *clean = if byte.is_ascii_control() { b'?' } else { byte };
            });
            print(&clean[..part.len()]);
        });
        print(
            b": another program shortened this file while it was read, so the results are incomplete; run the command \
              again when the file no longer changes\n",
        );
        // SAFETY: `_exit` has no preconditions. It runs no destructors, so no half of a buffered line is written.
        unsafe { libc::_exit(Exit::Failure as c_int) };
    }
    // SAFETY: `signal` is async-signal-safe. The access is repeated when the handler returns, and ends the process.
    unsafe { libc::signal(libc::SIGBUS, libc::SIG_DFL) };
}

/// Writes to standard error; failure is ignored.
fn print(bytes: &[u8]) {
    // SAFETY: The pointer and the length are those of a slice.
    let _ = unsafe { libc::write(libc::STDERR_FILENO, bytes.as_ptr().cast(), bytes.len()) };
}

/// The list of mappings of this process, opened for reading.
struct Maps(c_int);

/// A line of the list of mappings.
struct MapLine {
    bytes: [u8; Self::LEN],
    len: usize,
}

impl MapLine {
    /// Longest line that is kept, in bytes: the longest path and the numbers before it.
    const LEN: usize = 4096 + 128;

    /// Returns `true` if the mapping is of a file and contains the address.
    fn contains(&self, address: usize) -> bool {
        let mut range = self.bytes[..self.len].split(|&byte| matches!(byte, b'-' | b' '));
        let mut number = || usize::from_str_radix(std::str::from_utf8(range.next()?).ok()?, 16).ok();
        let (Some(start), Some(end)) = (number(), number()) else { return false };
        (start..end).contains(&address) && self.path().starts_with(b"/")
    }

    /// Returns the path, or the name of a mapping that is not of a file.
    fn path(&self) -> &[u8] {
        // The path follows five fields that are separated by one space each, and spaces that align it.
        let mut rest = &self.bytes[..self.len];
        for _ in 0..5 {
            let space = rest.iter().position(|&byte| byte == b' ');
            rest = space.map_or(&[], |space| &rest[space + 1..]);
        }
        rest.trim_ascii_start()
    }
}

impl Maps {
    /// Opens the list.
    fn open() -> Option<Self> {
        // SAFETY: The path ends with a zero byte.
        let file = unsafe { libc::open(c"/proc/self/maps".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
        (file >= 0).then_some(Self(file))
    }

    /// Returns the line of the file that is mapped at an address.
    fn find(&self, address: usize) -> Option<MapLine> {
        let mut chunk = [0u8; 4096];
        let mut line = MapLine { bytes: [0; MapLine::LEN], len: 0 };
        loop {
            // SAFETY: The pointer and the length are those of `chunk`.
            let read = unsafe { libc::read(self.0, chunk.as_mut_ptr().cast(), chunk.len()) };
            let read = usize::try_from(read).ok().filter(|&read| read > 0)?;
            for &byte in &chunk[..read] {
                if byte != b'\n' {
                    if let Some(place) = line.bytes.get_mut(line.len) {
                        *place = byte;
                        line.len += 1;
                    }
                } else if line.contains(address) {
                    return Some(line);
                } else {
                    line.len = 0;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapping_of_an_address_is_found() {
        let line = |text: &[u8]| {
            let mut line = MapLine { bytes: [0; MapLine::LEN], len: text.len() };
            line.bytes[..text.len()].copy_from_slice(text);
            line
        };
        let file = line(b"7f00-8000 r--p 00000000 fe:01 1234                       /tmp/a b.pdn (deleted)");
        assert_eq!(file.path(), b"/tmp/a b.pdn (deleted)");
        assert!(file.contains(0x7f00) && file.contains(0x7fff));
        assert!(!file.contains(0x8000) && !file.contains(0x7eff));
        assert!(!line(b"7f00-8000 rw-p 00000000 00:00 0                          [heap]").contains(0x7f10));
        assert!(!line(b"7f00-8000 rw-p 00000000 00:00 0").contains(0x7f10));
        let code = handle as *const () as usize;
        let maps = Maps::open().expect("a list of mappings");
        assert!(maps.find(code).expect("this program is mapped").path().starts_with(b"/"));
    }
}
