//! gzip, zstd, bzip2, and what zips are made of, behind one loop.
//!
//! The decoders are driven on bare buffers and not through their readers, because those throw away what they made
//! in the call that meets the damage.

use std::io;

use bzip2::Decompress as BzDecoder;
use flate2::{Decompress, FlushDecompress};
use zstd::stream::raw::{DParameter, Decoder as ZstdDecoder, Operation};

use crate::error::{Error, ErrorKind, Result};

use super::stream::Pull;
use super::{Container, SourceLimits};

/// The stage that unpacks.
pub(super) struct Unpack {
    pull: Box<dyn Pull>,
    codec: Codec,
    container: &'static str,
    /// The container, if members may follow each other.
    members: Option<Container>,
    /// Of a fixed size; `taken..filled` is what is still to be unpacked.
    input: Box<[u8]>,
    taken: usize,
    filled: usize,
    /// The stage before has ended.
    ended: bool,
    between: bool,
    finished: bool,
    made: u64,
    failed: Option<Error>,
}

/// What to read and what has come of it.
struct Step {
    taken: usize,
    made: usize,
    outcome: Outcome,
}

enum Outcome {
    More,
    End,
    Damaged(io::Error),
}

impl Unpack {
    const INPUT: usize = 128 << 10;

    /// All members of a file, one after the other: gzip members, zstd frames (skippable ones give nothing),
    /// bzip2 streams. Zeros between and after them are padding.
    pub(super) fn members(kind: Container, pull: impl Pull + 'static, limits: &SourceLimits) -> Result<Self> {
        let codec = match kind {
            Container::Gzip => Codec::gzip(),
            Container::Zstd => Codec::zstd(limits)?,
            Container::Bzip2 => Codec::bzip2(),
            Container::Plain | Container::Zip => Codec::Stored,
        };
        Ok(Self::new(Box::new(pull), codec, kind.name(), Some(kind)))
    }

    /// One member, and nothing is said about bytes after it.
    pub(super) fn single(codec: Codec, pull: impl Pull + 'static, container: &'static str) -> Self {
        Self::new(Box::new(pull), codec, container, None)
    }

    fn new(pull: Box<dyn Pull>, codec: Codec, container: &'static str, members: Option<Container>) -> Self {
        Self {
            pull,
            codec,
            container,
            members,
            input: vec![0; Self::INPUT].into(),
            taken: 0,
            filled: 0,
            ended: false,
            between: false,
            finished: false,
            made: 0,
            failed: None,
        }
    }

    /// Gets more input behind what is left of it, which is a few bytes at most.
    fn refill(&mut self) {
        self.input.copy_within(self.taken..self.filled, 0);
        self.filled -= self.taken;
        self.taken = 0;
        let more = match self.pull.pull(&mut self.input[self.filled..]) {
            Ok(more) => more,
            Err(error) => {
                // What has been read is still worth unpacking.
                self.failed = Some(error);
                0
            }
        };
        self.filled += more;
        self.ended = more == 0;
    }

    /// Goes to the next member, if there is one.
    fn advance(&mut self) {
        let Some(kind) = self.members else {
            self.finished = true;
            return;
        };
        loop {
            let zeros = self.input[self.taken..self.filled].iter().take_while(|byte| **byte == 0).count();
            self.taken += zeros;
            // Ten bytes are enough to recognise any of the containers.
            if self.filled - self.taken >= 10 || self.ended {
                break;
            }
            self.refill();
        }
        let rest = &self.input[self.taken..self.filled];
        if rest.is_empty() {
            self.finished = true;
        } else if kind.starts(rest) {
            self.codec.restart();
            self.between = false;
        } else {
            self.damaged(io::Error::new(
                io::ErrorKind::InvalidData,
                "other bytes follow the last complete part",
            ));
        }
    }

    /// Stops here. An error of the file itself explains more than its consequence, so it goes first.
    fn damaged(&mut self, source: io::Error) {
        self.finished = true;
        if self.failed.is_none() {
            let kind = ErrorKind::Compressed { container: self.container, readable: self.made, source };
            self.failed = Some(kind.into());
        }
    }
}

impl Pull for Unpack {
    fn pull(&mut self, out: &mut [u8]) -> Result<usize> {
        while !self.finished {
            if self.between {
                self.advance();
                continue;
            }
            if self.taken == self.filled && !self.ended {
                self.refill();
            }
            let last = self.ended && self.taken == self.filled;
            let step = self.codec.step(&self.input[self.taken..self.filled], out);
            self.taken += step.taken;
            self.made += step.made as u64;
            match step.outcome {
                Outcome::End => self.between = true,
                Outcome::Damaged(error) => self.damaged(error),
                Outcome::More if step.made == 0 && last => {
                    let what = "it ends in the middle";
                    self.damaged(io::Error::new(io::ErrorKind::UnexpectedEof, what));
                }
                Outcome::More if step.made == 0 && step.taken == 0 => {
                    self.damaged(io::Error::new(io::ErrorKind::InvalidData, "the decoder makes no progress"));
                }
                Outcome::More => {}
            }
            if step.made > 0 {
                return Ok(step.made);
            }
        }
        self.failed.take().map_or(Ok(0), Err)
    }
}

/// A decoder of one member at a time.
pub(super) enum Codec {
    Stored,
    Deflate(Box<Decompress>),
    Gzip(Box<Decompress>),
    /// With the largest window allowed, as a power of two.
    Zstd(ZstdDecoder<'static>, u32),
    Bzip2(Box<BzDecoder>),
}

impl Codec {
    /// The largest window that deflate has, as a power of two.
    const WINDOW_LOG: u8 = 15;

    fn gzip() -> Self {
        Self::Gzip(Box::new(Decompress::new_gzip(Self::WINDOW_LOG)))
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

    /// Makes ready for the next member.
    fn restart(&mut self) {
        match self {
            Self::Gzip(_) => *self = Self::gzip(),
            Self::Deflate(_) => *self = Self::deflate(),
            Self::Bzip2(_) => *self = Self::bzip2(),
            // Goes from frame to frame by itself.
            Self::Zstd(..) | Self::Stored => {}
        }
    }

    /// Unpacks once. No input means that there will be none.
    fn step(&mut self, input: &[u8], out: &mut [u8]) -> Step {
        match self {
            Self::Stored => {
                let len = input.len().min(out.len());
                out[..len].copy_from_slice(&input[..len]);
                let outcome = if input.is_empty() { Outcome::End } else { Outcome::More };
                Step { taken: len, made: len, outcome }
            }
            Self::Deflate(decoder) | Self::Gzip(decoder) => {
                let (before_in, before_out) = (decoder.total_in(), decoder.total_out());
                let outcome = match decoder.decompress(input, out, FlushDecompress::None) {
                    Ok(flate2::Status::StreamEnd) => Outcome::End,
                    Ok(flate2::Status::Ok | flate2::Status::BufError) => Outcome::More,
                    Err(error) => {
                        let text = error.message().unwrap_or("the data is corrupt").to_owned();
                        Outcome::Damaged(io::Error::new(io::ErrorKind::InvalidData, text))
                    }
                };
                Step {
                    taken: (decoder.total_in() - before_in) as usize,
                    made: (decoder.total_out() - before_out) as usize,
                    outcome,
                }
            }
            Self::Zstd(decoder, window) => {
                let mut source = zstd::stream::raw::InBuffer::around(input);
                let mut target = zstd::stream::raw::OutBuffer::around(out);
                let outcome = match decoder.run(&mut source, &mut target) {
                    // Without input this is a question whether anything is left, not the end of another frame.
                    Ok(0) if !input.is_empty() || target.pos() > 0 => Outcome::End,
                    Ok(_) => Outcome::More,
                    Err(error) => Outcome::Damaged(explain(error, *window)),
                };
                Step { taken: source.pos(), made: target.pos(), outcome }
            }
            Self::Bzip2(decoder) => {
                let (before_in, before_out) = (decoder.total_in(), decoder.total_out());
                let outcome = match decoder.decompress(input, out) {
                    Ok(bzip2::Status::StreamEnd) => Outcome::End,
                    Ok(_) => Outcome::More,
                    Err(error) => Outcome::Damaged(io::Error::new(io::ErrorKind::InvalidData, error)),
                };
                Step {
                    taken: (decoder.total_in() - before_in) as usize,
                    made: (decoder.total_out() - before_out) as usize,
                    outcome,
                }
            }
        }
    }
}

/// Says what to do where the data is fine and the limit is what stands in the way.
fn explain(error: io::Error, window: u32) -> io::Error {
    let text = error.to_string();
    if text.contains("too much memory") {
        let text =
            format!("{text} (the limit for its window, SourceLimits::zstd_window_log, is 2^{window} bytes)");
        return io::Error::new(io::ErrorKind::InvalidData, text);
    }
    error
}
