//! What the paths lead to that a user names.

use std::path::Path;

use pdn::error::ErrorKind;
use pdn::index::Index;
use pdn::source::SkippedFiles;

use crate::context::Events;
use crate::numbers::{Count, count};

/// Returns `true` if the folder contains an index, even a damaged one.
pub fn is_index(path: &Path) -> bool {
    path.is_dir() && !matches!(Index::open(path), Err(error) if matches!(error.kind(), ErrorKind::NotAnIndex))
}

/// Tells `events` which files of searched folders are not read: how many, and with `lists` each by its name.
pub fn note_skipped(skipped: &SkippedFiles, lists: bool, events: &mut dyn Events) {
    let mut parts = Vec::new();
    if skipped.other_names > 0 {
        let live_draughts = match skipped.live_draughts {
            0 => String::new(),
            number => format!(" ({} of LiveDraughts)", Count(number)),
        };
        parts.push(format!("{} not named like PDN files{live_draughts}", count(skipped.other_names, "file")));
    }
    if skipped.zips > 0 {
        parts.push(format!("{} without a PDN file", count(skipped.zips, "zip")));
    }
    if skipped.special > 0 {
        let nouns = if skipped.special == 1 { "pipe or device" } else { "pipes or devices" };
        parts.push(format!("{} {nouns}", Count(skipped.special)));
    }
    if parts.is_empty() {
        return;
    }
    let tar = skipped.tar.as_deref().map(|path| format!("; {} is a tar archive: unpack it", path.display()));
    events.note(&format!(
        "not read in the searched folders: {}{}",
        parts.join(", "),
        tar.unwrap_or_default()
    ));
    if lists {
        skipped.paths.iter().for_each(|path| events.note(&format!("not read: {}", path.display())));
    }
}
