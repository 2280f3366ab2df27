//! The files that games are written to. A file gets its name when it is complete.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use pdn::split::RecordJoiner;

use crate::input::overwriting::Overwriting;
use crate::output::Output;
use crate::output::output_file::{self, OutputFile};
use pdn_app::{AppError, JoinedOutput};

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
    /// The question has no answer.
    App(AppError),
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        Self::App(error)
    }
}

impl From<pdn::Error> for Failure {
    fn from(error: pdn::Error) -> Self {
        Self::Library(error)
    }
}

/// Returns the message that a file cannot be written.
pub(super) fn unwritable(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::File(output_file::unwritable(path, error))
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
    File(BufWriter<OutputFile>),
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
        overwriting.check(path)?;
        let target = Target::File(BufWriter::with_capacity(1 << 18, OutputFile::create(path)?));
        Ok(Self { target, path: Some(path.to_owned()), line_end, games: 0 })
    }

    /// Returns the file that has to be removed if the run is stopped.
    pub(super) fn temporary(&self) -> Option<&Path> {
        match &self.target {
            Target::File(file) => file.get_ref().temporary(),
            Target::Stdout => None,
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
            Target::File(file) => file.write_all(bytes).map_err(|error| unwritable(path, &error)),
        }
    }

    /// Completes the output: a file gets its name.
    pub(super) fn finish(self, out: &mut Output) -> Result<(), Failure> {
        let path = self.path.as_deref().unwrap_or(Path::new("-"));
        match self.target {
            Target::Stdout => out.flush().map_err(Failure::Stdout),
            Target::File(file) => {
                let file = file.into_inner().map_err(|error| unwritable(path, error.error()))?;
                file.commit().map_err(|error| unwritable(path, &error))
            }
        }
    }
}

/// Records that are kept byte for byte, without the whitespace around them, and with an empty line after each.
pub(super) struct RecordFile {
    file: GameFile,
    joiner: RecordJoiner,
    joined: JoinedOutput,
}

impl RecordFile {
    /// Creates the file; see [`GameFile::create`].
    pub(super) fn create(path: &Path, overwriting: Overwriting<'_>) -> Result<Self, String> {
        let file = GameFile::create(Some(path), b"", overwriting)?;
        Ok(Self { file, joiner: RecordJoiner::raw(), joined: JoinedOutput::default() })
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
        self.joined.changes.unseparated
    }

    /// Adds a record.
    pub(super) fn push(&mut self, record: &[u8], out: &mut Output) -> Result<(), Failure> {
        self.joiner.push(record);
        let Self { file, joiner, joined } = self;
        joined.push(joiner.finish(), |text| file.bytes(text, out))?;
        file.games += 1;
        Ok(())
    }

    pub(super) fn finish(self, out: &mut Output) -> Result<(), Failure> {
        self.file.finish(out)
    }
}
