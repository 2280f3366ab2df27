//! Puts a new text in the place of a file, all of it or nothing.

use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use crate::error::{Error, Result};
use crate::storage::{Disk, Output, Storage};

/// A new text for a file. It is written to a temporary file in the same folder and takes the place of the file only when
/// it is complete and on disk.
///
/// At any moment, also after a crash or on a full disk, the file has its old text or its new one. A symbolic link stays a
/// link: the file that it leads to is replaced. Permissions, owner and group stay the same; extended attributes and
/// access control lists are those of a new file. A file with several hard links is refused, because the other links would
/// keep the old text.
///
/// Without [`commit`](Self::commit), nothing changes.
///
/// ```
/// use std::io::Write;
/// use pdn::edit::FileReplacement;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games.pdn");
/// std::fs::write(&path, "1.32-28 *\n")?;
/// let mut replacement = FileReplacement::begin(&path)?;
/// replacement.write_all(b"1. 32-28 *\n")?;
/// replacement.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"1. 32-28 *\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FileReplacement {
    storage: Arc<dyn Storage>,
    /// The path as given, for messages.
    path: PathBuf,
    /// The file, all links followed.
    target: PathBuf,
    /// The state of the file when it was read.
    before: FileState,
    temporary: TemporaryFile,
}

/// A temporary file, removed unless it has been renamed.
struct TemporaryFile {
    storage: Arc<dyn Storage>,
    path: PathBuf,
    out: Option<Box<dyn Output>>,
}

impl std::fmt::Debug for TemporaryFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.path.fmt(f)
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if self.out.take().is_some() {
            // What remains after a failure is a file that no program reads.
            let _ = self.storage.remove(&self.path);
        }
    }
}

/// The length and the time of the last change of a file, by which changes are noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileState {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl FileState {
    /// Returns the present state of a file.
    ///
    /// # Errors
    /// If the file does not exist or cannot be asked.
    pub fn of(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        fs::metadata(path).map(|metadata| Self::from(&metadata)).map_err(|error| Error::from(error).at(path))
    }

    /// Returns the length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl From<&Metadata> for FileState {
    fn from(metadata: &Metadata) -> Self {
        Self { bytes: metadata.len(), modified: metadata.modified().ok() }
    }
}

impl FileReplacement {
    /// Begins to replace the file at `path`. Call it before the old text is read: [`commit`](Self::commit) then notices
    /// changes that others make meanwhile.
    ///
    /// # Errors
    /// If there is no regular file at `path`, it has several hard links, or its folder cannot be written to.
    pub fn begin(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::begin_on(Arc::new(Disk), path).map_err(|error| error.at(path))
    }

    /// Does the same as [`begin`](Self::begin) for a file that was read when it had the state `read`.
    ///
    /// # Errors
    /// As [`begin`](Self::begin). That the file has changed since is an error of [`commit`](Self::commit).
    pub fn begin_after(path: impl AsRef<Path>, read: FileState) -> Result<Self> {
        Self::begin(path).map(|replacement| Self { before: read, ..replacement })
    }

    /// Returns the path of the temporary file, to read back what was written so far.
    pub fn temporary_path(&self) -> &Path {
        &self.temporary.path
    }

    fn begin_on(storage: Arc<dyn Storage>, path: &Path) -> Result<Self> {
        /// Numbers the temporary files of this process.
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let target = fs::canonicalize(path)?;
        let before = fs::metadata(&target)?;
        let unsupported = |message| Error::from(io::Error::new(io::ErrorKind::Unsupported, message));
        if !before.is_file() {
            return Err(unsupported("is not a regular file, so it cannot be replaced"));
        }
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::nlink(&before) > 1 {
            return Err(unsupported("has several hard links; the others would keep the old text"));
        }
        let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let temporary = target.with_file_name(format!(".{name}.{}-{number}.tmp", std::process::id()));
        let out = Some(storage.create_private(&temporary)?);
        let temporary = TemporaryFile { storage: Arc::clone(&storage), path: temporary, out };
        let before = FileState::from(&before);
        Ok(Self { storage, path: path.to_owned(), target, before, temporary })
    }

    /// Puts the new text in the place of the file.
    ///
    /// # Errors
    /// If the text cannot be written completely, if the file would get another owner, or if the file has changed since
    /// [`begin`](Self::begin). The file then has its old text, unless only the last step failed: to make the new name
    /// durable, after which the file has its new text.
    pub fn commit(self) -> Result<()> {
        let path = self.path.clone();
        self.commit_file().map_err(|error| Error::from(error).at(path))
    }

    fn commit_file(mut self) -> io::Result<()> {
        let Self { storage, target, before, temporary, .. } = &mut self;
        if let Some(out) = &mut temporary.out {
            out.flush()?;
            storage.copy_attributes(target, &temporary.path)?;
            out.sync()?;
        }
        if FileState::from(&fs::metadata(&*target)?) != *before {
            return Err(io::Error::other("was changed by another program; nothing is written"));
        }
        storage.rename(&temporary.path, target)?;
        temporary.out = None;
        storage.sync_dir(target.parent().unwrap_or(Path::new("/")))
    }
}

/// Appends to the new text. Not buffered.
impl Write for FileReplacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.temporary.out {
            Some(out) => out.write(bytes),
            None => Ok(0),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::storage::power_cut::PowerCutDisk;

    /// A disk that performs a given number of operations and fails from then on, as if the process had been killed.
    #[derive(Clone, Debug)]
    struct FailingDisk(Arc<AtomicUsize>);

    impl FailingDisk {
        fn step(&self) -> io::Result<()> {
            let take = |steps: usize| steps.checked_sub(1);
            let used = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
            used.map(drop).map_err(|_| io::ErrorKind::StorageFull.into())
        }
    }

    struct FailingFile(Box<dyn Output>, FailingDisk);

    impl Storage for FailingDisk {
        fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
            self.step()?;
            Disk.create(path)
        }
        fn create_private(&self, path: &Path) -> io::Result<Box<dyn Output>> {
            self.step()?;
            Ok(Box::new(FailingFile(Disk.create_private(path)?, self.clone())))
        }
        fn copy_attributes(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.step()?;
            Disk.copy_attributes(from, to)
        }
        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.step()?;
            Disk.rename(from, to)
        }
        fn remove(&self, path: &Path) -> io::Result<()> {
            self.step()?;
            Disk.remove(path)
        }
        fn sync_dir(&self, dir: &Path) -> io::Result<()> {
            self.step()?;
            Disk.sync_dir(dir)
        }
    }

    impl Write for FailingFile {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if let Err(error) = self.1.step() {
                // A full disk stores a part.
                self.0.write_all(&bytes[..bytes.len() / 2])?;
                return Err(error);
            }
            self.0.write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            self.0.flush()
        }
    }

    impl Output for FailingFile {
        fn sync(&mut self) -> io::Result<()> {
            self.1.step()?;
            self.0.sync()
        }
    }

    const OLD: &[u8] = b"1.32-28 *\n";
    const NEW: &[u8] = b"1. 32-28 *\n";

    fn replace(storage: Arc<dyn Storage>, path: &Path) -> Result<()> {
        let mut replacement = FileReplacement::begin_on(storage, path)?;
        for byte in NEW.chunks(4) {
            replacement.write_all(byte)?;
        }
        replacement.commit()
    }

    #[test]
    fn interrupted_replacement_leaves_old_or_new_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        let mut outcomes = Vec::new();
        for steps in 0.. {
            fs::write(&path, OLD).unwrap();
            let result = replace(Arc::new(FailingDisk(Arc::new(AtomicUsize::new(steps)))), &path);
            let text = fs::read(&path).unwrap();
            assert!(text == OLD || text == NEW, "after {steps} steps: {}", text.escape_ascii());
            outcomes.push((result.is_ok(), text == NEW));
            if result.is_ok() {
                break;
            }
        }
        // Create, three writes, attributes, sync, rename, and the sync of the folder.
        assert_eq!(outcomes.len(), 9);
        assert_eq!(outcomes[..7], [(false, false); 7]);
        assert_eq!(outcomes[7..], [(false, true), (true, true)]);
    }

    #[test]
    fn power_cut_during_a_replacement_leaves_old_or_new_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = fs::canonicalize(folder.path()).unwrap().join("games.pdn");
        fs::write(&path, OLD).unwrap();
        let disk = PowerCutDisk::new(path.parent().unwrap());
        replace(Arc::new(disk.clone()), &path).unwrap();
        let texts: Vec<_> = disk.after_any_cut().iter().map(|files| files[&path].clone()).collect();
        assert!(texts.iter().all(|text| text == OLD || text == NEW), "{texts:?}");
        assert!(texts.iter().any(|text| text == OLD) && texts.iter().any(|text| text == NEW), "{texts:?}");
        // After a commit that succeeded, the new text is there to stay.
        assert!(disk.after_cut_now().iter().all(|files| files[&path] == NEW));
    }

    #[test]
    fn replacement_without_commit_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        fs::write(&path, OLD).unwrap();
        let mut replacement = FileReplacement::begin(&path).unwrap();
        replacement.write_all(NEW).unwrap();
        drop(replacement);
        assert_eq!(fs::read(&path).unwrap(), OLD);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the temporary file is removed");
    }

    #[test]
    fn file_changed_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        fs::write(&path, OLD).unwrap();
        let mut replacement = FileReplacement::begin(&path).unwrap();
        replacement.write_all(NEW).unwrap();
        fs::write(&path, b"1. 33-28 18-23 *\n").unwrap();
        let error = replacement.commit().unwrap_err();
        assert!(error.to_string().ends_with("was changed by another program; nothing is written"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"1. 33-28 18-23 *\n");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_survive() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("games.pdn"), folder.path().join("link.pdn"));
        fs::write(&path, OLD).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("games.pdn", &link).unwrap();
        let before = fs::metadata(&path).unwrap();
        replace(Arc::new(Disk), &link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let after = fs::metadata(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), NEW);
        assert_eq!((after.mode(), after.uid(), after.gid()), (before.mode(), before.uid(), before.gid()));

        fs::hard_link(&path, folder.path().join("other.pdn")).unwrap();
        let error = replace(Arc::new(Disk), &path).unwrap_err().to_string();
        assert!(error.contains("several hard links"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn owner_survives() {
        use std::os::unix::fs::{MetadataExt, chown};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        fs::write(&path, OLD).unwrap();
        // Only a privileged user can give a file away; others keep the owner that they are.
        let _ = chown(&path, Some(1234), Some(4321));
        let before = fs::metadata(&path).unwrap();
        replace(Arc::new(Disk), &path).unwrap();
        let after = fs::metadata(&path).unwrap();
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    }
}
