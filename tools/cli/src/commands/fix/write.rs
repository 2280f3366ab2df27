//! Replaces a file by its repaired text, with a journal that undoes the repairs.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pdn::archive::Batch;
use pdn::edit::{FileReplacement, Journal, TextEdit, TextEdits};

use crate::output::{Output, sanitize};

/// Collects the edits of a file, and writes them at its end.
pub(super) enum FileWriter {
    /// The repaired text goes to standard output.
    Stdout(Vec<u8>),
    File {
        path: PathBuf,
        replacement: Box<FileReplacement>,
        edits: Vec<(TextEdit, &'static str)>,
        /// Number of bytes of the batches.
        read: u64,
    },
}

impl FileWriter {
    /// Begins to replace the file `name`; `-` is standard input.
    pub(super) fn begin(name: &Path) -> Result<Self, String> {
        if name == Path::new("-") {
            return Ok(Self::Stdout(Vec::new()));
        }
        match FileReplacement::begin(name) {
            Ok(replacement) => Ok(Self::File {
                path: name.to_owned(),
                replacement: Box::new(replacement),
                edits: Vec::new(),
                read: 0,
            }),
            Err(error) => Err(sanitize::text(&error.to_string()).into_owned()),
        }
    }

    /// Adds a batch and its edits, which are relative to its first byte, in text order.
    pub(super) fn add(&mut self, batch: &Batch, new_edits: Vec<(TextEdit, &'static str)>) {
        match self {
            Self::Stdout(text) => {
                let edits = TextEdits::new(new_edits.into_iter().map(|(edit, _)| edit).collect());
                text.extend(edits.unwrap_or_default().apply(batch.bytes()));
            }
            Self::File { edits, read, .. } => {
                let offset = batch.offset() as usize;
                edits.extend(new_edits.into_iter().map(|(edit, code)| {
                    let range = edit.range.start + offset..edit.range.end + offset;
                    (TextEdit { range, ..edit }, code)
                }));
                *read += batch.bytes().len() as u64;
            }
        }
    }

    /// Writes the repaired text. Returns `true` if the file was replaced, and a message if it cannot be.
    pub(super) fn finish(self, out: &mut Output) -> io::Result<Result<bool, String>> {
        match self {
            Self::Stdout(text) => out.write_all(&text).map(|()| Ok(false)),
            Self::File { edits, .. } if edits.is_empty() => Ok(Ok(false)),
            Self::File { path, replacement, edits, read } => Ok(replace(&path, *replacement, edits, read)
                .map(|()| true)
                .map_err(|message| format!("{}: {message}", sanitize::path(&path)))),
        }
    }
}

/// Replaces a file. The journal is on disk before the file changes.
fn replace(
    path: &Path,
    mut replacement: FileReplacement,
    edits: Vec<(TextEdit, &'static str)>,
    read: u64,
) -> Result<(), String> {
    let message = |error: io::Error| error.to_string();
    let old = fs::read(path).map_err(message)?;
    // The edits count bytes of the text. They are those of the file only if it was neither decompressed nor transcoded.
    if old.len() as u64 != read {
        return Err("is compressed, is UTF-16 or has changed: not written".to_owned());
    }
    let (edits, codes): (Vec<_>, Vec<_>) = edits.into_iter().unzip();
    let edits = TextEdits::new(edits).map_err(|error| error.to_string())?;
    let journal = Journal::new(path, &old, &edits, |number| codes[number]);
    write_journal(path, &journal.to_bytes()).map_err(message)?;
    replacement.write_all(&edits.apply(&old)).map_err(message)?;
    replacement.commit().map_err(|error| error.to_string())
}

/// Writes a journal beside the file, as `FILE.undo` or with a number if there is one.
fn write_journal(path: &Path, journal: &[u8]) -> io::Result<()> {
    let mut number = 1u32;
    loop {
        let extension = if number == 1 { ".undo".to_owned() } else { format!(".undo{number}") };
        let mut name = path.as_os_str().to_owned();
        name.push(extension);
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Ok(mut file) => {
                file.write_all(journal)?;
                return file.sync_all();
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}
