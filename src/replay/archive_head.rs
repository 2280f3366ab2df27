//! What the first records of a file decide about all its records.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::{FilePrior, FilePriorPoll, ReplayOptions};
use crate::archive::Archive;
use crate::error::{Result, UnknownName};
use crate::source::{Decoder, Encoding, OpenOptions};

/// What the first records of a file decide about all its records: the prior of their encoding and that of their variant.
///
/// A reader of the whole file computes it from the first records. A reader of a [part](Archive::part) receives it, as
/// text if the reader runs elsewhere.
///
/// ```
/// use pdn::replay::{ArchiveHead, ReplayOptions};
/// use pdn::source::OpenOptions;
///
/// let head =
///     ArchiveHead::read("corpora/specs/pdn-3.0-international.pdn", &OpenOptions::new(), &ReplayOptions::new())?;
/// assert_eq!(head.to_string().parse(), Ok(head));
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArchiveHead {
    /// The encoding of most lines at the start of the file; `None` if they are ASCII.
    pub encoding: Option<Encoding>,
    /// The ranking of the variants.
    pub prior: FilePrior,
}

impl ArchiveHead {
    /// Reads the first records of a file. With a variant in `replay`, there is no ranking of variants.
    ///
    /// # Errors
    ///
    /// As [`Archive::open`], or if the first records cannot be read.
    pub fn read(path: impl AsRef<Path>, open: &OpenOptions, replay: &ReplayOptions) -> Result<Self> {
        Self::of(Archive::open_with(path, open)?, replay)
    }

    /// Reads the first records of an archive of one input.
    ///
    /// # Errors
    ///
    /// If the first records cannot be read.
    pub fn of(archive: Archive, replay: &ReplayOptions) -> Result<Self> {
        let mut poll = FilePriorPoll::new(replay);
        let mut encoding = None;
        'batches: for (n, batch) in archive.batches().enumerate() {
            let batch = batch?;
            if n == 0 {
                encoding = batch.decoder().prior();
            }
            for game in batch.games() {
                if replay.variant.is_some() || !poll.add(game.raw()) {
                    break 'batches;
                }
            }
        }
        let prior = if replay.variant.is_some() { FilePrior::default() } else { poll.finish() };
        Ok(Self { encoding, prior })
    }

    /// Returns the decoder of the file; with `forced`, all records have that encoding.
    pub fn decoder(&self, forced: Option<Encoding>) -> Decoder {
        Decoder::from_parts(forced, if forced.is_some() { None } else { self.encoding })
    }
}

/// Writes the name of the encoding or nothing, a semicolon, and the ranking of the variants.
impl fmt::Display for ArchiveHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(encoding) = self.encoding {
            encoding.fmt(f)?;
        }
        write!(f, ";{}", self.prior)
    }
}

impl FromStr for ArchiveHead {
    type Err = UnknownName;

    /// Parses what [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    /// If the text is not of that form.
    fn from_str(text: &str) -> std::result::Result<Self, UnknownName> {
        let unknown = UnknownName { expected: "an encoding, a semicolon and a ranking of variants" };
        let (encoding, prior) = text.split_once(';').ok_or(unknown)?;
        let encoding = match encoding {
            "" => None,
            name => Some(name.parse().map_err(|_| unknown)?),
        };
        Ok(Self { encoding, prior: prior.parse()? })
    }
}
