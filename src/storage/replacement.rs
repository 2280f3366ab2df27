//! The one way in which files are written: under a temporary name, to which nothing else belongs, then synced, renamed, and the
//! folder synced.
//!
//! [`TemporaryFile`] is such a file. The writer of an index, which locks the folder, chooses the temporary name itself. Everything else
//! is a [`FileReplacement`], which knows what may stand at the place of the file: nothing, or a file that keeps its
//! permissions and links. It takes a journal that has to be on disk before the file changes.

use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use twox_hash::XxHash3_64;

use super::{Access, Disk, Output, Storage, unconfirmed};
use crate::error::{Error, Result};

/// A new text for a file. It is written to a temporary file in the same folder and takes the place of the file only when
/// it is complete and on disk.
///
/// At any moment, also after a crash or on a full disk, the file has its old text or its new one. A symbolic link stays a
/// link: the file that it leads to is replaced. Permissions, owner and group stay the same, and on Linux the extended
/// attributes with the access control lists. A file with several hard links is refused, because the other links would
/// keep the old text.
///
/// A process that is killed leaves its temporary file, `.pdn-` and 16 digits and `.tmp`, in the same folder. On Unix, the next
/// replacement of the same file writes over it.
///
/// Without [`commit`](Self::commit), nothing changes.
///
/// ```
/// use std::io::Write;
/// use pdn::internal::storage::FileReplacement;
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
    /// The state of the file when it was read; `None` for a file that does not exist yet.
    before: Option<FileState>,
    temporary: TemporaryFile,
}

/// A file that is written under another name than it will have, and removed unless it was renamed.
pub struct TemporaryFile {
    storage: Arc<dyn Storage>,
    path: PathBuf,
    out: Option<Box<dyn Output>>,
}

/// Maximum number of temporary files for one file: those of processes that write at the same time, and, where they cannot
/// be distinguished from them, of processes that were killed.
const MAX_TEMPORARY_FILES: u32 = 1000;

/// Returns the path of a temporary file for `target`, in the same folder. The names of all of them have 25 bytes, so that
/// there is one for every name that a file can have.
fn temporary_path(target: &Path, number: u32) -> PathBuf {
    let name = target.file_name().unwrap_or_default().as_encoded_bytes();
    target.with_file_name(format!(".pdn-{:016x}.tmp", XxHash3_64::oneshot_with_seed(number.into(), name)))
}

impl TemporaryFile {
    /// Creates a file in the folder of `target`, that is to become `target` or to get another name there.
    pub(crate) fn for_target(storage: &Arc<dyn Storage>, target: &Path, access: Access) -> io::Result<Self> {
        for number in 0..MAX_TEMPORARY_FILES {
            let path = temporary_path(target, number);
            let out = match storage.create_new(&path, access) {
                Ok(out) => Some(out),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    storage.take_over(&path, access)?
                }
                Err(error) => return Err(error),
            };
            if out.is_some() {
                return Ok(Self { storage: Arc::clone(storage), path, out });
            }
        }
        Err(io::Error::other(
            "too many temporary files of this name are in the folder; remove those that end with `.tmp`",
        ))
    }

    /// Creates the file `path`, in a folder that no other process writes to.
    pub fn at(storage: &Arc<dyn Storage>, path: PathBuf) -> io::Result<Self> {
        let out = Some(storage.create(&path)?);
        Ok(Self { storage: Arc::clone(storage), path, out })
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its name, which must be new.
    pub(crate) fn rename_new(&mut self, to: &Path) -> io::Result<()> {
        self.storage.rename_new(&self.path, to)?;
        self.out = None;
        Ok(())
    }

    /// Gives the file its name, in the place of another file.
    pub fn rename(&mut self, to: &Path) -> io::Result<()> {
        self.storage.rename(&self.path, to)?;
        self.out = None;
        Ok(())
    }

    /// Returns `true` if the file has its name.
    fn is_renamed(&self) -> bool {
        self.out.is_none()
    }
}

/// Appends to the file. Not buffered.
impl Write for TemporaryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Some(out) => out.write(bytes),
            None => Ok(0),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Output for TemporaryFile {
    fn hint_final(&mut self, offset: u64, len: u64) {
        if let Some(out) = &mut self.out {
            out.hint_final(offset, len);
        }
    }

    fn overwrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), |out| out.overwrite_start(bytes))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        self.out.as_mut().map_or(Ok(()), |out| out.sync())
    }
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
        Self::begin(path).map(|replacement| Self { before: Some(read), ..replacement })
    }

    /// Begins a file that does not exist yet. [`commit`](Self::commit) then gives the complete text its name.
    ///
    /// ```
    /// use std::io::Write;
    /// use pdn::internal::storage::FileReplacement;
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("games.pdn");
    /// let mut file = FileReplacement::create(&path)?;
    /// file.write_all(b"1. 32-28 *\n")?;
    /// assert!(!path.exists());
    /// file.commit()?;
    /// assert_eq!(std::fs::read(&path)?, b"1. 32-28 *\n");
    /// assert!(FileReplacement::create(&path).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is something at `path`, or its folder does not exist or cannot be written to. That a file was created at
    /// `path` meanwhile is an error of [`commit`](Self::commit).
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::create_on(Arc::new(Disk), path).map_err(|error| error.at(path))
    }

    fn create_on(storage: Arc<dyn Storage>, path: &Path) -> Result<Self> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(already_exists().into());
        }
        let Some(name) = path.file_name() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "is no name of a file").into());
        };
        let target = fs::canonicalize(parent(path))?.join(name);
        let temporary = TemporaryFile::for_target(&storage, &target, Access::Default)?;
        Ok(Self { storage, path: path.to_owned(), target, before: None, temporary })
    }

    /// Returns the path of the temporary file, to read back what was written so far.
    pub fn temporary_path(&self) -> &Path {
        &self.temporary.path
    }

    /// Does the same as [`begin`](Self::begin) on another storage.
    pub(crate) fn begin_on(storage: Arc<dyn Storage>, path: &Path) -> Result<Self> {
        let target = fs::canonicalize(path)?;
        let before = fs::metadata(&target)?;
        let unsupported = |message| Error::from(io::Error::new(io::ErrorKind::Unsupported, message));
        if !before.is_file() {
            return Err(unsupported("is not a regular file, so it cannot be replaced"));
        }
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::nlink(&before) > remove_own_links(&*storage, &target, &before)? + 1
        {
            return Err(unsupported("has several hard links; the others would keep the old text"));
        }
        let temporary = TemporaryFile::for_target(&storage, &target, Access::Owner)?;
        let before = Some(FileState::from(&before));
        Ok(Self { storage, path: path.to_owned(), target, before, temporary })
    }

    /// Puts the new text in the place of the file.
    ///
    /// # Errors
    /// If the text cannot be written completely, if the file would get another owner, or if the file has changed since
    /// [`begin`](Self::begin). The file then has its old text, or there is none as before. Only if the last step failed, to make the new
    /// name durable, a file that was replaced has its new text, and the message says so.
    pub fn commit(mut self) -> Result<()> {
        self.put_in_place().map_err(|error| Error::from(error).at(&self.path))
    }

    /// Does the same as [`commit`](Self::commit) after it has put a journal in its place: the first of `names` that is free.
    /// Returns that name. So a complete journal lies there whenever the file has its new text.
    ///
    /// # Errors
    /// As [`commit`](Self::commit). If the file has its old text, there is no journal.
    pub(crate) fn commit_with(
        mut self,
        mut journal: TemporaryFile,
        names: impl IntoIterator<Item = PathBuf>,
    ) -> io::Result<PathBuf> {
        journal.sync()?;
        let mut names = names.into_iter();
        let name = loop {
            let name = names.next().ok_or_else(already_exists)?;
            match journal.rename_new(&name) {
                Ok(()) => break name,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        };
        let done = self.storage.sync_dir(parent(&name)).and_then(|()| self.put_in_place());
        if done.is_err() && !self.temporary.is_renamed() {
            // It lists changes that were not made. The first error is the one that counts.
            let _ = self.storage.remove(&name);
        }
        done.map(|()| name)
    }

    fn put_in_place(&mut self) -> io::Result<()> {
        let Self { storage, target, before, temporary, .. } = self;
        temporary.flush()?;
        if let Some(before) = before {
            storage.copy_attributes(target, &temporary.path)?;
            temporary.sync()?;
            if FileState::from(&fs::metadata(&*target)?) != *before {
                return Err(io::Error::other(
                    "was changed by another program, and stays as that has left it",
                ));
            }
            temporary.rename(target)?;
        } else {
            temporary.sync()?;
            temporary.rename_new(target).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => already_exists(),
                _ => error,
            })?;
        }
        let is_new = before.is_none();
        storage.sync_dir(parent(target)).map_err(|error| {
            let is_taken_back = is_new && storage.remove(target).is_ok();
            if is_taken_back { error } else { unconfirmed(&error) }
        })
    }

    /// Sets the state that the file must have when its new text takes its place.
    pub(crate) fn set_state(&mut self, read: FileState) {
        self.before = Some(read);
    }
}

/// Removes the temporary names of `target` that lead to the file itself, and returns how many it had. Where the system
/// names a file in two steps, a process that is killed between them leaves both names.
#[cfg(unix)]
fn remove_own_links(storage: &dyn Storage, target: &Path, file: &Metadata) -> io::Result<u64> {
    use std::os::unix::fs::MetadataExt;
    let mut links = file.nlink() - 1;
    let mut removed = 0;
    for number in 0..MAX_TEMPORARY_FILES {
        let path = temporary_path(target, number);
        let Some(found) = fs::symlink_metadata(&path).ok().filter(|_| links > 0) else { break };
        if (found.dev(), found.ino()) == (file.dev(), file.ino()) {
            storage.remove(&path)?;
            (links, removed) = (links - 1, removed + 1);
        }
    }
    Ok(removed)
}

/// Returns the folder of a file.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn already_exists() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "exists already, and stays as it is")
}

/// Appends to the new text. Not buffered.
impl Write for FileReplacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::failing::{FailingDisk, Failure};
    use crate::storage::power_cut::PowerCutDisk;

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
        for failure in Failure::ALL {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("games.pdn");
            let mut outcomes = Vec::new();
            for steps in 0.. {
                fs::write(&path, OLD).unwrap();
                let disk = FailingDisk::new(steps, failure);
                let result = replace(Arc::new(disk.clone()), &path);
                let text = fs::read(&path).unwrap();
                assert!(text == OLD || text == NEW, "after {steps} steps: {}", text.escape_ascii());
                outcomes.push((result.is_ok(), text == NEW));
                // The next replacement works, and nothing is left of the one that failed.
                #[cfg(unix)]
                {
                    replace(Arc::new(Disk), &path).unwrap();
                    assert_eq!(fs::read(&path).unwrap(), NEW);
                    assert_eq!(
                        fs::read_dir(folder.path()).unwrap().count(),
                        1,
                        "{failure:?} after {steps} steps"
                    );
                }
                if disk.remaining() > 0 {
                    break;
                }
            }
            // Create, three writes, attributes, sync, rename, and the sync of the folder.
            let failed = outcomes.iter().take_while(|outcome| **outcome == (false, false)).count();
            match failure {
                Failure::Killed | Failure::Torn => {
                    assert_eq!(failed, 7, "{outcomes:?}");
                    assert_eq!(outcomes[7..], [(false, true), (true, true), (true, true)]);
                }
                // Renaming needs no room.
                Failure::Full => {
                    assert!(failed >= 5 && outcomes[failed..].iter().all(|outcome| *outcome == (true, true)))
                }
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn two_replacements_at_once_keep_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        fs::write(&path, OLD).unwrap();
        let mut first = FileReplacement::begin(&path).unwrap();
        let mut second = FileReplacement::begin(&path).unwrap();
        assert_ne!(first.temporary_path(), second.temporary_path());
        first.write_all(b"first").unwrap();
        second.write_all(b"second").unwrap();
        first.commit().unwrap();
        assert!(second.commit().is_err(), "the file has changed");
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(target_os = "linux")]
    #[test]
    #[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
    fn extended_attributes_survive() {
        use rustix::fs::{XattrFlags, getxattr, setxattr};

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        fs::write(&path, OLD).unwrap();
        if let Err(error) = setxattr(&path, "user.source", b"KNDB", XattrFlags::empty()) {
            eprintln!("SKIPPED: no extended attributes here: {error}");
            return;
        }
        replace(Arc::new(Disk), &path).unwrap();
        let mut value = [0; 16];
        let len = getxattr(&path, "user.source", &mut value[..]).unwrap();
        assert_eq!(&value[..len], b"KNDB");
    }

    #[test]
    fn interrupted_creation_leaves_no_file_or_the_whole_text() {
        let mut outcomes = Vec::new();
        for steps in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("games.pdn");
            let create = || -> Result<()> {
                let disk = FailingDisk::new(steps, Failure::Killed);
                let mut file = FileReplacement::create_on(Arc::new(disk), &path)?;
                for byte in NEW.chunks(4) {
                    file.write_all(byte)?;
                }
                file.commit()
            };
            let result = create();
            let text = fs::read(&path).ok();
            assert!(text.as_deref().is_none_or(|text| text == NEW), "after {steps} steps: {text:?}");
            outcomes.push((result.is_ok(), text.is_some()));
            if result.is_ok() {
                break;
            }
        }
        // Create, three writes, sync, rename, and the sync of the folder.
        assert_eq!(outcomes.len(), 8);
        assert_eq!(outcomes[..6], [(false, false); 6]);
        assert_eq!(outcomes[6..], [(false, true), (true, true)]);
    }

    #[test]
    fn file_created_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        let mut file = FileReplacement::create(&path).unwrap();
        file.write_all(NEW).unwrap();
        fs::write(&path, OLD).unwrap();
        let error = file.commit().unwrap_err().to_string();
        assert!(error.ends_with("exists already, and stays as it is"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), OLD);
        assert!(FileReplacement::create(&path).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the temporary file is removed");
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
        assert!(error.to_string().contains("was changed by another program, and stays"), "{error}");
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
