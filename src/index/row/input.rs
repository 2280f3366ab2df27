//! Where games come from, and whether it is still what it was.
//!
//! A file is known by its size and by the xxh3 of a sample: up to 256 KiB all of it, of larger files the first
//! and last 64 KiB and 32 pieces of 4 KiB in between at equal distances. That shows a file that was replaced or
//! has grown at once, in a fraction of a millisecond whatever its size. A change between the samples that leaves
//! the size as it was shows when a text is read: it is compared with its own sum. The time of the last change is
//! kept for people and decides nothing.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::error::{Error, ErrorKind, Result};
use crate::index::format::checksum::Sum;

/// Files up to this size are read in full.
const WHOLE: u64 = 256 << 10;
const EDGE: u64 = 64 << 10;
const PIECE: u64 = 4 << 10;
const PIECES: u64 = 32;

/// One text that games come from: a file, a stream, an entry of a zip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IndexedInput {
    /// What it is called in messages: a path, `-`, or `archive.zip/entry.pdn`.
    pub name: PathBuf,
    /// The file on the disk, unless it is a stream.
    pub path: Option<PathBuf>,
    /// Offsets in the text are offsets in the file: neither a container nor UTF-16.
    pub plain: bool,
    /// The file as it was; of the file that contains it for an entry.
    pub fingerprint: Option<Fingerprint>,
    /// Bytes of text that were indexed.
    pub text: u64,
    /// Games that were indexed.
    pub games: u64,
}

/// What a file is known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint {
    /// Bytes.
    pub size: u64,
    /// Last change in nanoseconds since 1970, 0 if unknown.
    pub modified: i64,
    /// The xxh3 of the sample.
    pub sum: u64,
}

impl Fingerprint {
    /// The fingerprint of a file. Reads at most 256 KiB.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn of(path: &Path) -> Result<Self> {
        let size = fs::metadata(path).map_err(|error| Error::from(error).at(path))?.len();
        Self::of_prefix(path, size)
    }

    /// What the fingerprint of a file would be if it were cut to `size` bytes: has it only grown?
    ///
    /// # Errors
    /// When the file cannot be read, or is shorter.
    pub fn of_prefix(path: &Path, size: u64) -> Result<Self> {
        Self::read(path, size).map_err(|error| Error::from(error).at(path))
    }

    fn read(path: &Path, size: u64) -> std::io::Result<Self> {
        let mut file = File::open(path)?;
        let modified = file.metadata()?.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let mut sum = Sum::default();
        sum.update(&size.to_le_bytes());
        let mut buffer = Vec::new();
        let mut sample = |start: u64, len: u64| -> std::io::Result<()> {
            buffer.resize(len as usize, 0);
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(&mut buffer)?;
            sum.update(&buffer);
            Ok(())
        };
        if size <= WHOLE {
            sample(0, size)?;
        } else {
            sample(0, EDGE)?;
            let step = (size - 2 * EDGE) / PIECES;
            for piece in 0..PIECES {
                sample(EDGE + piece * step, PIECE.min(step))?;
            }
            sample(size - EDGE, EDGE)?;
        }
        let modified = modified.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0);
        Ok(Self { size, modified, sum: sum.digest() })
    }

    /// Whether the contents are the same, as far as a fingerprint can tell.
    pub const fn same(&self, other: &Self) -> bool {
        self.size == other.size && self.sum == other.sum
    }
}

impl IndexedInput {
    /// Whether the file is still what it was. A stream cannot be asked and passes.
    ///
    /// # Errors
    /// When it has changed or cannot be read.
    pub fn check(&self) -> Result<()> {
        let (Some(path), Some(before)) = (&self.path, &self.fingerprint) else { return Ok(()) };
        let changed = |what| Err(Error::new(ErrorKind::ArchiveChanged(what)).at(path));
        let size = match fs::metadata(path) {
            Ok(found) => found.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return changed("it is no longer there"),
            Err(error) => return Err(Error::from(error).at(path)),
        };
        if size != before.size {
            return changed(if size > before.size { "it has grown" } else { "it is shorter" });
        }
        if Fingerprint::of(path)?.same(before) { Ok(()) } else { changed("its contents differ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_fingerprint_tells_sizes_and_samples() {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        for size in [0, 10, WHOLE as usize, WHOLE as usize + 1, 3 << 20] {
            let text: Vec<u8> = (0..size).map(|i| (i * i % 251) as u8).collect();
            file.as_file_mut().set_len(0).expect("cut");
            file.rewind().expect("rewound");
            file.write_all(&text).expect("written");
            let before = Fingerprint::of(file.path()).expect("readable");
            assert!(Fingerprint::of(file.path()).expect("readable").same(&before));
            file.write_all(b"more").expect("written");
            assert!(!Fingerprint::of(file.path()).expect("readable").same(&before));
            assert!(Fingerprint::of_prefix(file.path(), size as u64).expect("readable").same(&before));
            for at in [0, size / 2, size.saturating_sub(1)] {
                if at < size && (size as u64 <= WHOLE || at != size / 2) {
                    file.seek(SeekFrom::Start(at as u64)).expect("there");
                    file.write_all(&[text[at] ^ 1]).expect("written");
                    assert!(
                        !Fingerprint::of_prefix(file.path(), size as u64).expect("readable").same(&before)
                    );
                    file.seek(SeekFrom::Start(at as u64)).expect("there");
                    file.write_all(&[text[at]]).expect("written");
                }
            }
        }
        assert!(Fingerprint::of_prefix(file.path(), 4 << 20).is_err(), "it is shorter than that");
    }
}
