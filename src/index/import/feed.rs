//! All batches of all files, in order, each with what is known of its file.

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

/// Something for a worker.
pub(super) enum Job {
    /// Games to be replayed.
    Games(Box<GamesJob>),
    /// A file that the index knows as it is.
    Unchanged,
    /// A file without a byte.
    Empty,
    /// A file, or the rest of one, that cannot be read or is no text.
    Failed(PathBuf, Error),
}

/// A batch and what is known of its file.
pub(super) struct GamesJob {
    pub(super) batch: Batch,
    pub(super) event: InputEvent,
    /// What to add to the offsets of the batch to get those of the text.
    pub(super) base: u64,
    pub(super) prior: Arc<InputPrior>,
    path: Option<Arc<Path>>,
}

/// The games of a file asked beforehand.
pub(super) struct InputPrior {
    /// Tells priors apart.
    pub(super) number: usize,
    pub(super) prior: FilePrior,
}

/// What a batch means for the origin at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum InputEvent {
    /// It goes on.
    Continues,
    /// Another one begins.
    Begins { plain: bool },
    /// Something was added to a known one.
    Resumes { origin: u32 },
}

impl GamesJob {
    pub(super) fn name(&self) -> &Path {
        self.batch.name()
    }

    /// The file on the disk.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}

/// Iterator over all jobs.
pub(super) struct Feed {
    paths: PathWalk,
    indexed: Vec<IndexedInput>,
    open: OpenOptions,
    replay: replay::ReplayOptions,
    file: Option<OpenFile>,
    ready: VecDeque<Job>,
    /// What was read too far while a file was asked.
    pending: Option<Result<Batch>>,
    priors: usize,
}

/// The file that is being read.
struct OpenFile {
    path: PathBuf,
    disk: Option<Arc<Path>>,
    batches: Batches,
    plain: bool,
    resumes: Option<(u32, u64)>,
    prior: Arc<InputPrior>,
    /// Nothing has come out of it yet.
    empty: bool,
    /// Passing over a text that is none.
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

    /// Opens a file, or says why not.
    fn begin(&mut self, path: PathBuf) -> Result<Option<Job>> {
        let on_disk = || std::path::absolute(&path).unwrap_or_else(|_| path.clone());
        let disk = (!source::is_stream(&path)).then(on_disk);
        let mut resumes = None;
        if let Some(disk) = &disk {
            let found = self.indexed.iter().position(|origin| origin.path.as_deref() == Some(disk));
            if let Some(number) = found {
                match resume_offset(&self.indexed[number], disk)? {
                    None => return Ok(Some(Job::Unchanged)),
                    Some(offset) => resumes = Some((number as u32, offset)),
                }
            }
        }
        let plain = disk.is_some() && has_file_offsets(&path, &self.open)?;
        let archive = match resumes {
            Some((_, offset)) => {
                let mut file = File::open(&path).map_err(|error| Error::from(error).at(&path))?;
                file.seek(SeekFrom::Start(offset)).map_err(|error| Error::from(error).at(&path))?;
                Archive::from_reader(file, &path, &self.open)?
            }
            None => Archive::open_with(&path, &self.open)?,
        };
        let prior = match resumes {
            // As when the file was read first: the beginning of it tells what it is.
            Some(_) => {
                let mut batches = Archive::open_with(&path, &self.open)?.limits(self.replay.limits).batches();
                self.poll_prior(&mut Vec::new(), || batches.next())
            }
            None => Arc::new(InputPrior { number: 0, prior: FilePrior::default() }),
        };
        let batches = archive.limits(self.replay.limits).batches();
        let disk = disk.map(Arc::from);
        let (empty, skipping) = (true, false);
        self.file = Some(OpenFile { path, disk, batches, plain, resumes, prior, empty, skipping });
        Ok(None)
    }

    /// Asks the first games of a text which game they are; `held` gets the batches that were taken for it.
    fn poll_prior(
        &mut self,
        held: &mut Vec<Batch>,
        mut next: impl FnMut() -> Option<Result<Batch>>,
    ) -> Arc<InputPrior> {
        let mut poll = FilePriorPoll::new(&self.replay);
        // What the caller says goes before what a file says.
        let mut wanted = self.replay.variant.is_none();
        let mut at = 0;
        loop {
            while wanted && at < held.len() {
                wanted = held[at].games().all(|game| poll.add(game.raw()));
                at += 1;
            }
            if !wanted {
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

    /// Queues the first batches of a text.
    fn start(&mut self, mut file: OpenFile, batch: Batch) -> OpenFile {
        let mut held = vec![batch];
        if file.resumes.is_none() {
            file.prior = self.poll_prior(&mut held, || file.batches.next());
        }
        let mut event = match file.resumes {
            Some((origin, _)) => InputEvent::Resumes { origin },
            None => InputEvent::Begins { plain: file.plain },
        };
        for batch in held {
            let job = self.job(&file, batch, event);
            self.ready.push_back(job);
            event = InputEvent::Continues;
        }
        file
    }

    fn job(&self, file: &OpenFile, batch: Batch, event: InputEvent) -> Job {
        let base = file.resumes.map_or(0, |(_, offset)| offset);
        let prior = Arc::clone(&file.prior);
        Job::Games(Box::new(GamesJob { batch, event, base, prior, path: file.disk.clone() }))
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
                if next.is_none() && file.empty && file.resumes.is_none() {
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

/// Whether offsets in the text of a file are offsets in the file.
fn has_file_offsets(path: &Path, open: &OpenOptions) -> Result<bool> {
    let mut inputs = source::open(path, open)?;
    Ok(match inputs.next() {
        Some(Ok(input)) => input.kind == Container::Plain && input.source.utf16().is_none(),
        _ => false,
    })
}

/// Where to go on in a known file; `None` if it is as it was.
fn resume_offset(origin: &IndexedInput, path: &Path) -> Result<Option<u64>> {
    let changed = |what| Err(Error::new(ErrorKind::ArchiveChanged(what)).at(path));
    let Some(before) = &origin.fingerprint else { return Ok(None) };
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
    if !origin.has_file_offsets || origin.text_len != before.size {
        return changed("it has grown, and is no plain file");
    }
    let edge = ends_between_games(path, before.size).map_err(|error| Error::from(error).at(path))?;
    if edge { Ok(Some(before.size)) } else { changed("it has grown in the middle of a game") }
}

/// Whether a game surely ends at this offset: the line before it ends with a result, and a tag follows.
fn ends_between_games(path: &Path, at: u64) -> std::io::Result<bool> {
    const LOOK: u64 = 4 << 10;
    let mut file = File::open(path)?;
    let start = at.saturating_sub(LOOK);
    file.seek(SeekFrom::Start(start))?;
    let mut near = Vec::new();
    file.take(at - start + LOOK).read_to_end(&mut near)?;
    let (before, after) = near.split_at(((at - start) as usize).min(near.len()));
    let last = before.trim_ascii().rsplit(u8::is_ascii_whitespace).next().unwrap_or(b"");
    let ended = !matches!(GameResult::parse(last), GameResult::Text(_) | GameResult::Unknown);
    Ok(ended && before.ends_with(b"\n") && after.trim_ascii_start().starts_with(b"["))
}
