//! Where the files of endings are.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::slice::Slice;

/// Files of endings that are in no folder: on a web server, in an archive, behind a cache.
///
/// A file must not change while it is read.
pub trait EndingSource: fmt::Debug + Send + Sync {
    /// Returns the length of a file, such as `m1k0-m0k1.ending`, in bytes; `None` if there is no file of this name.
    ///
    /// # Errors
    /// If the length cannot be found out.
    fn len(&self, file: &str) -> io::Result<Option<u64>>;

    /// Fills `into` with the bytes of a file from `offset` on. All of them are in the file.
    ///
    /// # Errors
    /// If they cannot be read, all of them.
    fn read(&self, file: &str, offset: u64, into: &mut [u8]) -> io::Result<()>;
}

/// A folder, or a source.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    Folder(PathBuf),
    Source(Arc<dyn EndingSource>),
}

/// The greatest length in bytes of a file that is read at once and kept: those of three pieces are mostly shorter.
const WHOLE: u64 = 64 << 10;

/// The bytes of a file.
#[derive(Debug)]
pub(crate) enum TableBytes {
    Memory(Box<[u8]>),
    File(Mutex<File>),
    Source(Arc<dyn EndingSource>, String),
}

impl Place {
    /// Returns the path of the file of a slice; its name alone if it is in no folder.
    pub(crate) fn path(&self, slice: Slice) -> PathBuf {
        let name = name(slice);
        match self {
            Self::Folder(folder) => folder.join(name),
            Self::Source(_) => name.into(),
        }
    }

    /// Returns `true` if there is a file of a slice.
    pub(crate) fn has(&self, slice: Slice) -> bool {
        match self {
            Self::Folder(_) => self.path(slice).exists(),
            Self::Source(source) => matches!(source.len(&name(slice)), Ok(Some(_))),
        }
    }

    /// Opens the file of a slice; `None` if there is none. A short one is read.
    pub(crate) fn open(&self, slice: Slice) -> io::Result<Option<TableBytes>> {
        let bytes = match self {
            Self::Folder(_) => match File::open(self.path(slice)) {
                Ok(file) => TableBytes::File(Mutex::new(file)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            },
            Self::Source(source) => {
                let name = name(slice);
                if source.len(&name)?.is_none() {
                    return Ok(None);
                }
                TableBytes::Source(Arc::clone(source), name)
            }
        };
        let len = bytes.len()?;
        if len > WHOLE {
            return Ok(Some(bytes));
        }
        let mut whole = vec![0; len as usize].into_boxed_slice();
        bytes.read(0, &mut whole)?;
        Ok(Some(TableBytes::Memory(whole)))
    }
}

/// Locks what stays whole if a thread panics.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn name(slice: Slice) -> String {
    format!("{slice}.ending")
}

impl TableBytes {
    /// Returns the number of bytes.
    pub(crate) fn len(&self) -> io::Result<u64> {
        match self {
            Self::Memory(bytes) => Ok(bytes.len() as u64),
            Self::File(file) => Ok(locked(file).metadata()?.len()),
            Self::Source(source, name) => source.len(name)?.ok_or_else(|| io::ErrorKind::NotFound.into()),
        }
    }

    /// Fills `into` with the bytes from `offset` on.
    pub(crate) fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Memory(bytes) => {
                let from = bytes.get(offset as usize..).and_then(|bytes| bytes.get(..into.len()));
                into.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
            Self::File(file) => {
                let mut file = locked(file);
                file.seek(SeekFrom::Start(offset))?;
                file.read_exact(into)
            }
            Self::Source(source, name) => source.read(name, offset, into),
        }
    }
}
