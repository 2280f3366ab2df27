//! Reads archives and hands their batches to worker threads; results are consumed in archive order.
//!
//! An input that cannot be read is a problem of the context, and the others are processed.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::Error;
use pdn::archive::{Archive, Batch, Batches};
use pdn::internal::pool;
use pdn::internal::source::{Carrier, TextOffsets};
use pdn::source::{self, Bytes, OpenOptions};
#[cfg(feature = "index")]
use pdn_index::Index;

use super::Inputs;
use super::hardly_pdn;
use super::part::InputPart;
use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::numbers::count;
use crate::read::paths::{is_index, note_skipped};

/// Work on one batch, done on many threads.
pub trait BatchWork: Sync {
    /// Memory that a thread keeps from batch to batch.
    type Scratch;
    /// The result of one batch.
    type Product: Send;

    /// Creates the scratch memory of one thread.
    fn scratch(&self) -> Self::Scratch;
    /// Processes one batch.
    fn work(&self, scratch: &mut Self::Scratch, batch: &Batch) -> Self::Product;
}

/// Receives inputs and the results of their batches, in archive order. An error ends the reading.
pub trait BatchConsumer<P> {
    /// Why the work fails.
    type Error: From<AppError>;

    /// Begins an input, which is a file or an entry of a zip archive. `first` is its first batch, which knows the container and the form of
    /// its text; `None` if the input is empty.
    ///
    /// # Errors
    ///
    /// If the work cannot go on.
    fn begin_input(
        &mut self,
        name: &Path,
        first: Option<&Batch>,
        context: &mut Context<'_>,
    ) -> std::result::Result<(), Self::Error> {
        let _ = (name, first, context);
        Ok(())
    }

    /// Receives a batch of the current input and its result; breaks if no more is wanted.
    ///
    /// # Errors
    ///
    /// If the work cannot go on.
    fn batch(
        &mut self,
        batch: &Batch,
        product: P,
        context: &mut Context<'_>,
    ) -> std::result::Result<ControlFlow<()>, Self::Error>;

    /// Ends the current input.
    ///
    /// # Errors
    ///
    /// If the work cannot go on.
    fn end_input(&mut self, name: &Path, context: &mut Context<'_>) -> std::result::Result<(), Self::Error> {
        let _ = (name, context);
        Ok(())
    }
}

/// Reads all inputs, or only a part of the only one. Returns `true` if all of them could be read completely, or as much as was
/// wanted.
///
/// # Errors
///
/// The first error of `consumer`, or that the work was stopped.
pub fn process<W: BatchWork, C: BatchConsumer<W::Product>>(
    inputs: &Inputs,
    part: Option<&InputPart>,
    work: &W,
    consumer: &mut C,
    context: &mut Context<'_>,
) -> std::result::Result<bool, C::Error> {
    let mut found_all = true;
    let paths = find_files(inputs, context, &mut found_all);
    let sizes: Vec<u64> =
        paths.iter().map(|path| path.metadata().map_or(0, |metadata| metadata.len())).collect();
    let has_stream = paths.iter().any(|path| pdn::internal::source::is_stream(path));
    context.events.begin((!has_stream).then(|| sizes.iter().sum()));
    let events = ReadEvents::new(paths, inputs, part.cloned());
    let mut complete = true;
    let mut current_input: Option<PathBuf> = None;
    let mut carrier: Option<(Carrier, TextOffsets)> = None;
    let mut bytes_before = 0;
    let process_event = |scratch: &mut W::Scratch, event: ReadEvent| match event {
        ReadEvent::Batch(batch) => {
            let product = work.work(scratch, &batch);
            ProcessedEvent::Batch(batch, product)
        }
        ReadEvent::Begin => ProcessedEvent::Begin,
        ReadEvent::Note(message) => ProcessedEvent::Note(message),
        ReadEvent::Error(error) => ProcessedEvent::Error(error),
        ReadEvent::End(path) => ProcessedEvent::End(path),
    };
    let mut is_empty = true;
    let mut outcome = Ok(ControlFlow::Continue(()));
    let mut consume = |event: ProcessedEvent<W::Product>| {
        context.check()?;
        match event {
            ProcessedEvent::Begin => is_empty = true,
            ProcessedEvent::Batch(batch, product) => {
                is_empty = false;
                context.events.progress(bytes_before + batch.progress().read(), "");
                if batch.begins_input() {
                    if let Some(name) = current_input.take() {
                        note_carried(&name, carrier.take(), context);
                        consumer.end_input(&name, context)?;
                    }
                    consumer.begin_input(batch.name(), Some(&batch), context)?;
                    current_input = Some(batch.name().to_owned());
                    carrier = batch.carrier().map(|(carrier, offsets)| (carrier, offsets.clone()));
                }
                return consumer.batch(&batch, product, context);
            }
            ProcessedEvent::Note(message) => context.events.note(&message),
            ProcessedEvent::Error(error) => {
                is_empty = false;
                complete = false;
                context.events.problem(&error.into());
            }
            ProcessedEvent::End(path) => {
                bytes_before += sizes.get(path.number).copied().unwrap_or(0);
                if let Some(name) = current_input.take() {
                    note_carried(&name, carrier.take(), context);
                    consumer.end_input(&name, context)?;
                }
                if is_empty {
                    context.events.note(&format!("{}: is empty", path.name.display()));
                    consumer.begin_input(&path.name, None, context)?;
                    consumer.end_input(&path.name, context)?;
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    };
    pool::ordered(
        events,
        inputs.threads,
        || work.scratch(),
        process_event,
        |event| {
            outcome = consume(event);
            outcome.as_ref().map_or(ControlFlow::Break(()), |flow| *flow)
        },
    );
    context.events.end();
    outcome.map(|flow| found_all && (complete || flow.is_break()))
}

fn note_carried(name: &Path, carried: Option<(Carrier, TextOffsets)>, context: &mut Context<'_>) {
    if let Some((carrier, offsets)) = carried {
        note_carrier(name, carrier, offsets.outside(), context);
    }
}

/// Prints a note that an input is no PDN, and how many bytes around its games were left out.
pub(crate) fn note_carrier(name: &Path, carrier: Carrier, outside: u64, context: &mut Context<'_>) {
    let (name, kind, bytes) = (name.display(), carrier.name(), count(outside, "byte"));
    context
        .events
        .note(&format!("{name}: is {kind}; its games are read, and {bytes} around them are left out"));
}

/// Returns the files that the inputs name. Folders that cannot be searched and folders without PDN files are problems, which set
/// `complete` to `false`.
fn find_files(inputs: &Inputs, context: &mut Context<'_>, complete: &mut bool) -> Vec<PathBuf> {
    let mut problem = |context: &mut Context<'_>, error: AppError| {
        *complete = false;
        context.events.problem(&error);
    };
    let mut paths = Vec::new();
    let named = match &inputs.paths[..] {
        [dir] if is_index(dir) => match indexed_files(dir, context, &mut problem) {
            Ok(files) => files,
            Err(error) => {
                problem(context, error);
                Vec::new()
            }
        },
        named => {
            for dir in named.iter().filter(|path| is_index(path)) {
                let message = "is an index: give either one index or archives";
                problem(context, AppError::path(ErrorCode::Contradiction, dir, message));
            }
            named.iter().filter(|path| !is_index(path)).cloned().collect()
        }
    };
    let mut walk = source::walk(named.iter().cloned());
    for path in walk.by_ref() {
        match path {
            Ok(path) => paths.push(path),
            Err(error) => problem(context, error.into()),
        }
    }
    note_skipped(walk.skipped(), inputs.lists_skipped, context.events);
    for folder in named.iter().filter(|path| path.is_dir()) {
        if !paths.iter().any(|path| path.starts_with(folder)) {
            let message = "no PDN file in this folder";
            problem(context, AppError::path(ErrorCode::NotFound, folder, message));
        }
    }
    paths
}

/// Reads nothing: without the feature `index`, no folder is one.
#[cfg(not(feature = "index"))]
fn indexed_files(
    _: &Path,
    _: &mut Context<'_>,
    _: &mut impl FnMut(&mut Context<'_>, AppError),
) -> Result<Vec<PathBuf>> {
    Ok(Vec::new())
}

/// Returns the files that an index was made of, as the user named them then if that still leads to them. Inputs that were no files
/// are problems.
#[cfg(feature = "index")]
fn indexed_files(
    dir: &Path,
    context: &mut Context<'_>,
    problem: &mut impl FnMut(&mut Context<'_>, AppError),
) -> Result<Vec<PathBuf>> {
    let index = Index::open(dir)?;
    let mut files: Vec<PathBuf> = Vec::new();
    for input in index.inputs() {
        let Some(path) = &input.path else {
            let message = format!("`{}` was not a file when it was indexed", input.name.display());
            problem(context, AppError::path(ErrorCode::NotFound, dir, message));
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
    let dir = dir.display();
    context.events.note(&format!("{dir} is an index; reading the {count} that it was made of"));
    Ok(files)
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
    Error(Error),
    End(NumberedPath),
}

/// A [`ReadEvent`] with the result of its batch.
enum ProcessedEvent<P> {
    Begin,
    Batch(Batch, P),
    Note(String),
    Error(Error),
    End(NumberedPath),
}

/// Iterates over the batches of all files, which are opened one after the other.
struct ReadEvents {
    paths: std::iter::Enumerate<std::vec::IntoIter<PathBuf>>,
    options: OpenOptions,
    /// The part of each file that is read; `None` for all.
    part: Option<InputPart>,
    /// The text that `-` stands for; `None` for standard input.
    text: Option<Bytes>,
    open: Option<(NumberedPath, Batches)>,
    /// Events that come before any further reading.
    pending: VecDeque<ReadEvent>,
}

impl ReadEvents {
    fn new(paths: Vec<PathBuf>, inputs: &Inputs, part: Option<InputPart>) -> Self {
        Self {
            paths: paths.into_iter().enumerate(),
            options: inputs.open_options(),
            part,
            text: inputs.text.clone(),
            open: None,
            pending: VecDeque::new(),
        }
    }

    /// Opens the next file; returns `None` after the last.
    fn open_next(&mut self) -> Option<ReadEvent> {
        let (number, name) = self.paths.next()?;
        let text = self.text.take_if(|_| name == Path::new("-"));
        let opened = match (&self.part, text) {
            (Some(part), _) => part.open(&name, &self.options),
            (None, Some(text)) => Archive::from_bytes(text, &name, &self.options),
            (None, None) => Archive::open_with(&name, &self.options),
        };
        let path = NumberedPath { number, name };
        match opened {
            Ok(archive) => self.open = Some((path, archive.batches())),
            Err(error) => {
                self.pending.extend([ReadEvent::Error(error), ReadEvent::End(path)]);
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
        let batch = match batches.next() {
            Some(Ok(batch)) => batch,
            Some(Err(error)) => return Some(ReadEvent::Error(error)),
            None => return self.open.take().map(|(path, _)| ReadEvent::End(path)),
        };
        // The file of a part was judged by its first bytes when its parts were found.
        if batch.begins_input()
            && self.part.is_none()
            && let Some(note) = hardly_pdn::note(batch.bytes())
        {
            let note = format!("{} {note}", batch.name().display());
            self.pending.push_back(ReadEvent::Batch(batch));
            return Some(ReadEvent::Note(note));
        }
        Some(ReadEvent::Batch(batch))
    }
}
