//! The files of an index: in a folder, in memory, or read by ranges.
//!
//! Readers ask for parts of a [`FileBytes`]. Those of a file that is mapped or in memory are slices of it. Those of a file that is read
//! by ranges are read when they are first asked for, and stay in memory as long as the index.

pub(crate) mod ranged;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use ranged::{RangedFile, RangedFiles};

use pdn::internal::source::{SMALL, map_random};
use pdn::source::Bytes;

/// Where the files of an index are.
#[derive(Clone, Debug)]
pub(crate) enum IndexFiles {
    /// In a folder of the system. Small files are read, larger ones mapped.
    Disk,
    /// In a folder of the system. All are read.
    Read,
    /// In memory, by their names.
    Memory(Arc<BTreeMap<String, Bytes>>),
    /// Anywhere; parts of them are read when they are needed.
    Ranged(Arc<RangedFiles>),
}

/// An open file of an index.
#[derive(Debug)]
pub(crate) struct OpenFile {
    /// The file itself, if it is one of the system.
    pub(crate) file: Option<File>,
    pub(crate) bytes: FileBytes,
}

impl IndexFiles {
    /// Opens a file. Only its name counts where files are in no folder.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotFound`] if there is no such file, and what reading it fails with.
    pub(crate) fn open(&self, path: &Path) -> io::Result<OpenFile> {
        let name = || path.file_name().unwrap_or_default().to_string_lossy();
        match self {
            Self::Disk | Self::Read => {
                let mut file = File::open(path)?;
                if file.metadata()?.len() > SMALL as u64 && matches!(self, Self::Disk) {
                    let bytes = FileBytes::Whole(map_random(&file)?);
                    return Ok(OpenFile { file: Some(file), bytes });
                }
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes)?;
                Ok(OpenFile { file: Some(file), bytes: FileBytes::Whole(bytes.into()) })
            }
            Self::Memory(files) => {
                let bytes = files.get(&*name()).ok_or(io::ErrorKind::NotFound)?;
                Ok(OpenFile { file: None, bytes: FileBytes::Whole(bytes.clone()) })
            }
            Self::Ranged(files) => {
                let file = RangedFile::open(files, &name())?.ok_or(io::ErrorKind::NotFound)?;
                Ok(OpenFile { file: None, bytes: FileBytes::Ranged(Box::new(file)) })
            }
        }
    }

    /// Returns the length of a file in bytes, 0 if there is none.
    pub(crate) fn len_of(&self, path: &Path) -> u64 {
        match self {
            Self::Disk | Self::Read => fs::metadata(path).map_or(0, |file| file.len()),
            _ => self.open(path).map_or(0, |file| file.bytes.len()),
        }
    }

    /// Returns `true` if files are read by ranges, so that what is not read costs nothing.
    pub(crate) fn is_ranged(&self) -> bool {
        matches!(self, Self::Ranged(_))
    }
}

/// The bytes of a file.
#[derive(Debug)]
pub(crate) enum FileBytes {
    /// All of them, mapped or in memory.
    Whole(Bytes),
    /// Those that were asked for so far.
    Ranged(Box<RangedFile>),
}

impl FileBytes {
    /// Returns the number of bytes.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Whole(bytes) => bytes.len() as u64,
            Self::Ranged(file) => file.len(),
        }
    }

    /// Returns the file, if it is mapped or in memory.
    pub(crate) fn whole(&self) -> Option<&Bytes> {
        match self {
            Self::Whole(bytes) => Some(bytes),
            Self::Ranged(_) => None,
        }
    }

    /// Returns some bytes; empty if they are not all in the file. O(1) unless they have to be read.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(crate) fn get(&self, range: Range<u64>) -> io::Result<&[u8]> {
        match self {
            Self::Whole(bytes) => Ok(slice_of(bytes, &range).unwrap_or(&[])),
            Self::Ranged(file) => file.get(range),
        }
    }

    /// Reads parts of which many will be asked for, together if that is possible.
    ///
    /// # Errors
    /// If they cannot be read, or the question has to be asked again.
    pub(crate) fn fetch(&self, parts: &[Range<u64>]) -> io::Result<()> {
        match self {
            Self::Whole(_) => Ok(()),
            Self::Ranged(file) => file.fetch(parts),
        }
    }

    /// Returns a part of a file that is read by ranges; `None` if all of it is there.
    pub(crate) fn part(&self, range: Range<u64>) -> Option<FilePart<'_>> {
        match self {
            Self::Whole(_) => None,
            Self::Ranged(file) => Some(FilePart { file, start: range.start, len: range.end - range.start }),
        }
    }
}

/// Returns bytes of a slice; `None` if they are not all in it.
fn slice_of<'a>(bytes: &'a [u8], range: &Range<u64>) -> Option<&'a [u8]> {
    bytes.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
}

/// A part of a file that is read by ranges. A failed read is `None` here, and the [`RangedFiles`] know of it: what
/// was found with it does not count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilePart<'a> {
    file: &'a RangedFile,
    /// Offset in the file.
    start: u64,
    len: u64,
}

impl<'a> FilePart<'a> {
    /// Returns the length in bytes.
    pub(crate) fn len(self) -> u64 {
        self.len
    }

    /// Returns some bytes; `None` if they are not all in the part, or cannot be read.
    pub(crate) fn get(self, range: Range<u64>) -> Option<&'a [u8]> {
        if range.start > range.end || range.end > self.len {
            return None;
        }
        self.file.get(self.start + range.start..self.start + range.end).ok()
    }

    /// Returns all bytes; `None` if they cannot be read.
    pub(crate) fn all(self) -> Option<&'a [u8]> {
        self.get(0..self.len)
    }

    /// Returns the bytes of a range, as far as they are in the part, as a part of the file.
    pub(crate) fn within(self, range: Range<u64>) -> Self {
        let start = range.start.min(self.len);
        Self { start: self.start + start, len: range.end.clamp(start, self.len) - start, ..self }
    }

    /// Reads parts of which many will be asked for: those of a file together if that is possible.
    ///
    /// # Errors
    /// If they cannot be read, or the question has to be asked again; with the name of the file.
    pub(crate) fn fetch(parts: &[Self]) -> Result<(), (io::Error, &'a str)> {
        let mut rest: Vec<Self> = parts.to_vec();
        while let Some(first) = rest.first().copied() {
            let is_of_file = |part: &Self| std::ptr::eq(part.file, first.file);
            let ranges: Vec<_> = rest
                .extract_if(.., |part| is_of_file(part))
                .map(|part| part.start..part.start + part.len)
                .collect();
            first.file.fetch(&ranges).map_err(|error| (error, first.file.name()))?;
        }
        Ok(())
    }

    /// Returns the part without its first bytes; `None` if it has fewer.
    pub(crate) fn after(self, bytes: u64) -> Option<Self> {
        Some(Self { start: self.start + bytes, len: self.len.checked_sub(bytes)?, ..self })
    }
}
