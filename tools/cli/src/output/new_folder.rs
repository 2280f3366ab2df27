//! Creates folders under a temporary name, so that no half of them is ever seen.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A folder that gets its name when it is complete, and is removed if it is dropped before.
#[derive(Debug)]
pub(crate) struct NewFolder {
    temporary: TempDir,
    target: PathBuf,
}

impl NewFolder {
    /// Creates a folder in the parent of `target`, which must be an empty folder or not exist.
    pub(crate) fn create(target: &Path) -> io::Result<Self> {
        let parent =
            target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".pdn-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As for any new folder; the umask takes its part.
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        Ok(Self { temporary: builder.tempdir_in(parent)?, target: target.to_owned() })
    }

    /// Returns the path of the folder under its temporary name.
    pub(crate) fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Gives the folder its name. If that fails, it is removed.
    pub(crate) fn finish(self) -> io::Result<()> {
        sync_folders(self.temporary.path())?;
        // Some systems rename a folder only to a name that is free. Only an empty folder can be removed.
        fs::rename(self.temporary.path(), &self.target).or_else(|_| {
            fs::remove_dir(&self.target)?;
            fs::rename(self.temporary.path(), &self.target)
        })?;
        // It has another name now; there is nothing to remove.
        let _ = self.temporary.keep();
        Ok(())
    }
}

/// Writes the names of all files and folders to the disk.
fn sync_folders(root: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        // Other systems do not open folders as files.
        return Ok(());
    }
    let mut folders = VecDeque::from([root.to_owned()]);
    while let Some(folder) = folders.pop_front() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push_back(entry.path());
            }
        }
        File::open(&folder)?.sync_all()?;
    }
    Ok(())
}
