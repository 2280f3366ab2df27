//! Reports files of searched folders that were not read.

use pdn::source::SkippedFiles;

use crate::output::{Output, sanitize};
use pdn_app::numbers::{Count, count};

/// Prints a note to standard error if files of searched folders were left out.
pub(crate) fn report(skipped: &SkippedFiles, out: &Output) {
    if let Some(note) = note(skipped) {
        out.print_error(&note);
    }
}

/// Returns the note; `None` if no file was left out.
fn note(skipped: &SkippedFiles) -> Option<String> {
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
    let tar =
        skipped.tar.as_deref().map(|path| format!("; {} is a tar archive: unpack it", sanitize::path(path)));
    Some(format!("not read in the searched folders: {}{}", parts.join(", "), tar.unwrap_or_default()))
}
