//! The file operations of writers, behind a trait so that tests can make each of them fail, and the replacement of files that is
//! made of them.

#[cfg(any(test, debug_assertions))]
pub(crate) mod power_cut;
pub(crate) mod memory;
pub(crate) mod replacement;
pub(crate) mod work_folder;

pub(crate) use replacement::TemporaryFile;
pub(crate) use replacement::{FileReplacement, FileState};

use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A file system to write to.
pub trait Storage: Debug + Send + Sync {
    /// Creates a file, replacing an existing one.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>>;
    /// Creates a file. Fails if it exists.
    fn create_new(&self, path: &Path, access: Access) -> io::Result<Box<dyn Output>>;
    /// Opens a file that [`create_new`](Self::create_new) made and a stopped process left behind, and empties it. `None`
    /// if its writer still works on it, or if that cannot be told.
    fn take_over(&self, path: &Path, access: Access) -> io::Result<Option<Box<dyn Output>>>;
    /// Creates a file without a name in a folder, for data that only this process needs. It disappears when it is closed,
    /// also if the process is killed.
    fn create_scratch(&self, _folder: &Path) -> io::Result<Box<dyn ScratchFile>> {
        Err(io::ErrorKind::Unsupported.into())
    }
    /// Gives the file `to` the permissions, the owner and the extended attributes of the file `from`.
    ///
    /// Fails if `to` would end up with another owner than `from` has.
    fn copy_attributes(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Renames a file, atomically replacing an existing one at `to`.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Renames a file. Fails with [`AlreadyExists`](io::ErrorKind::AlreadyExists) if there is one at `to`.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes the renames in a folder durable.
    fn sync_dir(&self, dir: &Path) -> io::Result<()>;
}

/// Returns the error of a file or folder that has its name, which may not be on the disk yet.
pub fn unconfirmed(error: &io::Error) -> io::Error {
    let message =
        format!("is written, but the disk did not confirm it, so a power cut may undo that: {error}");
    io::Error::new(error.kind(), message)
}

/// Who may read a new file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Its owner only.
    Owner,
    /// Those whom the settings of the process allow, as for any new file.
    Default,
}

/// A temporary file that is written and read.
pub trait ScratchFile: Read + Write + Seek + Send {}

impl<F: Read + Write + Seek + Send> ScratchFile for F {}

/// A file being written.
pub trait Output: Write + Send {
    /// Hints that `len` bytes from `offset` on will not be written again, so that the system can start writing them
    /// to disk while others are computed. Does not block and guarantees nothing.
    fn hint_final(&mut self, _offset: u64, _len: u64) {}

    /// Replaces the first bytes of the file, as many as `bytes` has, and leaves the end for further writing.
    fn overwrite_start(&mut self, _bytes: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Waits until all written bytes are on disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// The real file system.
#[derive(Clone, Copy, Debug)]
pub struct Disk;

impl Storage for Disk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        Ok(Box::new(File::create(path)?))
    }

    fn create_new(&self, path: &Path, access: Access) -> io::Result<Box<dyn Output>> {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if access == Access::Owner {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        #[cfg(not(unix))]
        let _ = access;
        let file = options.open(path)?;
        // The lock tells the next process whether this one still writes. Some file systems have none.
        #[cfg(unix)]
        if let Err(fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(Box::new(file))
    }

    /// On Unix only: elsewhere it cannot be told whether the open file still has its name.
    fn take_over(&self, path: &Path, access: Access) -> io::Result<Option<Box<dyn Output>>> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let Ok(file) = File::options().write(true).open(path) else { return Ok(None) };
            if !fs::symlink_metadata(path)?.is_file() || file.try_lock().is_err() {
                return Ok(None);
            }
            // Its writer may have renamed it before it was locked here: then it is a finished file of another name.
            let same = |one: &fs::Metadata, other: &fs::Metadata| {
                (one.dev(), one.ino()) == (other.dev(), other.ino())
            };
            if !fs::symlink_metadata(path)
                .is_ok_and(|named| file.metadata().is_ok_and(|open| same(&named, &open)))
            {
                return Ok(None);
            }
            if file.metadata()?.nlink() > 1 {
                // The other name is that of a finished file.
                fs::remove_file(path)?;
                return match self.create_new(path, access) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
                    created => created.map(Some),
                };
            }
            file.set_len(0)?;
            if access == Access::Owner {
                file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
            }
            Ok(Some(Box::new(file)))
        }
        #[cfg(not(unix))]
        {
            let _ = (path, access);
            Ok(None)
        }
    }

    fn create_scratch(&self, folder: &Path) -> io::Result<Box<dyn ScratchFile>> {
        Ok(Box::new(tempfile::tempfile_in(folder)?))
    }

    fn copy_attributes(&self, from: &Path, to: &Path) -> io::Result<()> {
        let wanted = fs::metadata(from)?;
        // The owner first: changing it may clear bits of the permissions.
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, chown};
            let present = fs::metadata(to)?;
            if (present.uid(), present.gid()) != (wanted.uid(), wanted.gid()) {
                chown(to, Some(wanted.uid()), Some(wanted.gid()))?;
            }
        }
        #[cfg(target_os = "linux")]
        copy_extended_attributes(from, to)?;
        fs::set_permissions(to, wanted.permissions())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{CWD, RenameFlags, renameat_with};
            use rustix::io::Errno;
            match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
                // Not every file system can.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                renamed => return Ok(renamed?),
            }
        }
        match fs::hard_link(from, to) {
            // The file has its name. If the other name stays, the next replacement of the file removes it.
            Ok(()) => {
                let _ = fs::remove_file(from);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // Some file systems have no hard links.
            Err(_) if fs::symlink_metadata(to).is_err() => fs::rename(from, to),
            Err(_) => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        // Only Unix can open a folder; elsewhere the rename alone must do.
        if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
    }
}

impl Output for File {
    /// Advises the kernel that the bytes are not needed again: it starts to write them back and keeps those not yet
    /// written.
    #[cfg(target_os = "linux")]
    fn hint_final(&mut self, offset: u64, len: u64) {
        let len = std::num::NonZeroU64::new(len);
        let _ = rustix::fs::fadvise(self, offset, len, rustix::fs::Advice::DontNeed);
    }

    fn overwrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(0))?;
        self.write_all(bytes)?;
        self.seek(SeekFrom::End(0)).map(drop)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Copies the extended attributes of a file, access control lists included. Those that the system keeps for itself, such
/// as security labels, are copied where that is allowed.
#[cfg(target_os = "linux")]
fn copy_extended_attributes(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{XattrFlags, getxattr, listxattr, setxattr};
    use rustix::io::Errno;

    /// Maximum length in bytes of a list of names, and of a value: that of the kernel.
    const MAX_BYTES: usize = 64 << 10;

    let mut names = vec![0; MAX_BYTES];
    let len = match listxattr(from, &mut names) {
        Ok(len) => len,
        // The file system has none.
        Err(Errno::NOTSUP) => 0,
        Err(error) => return Err(error.into()),
    };
    let mut value = if len > 0 { vec![0; MAX_BYTES] } else { Vec::new() };
    for name in names[..len].split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
        let copied = getxattr(from, name, &mut value)
            .and_then(|len| setxattr(to, name, &value[..len], XattrFlags::empty()));
        let is_own = name.starts_with(b"user.") || name.starts_with(b"system.posix_acl");
        if is_own && let Err(error) = copied {
            return Err(error.into());
        }
    }
    Ok(())
}

/// Disks that fail, for tests of every writer.
#[cfg(any(test, debug_assertions))]
pub(crate) mod failing {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// How a disk fails.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Failure {
        /// Nothing works any more, not even the clean-up after an error, as if the process had been killed.
        Killed,
        /// The same, and a write that fails stores half of its bytes.
        Torn,
        /// Nothing can be created or written, with half of the bytes stored; files can still be renamed and removed.
        Full,
    }

    impl Failure {
        /// All failures.
        pub const ALL: [Self; 3] = [Self::Killed, Self::Torn, Self::Full];
    }

    /// A disk that performs a given number of operations and fails from then on.
    #[derive(Clone, Debug)]
    pub struct FailingDisk {
        remaining: Arc<AtomicUsize>,
        failure: Failure,
    }

    impl FailingDisk {
        /// Creates a disk that fails after this number of operations.
        pub fn new(steps: usize, failure: Failure) -> Self {
            Self { remaining: Arc::new(AtomicUsize::new(steps)), failure }
        }

        /// Returns the number of operations that it would still perform.
        pub fn remaining(&self) -> usize {
            self.remaining.load(Ordering::Relaxed)
        }

        fn step(&self) -> io::Result<()> {
            let used = self
                .remaining
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |remaining| remaining.checked_sub(1));
            used.map(drop).map_err(|_| io::ErrorKind::StorageFull.into())
        }

        /// An operation that needs no room.
        fn roomless_step(&self) -> io::Result<()> {
            match self.step() {
                Err(_) if self.failure == Failure::Full => Ok(()),
                result => result,
            }
        }

        fn file(&self, file: Box<dyn Output>) -> Box<dyn Output> {
            Box::new(FailingFile(file, self.clone()))
        }
    }

    struct FailingFile(Box<dyn Output>, FailingDisk);

    impl Storage for FailingDisk {
        fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
            self.step()?;
            Ok(self.file(Disk.create(path)?))
        }

        fn create_new(&self, path: &Path, access: Access) -> io::Result<Box<dyn Output>> {
            self.step()?;
            Ok(self.file(Disk.create_new(path, access)?))
        }

        fn take_over(&self, path: &Path, access: Access) -> io::Result<Option<Box<dyn Output>>> {
            self.step()?;
            Ok(Disk.take_over(path, access)?.map(|file| self.file(file)))
        }

        fn copy_attributes(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.roomless_step()?;
            Disk.copy_attributes(from, to)
        }

        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.roomless_step()?;
            Disk.rename(from, to)
        }

        fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.roomless_step()?;
            Disk.rename_new(from, to)
        }

        fn remove(&self, path: &Path) -> io::Result<()> {
            self.roomless_step()?;
            Disk.remove(path)
        }

        fn sync_dir(&self, dir: &Path) -> io::Result<()> {
            self.roomless_step()?;
            Disk.sync_dir(dir)
        }
    }

    impl Write for FailingFile {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if let Err(error) = self.1.step() {
                if self.1.failure != Failure::Killed {
                    self.0.write_all(&bytes[..bytes.len() / 2])?;
                }
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
}
