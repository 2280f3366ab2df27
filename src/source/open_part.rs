//! Opens plain files from a record on.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::bytes::Bytes;
use super::container::Container;
use super::input::InputBytes;
use super::open::{Inputs, SMALL, one};
use super::options::OpenOptions;
use super::plain::Plain;
use super::pull::ReadProgress;
use super::stream::Stream;
use super::text_form::{HEAD_BYTES, TextForm};
use crate::error::{Error, ErrorKind, Result};

/// Opens a plain file, of `len` bytes, whose records are read from offset `start` on: all bytes at once, or the stream of
/// those from `start` on.
///
/// # Errors
///
/// As [`open`], or the file has another length, or it is not plain text that can be read from any record on.
// Twin: `open`, from the first byte on; test: `parts_join_to_whole_archive`.
pub(crate) fn open_from(path: &Path, start: u64, len: u64, options: &OpenOptions) -> Result<Inputs> {
    open_file_from(path, start, len, options).map_err(|error| error.at(path))
}

/// As [`open_from`]; errors have no path.
fn open_file_from(path: &Path, start: u64, len: u64, options: &OpenOptions) -> Result<Inputs> {
    let mut file = unchanged_file(path, len)?;
    let progress = ReadProgress::new(Some(len));
    let mut plain = Plain::new(Box::new(file.try_clone()?), progress.clone());
    let head = plain.peek(HEAD_BYTES)?;
    if !is_plain_text(head, options)? {
        return Err(part_error(
            "a packed file, one in UTF-16, a list of positions, JSON or HTML can only be read as a whole",
        ));
    }
    if len <= SMALL as u64 {
        if plain.peek(SMALL + 1)?.len() as u64 == len && !plain.has_failed() {
            return Ok(one(path, Container::Plain, progress, InputBytes::Whole(plain.into_head().into())));
        }
        return Err(part_error("another program changed the file while it was read"));
    }
    if options.map
        && let Ok(bytes) = Bytes::map(&file)
    {
        return Ok(one(path, Container::Plain, progress, InputBytes::Whole(bytes)));
    }
    file.seek(SeekFrom::Start(start))?;
    Ok(rest_from_reader(Box::new(file), path, start, len))
}

/// Returns `true` if a file that begins with `head` is plain text whose bytes are those of its
/// records, so that it can be read from any record on.
///
/// # Errors
///
/// If it is a container that this build cannot read. The error has no path.
pub(crate) fn is_plain_text(head: &[u8], options: &OpenOptions) -> Result<bool> {
    Ok(Container::of(head)? == Container::Plain && TextForm::of(head, options.encoding).is_none())
}

/// Opens a file that must have `len` bytes. Errors have no path.
pub(crate) fn unchanged_file(path: &Path, len: u64) -> Result<File> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(ErrorKind::IsDirectory.into());
    }
    if !metadata.is_file() || metadata.len() != len {
        return Err(part_error("the file has changed since its parts were found; find them again"));
    }
    Ok(file)
}

/// Creates the error of a part of a file. It has no path.
fn part_error(problem: &str) -> Error {
    ErrorKind::Part(problem.to_owned()).into()
}

/// Opens the rest of a plain file of `len` bytes, whose bytes from offset `start` on `reader` gives.
pub(crate) fn rest_from_reader(reader: Box<dyn Read + Send>, name: &Path, start: u64, len: u64) -> Inputs {
    let progress = ReadProgress::new(Some(len));
    progress.set(start);
    let stream = Stream::rest(Box::new(Plain::new(reader, progress.clone())), name, Some(len));
    one(name, Container::Plain, progress, InputBytes::Stream(stream))
}
