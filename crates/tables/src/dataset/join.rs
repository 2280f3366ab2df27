//! Joins equal positions, a part of all samples at a time.

use std::path::PathBuf;

use super::files::Spool;
use super::options::{DatasetDedup, DatasetOptions};
use super::record::{JoinedSamples, RecordWriter};
use super::sample::{Sample, StoredForm};
use super::select::{self, SHARD_SEED, SPOOLS};
use pdn::error::Result;
use pdn::internal::sort;
use pdn_rules::internal::position::split_mix;

/// Number of samples that are joined in memory; up to 140 bytes each, and as many for their records.
const MAX_JOINED: u64 = 1 << 19;
/// Maximum number of times that samples are spread. Equal positions always stay together, so spreading must end somewhere.
const MAX_SPREADS: u32 = 4;
/// Number of samples that are read at a time to be spread.
const READ_SAMPLES: usize = 1 << 14;

/// Iterates over spools that are small enough to be joined, with their parts. Larger ones are spread over new ones.
pub(super) struct LeafSpools {
    dir: PathBuf,
    /// Part, spool, and how often its samples were spread; the next one last.
    spools: Vec<(usize, Spool, u32)>,
    form: StoredForm,
    /// The number of spools that were created here.
    created: usize,
}

impl LeafSpools {
    /// Creates the iterator over the spools of all parts, whose samples are stored in a form.
    pub(super) fn new(dir: PathBuf, spools: Vec<Spool>, form: StoredForm) -> Self {
        let parts = spools.into_iter().enumerate().map(|(n, spool)| (n / SPOOLS, spool, 1));
        Self { dir, spools: parts.rev().collect(), form, created: 0 }
    }

    /// Spreads the samples of a spool over new ones by other bits of their hashes.
    fn spread(&mut self, part: usize, spool: Spool, spreads: u32) -> Result<()> {
        let names = self.created..self.created + SPOOLS;
        self.created = names.end;
        let mut inner: Vec<Spool> =
            names.map(|n| Spool::new(self.dir.join(format!("join-more-{n:06}.tmp")))).collect();
        let (form, len) = (self.form, self.form.len());
        spool.drain(len * READ_SAMPLES, |bytes| {
            for bytes in bytes.chunks_exact(len) {
                let Some(sample) = form.load(bytes) else { continue };
                inner[select::spool(&sample, spreads)].append(bytes)?;
            }
            Ok(())
        })?;
        self.spools.extend(inner.into_iter().rev().map(|spool| (part, spool, spreads + 1)));
        Ok(())
    }
}

impl Iterator for LeafSpools {
    type Item = Result<(usize, Spool)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (part, spool, spreads) = self.spools.pop()?;
            if spool.len / self.form.len() as u64 <= MAX_JOINED || spreads >= MAX_SPREADS {
                return Some(Ok((part, spool)));
            }
            if let Err(error) = self.spread(part, spool, spreads) {
                self.spools.clear();
                return Some(Err(error));
            }
        }
    }
}

/// The joined positions of a spool as records, in an order that depends on the positions alone.
pub(super) struct JoinedSpool {
    pub(super) part: usize,
    /// Number of samples that were joined with others.
    pub(super) repeated: u64,
    /// Number of records whose value tables of endings prove.
    pub(super) proven: u64,
    /// The number of records and their bytes for each file of the part.
    pub(super) shards: Vec<(u64, Vec<u8>)>,
}

/// Joins spools one after the other, in reused memory.
pub(super) struct Joiner<'a> {
    form: StoredForm,
    options: &'a DatasetOptions,
    writer: &'a RecordWriter,
    /// The samples of a spool, and the same in order of the first byte of their hashes.
    read: Vec<u8>,
    grouped: Vec<u8>,
    /// The hash of each sample of the spool.
    hashes: Vec<u64>,
    /// The hash of each sample and its number in `grouped`.
    order: Vec<u128>,
}

impl<'a> Joiner<'a> {
    /// Creates working memory for samples that are stored in a form.
    pub(super) fn new(form: StoredForm, options: &'a DatasetOptions, writer: &'a RecordWriter) -> Self {
        let (read, grouped, hashes, order) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { form, options, writer, read, grouped, hashes, order }
    }

    /// Joins the samples of a spool of a part.
    ///
    /// # Errors
    /// Fails if the spool cannot be read.
    pub(super) fn join(&mut self, part: usize, spool: Spool) -> Result<JoinedSpool> {
        spool.read_into(&mut self.read)?;
        self.sort();
        let (form, len) = (self.form, self.form.len());
        let sample = |entry: u128| form.load(self.grouped.get(entry as u64 as usize * len..)?.get(..len)?);
        let mut joined = JoinedSpool {
            part,
            repeated: 0,
            proven: 0,
            shards: vec![(0, Vec::new()); self.options.shards as usize],
        };
        let mut same_hash: Vec<Sample> = Vec::new();
        for run in self.order.chunk_by(|one, other| one >> 64 == other >> 64) {
            let hash = (run[0] >> 64) as u64;
            same_hash.clear();
            same_hash.extend(run.iter().filter_map(|&entry| sample(entry)));
            if !same_hash.iter().all(|sample| sample.is_position_of(&same_hash[0])) {
                // Stable, so that equal positions keep their order.
                sort::by_key(&mut same_hash, |sample| (sample.sets, sample.black_to_move));
            }
            for samples in same_hash.chunk_by(Sample::is_position_of) {
                joined.add(hash, samples, self.options, self.writer);
            }
        }
        Ok(joined)
    }

    /// Sorts the samples by hash. Equal positions have equal hashes, so they follow each other, in the order of their games.
    ///
    /// They are grouped by the first byte of their hashes first: what is sorted and read together then fits in a cache.
    fn sort(&mut self) {
        let (form, len) = (self.form, self.form.len());
        let samples = || self.read.chunks_exact(len);
        self.hashes.clear();
        let hash = |bytes| form.load(bytes).map_or(0, |sample| split_mix(self.options.seed, sample.key()));
        self.hashes.extend(samples().map(hash));
        // The place of the next sample of each group now, and its end when all are placed.
        let mut places = [0; 256];
        self.hashes.iter().for_each(|hash| places[(hash >> 56) as usize] += 1);
        let mut total = 0;
        for place in &mut places {
            total += std::mem::replace(place, total);
        }
        self.grouped.resize(self.grouped.len().max(total * len), 0);
        self.order.clear();
        self.order.resize(total, 0);
        for (&hash, bytes) in self.hashes.iter().zip(samples()) {
            let place = &mut places[(hash >> 56) as usize];
            self.order[*place] = u128::from(hash) << 64 | *place as u128;
            self.grouped[*place * len..(*place + 1) * len].copy_from_slice(bytes);
            *place += 1;
        }
        let mut start = 0;
        for end in places {
            self.order[start..end].sort_unstable();
            start = end;
        }
    }
}

impl JoinedSpool {
    /// Adds a position of which there are these samples.
    fn add(&mut self, hash: u64, samples: &[Sample], options: &DatasetOptions, writer: &RecordWriter) {
        // Of equal positions the first one counts, or all of them.
        let counted = if options.dedup() == DatasetDedup::Mean { samples } else { &samples[..1] };
        let mut sums = JoinedSamples::default();
        counted.iter().for_each(|sample| sums.add(sample));
        self.repeated += samples.len() as u64 - 1;
        let shard = split_mix(SHARD_SEED, hash) % self.shards.len() as u64;
        let (records, bytes) = &mut self.shards[shard as usize];
        *records += 1;
        self.proven += u64::from(writer.write(&samples[0], &sums, bytes));
    }
}
