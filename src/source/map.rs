//! Maps files into memory: the only module of the library that does.
#![expect(unsafe_code, reason = "mapping a file is unsafe: another process may change it")]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// Minimum size in bytes of a mapping for which huge pages are requested.
#[cfg(target_os = "linux")]
const MIN_HUGE: usize = 16 << 20;

/// Maps a regular file that is not empty and will be read from start to end. O(1); pages are read on first access.
// Twin: reading the file; tests: `mapped_bytes_equal_written_bytes`, and `plain_bytes_are_unchanged` in tests/it/source.rs.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: The mapping is read-only and this crate never writes to a file that it maps. All access is bounds-checked
    // against the length at the time of mapping. What remains is assumed, not enforced: no other process overwrites or
    // shortens the file while a `Bytes` of the mapping exists. The assumption is necessary, because the bytes are handed
    // out as `&[u8]` and, once validated as UTF-8, as `&str`, whose contents must not change while they are borrowed; and
    // access past the end of a shortened file is SIGBUS. So a safe function rests on the behaviour of other processes, as
    // wherever a file is mapped. `MapMode::Auto` documents this contract for users, and `MapMode::Never` avoids the mapping.
    let map = unsafe { Mmap::map(file) }?;
    advise(&map);
    Ok(map)
}

/// Maps a file of an index, which is read in no particular order. O(1).
#[cfg(feature = "index")]
pub(crate) fn map_random(file: &File) -> io::Result<Mmap> {
    // SAFETY: As in `map`: read-only, bounds-checked, and assuming that no other process overwrites or shortens the file.
    // This crate itself keeps to that: it writes the files of an index under temporary names, renames them when they are
    // complete, and never changes them afterwards.
    unsafe { Mmap::map(file) }
}

/// Reads exactly `bytes.len()` bytes at `offset` without moving the file's cursor. Returns `false`, without reading, on
/// systems that lack such a call.
///
/// Copying a few hundred kilobytes that are in the page cache is faster than mapping them page by page.
#[cfg(feature = "index")]
pub(crate) fn read_at(file: &File, offset: u64, bytes: &mut [u8]) -> io::Result<bool> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset).map(|()| true);
    #[cfg(not(unix))]
    {
        let _ = (file, offset, bytes);
        Ok(false)
    }
}

/// Advises the system that the pages are read in order. This is a hint, so failure is ignored.
#[cfg(unix)]
fn advise(map: &Mmap) {
    let _ = map.advise(memmap2::Advice::Sequential);
    #[cfg(target_os = "linux")]
    if map.len() >= MIN_HUGE {
        let _ = map.advise(memmap2::Advice::HugePage);
    }
}

#[cfg(not(unix))]
fn advise(_: &Mmap) {}

/// Advises the system to drop the pages of the bytes from `from` to `to`, so that they no longer count as memory of this
/// process. The bytes can still be read; the system then loads them again.
#[cfg(target_os = "linux")]
pub(super) fn release(map: &Mmap, from: usize, to: usize) {
    if from < to && to <= map.len() {
        // SAFETY: The mapping is file-backed and never written, so a dropped page is loaded again from the file with the
        // same bytes (under the assumption of `map`), and references into it stay valid. The range is in bounds.
        let _ = unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, from, to - from) };
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn release(_: &Mmap, _: usize, _: usize) {}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// More than the size from which huge pages are requested.
    const LEN: usize = (16 << 20) + 3;

    #[test]
    fn mapped_bytes_equal_written_bytes() {
        let text: Vec<u8> = (0..LEN).map(|i| (i % 251) as u8).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&text).unwrap();
        let map = map(&file).unwrap();
        assert!(map[..] == text[..]);
        release(&map, 5000, 8 << 20);
        assert!(map[..] == text[..], "released pages are loaded again");
    }
}
