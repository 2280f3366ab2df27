//! Computes the file prior of an input from its first records: mostly, which variant they are of.
//!
//! An input is a file or an entry of a zip. Its first records are collected before its first batch is handed out, so that
//! every batch is replayed with the same prior, whatever the number of threads and the size of the batches.

use std::collections::VecDeque;
use std::iter::FusedIterator;
use std::sync::{Arc, OnceLock};

use pdn::Result;
use pdn::archive::{Batch, Batches, RecordRange};
use pdn::export::LineChain;
use pdn::replay::{ArchiveHead, FilePrior, FilePriorPoll, ReplayOptions};
use pdn::write::LineEnd;

/// The first batches of an input and the prior that they give.
#[derive(Debug, Default)]
pub struct InputHead {
    first: Vec<Batch>,
    prior: OnceLock<FilePrior>,
    lines: LineChain,
}

impl InputHead {
    /// Creates the head of a part of a file: what the first records of the whole file decide, and where the part begins.
    pub fn of_part(head: &ArchiveHead, range: &RecordRange) -> Self {
        Self {
            first: Vec::new(),
            prior: head.prior.clone().into(),
            lines: LineChain::starting_at(range.start, range.line),
        }
    }

    /// Returns the lines in which the batches of the input begin.
    pub fn lines(&self) -> &LineChain {
        &self.lines
    }

    /// Returns the file prior. The first call computes it, which takes some milliseconds, while calls on other threads
    /// wait. All calls must pass the same options.
    pub fn prior(&self, options: &ReplayOptions) -> &FilePrior {
        self.prior.get_or_init(|| {
            if options.variant.is_some() {
                return FilePrior::default();
            }
            FilePrior::of(self.first.iter().flat_map(Batch::games).map(|game| game.raw()), options)
        })
    }

    /// Returns the line ends of the input, by its first one.
    pub fn line_end(&self) -> LineEnd {
        LineEnd::of(self.first.first().map_or(&[], Batch::bytes))
    }
}

/// Iterates over batches, each with the head of its input.
#[derive(Debug)]
pub struct BatchesWithHead {
    batches: Batches,
    head: Arc<InputHead>,
    /// Batches read but not yet handed out.
    ready: VecDeque<Batch>,
    /// The item read after those of `ready`.
    lookahead: Option<Result<Batch>>,
    /// The batches are a part of an input, whose head is known.
    is_part: bool,
}

impl BatchesWithHead {
    /// Creates an iterator over `batches`.
    pub fn new(batches: Batches) -> Self {
        Self { batches, head: Arc::default(), ready: VecDeque::new(), lookahead: None, is_part: false }
    }

    /// Creates an iterator over the batches of a part of an input, whose head is given.
    pub fn of_part(batches: Batches, head: InputHead) -> Self {
        Self { head: Arc::new(head), is_part: true, ..Self::new(batches) }
    }

    /// Collects the first records of the input that begins with `batch`.
    fn begin_input(&mut self, batch: Batch) {
        let (mut records, mut bytes) = (batch.len(), batch.bytes().len());
        let mut first = vec![batch];
        while records < FilePriorPoll::GAMES as usize && bytes < FilePriorPoll::BYTES {
            match self.batches.next() {
                Some(Ok(batch)) if !batch.begins_input() => {
                    records += batch.len();
                    bytes += batch.bytes().len();
                    first.push(batch);
                }
                other => {
                    self.lookahead = other;
                    break;
                }
            }
        }
        self.ready.extend(first.iter().cloned());
        self.head = Arc::new(InputHead { first, ..InputHead::default() });
    }
}

impl Iterator for BatchesWithHead {
    type Item = Result<(Batch, Arc<InputHead>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() {
            match self.lookahead.take().or_else(|| self.batches.next())? {
                Ok(batch) if batch.begins_input() && !self.is_part => self.begin_input(batch),
                Ok(batch) => self.ready.push_back(batch),
                Err(error) => return Some(Err(error)),
            }
        }
        let batch = self.ready.pop_front()?;
        Some(Ok((batch, Arc::clone(&self.head))))
    }
}

impl FusedIterator for BatchesWithHead {}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::archive::Archive;
    use pdn::rules::Variant;
    use pdn::source::OpenOptions;

    #[test]
    fn every_batch_has_the_prior_of_its_input() {
        let text = "1. 11-15 23-18 2. 8-11 27-23 *\n".repeat(400);
        for batch_bytes in [1, 1_000, 1 << 20] {
            let archive = Archive::from_reader(std::io::Cursor::new(text.clone()), "x", &OpenOptions::new());
            let batches = BatchesWithHead::new(archive.unwrap().batch_bytes(batch_bytes).batches());
            let mut games = 0;
            for item in batches {
                let (batch, head) = item.unwrap();
                games += batch.len();
                assert_eq!(head.prior(&ReplayOptions::default()).variant(), Some(Variant::English));
            }
            assert_eq!(games, 400, "{batch_bytes}");
        }
    }

    /// The prior polls up to 256 records; if each has many megabytes, they must not all be kept in memory.
    #[test]
    fn head_keeps_few_long_records() {
        let text = format!("1. 32-28 {} *\n", " ".repeat(1 << 20)).repeat(20);
        let archive = Archive::from_reader(std::io::Cursor::new(text), "x", &OpenOptions::new());
        let mut batches = BatchesWithHead::new(archive.unwrap().batches());
        let (_, head) = batches.next().unwrap().unwrap();
        assert!(head.first.len() <= 5, "{}", head.first.len());
        assert_eq!(batches.count(), 19);
    }
}
