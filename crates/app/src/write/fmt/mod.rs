//! Archives in canonical form, in place, as a filter, or only what would change.
//!
//! Records are rewritten on many threads; a file is put together in order, and replaced when all of it is on disk.

mod formatted;
mod rewriter;

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use pdn::archive::Archive;
use pdn::internal::edit::UnifiedDiff;
use pdn::internal::pool;
use pdn::internal::source::{TextForm, file_at};
use pdn::internal::storage::FileState;
use pdn::{Error, source};
use serde::Serialize;

use self::formatted::{FormatWork, FormattedBatch};
use self::rewriter::{Destination, FileRewriter};
use crate::ask::context::Context;
use crate::ask::error::{AppError, ErrorCode, Result};
use crate::ask::options::options;
use crate::ask::position::FenStyleOption;
use crate::read::inputs::Inputs;
use crate::read::paths::is_index;
use crate::read::plain_text;

/// What is done with the canonical text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FmtMode {
    /// Files are replaced; the text of standard input is passed on.
    #[default]
    Write,
    /// Nothing; files that would change are named.
    Check,
    /// Nothing; the changes are passed on as a unified diff.
    Diff,
}

options! {
    /// What is done with the canonical text, and its form.
    #[derive(Copy, Eq)]
    pub struct FmtForm in "" {
        /// Write nothing; list the files that would change
        check: bool;
        /// Write nothing; print the changes as a unified diff
        diff: bool, excludes "check";
        /// Maximum length of a line of moves in bytes, 0 for one line per game
        width: usize = 79, value "N";
        /// Turn text in other encodings into UTF-8
        utf8: bool;
    }
}

/// Asks for archives in canonical form.
#[derive(Clone, Debug)]
pub struct FmtRequest {
    /// The archives.
    pub inputs: Inputs,
    /// What is done with the canonical text, and its form.
    pub form: FmtForm,
    /// How positions are written.
    pub fen: FenStyleOption,
}

/// What is found, in the order of the files.
#[derive(Clone, Copy, Debug)]
pub enum FmtEvent<'a> {
    /// A file that would change.
    Changes(&'a Path),
    /// The changes of a file, or the canonical text of standard input.
    Text(&'a [u8]),
}

/// Receives what is found; breaks if nobody reads it any more.
pub type FmtSink<'a> = &'a mut dyn FnMut(FmtEvent<'_>) -> ControlFlow<()>;

/// What happened to all files.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FmtAnswer {
    /// Files that were read.
    pub files: u64,
    /// Files that change.
    pub changed_files: u64,
    /// Games that were read.
    pub games: u64,
    /// Games that change.
    pub changed_games: u64,
    /// Games that stay as they are, by reason.
    pub kept: BTreeMap<&'static str, u64>,
    /// All files could be read and written.
    pub complete: bool,
}

impl FmtAnswer {
    fn add(&mut self, rewriter: &FileRewriter) {
        self.files += 1;
        self.changed_files += u64::from(rewriter.has_changed());
        self.games += rewriter.records;
        self.changed_games += rewriter.changed_records;
        for (reason, count) in &rewriter.kept {
            *self.kept.entry(reason).or_default() += count;
        }
    }
}

impl FmtForm {
    /// Returns what is done with the canonical text.
    pub fn mode(self) -> FmtMode {
        match (self.check, self.diff) {
            (true, _) => FmtMode::Check,
            (false, true) => FmtMode::Diff,
            (false, false) => FmtMode::Write,
        }
    }
}

impl FmtRequest {
    /// Rewrites the archives.
    ///
    /// # Errors
    ///
    /// If standard input is not the only input, or the work was stopped, also by the sink. Files that cannot be read or replaced
    /// are problems of the context.
    pub fn run(&self, sink: FmtSink<'_>, context: &mut Context<'_>) -> Result<FmtAnswer> {
        let mut answer = FmtAnswer { complete: true, ..FmtAnswer::default() };
        let mut emit = |event: FmtEvent<'_>| match sink(event) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(AppError::stopped()),
        };
        let failed = |answer: &mut FmtAnswer, error: &AppError, context: &mut Context<'_>| {
            answer.complete = false;
            context.events.problem(error);
        };
        let paths = &self.inputs.paths;
        if paths.iter().any(|path| path.as_os_str() == "-") {
            if paths.len() > 1 {
                let message = "`-` cannot be combined with files: its text goes to standard output";
                return Err(AppError::plain(ErrorCode::Contradiction, message));
            }
            let mut old = Vec::new();
            io::stdin()
                .lock()
                .read_to_end(&mut old)
                .map_err(|error| AppError::from(Error::from(error).at("-")))?;
            match self.rewrite_text(&old, context) {
                Ok((rewriter, new)) => {
                    answer.add(&rewriter);
                    match self.form.mode() {
                        FmtMode::Check if rewriter.has_changed() => emit(FmtEvent::Changes(Path::new("-")))?,
                        FmtMode::Check => {}
                        FmtMode::Write | FmtMode::Diff => emit(FmtEvent::Text(&new))?,
                    }
                }
                Err(error) => {
                    failed(&mut answer, &error, context);
                    // A filter always has output; it must not lose the text.
                    if self.form.mode() == FmtMode::Write
                        && refusal(&old, Path::new("-"), self.form.utf8).is_ok()
                    {
                        emit(FmtEvent::Text(&old))?;
                    }
                }
            }
            return Ok(answer);
        }
        let mut found = 0;
        for path in source::walk(paths.iter().cloned()) {
            found += 1;
            let rewritten = path.map_err(AppError::from).and_then(|path| {
                let (rewriter, text) = self.rewrite_file(&path, context)?;
                Ok((path, rewriter, text))
            });
            if context.stop.is_requested() {
                let message = "stopped; files that were not finished have their old text";
                return Err(AppError::plain(ErrorCode::Stopped, message));
            }
            match rewritten {
                Err(error) => failed(&mut answer, &error, context),
                Ok((path, rewriter, text)) => {
                    answer.add(&rewriter);
                    match self.form.mode() {
                        FmtMode::Check if rewriter.has_changed() => emit(FmtEvent::Changes(&path))?,
                        FmtMode::Diff => emit(FmtEvent::Text(&text))?,
                        FmtMode::Check | FmtMode::Write => {}
                    }
                }
            }
        }
        if found == 0 {
            let error = match paths.iter().find(|path| is_index(path)) {
                Some(dir) => {
                    let message = "is an index, which has no text to rewrite: name its archives";
                    AppError::path(ErrorCode::Contradiction, dir, message)
                }
                None => AppError::plain(ErrorCode::NotFound, "no PDN file in the folders given"),
            };
            failed(&mut answer, &error, context);
        }
        Ok(answer)
    }

    /// Rewrites the text of standard input.
    fn rewrite_text(&self, old: &[u8], context: &Context<'_>) -> Result<(FileRewriter, Vec<u8>)> {
        let path = Path::new("-");
        refusal(old, path, self.form.utf8)?;
        let options = self.inputs.open_options();
        let destination = match self.form.mode() {
            FmtMode::Diff => Destination::Diff(UnifiedDiff::new(Vec::new(), path)),
            FmtMode::Write | FmtMode::Check => Destination::Memory(Vec::new()),
        };
        let mut rewriter = FileRewriter::new(path.to_owned(), destination, self.form.utf8);
        self.rewrite(Archive::from_bytes(old.to_vec().into(), "-", &options)?, &mut rewriter, context)?;
        let new = rewriter.finish()?;
        Ok((rewriter, new))
    }

    /// Rewrites a file. Returns what is passed on.
    fn rewrite_file(&self, path: &Path, context: &Context<'_>) -> Result<(FileRewriter, Vec<u8>)> {
        let state = FileState::of(path)?;
        let file = file_at(path)?;
        let at_path = |error: io::Error| Error::from(error).at(path);
        let mut head = Vec::new();
        (&file).take(plain_text::HEAD).read_to_end(&mut head).map_err(at_path)?;
        refusal(&head, path, self.form.utf8)?;
        let options = self.inputs.open_options();
        let archive = || Archive::from_file(file.try_clone().map_err(at_path)?, path, &options);
        let destination = match self.form.mode() {
            FmtMode::Diff => Destination::Diff(UnifiedDiff::new(Vec::new(), path)),
            FmtMode::Check => Destination::Nowhere,
            FmtMode::Write => Destination::File { state, replacement: None },
        };
        let mut rewriter = FileRewriter::new(path.to_owned(), destination, self.form.utf8);
        self.rewrite(archive()?, &mut rewriter, context)?;
        context.check()?;
        let text = rewriter.finish()?;
        // When files are written, this one would be refused if its records could not be told apart any more.
        if self.form.mode() == FmtMode::Check && rewriter.has_changed() && rewriter.has_kept() {
            let destination = Destination::Memory(Vec::new());
            let mut again = FileRewriter::new(path.to_owned(), destination, self.form.utf8);
            self.rewrite(archive()?, &mut again, context)?;
            again.finish()?;
        }
        Ok((rewriter, text))
    }

    /// Rewrites the records of an archive on many threads and passes them to `rewriter` in order.
    fn rewrite(&self, archive: Archive, rewriter: &mut FileRewriter, context: &Context<'_>) -> Result<()> {
        let work = FormatWork::new(self);
        let mut result = Ok(());
        pool::ordered(
            archive.batches(),
            self.inputs.threads,
            || work.writer(),
            |writer, batch| {
                let batch = batch?;
                Ok(FormattedBatch::of(&work, writer, batch))
            },
            |formatted: Result<FormattedBatch>| {
                result = formatted.and_then(|formatted| rewriter.batch(formatted));
                if result.is_err() || context.stop.is_requested() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        result
    }
}

/// Fails if a file that begins with `head` is not rewritten in place.
fn refusal(head: &[u8], path: &Path, utf8: bool) -> Result<()> {
    if let Some(reason) = plain_text::container(head) {
        return Err(AppError::path(ErrorCode::Unwritable, path, reason));
    }
    TextForm::of(head, None).map_or(Ok(()), |form| refuse_form(form, path, utf8))
}

/// Fails if a file of this form is not rewritten in place.
fn refuse_form(form: TextForm, path: &Path, utf8: bool) -> Result<()> {
    match form {
        TextForm::Utf16(_) if utf8 => Ok(()),
        TextForm::Utf16(_) => {
            let error = AppError::path(ErrorCode::Unwritable, path, "is in UTF-16");
            Err(error.cured_by("utf8", "turns it into UTF-8"))
        }
        TextForm::Positions | TextForm::Carrier(_) => {
            Err(AppError::path(ErrorCode::Unwritable, path, plain_text::form(form)))
        }
    }
}
