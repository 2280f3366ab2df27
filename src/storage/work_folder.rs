//! Folders under a temporary name, each of which a process locks while it works in it.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;
use twox_hash::XxHash3_64;

use super::replacement::parent;
use super::{Access, Disk, Storage, unconfirmed};

/// A folder under a temporary name: for files that get their names later, or to get its own name when it is complete.
///
/// It is removed when the value is dropped. A process that is killed leaves it behind; on Unix, the next one that creates a folder
/// for the same target removes it. A lock on the folder distinguishes it from that of a running process.
///
/// ```
/// use pdn::internal::storage::WorkFolder;
///
/// # let place = tempfile::tempdir()?;
/// let target = place.path().join("years");
/// let folder = WorkFolder::for_target(&target)?;
/// std::fs::write(folder.path().join("1999.pdn"), "1. 32-28 *\n")?;
/// assert!(!target.exists());
/// folder.rename(&target)?;
/// assert!(target.join("1999.pdn").exists());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct WorkFolder {
    folder: TempDir,
    /// Locked until the folder is removed or has its name; `None` where folders cannot be locked.
    _lock: Option<File>,
}

impl WorkFolder {
    /// Creates a folder that is to become `target`, in the same folder and with the permissions of any new folder.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn for_target(target: impl AsRef<Path>) -> io::Result<Self> {
        let target = target.as_ref();
        Self::create(parent(target), target.file_name().unwrap_or_default(), Access::Default)
    }

    /// Creates a folder in `folder` that only this user may read, for files that are to be moved or removed. `purpose` tells it from
    /// the folders of other programs.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn within(folder: impl AsRef<Path>, purpose: &str) -> io::Result<Self> {
        Self::create(folder.as_ref(), purpose.as_ref(), Access::Owner)
    }

    fn create(parent: &Path, name: &OsStr, access: Access) -> io::Result<Self> {
        // All names have 28 bytes, so that there is one for every name that a folder can have.
        let prefix = format!(".pdn-{:016x}-", XxHash3_64::oneshot(name.as_encoded_bytes()));
        remove_abandoned(parent, &prefix);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        #[cfg(unix)]
        if access == Access::Default {
            use std::os::unix::fs::PermissionsExt;
            // The umask takes its part.
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        #[cfg(not(unix))]
        let _ = access;
        loop {
            let folder = builder.tempdir_in(parent)?;
            if let Some(lock) = lock(folder.path()) {
                return Ok(Self { folder, _lock: lock });
            }
            // Another process took it for abandoned before it was locked, and removes it.
        }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the folder its name, after the names of all its files and folders are on disk. `target` must not exist or be an empty
    /// folder. If this fails, the folder is removed.
    ///
    /// # Errors
    /// If a folder cannot be synced, or there is something at `target`. If only the last step fails, to make the new name durable, the
    /// folder has its name, and the message says so.
    pub fn rename(self, target: impl AsRef<Path>) -> io::Result<()> {
        let target = target.as_ref();
        sync_folders(self.path())?;
        // Some systems rename a folder only to a name that is free. Only an empty folder can be removed.
        fs::rename(self.path(), target).or_else(|_| {
            fs::remove_dir(target)?;
            fs::rename(self.path(), target)
        })?;
        // It has another name now; there is nothing to remove.
        let _ = self.folder.keep();
        sync_folder(parent(target))
    }
}

/// Creates a folder, and those above it that do not exist, and makes their names durable. Does nothing if it exists.
///
/// # Errors
/// If a folder cannot be created or synced; then there is no folder.
pub fn create_folder(path: impl AsRef<Path>) -> io::Result<()> {
    let path = path.as_ref();
    if path.is_dir() {
        return Ok(());
    }
    let above = parent(path);
    create_folder(above)?;
    match fs::create_dir(path) {
        // Another process has made it.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => return Ok(()),
        created => created?,
    }
    match sync(above) {
        // Who may create something in a folder may not always read it.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        Err(error) => {
            let _ = fs::remove_dir(path);
            Err(error)
        }
        synced => synced,
    }
}

/// Gives a file that is on disk another name. [`sync_folder`] makes that durable.
///
/// # Errors
/// [`AlreadyExists`](io::ErrorKind::AlreadyExists) if there is something at `to`; if the file cannot be renamed.
pub fn rename_new(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
    Disk.rename_new(from.as_ref(), to.as_ref())
}

/// Writes the names that files and folders in a folder have got to the disk.
///
/// # Errors
/// If the folder cannot be opened or synced. The message says that the names are there.
pub fn sync_folder(folder: impl AsRef<Path>) -> io::Result<()> {
    sync(folder.as_ref()).map_err(|error| unconfirmed(&error))
}

fn sync(folder: &Path) -> io::Result<()> {
    // Other systems do not open folders as files.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Writes the names in a folder and in all below it to the disk.
fn sync_folders(root: &Path) -> io::Result<()> {
    let mut folders = VecDeque::from([root.to_owned()]);
    while let Some(folder) = folders.pop_front() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push_back(entry.path());
            }
        }
        sync(&folder)?;
    }
    Ok(())
}

/// Locks a folder. The inner value is `None` where that is not possible, the outer one if another process has it.
fn lock(folder: &Path) -> Option<Option<File>> {
    if cfg!(not(unix)) {
        return Some(None);
    }
    match File::open(folder) {
        Ok(lock) => match lock.try_lock() {
            // The process that held the lock before may have removed the folder.
            Ok(()) => folder.is_dir().then_some(Some(lock)),
            Err(fs::TryLockError::WouldBlock) => None,
            Err(fs::TryLockError::Error(_)) => Some(None),
        },
        Err(_) => folder.is_dir().then_some(None),
    }
}

/// Removes the folders whose names begin with `prefix` and which no process has locked. What cannot be removed stays.
fn remove_abandoned(parent: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let is_work = entry.file_name().to_string_lossy().starts_with(prefix);
        let is_folder = entry.file_type().is_ok_and(|file_type| file_type.is_dir());
        if is_work
            && is_folder
            && let Some(Some(_lock)) = lock(&entry.path())
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Leaves a folder as a process that is killed does: unlocked and with a file.
    fn abandon(folder: WorkFolder) {
        fs::write(folder.path().join("1.part"), "x").unwrap();
        let WorkFolder { folder, _lock } = folder;
        let _ = folder.keep();
    }

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn abandoned_folders_of_one_target_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let [years, other] = ["years", "other"].map(|name| place.path().join(name));
        abandon(WorkFolder::for_target(&years).unwrap());
        abandon(WorkFolder::for_target(&years).unwrap());
        assert_eq!(count(place.path()), 1, "the second one removed the first");
        let used = WorkFolder::for_target(&other).unwrap();
        assert_eq!(count(place.path()), 2, "folders of other targets stay");
        let second = WorkFolder::for_target(&other).unwrap();
        assert!(used.path().is_dir() && used.path() != second.path(), "a locked folder stays");
        drop((used, second));
        WorkFolder::for_target(&years).unwrap().rename(&years).unwrap();
        assert_eq!(fs::read_dir(place.path()).unwrap().next().unwrap().unwrap().path(), years);

        abandon(WorkFolder::within(&years, "convert").unwrap());
        drop(WorkFolder::within(&years, "convert").unwrap());
        assert_eq!(count(&years), 0);
    }

    #[test]
    fn folder_is_not_put_in_the_place_of_files() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("years");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("mine.pdn"), "").unwrap();
        assert!(WorkFolder::for_target(&target).unwrap().rename(&target).is_err());
        assert_eq!((count(place.path()), count(&target)), (1, 1));
    }
}
