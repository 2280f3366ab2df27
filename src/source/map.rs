//! Maps files into memory: the only module of the library that does.
#![expect(unsafe_code, reason = "mapping a file is unsafe: another process may change it")]

use std::fs::File;
use std::io;

use memmap2::Mmap;

use super::options::OpenOptions;

/// Minimum size in bytes of a mapping for which huge pages are requested.
#[cfg(target_os = "linux")]
const MIN_HUGE: usize = 16 << 20;

impl OpenOptions {
    /// Maps regular files larger than 64 KiB into memory, and reads all others. Reading a mapped file takes
    /// about a tenth less time than reading it by the default, which never maps.
    ///
    /// ```no_run
    /// # fn main() -> pdn::Result<()> {
    /// use pdn::archive::Archive;
    /// use pdn::source::OpenOptions;
    ///
    /// // SAFETY: the file is on a medium that cannot be written.
    /// let options = unsafe { OpenOptions::new().map_files() };
    /// println!("{} games", Archive::open_with("/media/cdrom/games.pdn", &options)?.games().count());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    ///
    /// No program may overwrite or shorten a mapped file before the last [`Bytes`](super::Bytes) of it are dropped. Appending to the
    /// file and replacing it by a rename are harmless. Two changes are not:
    ///
    /// - If the file is shortened, the operating system ends this process with SIGBUS (on Windows, with a structured
    ///   exception) when it reads past the new end. A library cannot prevent that. A program can install a handler that
    ///   reports the file and ends the process, as the `pdn` command does on Linux; it cannot continue.
    /// - If bytes are overwritten in place, they change under a reader that may have validated them already, for instance
    ///   as UTF-8. That breaks an assumption of the language, so no result of this process can be relied on.
    #[must_use]
    pub unsafe fn map_files(mut self) -> Self {
        self.map = true;
        self
    }
}

/// Maps a regular file that is not empty and will be read from start to end. O(1); pages are read on first access. Called only if
/// the options say so.
// Twin: reading the file; tests: `mapped_bytes_equal_written_bytes`, and `plain_bytes_are_unchanged` in tests/it/source.rs.
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: The mapping is read-only and this crate never writes to a file that it maps. All access is bounds-checked
    // against the length at the time of mapping. The caller of `OpenOptions::map_files` has promised that no program
    // overwrites or shortens the file while a `Bytes` of the mapping exists.
    let map = unsafe { Mmap::map(file) }?;
    advise(&map);
    Ok(map)
}

/// Maps a file of an index, which is read in no particular order. O(1).
pub(crate) fn map_random(file: &File) -> io::Result<Mmap> {
    // SAFETY: Read-only and bounds-checked. The folder of an index belongs to this crate, which writes its files under
    // temporary names, renames them when they are complete, and never changes them afterwards. `Index::open` says that no
    // other program may change them in place.
    unsafe { Mmap::map(file) }
}

/// Reads exactly `bytes.len()` bytes at `offset` without moving the file's cursor. Returns `false`, without reading, on
/// systems that lack such a call.
///
/// Copying a few hundred kilobytes that are in the page cache is faster than mapping them page by page.
pub fn read_at(file: &File, offset: u64, bytes: &mut [u8]) -> io::Result<bool> {
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

/// Returns options that read files and options that map them.
#[cfg(test)]
pub(crate) fn read_and_mapped() -> [OpenOptions; 2] {
    // SAFETY: No other program knows the files of a test.
    [OpenOptions::new(), unsafe { OpenOptions::new().map_files() }]
}

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
