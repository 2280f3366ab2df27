//! Runs a process and halts it at each system call that changes a file, as a debugger does.
//!
//! Whatever the process is made of calls the system in the end, so nothing is missed: neither what the standard library does nor what a
//! crate does without the library of C. It costs two halts, some 10 microseconds, for each system call.
#![expect(unsafe_code, reason = "another process is halted and read through the interface of the system")]

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::ptr::null_mut;

use libc::{c_int, pid_t};

/// What a system call changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Create,
    Write,
    Truncate,
    Rename,
    Link,
    Remove,
    CreateFolder,
    Sync,
    Attributes,
}

/// A system call that changes a file or a name, or waits until changes are on the disk.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub(super) kind: Kind,
    pub(super) path: PathBuf,
    /// The new name, of [`Kind::Rename`] and [`Kind::Link`].
    pub(super) to: Option<PathBuf>,
}

/// What becomes of the process at a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Act {
    Allow,
    /// It is killed before the change.
    Kill,
    /// It is killed when half of the bytes are written. As `Kill` for a change that is not made in parts.
    Tear,
    /// The change is not made, and the process gets this error.
    Fail(c_int),
}

/// A process that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// `None` if a signal ended it.
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

/// Receives the changes of a process.
pub(super) trait Watcher {
    /// Says what becomes of the process at the next change.
    fn before(&mut self, change: &Change) -> Act;
    /// Called when a change has been made.
    fn after(&mut self, _change: &Change) {}
}

/// The requests of ptrace that the crate `libc` does not name.
const PTRACE_GET_SYSCALL_INFO: libc::c_uint = 0x420e;

/// A thread within a system call.
struct Within {
    change: Change,
    /// The error that it gets in place of a result.
    error: Option<c_int>,
    kills: bool,
}

/// Runs a command and passes its changes below `place`, which is a canonical path, to a watcher.
///
/// # Errors
///
/// If the system does not let one process watch another.
pub(super) fn trace(command: &mut Command, place: &Path, watcher: &mut dyn Watcher) -> io::Result<Ended> {
    trace_started(command, place, watcher, |_, _| ())
}

/// Does the same as [`trace`], and calls `started` with the number of the process and the file of its standard output, which it may read
/// with an offset while the process runs.
pub(super) fn trace_started(
    command: &mut Command,
    place: &Path,
    watcher: &mut dyn Watcher,
    started: impl FnOnce(u32, File),
) -> io::Result<Ended> {
    let [mut out, mut err] = [tempfile::tempfile()?, tempfile::tempfile()?];
    command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(err.try_clone()?);
    // SAFETY: Between fork and exec, only a system call is made.
    unsafe {
        command.pre_exec(|| {
            match libc::ptrace(libc::PTRACE_TRACEME, 0, null_mut::<u8>(), null_mut::<u8>()) {
                -1 => Err(io::Error::last_os_error()),
                _ => Ok(()),
            }
        });
    }
    // `follow` waits for it.
    let child = command.spawn()?;
    started(child.id(), out.try_clone()?);
    let code = follow(child.id() as pid_t, place, watcher)?;
    let text = |file: &mut File| -> io::Result<String> {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    Ok(Ended { code, out: text(&mut out)?, err: text(&mut err)? })
}

/// Follows a process with all its threads until it ends. Returns its exit code.
fn follow(process: pid_t, place: &Path, watcher: &mut dyn Watcher) -> io::Result<Option<i32>> {
    let mut within: HashMap<pid_t, Within> = HashMap::new();
    let mut is_begun = false;
    loop {
        let mut status = 0;
        // SAFETY: `status` is valid for writes. Only children of this thread are waited for, so that no other test loses one.
        let thread = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
        if thread == -1 {
            return Err(io::Error::last_os_error());
        }
        if !libc::WIFSTOPPED(status) {
            within.remove(&thread);
            if thread == process {
                return Ok(libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)));
            }
            continue;
        }
        let mut signal = 0;
        match libc::WSTOPSIG(status) {
            libc::SIGTRAP if !is_begun => {
                is_begun = true;
                let options = libc::PTRACE_O_TRACESYSGOOD
                    | libc::PTRACE_O_TRACECLONE
                    | libc::PTRACE_O_TRACEFORK
                    | libc::PTRACE_O_TRACEVFORK
                    | libc::PTRACE_O_EXITKILL;
                request(libc::PTRACE_SETOPTIONS, thread, options as usize)?;
            }
            stopped if stopped == libc::SIGTRAP | 0x80 => {
                if let Some(entered) = within.remove(&thread) {
                    leave(process, thread, &entered, watcher)?;
                } else if let Some(entered) = enter(process, thread, place, watcher)? {
                    within.insert(thread, entered);
                }
            }
            // A new thread, or one that has just started another.
            libc::SIGTRAP | libc::SIGSTOP => {}
            other => signal = other,
        }
        // The process may have been killed.
        let _ = request(libc::PTRACE_SYSCALL, thread, signal as usize);
    }
}

/// Makes a request that takes a number.
fn request(what: libc::c_uint, thread: pid_t, number: usize) -> io::Result<()> {
    // SAFETY: These requests read and write no memory of this process.
    match unsafe { libc::ptrace(what, thread, null_mut::<u8>(), number) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Looks at a thread that enters a system call. `None` if the call changes nothing, or the thread leaves one.
fn enter(
    process: pid_t,
    thread: pid_t,
    place: &Path,
    watcher: &mut dyn Watcher,
) -> io::Result<Option<Within>> {
    // The kind in the first byte; the number of the call and its arguments from the fourth word on.
    let mut info = [0_u64; 11];
    // SAFETY: The kernel writes at most as many bytes as the length that is passed, which is the size of `info`.
    let read =
        unsafe { libc::ptrace(PTRACE_GET_SYSCALL_INFO, thread, size_of_val(&info), info.as_mut_ptr()) };
    if read == -1 {
        // It was killed meanwhile.
        return Ok(None);
    }
    if info[0] & 0xff != 1 {
        return Ok(None);
    }
    let arguments: [u64; 6] = std::array::from_fn(|number| info[4 + number]);
    let Some((change, length)) = change_of(thread, info[3] as i64, &arguments) else { return Ok(None) };
    let is_inside = |path: &Path| path.starts_with(place) && path != place;
    let is_synced_place = change.kind == Kind::Sync && change.path == place;
    if !is_inside(&change.path) && !change.to.as_deref().is_some_and(is_inside) && !is_synced_place {
        return Ok(None);
    }
    let mut within = Within { change, error: None, kills: false };
    match watcher.before(&within.change) {
        Act::Allow => {}
        Act::Fail(error) => {
            within.error = Some(error);
            // There is no such call.
            change_registers(thread, |registers| registers.orig_rax = u64::MAX)?;
        }
        Act::Tear if length.is_some_and(|place| arguments[place] > 1) => {
            let half = arguments[length.unwrap_or_default()] / 2;
            within.kills = true;
            change_registers(thread, |registers| match length {
                Some(2) => registers.rdx = half,
                Some(3) => registers.r10 = half,
                _ => registers.r8 = half.min(100),
            })?;
        }
        Act::Kill | Act::Tear => kill(process),
    }
    Ok(Some(within))
}

/// Looks at a thread that leaves a system call.
fn leave(process: pid_t, thread: pid_t, within: &Within, watcher: &mut dyn Watcher) -> io::Result<()> {
    if within.kills {
        kill(process);
        return Ok(());
    }
    let mut result = 0;
    let read = change_registers(thread, |registers| {
        if let Some(error) = within.error {
            registers.rax = (-i64::from(error)) as u64;
        }
        result = registers.rax as i64;
    });
    if read.is_ok() && result >= 0 {
        watcher.after(&within.change);
    }
    Ok(())
}

/// Reads the registers of a thread, and writes them back as they were changed.
fn change_registers(thread: pid_t, change: impl FnOnce(&mut libc::user_regs_struct)) -> io::Result<()> {
    // SAFETY: The structure is plain data, for which zeros are valid, and the system writes or reads a whole one.
    unsafe {
        let mut registers: libc::user_regs_struct = std::mem::zeroed();
        if libc::ptrace(libc::PTRACE_GETREGS, thread, null_mut::<u8>(), &raw mut registers) == -1 {
            return Err(io::Error::last_os_error());
        }
        change(&mut registers);
        match libc::ptrace(libc::PTRACE_SETREGS, thread, null_mut::<u8>(), &raw mut registers) {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}

fn kill(process: pid_t) {
    // SAFETY: It has no preconditions, and the process was started here and has not been waited for.
    unsafe { libc::kill(process, libc::SIGKILL) };
}

/// Returns what a system call changes, and which of its arguments is the number of bytes to write. `None` if it changes nothing.
fn change_of(thread: pid_t, call: i64, arguments: &[u64; 6]) -> Option<(Change, Option<usize>)> {
    let at = |folder: usize, name: usize| path_at(thread, Some(arguments[folder]), arguments[name]);
    let path = |name: usize| path_at(thread, None, arguments[name]);
    let open = |file: usize| open_path(thread, arguments[file]);
    let one = |kind, path: Option<PathBuf>| Some((Change { kind, path: path?, to: None }, None));
    let two = |kind, path: Option<PathBuf>, to: Option<PathBuf>| {
        Some((Change { kind, path: path?, to: Some(to?) }, None))
    };
    let written = |file: usize, length: Option<usize>| {
        Some((Change { kind: Kind::Write, path: open(file)?, to: None }, length))
    };
    let opened = |path: Option<PathBuf>, flags: u64| {
        let flags = flags as c_int;
        let path = path?;
        let kind = match fs::symlink_metadata(&path).is_ok() {
            true if flags & libc::O_TRUNC != 0 => Kind::Truncate,
            false if flags & libc::O_CREAT != 0 => Kind::Create,
            _ => return None,
        };
        one(kind, Some(path))
    };
    match call {
        libc::SYS_open => opened(path(0), arguments[1]),
        libc::SYS_openat => opened(at(0, 1), arguments[2]),
        libc::SYS_creat => opened(path(0), (libc::O_CREAT | libc::O_TRUNC) as u64),
        libc::SYS_write | libc::SYS_pwrite64 => written(0, Some(2)),
        libc::SYS_writev | libc::SYS_pwritev | libc::SYS_pwritev2 => written(0, None),
        libc::SYS_sendfile => written(0, Some(3)),
        libc::SYS_copy_file_range => written(2, Some(4)),
        libc::SYS_ftruncate | libc::SYS_fallocate => one(Kind::Truncate, open(0)),
        libc::SYS_truncate => one(Kind::Truncate, path(0)),
        libc::SYS_rename => two(Kind::Rename, path(0), path(1)),
        libc::SYS_renameat | libc::SYS_renameat2 => two(Kind::Rename, at(0, 1), at(2, 3)),
        libc::SYS_link => two(Kind::Link, path(0), path(1)),
        libc::SYS_linkat => two(Kind::Link, at(0, 1), at(2, 3)),
        libc::SYS_symlink => one(Kind::Create, path(1)),
        libc::SYS_symlinkat => one(Kind::Create, at(1, 2)),
        libc::SYS_unlink | libc::SYS_rmdir => one(Kind::Remove, path(0)),
        libc::SYS_unlinkat => one(Kind::Remove, at(0, 1)),
        libc::SYS_mkdir => one(Kind::CreateFolder, path(0)),
        libc::SYS_mkdirat => one(Kind::CreateFolder, at(0, 1)),
        libc::SYS_fsync | libc::SYS_fdatasync | libc::SYS_sync_file_range => one(Kind::Sync, open(0)),
        libc::SYS_chmod | libc::SYS_chown | libc::SYS_lchown | libc::SYS_setxattr => {
            one(Kind::Attributes, path(0))
        }
        libc::SYS_fchmod | libc::SYS_fchown | libc::SYS_fsetxattr => one(Kind::Attributes, open(0)),
        libc::SYS_fchmodat | libc::SYS_fchownat | libc::SYS_utimensat => one(Kind::Attributes, at(0, 1)),
        _ => None,
    }
}

/// Returns the path of an open file or folder; `None` if it has none, as a pipe or a file that was removed.
fn open_path(thread: pid_t, file: u64) -> Option<PathBuf> {
    let path = fs::read_link(format!("/proc/{thread}/fd/{}", file as c_int)).ok()?;
    let is_named = path.is_absolute() && !path.as_os_str().as_bytes().ends_with(b" (deleted)");
    is_named.then_some(path)
}

/// Returns a path that a thread passes to the system, relative to an open folder or to its own.
fn path_at(thread: pid_t, folder: Option<u64>, address: u64) -> Option<PathBuf> {
    let memory = File::open(format!("/proc/{thread}/mem")).ok()?;
    let mut name = [0; libc::PATH_MAX as usize];
    // The end of the text may be the end of what is readable.
    let mut length = 0;
    while length < name.len() {
        let page = 256.min(name.len() - length);
        let read = memory.read_at(&mut name[length..length + page], address + length as u64).ok()?;
        if let Some(end) = name[length..length + read].iter().position(|byte| *byte == 0) {
            length += end;
            break;
        }
        if read == 0 {
            return None;
        }
        length += read;
    }
    let name = Path::new(OsStr::from_bytes(&name[..length]));
    if name.is_absolute() {
        return Some(name.components().collect());
    }
    let folder = match folder {
        Some(folder) if folder as c_int != libc::AT_FDCWD => open_path(thread, folder)?,
        _ => fs::read_link(format!("/proc/{thread}/cwd")).ok()?,
    };
    Some(folder.join(name).components().collect())
}
