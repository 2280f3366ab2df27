//! What the first records of a file decide about all its records.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::prior_cache::note_of;
use super::score_poll::ScoreEvidence;
use super::{FilePrior, ReplayOptions};
use crate::archive::{Archive, Batch, GivenHead, RecordRange};
use crate::error::{Result, UnknownName};
use crate::source::{Decoder, Encoding, OpenOptions};
use crate::value::DateOrders;

/// What the first records of a file decide about all its records: the prior of their encoding and that of their variant, and how dates
/// and scores are written.
///
/// An [`Archive`] finds it in the first records of each input. A reader of a part receives it, as text if the reader runs elsewhere.
///
/// ```
/// use pdn::internal::replay::ArchiveHead;
/// use pdn::replay::ReplayOptions;
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
    /// The order of day and month in dates.
    pub dates: DateOrders,
    /// The ranking of the variants.
    pub prior: FilePrior,
    /// What is shown about the order of the numbers of scores.
    pub scores: ScoreEvidence,
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
        let Some(batch) = archive.batches().next() else { return Ok(Self::default()) };
        Ok(Self::of_batch(&batch?, replay))
    }

    /// Returns the head of the input that a batch belongs to. With a variant in `replay`, there is no ranking of variants.
    #[doc(hidden)]
    pub fn of_batch(batch: &Batch, replay: &ReplayOptions) -> Self {
        let prior = match replay.variant {
            Some(_) => FilePrior::default(),
            None => FilePrior::of_input(batch.head(), replay),
        };
        let decoder = batch.decoder();
        let scores = ScoreEvidence::of_input(batch.head(), replay);
        Self { encoding: decoder.prior(), dates: decoder.dates(), prior, scores }
    }

    /// Opens a part of `path`, whose head this is: the records of `range`, which
    /// [`ranges`](crate::archive::ranges) returned.
    ///
    /// Offsets, numbers of records, encodings, variants and lines are those that the whole file gives. Only the bytes of the part
    /// and a few after it are read. A line counter starts at the line of the range.
    ///
    /// A range without an end is the whole of a file that cannot be divided. The head decides
    /// nothing about it.
    ///
    /// ```no_run
    /// use std::num::NonZeroUsize;
    /// use pdn::internal::archive;
    /// use pdn::internal::replay::ArchiveHead;
    /// use pdn::replay::ReplayOptions;
    /// use pdn::source::OpenOptions;
    ///
    /// let options = OpenOptions::new();
    /// let head = ArchiveHead::read("games.pdn", &options, &ReplayOptions::new())?;
    /// let parts = NonZeroUsize::new(8).unwrap();
    /// for range in archive::ranges("games.pdn", parts, &options, pdn::default_threads())? {
    ///     // On another machine that has the file:
    ///     let part = head.open_part("games.pdn", &range, &options)?;
    ///     println!("{range}: {} games from number {} on", part.games().count(), range.first + 1);
    /// }
    /// # Ok::<(), pdn::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Archive::open`], or the length of the file has changed since the range was found.
    pub fn open_part(
        &self,
        path: impl AsRef<Path>,
        range: &RecordRange,
        options: &OpenOptions,
    ) -> Result<Archive> {
        Archive::part(path.as_ref(), range, self.given(options), options)
    }

    /// Opens a part of a file that is read from `reader`, which gives its bytes from the start of the part on to the end of
    /// the file; see [`open_part`](Self::open_part). Only the bytes of the part and some after it are read. Messages call the
    /// file `name`.
    ///
    /// ```
    /// use pdn::internal::archive::RecordRange;
    /// use pdn::internal::replay::ArchiveHead;
    /// use pdn::source::OpenOptions;
    ///
    /// let text = b"1. 32-28 *\n1. 33-29 *\n";
    /// let second = RecordRange::new(11, Some(22), 1, 2, 22);
    /// let rest = &text[second.start as usize..];
    /// let head = ArchiveHead::default();
    /// let part = head.part_from_reader(rest, "games.pdn", &second, &OpenOptions::new())?;
    /// assert_eq!(part.games().map(|game| game.map(|game| game.number())).collect::<pdn::Result<Vec<_>>>()?, [2]);
    /// # Ok::<(), pdn::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Archive::from_reader`]. If the file is shorter than when the range was found, reading is an error.
    pub fn part_from_reader(
        &self,
        reader: impl Read + Send + 'static,
        name: impl Into<PathBuf>,
        range: &RecordRange,
        options: &OpenOptions,
    ) -> Result<Archive> {
        Archive::part_from_reader(reader, name.into(), range, self.given(options), options)
    }

    /// Returns what an input takes as its head.
    pub fn given(&self, options: &OpenOptions) -> GivenHead {
        GivenHead {
            decoder: self.decoder(options.encoding),
            note: note_of(self.prior.clone(), self.scores.clone()),
        }
    }

    /// Returns the decoder of the file; with `forced`, all records have that encoding.
    pub fn decoder(&self, forced: Option<Encoding>) -> Decoder {
        Decoder::from_parts(None, self.encoding, self.dates).with_forced(forced)
    }
}

/// Writes the name of the encoding or nothing, the order of dates, the evidence for the order of scores or nothing, and the ranking of the
/// variants, with semicolons between them.
impl fmt::Display for ArchiveHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(encoding) = self.encoding {
            encoding.fmt(f)?;
        }
        write!(f, ";{};{};{}", self.dates, self.scores, self.prior)
    }
}

impl FromStr for ArchiveHead {
    type Err = UnknownName;

    /// Parses what [`Display`](fmt::Display) writes. An empty text is the head of a file of which nothing is known.
    ///
    /// # Errors
    /// If the text is not of that form.
    fn from_str(text: &str) -> std::result::Result<Self, UnknownName> {
        let unknown = UnknownName {
            expected: "an encoding, orders of dates, numbers of games and a ranking of variants, with semicolons",
        };
        if text.is_empty() {
            return Ok(Self::default());
        }
        let (encoding, rest) = text.split_once(';').ok_or(unknown)?;
        let (dates, rest) = rest.split_once(';').ok_or(unknown)?;
        let (scores, prior) = rest.split_once(';').ok_or(unknown)?;
        let encoding = match encoding {
            "" => None,
            name => Some(name.parse().map_err(|_| unknown)?),
        };
        Ok(Self { encoding, dates: dates.parse()?, scores: scores.parse()?, prior: prior.parse()? })
    }
}
