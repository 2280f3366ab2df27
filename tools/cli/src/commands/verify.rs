//! `pdn verify`: verifies the checksums of an index and that its archives have not changed.

use std::io;
use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use pdn::error::ErrorKind;
use pdn::internal::source::path_text;
use pdn_app::ask::context::Context;
use pdn_app::ask::error::{AppError, Result};
use pdn_app::ask::numbers::{count, plies, size};
use pdn_app::read::inputs::Threads;
use pdn_index::Index;
use pdn_index::internal::{IndexProblem, VerifyOptions};
use serde::Serialize;

use crate::args::help;
use crate::args::options::OptionArgs;
use crate::args::shared::FormatArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    #[arg(value_name = "DIR", help = help::DIR)]
    pub(crate) dir: PathBuf,

    /// Also play the moves of every game, and compare the result with the index, its key tables, books and openings
    #[arg(long)]
    pub(crate) replay: bool,

    /// Also compare the text of every game with what was indexed; reads the archives completely, and includes --replay
    #[arg(long)]
    pub(crate) full: bool,

    #[command(flatten)]
    threads: OptionArgs<Threads>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Runs `pdn verify`.
pub(crate) fn run(args: &VerifyArgs, out: &mut Output) -> CommandResult {
    let verified = args.answer(&mut out.context())?;
    let exit = if verified.sound { Exit::Success } else { Exit::Negative };
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&verified))?;
        return Ok(exit);
    }
    for problem in verified.index.iter().chain(&verified.archives) {
        let section =
            if problem.section.is_empty() { String::new() } else { format!(" ({})", problem.section) };
        writeln!(out, "{}{section}: {}", sanitize::text(&problem.file), sanitize::text(&problem.problem))?;
    }
    let state = match (verified.index.is_empty(), verified.archives.is_empty()) {
        (true, true) => "sound",
        (true, false) => "sound, but archives have changed or cannot be read",
        (false, _) => "damaged; index the archives again",
    };
    let replayed = verified.plies.map_or_else(String::new, |played| format!(", {} replayed", plies(played)));
    writeln!(
        out,
        "{}: {state}. {}, {}, {}{replayed}.",
        sanitize::path(&args.dir),
        count(verified.segments, "segment"),
        count(verified.games, "game"),
        size(verified.index_bytes),
    )?;
    Ok(exit)
}

/// What was verified, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Verified {
    /// The folder of the index.
    dir: String,
    /// Whether there is no problem.
    sound: bool,
    /// Number of segments.
    segments: u64,
    /// Number of games.
    games: u64,
    /// Number of plies that were played; null if none were to be.
    plies: Option<u64>,
    /// Length of the index in bytes.
    index_bytes: u64,
    /// What is wrong with the index, at most one problem per file and section.
    index: Vec<VerifyProblem>,
    /// What is wrong with the archives, at most one problem per file.
    archives: Vec<VerifyProblem>,
}

/// Something wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct VerifyProblem {
    /// The file.
    file: String,
    /// The section of a file of the index; empty for an archive.
    section: &'static str,
    /// What is wrong.
    problem: String,
}

impl VerifyArgs {
    /// Verifies the index.
    ///
    /// # Errors
    ///
    /// If there is no index, the system cannot read one of its files, or the work was stopped.
    fn answer(&self, context: &mut Context<'_>) -> Result<Verified> {
        let mut options = VerifyOptions::new().replay(self.replay || self.full).texts(self.full);
        options.threads = self.threads.threads.and_then(NonZeroUsize::new);
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
