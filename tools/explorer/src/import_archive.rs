//! The archive file to which imported games are appended.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pdn::archive::Archive;
use pdn::source::{Encoding, OpenOptions};
use pdn::split;

use crate::import_records::{self, GameIdentity};

/// Added to the name of the archive for the file that receives what a stopped import left unfinished.
const UNFINISHED: &str = ".unfinished";

/// The archive of imported games, open and locked.
#[derive(Debug)]
pub(crate) struct ImportArchive {
    path: PathBuf,
    file: File,
    /// Length in bytes. All of it is on the disk.
    len: u64,
    known: HashSet<GameIdentity>,
    /// `true` if the length of the file is not certain after an error.
    is_broken: bool,
}

impl ImportArchive {
    /// Opens the archive, or creates it, and locks it until it is dropped.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or another server writes it.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let path = std::path::absolute(path)?;
        let is_new = !path.exists();
        let file = File::options().read(true).append(true).create(true).open(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message = "another server imports games into this file";
                return Err(io::Error::new(io::ErrorKind::ResourceBusy, message));
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if is_new {
            file.sync_all()?;
            if let Some(folder) = path.parent().filter(|_| cfg!(unix)) {
                File::open(folder)?.sync_all()?;
            }
        }
        let len = file.metadata()?.len();
        Ok(Self { path, file, len, known: HashSet::new(), is_broken: false })
    }

    /// Returns the absolute path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the length of the file in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Takes an unfinished record off the end of the file: one that was being written when the server was killed, so that it
    /// was never confirmed. Its bytes are kept in another file. The first `indexed` bytes are left alone. Returns the number of
    /// bytes and the other file, if there was such a record.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written.
    pub(crate) fn remove_unfinished(&mut self, indexed: u64) -> io::Result<Option<(u64, PathBuf)>> {
        if indexed >= self.len {
            return Ok(None);
        }
        let mut rest = Vec::new();
        self.file.seek(SeekFrom::Start(indexed))?;
        self.file.read_to_end(&mut rest)?;
        // The first bytes of a record may look like a part of the one before, so the end of a whole one is looked for inside too.
        let records: Vec<_> = split::records(&rest).collect();
        let ends = records.iter().rev().map(|record| match import_records::whole_len(record.bytes) {
            0 => 0,
            len => record.offset as usize + len,
        });
        let kept = ends.into_iter().find(|&end| end > 0).unwrap_or(0);
        let unfinished = &rest[kept..];
        if unfinished.is_empty() {
            return Ok(None);
        }
        let mut name = self.path.clone().into_os_string();
        name.push(UNFINISHED);
        let other = PathBuf::from(name);
        let mut file = File::options().append(true).create(true).open(&other)?;
        file.write_all(unfinished)?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        self.len = indexed + kept as u64;
        self.file.set_len(self.len)?;
        self.file.sync_all()?;
        Ok(Some((unfinished.len() as u64, other)))
    }

    /// Reads all games of the archive, so that [`knows`](Self::knows) can tell which are stored.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or its last game is not whole, so that no other can follow it.
    pub(crate) fn read_games(&mut self, threads: NonZeroUsize) -> pdn::Result<()> {
        if self.len == 0 {
            return Ok(());
        }
        let archive = Archive::open_with(&self.path, &open_options())?;
        let mut last_is_whole = true;
        archive.par_each(
            threads,
            || (),
            |(), game| (GameIdentity::of(game.view()), import_records::is_whole(game.raw())),
            |(identity, is_whole)| {
                self.known.insert(identity);
                last_is_whole = is_whole;
                ControlFlow::Continue(())
            },
        )?;
        if last_is_whole {
            return Ok(());
        }
        let message =
            "its last game has no terminator and line end after it, so that no other game can follow";
        Err(pdn::Error::from(io::Error::new(io::ErrorKind::InvalidData, message)).at(&self.path))
    }

    /// Returns `true` if the game is stored already.
    pub(crate) fn knows(&self, game: GameIdentity) -> bool {
        self.known.contains(&game)
    }

    /// Appends records, and returns when they are on the disk. If that fails, none of them is stored.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or another program has changed it.
    pub(crate) fn append(
        &mut self,
        text: &[u8],
        games: impl IntoIterator<Item = GameIdentity>,
    ) -> io::Result<()> {
        if self.is_broken || self.file.metadata()?.len() != self.len {
            self.is_broken = true;
            let message = "the archive of imported games was changed by another program, or could not be written before; start the server again";
            return Err(io::Error::other(message));
        }
        let written = self.file.write_all(text).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            let restored = self.file.set_len(self.len).and_then(|()| self.file.sync_data());
            self.is_broken = restored.is_err();
            return Err(error);
        }
        self.len += text.len() as u64;
        self.known.extend(games);
        Ok(())
    }
}

/// Returns the options with which the archive is read.
pub(crate) fn open_options() -> OpenOptions {
    OpenOptions::new().encoding(Some(Encoding::UTF_8))
}

/// Returns the path of the archive of an index if none is given: `games.imported.pdn` in the folder that has
/// `games.idx`.
///
/// # Errors
///
/// If the folder of the index cannot be found.
pub(crate) fn default_path(index: &Path) -> io::Result<PathBuf> {
    let index = fs::canonicalize(index)?;
    let stem = index.file_stem().unwrap_or_default().to_string_lossy();
    Ok(index.with_file_name(format!("{stem}.imported.pdn")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: u32) -> (Vec<u8>, GameIdentity) {
        let text = format!("[LidraughtsID \"{id}\"]\n\n1. 32-28 {{a}} 19-23 2-0");
        let mut records = import_records::read(text.as_bytes()).expect("text");
        let record = records.remove(0).expect("storable");
        (record.text, record.identity)
    }

    #[test]
    fn stored_games_are_known_after_the_file_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pdn");
        let [one, two] = [1, 2].map(record);
        let mut archive = ImportArchive::open(&path).unwrap();
        archive.append(&one.0, [one.1]).unwrap();
        assert!(archive.knows(one.1) && !archive.knows(two.1));
        assert!(ImportArchive::open(&path).is_err(), "it is locked");
        drop(archive);
        let mut archive = ImportArchive::open(&path).unwrap();
        assert_eq!(archive.remove_unfinished(0).unwrap(), None);
        archive.read_games(NonZeroUsize::MIN).unwrap();
        assert!(archive.knows(one.1) && !archive.knows(two.1));
    }

    #[test]
    fn only_what_a_stopped_import_left_unfinished_is_taken_off() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two, three] = [1, 2, 3].map(|id| record(id).0);
        let whole = [one.as_slice(), &two].concat();
        let cut = three.len() - 3;
        for (len, zeros) in (0..cut).map(|len| (len, 0)).chain([(cut, 9), (0, 9), (7, 9)]) {
            let path = folder.path().join(format!("{len}-{zeros}.pdn"));
            let unfinished = [&three[..len], &vec![0; zeros]].concat();
            fs::write(&path, [whole.as_slice(), &unfinished].concat()).unwrap();
            for indexed in [0, one.len()] {
                let mut archive = ImportArchive::open(&path).unwrap();
                archive.remove_unfinished(indexed as u64).unwrap();
                archive.read_games(NonZeroUsize::MIN).unwrap();
                let left = fs::read(&path).unwrap();
                assert_eq!(left, whole, "{len} bytes and {zeros} zeros, {indexed} indexed");
                let other = folder.path().join(format!("{len}-{zeros}.pdn{UNFINISHED}"));
                assert_eq!(fs::read(&other).is_ok(), len + zeros > 0);
            }
        }
    }

    #[test]
    fn file_that_another_program_changes_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pdn");
        let [one, two] = [1, 2].map(record);
        let mut archive = ImportArchive::open(&path).unwrap();
        archive.append(&one.0, [one.1]).unwrap();
        fs::write(&path, "[Event \"other\"] 1. 32-28 *\n").unwrap();
        assert!(archive.append(&two.0, [two.1]).is_err());
        assert!(!archive.knows(two.1));
    }

    #[test]
    fn game_that_is_not_closed_cannot_be_followed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pdn");
        fs::write(&path, "[Event \"by hand\"] 1. 32-28 {never closed").unwrap();
        let mut archive = ImportArchive::open(&path).unwrap();
        let indexed = archive.len();
        assert_eq!(archive.remove_unfinished(indexed).unwrap(), None);
        assert!(archive.read_games(NonZeroUsize::MIN).is_err());
        assert_eq!(archive.len(), indexed);
    }
}
