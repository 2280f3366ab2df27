//! The file operations of writers, behind a trait so that tests can make each of them fail.

#[cfg(test)]
pub(crate) mod power_cut;

use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// A file system to write to.
pub(crate) trait Storage: Debug + Send + Sync {
    /// Creates a file, replacing an existing one.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>>;
    /// Creates a file that only its owner can read. Fails if the file exists.
    fn create_private(&self, path: &Path) -> io::Result<Box<dyn Output>>;
    /// Gives the file `to` the permissions and the owner of the file `from`.
    ///
    /// Fails if `to` would end up with another owner than `from` has.
    fn copy_attributes(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Renames a file, atomically replacing an existing one at `to`.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes the renames in a folder durable.
    fn sync_dir(&self, dir: &Path) -> io::Result<()>;
}

/// A file being written.
pub(crate) trait Output: Write + Send {
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
pub(crate) struct Disk;

impl Storage for Disk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        Ok(Box::new(File::create(path)?))
    }

    fn create_private(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Ok(Box::new(options.open(path)?))
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
        fs::set_permissions(to, wanted.permissions())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
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
