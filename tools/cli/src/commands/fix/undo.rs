//! `pdn fix --undo`: takes back the changes that a journal lists.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use pdn::edit::{FileReplacement, Journal};

use crate::output::exit::print_error;
use crate::output::numbers::count;
use crate::output::{Exit, sanitize};

/// Gives the file of a journal the text that it had before.
pub(super) fn run(journal: &Path) -> io::Result<Exit> {
    match undo(journal) {
        Ok(message) => {
            print_error(&message);
            Ok(Exit::Success)
        }
        Err(message) => {
            print_error(&message);
            Ok(Exit::Failure)
        }
    }
}

fn undo(path: &Path) -> Result<String, String> {
    let at = |path: &Path, message: String| format!("{}: {message}", sanitize::path(path));
    let text = fs::read(path).map_err(|error| at(path, error.to_string()))?;
    let journal = Journal::parse(&text).map_err(|error| at(path, error.to_string()))?;
    let file = journal.file();
    let mut replacement =
        FileReplacement::begin(file).map_err(|error| sanitize::text(&error.to_string()).into_owned())?;
    let new = fs::read(file).map_err(|error| at(file, error.to_string()))?;
    let old = journal.undo(&new).map_err(|error| at(file, error.to_string()))?;
    replacement.write_all(&old).map_err(|error| at(file, error.to_string()))?;
    replacement.commit().map_err(|error| sanitize::text(&error.to_string()).into_owned())?;
    Ok(format!("{}: {} taken back", sanitize::path(file), count(journal.len() as u64, "change")))
}
