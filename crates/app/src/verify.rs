//! Whether an index is sound, and whether its archives have changed.

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use pdn::error::ErrorKind;
use pdn::internal::source::path_text;
use pdn_index::Index;
use pdn_index::internal::{IndexProblem, VerifyOptions};
use serde::Serialize;

use crate::context::Context;
use crate::error::{AppError, Result};

/// Asks whether an index is sound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyRequest {
    /// The folder of the index.
    pub dir: PathBuf,
    /// Whether the moves of every game are played, and compared with the index.
    pub replay: bool,
    /// Whether the texts of the games are compared with what was indexed, too; includes `replay`.
    pub full: bool,
    /// Number of threads; `None` for that of the machine.
    pub threads: Option<NonZeroUsize>,
}

/// What was verified, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verified {
    /// The folder of the index.
    pub dir: String,
    /// Whether there is no problem.
    pub sound: bool,
    /// Number of segments.
    pub segments: u64,
    /// Number of games.
    pub games: u64,
    /// Number of plies that were played; null if none were to be.
    pub plies: Option<u64>,
    /// Length of the index in bytes.
    pub index_bytes: u64,
    /// What is wrong with the index, at most one problem per file and section.
    pub index: Vec<VerifyProblem>,
    /// What is wrong with the archives, at most one problem per file.
    pub archives: Vec<VerifyProblem>,
}

/// Something wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct VerifyProblem {
    /// The file.
    pub file: String,
    /// The section of a file of the index; empty for an archive.
    pub section: &'static str,
    /// What is wrong.
    pub problem: String,
}

impl VerifyRequest {
    /// Verifies the index.
    ///
    /// # Errors
    ///
    /// If there is no index, the system cannot read one of its files, or the work was stopped.
    pub fn run(&self, context: &mut Context<'_>) -> Result<Verified> {
        let mut options = VerifyOptions::new().replay(self.replay || self.full).texts(self.full);
        options.threads = self.threads;
        let mut has_begun = false;
        let verified = pdn_index::internal::verify_with(&self.dir, &options, |done, total| {
            if !has_begun {
                context.events.begin(Some(total));
                has_begun = true;
            }
            context.events.progress(done, "");
            if context.stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        context.events.end();
        let report = match verified {
            Ok(report) => report,
            Err(_) if context.stop.is_requested() => return Err(AppError::stopped()),
            Err(error) => return Err(not_verified(&error)),
        };
        let index = Index::open(&self.dir).ok();
        Ok(Verified {
            dir: path_text(&self.dir).into_owned(),
            sound: report.is_sound(),
            segments: report.segments,
            // Those of retired files are verified, too, but nothing finds them.
            games: index.as_ref().map_or(report.games, Index::game_count),
            plies: options.replay.then_some(report.plies),
            index_bytes: index.map_or(report.bytes, |index| index.disk_bytes()),
            index: report.problems.into_iter().map(VerifyProblem::from).collect(),
            archives: report.archive_problems.into_iter().map(VerifyProblem::from).collect(),
        })
    }
}

impl From<IndexProblem> for VerifyProblem {
    fn from(problem: IndexProblem) -> Self {
        let IndexProblem { path, section, problem, .. } = problem;
        Self { file: path_text(&path).into_owned(), section, problem }
    }
}

/// Returns the error of an index that could not be verified; if the system is the reason, with what a user can do about it.
fn not_verified(error: &pdn::Error) -> AppError {
    let app_error = AppError::from(error);
    let ErrorKind::Io(cause) = error.kind() else { return app_error };
    let remedy = match cause.kind() {
        io::ErrorKind::OutOfMemory => "free memory or raise its limit (`ulimit -v`), then verify again",
        io::ErrorKind::PermissionDenied => "verify it as a user who may read all its files",
        _ => "make this file readable, then verify again",
    };
    let mut app_error = app_error.help(remedy);
    app_error.details = vec!["the index was not verified; it may be sound".to_owned()];
    app_error
}
