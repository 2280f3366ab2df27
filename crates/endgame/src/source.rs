//! Where the files of endings are.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use memmap2::Mmap;

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

/// The greatest length in bytes of a file of a source that is read at once and kept: those of three pieces are mostly shorter.
const WHOLE: u64 = 64 << 10;

/// The bytes of a file.
#[derive(Debug)]
pub(crate) enum TableBytes {
    Memory(Box<[u8]>),
    Mapped(Mmap),
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

    /// Opens the file of a slice; `None` if there is none.
    pub(crate) fn open(&self, slice: Slice) -> io::Result<Option<TableBytes>> {
        match self {
            Self::Folder(_) => match File::open(self.path(slice)) {
                Ok(file) => TableBytes::of_file(file).map(Some),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            },
            Self::Source(source) => {
                let name = name(slice);
                let Some(len) = source.len(&name)? else { return Ok(None) };
                if len > WHOLE {
                    return Ok(Some(TableBytes::Source(Arc::clone(source), name)));
                }
                let mut whole = vec![0; len as usize].into_boxed_slice();
                source.read(&name, 0, &mut whole)?;
                Ok(Some(TableBytes::Memory(whole)))
            }
        }
    }
}

fn name(slice: Slice) -> String {
    format!("{slice}.ending")
}

impl TableBytes {
    /// Maps a file, or reads it on systems that map none.
    pub(crate) fn of_file(mut file: File) -> io::Result<Self> {
        // SAFETY: Read-only, and bounds-checked against the length at this time. Files of endings appear whole, under a name that they get
        // last, and are never changed afterwards; `Endings::open` says that no other program may change them in place.
        #[expect(unsafe_code, reason = "a look-up in a mapped file needs no call of the system")]
        let map = unsafe { Mmap::map(&file) };
        map.map(Self::Mapped).or_else(|_| {
            let mut whole = Vec::new();
            file.read_to_end(&mut whole)?;
            Ok(Self::Memory(whole.into()))
        })
    }

    /// Returns the number of bytes.
    pub(crate) fn len(&self) -> io::Result<u64> {
        match self {
            Self::Memory(bytes) => Ok(bytes.len() as u64),
            Self::Mapped(bytes) => Ok(bytes.len() as u64),
            Self::Source(source, name) => source.len(name)?.ok_or_else(|| io::ErrorKind::NotFound.into()),
        }
    }

    /// Returns the bytes from `start` to `end`, which may be in `buffer`.
    pub(crate) fn range<'b>(&'b self, start: u64, end: u64, buffer: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
        let bytes = match self {
            Self::Memory(bytes) => bytes,
            Self::Mapped(bytes) => &**bytes,
            Self::Source(source, name) => {
                buffer.resize((end - start) as usize, 0);
                source.read(name, start, buffer)?;
                return Ok(buffer);
            }
        };
        Ok(bytes.get(start as usize..end as usize).ok_or(io::ErrorKind::UnexpectedEof)?)
    }
}
