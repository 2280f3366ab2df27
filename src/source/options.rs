//! Options for opening archives.

use super::charset::Encoding;

/// How to open an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Whether regular files may be mapped into memory.
    pub map: MapMode,
    /// Limits for containers.
    pub limits: SourceLimits,
    /// The encoding that the caller forces; `None` to recognise it.
    ///
    /// UTF-16 forces transcoding from that form. Any other encoding stops UTF-16 from being recognised by its pattern; a
    /// UTF-16 byte order mark still counts.
    pub encoding: Option<Encoding>,
}

impl OpenOptions {
    /// Creates the default options: files are mapped, containers are limited, encodings are recognised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`OpenOptions::map`].
    #[must_use]
    pub fn map(mut self, map: MapMode) -> Self {
        self.map = map;
        self
    }

    /// Sets [`OpenOptions::limits`].
    #[must_use]
    pub fn limits(mut self, limits: SourceLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets [`OpenOptions::encoding`].
    #[must_use]
    pub fn encoding(mut self, encoding: Option<Encoding>) -> Self {
        self.encoding = encoding;
        self
    }
}

/// Whether files are mapped into memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MapMode {
    /// Maps regular files larger than `SMALL` bytes and reads all others.
    ///
    /// This mode assumes that no program changes a mapped file before the last [`Bytes`](super::Bytes) of it are dropped.
    /// Appending to the file and replacing it by a rename are harmless. Two changes are not:
    ///
    /// - If the file is shortened, the operating system ends this process with SIGBUS (on Windows, with a structured
    ///   exception) when it reads past the new end. A library cannot prevent that. A program can install a handler that
    ///   reports the file and ends the process, as the `pdn` command does on Linux; it cannot continue.
    /// - If bytes are overwritten in place, they change under a reader that may have validated them already, for instance
    ///   as UTF-8. That breaks an assumption of the language, so no result of this process can be relied on.
    ///
    /// Use [`MapMode::Never`] for files that other programs may change meanwhile.
    #[default]
    Auto,
    /// Reads all files. What has been read does not change, and a file that ends before the length that it had when it was
    /// opened is an error that follows the bytes that could be read. Takes about a tenth longer than mapping.
    Never,
}

/// Limits for what an input gives, so that a small file cannot exhaust a large machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceLimits {
    /// Maximum length of a text in bytes, packed or not: of a file, a stream or an entry of a zip. [`u64::MAX`] by default.
    ///
    /// The bytes of a stream before the limit are read, and the error follows them. A plain file is refused when it is opened.
    pub max_bytes: u64,
    /// Maximum number of bytes that a gzip, zstd or bzip2 file unpacks to, or all entries of one zip together.
    ///
    /// This limit and the ratio are checked after each read, so they may be exceeded by the bytes of one read.
    pub unpacked_bytes: u64,
    /// Maximum number of unpacked bytes per packed byte, beyond the first 16 MiB.
    ///
    /// Real PDN packs 4 to 20 times, endless repetitions of one game 130 times, bombs 1,000 times and more.
    pub ratio: u64,
    /// Maximum number of bytes of a zip that comes through a pipe. It is held in memory, because a zip has its directory
    /// at the end.
    pub zip_spool: usize,
    /// Maximum window of a zstd frame, as a power of two: 10 to [`SourceLimits::MAX_ZSTD_WINDOW_LOG`]. The window is held
    /// in memory.
    ///
    /// 27, which is 128 MiB, admits all frames that `zstd` writes without `--long=28` or more, and is the default limit of
    /// `zstd` itself.
    pub zstd_window_log: u32,
}

impl SourceLimits {
    /// The largest window that the zstd format library decodes: 2 GiB (1 GiB on 32-bit systems).
    pub const MAX_ZSTD_WINDOW_LOG: u32 = if usize::BITS == 64 { 31 } else { 30 };

    /// The defaults, safe for files from unknown sources.
    pub const DEFAULT: Self = Self {
        max_bytes: u64::MAX,
        unpacked_bytes: 64 << 30,
        ratio: 400,
        zip_spool: 64 << 20,
        zstd_window_log: 27,
    };

    /// Limits for files that are known to be harmless: all that the formats can express, up to 1 TiB from a container and 512 MiB
    /// of zip from a pipe. zstd may use 2 GiB of memory.
    pub const TRUSTED: Self = Self {
        max_bytes: u64::MAX,
        unpacked_bytes: 1 << 40,
        ratio: u64::MAX,
        zip_spool: 512 << 20,
        zstd_window_log: Self::MAX_ZSTD_WINDOW_LOG,
    };

    /// Creates the default limits, [`SourceLimits::DEFAULT`].
    ///
    /// ```
    /// use pdn::source::{OpenOptions, SourceLimits};
    ///
    /// let options = OpenOptions::new().limits(SourceLimits::new().unpacked_bytes(1 << 30).ratio(100));
    /// assert_eq!(options.limits.unpacked_bytes, 1 << 30);
    /// ```
    pub const fn new() -> Self {
        Self::DEFAULT
    }

    /// Sets [`SourceLimits::max_bytes`].
    #[must_use]
    pub const fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets [`SourceLimits::unpacked_bytes`].
    #[must_use]
    pub const fn unpacked_bytes(mut self, bytes: u64) -> Self {
        self.unpacked_bytes = bytes;
        self
    }

    /// Sets [`SourceLimits::ratio`].
    #[must_use]
    pub const fn ratio(mut self, ratio: u64) -> Self {
        self.ratio = ratio;
        self
    }

    /// Sets [`SourceLimits::zip_spool`].
    #[must_use]
    pub const fn zip_spool(mut self, bytes: usize) -> Self {
        self.zip_spool = bytes;
        self
    }

    /// Sets [`SourceLimits::zstd_window_log`].
    #[must_use]
    pub const fn zstd_window_log(mut self, log: u32) -> Self {
        self.zstd_window_log = log;
        self
    }
}

impl Default for SourceLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
