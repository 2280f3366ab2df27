//! What the paths lead to that a user names.

use std::path::{Path, PathBuf};

#[cfg(feature = "index")]
use pdn::error::ErrorKind;
use pdn::internal::source::{SkippedFiles, path_text};
#[cfg(feature = "index")]
use pdn_index::Index;
#[cfg(feature = "index")]
use serde::Serialize;
use serde::Serializer;

use crate::ask::context::Events;
use crate::ask::numbers::{Count, count};

/// Returns `true` if the folder contains an index, even a damaged one.
#[cfg(feature = "index")]
pub fn is_index(path: &Path) -> bool {
    path.is_dir() && !matches!(Index::open(path), Err(error) if matches!(error.kind(), ErrorKind::NotAnIndex))
}

/// Returns `false`: without the feature `index`, no folder is one.
#[cfg(not(feature = "index"))]
pub fn is_index(_: &Path) -> bool {
    false
}

/// Serialises a path as the text by which it is found again; see [`path_text`].
#[cfg(feature = "index")]
pub(crate) fn serialize_path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path_text(path))
}

/// Does the same with a path that may be missing.
#[cfg(feature = "index")]
pub(crate) fn serialize_path_option<S: Serializer>(
    path: &Option<PathBuf>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    path.as_deref().map(path_text).serialize(serializer)
}

/// Does the same with several paths.
pub(crate) fn serialize_paths<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| path_text(path)))
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
