//! What the first records of an input say about all of them: mostly, which variant they are of.
//!
//! An input is its file, or the entry of a zip. Its first records are gathered before any of its batches is handed out, so
//! that whoever works on a batch knows the same, on however many threads and in whatever pieces the input is read.

use std::collections::VecDeque;
use std::iter::FusedIterator;
use std::sync::{Arc, OnceLock};

use pdn::Result;
use pdn::archive::{Batch, Batches};
use pdn::replay::{FilePrior, FilePriorPoll, ReplayOptions};

/// The beginning of an input.
#[derive(Debug, Default)]
pub(crate) struct Head {
    first: Vec<Batch>,
    prior: OnceLock<FilePrior>,
}

impl Head {
    /// What the first records say. Whoever asks first works it out, some milliseconds; the others wait. All must ask
    /// with the same options.
    pub(crate) fn prior(&self, options: &ReplayOptions) -> &FilePrior {
        self.prior.get_or_init(|| {
            if options.variant.is_some() {
                return FilePrior::default();
            }
            FilePrior::of(self.first.iter().flat_map(Batch::games).map(|game| game.raw()), options)
        })
    }
}

/// Batches, each with the head of its input.
#[derive(Debug)]
pub(crate) struct Heads {
    batches: Batches,
    head: Arc<Head>,
    /// Gathered already, to be handed out.
    ready: VecDeque<Batch>,
    /// What came after them.
    after: Option<Result<Batch>>,
}

impl Heads {
    pub(crate) fn new(batches: Batches) -> Self {
        Self { batches, head: Arc::default(), ready: VecDeque::new(), after: None }
    }

    /// Gathers the first records of the input that begins with `batch`.
    fn begin(&mut self, batch: Batch) {
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
                    self.after = other;
                    break;
                }
            }
        }
        self.ready.extend(first.iter().cloned());
        self.head = Arc::new(Head { first, prior: OnceLock::new() });
    }
}

impl Iterator for Heads {
    type Item = Result<(Batch, Arc<Head>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() {
            match self.after.take().or_else(|| self.batches.next())? {
                Ok(batch) if batch.begins_input() => self.begin(batch),
                Ok(batch) => self.ready.push_back(batch),
                Err(error) => return Some(Err(error)),
            }
        }
        let batch = self.ready.pop_front()?;
        Some(Ok((batch, Arc::clone(&self.head))))
    }
}

impl FusedIterator for Heads {}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::archive::Archive;
    use pdn::rules::Variant;
    use pdn::source::OpenOptions;

    #[test]
    fn every_piece_of_an_input_knows_its_first_records() {
        let text = "1. 11-15 23-18 2. 8-11 27-23 *\n".repeat(400);
        for batch_bytes in [1, 1_000, 1 << 20] {
            let archive = Archive::from_reader(std::io::Cursor::new(text.clone()), "x", &OpenOptions::new());
            let heads = Heads::new(archive.unwrap().batch_bytes(batch_bytes).batches());
            let mut games = 0;
            for item in heads {
                let (batch, head) = item.unwrap();
                games += batch.len();
                assert_eq!(head.prior(&ReplayOptions::default()).variant(), Some(Variant::English));
            }
            assert_eq!(games, 400, "{batch_bytes}");
        }
    }

    /// Two hundred records of many megabytes would not fit into memory.
    #[test]
    fn long_records_are_not_gathered() {
        let text = format!("1. 32-28 {} *\n", " ".repeat(1 << 20)).repeat(20);
        let archive = Archive::from_reader(std::io::Cursor::new(text), "x", &OpenOptions::new());
        let mut heads = Heads::new(archive.unwrap().batches());
        let (_, head) = heads.next().unwrap().unwrap();
        assert!(head.first.len() <= 5, "{}", head.first.len());
        assert_eq!(heads.count(), 19);
    }
}
