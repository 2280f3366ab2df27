//! Reads all batches of all files in order, each with what is known about its input.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::options::ImportOptions;
use crate::row::input::{Fingerprint, IndexedInput};
use pdn::archive::{Archive, Batch, Batches};
use pdn::error::{Error, Result};
use pdn::internal::replay::ArchiveHead;
use pdn::internal::source::{file_at, is_stream, shortened};
use pdn::internal::syntax::{is_glued_star, result_len, result_may_start};
use pdn::internal::view::TagValues;
use pdn::replay;
use pdn::replay::Replayer;
use pdn::source::{OpenOptions, PathWalk};
use pdn::value::TagName;

/// A job for a worker.
pub(super) enum Job {
    /// Games that are to be replayed.
    Games(Box<GamesJob>),
    /// An unchanged file of the index.
    Unchanged,
    /// An empty file, and the numbers of its inputs in the index.
    Empty(Vec<u32>),
    /// A file, or the rest of one, that cannot be read or is not text.
    Failed(FailedInput),
}

/// A file, or the rest of one, that cannot be read or is not text.
pub(super) struct FailedInput {
    pub(super) name: PathBuf,
    pub(super) error: Error,
    /// The file on the disk; `None` for a stream.
    pub(super) file: Option<Arc<Path>>,
}

/// A batch, and what is known about its input.
pub(super) struct GamesJob {
    pub(super) batch: Batch,
    pub(super) event: InputEvent,
    /// Added to the offsets of the batch to get those of the input.
    pub(super) base: u64,
    /// Numbers of the inputs of the index that the file had before it was changed; for the first batch of the file.
    pub(super) replaced: Vec<u32>,
    path: Option<Arc<Path>>,
}

/// The effect of a batch on the current input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum InputEvent {
    /// The input continues.
    Continues,
    /// A new input begins. Its file had this fingerprint before it was read; `None` for a stream.
    Begins { has_file_offsets: bool, fingerprint: Option<Fingerprint> },
    /// Games were added to the file of a registered input, which has this fingerprint now.
    Resumes { input: u32, fingerprint: Fingerprint },
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

/// A file that the caller has opened.
#[derive(Debug)]
pub struct OpenedFile {
    /// The path by which it was opened.
    pub path: PathBuf,
    /// The file, wherever its cursor is.
    pub file: File,
    /// Its length in bytes when it was opened.
    pub len: u64,
}

/// What is imported.
pub(super) enum FeedInputs {
    /// Files, and the files of folders. One of them may be open already.
    Paths(Box<PathWalk>, Option<OpenedFile>),
    /// Archives that the caller opens.
    Archives(Box<dyn Iterator<Item = Result<Archive>> + Send>),
}

/// Iterates over all jobs.
pub(super) struct Feed {
    inputs: FeedInputs,
    /// Inputs of the index by the [`identity`] of their files.
    indexed: HashMap<PathBuf, Vec<(u32, IndexedInput)>>,
    /// Identities of the files that have been looked at, so that none is appended twice.
    seen: HashSet<PathBuf>,
    append: bool,
    /// Time of the last commit in nanoseconds since 1970.
    committed_at: Option<i64>,
    open: OpenOptions,
    replay: replay::ReplayOptions,
    file: Option<OpenFile>,
}

/// The file that is being read.
struct OpenFile {
    path: PathBuf,
    file_path: Option<Arc<Path>>,
    batches: Batches,
    /// What the first batch of each of its inputs does.
    event: InputEvent,
    /// Added to the offsets of the batches to get those of the file.
    base: u64,
    replaced: Vec<u32>,
    /// `true` until the first batch.
    empty: bool,
}

impl Feed {
    /// Creates the feed of an import into an index with the inputs `known`.
    pub(super) fn new(
        inputs: FeedInputs,
        known: &[IndexedInput],
        committed_at: Option<i64>,
        options: &ImportOptions,
    ) -> Self {
        let mut indexed: HashMap<PathBuf, Vec<(u32, IndexedInput)>> = HashMap::new();
        for (number, input) in known.iter().enumerate().filter(|(_, input)| !input.is_retired) {
            if let Some(path) = &input.path {
                indexed.entry(identity(path)).or_default().push((number as u32, input.clone()));
            }
        }
        Self {
            inputs,
            indexed,
            seen: HashSet::new(),
            append: options.append,
            committed_at,
            open: options.open,
            replay: options.replay.clone(),
            file: None,
        }
    }

    /// Opens a file once, and takes its fingerprint and its text from the open file. Returns a job at once if there is nothing to read.
    fn begin(&mut self, path: PathBuf) -> Result<Option<Job>> {
        if is_stream(&path) {
            let archive = Archive::open_with(&path, &self.open)?;
            self.begin_archive(path, archive);
            return Ok(None);
        }
        let at_path = |error: Error| error.at(&path);
        let file_path: Arc<Path> = std::path::absolute(&path).as_deref().unwrap_or(&path).into();
        let opened_before = match &mut self.inputs {
            FeedInputs::Paths(_, opened) => opened.take_if(|opened| opened.path == path),
            FeedInputs::Archives(_) => None,
        };
        if let Some(opened) = &opened_before {
            let len = opened.file.metadata().map_err(|error| at_path(error.into()))?.len();
            if len < opened.len {
                return Err(at_path(shortened(len, opened.len)));
            }
        }
        let mut file = opened_before.map(|opened| opened.file);
        let (mut resumed, mut replaced) = (None, Vec::new());
        if self.append {
            let identity = identity(&file_path);
            let inputs = self.indexed.get(&identity);
            if !self.seen.insert(identity) {
                return Ok(Some(Job::Unchanged));
            }
            if let Some(inputs) = inputs
                && let Some((number, input)) = inputs.first()
            {
                let is_incomplete = inputs.iter().any(|(_, input)| input.is_incomplete);
                let change = match &input.fingerprint {
                    Some(before) if !is_untouched(before, &file_path, self.committed_at)? => {
                        file_change(input, before, opened(&mut file, &path)?).map_err(at_path)?
                    }
                    _ => FileChange::None,
                };
                resumed = match change {
                    // What is missing is missing still, and must not be forgotten.
                    FileChange::None if is_incomplete => {
                        let error = io::Error::new(io::ErrorKind::UnexpectedEof, STILL_INCOMPLETE);
                        let (error, file) = (error.into(), Some(file_path));
                        return Ok(Some(Job::Failed(FailedInput { name: path, error, file })));
                    }
                    FileChange::None => return Ok(Some(Job::Unchanged)),
                    FileChange::Grown(_) if is_incomplete => None,
                    FileChange::Grown(offset) => {
                        let file = opened(&mut file, &path)?;
                        let head = self.head_that_keeps_games(input, &path, file, offset)?;
                        head.map(|head| (*number, offset, head))
                    }
                    FileChange::Other => None,
                };
                if resumed.is_none() {
                    replaced = inputs.iter().map(|(number, _)| *number).collect();
                }
            }
        }
        let mut file = file.map_or_else(|| file_at(&path), Ok)?;
        let fingerprint = Fingerprint::of(&file).map_err(at_path);
        let (archive, event, base) = match resumed {
            Some((input, offset, head)) => {
                let event = InputEvent::Resumes { input, fingerprint: fingerprint? };
                file.seek(SeekFrom::Start(offset)).map_err(|error| at_path(error.into()))?;
                let archive = Archive::from_reader(file, &path, &self.open)?;
                (archive.with_head(head.given(&self.open)), event, offset)
            }
            None => {
                let archive = Archive::from_file(file, &path, &self.open)?;
                let has_file_offsets = archive.has_file_offsets();
                (archive, InputEvent::Begins { has_file_offsets, fingerprint: fingerprint.ok() }, 0)
            }
        };
        self.begin_archive(path, archive);
        if let Some(file) = &mut self.file {
            (file.file_path, file.event, file.base, file.replaced) = (Some(file_path), event, base, replaced);
        }
        Ok(None)
    }

    /// Returns what the first records of a grown file decide about all its records: its encoding, the order of its dates and of the numbers
    /// of its scores, and the ranking of the variants. `None` if one of the earlier games, which end at offset `added_at`, has another text,
    /// date, winner or variant now than it had when it was indexed.
    ///
    /// Games that were added change this for the first 4 MiB of a file at most, so that few games are compared.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    fn head_that_keeps_games(
        &self,
        input: &IndexedInput,
        path: &Path,
        file: &File,
        added_at: u64,
    ) -> Result<Option<ArchiveHead>> {
        let head = |archive: Archive| ArchiveHead::of(self.limited(archive), &self.replay);
        let from_start = || {
            let mut file = file.try_clone()?;
            file.rewind().map(|()| file)
        };
        let from_start = || from_start().map_err(|error| Error::from(error).at(path));
        // One after the other: they share the position of the file.
        let earlier_games = || Archive::from_reader(from_start()?.take(added_at), path, &self.open);
        let now = head(Archive::from_file(from_start()?, path, &self.open)?)?;
        let before = head(earlier_games()?)?;
        // Of an index that does not store the decoder, nothing is known.
        let Some(decoder_before) = input.decoder else { return Ok(None) };
        let decoder = now.decoder(self.open.encoding);
        let is_same_prior = now.prior == before.prior;
        let is_same_order = self.open.scores.is_some() || now.scores.order() == before.scores.order();
        if is_same_prior && is_same_order && decoder_before == decoder {
            return Ok(Some(now));
        }
        if decoder_before.forced() != decoder.forced() || !is_same_order {
            return Ok(None);
        }
        let mut replayer = Replayer::new(&self.replay);
        for batch in self.limited(earlier_games()?).batches() {
            for game in batch?.games() {
                let record = game.raw();
                let [text, text_before] =
                    [decoder, decoder_before].map(|decoder| decoder.guess(record).encoding);
                let tags = TagValues::of_names(&game.view(), &[TagName::Date]);
                let is_same = text == text_before
                    && tags.date(decoder.dates()) == tags.date(decoder_before.dates())
                    && (is_same_prior || replayer.names_variant(record));
                if !is_same {
                    return Ok(None);
                }
            }
        }
        Ok(Some(now))
    }

    /// Gives an archive the limits of the replays, if they have any of their own.
    fn limited(&self, archive: Archive) -> Archive {
        match self.replay.limits {
            Some(limits) => archive.limits(limits),
            None => archive,
        }
    }

    /// Begins to read an archive that is no file on the disk.
    fn begin_archive(&mut self, path: PathBuf, archive: Archive) {
        self.file = Some(OpenFile {
            path,
            file_path: None,
            batches: self.limited(archive).batches(),
            event: InputEvent::Begins { has_file_offsets: false, fingerprint: None },
            base: 0,
            replaced: Vec::new(),
            empty: true,
        });
    }
}

impl OpenFile {
    /// Creates the job of a batch.
    fn job(&self, batch: Batch, event: InputEvent, replaced: Vec<u32>) -> Job {
        let path = self.file_path.clone();
        Job::Games(Box::new(GamesJob { batch, event, base: self.base, replaced, path }))
    }
}

impl Iterator for Feed {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        loop {
            if let Some(mut file) = self.file.take() {
                let next = file.batches.next();
                if next.is_none() && file.empty && file.base == 0 {
                    return Some(Job::Empty(file.replaced));
                }
                file.empty = false;
                let of_file = file.file_path.clone();
                match next {
                    Some(Ok(batch)) if batch.begins_input() => {
                        let replaced = std::mem::take(&mut file.replaced);
                        let job = file.job(batch, file.event, replaced);
                        self.file = Some(file);
                        return Some(job);
                    }
                    Some(Ok(batch)) => {
                        let job = file.job(batch, InputEvent::Continues, Vec::new());
                        self.file = Some(file);
                        return Some(job);
                    }
                    Some(Err(error)) => {
                        let name = error.path().unwrap_or(&file.path).to_owned();
                        self.file = Some(file);
                        return Some(Job::Failed(FailedInput { name, error, file: of_file }));
                    }
                    None => {}
                }
                continue;
            }
            let failed = |error: Error| {
                let name = error.path().unwrap_or(Path::new("")).to_owned();
                Job::Failed(FailedInput { name, error, file: None })
            };
            let path = match &mut self.inputs {
                FeedInputs::Paths(paths, _) => match paths.next()? {
                    Ok(path) => path,
                    Err(error) => return Some(failed(error)),
                },
                FeedInputs::Archives(archives) => match archives.next()? {
                    Ok(archive) => {
                        self.begin_archive(PathBuf::new(), archive);
                        continue;
                    }
                    Err(error) => return Some(failed(error)),
                },
            };
            match self.begin(path.clone()) {
                Ok(None) => {}
                Ok(Some(job)) => return Some(job),
                Err(error) => return Some(Job::Failed(FailedInput { name: path, error, file: None })),
            }
        }
    }
}

/// What is wrong with an unchanged file of which a part could not be read.
const STILL_INCOMPLETE: &str =
    "a part of it could not be read when it was indexed, and it has not changed since";

/// Returns the path without symbolic links and `..`, so that a file has the same one whichever way it is named. A file that is gone
/// keeps its path.
fn identity(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Returns the file at `path`, which is opened the first time.
fn opened<'f>(file: &'f mut Option<File>, path: &Path) -> Result<&'f File> {
    match file {
        Some(file) => Ok(file),
        none => Ok(none.insert(file_at(path)?)),
    }
}

/// How a file differs from the one that was indexed.
enum FileChange {
    /// Not at all, as far as can be told without reading all of it.
    None,
    /// Games were added from this offset on.
    Grown(u64),
    /// In any other way.
    Other,
}

/// Nanoseconds by which a file must be older than the last commit for its size and time alone to prove that it is
/// unchanged: clocks of file systems are as coarse as two seconds.
const MIN_AGE: i64 = 2_000_000_000;

/// Returns `true` if the size and the time of a file alone prove that it is the one that was indexed.
///
/// # Errors
/// Fails if they cannot be read.
fn is_untouched(before: &Fingerprint, path: &Path, committed_at: Option<i64>) -> Result<bool> {
    let metadata = std::fs::metadata(path).map_err(|error| Error::from(error).at(path))?;
    let is_old = committed_at.is_some_and(|time| before.modified < time.saturating_sub(MIN_AGE));
    let is_same = metadata.len() == before.size && Fingerprint::time_of(&metadata) == before.modified;
    Ok(is_same && is_old && before.modified > 0)
}

/// Compares a file with the one that was indexed.
///
/// # Errors
/// Fails if the file cannot be read. The error has no path.
fn file_change(input: &IndexedInput, before: &Fingerprint, file: &File) -> Result<FileChange> {
    let size = file.metadata()?.len();
    if size < before.size || !Fingerprint::of_prefix(file, before.size)?.matches(before) {
        return Ok(FileChange::Other);
    }
    if size == before.size {
        return Ok(FileChange::None);
    }
    let is_plain = input.has_file_offsets && input.text_len == before.size;
    if is_plain && ends_between_games(file, before.size)? {
        return Ok(FileChange::Grown(before.size));
    }
    Ok(FileChange::Other)
}

/// Returns `true` if a game certainly ends at this offset: the line before ends with a result, and a tag follows.
fn ends_between_games(mut file: &File, offset: u64) -> io::Result<bool> {
    const MAX_LOOK: u64 = 4 << 10;
    const MAX_RESULT: usize = 32;
    let start = offset.saturating_sub(MAX_LOOK);
    file.seek(SeekFrom::Start(start))?;
    let mut nearby = Vec::new();
    file.take(offset - start + MAX_LOOK).read_to_end(&mut nearby)?;
    let (before, after) = nearby.split_at(((offset - start) as usize).min(nearby.len()));
    let text = before.trim_ascii_end();
    // Not any score: `34-29` is a move, and the tag after it can belong to the same game.
    let has_result = match text {
        [moves @ .., b'*'] => !is_glued_star(text, 0, moves.len()),
        _ => (text.len().saturating_sub(MAX_RESULT)..text.len())
            .any(|at| result_len(text, at) == Some(text.len() - at) && result_may_start(text, 0, at)),
    };
    Ok(has_result && before.ends_with(b"\n") && starts_with_tag(after.trim_ascii_start()))
}

/// Returns `true` if a text certainly begins with a tag: a bracket, a name of letters and digits, and a quote.
fn starts_with_tag(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"[") else { return false };
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && rest[name..].trim_ascii_start().starts_with(b"\"")
}
