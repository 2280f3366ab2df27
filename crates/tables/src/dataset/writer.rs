//! Writes a training set: joins equal positions in bounded memory, and spreads the positions over files.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use super::files::{ShardFile, Spool};
use super::join::{JoinedSpool, Joiner, LeafSpools};
use super::manifest::{DatasetManifest, DatasetSummary};
use super::options::{DatasetDedup, DatasetOptions};
use super::record::{RecordWriter, header_len};
use super::sample::StoredForm;
use super::select::{DatasetCounts, DatasetGames, PARTS, SPOOLS};
use pdn::error::{Error, Result};
use pdn::internal::pool;
use pdn::internal::storage::{Disk, Storage};
use pdn::rules::Variant;
use pdn_index::internal::query::Tables;

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
    /// The variant, once it is known.
    variant: Option<Variant>,
    counts: DatasetCounts,
    /// The samples that are to be joined, by part and hash; empty if equal positions are kept.
    spools: Vec<Spool>,
    shards: Vec<ShardFile>,
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
    /// If the folder has files, or cannot be created, or the options contradict each other.
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
        check(options, options.variant)?;
        let mut options = options.clone();
        options.shards = options.shards.clamp(1, DatasetOptions::MAX_SHARDS);
        let (variant, counts, shards) = (options.variant, DatasetCounts::default(), Vec::new());
        Ok(Self { storage, dir, options, variant, counts, spools: Vec::new(), shards })
    }

    /// Returns the variant, once a game of it was added or if it was asked for.
    pub fn variant(&self) -> Option<Variant> {
        self.variant
    }

    /// Adds games, which were chosen with the same options. They have to come in the same order each time.
    ///
    /// # Errors
    /// If a file cannot be written, or the format has no room for the board of the games.
    pub fn add(&mut self, games: &DatasetGames) -> Result<()> {
        self.counts += games.counts;
        for of_variant in &games.variants {
            if self.variant.is_none() {
                check(&self.options, Some(of_variant.variant))?;
                self.variant = Some(of_variant.variant);
            }
            if self.variant != Some(of_variant.variant) {
                self.counts.games_of_other_variants += of_variant.games;
                continue;
            }
            self.counts += of_variant.counts;
            if self.options.dedup() == DatasetDedup::None {
                self.create_shards()?;
                for (shard, file) in self.shards.iter_mut().zip(&of_variant.files) {
                    shard.append(file.count, &file.bytes)?;
                }
                continue;
            }
            if self.spools.is_empty() {
                let spool = |n: usize| Spool::new(self.dir.join(format!("join-{n:04}.tmp")));
                self.spools = (0..PARTS * SPOOLS).map(spool).collect();
            }
            for (spool, file) in self.spools.iter_mut().zip(&of_variant.files) {
                spool.append(&file.bytes)?;
            }
        }
        Ok(())
    }

    /// Creates all files, unless they are there.
    fn create_shards(&mut self) -> Result<()> {
        if !self.shards.is_empty() {
            return Ok(());
        }
        let DatasetOptions { shards, format, .. } = self.options;
        let (header, most) = (header_len(format), format.max_records());
        // Many files share the memory of some hundred.
        let buffer = (BUFFERS_BYTES / (PARTS * shards as usize)).min(MAX_BUFFER_BYTES);
        for part in NAMES {
            for n in 0..shards {
                let name = format!("{part}-{n:05}-of-{shards:05}.{}", format.extension());
                self.shards.push(ShardFile::create(&self.storage, &self.dir, &name, header, most, buffer)?);
            }
        }
        Ok(())
    }

    /// Joins equal positions on `threads` threads and completes the training set. The manifest is written last: a folder
    /// without it is incomplete.
    ///
    /// # Errors
    /// If a file cannot be written, or a table of endings cannot be read.
    pub fn finish(mut self, threads: NonZeroUsize) -> Result<DatasetSummary> {
        let writer = self.variant.map(|variant| RecordWriter::new(&self.options, variant));
        if let (Some(variant), Some(writer)) = (self.variant, &writer) {
            self.create_shards()?;
            self.join(variant, writer, threads)?;
        }
        self.options.tables.as_ref().map_or(Ok(()), Tables::check)?;
        let mut summary = DatasetSummary {
            variant: self.variant(),
            counts: self.counts,
            written: [0; 2],
            files: Vec::with_capacity(self.shards.len()),
        };
        for (n, shard) in std::mem::take(&mut self.shards).into_iter().enumerate() {
            summary.written[n / self.options.shards as usize] += shard.records;
            let header = writer.as_ref().and_then(|writer| writer.header(shard.records));
            summary.files.push(shard.finish(header.as_deref())?);
        }
        let record_len = writer.map_or(0, |writer| writer.record_len());
        let manifest = DatasetManifest::of(&self.options, &summary, record_len);
        let mut manifest = serde_json::to_vec_pretty(&manifest).map_err(std::io::Error::from)?;
        manifest.push(b'\n');
        // The names of the files are on disk before that of the manifest.
        let sync = || self.storage.sync_dir(&self.dir).map_err(|error| Error::from(error).at(&self.dir));
        sync()?;
        let mut file = ShardFile::create(&self.storage, &self.dir, "manifest.json", 0, u64::MAX, 0)?;
        file.append(1, &manifest)?;
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
        self.counts.positions_proven += joined.proven;
        let first = joined.part * self.options.shards as usize;
        for (shard, (records, bytes)) in self.shards[first..].iter_mut().zip(&joined.shards) {
            shard.append(*records, bytes)?;
        }
        Ok(())
    }
}

/// Returns what is wrong with the options as an error.
fn check(options: &DatasetOptions, variant: Option<Variant>) -> Result<()> {
    let invalid = |text| Error::from(std::io::Error::new(std::io::ErrorKind::InvalidInput, text));
    options.conflict(variant).map_or(Ok(()), |conflict| Err(invalid(conflict.message)))
}

#[cfg(test)]
mod tests {
    use super::super::options::DatasetFormat;
    use super::super::select::{FileSamples, VariantGames};
    use super::*;
    use pdn::internal::storage::power_cut::PowerCutDisk;

    #[test]
    fn power_cut_leaves_a_whole_training_set_or_one_without_manifest() {
        let folder = tempfile::tempdir().unwrap();
        let dir = std::fs::canonicalize(folder.path()).unwrap();
        let disk = PowerCutDisk::new(&dir);
        let mut options = DatasetOptions::new();
        (options.format, options.dedup, options.shards) = (DatasetFormat::Bin, Some(DatasetDedup::None), 2);
        let mut writer = DatasetWriter::create_on(Arc::new(disk.clone()), dir.clone(), &options).unwrap();
        let counts = DatasetCounts::default();
        let files = vec![FileSamples { count: 5, bytes: vec![0; 5 * 48] }; 2 * PARTS];
        let variants = vec![VariantGames { variant: Variant::International, games: 1, counts, files }];
        writer.add(&DatasetGames { counts, variants }).unwrap();
        let summary = writer.finish(NonZeroUsize::MIN).unwrap();
        assert_eq!(summary.written.iter().sum::<u64>(), 20);
        let is_whole = |files: &pdn::internal::storage::power_cut::FilesAfterCut| {
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
