//! One input: its name, its container and its bytes.

use std::path::{Path, PathBuf};

use super::bytes::Bytes;
use super::container::Container;
use super::position_list::BOM;
use super::pull::ReadProgress;
use super::stream::Stream;
use super::text_form::TextForm;
use super::text_offsets::TextOffsets;
use crate::error::Error;

/// One stream of text in an archive: a file, standard input, or an entry of a zip.
#[derive(Debug)]
#[non_exhaustive]
pub struct Input {
    /// The name in messages: the path, `-`, or for a zip `archive.zip/entry.pdn`.
    pub name: PathBuf,
    /// The container of the text.
    pub kind: Container,
    /// The number of bytes of the file read so far, for progress bars. A stream updates it; for [`InputBytes::Whole`] the
    /// caller may update it with [`ReadProgress::set`].
    pub progress: ReadProgress,
    /// The bytes of the text.
    pub source: InputBytes,
}

impl Input {
    pub(super) fn new(name: &Path, kind: Container, progress: ReadProgress, source: InputBytes) -> Self {
        Self { name: name.to_owned(), kind, progress, source }
    }
}

/// The bytes of an input, all at once or as a stream.
#[derive(Debug)]
pub enum InputBytes {
    /// All bytes: a mapped file, or a small file that was read.
    Whole(Bytes),
    /// A stream that is read on demand.
    Stream(Stream),
}

impl InputBytes {
    /// Returns the length of the text in bytes if it is known in advance.
    pub fn len_hint(&self) -> Option<u64> {
        match self {
            Self::Whole(bytes) => Some(bytes.len() as u64),
            Self::Stream(stream) => stream.len_hint(),
        }
    }

    /// Returns `true` if the text starts with a byte order mark, three bytes `EF BB BF`. The mark is part of the text.
    pub fn bom(&self) -> bool {
        match self {
            Self::Whole(bytes) => bytes.starts_with(BOM),
            Self::Stream(stream) => stream.bom(),
        }
    }

    /// Returns the form that the text had before it was changed while it was read; `None` if it is read as it is.
    pub fn form(&self) -> Option<TextForm> {
        match self {
            Self::Whole(_) => None,
            Self::Stream(stream) => stream.form(),
        }
    }

    /// Returns the map from offsets in the text to those before it was changed; `None` if it is read as it is.
    ///
    /// For a compressed input, the mapped offsets count unpacked bytes.
    pub fn offsets(&self) -> Option<TextOffsets> {
        match self {
            Self::Whole(_) => None,
            Self::Stream(stream) => stream.offsets(),
        }
    }

    /// Returns all bytes, and the error that followed them, if any.
    ///
    /// A stream is read into memory as a whole, so this is for inputs that are known to be small.
    pub fn into_bytes(self) -> (Bytes, Option<Error>) {
        match self {
            Self::Whole(bytes) => (bytes, None),
            Self::Stream(mut stream) => {
                let mut buffer = Vec::new();
                loop {
                    // As much again as there is: a small input needs little room.
                    let min_bytes = buffer.len().min(Stream::CHUNK);
                    match stream.fill(&mut buffer, min_bytes) {
                        Ok(0) => return (buffer.into(), None),
                        Ok(_) => {}
                        Err(error) => return (buffer.into(), Some(error)),
                    }
                }
            }
        }
    }
}
