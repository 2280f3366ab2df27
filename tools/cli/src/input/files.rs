//! Reads archives and hands their batches to worker threads; results are consumed in archive order.
//!
//! Inputs that cannot be read are reported on standard error, and the others are processed.

use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::archive::{Archive, Batch, Batches};
use pdn::index::Index;
use pdn::source::{self, OpenOptions};
use pdn::{Error, pool};

use super::part::InputPart;
use super::{hardly_pdn, skipped};
use crate::args::InputArgs;
use crate::output::{Output, sanitize};
use pdn_app::numbers::count;
use pdn_app::searched::is_index;

/// Work on one batch, done on many threads.
pub(crate) trait BatchWork: Sync {
    /// Memory that a thread keeps from batch to batch.
    type Scratch;
    /// The result of one batch.
    type Product: Send;

    /// Creates the scratch memory of one thread.
    fn scratch(&self) -> Self::Scratch;
    /// Processes one batch.
    fn work(&self, scratch: &mut Self::Scratch, batch: &Batch) -> Self::Product;
}

/// Receives inputs and the results of their batches, in archive order. An error is one of writing results and ends the
/// reading.
pub(crate) trait BatchConsumer<P> {
    /// Begins an input: a file or an entry of a zip.
    fn begin_input(&mut self, name: &Path, out: &mut Output) -> io::Result<()>;
    /// Receives a batch of the current input and its result.
    fn batch(&mut self, batch: &Batch, product: P, out: &mut Output) -> io::Result<()>;
    /// Ends the current input.
    fn end_input(&mut self, name: &Path, out: &mut Output) -> io::Result<()>;
}

/// Reads every input that `args` names. Returns `true` if all of them could be read completely.
///
/// # Errors
///
/// The first error of `consumer`.
pub(crate) fn process<W: BatchWork>(
    args: &InputArgs,
    work: &W,
    consumer: &mut impl BatchConsumer<W::Product>,
    out: &mut Output,
) -> io::Result<bool> {
    process_part(args, None, work, consumer, out)
}

/// As [`process`], but reads only a part of each file, if one is given.
pub(crate) fn process_part<W: BatchWork>(
    args: &InputArgs,
    part: Option<&InputPart>,
    work: &W,
    consumer: &mut impl BatchConsumer<W::Product>,
    out: &mut Output,
) -> io::Result<bool> {
    let mut complete = true;
    let paths = find_files(args, out, &mut complete);
    let sizes: Vec<u64> =
        paths.iter().map(|path| path.metadata().map_or(0, |metadata| metadata.len())).collect();
    let has_stream = paths.iter().any(|path| source::is_stream(path));
    out.start_progress((!has_stream).then(|| sizes.iter().sum()));
    let options = OpenOptions::new().map(args.mmap.into()).encoding(args.encoding);
    let mut current_input: Option<PathBuf> = None;
    let mut bytes_before = 0;
    let mut written = Ok(());
    let process_event = |scratch: &mut W::Scratch, event: ReadEvent| match event {
        ReadEvent::Batch(batch) => {
            let product = work.work(scratch, &batch);
            ProcessedEvent::Batch(batch, product)
        }
        ReadEvent::Begin => ProcessedEvent::Begin,
        ReadEvent::Note(message) => ProcessedEvent::Note(message),
        ReadEvent::Error(message) => ProcessedEvent::Error(message),
        ReadEvent::End(path) => ProcessedEvent::End(path),
    };
    let mut is_empty = true;
    pool::ordered(
        ReadEvents::new(paths, options, part.cloned()),
        args.threads.unwrap_or_else(pool::default_threads),
        || work.scratch(),
        process_event,
        |event| {
            written = match event {
                ProcessedEvent::Begin => {
                    is_empty = true;
                    Ok(())
                }
                ProcessedEvent::Batch(batch, product) => {
                    is_empty = false;
                    out.set_progress(bytes_before + batch.progress().read());
                    switch_input(&mut current_input, Some(&batch), consumer, out)
                        .and_then(|()| consumer.batch(&batch, product, out))
                }
                ProcessedEvent::Note(message) => {
                    out.print_error(&message);
                    Ok(())
                }
                ProcessedEvent::Error(message) => {
                    is_empty = false;
                    complete = false;
                    out.print_error(&message);
                    Ok(())
                }
                ProcessedEvent::End(path) => {
                    bytes_before += sizes.get(path.number).copied().unwrap_or(0);
                    let ended = switch_input(&mut current_input, None, consumer, out);
                    if is_empty {
                        out.print_error(&format!("{}: is empty", sanitize::path(&path.name)));
                        ended
                            .and_then(|()| consumer.begin_input(&path.name, out))
                            .and_then(|()| consumer.end_input(&path.name, out))
                    } else {
                        ended
                    }
                }
            };
            if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    out.end_progress();
    written.map(|()| complete)
}

/// Ends the current input and begins that of `batch`, if they differ; with no batch, only ends the current input.
fn switch_input<P>(
    current: &mut Option<PathBuf>,
    batch: Option<&Batch>,
    consumer: &mut impl BatchConsumer<P>,
    out: &mut Output,
) -> io::Result<()> {
    if batch.is_some_and(|batch| !batch.begins_input()) {
        return Ok(());
    }
    if let Some(name) = current.take() {
        consumer.end_input(&name, out)?;
    }
    if let Some(batch) = batch {
        consumer.begin_input(batch.name(), out)?;
        *current = Some(batch.name().to_owned());
    }
    Ok(())
}

/// Returns the files that the arguments name. Reports folders that cannot be searched and folders without PDN files, and
/// sets `complete` to `false` for them.
fn find_files(args: &InputArgs, out: &Output, complete: &mut bool) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let named = match &args.paths[..] {
        [dir] if is_index(dir) => indexed_files(dir, out, complete),
        named => {
            for dir in named.iter().filter(|path| is_index(path)) {
                *complete = false;
                let dir = sanitize::path(dir);
                out.print_error(&format!("{dir} is an index: give either one index or archives"));
            }
            named.iter().filter(|path| !is_index(path)).cloned().collect()
        }
    };
    let mut walk = source::walk(named.iter().cloned());
    for path in walk.by_ref() {
        match path {
            Ok(path) => paths.push(path),
            Err(error) => {
                *complete = false;
                out.print_error(&error_message(&error));
            }
        }
    }
    skipped::report(walk.skipped(), out);
    for folder in named.iter().filter(|path| path.is_dir()) {
        if !paths.iter().any(|path| path.starts_with(folder)) {
            *complete = false;
            out.print_error(&format!("{}: no PDN file in this folder", sanitize::path(folder)));
        }
    }
    paths
}

/// Returns the files that an index was made of, as the user named them then if that still leads to them. Reports inputs
/// that were no files, and sets `complete` to `false` for them.
fn indexed_files(dir: &Path, out: &Output, complete: &mut bool) -> Vec<PathBuf> {
    let index = match Index::open(dir) {
        Ok(index) => index,
        Err(error) => {
            *complete = false;
            out.print_error(&error_message(&error));
            return Vec::new();
        }
    };
    let dir = sanitize::path(dir);
    let mut files: Vec<PathBuf> = Vec::new();
    for input in index.inputs() {
        let Some(path) = &input.path else {
            *complete = false;
            let name = sanitize::path(&input.name);
            out.print_error(&format!("{dir}: `{name}` was not a file when it was indexed"));
            continue;
        };
        let is_same = std::path::absolute(&input.name).is_ok_and(|absolute| absolute == *path);
        let file = if is_same { &input.name } else { path };
        // The entries of a zip are inputs of one file, and stand together.
        if files.last() != Some(file) {
            files.push(file.clone());
        }
    }
    let count = count(files.len() as u64, "archive");
    out.print_error(&format!("{dir} is an index; reading the {count} that it was made of"));
    files
}

/// Formats an error for a terminal.
fn error_message(error: &Error) -> String {
    sanitize::text(&error.to_string()).into_owned()
}

/// A file to be read and its index among all files.
struct NumberedPath {
    number: usize,
    name: PathBuf,
}

/// A step of reading files, in order.
enum ReadEvent {
    Begin,
    Batch(Batch),
    /// A message that is no error.
    Note(String),
    Error(String),
    End(NumberedPath),
}

/// A [`ReadEvent`] with the result of its batch.
enum ProcessedEvent<P> {
    Begin,
    Batch(Batch, P),
    Note(String),
    Error(String),
    End(NumberedPath),
}

/// Iterates over the batches of all files, which are opened one after the other.
struct ReadEvents {
    paths: std::iter::Enumerate<std::vec::IntoIter<PathBuf>>,
    options: OpenOptions,
    /// The part of each file that is read; `None` for all.
    part: Option<InputPart>,
    open: Option<(NumberedPath, Batches)>,
    /// Events that come before any further reading.
    pending: VecDeque<ReadEvent>,
    /// `true` while the batches of an input that is not text are skipped.
    skips_input: bool,
}

impl ReadEvents {
    fn new(paths: Vec<PathBuf>, options: OpenOptions, part: Option<InputPart>) -> Self {
        let paths = paths.into_iter().enumerate();
        Self { paths, options, part, open: None, pending: VecDeque::new(), skips_input: false }
    }

    /// Opens the next file; returns `None` after the last.
    fn open_next(&mut self) -> Option<ReadEvent> {
        let (number, name) = self.paths.next()?;
        let opened = match &self.part {
            Some(part) => part.open(&name, &self.options),
            None => Archive::open_with(&name, &self.options),
        };
        let path = NumberedPath { number, name };
        match opened {
            Ok(archive) => self.open = Some((path, archive.batches())),
            Err(error) => {
                self.pending.extend([ReadEvent::Error(error_message(&error)), ReadEvent::End(path)]);
            }
        }
        Some(ReadEvent::Begin)
    }
}

impl Iterator for ReadEvents {
    type Item = ReadEvent;

    fn next(&mut self) -> Option<ReadEvent> {
        if let Some(event) = self.pending.pop_front() {
            return Some(event);
        }
        let Some((_, batches)) = &mut self.open else { return self.open_next() };
        for batch in batches {
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => return Some(ReadEvent::Error(error_message(&error))),
            };
            // The file of a part was judged by its first bytes when its parts were found.
            if batch.begins_input() && self.part.is_none() {
                let error = source::require_text(batch.bytes()).err();
                self.skips_input = error.is_some();
                if let Some(error) = error {
                    return Some(ReadEvent::Error(error_message(&error.at(batch.name()))));
                }
                if let Some(note) = hardly_pdn::note(batch.bytes()) {
                    let note = format!("{} {note}", sanitize::path(batch.name()));
                    self.pending.push_back(ReadEvent::Batch(batch));
                    return Some(ReadEvent::Note(note));
                }
            }
            if !self.skips_input {
                return Some(ReadEvent::Batch(batch));
            }
        }
        self.open.take().map(|(path, _)| ReadEvent::End(path))
    }
}
