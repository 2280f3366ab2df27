//! Errors of the outside world. Text never fails to parse, so bad PDN is a
//! [`Diagnostic`](crate::diag::Diagnostic), not an error.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The result of touching files.
pub type Result<T> = std::result::Result<T, Error>;

/// Something outside the text went wrong: a file, a stream, a compressed container.
///
/// One pointer wide; [`Error::kind`] tells what happened and [`Error::path`] where.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    path: Option<PathBuf>,
}

/// What went wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Opening or reading failed.
    Io(io::Error),
    /// A folder was given where a file is needed.
    IsDirectory,
    /// A compressed file ends early or is damaged; the text says which container and how many bytes came out.
    Compressed {
        /// `gzip`, `zstd`, `bzip2` or `zip`.
        container: &'static str,
        /// Decompressed bytes that were readable before the damage.
        readable: u64,
        /// What the decoder says.
        source: io::Error,
    },
    /// A container would grow beyond the allowed size or ratio: most likely a bomb.
    TooLarge {
        /// What was exceeded, in words.
        what: &'static str,
        /// The limit, in bytes or as a ratio.
        limit: u64,
    },
    /// A container that is recognised but not read, by name.
    UnsupportedContainer(&'static str),
    /// A zip without a `.pdn` file in it.
    NoEntry,
    /// Control characters where text was expected.
    Binary {
        /// How many there are.
        control: usize,
        /// How many bytes were looked at.
        looked: usize,
    },
    /// The input needs a feature that this build leaves out.
    MissingFeature(&'static str),
    /// A folder without an index, or a file that is no part of one.
    NotAnIndex,
    /// An index in a version of the format that is not read here.
    IndexVersion {
        /// The version it has.
        found: u32,
        /// The newest version that is read.
        newest: u32,
    },
    /// A part of an index is not what was written.
    IndexDamaged {
        /// The section of the file.
        section: &'static str,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Another process is writing this index.
    IndexLocked,
    /// An archive is not what it was when it was indexed; the text says in what it differs.
    ArchiveChanged(&'static str),
    /// The text of a game is nowhere to be read: it came from a stream or a container and was not embedded.
    NoText(&'static str),
    /// More than the format can hold; the text says of what.
    IndexFull(&'static str),
}

impl Error {
    /// An error of this kind with no path yet.
    pub fn new(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { kind, path: None }))
    }

    /// The same error, naming the file it concerns. A path already there stays.
    #[must_use]
    pub fn at(mut self, path: impl AsRef<Path>) -> Self {
        self.0.path.get_or_insert_with(|| path.as_ref().to_owned());
        self
    }

    /// The same error, with the number of bytes that were readable if it is about a container.
    #[cfg(feature = "compression")]
    pub(crate) fn with_readable(mut self, bytes: u64) -> Self {
        if let ErrorKind::Compressed { readable, .. } = &mut self.0.kind {
            *readable = bytes;
        }
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The file concerned, where one is known.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.0.path {
            write!(f, "{}: ", path.display())?;
        }
        self.0.kind.fmt(f)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::IsDirectory => write!(f, "is a directory, not a file"),
            Self::Compressed { container, readable, source } => {
                write!(f, "damaged {container} data after {readable} readable bytes: {source}")
            }
            Self::TooLarge { what, limit } => write!(f, "{what} exceeds the limit of {limit}"),
            Self::UnsupportedContainer(container) => {
                write!(f, "is packed with {container}, which is not read here; unpack it first")
            }
            Self::NoEntry => write!(f, "this zip contains no .pdn file"),
            Self::Binary { control, looked } => {
                write!(f, "is binary, not text: {control} of its first {looked} bytes are control characters")
            }
            Self::MissingFeature(feature) => {
                write!(f, "needs the feature `{feature}`, which this build leaves out")
            }
            Self::NotAnIndex => write!(f, "is not an index; `pdn index` makes one"),
            Self::IndexVersion { found, newest } => write!(
                f,
                "is an index of format version {found}, and this program reads up to version {newest}; \
                 index the archive again or use a newer program"
            ),
            Self::IndexDamaged { section, problem } => {
                write!(f, "the index is damaged in section {section}: {problem}; index the archive again")
            }
            Self::IndexLocked => {
                write!(f, "another process is writing this index; try again when it is done")
            }
            Self::ArchiveChanged(what) => {
                write!(f, "the archive has changed since it was indexed ({what}); index it again")
            }
            Self::NoText(why) => write!(f, "the text of the game cannot be read: {why}"),
            Self::IndexFull(what) => write!(f, "an index cannot hold {what}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Io(error) | ErrorKind::Compressed { source: error, .. } => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::new(ErrorKind::Io(error))
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self::new(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_file_it_met_first() {
        let error = Error::new(ErrorKind::IsDirectory).at("a").at("b");
        assert_eq!(error.to_string(), "a: is a directory, not a file");
        assert_eq!(size_of::<Error>(), size_of::<usize>());
    }
}
