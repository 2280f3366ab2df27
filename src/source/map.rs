//! The one place that maps files.
#![expect(unsafe_code, reason = "mapping a file is unsafe by nature: others may change it meanwhile")]

use std::fs::File;
use std::io;

use memmap2::Mmap;

use super::Bytes;

/// Files from here on are worth asking for huge pages.
#[cfg(target_os = "linux")]
const HUGE: usize = 16 << 20;

/// Maps a regular file that is not empty. O(1); pages are read when they are first touched.
///
/// If the file is shortened afterwards, touching the lost pages is SIGBUS.
/// [`MapMode::Never`](super::MapMode::Never) is the way around that.
pub(super) fn map(file: &File) -> io::Result<Bytes> {
    // SAFETY: The mapping is read-only and private to this process, lives as long as its `Bytes`, and is only
    // read. What remains is another process that changes the file: a rewrite changes bytes under a reader that
    // validates nothing once and relies on it later (text is checked where it is decoded, every access is
    // bounds-checked against the fixed length of the mapping), and a truncation ends the process with SIGBUS,
    // which `MapMode` documents together with the way to avoid it.
    let map = unsafe { Mmap::map(file) }?;
    advise(&map);
    Ok(Bytes::from_map(map))
}

/// Maps a file that will be read here and there. As [`map`], whose conditions it shares.
#[cfg(feature = "index")]
pub(crate) fn map_random(file: &File) -> io::Result<Bytes> {
    // SAFETY: As in `map`: read-only, bounds-checked, and never relied upon without a checksum.
    let map = unsafe { Mmap::map(file) }?;
    Ok(Bytes::from_map(map))
}

/// Reads a part of a file into memory, wherever others read it; `false` where the system cannot do that at once.
///
/// Copying some hundred thousand bytes that are in memory already is quicker than mapping them page by page.
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

/// Tells the system how the pages will be used. Only a hint, so a refusal is no error.
#[cfg(unix)]
fn advise(map: &Mmap) {
    let _ = map.advise(memmap2::Advice::Sequential);
    #[cfg(target_os = "linux")]
    if map.len() >= HUGE {
        let _ = map.advise(memmap2::Advice::HugePage);
    }
}

#[cfg(not(unix))]
fn advise(_: &Mmap) {}

/// Tells the system that these bytes are not needed for now, so that they no longer count as this process's
/// memory. Reading them again is allowed and costs a little.
#[cfg(target_os = "linux")]
pub(super) fn release(map: &Mmap, from: usize, to: usize) {
    if from < to && to <= map.len() {
        // SAFETY: The mapping is of a file and is never written, so pages that are dropped come back from the
        // file with the same bytes; references into them stay valid.
        let _ = unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, from, to - from) };
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn release(_: &Mmap, _: usize, _: usize) {}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_map_equals_a_read() {
        let text: Vec<u8> = (0..HUGE_TEST).map(|i| (i % 251) as u8).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&text).unwrap();
        let bytes = map(&file).unwrap();
        assert!(bytes[..] == text[..]);
        bytes.release(5000, 8 << 20);
        assert!(bytes[..] == text[..], "released pages come back");
    }

    const HUGE_TEST: usize = (16 << 20) + 3;
}
