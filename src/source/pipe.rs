//! Room in pipes.

/// So many bytes a pipe is asked to hold: as many as anyone may ask for on Linux unless the system says otherwise.
#[cfg(target_os = "linux")]
const ROOM: usize = 1 << 20;

/// Gives a pipe more room, so that who writes and who reads need not wait for each other at every 64 KiB. What is no
/// pipe, and where the system does not allow it, all stays as it is.
#[cfg(target_os = "linux")]
pub(super) fn widen(end: impl std::os::fd::AsFd) {
    if rustix::pipe::fcntl_getpipe_size(&end).is_ok_and(|size| size < ROOM) {
        let _ = rustix::pipe::fcntl_setpipe_size(&end, ROOM);
    }
}

/// Nothing, where pipes have the room they have.
#[cfg(not(target_os = "linux"))]
pub(super) fn widen<E>(_: E) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_gets_room_and_a_file_is_left_alone() {
        let (reader, _writer) = std::io::pipe().unwrap();
        widen(&reader);
        assert_eq!(rustix::pipe::fcntl_getpipe_size(reader).unwrap(), ROOM);
        widen(tempfile::tempfile().unwrap());
    }
}
