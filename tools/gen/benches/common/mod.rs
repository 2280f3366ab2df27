//! Shared parts of measurements on a whole archive: the archive, numbers from the environment, time and memory.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use pdn::rules::Variant;
use pdn_gen::{Amount, Options, generate};

/// Returns the archive of `PDN_ARCHIVE`; without it, generates 64 MB of international games in the folder.
pub(crate) fn archive(folder: &Path) -> PathBuf {
    if let Some(path) = std::env::var_os("PDN_ARCHIVE") {
        return PathBuf::from(path);
    }
    archive_of(folder, 64 << 20)
}

/// Generates an archive of this many bytes of international games in the folder.
pub(crate) fn archive_of(folder: &Path, bytes: u64) -> PathBuf {
    let path = folder.join("games.pdn");
    let mut options = Options::new(Amount::Bytes(bytes), &[Variant::International]);
    options.threads = pdn::default_threads();
    generate(&options, &mut File::create(&path).expect("a file")).expect("written");
    path
}

/// Returns the number in an environment variable.
pub(crate) fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok().and_then(|value| value.parse().ok())
}

/// Returns the result of `work` and its time in seconds.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    (work(), start.elapsed().as_secs_f64())
}

/// Returns the peak resident memory so far in kB, 0 if the system does not report it.
pub(crate) fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
