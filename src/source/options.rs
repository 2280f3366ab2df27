//! Options for opening archives.

use super::charset::Encoding;
use crate::value::ScoreOrder;

/// How to open an archive.
///
/// The page of [`source`](crate::source) has an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Whether regular files are mapped into memory; see [`OpenOptions::map_files`].
    pub(super) map: bool,
    /// Limits for containers.
    pub limits: SourceLimits,
    /// The encoding that the caller forces; `None` to recognise it.
    ///
    /// UTF-16 forces transcoding from that form. Any other encoding stops UTF-16 from being recognised by its pattern; a
    /// UTF-16 byte order mark still counts.
    pub encoding: Option<Encoding>,
    /// The side that the first numbers of scores belong to; `None` for what the ends of the first games on the board show.
    pub scores: Option<ScoreOrder>,
    /// Whether an input of binary bytes is read as if it were text; see [`OpenOptions::binary`].
    pub binary: bool,
    /// Whether the path `-` is standard input, as on a command line. Otherwise it is a file of this name.
    pub dash_is_stdin: bool,
}

impl OpenOptions {
    /// Creates the default options: files are read, containers are limited, encodings are recognised.
    pub fn new() -> Self {
        Self::default()
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

    /// Sets [`OpenOptions::scores`].
    #[must_use]
    pub fn scores(mut self, scores: Option<ScoreOrder>) -> Self {
        self.scores = scores;
        self
    }

    /// Sets whether an input of binary bytes is read as if it were text. Otherwise it is an error: any bytes have games, as PDN never fails
    /// to parse.
    ///
    /// Bytes are binary if a tenth of the first 4096 or more are control characters other than tabs, line ends and the Ctrl-Z and NULs
    /// at the end of files of DOS. A part of a file is judged when its parts are found.
    ///
    /// ```
    /// use pdn::Archive;
    /// use pdn::error::ErrorKind;
    /// use pdn::source::OpenOptions;
    ///
    /// let program = &b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"[..];
    /// let first = |options| Archive::from_reader(program, "pdn", &options)?.games().next().unwrap();
    /// assert!(matches!(first(OpenOptions::new()).unwrap_err().kind(), ErrorKind::Binary { .. }));
    /// assert_eq!(first(OpenOptions::new().binary(true))?.raw(), program);
    /// # Ok::<(), pdn::Error>(())
    /// ```
    #[must_use]
    pub fn binary(mut self, yes: bool) -> Self {
        self.binary = yes;
        self
    }

    /// Sets [`OpenOptions::dash_is_stdin`].
    #[must_use]
    pub fn dash_is_stdin(mut self, yes: bool) -> Self {
        self.dash_is_stdin = yes;
        self
    }
}

/// Limits for what an input gives, so that a small file cannot exhaust a large machine.
///
/// ```
/// use pdn::Archive;
/// use pdn::error::ErrorKind;
/// use pdn::source::{OpenOptions, SourceLimits};
///
/// let options = OpenOptions::new().limits(SourceLimits::new().max_bytes(20));
/// let text = &b"1. 32-28 *\n1. 33-29 19-23 *\n"[..];
/// let games: Vec<_> = Archive::from_reader(text, "games.pdn", &options)?.games().collect();
/// // What was read before the limit is there, and the error follows it.
/// assert_eq!(games[0].as_ref().unwrap().raw(), b"1. 32-28 *\n");
/// let error = games.last().unwrap().as_ref().unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::TooLarge { limit: 20, .. }));
/// # Ok::<(), pdn::Error>(())
/// ```
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
