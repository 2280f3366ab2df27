//! Opens packed files from an independent piece on: an entry of a zip, or a frame of zstd.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use super::budget::limited;
use super::codec::Unpack;
use super::container::Container;
use super::frames::{self, FrameLog, FrameStart};
use super::input::InputBytes;
use super::open::{Inputs, one};
use super::open_part::{part_error, unchanged_file};
use super::options::OpenOptions;
use super::plain::Plain;
use super::progress::ReadProgress;
use super::pull::Pull;
use super::stream::Stream;
use super::text_form::HEAD_BYTES;
use super::zip;
use crate::error::{Error, Result};

/// A text in several frames of zstd.
#[derive(Debug)]
pub(crate) struct FramedText {
    /// The whole text.
    pub(crate) inputs: Inputs,
    /// The frames that its reader has met.
    pub(crate) frames: FrameLog,
}

/// Opens a text in several frames of zstd; returns `None` for any other file, and if the text is not read as it is.
///
/// # Errors
///
/// As [`open`](super::open()).
pub(crate) fn framed_text(path: &Path, options: &OpenOptions) -> Result<Option<FramedText>> {
    let opened = || {
        let mut file = File::open(path)?;
        let len = file.metadata()?.len();
        let mut plain = Plain::new(Box::new(file.try_clone()?), ReadProgress::new(Some(len)));
        if Container::of(plain.peek(HEAD_BYTES)?)? != Container::Zstd {
            return Ok(None);
        }
        // A file that ends in a frame is damaged, which its reader reports.
        let has_several = frames::has_several(&mut file).unwrap_or(false);
        if !has_several {
            return Ok(None);
        }
        file.seek(SeekFrom::Start(0))?;
        let log = FrameLog::new(len);
        let progress = ReadProgress::new(Some(len));
        let plain = Plain::new(Box::new(file), progress.clone());
        let unpack = Unpack::members(Container::Zstd, plain, &options.limits)?.log(log.clone());
        let stream =
            Stream::new(limited(Box::new(unpack), options.limits.max_bytes), path, None, options.encoding);
        if stream.form().is_some() {
            return Ok(None);
        }
        let inputs = one(path, Container::Zstd, progress, InputBytes::Stream(stream));
        Ok(Some(FramedText { inputs, frames: log }))
    };
    opened().map_err(|error: Error| error.at(path))
}

/// Opens a text in frames of zstd from offset `start` of the text on. It is unpacked from `frame` on. `len` is the length of the
/// packed file.
///
/// # Errors
///
/// As [`open`](super::open()), or the file has another length, or the text ends before `start`.
// Twin: `open`, from the first frame on; test: `parts_of_any_text_in_frames_join_to_it`.
pub(crate) fn open_frames(
    path: &Path,
    frame: FrameStart,
    start: u64,
    len: u64,
    options: &OpenOptions,
) -> Result<Inputs> {
    let opened = || {
        let left = start.checked_sub(frame.offset).ok_or_else(|| part_error("begins before its frame"))?;
        let mut file = unchanged_file(path, len)?;
        file.seek(SeekFrom::Start(frame.at))?;
        let progress = ReadProgress::new(Some(len));
        progress.set(frame.at);
        let plain = Plain::new(Box::new(file), progress.clone());
        let pull = Skip { pull: Unpack::later_members(Container::Zstd, plain, &options.limits)?, left };
        let stream = Stream::rest(Box::new(pull), path, None);
        Ok(one(path, Container::Zstd, progress, InputBytes::Stream(stream)))
    };
    opened().map_err(|error: Error| error.at(path))
}

/// Opens the entries of a zip of `len` bytes whose packed data begins in `range`.
///
/// # Errors
///
/// As [`open`](super::open()), or the file has another length or is no zip.
pub(crate) fn open_entries(
    path: &Path,
    range: Range<u64>,
    len: u64,
    options: &OpenOptions,
) -> Result<Inputs> {
    let opened = || {
        let file = unchanged_file(path, len)?;
        let entries = zip::Entries::new(Box::new(file), len, path, ReadProgress::new(Some(len)), options)?;
        entries
            .within(range)
            .map(Inputs::of_zip)
            .ok_or_else(|| part_error("the file has changed since its parts were found; find them again"))
    };
    opened().map_err(|error: Error| error.at(path))
}

/// The stage that drops the first bytes.
struct Skip<P> {
    pull: P,
    /// Bytes that have still to be dropped.
    left: u64,
}

impl<P: Pull> Pull for Skip<P> {
    fn pull(&mut self, out: &mut [u8]) -> Result<usize> {
        while self.left > 0 {
            let len = usize::try_from(self.left).map_or(out.len(), |left| left.min(out.len()));
            let more = self.pull.pull(&mut out[..len])?;
            if more == 0 {
                let message = "the text ends before the part: another program changed the file";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message).into());
            }
            self.left -= more as u64;
        }
        self.pull.pull(out)
    }
}
