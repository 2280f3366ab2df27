//! How the tools open archives: the only place that asks for mapping.
#![expect(unsafe_code, reason = "mapping a file is unsafe: another process may change it")]

use pdn::replay::ReplayOptions;
use pdn::source::OpenOptions;

use super::ReadOptions;

impl ReadOptions {
    /// Returns how files are opened: mapped into memory if `maps_files`, else read. The path `-` is standard input.
    ///
    /// A caller that asks for mapping accepts the contract of [`OpenOptions::map_files`]. The command does so on Linux, where its handler
    /// of SIGBUS reports a file that another program shortens; `--mmap never` turns it off. Python does so for `mmap=True`.
    pub fn open(self, maps_files: bool) -> OpenOptions {
        let options = OpenOptions::new().encoding(self.encoding).dash_is_stdin(true).scores(self.scores);
        if maps_files {
            // SAFETY: The user has been told, in the help of `--mmap` and of `mmap`, not to change files while they are mapped.
            unsafe { options.map_files() }
        } else {
            options
        }
    }

    /// Returns how games are replayed.
    pub fn replay(self) -> ReplayOptions {
        ReplayOptions::new().game(self.variant)
    }
}
