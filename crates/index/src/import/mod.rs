//! Imports archives into an index: replays every game of every file on all cores.
//!
//! Every record becomes a row, whatever is wrong with it. A record that could not be replayed to its end is also
//! listed in `rejects.jsonl`. A file that cannot be read is an [`ImportFailure`] and does not affect others.
//!
//! Cost: that of replaying, plus a few hundred nanoseconds per game. Memory does not depend on the size of the
//! archives.

mod options;
mod feed;
mod token_places;
mod pack_sink;
mod lines;
mod collector;
mod reject_line;
mod worker;

pub use self::options::{
    CarriedInput, ImportFailure, ImportOptions, ImportProgress, ImportSummary, KeyTables, ShrunkFile,
};

use std::collections::HashMap;
use std::io;
use std::ops::{ControlFlow, Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

pub use self::feed::OpenedFile;
use self::feed::{FailedInput, Feed, FeedInputs, GamesJob, InputEvent, Job};
use self::reject_line::BeforeBatch;
pub use self::reject_line::RejectLine;
use self::worker::{JobResult, ReplayedGames, RowPool, Worker};
use super::format::section::read_chunks;
use super::key_build::{KeyTableOptions, KeyTablesBuilt, build_key_tables};
use super::open::Index;
use super::writer::IndexWriter;
use pdn::archive::Archive;
use pdn::error::{Error, ErrorKind, Result};
use pdn::internal::pool;
use pdn::internal::source::{Carrier, LineCounter, TextOffsets, count_line_ends};
use pdn::internal::storage::{MemoryDisk, WorkFolder};
use pdn::source::{self, Encoding};

/// Imports the games of files and folders into the index in `dir`: a new one, or the present one with
/// [`ImportOptions::append`]. Replays every game.
///
/// The [module page](crate) has an example, and so have [`ImportOptions`] and [`ImportSummary`].
///
/// # Errors
/// Fails if the index cannot be read or written, and with [`ErrorKind::NoGames`] if it has games and no game was read that could take
/// their place; it then stays as it was. Files that cannot be read do not fail the import; they are listed in
/// [`ImportSummary::failures`].
pub fn import<P: Into<PathBuf>>(
    paths: impl IntoIterator<Item = P>,
    dir: impl Into<PathBuf>,
    options: &ImportOptions,
) -> Result<ImportSummary> {
    import_with(paths, dir, options, |_| ControlFlow::Continue(()))
}

/// Imports games as [`import`] does and reports progress.
///
/// `progress` is called once per batch, about every half megabyte of text. If it breaks off, the old index stays. While key tables
/// are built, [`ImportProgress::key_tables`] is set; if it breaks off then, the games are in the index, and
/// [`ImportSummary::key_tables`] has the error.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let (archive, path) = (folder.path().join("games.pdn"), folder.path().join("games.idx"));
/// # std::fs::write(&archive, "1. 32-28 19-23 1-1\n")?;
/// use pdn_index::{ImportOptions, import_with};
/// use std::ops::ControlFlow;
///
/// let mut lines = Vec::new();
/// import_with([&archive], &path, &ImportOptions::new(), |progress| {
///     let percent = progress.total.map_or(0, |total| progress.read * 100 / total.max(1));
///     lines.push(format!("{percent} % read, {} games", progress.games));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(lines.last().unwrap(), "100 % read, 1 games");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails as [`import`] does, and with [`io::ErrorKind::Interrupted`] if `progress` breaks off.
pub fn import_with<P: Into<PathBuf>>(
    paths: impl IntoIterator<Item = P>,
    dir: impl Into<PathBuf>,
    options: &ImportOptions,
    progress: impl FnMut(&ImportProgress<'_>) -> ControlFlow<()>,
) -> Result<ImportSummary> {
    let paths: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
    import_opened(paths, None, dir, options, progress)
}

/// Imports games as [`import_with`] does. One of the files may be open already, and is not opened again.
///
/// # Errors
/// Fails as [`import_with`] does.
pub fn import_opened(
    paths: Vec<PathBuf>,
    opened: Option<OpenedFile>,
    dir: impl Into<PathBuf>,
    options: &ImportOptions,
    progress: impl FnMut(&ImportProgress<'_>) -> ControlFlow<()>,
) -> Result<ImportSummary> {
    let inputs = FeedInputs::Paths(Box::new(source::walk(paths)), opened);
    import_inputs(inputs, dir.into(), options, progress)
}

/// Imports the games of archives as [`import_with`] does those of files, and leaves it to the caller to open them: bytes in memory,
/// files in other storage. An archive that cannot be opened is an item of [`ImportSummary::failures`].
///
/// The index does not know where the archives are. It has the texts of games only if
/// `SegmentOptions::embed` is set, and `ImportOptions::append` adds all archives.
///
/// # Errors
/// Fails as [`import_with`] does.
pub fn import_archives<A>(
    archives: A,
    dir: impl Into<PathBuf>,
    options: &ImportOptions,
    progress: impl FnMut(&ImportProgress<'_>) -> ControlFlow<()>,
) -> Result<ImportSummary>
where
    A: IntoIterator<Item = Result<Archive>, IntoIter: Send + 'static>,
{
    import_inputs(FeedInputs::Archives(Box::new(archives.into_iter())), dir.into(), options, progress)
}

/// Imports the games of archives into a new index in memory, for programs without a file system. Takes neither files nor folders, but
/// as much memory as the index has bytes.
///
/// The index has no texts of games, no key tables, no books and no openings; searches and trees find the same without them.
///
/// ```
/// use pdn::archive::Archive;
/// use pdn_index::ImportOptions;
/// use pdn_index::internal::import_in_memory;
/// use pdn_index::query::{Query, Search};
/// use pdn::source::{Bytes, OpenOptions};
/// use std::ops::ControlFlow;
///
/// let text = Bytes::from(b"[White \"Ames\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n".to_vec());
/// let archive = Archive::from_bytes(text, "text", &OpenOptions::new());
/// let (index, _) = import_in_memory([archive], &ImportOptions::new(), |_| ControlFlow::Continue(()))?;
/// let hits = Search::new(&index, &Query::parse("w-b = 1").unwrap(), pdn::default_threads())?.hits(1)?.0;
/// assert_eq!((hits[0].game, hits[0].ply), (0, 3));
/// # Ok::<(), pdn::Error>(())
/// ```
///
/// # Errors
/// Fails with [`io::ErrorKind::Interrupted`] if `progress` breaks off. Archives that cannot be read do not fail it; they are
/// listed in [`ImportSummary::failures`].
pub fn import_in_memory<A>(
    archives: A,
    options: &ImportOptions,
    mut progress: impl FnMut(&ImportProgress<'_>) -> ControlFlow<()>,
) -> Result<(Index, ImportSummary)>
where
    A: IntoIterator<Item = Result<Archive>, IntoIter: Send + 'static>,
{
    let disk = MemoryDisk::default();
    let writer = IndexWriter::in_memory(&disk, &options.segments)?.with_threads(options.threads);
    let inputs = FeedInputs::Archives(Box::new(archives.into_iter()));
    let (writer, mut summary, _) = import_into(writer, inputs, options, &mut progress)?;
    writer.commit()?;
    let files = disk.take().into_iter().map(|(name, bytes)| (name, bytes.into()));
    let index = Index::from_files(files.collect())?;
    summary.index_bytes = index.disk_bytes();
    summary.index_games = index.game_count();
    Ok((index, summary))
}

fn import_inputs(
    inputs: FeedInputs,
    dir: PathBuf,
    options: &ImportOptions,
    mut progress: impl FnMut(&ImportProgress<'_>) -> ControlFlow<()>,
) -> Result<ImportSummary> {
    let key_tables = options.key_table_options(&dir);
    let writer = if options.append {
        IndexWriter::append_or_create(&dir, &options.segments)?
    } else {
        IndexWriter::create(&dir, &options.segments)?
    };
    let mut writer = writer.with_threads(options.threads);
    if let Some(root) = &options.root {
        writer.relocate(root)?;
    }
    let (mut writer, mut summary, has_text) = import_into(writer, inputs, options, &mut progress)?;
    retire_missing(&mut writer, &mut summary, options.prune);
    // A file that is empty by mistake must not cost the index. Who prunes wants the games of missing files to go.
    let is_empty = !writer.has_games() || !options.append && !has_text;
    if is_empty && writer.had_games() && !(options.append && options.prune) {
        let failure = summary.failures.into_iter().next().map(|failure| failure.error.at(failure.name));
        return Err(Error::new(ErrorKind::NoGames(failure)).at(dir));
    }
    let begun = Instant::now();
    writer.commit()?;
    summary.one_thread += begun.elapsed();
    summary.key_tables = key_tables.map(|options| build_tables(&dir, &options, &summary, &mut progress));
    let index = Index::open(&dir)?;
    summary.index_bytes = index.disk_bytes();
    summary.index_games = index.game_count();
    Ok(summary)
}

/// Replays the games of all inputs and gives them to a writer. Returns it with the summary so far, and whether there was any text.
fn import_into(
    writer: IndexWriter,
    inputs: FeedInputs,
    options: &ImportOptions,
    mut progress: impl FnMut(&ImportProgress<'_>) -> ControlFlow<()>,
) -> Result<(IndexWriter, ImportSummary, bool)> {
    let feed = Feed::new(inputs, writer.inputs(), writer.committed_at(), options);
    let pool = RowPool::default();
    let games_before = writer.game_count();
    let mut importer = Importer {
        writer,
        summary: ImportSummary::default(),
        games_before,
        input: 0,
        lines: None,
        counted_to: 0,
        games: 0,
        has_text: false,
        incomplete: Vec::new(),
        carriers: Vec::new(),
        replaced: Vec::new(),
        result: Ok(()),
        pool: pool.clone(),
    };
    pool::ordered(
        feed,
        options.threads,
        || Worker::new(options, pool.clone()),
        |worker: &mut Worker, job: Job| worker.work(job),
        |batch| {
            let begun = Instant::now();
            let flow = importer.take(batch, &mut progress);
            importer.summary.one_thread += begun.elapsed();
            flow
        },
    );
    let Importer { mut writer, mut summary, has_text, incomplete, carriers, replaced, result, .. } = importer;
    result?;
    incomplete.iter().for_each(|path| writer.set_incomplete(path));
    summary.shrunk = shrunk_files(&writer, replaced);
    let carried = |(name, carrier, offsets): (PathBuf, Carrier, TextOffsets)| CarriedInput {
        name,
        carrier,
        left_out: offsets.outside(),
    };
    summary.carriers = carriers.into_iter().map(carried).collect();
    Ok((writer, summary, has_text))
}

/// Builds the key tables of an index whose games were committed.
fn build_tables(
    dir: &Path,
    options: &KeyTableOptions,
    summary: &ImportSummary,
    progress: &mut impl FnMut(&ImportProgress<'_>) -> ControlFlow<()>,
) -> Result<KeyTablesBuilt> {
    let mut report = |done, total| {
        progress(&ImportProgress {
            name: dir,
            read: 0,
            total: None,
            games: summary.games,
            plies: summary.plies,
            bytes: summary.bytes,
            key_tables: Some((done, total)),
        })
    };
    if report(0, 0).is_break() {
        return Err(io::Error::from(io::ErrorKind::Interrupted).into());
    }
    build_key_tables(dir, options, report)
}

/// Returns the files that have lost more than a tenth of the games that they had.
fn shrunk_files(writer: &IndexWriter, replaced: Vec<(PathBuf, u64)>) -> Vec<ShrunkFile> {
    let mut games_now: HashMap<&Path, u64> = HashMap::new();
    for input in writer.inputs().iter().filter(|input| !input.is_retired) {
        if let Some(path) = input.path.as_deref() {
            *games_now.entry(path).or_default() += input.games;
        }
    }
    let shrunk = replaced.into_iter().filter_map(|(path, games_before)| {
        let games = games_now.get(&*path).copied().unwrap_or(0);
        (games * 10 < games_before * 9).then_some(ShrunkFile { path, games_before, games })
    });
    shrunk.collect()
}

/// Lists the files of the index that no longer exist and, with `prune`, retires their games.
fn retire_missing(writer: &mut IndexWriter, summary: &mut ImportSummary, prune: bool) {
    let is_missing =
        |path: &PathBuf| std::fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    let inputs = writer.inputs().iter().enumerate().filter(|(_, input)| !input.is_retired);
    let paths = inputs.filter_map(|(number, input)| Some((number as u32, input.path.clone()?)));
    let missing: Vec<(u32, PathBuf)> = paths.filter(|(_, path)| is_missing(path)).collect();
    for (number, path) in missing {
        if prune {
            summary.retired += writer.retire_input(number);
        }
        if summary.missing.last() != Some(&path) {
            summary.missing.push(path);
        }
    }
}

/// The state of the thread that receives the replayed games in order and writes them.
struct Importer {
    writer: IndexWriter,
    summary: ImportSummary,
    /// Games of the index before the import.
    games_before: u64,
    /// Number of the current input.
    input: u32,
    /// Line ends of the input before byte `counted_to` of its text; `None` if they have not been counted, after an append.
    lines: Option<u64>,
    counted_to: u64,
    /// Games of the input before the next batch.
    games: u64,
    /// The inputs are more than blanks, which are a game without anything.
    has_text: bool,
    /// Files of which a part could not be read.
    incomplete: Vec<Arc<Path>>,
    /// Inputs whose games are taken out of another kind of text, with the maps of their offsets.
    carriers: Vec<(PathBuf, Carrier, TextOffsets)>,
    /// Files that had changed, with the number of games that they had.
    replaced: Vec<(PathBuf, u64)>,
    result: Result<()>,
    pool: RowPool,
}

impl Importer {
    /// Receives the result of a job.
    fn take(
        &mut self,
        batch: JobResult,
        progress: &mut impl FnMut(&ImportProgress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let replayed = match batch {
            JobResult::Games(replayed) => replayed,
            JobResult::Unchanged => {
                self.summary.unchanged += 1;
                return ControlFlow::Continue(());
            }
            JobResult::Empty(replaced) => {
                self.retire(&replaced);
                self.summary.files += 1;
                return ControlFlow::Continue(());
            }
            JobResult::Failed(FailedInput { name, error, file }) => {
                self.incomplete.extend(file);
                self.summary.failures.push(ImportFailure { name, error });
                return ControlFlow::Continue(());
            }
        };
        if let Some((carrier, offsets)) = replayed.games.batch.carrier()
            && replayed.games.event != InputEvent::Continues
        {
            self.carriers.push((replayed.games.name().to_owned(), carrier, offsets.clone()));
        }
        self.result = self.add(&replayed);
        if self.result.is_err() {
            return ControlFlow::Break(());
        }
        let state = ImportProgress {
            name: replayed.games.name(),
            read: replayed.games.batch.progress().read(),
            total: replayed.games.batch.progress().total(),
            games: self.summary.games,
            plies: self.summary.plies,
            bytes: self.summary.bytes,
            key_tables: None,
        };
        let flow = progress(&state);
        self.pool.put(replayed.rows);
        if flow.is_break() {
            self.result = Err(io::Error::from(io::ErrorKind::Interrupted).into());
        }
        flow
    }

    /// Retires the inputs that a changed file had before.
    fn retire(&mut self, replaced: &[u32]) {
        let Some(&first) = replaced.first() else { return };
        self.summary.replaced += 1;
        let games: u64 = replaced.iter().map(|&input| self.writer.retire_input(input)).sum();
        self.summary.retired += games;
        let path = self.writer.inputs().get(first as usize).and_then(|input| input.path.clone());
        self.replaced.extend(path.map(|path| (path, games)));
    }

    /// Writes the games and rejected records of a batch.
    fn add(&mut self, replayed: &ReplayedGames) -> Result<()> {
        let games = &replayed.games;
        self.retire(&games.replaced);
        match games.event {
            InputEvent::Continues => {}
            InputEvent::Begins { has_file_offsets, fingerprint } => {
                // What was read of a file counts, too, if it was removed after it was opened.
                let file = games.path().filter(|path| path.exists()).zip(fingerprint);
                self.input = self.writer.add_input(games.name(), file, has_file_offsets)?;
                self.writer.set_decoder(self.input, *games.batch.decoder());
                (self.lines, self.counted_to, self.games) = (Some(0), 0, 0);
                self.summary.files += 1;
            }
            InputEvent::Resumes { input, fingerprint } => {
                self.writer.resume_input(input, fingerprint);
                // The games that were added may show more about the file; those before are read alike.
                self.writer.set_decoder(input, *games.batch.decoder());
                self.input = input;
                (self.lines, self.counted_to) = (None, 0);
                self.games = self.writer.inputs().get(input as usize).map_or(0, |input| input.games);
                self.summary.files += 1;
            }
        }
        let text = games.batch.bytes();
        self.has_text = self.has_text || !text.trim_ascii_start().is_empty();
        self.writer.push(self.input, games.base + games.batch.offset(), &replayed.rows, text)?;
        if !replayed.rejects.is_empty() {
            let before = BeforeBatch {
                games: self.games_before + self.summary.games,
                records: self.games,
                lines: self.lines_before(games)?,
                base: games.base,
            };
            let mut out = Vec::new();
            for record in &replayed.rejects {
                record.write(games.name(), &before, &mut out);
                *self.summary.rejects.entry(record.code).or_default() += 1;
            }
            self.writer.add_rejected(&out)?;
        }
        if let Some(lines) = replayed.lines {
            self.lines = self.lines.map(|before| before + lines);
            self.counted_to = games.batch.offset() + text.len() as u64;
        }
        self.games += replayed.rows.len() as u64;
        self.summary.games += replayed.rows.len() as u64;
        self.summary.plies += replayed.plies;
        self.summary.bytes += text.len() as u64;
        for (sum, count) in self.summary.statuses.iter_mut().zip(replayed.statuses) {
            *sum += count;
        }
        Ok(())
    }

    /// Returns the number of line ends of the input before this batch. Counts those that have not been counted yet.
    fn lines_before(&mut self, games: &GamesJob) -> Result<u64> {
        let known = match self.lines {
            Some(lines) => lines,
            None => line_ends_of_file(games, games.base + self.counted_to)?,
        };
        // The text of a stream is not kept, so each of its batches has been counted.
        let before = games.batch.bytes_before().unwrap_or_default();
        let lines = known + count_line_ends(before.get(self.counted_to as usize..).unwrap_or_default());
        self.counted_to = games.batch.offset();
        Ok(*self.lines.insert(lines))
    }
}

/// Returns the number of line ends in the first `bytes` bytes of the file of a batch; 0 for a stream.
fn line_ends_of_file(games: &GamesJob, mut bytes: u64) -> Result<u64> {
    let mut lines = LineCounter::new();
    if let Some(path) = games.path() {
        let counted = read_chunks(path, |chunk| {
            let chunk = &chunk[..chunk.len().min(usize::try_from(bytes).unwrap_or(usize::MAX))];
            lines.pass(chunk, Encoding::UTF_8);
            bytes -= chunk.len() as u64;
            Ok(())
        });
        counted.map_err(|error| Error::from(error).at(path))?;
    }
    Ok(lines.position().line - 1)
}

/// An index in a temporary folder, which is removed when the value is dropped.
///
/// ```
/// use pdn::archive::Archive;
/// use pdn_index::ImportOptions;
/// use pdn_index::internal::{TemporaryIndex, import_archives};
/// use pdn::source::OpenOptions;
/// use std::ops::ControlFlow;
///
/// let text = &b"[White \"Ames\"] 1. 32-28 19-23 *\n"[..];
/// let archive = Archive::from_reader(text, "games.pdn", &OpenOptions::new());
/// let (index, summary) = TemporaryIndex::build(|dir| {
///     import_archives([archive], dir, &ImportOptions::new(), |_| ControlFlow::Continue(()))
/// })?;
/// assert!(summary.failures.is_empty());
/// assert_eq!(index.game(0).unwrap().row()?.white, "Ames");
/// # Ok::<(), pdn::Error>(())
/// ```
#[derive(Debug)]
pub struct TemporaryIndex {
    index: Index,
    /// Stands after the index, so that files are closed before they are removed.
    _folder: Option<WorkFolder>,
}

impl TemporaryIndex {
    /// Makes a temporary folder, calls `import` with it, and opens the index that is there then. On Unix the folder is removed at
    /// once: open files outlive it. What a process leaves that is killed before, the next temporary index removes.
    ///
    /// # Errors
    /// If the folder cannot be made, the error of `import`, or if the index cannot be opened.
    pub fn build(import: impl FnOnce(&Path) -> Result<ImportSummary>) -> Result<(Self, ImportSummary)> {
        let place = std::env::temp_dir();
        let folder =
            WorkFolder::within(&place, "temporary index").map_err(|error| Error::from(error).at(place))?;
        let summary = import(folder.path())?;
        let index = Index::open(folder.path())?;
        let folder = if cfg!(unix) { None } else { Some(folder) };
        Ok((Self { index, _folder: folder }, summary))
    }
}

impl Deref for TemporaryIndex {
    type Target = Index;

    fn deref(&self) -> &Index {
        &self.index
    }
}

impl DerefMut for TemporaryIndex {
    fn deref_mut(&mut self) -> &mut Index {
        &mut self.index
    }
}
