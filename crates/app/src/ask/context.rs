//! What a question may use while it is answered: a handle to stop it, and a place for what happens on the way.

use std::path::Path;

use pdn::stop::Stop;

use crate::ask::error::{AppError, Result};

/// Learns what happens while a question is answered. A front end shows it or does not; nothing changes the answer.
///
/// All calls come from the thread that asked.
pub trait Events {
    /// A part of the inputs could not be read, or a part of the answer could not be given. The work goes on.
    fn problem(&mut self, problem: &AppError) {
        let _ = problem;
    }

    /// Something that people may want to know, in one sentence without a full stop.
    fn note(&mut self, note: &str) {
        let _ = note;
    }

    /// Something about the way of working, for a person who waits for the answer, in one sentence without a full stop.
    fn hint(&mut self, hint: &str) {
        let _ = hint;
    }

    /// Long work begins: `total` bytes or steps, `None` if unknown.
    fn begin(&mut self, total: Option<u64>) {
        let _ = total;
    }

    /// So many bytes or steps are done; `what` is a short text such as `1,200 games indexed`, or empty.
    fn progress(&mut self, done: u64, what: &str) {
        let _ = (done, what);
    }

    /// So many of all steps of long work are done. It needs no beginning.
    fn steps(&mut self, done: u64, total: u64) {
        let _ = (done, total);
    }

    /// The long work ends.
    fn end(&mut self) {}

    /// Temporary files or folders are about to be made: from now on a request from outside has to stop the command instead of ending it.
    fn unsettled(&mut self) {}

    /// A temporary file or folder exists from now on, which has to be removed if the process is ended from outside.
    fn temporary(&mut self, path: &Path) {
        let _ = path;
    }

    /// All temporary files and folders are gone or have got their names.
    fn settled(&mut self) {}
}

/// Ignores everything.
impl Events for () {}

/// Collects the problems, for front ends that return them with the answer.
#[derive(Debug, Default)]
pub struct CollectedEvents {
    /// The problems in their order.
    pub problems: Vec<AppError>,
    /// The notes in their order.
    pub notes: Vec<String>,
}

impl Events for CollectedEvents {
    fn problem(&mut self, problem: &AppError) {
        self.problems.push(problem.clone());
    }

    fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }
}

/// What a question may use while it is answered.
pub struct Context<'a> {
    /// Stops the work.
    pub stop: Stop,
    /// Learns what happens.
    pub events: &'a mut dyn Events,
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").field("stop", &self.stop).finish_non_exhaustive()
    }
}

impl<'a> Context<'a> {
    /// Creates a context.
    pub fn new(stop: &Stop, events: &'a mut dyn Events) -> Self {
        Self { stop: stop.clone(), events }
    }

    /// Fails if the work shall end.
    ///
    /// # Errors
    ///
    /// With the code [`Stopped`](crate::ask::error::ErrorCode::Stopped) if a stop was requested.
    pub fn check(&self) -> Result<()> {
        if self.stop.is_requested() { Err(AppError::stopped()) } else { Ok(()) }
    }
}
