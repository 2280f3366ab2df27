//! The command `pdn` in this process: as the program that the wheel installs, and as functions that write archives.
//!
//! `pdn.convert`, `pdn.fix` and `pdn.dedup` call the code of the commands with `--json` instead of the library below it. Filters,
//! temporary indexes, order, parts, journals, names of files and the counts of the summary belong to the commands; here they would be
//! written a second time, and differ. `pdn/_writing.py` turns arguments into options, and lines of JSON into dictionaries.

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pdn_cli::CallResult;
use pdn_tables::{ArchiveInput, Rows};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{error, from_pdn, parse_query};
use crate::source::{self, ReadOptions, Source};

/// The interval at which signals such as Ctrl-C are checked.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);
/// The bytes of stack that a command has: those of the main thread of a program.
const STACK_BYTES: usize = 8 << 20;
/// The exit code of a program that panics.
const PANICKED: u8 = 101;

/// Runs the command `pdn` with these arguments, the first of which is the name of the program. Returns its exit code.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    // The message of a panic is printed; a traceback of Python would say nothing more.
    py.detach(|| catch_unwind(AssertUnwindSafe(|| pdn_cli::run(arguments))).unwrap_or(PANICKED))
}

/// Calls `pdn convert`, `pdn fix` or `pdn dedup` with these arguments. Returns the exit code, the output and the messages.
#[pyfunction]
pub(crate) fn call_command(
    py: Python<'_>,
    arguments: Vec<OsString>,
) -> PyResult<(u8, Bound<'_, PyBytes>, Vec<String>)> {
    let stop = Arc::new(AtomicBool::new(false));
    let (done, mut waiting) = mpsc::channel::<()>();
    let called = {
        let stop = Arc::clone(&stop);
        thread::Builder::new().name("pdn".to_owned()).stack_size(STACK_BYTES).spawn(move || {
            // Dropped at the end, also of a panic.
            let _done = done;
            pdn_cli::call(arguments, stop)
        })
    };
    let called = called.map_err(|cause| error(py, format!("cannot start a thread: {cause}")))?;
    let mut interrupted = None;
    loop {
        let waiting = &mut waiting;
        match py.detach(move || waiting.recv_timeout(SIGNAL_INTERVAL)) {
            Err(RecvTimeoutError::Timeout) if interrupted.is_none() => {
                if let Err(signal) = py.check_signals() {
                    // The command removes its unfinished files before the exception is raised.
                    stop.store(true, Ordering::Relaxed);
                    interrupted = Some(signal);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let CallResult { exit_code, output, messages, .. } =
        py.detach(|| called.join()).unwrap_or_else(|panic| resume_unwind(panic));
    match interrupted {
        Some(signal) => Err(signal),
        None => Ok((exit_code, PyBytes::new(py, &output), messages)),
    }
}

/// The inputs of a command: paths, texts with their names, and the variant and the encoding that they are read with.
type Inputs = (Vec<PathBuf>, Vec<(String, Vec<u8>)>, Option<&'static str>, Option<&'static str>);

/// Returns the files and the texts that an argument names, and how they are read. Checks the arguments that several functions
/// share, before anything is written.
#[pyfunction]
pub(crate) fn command_inputs(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    r#where: Option<&str>,
    variant: Option<&str>,
    encoding: Option<&str>,
    threads: Option<usize>,
) -> PyResult<Inputs> {
    let mut options = ReadOptions::new(py, variant, encoding, false)?;
    source::threads(py, threads)?;
    parse_query(py, "where", r#where)?;
    let (mut paths, mut texts) = (Vec::new(), Vec::new());
    match Source::of(source, &mut options)?.rows {
        Rows::Index(index) => paths.push(index.dir().to_owned()),
        Rows::Archives(archives) => {
            for archive in archives {
                match archive {
                    ArchiveInput::File(path) if path == Path::new("-") => {
                        return Err(error(py, "give `sys.stdin.buffer` to read standard input"));
                    }
                    ArchiveInput::File(path) => paths.push(path),
                    ArchiveInput::Memory(name, bytes) => {
                        texts.push((name.to_string_lossy().into_owned(), bytes.to_vec()));
                    }
                    ArchiveInput::Remote(_) => {
                        return Err(error(
                            py,
                            "this takes local files, not URLs; copy the files to this machine first",
                        ));
                    }
                    ArchiveInput::Part(..) | ArchiveInput::RemotePart(..) => {
                        return Err(error(py, "this takes whole files, not parts of files"));
                    }
                }
            }
        }
    }
    Ok((paths, texts, options.variant.map(|it| it.name()), options.open.encoding.map(|it| it.name())))
}

/// Takes back the changes that a journal of `pdn.fix` lists. Returns the path of the file and the number of changes.
#[pyfunction]
pub(crate) fn undo_fix(py: Python<'_>, journal: PathBuf) -> PyResult<(PathBuf, u64)> {
    let undone = py.detach(|| pdn::edit::undo_file(&journal));
    undone.map(|undone| (undone.path, undone.changes)).map_err(|error| from_pdn(py, &error))
}
