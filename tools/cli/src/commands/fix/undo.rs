//! `pdn fix --undo`: takes back the changes that a journal lists.

use std::path::Path;

use crate::output::exit::print_error;
use crate::output::{CommandResult, Exit, sanitize};
use pdn_app::numbers::count;

/// Gives the file of a journal the text that it had before.
pub(super) fn run(journal: &Path) -> CommandResult {
    match pdn::edit::undo_file(journal) {
        Ok(undone) => {
            let (path, changes) = (sanitize::path(&undone.path), count(undone.changes, "change"));
            print_error(&format!("{path}: {changes} taken back"));
            Ok(Exit::Success)
        }
        Err(error) => {
            print_error(&sanitize::text(&error.to_string()));
            Ok(Exit::Failure)
        }
    }
}
