//! Power cuts while an index is written: what was not synced is lost.

use crate::internal::{VerifyOptions, verify};
use std::collections::BTreeSet;
use std::sync::Arc;

use super::crash::{SEGMENTS, replace, write, years};
use super::*;
use crate::manifest::Manifest;
use crate::writer::WriterMode;
use pdn::internal::storage::Disk;
use pdn::internal::storage::power_cut::{FilesAfterCut, PowerCutDisk};

/// The games and the rejected records of an index, or `None` if there is no index.
type Contents = Option<(Vec<u16>, String)>;

/// Returns the contents of the index in each state of its folder, and verifies them.
fn contents_of(dir: &Path, states: &BTreeSet<FilesAfterCut>) -> Vec<Contents> {
    let contents = |state: &FilesAfterCut| {
        for (name, _) in files(dir) {
            fs::remove_file(dir.join(name)).expect("removed");
        }
        for (path, bytes) in state {
            fs::write(path, bytes).expect("written");
        }
        let manifest = Manifest::read(dir).expect("whole or absent");
        manifest?;
        let all = VerifyOptions { texts: SEGMENTS.embed, ..VerifyOptions::INDEX };
        let report = verify(dir, &all).expect("a manifest");
        assert!(report.is_sound(), "{report:?}");
        Some(years(dir))
    };
    states.iter().map(contents).collect()
}

/// Writes to an index, and checks that each power cut leaves the contents before or after that.
fn check(dir: &Path, old: Contents, new: (Vec<u16>, String), write: impl FnOnce(Arc<PowerCutDisk>)) {
    fs::create_dir_all(dir).expect("made");
    let disk = PowerCutDisk::new(dir);
    write(Arc::new(disk.clone()));
    let found = contents_of(dir, &disk.after_any_cut());
    let (new, mut outcomes) = (Some(new), [0, 0]);
    for contents in found {
        assert!(contents == old || contents == new, "{contents:?}");
        outcomes[usize::from(contents == new)] += 1;
    }
    assert!(outcomes[0] > 5 && outcomes[1] > 1, "{outcomes:?}");
    // After a commit that succeeded, the new games are there to stay.
    let now = contents_of(dir, &disk.after_cut_now());
    assert!(now.iter().all(|contents| *contents == new), "{now:?}");
}

#[test]
fn power_cut_leaves_the_old_or_the_new_index() {
    let line = |year: u16| format!("{{\"year\":{year}}}\n");
    let temp = TestFolder::new();
    check(&temp.path("new"), None, (vec![2000; 7], line(2000)), |disk| {
        write(&temp.path("new"), disk, false, 2000).expect("a sound disk");
    });
    let old = (vec![1950; 7], line(1950));
    for append in [false, true] {
        let dir = temp.path(if append { "appended" } else { "replaced" });
        write(&dir, Arc::new(Disk), false, 1950).expect("a sound disk");
        let new = match append {
            false => (vec![2000; 7], line(2000)),
            true => ([vec![1950; 7], vec![2000; 7]].concat(), line(1950) + &line(2000)),
        };
        check(&dir, Some(old.clone()), new, |disk| write(&dir, disk, append, 2000).expect("a sound disk"));
    }
}

#[test]
fn power_cut_while_games_retire_leaves_the_old_or_the_new_games() {
    let lines = |years: &[u16]| -> (Vec<u16>, String) {
        let games = years.iter().flat_map(|&year| [year; 4]).collect();
        (games, years.iter().map(|year| format!("{{\"year\":{year}}}\n").repeat(4)).collect())
    };
    let temp = TestFolder::new();
    let dir = temp.path("index");
    replace(&dir, Arc::new(Disk), WriterMode::Create, &[], 1950).expect("a sound disk");
    replace(&dir, Arc::new(Disk), WriterMode::Append, &[], 1960).expect("a sound disk");
    check(&dir, Some(lines(&[1950, 1960])), lines(&[1960, 2000]), |disk| {
        replace(&dir, disk, WriterMode::Append, &[0], 2000).expect("a sound disk");
    });
}
