//! Reads all batches of all files in order, each with what is known about its input.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::options::ImportOptions;
use crate::archive::{Archive, Batch, Batches};
use crate::error::{Error, ErrorKind, Result};
use crate::index::row::input::{Fingerprint, IndexedInput};
use crate::replay::{self, FilePrior, FilePriorPoll};
use crate::source::{self, Container, OpenOptions, PathWalk};
use crate::value::GameResult;

/// A job for a worker.
pub(super) enum Job {
    /// Games that are to be replayed.
    Games(Box<GamesJob>),
    /// An unchanged file of the index.
    Unchanged,
    /// An empty file.
    Empty,
    /// A file, or the rest of one, that cannot be read or is not text.
    Failed(PathBuf, Error),
}

/// A batch, and what is known about its input.
pub(super) struct GamesJob {
    pub(super) batch: Batch,
    pub(super) event: InputEvent,
    /// Added to the offsets of the batch to get those of the input.
    pub(super) base: u64,
    pub(super) prior: Arc<InputPrior>,
    path: Option<Arc<Path>>,
}

/// The prior of an input, determined from its first games.
pub(super) struct InputPrior {
    /// Number that distinguishes priors.
    pub(super) number: usize,
    pub(super) prior: FilePrior,
}

/// The effect of a batch on the current input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum InputEvent {
    /// The input continues.
    Continues,
    /// A new input begins.
    Begins { has_file_offsets: bool },
    /// Games were added to the file of a registered input.
    Resumes { input: u32 },
}

impl GamesJob {
    /// Returns the name of the input.
    pub(super) fn name(&self) -> &Path {
        self.batch.name()
    }

    /// Returns the file on the disk; `None` for a stream.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}

/// Iterates over all jobs.
pub(super) struct Feed {
    paths: PathWalk,
    indexed: Vec<IndexedInput>,
    open: OpenOptions,
    replay: replay::ReplayOptions,
    file: Option<OpenFile>,
    ready: VecDeque<Job>,
    /// A batch that was read ahead while the prior was determined, and belongs to the next input.
    pending: Option<Result<Batch>>,
    priors: usize,
}

/// The file that is being read.
struct OpenFile {
    path: PathBuf,
    file_path: Option<Arc<Path>>,
    batches: Batches,
    has_file_offsets: bool,
    resume_at: Option<(u32, u64)>,
    prior: Arc<InputPrior>,
    /// `true` until the first batch.
    empty: bool,
    /// `true` while an input that is not text is skipped.
    skipping: bool,
}

impl Feed {
    pub(super) fn new(paths: Vec<PathBuf>, indexed: Vec<IndexedInput>, options: &ImportOptions) -> Self {
        Self {
            paths: source::walk(paths),
            indexed,
            open: options.open,
            replay: options.replay.clone(),
            file: None,
            ready: VecDeque::new(),
            pending: None,
            priors: 0,
        }
    }

    /// Opens a file. Returns a job at once if there is nothing to read.
    fn begin(&mut self, path: PathBuf) -> Result<Option<Job>> {
        let on_disk = || std::path::absolute(&path).unwrap_or_else(|_| path.clone());
        let file_path = (!source::is_stream(&path)).then(on_disk);
        let mut resume_at = None;
        if let Some(file_path) = &file_path {
            let found = self.indexed.iter().position(|input| input.path.as_deref() == Some(file_path));
            if let Some(number) = found {
                match resume_offset(&self.indexed[number], file_path)? {
                    None => return Ok(Some(Job::Unchanged)),
                    Some(offset) => resume_at = Some((number as u32, offset)),
                }
            }
        }
        let has_file_offsets = file_path.is_some() && has_file_offsets(&path, &self.open)?;
        let archive = match resume_at {
            Some((_, offset)) => {
                let mut file = File::open(&path).map_err(|error| Error::from(error).at(&path))?;
                file.seek(SeekFrom::Start(offset)).map_err(|error| Error::from(error).at(&path))?;
                Archive::from_reader(file, &path, &self.open)?
            }
            None => Archive::open_with(&path, &self.open)?,
        };
        let prior = match resume_at {
            // The start of the file determines the variant, as when it was read first.
            Some(_) => {
                let mut batches = Archive::open_with(&path, &self.open)?.limits(self.replay.limits).batches();
                self.poll_prior(&mut Vec::new(), || batches.next())
            }
            None => Arc::new(InputPrior { number: 0, prior: FilePrior::default() }),
        };
        let batches = archive.limits(self.replay.limits).batches();
        let file_path = file_path.map(Arc::from);
        let (empty, skipping) = (true, false);
        self.file =
            Some(OpenFile { path, file_path, batches, has_file_offsets, resume_at, prior, empty, skipping });
        Ok(None)
    }

    /// Determines the prior of an input from its first games. The batches read for this are appended to `held`.
    fn poll_prior(
        &mut self,
        held: &mut Vec<Batch>,
        mut next: impl FnMut() -> Option<Result<Batch>>,
    ) -> Arc<InputPrior> {
        let mut poll = FilePriorPoll::new(&self.replay);
        // The variant given by the caller takes precedence over the file.
        let mut asks_more = self.replay.variant.is_none();
        let mut next_batch = 0;
        loop {
            while asks_more && next_batch < held.len() {
                asks_more = held[next_batch].games().all(|game| poll.add(game.raw()));
                next_batch += 1;
            }
            if !asks_more {
                break;
            }
            match next() {
                Some(Ok(batch)) if held.is_empty() || !batch.begins_input() => held.push(batch),
                other => {
                    self.pending = other;
                    break;
                }
            }
        }
        self.priors += 1;
        Arc::new(InputPrior { number: self.priors, prior: poll.finish() })
    }

    /// Queues the first batches of an input.
    fn start(&mut self, mut file: OpenFile, batch: Batch) -> OpenFile {
        let mut held = vec![batch];
        if file.resume_at.is_none() {
            file.prior = self.poll_prior(&mut held, || file.batches.next());
        }
        let mut event = match file.resume_at {
            Some((input, _)) => InputEvent::Resumes { input },
            None => InputEvent::Begins { has_file_offsets: file.has_file_offsets },
        };
        for batch in held {
            let job = self.job(&file, batch, event);
            self.ready.push_back(job);
            event = InputEvent::Continues;
        }
        file
    }

    /// Creates the job of a batch.
    fn job(&self, file: &OpenFile, batch: Batch, event: InputEvent) -> Job {
        let base = file.resume_at.map_or(0, |(_, offset)| offset);
        let prior = Arc::clone(&file.prior);
        Job::Games(Box::new(GamesJob { batch, event, base, prior, path: file.file_path.clone() }))
    }
}

impl Iterator for Feed {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        loop {
            if let Some(job) = self.ready.pop_front() {
                return Some(job);
            }
            if let Some(mut file) = self.file.take() {
                let next = self.pending.take().or_else(|| file.batches.next());
                if next.is_none() && file.empty && file.resume_at.is_none() {
                    return Some(Job::Empty);
                }
                file.empty = false;
                match next {
                    Some(Ok(batch)) if batch.begins_input() => match source::require_text(batch.bytes()) {
                        Ok(()) => {
                            file.skipping = false;
                            self.file = Some(self.start(file, batch));
                        }
                        Err(error) => {
                            file.skipping = true;
                            self.file = Some(file);
                            return Some(Job::Failed(batch.name().to_owned(), error.at(batch.name())));
                        }
                    },
                    Some(Ok(_)) if file.skipping => self.file = Some(file),
                    Some(Ok(batch)) => {
                        let job = self.job(&file, batch, InputEvent::Continues);
                        self.file = Some(file);
                        return Some(job);
                    }
                    Some(Err(error)) => {
                        let name = error.path().unwrap_or(&file.path).to_owned();
                        self.file = Some(file);
                        return Some(Job::Failed(name, error));
                    }
                    None => {}
                }
                continue;
            }
            let path = match self.paths.next()? {
                Ok(path) => path,
                Err(error) => {
                    return Some(Job::Failed(error.path().unwrap_or(Path::new("")).to_owned(), error));
                }
            };
            match self.begin(path.clone()) {
                Ok(None) => {}
                Ok(Some(job)) => return Some(job),
                Err(error) => return Some(Job::Failed(path, error)),
            }
        }
    }
}

/// Returns `true` if offsets in the text of a file are offsets in the file.
fn has_file_offsets(path: &Path, open: &OpenOptions) -> Result<bool> {
    let mut inputs = source::open(path, open)?;
    Ok(match inputs.next() {
        Some(Ok(input)) => input.kind == Container::Plain && input.source.utf16().is_none(),
        _ => false,
    })
}

/// Returns the offset from which to read a file that the index contains; `None` if it is unchanged.
///
/// # Errors
/// Fails with [`ErrorKind::ArchiveChanged`] if the file was changed in another way than by adding games.
fn resume_offset(input: &IndexedInput, path: &Path) -> Result<Option<u64>> {
    let changed = |what| Err(Error::new(ErrorKind::ArchiveChanged(what)).at(path));
    let Some(before) = &input.fingerprint else { return Ok(None) };
    let size = std::fs::metadata(path).map_err(|error| Error::from(error).at(path))?.len();
    if size < before.size {
        return changed("it is shorter");
    }
    if !Fingerprint::of_prefix(path, before.size)?.matches(before) {
        return changed("its contents differ");
    }
    if size == before.size {
        return Ok(None);
    }
    if !input.has_file_offsets || input.text_len != before.size {
        return changed("it has grown and is not a plain file");
    }
    let is_boundary = ends_between_games(path, before.size).map_err(|error| Error::from(error).at(path))?;
    if is_boundary { Ok(Some(before.size)) } else { changed("it has grown in the middle of a game") }
}

/// Returns `true` if a game certainly ends at this offset: the line before ends with a result, and a tag follows.
fn ends_between_games(path: &Path, offset: u64) -> std::io::Result<bool> {
    const MAX_LOOK: u64 = 4 << 10;
    let mut file = File::open(path)?;
    let start = offset.saturating_sub(MAX_LOOK);
    file.seek(SeekFrom::Start(start))?;
    let mut nearby = Vec::new();
    file.take(offset - start + MAX_LOOK).read_to_end(&mut nearby)?;
    let (before, after) = nearby.split_at(((offset - start) as usize).min(nearby.len()));
    let last = before.trim_ascii().rsplit(u8::is_ascii_whitespace).next().unwrap_or(b"");
    let has_result = !matches!(GameResult::parse(last), GameResult::Text(_) | GameResult::Unknown);
    Ok(has_result && before.ends_with(b"\n") && after.trim_ascii_start().starts_with(b"["))
}
