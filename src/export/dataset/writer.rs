//! Writes a training set: joins equal positions in bounded memory, and spreads the positions over files.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use super::files::{ShardFile, Spool};
use super::join::{JoinedSpool, Joiner, LeafSpools, SHARD_SEED};
use super::manifest;
use super::options::{DatasetFormat, DatasetOptions};
use super::record::{JoinedSamples, NPY_HEADER, RecordWriter};
use super::sample::{Sample, StoredForm};
use super::select::{DatasetCounts, DatasetGames, PARTS, SPOOLS, part};
use super::summary::DatasetSummary;
use crate::error::{Error, Result};
use crate::pool;
use crate::position::split_mix;
use crate::rules::Variant;
use crate::storage::{Disk, Storage};

/// Memory for the buffers of all files together, and at most for one, in bytes.
const BUFFERS_BYTES: usize = 32 << 20;
const MAX_BUFFER_BYTES: usize = 128 << 10;

/// The names of the parts.
const NAMES: [&str; PARTS] = ["train", "valid"];

/// Writes a training set into a folder.
///
/// The bytes depend on the games, their order and the options only. Memory does not depend on the number of positions: they
/// are spread over temporary files in the folder before equal ones are joined.
pub struct DatasetWriter {
    storage: Arc<dyn Storage>,
    dir: PathBuf,
    options: DatasetOptions,
    /// The variant and what is written for it, once it is known.
    variant: Option<(Variant, Arc<RecordWriter>)>,
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
        let variant =
            options.variant.map(|variant| (variant, Arc::new(RecordWriter::new(options.format, variant))));
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
            // Empty if equal positions are joined.
            let samples = games.samples.get(start..game.end).unwrap_or_default();
            start = game.end;
            let format = self.options.format;
            let (variant, writer) = self
                .variant
                .get_or_insert_with(|| (game.variant, Arc::new(RecordWriter::new(format, game.variant))));
            if *variant != game.variant {
                self.counts.games_of_other_variants += 1;
                continue;
            }
            let writer = Arc::clone(writer);
            self.counts += game.counts;
            let part = part(&self.options, game.hash);
            for sample in samples {
                self.push(part, sample, &writer)?;
            }
        }
        let variant = self.variant();
        for spread in games.spread.iter().filter(|spread| Some(spread.variant) == variant) {
            if self.spools.is_empty() {
                let spool = |n: usize| Spool::new(self.dir.join(format!("join-{n:04}.tmp")));
                self.spools = (0..PARTS * SPOOLS).map(spool).collect();
            }
            self.spools.iter_mut().zip(spread.files()).try_for_each(|(spool, bytes)| spool.append(bytes))?;
        }
        Ok(())
    }

    /// Adds a sample to a file that a random number chooses.
    fn push(&mut self, part: usize, sample: &Sample, writer: &RecordWriter) -> Result<()> {
        self.samples += 1;
        let mut joined = JoinedSamples::default();
        joined.add(sample);
        self.create_shards()?;
        let shards = self.options.shards as usize;
        let shard = split_mix(self.options.seed ^ SHARD_SEED, self.samples) % shards as u64;
        self.shards[part * shards + shard as usize].push(|out| writer.write(sample, &joined, out))
    }

    /// Creates all files, unless they are there.
    fn create_shards(&mut self) -> Result<()> {
        if !self.shards.is_empty() {
            return Ok(());
        }
        let DatasetOptions { shards, format, .. } = self.options;
        let header = if format == DatasetFormat::Npy { NPY_HEADER } else { 0 };
        // Many files share the memory of some hundred.
        let buffer = (BUFFERS_BYTES / (PARTS * shards as usize)).min(MAX_BUFFER_BYTES);
        for part in NAMES {
            for n in 0..shards {
                let name = format!("{part}-{n:05}-of-{shards:05}.{}", format.extension());
                self.shards.push(ShardFile::create(&self.storage, &self.dir, &name, header, buffer)?);
            }
        }
        Ok(())
    }

    /// Joins equal positions on `threads` threads and completes the training set. The manifest is written last: a folder
    /// without it is incomplete.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(mut self, threads: NonZeroUsize) -> Result<DatasetSummary> {
        let variant = self.variant.clone();
        let writer = variant.as_ref().map(|(_, writer)| Arc::clone(writer));
        if let Some((variant, writer)) = variant {
            self.create_shards()?;
            self.join(variant, &writer, threads)?;
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

    /// Joins the equal positions of all spools and writes them, in an order that depends on the positions alone.
    fn join(&mut self, variant: Variant, writer: &RecordWriter, threads: NonZeroUsize) -> Result<()> {
        let form = StoredForm::of(variant);
        let spools = LeafSpools::new(self.dir.clone(), std::mem::take(&mut self.spools), form);
        let options = self.options.clone();
        let mut written = Ok(());
        let joined = pool::try_ordered(
            spools,
            threads,
            || Joiner::new(form, &options, writer),
            |joiner, leaf: Result<(usize, Spool)>| leaf.and_then(|(part, spool)| joiner.join(part, spool)),
            |joined| {
                written = self.add_joined(&joined);
                if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        joined.and(written)
    }

    /// Adds the joined positions of a spool to the files.
    fn add_joined(&mut self, joined: &JoinedSpool) -> Result<()> {
        self.counts.positions_repeated += joined.repeated;
        let first = joined.part * self.options.shards as usize;
        for (shard, (records, bytes)) in self.shards[first..].iter_mut().zip(&joined.shards) {
            shard.append(*records, bytes)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::DatasetDedup;
    use super::super::sample::NO_EVAL;
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
        let boards = [1 << 30, 0, 1 << 10, 0];
        let samples = vec![Sample { boards, black_to_move: false, halves: 1, eval: NO_EVAL, ply: 0 }; 20];
        let counts = DatasetCounts::default();
        let game = DatasetGame { variant: Variant::International, hash: 1, end: samples.len(), counts };
        writer.add(&DatasetGames { counts, games: vec![game], samples, spread: Vec::new() }).unwrap();
        let summary = writer.finish(NonZeroUsize::MIN).unwrap();
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
