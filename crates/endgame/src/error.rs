//! Errors of building and reading endings.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why endings could not be built or read.
#[non_exhaustive]
pub enum EndgameError {
    /// A file or folder could not be read or written.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// A file is none of a slice, of another version, or was changed after it was written. Remove it to build it again.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A file is of endings under other rules.
    OtherRules {
        /// The file.
        path: PathBuf,
    },
    /// Another process builds endings in the folder.
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// More pieces were asked for than [`MAX_PIECES`](crate::MAX_PIECES).
    TooManyPieces,
    /// A slice has more positions than memory has room for.
    Memory {
        /// The number of positions.
        positions: u64,
    },
    /// A win takes more plies than a table can hold.
    TooLong,
}

impl EndgameError {
    /// Returns what makes an error of the system one of a file or folder.
    pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Io { path: path.to_owned(), error }
    }
}

impl fmt::Display for EndgameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Damaged { path, what } => {
                write!(f, "{}: {what}; remove the file to build it again", path.display())
            }
            Self::OtherRules { path } => {
                write!(f, "{}: holds endings under other rules; use a folder for each game", path.display())
            }
            Self::Busy { path } => {
                write!(f, "{}: another process builds endings in this folder", path.display())
            }
            Self::TooManyPieces => write!(f, "endings have at most {} pieces", crate::slice::MAX_PIECES),
            Self::Memory { positions } => {
                write!(f, "there is not enough memory for an ending of {positions} positions")
            }
            Self::TooLong => f.write_str("an ending takes more plies than a table can hold"),
        }
    }
}

/// Writes the message, so that a `main` that returns the error shows one that can be read.
impl fmt::Debug for EndgameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for EndgameError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // The message holds that of the error, so the chain goes on below it.
            Self::Io { error, .. } => error.source(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_form_is_the_message() {
        let error = EndgameError::Busy { path: "ends".into() };
        assert_eq!(format!("{error:?}"), "ends: another process builds endings in this folder");
    }
}
