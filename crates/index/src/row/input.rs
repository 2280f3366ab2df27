//! Inputs of indexed games, and fingerprints that detect changed files.
//!
//! A file is identified by its size and the checksum of a sample: all of it up to 256 KiB; otherwise the first and
//! last 64 KiB and 32 blocks of 4 KiB at equal distances between them. A file that was replaced or has grown is
//! detected in a fraction of a millisecond, whatever its size. A change between the samples that keeps the size is
//! detected when a record is read, because its checksum is verified. The modification time decides only whether an append
//! compares fingerprints at all.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::format::columns::TextColumn;
use crate::format::section::Checksum;
use pdn::error::{Error, ErrorKind, Result};
use pdn::source::Decoder;

/// Maximum size in bytes of a file that is sampled in full.
const MAX_WHOLE: u64 = 256 << 10;
/// Bytes sampled at both ends of a larger file.
const EDGE: u64 = 64 << 10;
/// Bytes of each sample in between.
const SAMPLE: u64 = 4 << 10;
/// Samples in between.
const SAMPLES: u64 = 32;

/// An input of an index: a file, a stream, or a zip entry.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct IndexedInput {
    /// Name in messages: a path, `-`, or `archive.zip/entry.pdn`.
    pub name: PathBuf,
    /// Absolute path of the file, or of the archive that contains the entry; `None` for a stream.
    pub path: Option<PathBuf>,
    /// `true` if offsets in the text are offsets in the file: neither a container nor UTF-16.
    pub has_file_offsets: bool,
    /// Fingerprint of `path` at the time of indexing.
    pub fingerprint: Option<Fingerprint>,
    /// Bytes of text that were indexed.
    pub text_len: u64,
    /// Number of games that were indexed.
    pub games: u64,
    /// What decodes the text: the encoding that was given or found when it was indexed. `None` in indexes that do not
    /// store it.
    pub decoder: Option<Decoder>,
    /// `true` if the file was replaced or removed: its games are no longer part of the index.
    pub is_retired: bool,
    /// `true` if a part of its file could not be read when it was indexed.
    pub is_incomplete: bool,
    /// The flags of the optional columns that its games have where they have such a text; see [`TextColumn::input_flag`]. The
    /// others may have such texts that were not stored.
    pub(crate) columns: u8,
}

/// The size and a checksum of a sample of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Fingerprint {
    /// Size of the file in bytes.
    pub size: u64,
    /// Modification time in nanoseconds since 1970, 0 if unknown.
    pub modified: i64,
    /// Checksum of the size and the sample.
    pub checksum: u64,
}

impl Fingerprint {
    /// Computes the fingerprint of a file. Reads at most 256 KiB, and moves its position.
    ///
    /// # Errors
    /// Fails if the file cannot be read. The error has no path.
    pub fn of(file: &File) -> Result<Self> {
        Self::of_prefix(file, file.metadata()?.len())
    }

    /// Computes the fingerprint that a file would have if it were cut to `size` bytes. It tells whether a file has
    /// only grown.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is shorter than `size`.
    pub fn of_prefix(mut file: &File, size: u64) -> Result<Self> {
        let modified = Self::time_of(&file.metadata()?);
        let mut sum = Checksum::default();
        sum.update(&size.to_le_bytes());
        let mut buffer = Vec::new();
        let mut sample = |start: u64, len: u64| -> io::Result<()> {
            buffer.resize(len as usize, 0);
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(&mut buffer)?;
            sum.update(&buffer);
            Ok(())
        };
        if size <= MAX_WHOLE {
            sample(0, size)?;
        } else {
            sample(0, EDGE)?;
            let step = (size - 2 * EDGE) / SAMPLES;
            for i in 0..SAMPLES {
                sample(EDGE + i * step, SAMPLE.min(step))?;
            }
            sample(size - EDGE, EDGE)?;
        }
        Ok(Self { size, modified, checksum: sum.digest() })
    }

    /// Returns the modification time of a file in nanoseconds since 1970, 0 if unknown.
    pub(crate) fn time_of(metadata: &fs::Metadata) -> i64 {
        let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0)
    }

    /// Returns `true` if size and checksum are equal. Modification times are ignored.
    pub const fn matches(&self, other: &Self) -> bool {
        self.size == other.size && self.checksum == other.checksum
    }
}

impl IndexedInput {
    /// Returns `true` if a text of its games is in their rows where they have it.
    pub(crate) const fn stores(&self, column: TextColumn) -> bool {
        self.columns & column.input_flag() == column.input_flag()
    }

    /// Checks that the file has not changed. An input without a file passes.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::ArchiveChanged`] if the file has changed, and if it cannot be read.
    pub fn check(&self) -> Result<()> {
        let (Some(path), Some(before)) = (&self.path, &self.fingerprint) else { return Ok(()) };
        let changed = |what| Err(Error::new(ErrorKind::ArchiveChanged(what)).at(path));
        let size = match fs::metadata(path) {
            Ok(found) if found.is_file() => found.len(),
            Ok(found) if found.is_dir() => return changed("it is a folder now"),
            Ok(_) => return changed("it is no longer a regular file"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return changed("it is no longer there"),
            Err(error) => return Err(Error::from(error).at(path)),
        };
        if size != before.size {
            return changed(if size > before.size { "it has grown" } else { "it is shorter" });
        }
        let now = File::open(path).map_err(Error::from).and_then(|file| Fingerprint::of(&file));
        if now.map_err(|error| error.at(path))?.matches(before) {
            Ok(())
        } else {
            changed("its contents differ")
        }
    }
}

/// Replaces the beginning of the paths of inputs by `root`, the folder that has the archives now. The beginning is
/// what the paths of all inputs have in common, or as much of it as is needed to find an archive below `root`. An input
/// whose file is still at its old path, and not below `root`, keeps its path. Returns `false`, without a change, if no
/// archive is found.
pub(crate) fn relocate(inputs: &mut [IndexedInput], root: &Path) -> bool {
    let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    let paths = || inputs.iter().filter(|input| !input.is_retired).filter_map(|input| input.path.as_deref());
    let Some(common) = paths().map(|path| path.components().count().saturating_sub(1)).min() else {
        return false;
    };
    let Some(first) = paths().next() else { return false };
    let is_common = |count: &usize| {
        paths().all(|path| path.components().take(*count).eq(first.components().take(*count)))
    };
    let common = (0..=common).rev().find(is_common).unwrap_or(0);
    let moved = |path: &Path, count: usize| -> PathBuf {
        root.join(path.components().skip(count).collect::<PathBuf>())
    };
    let is_found = |count: &usize| paths().any(|path| moved(path, *count).exists());
    let Some(count) = (1..=common).rev().find(is_found) else { return false };
    for input in inputs {
        let Some(path) = input.path.as_deref() else { continue };
        let new = moved(path, count);
        if new.exists() || !path.exists() {
            if input.name == path {
                input.name.clone_from(&new);
            }
            input.path = Some(new);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn fingerprint_changes_with_size_and_samples() {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        for size in [0, 10, MAX_WHOLE as usize, MAX_WHOLE as usize + 1, 3 << 20] {
            let text: Vec<u8> = (0..size).map(|i| (i * i % 251) as u8).collect();
            file.as_file_mut().set_len(0).expect("cut");
            file.rewind().expect("rewound");
            file.write_all(&text).expect("written");
            let before = Fingerprint::of(file.as_file()).expect("readable");
            assert!(Fingerprint::of(file.as_file()).expect("readable").matches(&before));
            file.write_all(b"more").expect("written");
            assert!(!Fingerprint::of(file.as_file()).expect("readable").matches(&before));
            assert!(Fingerprint::of_prefix(file.as_file(), size as u64).expect("readable").matches(&before));
            for at in [0, size / 2, size.saturating_sub(1)] {
                if at < size && (size as u64 <= MAX_WHOLE || at != size / 2) {
                    file.seek(SeekFrom::Start(at as u64)).expect("there");
                    file.write_all(&[text[at] ^ 1]).expect("written");
                    assert!(
                        !Fingerprint::of_prefix(file.as_file(), size as u64)
                            .expect("readable")
                            .matches(&before)
                    );
                    file.seek(SeekFrom::Start(at as u64)).expect("there");
                    file.write_all(&[text[at]]).expect("written");
                }
            }
        }
        assert!(Fingerprint::of_prefix(file.as_file(), 4 << 20).is_err(), "the file is shorter");
    }

    #[test]
    fn fingerprint_changes_with_the_middle_of_a_large_file() {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        let size = 1u64 << 20;
        file.write_all(&vec![b'a'; size as usize]).expect("written");
        let before = Fingerprint::of(file.as_file()).expect("readable");
        let step = (size - 2 * EDGE) / SAMPLES;
        for sample in [0, 7, SAMPLES - 1] {
            let at = EDGE + sample * step + SAMPLE / 2;
            for (byte, is_equal) in [(b'b', false), (b'a', true)] {
                file.seek(SeekFrom::Start(at)).expect("there");
                file.write_all(&[byte]).expect("written");
                let now = Fingerprint::of(file.as_file()).expect("readable");
                assert_eq!(now.matches(&before), is_equal, "byte {at}");
            }
        }
    }
}
