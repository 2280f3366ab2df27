//! The few things that writing an index does to a disk, behind a trait so that tests can make each of them fail.

use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// A disk to write to.
pub(crate) trait Storage: Debug + Send + Sync {
    /// A new file in place of whatever is there.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>>;
    /// Puts a file in the place of another in one step.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes sure that what was renamed in a folder stays so.
    fn sync_dir(&self, dir: &Path) -> io::Result<()>;
}

/// A file being written.
pub(crate) trait Output: Write + Send {
    /// Says that so many bytes from an offset on will not be written again, so that they may go to the disk while others
    /// are worked out. Waits for nothing and promises nothing.
    fn is_final(&mut self, _offset: u64, _len: u64) {}

    /// Makes sure that what was written is on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// The real one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Disk;

impl Storage for Disk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        Ok(Box::new(File::create(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        // Only Unix lets a folder be opened; elsewhere the rename itself has to do.
        if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
    }
}

impl Output for File {
    /// The system begins to write what is told to be of no more use, and keeps what it has not yet written.
    #[cfg(target_os = "linux")]
    fn is_final(&mut self, offset: u64, len: u64) {
        let len = std::num::NonZeroU64::new(len);
        let _ = rustix::fs::fadvise(self, offset, len, rustix::fs::Advice::DontNeed);
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}
