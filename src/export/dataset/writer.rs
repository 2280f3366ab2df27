//! Writes a training set: joins equal positions in bounded memory, and spreads the positions over files.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use foldhash::fast::FixedState;

use super::files::{ShardFile, Spool};
use super::manifest;
use super::options::{DatasetDedup, DatasetFormat, DatasetOptions};
use super::record::{JoinedSamples, NPY_HEADER, RecordWriter};
use super::sample::Sample;
use super::select::{DatasetCounts, DatasetGames};
use super::summary::DatasetSummary;
use crate::error::{Error, Result};
use crate::position::split_mix;
use crate::rules::Variant;
use crate::storage::{Disk, Storage};

/// Temporary files that samples are spread over by the hash of their position, and again if one has too many.
const SPOOLS: usize = 64;
/// Number of samples that are joined in memory; about 250 bytes each.
const MAX_JOINED: u64 = 1 << 19;
/// Memory for the buffers of all files together, and at most for one, in bytes.
const BUFFERS_BYTES: usize = 32 << 20;
const MAX_BUFFER_BYTES: usize = 128 << 10;
/// How often samples are spread. Equal positions are never spread, so that it has to end.
const MAX_SPREADS: u32 = 4;
/// Distinguishes the hashes for joining, for files and for parts.
const JOIN_SEED: u64 = 1;
const SHARD_SEED: u64 = 2;
const SPLIT_SEED: u64 = 3;

/// The names of the parts.
const PARTS: [&str; 2] = ["train", "valid"];

/// Writes a training set into a folder.
///
/// The bytes depend on the games, their order and the options only. Memory does not depend on the number of positions: they
/// are spread over temporary files in the folder before equal ones are joined.
pub struct DatasetWriter {
    storage: Arc<dyn Storage>,
    dir: PathBuf,
    options: DatasetOptions,
    /// The variant and what is written for it, once it is known.
    variant: Option<(Variant, RecordWriter)>,
    counts: DatasetCounts,
    /// The samples that are to be joined, by part and hash; empty if equal positions are kept.
    spools: Vec<Spool>,
    shards: Vec<ShardFile>,
    /// Number of samples so far.
    samples: u64,
}

impl std::fmt::Debug for DatasetWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DatasetWriter")
            .field("dir", &self.dir)
            .field("counts", &self.counts)
            .finish_non_exhaustive()
    }
}

impl DatasetWriter {
    /// Creates a training set in a folder, which must be empty or not exist.
    ///
    /// # Errors
    /// If the folder has files, or cannot be created.
    pub fn create(dir: impl Into<PathBuf>, options: &DatasetOptions) -> Result<Self> {
        Self::create_on(Arc::new(Disk), dir.into(), options)
    }

    fn create_on(storage: Arc<dyn Storage>, dir: PathBuf, options: &DatasetOptions) -> Result<Self> {
        let at = |error: std::io::Error| Error::from(error).at(&dir);
        std::fs::create_dir_all(&dir).map_err(at)?;
        if std::fs::read_dir(&dir).map_err(at)?.next().is_some() {
            return Err(at(std::io::Error::new(
                std::io::ErrorKind::AlreadyExists,
                "the folder is not empty",
            )));
        }
        let mut options = options.clone();
        options.shards = options.shards.clamp(1, DatasetOptions::MAX_SHARDS);
        let variant = options.variant.map(|variant| (variant, RecordWriter::new(options.format, variant)));
        let (counts, shards) = (DatasetCounts::default(), Vec::new());
        Ok(Self { storage, dir, options, variant, counts, spools: Vec::new(), shards, samples: 0 })
    }

    /// Returns the variant, once a game of it was added or if it was asked for.
    pub fn variant(&self) -> Option<Variant> {
        self.variant.as_ref().map(|(variant, _)| *variant)
    }

    /// Adds games. They have to come in the same order each time.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, games: &DatasetGames) -> Result<()> {
        self.counts += games.counts;
        let mut start = 0;
        for game in &games.games {
            let samples = &games.samples[start..game.end];
            start = game.end;
            let format = self.options.format;
            let (variant, writer) =
                self.variant.get_or_insert_with(|| (game.variant, RecordWriter::new(format, game.variant)));
            if *variant != game.variant {
                self.counts.games_of_other_variants += 1;
                continue;
            }
            let writer = writer.clone();
            self.counts += game.counts;
            let part = self.part(game.hash);
            for sample in samples {
                self.push(part, sample, &writer)?;
            }
        }
        Ok(())
    }

    /// Returns the part that a game belongs to: 0 for training, 1 for validation.
    fn part(&self, hash: u64) -> usize {
        let random = (split_mix(self.options.seed ^ SPLIT_SEED, hash) >> 11) as f64 / (1u64 << 53) as f64;
        usize::from(random >= self.options.split)
    }

    /// Adds a sample to a file, or keeps it to be joined.
    fn push(&mut self, part: usize, sample: &Sample, writer: &RecordWriter) -> Result<()> {
        self.samples += 1;
        if self.options.dedup == DatasetDedup::None {
            let mut joined = JoinedSamples::default();
            joined.add(sample);
            let random = split_mix(self.options.seed ^ SHARD_SEED, self.samples);
            return self.write(part, random, sample, &joined, writer);
        }
        if self.spools.is_empty() {
            let spool = |n: usize| Spool::new(self.dir.join(format!("join-{n:04}.tmp")));
            self.spools = (0..PARTS.len() * SPOOLS).map(spool).collect();
        }
        let spool = part * SPOOLS + sample.hash(JOIN_SEED) as usize % SPOOLS;
        self.spools[spool].push(|out| sample.store(writer.is_wide(), out))
    }

    /// Writes a record to the file that a random number chooses.
    fn write(
        &mut self,
        part: usize,
        random: u64,
        sample: &Sample,
        joined: &JoinedSamples,
        writer: &RecordWriter,
    ) -> Result<()> {
        self.create_shards()?;
        let shards = self.options.shards as usize;
        self.shards[part * shards + (random % shards as u64) as usize]
            .push(|out| writer.write(sample, joined, out))
    }

    /// Creates all files, unless they are there.
    fn create_shards(&mut self) -> Result<()> {
        if !self.shards.is_empty() {
            return Ok(());
        }
        let DatasetOptions { shards, format, .. } = self.options;
        let header = if format == DatasetFormat::Npy { NPY_HEADER } else { 0 };
        // Many files share the memory of some hundred.
        let buffer = (BUFFERS_BYTES / (PARTS.len() * shards as usize)).min(MAX_BUFFER_BYTES);
        for part in PARTS {
            for n in 0..shards {
                let name = format!("{part}-{n:05}-of-{shards:05}.{}", format.extension());
                self.shards.push(ShardFile::create(&self.storage, &self.dir, &name, header, buffer)?);
            }
        }
        Ok(())
    }

    /// Completes the training set. The manifest is written last: a folder without it is incomplete.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(mut self) -> Result<DatasetSummary> {
        let writer = self.variant.as_ref().map(|(_, writer)| writer.clone());
        if let Some(writer) = &writer {
            let spools = std::mem::take(&mut self.spools);
            for (n, spool) in spools.into_iter().enumerate() {
                self.join(n / SPOOLS, spool, 1, writer)?;
            }
            self.create_shards()?;
        }
        let mut summary = DatasetSummary {
            variant: self.variant(),
            counts: self.counts,
            written: [0; 2],
            files: Vec::with_capacity(self.shards.len()),
        };
        for (n, shard) in std::mem::take(&mut self.shards).into_iter().enumerate() {
            summary.written[n / self.options.shards as usize] += shard.records;
            let header = match (&writer, self.options.format) {
                (Some(writer), DatasetFormat::Npy) => Some(writer.npy_header(shard.records)),
                _ => None,
            };
            summary.files.push(shard.finish(header.as_deref())?);
        }
        let record_len = writer.map_or(0, |writer| writer.record_len());
        // The names of the files are on disk before that of the manifest.
        let sync = || self.storage.sync_dir(&self.dir).map_err(|error| Error::from(error).at(&self.dir));
        sync()?;
        let mut file = ShardFile::create(&self.storage, &self.dir, "manifest.json", 0, 0)?;
        file.push(|out| out.extend(manifest::text(&self.options, &summary, record_len).bytes()))?;
        file.finish(None)?;
        sync()?;
        Ok(summary)
    }

    /// Joins the equal positions of a spool and writes them, in an order that depends on the positions alone.
    fn join(&mut self, part: usize, spool: Spool, spreads: u32, writer: &RecordWriter) -> Result<()> {
        let len = Sample::LENGTHS[usize::from(writer.is_wide())];
        let wide = writer.is_wide();
        if spool.len / len as u64 > MAX_JOINED && spreads < MAX_SPREADS {
            let name = |n: usize| Spool::new(self.dir.join(format!("join-{spreads}-{n:04}.tmp")));
            let mut inner: Vec<Spool> = (0..SPOOLS).map(name).collect();
            spool.drain(len, |bytes| {
                let Some(sample) = Sample::load(bytes, wide) else { return Ok(()) };
                let place = (sample.hash(JOIN_SEED) >> (8 * spreads)) as usize % SPOOLS;
                inner[place].push(|out| out.extend_from_slice(bytes))
            })?;
            return inner.into_iter().try_for_each(|spool| self.join(part, spool, spreads + 1, writer));
        }
        let mut joined: HashMap<([u128; 4], bool), JoinedSamples, FixedState> = HashMap::default();
        let mean = self.options.dedup == DatasetDedup::Mean;
        let mut samples = 0;
        spool.drain(len, |bytes| {
            let Some(sample) = Sample::load(bytes, wide) else { return Ok(()) };
            let sums = joined.entry((sample.boards, sample.black_to_move)).or_default();
            // Of equal positions the first one counts, or all of them.
            if sums.count == 0 || mean {
                sums.add(&sample);
            }
            samples += 1;
            Ok(())
        })?;
        self.counts.positions_repeated += samples - joined.len() as u64;
        let position =
            |&(boards, black_to_move): &([u128; 4], bool)| Sample { boards, black_to_move, ..Sample::EMPTY };
        let mut order: Vec<(u64, Sample, JoinedSamples)> = Vec::with_capacity(joined.len());
        order.extend(
            joined.iter().map(|(key, sums)| (position(key).hash(self.options.seed), position(key), *sums)),
        );
        drop(joined);
        order.sort_unstable_by_key(|(hash, sample, _)| (*hash, sample.boards, sample.black_to_move));
        for (hash, sample, sums) in order {
            self.write(part, split_mix(SHARD_SEED, hash), &sample, &sums, writer)?;
        }
        Ok(())
    }
}

/// Removes the temporary files of a training set that was not completed.
impl Drop for DatasetWriter {
    fn drop(&mut self) {
        for shard in self.shards.drain(..) {
            shard.discard();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::select::DatasetGame;
    use super::*;
    use crate::storage::power_cut::PowerCutDisk;

    #[test]
    fn power_cut_leaves_a_whole_training_set_or_one_without_manifest() {
        let folder = tempfile::tempdir().unwrap();
        let dir = std::fs::canonicalize(folder.path()).unwrap();
        let disk = PowerCutDisk::new(&dir);
        let mut options = DatasetOptions::new();
        (options.format, options.dedup, options.shards) = (DatasetFormat::Bin, DatasetDedup::None, 2);
        let mut writer = DatasetWriter::create_on(Arc::new(disk.clone()), dir.clone(), &options).unwrap();
        let samples = vec![Sample { boards: [1 << 30, 0, 1 << 10, 0], ..Sample::EMPTY }; 20];
        let counts = DatasetCounts::default();
        let game = DatasetGame { variant: Variant::International, hash: 1, end: samples.len(), counts };
        writer.add(&DatasetGames { counts, games: vec![game], samples }).unwrap();
        let summary = writer.finish().unwrap();
        assert_eq!(summary.written.iter().sum::<u64>(), 20);
        let is_whole = |files: &crate::storage::power_cut::FilesAfterCut| {
            let manifest = files.get(&dir.join("manifest.json"));
            if let Some(manifest) = manifest {
                assert!(manifest.ends_with(b"}\n"), "{}", manifest.escape_ascii());
                for file in &summary.files {
                    let len = files.get(&dir.join(&file.name)).map(|bytes| bytes.len() as u64);
                    assert_eq!(len, Some(file.bytes), "{}", file.name);
                }
            }
            manifest.is_some()
        };
        let states: Vec<bool> = disk.after_any_cut().iter().map(is_whole).collect();
        assert!(states.contains(&true) && states.contains(&false), "{states:?}");
        assert!(disk.after_cut_now().iter().all(is_whole), "a finished training set is there to stay");
    }
}
