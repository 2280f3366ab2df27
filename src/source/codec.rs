//! Unpacks gzip, zstd, bzip2 and the entries of zips in one loop.
//!
//! The decoders run on plain buffers. Their reader types are not used, because a reader that meets damage discards the bytes
//! that it unpacked in the same call.

use std::io;

use bzip2::Decompress as BzDecoder;
use flate2::{Decompress, FlushDecompress};
use zstd::stream::raw::{DParameter, Decoder as ZstdDecoder, Operation};

use super::budget::Budget;
use super::container::Container;
use super::options::SourceLimits;
use super::pull::{Pull, PullBuffer};
use crate::error::{Error, ErrorKind, Result};

/// The stage that unpacks.
pub(super) struct Unpack {
    codec: Codec,
    /// The name of the container in errors.
    container: &'static str,
    /// The container, if several members may follow each other.
    members: Option<Container>,
    /// Bytes that are not unpacked yet.
    input: PullBuffer,
    /// A member has ended, and the next one has not been looked for.
    between_members: bool,
    finished: bool,
    /// Bytes unpacked so far.
    unpacked: u64,
    /// An error that is returned after the last bytes.
    failed: Option<Error>,
    /// Bytes read so far.
    read: u64,
    /// The limits of a file; the entries of a zip have one of their own.
    budget: Option<Budget>,
}

/// The result of one call of a decoder.
struct Step {
    /// Bytes of input taken.
    taken: usize,
    /// Bytes of output written.
    written: usize,
    outcome: Outcome,
}

enum Outcome {
    /// The member goes on.
    Continue,
    /// The member has ended.
    End,
    Damaged(io::Error),
}

impl Unpack {
    const INPUT_BYTES: usize = 128 << 10;

    /// Unpacks all members of a file, one after another: gzip members, zstd frames (skippable ones are empty), bzip2
    /// streams. Zeros between and after them are padding.
    pub(super) fn members(kind: Container, pull: impl Pull + 'static, limits: &SourceLimits) -> Result<Self> {
        let codec = match kind {
            Container::Gzip => Codec::gzip(),
            Container::Zstd => Codec::zstd(limits)?,
            Container::Bzip2 => Codec::bzip2(),
            Container::Plain | Container::Zip => Codec::Stored,
        };
        let budget = Some(Budget::new(limits, false));
        Ok(Self { budget, ..Self::new(Box::new(pull), codec, kind.name(), Some(kind)) })
    }

    /// Unpacks one member and ignores bytes after it.
    pub(super) fn single(codec: Codec, pull: impl Pull + 'static, container: &'static str) -> Self {
        Self::new(Box::new(pull), codec, container, None)
    }

    fn new(pull: Box<dyn Pull>, codec: Codec, container: &'static str, members: Option<Container>) -> Self {
        Self {
            codec,
            container,
            members,
            input: PullBuffer::new(pull, Self::INPUT_BYTES),
            between_members: false,
            finished: false,
            unpacked: 0,
            failed: None,
            read: 0,
            budget: None,
        }
    }

    /// Reads more input after the remaining bytes.
    fn refill(&mut self) {
        self.read += self.input.refill(&mut self.failed) as u64;
    }

    /// Starts the next member, if there is one.
    fn advance(&mut self) {
        let Some(kind) = self.members else {
            self.finished = true;
            return;
        };
        loop {
            let zeros = self.input.rest().iter().take_while(|byte| **byte == 0).count();
            self.input.take(zeros);
            // Ten bytes are enough to recognise every container.
            if self.input.rest().len() >= 10 || self.input.has_ended() {
                break;
            }
            self.refill();
        }
        let rest = self.input.rest();
        if rest.is_empty() {
            self.finished = true;
        } else if kind.starts(rest) {
            self.codec.restart();
            self.between_members = false;
        } else {
            self.damaged(io::Error::new(
                io::ErrorKind::InvalidData,
                "other bytes follow the last complete part",
            ));
        }
    }

    /// Ends with an error. An earlier error of the file takes precedence, because the damage is its consequence.
    fn damaged(&mut self, source: io::Error) {
        self.finished = true;
        if self.failed.is_none() {
            let kind = ErrorKind::Compressed { container: self.container, readable: self.unpacked, source };
            self.failed = Some(kind.into());
        }
    }
}

impl Pull for Unpack {
    fn pull(&mut self, out: &mut [u8]) -> Result<usize> {
        while !self.finished {
            if self.between_members {
                self.advance();
                continue;
            }
            if self.input.rest().is_empty() && !self.input.has_ended() {
                self.refill();
            }
            let last = self.input.has_ended() && self.input.rest().is_empty();
            let step = self.codec.step(self.input.rest(), out);
            self.input.take(step.taken);
            self.unpacked += step.written as u64;
            match step.outcome {
                Outcome::End => self.between_members = true,
                Outcome::Damaged(error) => self.damaged(error),
                Outcome::Continue if step.written == 0 && last => {
                    let what = "it ends in the middle";
                    self.damaged(io::Error::new(io::ErrorKind::UnexpectedEof, what));
                }
                Outcome::Continue if step.written == 0 && step.taken == 0 => {
                    self.damaged(io::Error::new(io::ErrorKind::InvalidData, "the decoder makes no progress"));
                }
                Outcome::Continue => {}
            }
            if step.written > 0 {
                let spent = self.budget.as_ref().map(|budget| budget.spend(step.written as u64, self.read));
                if let Some(Err(error)) = spent {
                    // The bytes before the error are returned first.
                    self.finished = true;
                    self.failed = Some(error);
                }
                return Ok(step.written);
            }
        }
        self.failed.take().map_or(Ok(0), Err)
    }
}

/// A decoder of one member at a time.
pub(super) enum Codec {
    /// Bytes that are not packed.
    Stored,
    Deflate(Box<Decompress>),
    Gzip(Box<Decompress>),
    /// A decoder and its maximum window, as a power of two.
    Zstd(ZstdDecoder<'static>, u32),
    Bzip2(Box<BzDecoder>),
}

impl Codec {
    /// The largest window of deflate, as a power of two.
    const DEFLATE_WINDOW_LOG: u8 = 15;

    fn gzip() -> Self {
        Self::Gzip(Box::new(Decompress::new_gzip(Self::DEFLATE_WINDOW_LOG)))
    }

    pub(super) fn deflate() -> Self {
        Self::Deflate(Box::new(Decompress::new(false)))
    }

    pub(super) fn bzip2() -> Self {
        Self::Bzip2(Box::new(BzDecoder::new(false)))
    }

    pub(super) fn zstd(limits: &SourceLimits) -> Result<Self> {
        let window = limits.zstd_window_log.clamp(10, SourceLimits::MAX_ZSTD_WINDOW_LOG);
        let mut decoder = ZstdDecoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(window))?;
        Ok(Self::Zstd(decoder, window))
    }

    /// Prepares the decoder for the next member.
    fn restart(&mut self) {
        match self {
            Self::Gzip(_) => *self = Self::gzip(),
            Self::Deflate(_) => *self = Self::deflate(),
            Self::Bzip2(_) => *self = Self::bzip2(),
            // The zstd decoder continues with the next frame without a reset.
            Self::Zstd(..) | Self::Stored => {}
        }
    }

    /// Calls the decoder once. Empty input means that the stage before has ended.
    fn step(&mut self, input: &[u8], out: &mut [u8]) -> Step {
        match self {
            Self::Stored => {
                let len = input.len().min(out.len());
                out[..len].copy_from_slice(&input[..len]);
                let outcome = if input.is_empty() { Outcome::End } else { Outcome::Continue };
                Step { taken: len, written: len, outcome }
            }
            Self::Deflate(decoder) | Self::Gzip(decoder) => {
                let (before_in, before_out) = (decoder.total_in(), decoder.total_out());
                let outcome = match decoder.decompress(input, out, FlushDecompress::None) {
                    Ok(flate2::Status::StreamEnd) => Outcome::End,
                    Ok(flate2::Status::Ok | flate2::Status::BufError) => Outcome::Continue,
                    Err(error) => {
                        let text = error.message().unwrap_or("the data is corrupt").to_owned();
                        Outcome::Damaged(io::Error::new(io::ErrorKind::InvalidData, text))
                    }
                };
                Step {
                    taken: (decoder.total_in() - before_in) as usize,
                    written: (decoder.total_out() - before_out) as usize,
                    outcome,
                }
            }
            Self::Zstd(decoder, window) => {
                let mut source = zstd::stream::raw::InBuffer::around(input);
                let mut target = zstd::stream::raw::OutBuffer::around(out);
                let outcome = match decoder.run(&mut source, &mut target) {
                    // Without input and output, `Ok(0)` means that the decoder is idle, not that another frame has ended.
                    Ok(0) if !input.is_empty() || target.pos() > 0 => Outcome::End,
                    Ok(_) => Outcome::Continue,
                    Err(error) => Outcome::Damaged(explain(error, *window)),
                };
                Step { taken: source.pos(), written: target.pos(), outcome }
            }
            Self::Bzip2(decoder) => {
                let (before_in, before_out) = (decoder.total_in(), decoder.total_out());
                let outcome = match decoder.decompress(input, out) {
                    Ok(bzip2::Status::StreamEnd) => Outcome::End,
                    Ok(_) => Outcome::Continue,
                    Err(error) => Outcome::Damaged(io::Error::new(io::ErrorKind::InvalidData, error)),
                };
                Step {
                    taken: (decoder.total_in() - before_in) as usize,
                    written: (decoder.total_out() - before_out) as usize,
                    outcome,
                }
            }
        }
    }
}

/// Names the limit to raise if the window limit, not damage, caused the error.
fn explain(error: io::Error, window: u32) -> io::Error {
    let text = error.to_string();
    if text.contains("too much memory") {
        let text =
            format!("{text} (the limit for its window, SourceLimits::zstd_window_log, is 2^{window} bytes)");
        return io::Error::new(io::ErrorKind::InvalidData, text);
    }
    error
}
