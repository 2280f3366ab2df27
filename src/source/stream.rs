//! Bytes as they come, into the caller's buffer.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

use super::utf16::{Transcoder, Utf16};
use super::{BOM, Encoding, HEAD, ReadProgress, Utf16Offsets};

/// A text that is read piece by piece.
///
/// Memory stays bounded because the buffer is the caller's: whoever splits keeps the unfinished tail in it, asks
/// for more, and drops what is done.
///
/// ```
/// use pdn::source::{OpenOptions, InputBytes, Stream, from_reader};
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
    name: PathBuf,
    len: Option<u64>,
    bom: bool,
    utf16: Option<(Utf16, Utf16Offsets)>,
    done: bool,
    failed: Option<Error>,
}

impl Stream {
    /// A good number of bytes to ask for: 512 KiB, where the cost of a read no longer matters.
    pub const CHUNK: usize = 512 << 10;

    /// The least room that is offered to a read, however little is asked for.
    const ROOM: usize = 64 << 10;

    /// A decoder never gets less room than this, so that it can always write a character.
    const SLACK: usize = 16;

    pub(super) fn new(pull: Box<dyn Pull>, name: &Path, len: Option<u64>, forced: Option<Encoding>) -> Self {
        let mut pull = Headed::new(pull);
        pull.look();
        let utf16 = Utf16::of(&pull.head, forced);
        let bom = if let Some(form) = utf16 { form.bom(&pull.head) } else { pull.head.starts_with(BOM) };
        let mut this = Self {
            pull: Box::new(io::empty()),
            name: name.to_owned(),
            len,
            bom,
            utf16: None,
            done: false,
            failed: None,
        };
        if let Some(form) = utf16 {
            let transcoder = Transcoder::new(Box::new(pull), form);
            this.utf16 = Some((form, transcoder.offsets()));
            this.len = None;
            this.pull = Box::new(transcoder);
        } else {
            this.pull = Box::new(pull);
        }
        this
    }

    /// Appends at least `at_least` bytes to `buffer`, fewer only at the end, and says how many. 0 is the end,
    /// except that asking for 0 bytes gives some if there are any.
    ///
    /// Best asked for [`Stream::CHUNK`] at a time. The buffer's spare room is used and grown as a `Vec` does;
    /// on return it holds nothing but bytes of the text.
    ///
    /// # Errors
    ///
    /// Reading failed or the container is damaged. All that was readable has been appended before, in this call
    /// or in earlier ones: an error never comes together with bytes, so nothing in `buffer` is lost. After an
    /// error comes the end.
    pub fn fill(&mut self, buffer: &mut Vec<u8>, at_least: usize) -> Result<usize> {
        if let Some(error) = self.failed.take() {
            self.done = true;
            return Err(error);
        }
        if self.done {
            return Ok(0);
        }
        let start = buffer.len();
        let at_least = at_least.max(1);
        buffer.resize(start + at_least.max(Self::ROOM) + Self::SLACK, 0);
        let mut filled = 0;
        while filled < at_least {
            match self.pull.pull(&mut buffer[start + filled..]) {
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
        buffer.truncate(start + filled);
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

    /// Length of the text in bytes, where it is known: for plain files that are not transcoded.
    pub fn len_hint(&self) -> Option<u64> {
        self.len
    }

    /// Whether the text opens with a byte order mark.
    pub fn bom(&self) -> bool {
        self.bom
    }

    /// The form of UTF-16 that the text is transcoded from.
    pub fn utf16(&self) -> Option<Utf16> {
        self.utf16.as_ref().map(|(form, _)| *form)
    }

    /// The way back to offsets before transcoding; `None` where nothing is transcoded.
    pub fn offsets(&self) -> Option<Utf16Offsets> {
        self.utf16.as_ref().map(|(_, offsets)| offsets.clone())
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("name", &self.name)
            .field("len", &self.len)
            .field("utf16", &self.utf16())
            .field("done", &self.done)
            .finish_non_exhaustive()
    }
}

/// A stage between the file and the text.
pub(super) trait Pull: Send {
    /// Writes some bytes to the front of `out`, which is not empty, and says how many; 0 is the end. An error is
    /// given only when everything before it has been.
    fn pull(&mut self, out: &mut [u8]) -> Result<usize>;
}

impl Pull for io::Empty {
    fn pull(&mut self, _: &mut [u8]) -> Result<usize> {
        Ok(0)
    }
}

/// The first stage: reads, counts, and can look ahead.
pub(super) struct Plain {
    reader: Box<dyn Read + Send>,
    progress: ReadProgress,
    head: Vec<u8>,
    taken: usize,
    ended: bool,
    failed: Option<Error>,
}

impl Plain {
    pub(super) fn new(reader: Box<dyn Read + Send>, progress: ReadProgress) -> Self {
        Self { reader, progress, head: Vec::new(), taken: 0, ended: false, failed: None }
    }

    pub(super) fn progress(&self) -> &ReadProgress {
        &self.progress
    }

    /// The first `len` bytes, fewer only at the end. Only before the first pull. An error after some bytes
    /// is kept for later, so that they are not lost.
    pub(super) fn peek(&mut self, len: usize) -> Result<&[u8]> {
        let mut filled = self.head.len();
        while filled < len && !self.ended && self.failed.is_none() {
            if filled == self.head.len() {
                // In steps, so that a large bound costs nothing before there are bytes.
                self.head.resize(len.min(filled + Stream::CHUNK), 0);
            }
            match read(&mut self.reader, &mut self.head[filled..]) {
                Ok(0) => self.ended = true,
                Ok(more) => {
                    self.progress.add(more as u64);
                    filled += more;
                }
                Err(error) => self.failed = Some(error),
            }
        }
        self.head.truncate(filled);
        if filled == 0 {
            self.failure()?;
        }
        Ok(&self.head[..len.min(filled)])
    }

    /// The error that was kept, if any.
    pub(super) fn failure(&mut self) -> Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Everything that has been looked at.
    pub(super) fn into_head(self) -> Vec<u8> {
        self.head
    }
}

impl Pull for Plain {
    fn pull(&mut self, out: &mut [u8]) -> Result<usize> {
        if self.taken < self.head.len() {
            let len = out.len().min(self.head.len() - self.taken);
            out[..len].copy_from_slice(&self.head[self.taken..self.taken + len]);
            self.taken += len;
            return Ok(len);
        }
        self.failure()?;
        if self.ended {
            return Ok(0);
        }
        self.head = Vec::new();
        self.taken = 0;
        let more = read(&mut self.reader, out)?;
        self.ended = more == 0;
        self.progress.add(more as u64);
        Ok(more)
    }
}

/// Reads once, patiently.
pub(super) fn read(reader: &mut (impl Read + ?Sized), out: &mut [u8]) -> Result<usize> {
    loop {
        match reader.read(out) {
            // A reader that claims more than it was offered is broken; believing it would be a panic.
            Ok(more) => return Ok(more.min(out.len())),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// A stage whose beginning has been looked at.
struct Headed {
    pull: Box<dyn Pull>,
    head: Vec<u8>,
    taken: usize,
    failed: Option<Error>,
}

impl Headed {
    fn new(pull: Box<dyn Pull>) -> Self {
        Self { pull, head: Vec::new(), taken: 0, failed: None }
    }

    fn look(&mut self) {
        while self.head.len() < HEAD {
            let before = self.head.len();
            self.head.resize(HEAD, 0);
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

impl Pull for Headed {
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
