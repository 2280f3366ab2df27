//! Finds archives again that were moved to another folder.

use std::path::{Path, PathBuf};

use super::row::input::IndexedInput;

/// Replaces the beginning of the paths of inputs by `root`, the folder that has the archives now. The beginning is
/// what the paths of all inputs have in common, or as much of it as is needed to find an archive below `root`. An input
/// whose file is still at its old path, and not below `root`, keeps its path. Returns `false`, without a change, if no
/// archive is found.
pub(super) fn relocate(inputs: &mut [IndexedInput], root: &Path) -> bool {
    let root = std::path::absolute(root).unwrap_or_else(|_| root.to_owned());
    let paths = || inputs.iter().filter(|input| !input.is_retired).filter_map(|input| input.path.as_deref());
    let Some(common) = paths().map(|path| path.components().count().saturating_sub(1)).min() else {
        return false;
    };
    let Some(first) = paths().next() else { return false };
    let is_common = |count: &usize| {
        paths().all(|path| path.components().take(*count).eq(first.components().take(*count)))
    };
    let common = (0..=common).rev().find(is_common).unwrap_or(0);
    let moved = |path: &Path, count: usize| -> PathBuf {
        root.join(path.components().skip(count).collect::<PathBuf>())
    };
    let is_found = |count: &usize| paths().any(|path| moved(path, *count).exists());
    let Some(count) = (1..=common).rev().find(is_found) else { return false };
    for input in inputs {
        let Some(path) = input.path.as_deref() else { continue };
        let new = moved(path, count);
        if new.exists() || !path.exists() {
            if input.name == path {
                input.name.clone_from(&new);
            }
            input.path = Some(new);
        }
    }
    true
}
