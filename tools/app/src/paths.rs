//! What the paths lead to that a user names.

use std::path::Path;

use pdn::error::ErrorKind;
use pdn::index::Index;
use pdn::source::SkippedFiles;

use crate::numbers::{Count, count};

/// Returns `true` if the folder contains an index, even a damaged one.
pub fn is_index(path: &Path) -> bool {
    path.is_dir() && !matches!(Index::open(path), Err(error) if matches!(error.kind(), ErrorKind::NotAnIndex))
}

/// Returns a note about files of searched folders that are not read; `None` if there are none.
pub fn skipped_note(skipped: &SkippedFiles) -> Option<String> {
    let mut parts = Vec::new();
    if skipped.other_names > 0 {
        parts.push(format!("{} not named like PDN files", count(skipped.other_names, "file")));
    }
    if skipped.special > 0 {
        let nouns = if skipped.special == 1 { "pipe or device" } else { "pipes or devices" };
        parts.push(format!("{} {nouns}", Count(skipped.special)));
    }
    if parts.is_empty() {
        return None;
    }
    let tar = skipped.tar.as_deref().map(|path| format!("; {} is a tar archive: unpack it", path.display()));
    Some(format!("not read in the searched folders: {}{}", parts.join(", "), tar.unwrap_or_default()))
}
