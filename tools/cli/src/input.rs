//! From paths to games: batches of games are worked on by all threads and consumed in the order of the
//! archive.
//!
//! What cannot be read is reported on standard error and the rest is done.

use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn::archive::{Archive, Batch};
use pdn::source::{self, OpenOptions};
use pdn::{Error, pool};

use crate::args::InputArgs;
use crate::clean;
use crate::head::{Head, Heads};
use crate::output::Output;

/// What is made of games, on many threads.
pub(crate) trait Work: Sync {
    /// Memory that a thread keeps from batch to batch.
    type Scratch;
    /// What a batch becomes.
    type Product: Send;

    fn scratch(&self) -> Self::Scratch;
    /// `head` is the beginning of the input that the batch is part of.
    fn work(&self, scratch: &mut Self::Scratch, batch: &Batch, head: &Arc<Head>) -> Self::Product;
}

/// Hears of the batches in order. Errors are those of writing results; they end the reading.
pub(crate) trait Consume<P> {
    /// An input begins: a file, or an entry of a zip.
    fn open(&mut self, name: &Path, out: &mut Output) -> io::Result<()>;
    /// A batch of it.
    fn batch(&mut self, batch: &Batch, product: P, out: &mut Output) -> io::Result<()>;
    /// The input is over.
    fn close(&mut self, name: &Path, out: &mut Output) -> io::Result<()>;
}

/// Reads everything that `args` names. Answers whether all of it could be read.
pub(crate) fn read<W: Work>(
    args: &InputArgs,
    work: &W,
    consumer: &mut impl Consume<W::Product>,
    out: &mut Output,
) -> io::Result<bool> {
    let mut complete = true;
    let paths = paths(args, out, &mut complete);
    let sizes: Vec<u64> = paths.iter().map(|path| path.metadata().map_or(0, |found| found.len())).collect();
    let endless = paths.iter().any(|path| source::is_stream(path));
    out.progress((!endless).then(|| sizes.iter().sum()));
    let options = OpenOptions::new().map(args.mmap.into()).encoding(args.encoding);
    let mut current: Option<PathBuf> = None;
    let mut done = 0;
    let mut written = Ok(());
    let step = |scratch: &mut W::Scratch, event: Event| match event {
        Event::Batch(batch, head) => {
            let product = work.work(scratch, &batch, &head);
            Step::Batch(batch, product)
        }
        Event::Begin => Step::Begin,
        Event::Problem(problem) => Step::Problem(problem),
        Event::End(path) => Step::End(path),
    };
    let mut nothing_read = true;
    pool::ordered(
        Events::new(paths, options),
        args.threads.unwrap_or_else(pool::default_threads),
        || work.scratch(),
        step,
        |step| {
            written = match step {
                Step::Begin => {
                    nothing_read = true;
                    Ok(())
                }
                Step::Batch(batch, product) => {
                    nothing_read = false;
                    out.at(done + batch.progress().read());
                    begin(&mut current, Some(&batch), consumer, out)
                        .and_then(|()| consumer.batch(&batch, product, out))
                }
                Step::Problem(problem) => {
                    nothing_read = false;
                    complete = false;
                    out.complain(&problem);
                    Ok(())
                }
                Step::End(path) => {
                    done += sizes.get(path.number).copied().unwrap_or(0);
                    let ended = begin(&mut current, None, consumer, out);
                    if nothing_read {
                        out.complain(&format!("{}: is empty", clean::path(&path.name)));
                        ended
                            .and_then(|()| consumer.open(&path.name, out))
                            .and_then(|()| consumer.close(&path.name, out))
                    } else {
                        ended
                    }
                }
            };
            if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    out.progress_done();
    written.map(|()| complete)
}

/// Closes the input that was open and opens that of `batch`, where the two differ.
fn begin<P>(
    current: &mut Option<PathBuf>,
    batch: Option<&Batch>,
    consumer: &mut impl Consume<P>,
    out: &mut Output,
) -> io::Result<()> {
    if batch.is_some_and(|batch| !batch.begins_input()) {
        return Ok(());
    }
    if let Some(name) = current.take() {
        consumer.close(&name, out)?;
    }
    if let Some(batch) = batch {
        consumer.open(batch.name(), out)?;
        *current = Some(batch.name().to_owned());
    }
    Ok(())
}

/// The files behind the arguments. Complains of what cannot be searched and of folders without PDN files.
fn paths(args: &InputArgs, out: &Output, complete: &mut bool) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for path in source::walk(args.paths.iter().cloned()) {
        match path {
            Ok(path) => paths.push(path),
            Err(error) => {
                *complete = false;
                out.complain(&words(&error));
            }
        }
    }
    for folder in args.paths.iter().filter(|path| path.is_dir()) {
        if !paths.iter().any(|path| path.starts_with(folder)) {
            *complete = false;
            out.complain(&format!("{}: no PDN file in this folder", clean::path(folder)));
        }
    }
    paths
}

/// An error as a sentence for a terminal.
fn words(error: &Error) -> String {
    clean::clean(&error.to_string()).into_owned()
}

/// One of the paths to be read.
struct Numbered {
    number: usize,
    name: PathBuf,
}

/// What happens in reading, in order.
enum Event {
    Begin,
    Batch(Batch, Arc<Head>),
    Problem(String),
    End(Numbered),
}

/// The same with the batch worked on.
enum Step<P> {
    Begin,
    Batch(Batch, P),
    Problem(String),
    End(Numbered),
}

/// Opens one path after the other and hands out its batches.
struct Events {
    paths: std::iter::Enumerate<std::vec::IntoIter<PathBuf>>,
    options: OpenOptions,
    open: Option<(Numbered, Heads)>,
    /// What comes before anything else is read.
    pending: VecDeque<Event>,
    /// Passing over an input that is not text.
    skipping: bool,
}

impl Events {
    fn new(paths: Vec<PathBuf>, options: OpenOptions) -> Self {
        let paths = paths.into_iter().enumerate();
        Self { paths, options, open: None, pending: VecDeque::new(), skipping: false }
    }

    /// Opens the next path.
    fn begin(&mut self) -> Option<Event> {
        let (number, name) = self.paths.next()?;
        let archive = Archive::open_with(&name, &self.options);
        let path = Numbered { number, name };
        match archive {
            Ok(archive) => self.open = Some((path, Heads::new(archive.batches()))),
            Err(error) => self.pending.extend([Event::Problem(words(&error)), Event::End(path)]),
        }
        Some(Event::Begin)
    }
}

impl Iterator for Events {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        if let Some(event) = self.pending.pop_front() {
            return Some(event);
        }
        let Some((_, batches)) = &mut self.open else { return self.begin() };
        for batch in batches {
            let (batch, head) = match batch {
                Ok(batch) => batch,
                Err(error) => return Some(Event::Problem(words(&error))),
            };
            if batch.begins_input() {
                let problem = source::require_text(batch.bytes()).err();
                self.skipping = problem.is_some();
                if let Some(problem) = problem {
                    return Some(Event::Problem(words(&problem.at(batch.name()))));
                }
            }
            if !self.skipping {
                return Some(Event::Batch(batch, head));
            }
        }
        self.open.take().map(|(path, _)| Event::End(path))
    }
}
