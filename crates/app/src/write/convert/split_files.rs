//! Divides games between the files of a folder.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use pdn::internal::pool;

use super::file_name::FileNames;
use super::keys::{GROUP_SEPARATOR, SplitKey};
use super::split_folder::SplitFolder;
use crate::ask::context::Context;
use crate::ask::error::Result;
use crate::write::outputs::{Overwriting, unwritable};

/// Bytes that are collected for all files together before some are written.
const BUFFER_BYTES: usize = 32 << 20;

/// Number of files that are synced at once.
const SYNC_THREADS: NonZeroUsize = NonZeroUsize::new(16).expect("not zero");

/// The files of a folder, one for each group of games or several. One file is open at a time.
pub(super) struct SplitFiles {
    folder: SplitFolder,
    line_end: &'static [u8],
    max_games: u64,
    max_bytes: u64,
    /// The name of a file begins with the values of keys.
    has_groups: bool,
    groups: HashMap<String, Group>,
    names: FileNames,
    pub(super) files: Vec<SplitFile>,
    /// Bytes collected for all files.
    buffered: usize,
}

struct Group {
    name: String,
    /// The number of its last file, and the place of that in the list of all.
    part: u64,
    file: usize,
}

/// A file of a group.
pub(super) struct SplitFile {
    /// With its extension.
    pub(super) name: String,
    pub(super) games: u64,
    bytes: u64,
    buffer: Vec<u8>,
}

impl SplitFiles {
    /// Creates the files of a folder, which need not exist.
    pub(super) fn create(dir: &Path, keys: &[SplitKey], line_end: &'static [u8]) -> Result<Self> {
        let least =
            |size: fn(&SplitKey) -> Option<u64>| keys.iter().filter_map(size).min().unwrap_or(u64::MAX);
        Ok(Self {
            folder: SplitFolder::create(dir)?,
            line_end,
            max_games: least(|key| if let SplitKey::Games(games) = key { Some(*games) } else { None }),
            max_bytes: least(|key| if let SplitKey::Size(bytes) = key { Some(*bytes) } else { None }),
            has_groups: keys.iter().any(|key| !matches!(key, SplitKey::Games(_) | SplitKey::Size(_))),
            groups: HashMap::new(),
            names: FileNames::default(),
            files: Vec::new(),
            buffered: 0,
        })
    }

    pub(super) fn dir(&self) -> &Path {
        self.folder.dir()
    }

    /// Returns the folder of the files that are not complete.
    pub(super) fn temporary(&self) -> &Path {
        self.folder.temporary()
    }

    /// Writes a game, which ends with an empty line, to the file of a group.
    pub(super) fn write(&mut self, group: &str, text: &[u8]) -> Result<()> {
        let text = text.strip_suffix(self.line_end).unwrap_or(text);
        let file = self.file_for(group, text.len() as u64);
        let file = &mut self.files[file];
        let before = file.buffer.len();
        if file.games > 0 {
            file.buffer.extend_from_slice(self.line_end);
        }
        file.buffer.extend_from_slice(text);
        let added = file.buffer.len() - before;
        file.games += 1;
        file.bytes += added as u64;
        self.buffered += added;
        if self.buffered > BUFFER_BYTES { self.flush(BUFFER_BYTES / 2) } else { Ok(()) }
    }

    /// Returns the place of the file that the next game of a group belongs to.
    fn file_for(&mut self, group: &str, bytes: u64) -> usize {
        if let Some(known) = self.groups.get_mut(group) {
            let file = &self.files[known.file];
            let needed = file.bytes + self.line_end.len() as u64 + bytes;
            if file.games < self.max_games && needed <= self.max_bytes {
                return known.file;
            }
            known.part += 1;
            known.file = self.files.len();
            let name = self.names.numbered(&known.name, known.part);
            self.files.push(SplitFile::new(name));
            return known.file;
        }
        let is_numbered = self.max_games < u64::MAX || self.max_bytes < u64::MAX;
        let parts: Vec<&str> = group.split(GROUP_SEPARATOR).collect();
        let base = if self.has_groups { self.names.name(&parts) } else { "games".to_owned() };
        let name = if is_numbered { self.names.numbered(&base, 1) } else { base.clone() };
        let file = self.files.len();
        self.files.push(SplitFile::new(name));
        self.groups.insert(group.to_owned(), Group { name: base, part: 1, file });
        file
    }

    /// Writes what was collected, the longest first, until no more than `keep` bytes are left.
    fn flush(&mut self, keep: usize) -> Result<()> {
        let mut waiting: Vec<usize> =
            (0..self.files.len()).filter(|&file| !self.files[file].buffer.is_empty()).collect();
        waiting.sort_by_key(|&file| std::cmp::Reverse(self.files[file].buffer.len()));
        for number in waiting {
            if self.buffered <= keep {
                break;
            }
            let path = self.folder.temporary_path(number);
            let file = &mut self.files[number];
            File::options()
                .append(true)
                .create(true)
                .open(path)
                .and_then(|mut out| out.write_all(&file.buffer))
                .map_err(|error| unwritable(&self.folder.dir().join(&file.name), &error))?;
            self.buffered -= file.buffer.len();
            file.buffer = Vec::new();
        }
        Ok(())
    }

    /// Waits until all files are on disk.
    fn sync(&self) -> Result<()> {
        let mut synced = Ok(());
        // On several threads, because the system writes what many wait for at once.
        pool::ordered(
            0..self.files.len(),
            SYNC_THREADS,
            || (),
            |(), number| (number, sync(&self.folder.temporary_path(number))),
            |(number, result)| {
                if let Err(error) = result {
                    synced = Err(unwritable(&self.dir().join(&self.files[number].name), &error));
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            },
        );
        synced
    }

    /// Completes all files under their temporary names, and refuses names that must not be replaced.
    pub(super) fn complete(&mut self, overwriting: Overwriting<'_>) -> Result<()> {
        self.flush(0)?;
        self.folder.check(&names(&self.files), overwriting)?;
        self.sync()
    }

    /// Gives the files their names; they are complete.
    pub(super) fn finish(
        self,
        overwriting: Overwriting<'_>,
        context: &mut Context<'_>,
    ) -> Result<Vec<SplitFile>> {
        let Self { folder, files, .. } = self;
        folder.finish(&names(&files), overwriting.force, context)?;
        Ok(files)
    }
}

impl SplitFile {
    fn new(name: String) -> Self {
        Self { name: format!("{name}.pdn"), games: 0, bytes: 0, buffer: Vec::new() }
    }
}

fn names(files: &[SplitFile]) -> Vec<&str> {
    files.iter().map(|file| file.name.as_str()).collect()
}

/// Waits until a file is on disk.
fn sync(path: &Path) -> io::Result<()> {
    File::options().append(true).open(path)?.sync_data()
}
