//! Enlarges the buffers of pipes.

/// The size in bytes that a pipe is enlarged to: the default maximum for unprivileged processes on Linux.
#[cfg(target_os = "linux")]
const PIPE_BYTES: usize = 1 << 20;

/// Enlarges the buffer of a pipe, so that writer and reader need not wait for each other every 64 KiB.
///
/// Does nothing if `end` is no pipe or the system refuses.
#[cfg(target_os = "linux")]
pub(super) fn widen(end: impl std::os::fd::AsFd) {
    if rustix::pipe::fcntl_getpipe_size(&end).is_ok_and(|size| size < PIPE_BYTES) {
        let _ = rustix::pipe::fcntl_setpipe_size(&end, PIPE_BYTES);
    }
}

/// Does nothing: the size of a pipe is fixed on this system.
#[cfg(not(target_os = "linux"))]
pub(super) fn widen<E>(_: E) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn pipes_are_enlarged_and_files_are_ignored() {
        let (reader, _writer) = std::io::pipe().unwrap();
        widen(&reader);
        assert_eq!(rustix::pipe::fcntl_getpipe_size(reader).unwrap(), PIPE_BYTES);
        widen(tempfile::tempfile().unwrap());
    }
}
