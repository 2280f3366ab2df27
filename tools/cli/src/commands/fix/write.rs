//! Replaces a file by its repaired text while it is read, with a journal that undoes the repairs.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pdn::archive::Batch;
use pdn::edit::{EditedFile, TextEdit, TextEdits};

use crate::input::plain_text;
use crate::output::{Output, sanitize};

/// Writes the repaired text of an input, batch by batch.
pub(super) enum FileWriter {
    /// The repaired text goes to standard output.
    Stdout,
    /// It takes the place of the file.
    File(Box<EditedFile>),
}

impl FileWriter {
    /// Begins to write the input `name`; `-` is standard input.
    pub(super) fn begin(name: &Path) -> Result<Self, String> {
        if name == Path::new("-") {
            return Ok(Self::Stdout);
        }
        if let Some(reason) = plain_text::refusal(name) {
            return Err(format!("{}: {reason}", sanitize::path(name)));
        }
        EditedFile::begin(name).map(|file| Self::File(Box::new(file))).map_err(|error| message(&error))
    }

    /// Adds a batch and its edits, which are relative to its first byte, in text order. Returns a message if the file
    /// cannot be written.
    pub(super) fn add(
        &mut self,
        batch: &Batch,
        edits: Vec<(TextEdit, &'static str)>,
        out: &mut Output,
    ) -> io::Result<Result<(), String>> {
        let (edits, codes): (Vec<_>, Vec<_>) = edits.into_iter().unzip();
        let edits = match TextEdits::new(edits) {
            Ok(edits) => edits,
            Err(error) => return Ok(Err(format!("{}: {error}", sanitize::path(batch.name())))),
        };
        match self {
            Self::Stdout => out.write_all(&edits.apply(batch.bytes())).map(Ok),
            Self::File(file) => {
                let added = file.piece(batch.bytes(), &edits, |number| codes[number]);
                Ok(added.map_err(|error| message(&error)))
            }
        }
    }

    /// Puts the repaired text in place. Returns the journal if a file was replaced, and a message if it cannot be.
    pub(super) fn finish(self) -> Result<Option<PathBuf>, String> {
        match self {
            Self::Stdout => Ok(None),
            Self::File(file) => file.commit().map_err(|error| message(&error)),
        }
    }
}

fn message(error: &pdn::Error) -> String {
    sanitize::text(&error.to_string()).into_owned()
}
