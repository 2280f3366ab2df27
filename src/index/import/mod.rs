//! From archives to an index: replays every game of every file, on all cores, with nothing lost.
//!
//! Every record becomes a row, whatever is wrong with it; what could not be replayed to its end is also listed in
//! `rejects.jsonl`. A file that cannot be read is a [`ImportFailure`] and harms no other.
//!
//! Cost: as replaying, plus a few hundred nanoseconds a game. Memory does not depend on the size of the archives.

mod options;
mod feed;
mod tags;
mod pack_sink;
mod reject_line;
mod worker;

pub use self::options::{ImportFailure, ImportOptions, ImportProgress, ImportSummary};

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use self::feed::{Feed, GamesJob, InputEvent, Job};
use self::worker::{JobResult, ReplayedGames, RowPool, Worker};
use super::format::checksum::read_chunks;
use super::open::Index;
use super::writer::IndexWriter;
use crate::error::{Error, Result};
use crate::pool;

/// Imports the games of files and folders into the index in `dir`: a new one, or the present one with
/// [`ImportOptions::append`]. Replays every game.
///
/// # Errors
/// Fails if the index cannot be read or written. Files that cannot be read do not fail the import; they are listed in
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
/// `progress` is called once per batch, about every half megabyte of text. If it breaks off, the old index stays.
///
/// # Errors
/// Fails as [`import`] does, and with [`io::ErrorKind::Interrupted`] if `progress` breaks off.
pub fn import_with<P: Into<PathBuf>>(
    paths: impl IntoIterator<Item = P>,
    dir: impl Into<PathBuf>,
    options: &ImportOptions,
    mut progress: impl FnMut(&ImportProgress<'_>) -> ControlFlow<()>,
) -> Result<ImportSummary> {
    let dir = dir.into();
    let builder = if options.append {
        IndexWriter::append(&dir, options.segments)?
    } else {
        IndexWriter::create(&dir, options.segments)?
    };
    let builder = builder.with_threads(options.threads);
    let known = if options.append { Some(Index::open(&dir)?) } else { None };
    let origins = known.as_ref().map(|index| index.inputs().to_vec()).unwrap_or_default();
    let paths: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
    let feed = Feed::new(paths, origins, options);
    let spare = RowPool::default();
    let mut building = Importer {
        builder,
        summary: ImportSummary::default(),
        origin: 0,
        lines: None,
        games: 0,
        result: Ok(()),
        spare: spare.clone(),
    };
    pool::ordered(
        feed,
        options.threads,
        || Worker::new(options, spare.clone()),
        |worker: &mut Worker, job: Job| worker.work(job),
        |batch| building.take(batch, &mut progress),
    );
    let Importer { builder, mut summary, result, .. } = building;
    result?;
    builder.commit()?;
    let index = Index::open(&dir)?;
    summary.index_bytes = index.file_bytes();
    summary.index_games = index.len();
    Ok(summary)
}

/// The one thread that puts everything together.
struct Importer {
    builder: IndexWriter,
    summary: ImportSummary,
    /// The origin of the games at hand.
    origin: u32,
    /// Lines of it before the next batch; `None` until somebody asks where something was added to a file.
    lines: Option<u64>,
    /// Games of it before the next batch.
    games: u64,
    result: Result<()>,
    spare: RowPool,
}

impl Importer {
    fn take(
        &mut self,
        batch: JobResult,
        progress: &mut impl FnMut(&ImportProgress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let done = match batch {
            JobResult::Games(done) => done,
            JobResult::Unchanged => {
                self.summary.unchanged += 1;
                return ControlFlow::Continue(());
            }
            JobResult::Empty => {
                self.summary.files += 1;
                return ControlFlow::Continue(());
            }
            JobResult::Failed(name, error) => {
                self.summary.failures.push(ImportFailure { name, error });
                return ControlFlow::Continue(());
            }
        };
        self.result = self.add(&done);
        if self.result.is_err() {
            return ControlFlow::Break(());
        }
        let seen = ImportProgress {
            name: done.games.name(),
            read: done.games.batch.progress().read(),
            total: done.games.batch.progress().total(),
            games: self.summary.games,
            plies: self.summary.plies,
            bytes: self.summary.bytes,
        };
        let flow = progress(&seen);
        self.spare.put(done.rows);
        if flow.is_break() {
            self.result = Err(io::Error::from(io::ErrorKind::Interrupted).into());
        }
        flow
    }

    fn add(&mut self, done: &ReplayedGames) -> Result<()> {
        let games = &done.games;
        match games.event {
            InputEvent::Continues => {}
            InputEvent::Begins { plain } => {
                self.origin = match self.builder.add_input(games.name(), games.path(), plain) {
                    Ok(number) => number,
                    // Gone since it was opened: what was read of it counts all the same.
                    Err(_) => self.builder.add_input(games.name(), None, plain)?,
                };
                (self.lines, self.games) = (Some(0), 0);
                self.summary.files += 1;
            }
            InputEvent::Resumes { origin } => {
                self.builder.resume_input(origin)?;
                self.origin = origin;
                self.lines = None;
                self.games = self.builder.inputs().get(origin as usize).map_or(0, |origin| origin.games);
                self.summary.files += 1;
            }
        }
        let text = games.batch.bytes();
        self.builder.push(self.origin, games.base + games.batch.offset(), &done.rows, text)?;
        if !done.rejects.is_empty() {
            let lines = self.lines_before(games)?;
            let mut out = Vec::new();
            for reject in &done.rejects {
                reject.write(games.name(), self.games, lines, games.base, &mut out);
                *self.summary.rejects.entry(reject.code).or_default() += 1;
            }
            self.builder.add_rejected(&out)?;
        }
        self.lines = self.lines.map(|lines| lines + done.lines);
        self.games += done.rows.len() as u64;
        self.summary.games += done.rows.len() as u64;
        self.summary.plies += done.plies;
        self.summary.bytes += text.len() as u64;
        for (sum, count) in self.summary.statuses.iter_mut().zip(done.statuses) {
            *sum += count;
        }
        Ok(())
    }

    /// Lines of the text before this batch.
    fn lines_before(&mut self, games: &GamesJob) -> Result<u64> {
        if let Some(lines) = self.lines {
            return Ok(lines);
        }
        let mut left = games.base + games.batch.offset();
        let mut lines = 0;
        if let Some(path) = games.path() {
            let counted = read_chunks(path, |piece| {
                let piece = &piece[..piece.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
                lines += memchr::memchr_iter(b'\n', piece).count() as u64;
                left -= piece.len() as u64;
                Ok(())
            });
            counted.map_err(|error| Error::from(error).at(path))?;
        }
        Ok(*self.lines.insert(lines))
    }
}
