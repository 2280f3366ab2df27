//! The files that games are written to. A file gets its name when it is complete.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use pdn::edit::FileReplacement;
use pdn::source::{self, is_stream};
use pdn::split::{JoinChanges, JoinedRecords, RecordJoiner};

use crate::input::searched_index::is_index;
use crate::output::{Output, sanitize};

/// Why games cannot be written.
pub(super) enum Failure {
    /// Standard output cannot be written.
    Stdout(io::Error),
    /// A file cannot be written; a message for the user.
    File(String),
    /// A stop was requested when some files were written; a message for the user.
    Stopped(String),
    /// An index or a temporary file cannot be read or written.
    Library(pdn::Error),
}

impl From<pdn::Error> for Failure {
    fn from(error: pdn::Error) -> Self {
        Self::Library(error)
    }
}

/// What a run may overwrite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Overwriting<'a> {
    /// Files that exist may be replaced.
    pub(super) force: bool,
    /// The inputs, which are never replaced.
    pub(super) inputs: &'a [PathBuf],
}

impl Overwriting<'_> {
    /// Returns why a file must not be replaced; `None` if it may be, or does not exist.
    pub(super) fn refusal(&self, path: &Path) -> Option<&'static str> {
        if path.symlink_metadata().is_err() {
            return None;
        }
        if !self.force {
            return Some("exists already; `--force` replaces it");
        }
        self.is_input(path).then_some("is an input of this command, which is never overwritten")
    }

    fn is_input(&self, path: &Path) -> bool {
        let Ok(path) = path.canonicalize() else { return false };
        let (indexes, others): (Vec<_>, Vec<_>) = self.inputs.iter().partition(|input| is_index(input));
        let is_same = |other: &Path| other.canonicalize().is_ok_and(|other| other == path);
        let is_in_index = |dir: &&PathBuf| {
            dir.canonicalize().is_ok_and(|dir| path.starts_with(dir))
                || pdn::Index::open(*dir).is_ok_and(|index| {
                    index.inputs().iter().any(|input| input.path.as_deref().is_some_and(is_same))
                })
        };
        indexes.iter().any(is_in_index)
            || source::walk(others.into_iter().cloned()).filter_map(Result::ok).any(|input| is_same(&input))
    }
}

/// Returns the message that a file cannot be written.
pub(super) fn unwritable(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::File(format!("{}: cannot be written: {error}", sanitize::path(path)))
}

/// Games that are written one after the other, with an empty line between them.
pub(super) struct GameFile {
    target: Target,
    pub(super) path: Option<PathBuf>,
    line_end: &'static [u8],
    pub(super) games: u64,
}

enum Target {
    Stdout,
    /// A pipe or device, which is written as it is.
    Device(BufWriter<File>),
    File(BufWriter<FileReplacement>),
}

impl GameFile {
    /// Creates the output at `path`; `None` and `-` mean standard output.
    ///
    /// # Errors
    /// A message for the user.
    pub(super) fn create(
        path: Option<&Path>,
        line_end: &'static [u8],
        overwriting: Overwriting<'_>,
    ) -> Result<Self, String> {
        let path = path.filter(|path| *path != Path::new("-"));
        let Some(path) = path else {
            return Ok(Self { target: Target::Stdout, path: None, line_end, games: 0 });
        };
        let message = |error: &dyn std::fmt::Display| format!("{}: {error}", sanitize::path(path));
        let target = if is_stream(path) {
            Target::Device(BufWriter::new(
                File::options().write(true).open(path).map_err(|error| message(&error))?,
            ))
        } else {
            if path.is_dir() {
                return Err(message(&"is a folder"));
            }
            if let Some(reason) = overwriting.refusal(path) {
                return Err(message(&reason));
            }
            let exists = path.symlink_metadata().is_ok();
            let begun = if exists { FileReplacement::begin(path) } else { FileReplacement::create(path) };
            let file = begun.map_err(|error| sanitize::text(&error.to_string()).into_owned())?;
            Target::File(BufWriter::with_capacity(1 << 18, file))
        };
        Ok(Self { target, path: Some(path.to_owned()), line_end, games: 0 })
    }

    /// Returns the file that has to be removed if the run is stopped.
    pub(super) fn temporary(&self) -> Option<&Path> {
        match &self.target {
            Target::File(file) => Some(file.get_ref().temporary_path()),
            Target::Stdout | Target::Device(_) => None,
        }
    }

    /// Writes games; an empty line follows each of them.
    pub(super) fn write(&mut self, text: &[u8], games: u64, out: &mut Output) -> Result<(), Failure> {
        let Some(text) = text.strip_suffix(self.line_end).filter(|text| !text.is_empty()) else {
            return Ok(());
        };
        let before: &[u8] = if self.games > 0 { self.line_end } else { b"" };
        self.games += games;
        self.bytes(before, out)?;
        self.bytes(text, out)
    }

    fn bytes(&mut self, bytes: &[u8], out: &mut Output) -> Result<(), Failure> {
        let path = self.path.as_deref().unwrap_or(Path::new("-"));
        match &mut self.target {
            Target::Stdout => out.write_all(bytes).map_err(Failure::Stdout),
            Target::Device(file) => file.write_all(bytes).map_err(|error| unwritable(path, &error)),
            Target::File(file) => file.write_all(bytes).map_err(|error| unwritable(path, &error)),
        }
    }

    /// Completes the output: a file gets its name.
    pub(super) fn finish(self, out: &mut Output) -> Result<(), Failure> {
        let path = self.path.as_deref().unwrap_or(Path::new("-"));
        match self.target {
            Target::Stdout => out.flush().map_err(Failure::Stdout),
            Target::Device(mut file) => file.flush().map_err(|error| unwritable(path, &error)),
            Target::File(file) => {
                let file = file.into_inner().map_err(|error| unwritable(path, error.error()))?;
                file.commit().map_err(Failure::Library)
            }
        }
    }
}

/// Records that are kept byte for byte, without the whitespace around them, and with an empty line after each.
pub(super) struct RecordFile {
    file: GameFile,
    joiner: RecordJoiner,
    before: Option<JoinedRecords>,
    changes: JoinChanges,
}

impl RecordFile {
    /// Creates the file; see [`GameFile::create`].
    pub(super) fn create(path: &Path, overwriting: Overwriting<'_>) -> Result<Self, String> {
        let file = GameFile::create(Some(path), b"", overwriting)?;
        Ok(Self { file, joiner: RecordJoiner::raw(), before: None, changes: JoinChanges::default() })
    }

    /// Returns the file that has to be removed if the run is stopped.
    pub(super) fn temporary(&self) -> Option<&Path> {
        self.file.temporary()
    }

    pub(super) fn path(&self) -> &Path {
        self.file.path.as_deref().unwrap_or(Path::new("-"))
    }

    pub(super) fn games(&self) -> u64 {
        self.file.games
    }

    /// Returns the number of records that a reader of the file does not find again, because nothing separates them from
    /// their neighbours.
    pub(super) fn unseparated(&self) -> u64 {
        self.changes.unseparated
    }

    /// Adds a record.
    pub(super) fn push(&mut self, record: &[u8], out: &mut Output) -> Result<(), Failure> {
        self.joiner.push(record);
        let mut joined = self.joiner.finish();
        self.changes.add(&joined.changes);
        let lead = joined.lead(self.before.as_ref(), &mut self.changes);
        self.file.bytes(lead, out)?;
        self.file.bytes(&joined.text, out)?;
        self.file.games += 1;
        // Only how it ends is still needed.
        joined.text = Vec::new();
        self.before = Some(joined);
        Ok(())
    }

    pub(super) fn finish(self, out: &mut Output) -> Result<(), Failure> {
        self.file.finish(out)
    }
}
