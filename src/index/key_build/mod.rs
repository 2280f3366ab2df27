//! BUILD

mod builder;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use self::builder::{ComparingOutput, KeyTableBuilder, MAX_ENTRIES};
use super::format::section::Section;
use super::keys::table::KeyTable;
use super::lock::lock_for_writing;
use super::open::Index;
use super::segment::reader::Segment;
use crate::error::{Error, ErrorKind, Result};
use crate::pool;
use crate::storage::{Disk, Storage};

#[cfg(test)]
mod tests;

/// How tables of positions are built.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct KeyTableOptions {
    /// Worker threads. The tables do not depend on it.
    pub threads: NonZeroUsize,
}

impl Default for KeyTableOptions {
    fn default() -> Self {
        Self { threads: pool::default_threads() }
    }
}

/// What [`build_key_tables`] did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct KeyTablesBuilt {
    /// Tables that were made; the others were there.
    pub tables: u64,
    /// Entries of all tables: different positions of each game.
    pub entries: u64,
    /// Bytes of all tables.
    pub bytes: u64,
}

/// Makes the tables that say which game has which position, for all segments of an index that have none yet, or a
/// damaged one.
///
/// Each table appears in one step. Killed at any moment this leaves an index that answers as before. `progress` is
/// told the plies that were played and all that have to be, and may break off; then the error is
/// [`io::ErrorKind::Interrupted`].
///
/// # Errors
/// When there is no index, another process is writing it, a segment is damaged, or the disk does not take a table.
pub fn build_key_tables(
    dir: impl AsRef<Path>,
    options: &KeyTableOptions,
    progress: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<KeyTablesBuilt> {
    build_on(&Disk, dir.as_ref(), options, progress)
}

fn build_on(
    storage: &dyn Storage,
    dir: &Path,
    options: &KeyTableOptions,
    mut progress: impl FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<KeyTablesBuilt> {
    if !dir.is_dir() {
        return Err(Error::new(ErrorKind::NotAnIndex).at(dir));
    }
    let _lock = lock_for_writing(dir)?;
    let index = Index::open(dir)?;
    let mut built = KeyTablesBuilt::default();
    let missing: Vec<&Segment> = index
        .segments()
        .iter()
        .filter(|segment| {
            let there = KeyTable::open(segment).ok().flatten().filter(|keys| keys.check_pages().is_ok());
            if let Some(keys) = &there {
                built.entries += keys.len();
                built.bytes += keys.file_len();
            }
            there.is_none()
        })
        .collect();
    let plies = |segment: &&Segment| -> Result<u64> { Ok(segment.column(Section::Plies)?.values().sum()) };
    let total: u64 = missing.iter().map(plies).sum::<Result<u64>>()?;
    let mut before = 0;
    for segment in missing {
        let path = KeyTable::path_of(segment);
        let tmp = path.with_extension("keys.tmp");
        let of = plies(&segment)?;
        let mut one = || -> Result<(u64, u64)> {
            let mut out = storage.create(&tmp)?;
            let mut maker = KeyTableBuilder::new(segment, options.threads, MAX_ENTRIES)?;
            let said = &mut |share: f64| progress(before + (share * of as f64) as u64, total);
            let (bytes, entries) = maker.write(&mut *out, said)?;
            drop(out);
            storage.rename(&tmp, &path)?;
            storage.sync_dir(dir)?;
            Ok((bytes, entries))
        };
        let (bytes, entries) = one().map_err(|error| {
            let _ = storage.remove(&tmp);
            error.at(&path)
        })?;
        before += of;
        built.tables += 1;
        built.entries += entries;
        built.bytes += bytes;
    }
    Ok(built)
}

/// Compares the table of a segment, if it has one, with what its games say. The plain words of what is wrong.
pub(super) fn check(segment: &Segment) -> Option<(PathBuf, Error)> {
    let path = KeyTable::path_of(segment);
    let compare = || -> Result<()> {
        let Some(known) = KeyTable::open(segment)? else { return Ok(()) };
        known.check_pages()?;
        let mut same = ComparingOutput { rest: known.bytes(), is_equal: true };
        let mut maker = KeyTableBuilder::new(segment, pool::default_threads(), MAX_ENTRIES)?;
        maker.write(&mut same, &mut |_| ControlFlow::Continue(()))?;
        if same.is_equal && same.rest.is_empty() {
            return Ok(());
        }
        let problem = "it does not say which game has which position";
        Err(ErrorKind::IndexDamaged { section: "positions", problem }.into())
    };
    compare().err().map(|error| (path, error))
}
