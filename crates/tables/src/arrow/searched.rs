//! Rows of the games that a search finds, made on a thread of their own.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::thread;
use std::time::{Duration, Instant};

use crate::IndexRows;
use arrow_array::RecordBatch;
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use pdn_index::internal::{TemporaryIndex, import_archives};
use pdn_index::{ImportOptions, Index};

use crate::arrow::error::TableError;
use crate::arrow::input::TableArchive;
use crate::arrow::table::{ArrowTable, Rows, TableOptions};

/// Time that a dropped reader waits for its thread to remove the temporary folder. The thread looks for a stop every half megabyte of
/// text.
const MAX_REMOVAL_WAIT: Duration = Duration::from_millis(500);

/// Receives the rows of the found games.
#[derive(Debug)]
pub(crate) struct SearchedRows {
    batches: Receiver<Result<RecordBatch, TableError>>,
    worker: Option<thread::JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

impl SearchedRows {
    /// Starts the thread that searches and makes the rows. Archives are indexed in a temporary folder first.
    pub(crate) fn start(mut table: ArrowTable) -> Self {
        let (sender, batches) = bounded(2 * table.options.threads.get());
        let stop = Arc::new(AtomicBool::new(false));
        let (failed, worker) = (sender.clone(), {
            let stop = Arc::clone(&stop);
            thread::Builder::new().spawn(move || {
                let send = |batch| match sender.send(batch) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                };
                let made = match &mut table.rows {
                    Rows::Index(index) => {
                        let index = Arc::clone(index);
                        table.send_rows(&index, true, send)
                    }
                    // Archives in memory are freed once they are indexed.
                    Rows::Archives(archives) => {
                        index_archives(std::mem::take(archives), &table.options, &stop)
                            .and_then(|index| table.send_rows(&index, false, send))
                    }
                };
                match made {
                    Ok(skipped) => _ = table.incomplete.fetch_add(skipped, Ordering::Relaxed),
                    Err(error) => _ = sender.send(Err(error)),
                }
            })
        });
        // The first batch is the error if the system has no room for a thread.
        let worker = worker.map_err(|error| failed.send(Err(TableError::Source(error.into())))).ok();
        Self { batches, worker, stop }
    }

    /// Returns the next batch, or `Pending` if none came within `timeout`.
    ///
    /// # Panics
    /// If the thread panicked.
    pub(crate) fn poll_within(&mut self, timeout: Duration) -> Poll<Option<Result<RecordBatch, TableError>>> {
        match self.batches.recv_timeout(timeout) {
            Ok(batch) => Poll::Ready(Some(batch)),
            Err(RecvTimeoutError::Timeout) => Poll::Pending,
            Err(RecvTimeoutError::Disconnected) => {
                if let Some(Err(panic)) = self.worker.take().map(thread::JoinHandle::join) {
                    std::panic::resume_unwind(panic);
                }
                Poll::Ready(None)
            }
        }
    }
}

impl Drop for SearchedRows {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // The folder should be gone when the process ends soon after.
        let deadline = Instant::now() + MAX_REMOVAL_WAIT;
        while self.batches.recv_deadline(deadline).is_ok() {}
    }
}

impl ArrowTable {
    /// Makes the rows of the games of an index that match the query, and passes them to `send` until it breaks. Returns the number of
    /// records whose rows are incomplete. The column `game` is null unless the games are `numbered`.
    fn send_rows(
        &self,
        index: &Index,
        numbered: bool,
        mut send: impl FnMut(Result<RecordBatch, TableError>) -> ControlFlow<()>,
    ) -> Result<u64, TableError> {
        let options = &self.options;
        let rows = IndexRows::new(index, &self.selection, &options.export, options.threads)?
            .encoding(options.open.encoding)
            .numbered(numbered);
        let consume = |batch: Result<RecordBatch, TableError>| {
            let failed = batch.is_err();
            let sent = send(batch);
            if failed { ControlFlow::Break(()) } else { sent }
        };
        Ok(rows.for_each(|batch| self.conversion.record_batch(batch), consume)?)
    }
}

/// Indexes archives, with the texts of their records, which streams and containers cannot give again.
///
/// # Errors
/// If an archive cannot be read, the temporary folder cannot be written, the query asks for squares that mean different things in
/// these games, or `stop` is set.
fn index_archives(
    archives: Vec<TableArchive>,
    options: &TableOptions,
    stop: &AtomicBool,
) -> Result<TemporaryIndex, TableError> {
    let import = ImportOptions::new()
        .threads(options.threads)
        .open(options.open)
        .replay(options.export.replay.clone())
        .embed(true);
    let open = options.open;
    let skippable: Vec<PathBuf> =
        archives.iter().filter(|archive| archive.skips).map(|archive| archive.input.name().clone()).collect();
    let opened = archives.into_iter().map(move |archive| archive.input.open(&open));
    let (index, summary) = TemporaryIndex::build(|dir| {
        import_archives(opened, dir, &import, |_| {
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    })?;
    for failure in summary.failures {
        // The entries of a zip have names below that of the zip.
        if !skippable.iter().any(|path| failure.name.starts_with(path)) {
            // An archive that cannot be read to its end is an error, not fewer rows.
            return Err(failure.error.into());
        }
        options.skipped.push(failure.error);
    }
    TableError::check_query(&index, &options.export.query)?;
    Ok(index)
}
