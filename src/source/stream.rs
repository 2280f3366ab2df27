//! Reads the text of an input into the caller's buffer.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::buffers::PooledBuffer;
use super::charset::Encoding;
use super::position_list::BOM;
use super::pull::Pull;
use super::text_form::{HEAD_BYTES, TextForm};
use super::text_offsets::TextOffsets;
use crate::error::{Error, Result};

/// The text of an input, read in chunks.
///
/// The buffer belongs to the caller, so memory stays bounded: the caller keeps an incomplete record in the buffer, fills it
/// up, and removes the records that are done.
///
/// ```
/// use pdn::source::OpenOptions;
/// use pdn::internal::source::{InputBytes, Stream, from_reader};
///
/// let text = b"[Event \"\"]\n1. 32-28 19-23 *\n";
/// let mut input = from_reader(&text[..], "example", &OpenOptions::new())?.next().unwrap()?;
/// let InputBytes::Stream(stream) = &mut input.source else { unreachable!("readers always stream") };
/// let mut buffer = Vec::new();
/// while stream.fill(&mut buffer, Stream::CHUNK)? > 0 {}
/// assert_eq!(buffer, text);
/// # Ok::<(), pdn::Error>(())
/// ```
pub struct Stream {
    pull: Box<dyn Pull>,
    /// The name of the input in errors.
    name: PathBuf,
    /// Length of the text in bytes, if it is known in advance.
    len: Option<u64>,
    bom: bool,
    form: Option<(TextForm, TextOffsets)>,
    /// The end or an error has been returned.
    done: bool,
    /// An error that is returned by the next call.
    failed: Option<Error>,
}

impl Stream {
    /// The recommended number of bytes per call: 512 KiB, at which the cost of a system call is negligible.
    pub const CHUNK: usize = 512 << 10;

    /// Minimum number of bytes offered to a read, even if fewer are requested.
    const MIN_READ: usize = 64 << 10;

    /// Room in bytes after the requested ones, so that a decoder can always write a whole character.
    const SLACK: usize = 16;

    /// Creates the stream of the text that `pull` gives. `len` is its length in bytes, if known, and `forced` the encoding
    /// that the caller forces. Reads the first kilobytes.
    pub(super) fn new(pull: Box<dyn Pull>, name: &Path, len: Option<u64>, forced: Option<Encoding>) -> Self {
        let mut pull = PeekedPull::new(pull);
        pull.peek();
        let form = TextForm::of(&pull.head, forced);
        let bom = match form {
            Some(TextForm::Utf16(form)) => form.starts_with_mark(&pull.head),
            Some(TextForm::Carrier(_)) => false,
            _ => pull.head.starts_with(BOM),
        };
        let mut this = Self {
            pull: Box::new(io::empty()),
            name: name.to_owned(),
            len,
            bom,
            form: None,
            done: false,
            failed: None,
        };
        if let Some(form) = form {
            let (stage, offsets) = form.stage(Box::new(pull));
            this.form = Some((form, offsets));
            this.len = None;
            this.pull = stage;
        } else {
            this.pull = Box::new(pull);
        }
        this
    }

    /// Creates the stream of the rest of a text whose start has shown that its bytes are those of its records. `len` is the length of the whole
    /// text in bytes, if known.
    pub(super) fn rest(pull: Box<dyn Pull>, name: &Path, len: Option<u64>) -> Self {
        let name = name.to_owned();
        Self { pull, name, len, bom: false, form: None, done: false, failed: None }
    }

    /// Appends at least `min_bytes` bytes to `buffer`, fewer only at the end, and returns their number. 0 means the end;
    /// a `min_bytes` of 0 counts as 1.
    ///
    /// [`Stream::CHUNK`] is the recommended `min_bytes`. The spare capacity of `buffer` is used and grown as a `Vec` does;
    /// on return, `buffer` contains bytes of the text only.
    ///
    /// # Errors
    ///
    /// Reading failed or the container is damaged. All readable bytes have been appended by this call or earlier ones: an
    /// error is returned by a call that appends nothing. After an error, the stream is at its end.
    pub fn fill(&mut self, buffer: &mut Vec<u8>, min_bytes: usize) -> Result<usize> {
        let start = buffer.len();
        buffer.resize(start + Self::room(min_bytes), 0);
        let filled = self.fill_room(&mut buffer[start..], min_bytes);
        buffer.truncate(start + *filled.as_ref().unwrap_or(&0));
        filled
    }

    /// Appends at least `min_bytes` bytes to a buffer of a pool, as [`fill`](Self::fill) does.
    pub(crate) fn fill_pooled(&mut self, buffer: &mut PooledBuffer, min_bytes: usize) -> Result<usize> {
        let filled = self.fill_room(buffer.room(Self::room(min_bytes)), min_bytes)?;
        buffer.advance(filled);
        Ok(filled)
    }

    /// Returns the number of bytes of room that a call for `min_bytes` bytes takes.
    fn room(min_bytes: usize) -> usize {
        min_bytes.max(Self::MIN_READ) + Self::SLACK
    }

    /// Writes at least `min_bytes` bytes to the front of `room`, as [`fill`](Self::fill) does.
    fn fill_room(&mut self, room: &mut [u8], min_bytes: usize) -> Result<usize> {
        if let Some(error) = self.failed.take() {
            self.done = true;
            return Err(error);
        }
        if self.done {
            return Ok(0);
        }
        let mut filled = 0;
        while filled < min_bytes.max(1) {
            match self.pull.pull(&mut room[filled..]) {
                Ok(0) => {
                    self.done = true;
                    break;
                }
                Ok(more) => filled += more,
                Err(error) => {
                    self.failed = Some(error.at(&self.name));
                    break;
                }
            }
        }
        match self.failed.take() {
            Some(error) if filled == 0 => {
                self.done = true;
                Err(error)
            }
            later => {
                self.failed = later;
                Ok(filled)
            }
        }
    }

    /// Returns the length of the text in bytes if it is known in advance: for plain files that are not transcoded.
    pub fn len_hint(&self) -> Option<u64> {
        self.len
    }

    /// Returns `true` if the text starts with a byte order mark.
    pub fn bom(&self) -> bool {
        self.bom
    }

    /// Returns the form that the text had before it was changed while it was read; `None` if it is read as it is.
    pub fn form(&self) -> Option<TextForm> {
        self.form.as_ref().map(|(form, _)| *form)
    }

    /// Returns the map from offsets in the text to those before it was changed; `None` if it is read as it is.
    pub fn offsets(&self) -> Option<TextOffsets> {
        self.form.as_ref().map(|(_, offsets)| offsets.clone())
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("name", &self.name)
            .field("len", &self.len)
            .field("form", &self.form())
            .field("done", &self.done)
            .finish_non_exhaustive()
    }
}

/// A stage of which the first kilobytes have been read in advance.
struct PeekedPull {
    pull: Box<dyn Pull>,
    /// The first kilobytes, or all bytes if there are fewer.
    head: Vec<u8>,
    /// Number of bytes of `head` that have been returned.
    taken: usize,
    /// An error after `head`.
    failed: Option<Error>,
}

impl PeekedPull {
    fn new(pull: Box<dyn Pull>) -> Self {
        Self { pull, head: Vec::new(), taken: 0, failed: None }
    }

    fn peek(&mut self) {
        while self.head.len() < HEAD_BYTES {
            let before = self.head.len();
            self.head.resize(HEAD_BYTES, 0);
            match self.pull.pull(&mut self.head[before..]) {
                Ok(more) => {
                    self.head.truncate(before + more);
                    if more == 0 {
                        return;
                    }
                }
                Err(error) => {
                    self.head.truncate(before);
                    self.failed = Some(error);
                    return;
                }
            }
        }
    }
}

impl Pull for PeekedPull {
    fn pull(&mut self, out: &mut [u8]) -> Result<usize> {
        if self.taken < self.head.len() {
            let len = out.len().min(self.head.len() - self.taken);
            out[..len].copy_from_slice(&self.head[self.taken..self.taken + len]);
            self.taken += len;
            return Ok(len);
        }
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.pull.pull(out),
        }
    }
}
