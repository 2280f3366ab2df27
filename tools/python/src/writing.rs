//! The functions that write archives: `convert`, `fix` and `dedup`. Each asks a question of the crate `pdn-app`, and returns its answer as
//! a dictionary with the keys of `--json`.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pdn::internal::storage::WorkFolder;
use pdn::stop::Stop;
use pdn_app::ask::named::Named;
use pdn_app::ask::options::{Given, GivenOptions};
use pdn_app::read::inputs::{Inputs, ReadOptions, Threads};
use pdn_app::write::convert::ConvertRequest;
use pdn_app::write::dedup::{DedupEvent, DedupRequest};
use pdn_app::write::fix::{FixEvent, FixRequest};
use pdn_app::{AppError, Context, Events};
use pdn_tables::arrow::{ArchiveInput, Rows, SkippedArchives};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use serde_json::{Map, Value, json};

use crate::arguments::Mapping;
use crate::errors::{app_text, error, from_app, from_pdn};
use crate::index::Index;
use crate::options::{self, filter, read_all};
use crate::reading;
use crate::source::Source;

/// The interval at which signals such as Ctrl-C are checked.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);
/// The bytes of stack that a question has: those of the main thread of a program.
const STACK_BYTES: usize = 8 << 20;

/// Returns the choice of this name.
pub(crate) fn choice<T: Named>(py: Python<'_>, name: &str, text: &str) -> PyResult<T> {
    T::parse(text).map_err(|wrong| error(py, format!("{name}: `{text}`: {wrong}")))
}

/// Writes games as one clean archive, or several; see `pdn.convert`.
#[pyfunction]
#[pyo3(signature = (source, **options))]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut given = options::given(options)?;
    let call = Call::take(source, &mut given)?;
    let request = read_all(py, given, |given| {
        Ok(ConvertRequest {
            inputs: call.inputs.clone(),
            filter: filter(given)?,
            outputs: given.group()?,
            form: given.group()?,
            order: given.group()?,
        })
    })?;
    let has_text = request.outputs.output.is_none();
    let (answer, told) = stoppable(py, move |context| {
        let mut text = Vec::new();
        let mut keep = |bytes: &[u8]| {
            text.extend_from_slice(bytes);
            ControlFlow::Continue(())
        };
        let answer = request.run(&mut keep, context)?;
        let mut value = json!(answer);
        if has_text {
            value["text"] = String::from_utf8_lossy(&text).into();
        }
        Ok((value, answer.complete && answer.unreadable == 0))
    })?;
    call.result(py, answer, &told)
}

/// Finds repairs and makes them; see `pdn.fix`.
#[pyfunction]
#[pyo3(signature = (source, **options))]
pub(crate) fn fix<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut given = options::given(options)?;
    let call = Call::take(source, &mut given)?;
    let request =
        read_all(py, given, |given| FixRequest::with(call.inputs.clone(), &given.group()?, given.group()?))?;
    let write = request.write;
    if write && !call.names.is_empty() && call.inputs.paths.len() > 1 {
        let message = "write: files, or one text in memory, can be repaired, not both or several texts";
        return Err(error(py, message));
    }
    let in_memory = write && !call.names.is_empty();
    let (answer, told) = stoppable(py, move |context| {
        let mut repairs = Vec::new();
        let mut keep = |event: FixEvent<'_>| {
            match event {
                FixEvent::Repair(repair) => repairs.push(json!(repair)),
                FixEvent::Name(name) => repairs.push(json!(name)),
                FixEvent::Diff(_) | FixEvent::Text(_) => {}
            }
            ControlFlow::Continue(())
        };
        let mut answer = request.run(&mut keep, context)?;
        if in_memory {
            // They are gone together with the file.
            answer.journals.clear();
        }
        Ok((json!({ "repairs": repairs, "summary": answer }), answer.complete))
    })?;
    let result = call.result(py, answer, &told)?;
    if in_memory {
        result.set_item("data", PyBytes::new(py, &std::fs::read(&call.inputs.paths[0])?))?;
    }
    Ok(result)
}

/// Finds records of the same game; see `pdn.dedup`.
#[pyfunction]
#[pyo3(signature = (source, *, against=None, limit=None, **options))]
pub(crate) fn dedup<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    against: Option<&Bound<'py, PyAny>>,
    limit: Option<usize>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut given = options::given(options)?;
    let call = Call::take(source, &mut given)?;
    if let Some(against) = against {
        let index = against.cast::<Index>().map(|index| index.get().path());
        given.push("against", Given::Path(index.or_else(|_| against.extract())?));
    }
    let mut request = DedupRequest::new(call.inputs.clone());
    request.rules = read_all(py, given, GivenOptions::group)?;
    request.max_groups = limit.filter(|limit| *limit > 0).unwrap_or(usize::MAX);
    let (answer, told) = stoppable(py, move |context| {
        let mut groups: Vec<Value> = Vec::new();
        let mut others = Vec::new();
        let mut keep = |event: DedupEvent<'_>| {
            match event {
                DedupEvent::Keeper(class, keeper) => {
                    groups.push(json!({ "class": class.name(), "keeper": keeper }));
                }
                DedupEvent::Other(other) => others.push(json!(other)),
                DedupEvent::End { .. } => {
                    if let Some(group) = groups.last_mut() {
                        group["others"] = std::mem::take(&mut others).into();
                    }
                }
            }
            ControlFlow::Continue(())
        };
        let answer = request.run(&mut keep, context)?;
        Ok((json!({ "groups": groups, "summary": answer }), answer.complete))
    })?;
    call.result(py, answer, &told)
}

/// Takes back the changes that a journal of `pdn.fix` lists. Returns the path of the file and the number of changes.
#[pyfunction]
pub(crate) fn undo_fix(py: Python<'_>, journal: PathBuf) -> PyResult<(PathBuf, u64)> {
    let undone = py.detach(|| pdn::edit::undo_file(&journal));
    undone.map(|undone| (undone.path, undone.changes)).map_err(|error| from_pdn(py, &error))
}

/// The inputs of a question. Texts in memory are in temporary files.
pub(crate) struct Call {
    pub(crate) inputs: Inputs,
    /// The names of texts in memory, by the files that stand in for them.
    names: HashMap<String, String>,
    /// Files of folders that were left out.
    skipped: SkippedArchives,
    _folder: Option<WorkFolder>,
}

impl Call {
    /// Takes the options that several functions share, before anything is written.
    pub(crate) fn take(source: &Bound<'_, PyAny>, given: &mut GivenOptions) -> PyResult<Self> {
        let py = source.py();
        let maps_files = options::read(py, given, GivenOptions::group::<Mapping>)?.mmap;
        let threads = options::read(py, given, GivenOptions::group::<Threads>)?.number();
        let mut options = reading::ReadOptions::take_mapped(py, given, maps_files)?;
        let (mut paths, mut names, mut folder) = (Vec::new(), HashMap::new(), None);
        let source = Source::of(source, &mut options)?;
        let skipped = source.skipped;
        let archives = match source.rows {
            Rows::Index(index) => {
                paths.push(index.dir().to_owned());
                Vec::new()
            }
            Rows::Archives(archives) => archives,
        };
        for archive in archives {
            match archive.input {
                ArchiveInput::File(path) if path == Path::new("-") => {
                    return Err(error(py, "give `sys.stdin.buffer` to read standard input"));
                }
                ArchiveInput::File(path) => paths.push(path),
                ArchiveInput::Memory(name, bytes) => {
                    let folder = match &mut folder {
                        Some(folder) => folder,
                        none => none.insert(WorkFolder::within(std::env::temp_dir(), "inputs in memory")?),
                    };
                    let path = folder.path().join(format!("{}.pdn", names.len()));
                    std::fs::write(&path, &bytes[..])?;
                    names.insert(path.to_string_lossy().into_owned(), name.to_string_lossy().into_owned());
                    paths.push(path);
                }
                ArchiveInput::Remote(_) => {
                    let message = "this takes local files, not URLs; copy the files to this machine first";
                    return Err(error(py, message));
                }
                ArchiveInput::Part(..) | ArchiveInput::RemotePart(..) => {
                    return Err(error(py, "this takes whole files, not parts of files"));
                }
            }
        }
        let maps_files = maps_files && cfg!(target_os = "linux");
        let inputs = Inputs {
            paths,
            read: ReadOptions {
                variant: options.variant.map(Into::into),
                encoding: options.open.encoding,
                scores: options.open.scores,
            },
            maps_files,
            threads,
            lists_skipped: false,
            text: None,
        };
        Ok(Self { inputs, names, skipped, _folder: folder })
    }

    /// Returns the answer as a dictionary, or the error. What could not be read is an error that has the answer.
    pub(crate) fn result<'py>(
        &self,
        py: Python<'py>,
        answer: Result<(Value, bool), AppError>,
        told: &[Told],
    ) -> PyResult<Bound<'py, PyDict>> {
        let (value, is_complete) = answer.map_err(|mut failed| {
            failed.path = failed.path.take().map(|path| self.named(&path.to_string_lossy()).into());
            from_app(py, &failed)
        })?;
        let result = PyDict::new(py);
        if let Value::Object(map) = &value {
            for (key, item) in map {
                result.set_item(key, self.object(py, item)?)?;
            }
        }
        let skipped = self.skipped.errors();
        let mut messages: Vec<String> = skipped.iter().map(|error| error.to_string()).collect();
        messages.extend(told.iter().map(|told| self.text(told)));
        if is_complete && skipped.is_empty() {
            result.set_item("messages", messages)?;
            return Ok(result);
        }
        let unreached = skipped.first().and_then(|error| error.path().map(Path::to_owned));
        let problem = unreached.or_else(|| {
            told.iter().find_map(|told| match told {
                Told::Problem(problem) => problem.path.clone(),
                Told::Note(_) => None,
            })
        });
        let failed = error(py, messages.join("\n"));
        let failed_value = failed.value(py);
        failed_value.setattr("path", problem.map(|path| self.named(&path.to_string_lossy()).to_owned()))?;
        failed_value.setattr("result", result)?;
        let note = "what could be read was processed; `result` of the exception has the summary";
        failed_value.call_method1("add_note", (note,))?;
        Err(failed)
    }

    /// Returns the name of a file, if it stands in for a text in memory.
    fn named<'a>(&'a self, file: &'a str) -> &'a str {
        self.names.get(file).map_or(file, String::as_str)
    }

    /// Returns a message with the names of texts in memory.
    fn text(&self, told: &Told) -> String {
        let text = match told {
            Told::Problem(problem) => app_text(problem),
            Told::Note(note) => note.clone(),
        };
        self.names.iter().fold(text, |text, (file, name)| text.replace(file, name))
    }

    /// Converts a value of JSON, with the names of texts in memory.
    fn object<'py>(&self, py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
        Ok(match value {
            Value::Null => py.None().into_bound(py),
            Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => number.into_pyobject(py)?.into_any(),
                (None, Some(number)) => number.into_pyobject(py)?.into_any(),
                (None, None) => number.as_f64().into_pyobject(py)?,
            },
            Value::String(text) => PyString::new(py, self.named(text)).into_any(),
            Value::Array(items) => {
                let items = items.iter().map(|item| self.object(py, item));
                PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
            }
            Value::Object(map) => self.dict(py, map)?.into_any(),
        })
    }

    fn dict<'py>(&self, py: Python<'py>, map: &Map<String, Value>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (key, item) in map {
            dict.set_item(key, self.object(py, item)?)?;
        }
        Ok(dict)
    }
}

/// Something that a question told on the way.
pub(crate) enum Told {
    Problem(AppError),
    Note(String),
}

/// Collects what a question tells, in its order.
#[derive(Default)]
struct Collected(Vec<Told>);

impl Events for Collected {
    fn problem(&mut self, problem: &AppError) {
        self.0.push(Told::Problem(problem.clone()));
    }

    fn note(&mut self, note: &str) {
        self.0.push(Told::Note(note.to_owned()));
    }
}

/// An answer as JSON, and whether all inputs could be read.
pub(crate) type Answer = Result<(Value, bool), AppError>;

/// Asks a question on another thread, and stops it when a signal such as Ctrl-C arrives. Returns the answer and what was told.
pub(crate) fn stoppable(
    py: Python<'_>,
    ask: impl FnOnce(&mut Context<'_>) -> Answer + Send + 'static,
) -> PyResult<(Answer, Vec<Told>)> {
    let stop = Stop::new();
    let (done, mut waiting) = mpsc::channel::<()>();
    let asked = {
        let stop = stop.clone();
        thread::Builder::new().name("pdn".to_owned()).stack_size(STACK_BYTES).spawn(move || {
            // Dropped at the end, also of a panic.
            let _done = done;
            let mut told = Collected::default();
            let answer = ask(&mut Context::new(&stop, &mut told));
            (answer, told.0)
        })
    };
    let asked = asked.map_err(|cause| error(py, format!("cannot start a thread: {cause}")))?;
    let mut interrupted = None;
    loop {
        let waiting = &mut waiting;
        match py.detach(move || waiting.recv_timeout(SIGNAL_INTERVAL)) {
            Err(RecvTimeoutError::Timeout) if interrupted.is_none() => {
                if let Err(signal) = py.check_signals() {
                    // Unfinished files are removed before the exception is raised.
                    stop.request();
                    interrupted = Some(signal);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let answered = py.detach(|| asked.join()).unwrap_or_else(|panic| resume_unwind(panic));
    match interrupted {
        Some(signal) => Err(signal),
        None => Ok(answered),
    }
}
