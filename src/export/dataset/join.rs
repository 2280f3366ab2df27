//! Joins equal positions, a part of all samples at a time.

use std::path::PathBuf;

use super::files::Spool;
use super::options::{DatasetDedup, DatasetOptions};
use super::record::{JoinedSamples, RecordWriter};
use super::sample::Sample;
use super::select::{JOIN_SEED, SPOOLS};
use crate::error::Result;
use crate::position::split_mix;

/// Number of samples that are joined in memory; about 60 bytes each, and as many for their records.
const MAX_JOINED: u64 = 1 << 19;
/// How often samples are spread. Equal positions are never spread, so that it has to end.
const MAX_SPREADS: u32 = 4;
/// Distinguishes the hashes for files.
pub(super) const SHARD_SEED: u64 = 2;
/// Number of samples that are read at a time to be spread.
const READ_SAMPLES: usize = 1 << 14;

/// Iterates over spools that are small enough to be joined, with their parts. Larger ones are spread over new ones.
pub(super) struct LeafSpools {
    dir: PathBuf,
    /// Part, spool, and how often its samples were spread; the next one last.
    spools: Vec<(usize, Spool, u32)>,
    /// The length of a stored sample in bytes.
    len: usize,
    /// The number of spools that were created here.
    created: usize,
}

impl LeafSpools {
    /// Creates the iterator over the spools of all parts. `len` is the length of a stored sample in bytes.
    pub(super) fn new(dir: PathBuf, spools: Vec<Spool>, len: usize) -> Self {
        let parts = spools.into_iter().enumerate().map(|(n, spool)| (n / SPOOLS, spool, 1));
        Self { dir, spools: parts.rev().collect(), len, created: 0 }
    }

    /// Spreads the samples of a spool over new ones by other bits of their hashes.
    fn spread(&mut self, part: usize, spool: Spool, spreads: u32) -> Result<()> {
        let names = self.created..self.created + SPOOLS;
        self.created = names.end;
        let mut inner: Vec<Spool> =
            names.map(|n| Spool::new(self.dir.join(format!("join-more-{n:06}.tmp")))).collect();
        spool.drain(self.len * READ_SAMPLES, |bytes| {
            for bytes in bytes.chunks_exact(self.len) {
                let Some(sample) = Sample::load(bytes) else { continue };
                let place = (sample.hash(JOIN_SEED) >> (8 * spreads)) as usize % SPOOLS;
                inner[place].append(bytes)?;
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
            if spool.len / self.len as u64 <= MAX_JOINED || spreads >= MAX_SPREADS {
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
    /// The number of records and their bytes for each file of the part.
    pub(super) shards: Vec<(u64, Vec<u8>)>,
}

impl JoinedSpool {
    /// Joins the samples of a spool. `len` is the length of a stored sample in bytes.
    pub(super) fn of(
        (part, spool): (usize, Spool),
        len: usize,
        options: &DatasetOptions,
        writer: &RecordWriter,
    ) -> Result<Self> {
        let bytes = spool.into_bytes()?;
        let sample = |n: usize| Sample::load(bytes.get(n * len..(n + 1) * len)?);
        // Hash and number. Equal positions have equal hashes, so they follow each other, in the order of their games.
        let mut order: Vec<u128> = bytes
            .chunks_exact(len)
            .enumerate()
            .filter_map(|(n, bytes)| {
                Some(u128::from(Sample::load(bytes)?.hash(options.seed)) << 64 | n as u128)
            })
            .collect();
        order.sort_unstable();
        let mut joined = Self { part, repeated: 0, shards: vec![(0, Vec::new()); options.shards as usize] };
        let mut same_hash: Vec<Sample> = Vec::new();
        for run in order.chunk_by(|one, other| one >> 64 == other >> 64) {
            let hash = (run[0] >> 64) as u64;
            same_hash.clear();
            same_hash.extend(run.iter().filter_map(|&entry| sample(entry as u64 as usize)));
            if !same_hash.iter().all(|sample| sample.is_position_of(&same_hash[0])) {
                // Stable, so that equal positions keep their order.
                same_hash.sort_by_key(|sample| (sample.boards, sample.black_to_move));
            }
            for samples in same_hash.chunk_by(Sample::is_position_of) {
                joined.add(hash, samples, options, writer);
            }
        }
        Ok(joined)
    }

    /// Adds a position of which there are these samples.
    fn add(&mut self, hash: u64, samples: &[Sample], options: &DatasetOptions, writer: &RecordWriter) {
        // Of equal positions the first one counts, or all of them.
        let counted = if options.dedup == DatasetDedup::Mean { samples } else { &samples[..1] };
        let mut sums = JoinedSamples::default();
        counted.iter().for_each(|sample| sums.add(sample));
        self.repeated += samples.len() as u64 - 1;
        let shard = split_mix(SHARD_SEED, hash) % self.shards.len() as u64;
        let (records, bytes) = &mut self.shards[shard as usize];
        *records += 1;
        writer.write(&samples[0], &sums, bytes);
    }
}
