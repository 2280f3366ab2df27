//! Errors of files, streams and containers. PDN text never fails to parse: what is wrong with it is a
//! [`Diagnostic`](crate::diag::Diagnostic), not an error.
//!
//! ```
//! use std::io;
//! use pdn::Archive;
//!
//! fn count_games(path: &str) -> pdn::Result<usize> {
//!     let mut games = 0;
//!     for game in Archive::open(path)? {
//!         game?;
//!         games += 1;
//!     }
//!     Ok(games)
//! }
//!
//! let error = count_games("no such folder/games.pdn").unwrap_err();
//! assert_eq!(error.path(), Some("no such folder/games.pdn".as_ref()));
//! assert_eq!(io::Error::from(error).kind(), io::ErrorKind::NotFound);
//! ```

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

#[doc(inline)]
pub use pdn_rules::value::UnknownName;

/// The result of an operation on files.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure outside the text: of a file, a stream, a compressed container or an index.
///
/// One pointer wide. [`Error::kind`] returns what happened, [`Error::path`] returns where. `Display` prints both,
/// with the message of the underlying [`io::Error`]; [`source`](std::error::Error::source) therefore starts below
/// that error, so that a chain prints each message once.
///
/// ```
/// use pdn::error::{Error, ErrorKind};
///
/// let error = Error::new(ErrorKind::NoEntry).at("games.zip");
/// assert_eq!(error.to_string(), "games.zip: this zip contains no .pdn file");
/// assert!(matches!(error.kind(), ErrorKind::NoEntry));
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    path: Option<PathBuf>,
}

/// The kind of a failure, with its details.
///
/// ```
/// use pdn::Archive;
/// use pdn::error::ErrorKind;
///
/// let error = Archive::open(std::env::temp_dir()).unwrap_err();
/// match error.kind() {
///     ErrorKind::IsDirectory => {} // `pdn::source::walk` finds the files in it.
///     other => panic!("{other}"),
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A failed system call: opening, reading or writing.
    Io(io::Error),
    /// A folder in place of a file.
    IsDirectory,
    /// A compressed file that ends early or is damaged.
    Compressed {
        /// `gzip`, `zstd`, `bzip2` or `zip`.
        container: &'static str,
        /// Number of decompressed bytes before the damage.
        readable: u64,
        /// The decoder's error.
        source: io::Error,
    },
    /// A container that would grow beyond the allowed size or ratio: probably a decompression bomb.
    TooLarge {
        /// The exceeded quantity, in words.
        what: &'static str,
        /// The limit, in bytes or as a ratio.
        limit: u64,
    },
    /// A container that is recognised by this name but not supported.
    UnsupportedContainer(&'static str),
    /// A zip without a `.pdn` file.
    NoEntry,
    /// Another kind of text, by name, with no PDN in it.
    NoPdn(&'static str),
    /// Binary data where text was expected.
    Binary {
        /// Number of control characters found.
        control_bytes: usize,
        /// Number of bytes examined.
        examined: usize,
    },
    /// An input that needs this feature, which the build leaves out.
    MissingFeature(&'static str),
    /// A folder without an index, or a file that belongs to none.
    NotAnIndex,
    /// An index in a version of the format that this build cannot read.
    IndexVersion {
        /// The index's version.
        version: u32,
        /// The newest supported version.
        newest: u32,
    },
    /// A part of an index that differs from what was written.
    IndexDamaged {
        /// The damaged section of the file.
        section: &'static str,
        /// The damage, in words.
        problem: &'static str,
    },
    /// A place where no index may be written, because it is in use for something else; the text says for what.
    FolderInUse(&'static str),
    /// An index that stays as it was, because no game was read that could take the place of its games. The value is the first
    /// error of an input, if there was one.
    NoGames(Option<Error>),
    /// A folder in which none of the archives of the index was found.
    NoArchiveHere,
    /// An index that another process is writing.
    IndexLocked,
    /// A search that its caller stopped before it was done.
    Stopped,
    /// A batch whose lines are unknown, because one of the same input before it was dropped before its own were asked for.
    SkippedBatch,
    /// An archive that has changed since it was indexed; the text names the difference.
    ArchiveChanged(&'static str),
    /// The record's text is unavailable: its input was a stream or a container, and the index stores no text. The
    /// value gives the reason.
    NoText(&'static str),
    /// The index does not store what a query asks for, because an earlier version has written it. The value says what.
    NotStored(&'static str),
    /// A part of an archive that cannot be read alone; the text says why.
    Part(String),
    /// More than the index format can hold; the text names what.
    IndexFull(&'static str),
    /// A query whose squares mean something else on each of several boards, and that can match games of these boards.
    AmbiguousSquares {
        /// The condition, as text of the query language.
        condition: String,
        /// The names of the variants whose games it can match.
        variants: Vec<String>,
    },
    /// A query with a square that the boards of all games lack that it could match.
    NoSuchSquare {
        /// The condition, as text of the query language.
        condition: String,
        /// What squares these boards have, in words.
        boards: String,
    },
    /// A query that asks tables of endings without having some.
    NoTables {
        /// The condition, as text of the query language.
        condition: String,
    },
    /// A query that refers to a game that the index does not have, or to a ply that a game does not have.
    NoSuchPosition {
        /// The condition, as text of the query language.
        condition: String,
        /// What is not there, in words.
        reason: String,
    },
}

impl Error {
    /// Creates an error without a path.
    pub fn new(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { kind, path: None }))
    }

    /// Adds the path of the file concerned. An earlier path is kept.
    #[must_use]
    pub fn at(mut self, path: impl AsRef<Path>) -> Self {
        self.0.path.get_or_insert_with(|| path.as_ref().to_owned());
        self
    }

    /// Sets the number of readable bytes if the error is about a compressed container.
    #[cfg(feature = "compression")]
    pub(crate) fn with_readable(mut self, bytes: u64) -> Self {
        if let ErrorKind::Compressed { readable, .. } = &mut self.0.kind {
            *readable = bytes;
        }
        self
    }

    /// Returns the kind of failure.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the path of the file concerned, if one is known.
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

/// Writes the message, so that `fn main() -> pdn::Result<()>` and `unwrap` show one that can be read.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
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
            Self::UnsupportedContainer("tar") => write!(f, "is a tar archive; unpack it first"),
            Self::UnsupportedContainer(container) => {
                write!(f, "is packed with {container}, which is not supported; unpack it first")
            }
            Self::NoPdn(kind) => write!(f, "is {kind}, and no part of it is PDN"),
            Self::NoEntry => write!(f, "this zip contains no .pdn file"),
            Self::Binary { control_bytes, examined } => {
                write!(
                    f,
                    "is binary, not text: {control_bytes} of its first {examined} bytes are control characters"
                )
            }
            Self::MissingFeature(feature) => {
                write!(f, "needs the feature `{feature}`, which this build leaves out")
            }
            Self::NotAnIndex => write!(f, "is not an index"),
            Self::IndexVersion { version, newest } => write!(
                f,
                "is an index of format version {version}, and this program reads up to version {newest}; \
                 index the archive again or use a newer program"
            ),
            Self::IndexDamaged { section, problem } => {
                write!(f, "the index is damaged in section {section}: {problem}; index the archive again")
            }
            Self::FolderInUse(why) => {
                write!(f, "{why}; an index needs a new or empty folder, or one that has an index")
            }
            Self::NoGames(failure) => {
                write!(f, "stays as it was, because no game was read")?;
                failure.as_ref().map_or(Ok(()), |failure| write!(f, "; {failure}"))
            }
            Self::NoArchiveHere => write!(f, "none of the archives of the index is in this folder"),
            Self::IndexLocked => {
                write!(f, "another process is writing this index; try again when it is done")
            }
            Self::Stopped => write!(f, "the search was stopped before it was done"),
            Self::SkippedBatch => {
                write!(
                    f,
                    "the lines of a batch are unknown, because one before it was skipped: all have to be given, in order"
                )
            }
            Self::ArchiveChanged(what) => {
                write!(f, "the archive has changed since it was indexed ({what}); index it again")
            }
            Self::NoText(why) => write!(f, "the text of the game is unavailable: {why}"),
            Self::NotStored(what) => {
                write!(
                    f,
                    "an earlier version has written the index and did not store {what}; index the archive again"
                )
            }
            Self::Part(why) => f.write_str(why),
            Self::IndexFull(what) => write!(f, "an index cannot hold {what}"),
            Self::AmbiguousSquares { condition, variants } => write!(
                f,
                "`{condition}` means other squares or positions on other boards, and the games are of several: {}; choose \
                 one variant",
                variants.join(", ")
            ),
            Self::NoSuchSquare { condition, boards } => {
                write!(f, "`{condition}` is true in no game: {boards}")
            }
            Self::NoTables { condition } => {
                write!(f, "`{condition}` asks tables of endings, and none are given")
            }
            Self::NoSuchPosition { condition, reason } => write!(f, "`{condition}`: {reason}"),
        }
    }
}

impl std::error::Error for Error {
    /// Returns the cause of the underlying [`io::Error`]. That error itself is part of `Display`.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Io(error) | ErrorKind::Compressed { source: error, .. } => error.source(),
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

/// Keeps the [`io::ErrorKind`] of an I/O failure and the whole message, path included.
///
/// An [`ErrorKind::Io`] without a path becomes the original `io::Error`, with its OS error code.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::Io(inner) => inner.kind(),
            ErrorKind::IsDirectory => io::ErrorKind::IsADirectory,
            ErrorKind::NotAnIndex | ErrorKind::NoArchiveHere => io::ErrorKind::NotFound,
            ErrorKind::FolderInUse(_) => io::ErrorKind::AlreadyExists,
            ErrorKind::IndexLocked => io::ErrorKind::ResourceBusy,
            ErrorKind::Stopped => io::ErrorKind::Interrupted,
            ErrorKind::UnsupportedContainer(_)
            | ErrorKind::MissingFeature(_)
            | ErrorKind::IndexVersion { .. }
            | ErrorKind::NotStored(_)
            | ErrorKind::NoText(_) => io::ErrorKind::Unsupported,
            ErrorKind::AmbiguousSquares { .. }
            | ErrorKind::NoSuchSquare { .. }
            | ErrorKind::NoTables { .. }
            | ErrorKind::NoSuchPosition { .. }
            | ErrorKind::SkippedBatch
            | ErrorKind::Part(_) => io::ErrorKind::InvalidInput,
            ErrorKind::TooLarge { .. } | ErrorKind::IndexFull(_) => io::ErrorKind::FileTooLarge,
            ErrorKind::Compressed { .. }
            | ErrorKind::NoEntry
            | ErrorKind::NoPdn(_)
            | ErrorKind::NoGames(_)
            | ErrorKind::Binary { .. }
            | ErrorKind::IndexDamaged { .. }
            | ErrorKind::ArchiveChanged(_) => io::ErrorKind::InvalidData,
        };
        match *error.0 {
            Inner { kind: ErrorKind::Io(inner), path: None } => inner,
            inner => Self::new(kind, Error(Box::new(inner))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prints an error and its sources as `anyhow` and `eyre` do.
    fn chain(error: &(dyn std::error::Error + 'static)) -> String {
        let links = std::iter::successors(Some(error), |error| error.source());
        links.map(ToString::to_string).collect::<Vec<_>>().join(" <- ")
    }

    #[test]
    fn error_keeps_its_first_path() {
        let error = Error::new(ErrorKind::IsDirectory).at("a").at("b");
        assert_eq!(error.to_string(), "a: is a directory, not a file");
        assert_eq!(size_of::<Error>(), size_of::<usize>());
    }

    /// A program whose `main` returns an error shows its `Debug` form.
    #[test]
    fn debug_form_is_the_message() {
        let error = Error::new(ErrorKind::IsDirectory).at("a");
        assert_eq!(format!("{error:?}"), "a: is a directory, not a file");
    }

    #[test]
    fn error_chain_prints_each_message_once() {
        let missing = || io::Error::new(io::ErrorKind::NotFound, "no such file");
        assert_eq!(chain(&Error::from(missing()).at("a.pdn")), "a.pdn: no such file");
        let damaged = ErrorKind::Compressed { container: "gzip", readable: 7, source: missing() };
        assert_eq!(chain(&Error::from(damaged)), "damaged gzip data after 7 readable bytes: no such file");

        #[derive(Debug)]
        struct Outer(UnknownName);
        impl fmt::Display for Outer {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("outer")
            }
        }
        impl std::error::Error for Outer {
            fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                Some(&self.0)
            }
        }
        let nested = io::Error::other(Outer(UnknownName { expected: "more" }));
        assert_eq!(chain(&Error::from(nested).at("b")), "b: outer <- expected more");
    }

    #[test]
    fn error_converts_to_io_error_with_its_message() {
        let error = Error::from(io::Error::from(io::ErrorKind::PermissionDenied)).at("a.pdn");
        let message = error.to_string();
        let io = io::Error::from(error);
        assert_eq!((io.kind(), io.to_string()), (io::ErrorKind::PermissionDenied, message.clone()));
        assert_eq!(chain(&io), message);
        let original = io::Error::from(Error::from(io::Error::from_raw_os_error(2)));
        assert_eq!(original.raw_os_error(), Some(2));
        assert_eq!(io::Error::from(Error::new(ErrorKind::NoEntry)).kind(), io::ErrorKind::InvalidData);
    }
}
