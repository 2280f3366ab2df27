//! Everything between the file system and a slice of bytes.
//!
//! [`open`] takes a path, `-` for standard input, [`from_reader`] any [`Read`], [`from_bytes`] what is in memory, and
//! each gives [`Inputs`]: one for a file, one for each `.pdn` entry of a zip. An [`Input`] is either [`InputBytes::Whole`], all bytes at once and
//! usually mapped, or [`InputBytes::Stream`], which fills the caller's buffer. Both give exactly the same bytes.
//!
//! - Containers (gzip, zstd, bzip2, zip) are recognised by their first bytes, never by name.
//! - UTF-16 is recognised by its mark or by its pattern and arrives as UTF-8; [`Utf16Offsets`] leads back to the
//!   original. All other bytes pass untouched, a UTF-8 mark included: every byte belongs to some game, so the
//!   mark stays at the front of the first one.
//! - Which 8-bit encoding the text has is not decided here but in [`encoding`], and only for text that is asked for.
//! - [`require_text`] tells programs and pictures from text.
//! - [`walk`] expands folders.
//!
//! What this does not do: split, parse, start threads, or read ahead of the caller. Containers inside containers
//! stay as they are.
//!
//! Cost: opening reads at most [`SMALL`] bytes. Streams hold under a megabyte of their own, plus what the
//! decompressor needs: 40 kB for gzip, 4 MB for bzip2, the window of the frame for zstd
//! ([`SourceLimits::zstd_window_log`]).

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};

mod binary;
mod bytes;
#[cfg(feature = "compression")]
mod codec;
pub mod encoding;
mod kind;
mod map;
mod pipe;
mod plausible;
mod progress;
mod stream;
mod utf16;
mod walk;
#[cfg(feature = "compression")]
mod zip;

pub use binary::require_text;
pub use bytes::Bytes;
pub use encoding::{Decoder, Encoding, EncodingGuess};
pub use kind::Container;
#[cfg(feature = "index")]
pub(crate) use map::{map_random, read_at};
pub use progress::ReadProgress;
pub use stream::Stream;
pub use utf16::{Utf16, Utf16Offsets};
pub use walk::{PathWalk, walk};

use stream::{Plain, Pull};

/// Files up to this many bytes are read instead of mapped: that is as fast, and nothing can pull them away.
pub const SMALL: usize = 64 << 10;

/// How much is looked at to recognise containers and UTF-16.
const HEAD: usize = 1 << 10;

/// How to open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenOptions {
    /// Whether regular files may be mapped.
    pub map: MapMode,
    /// Bounds for containers.
    pub limits: SourceLimits,
    /// The encoding that the user insists on. UTF-16 forces transcoding from that form; anything else stops
    /// UTF-16 from being recognised by its pattern (a UTF-16 byte order mark still counts).
    pub encoding: Option<Encoding>,
}

impl OpenOptions {
    /// The defaults: map, bounded containers, encodings recognised.
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

/// Whether to map files into memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MapMode {
    /// Map regular files larger than [`SMALL`], read the rest.
    ///
    /// If another program shortens such a file while it is being read, the operating system ends this process
    /// with SIGBUS (a structured exception on Windows). No program can catch that safely.
    #[default]
    Auto,
    /// Read always. A file that shrinks meanwhile just ends early.
    Never,
}

/// Bounds for containers, so that a small file cannot cost a large machine.
///
/// gzip, zstd and bzip2 need no bound on size, because they stream: memory stays flat however much comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceLimits {
    /// Most bytes that all entries of one zip may unpack to. This and the ratio are checked after each read, so
    /// what one read gives may come on top.
    pub zip_bytes: u64,
    /// Most bytes that come out of a zip for each byte of the zip, beyond the first 16 MiB. Real PDN packs
    /// 4 to 20 times, one game repeated for ever 130 times, a bomb 1,000 times.
    pub zip_ratio: u64,
    /// A zip keeps its directory at the end, so one that comes through a pipe is held in memory, up to this
    /// many bytes.
    pub zip_spool: usize,
    /// Largest window of a zstd frame, as a power of two, 10 to [`SourceLimits::MAX_ZSTD_WINDOW_LOG`]. That
    /// much memory may be used. 27, which is 128 MiB, admits everything that `zstd` writes unless told
    /// `--long=28` or more, and is where `zstd` itself stops.
    pub zstd_window_log: u32,
}

impl SourceLimits {
    /// The largest window that the zstd format library decodes: 2 GiB.
    pub const MAX_ZSTD_WINDOW_LOG: u32 = if usize::BITS == 64 { 31 } else { 30 };

    /// The defaults, fit for files from strangers.
    pub const DEFAULT: Self =
        Self { zip_bytes: 64 << 30, zip_ratio: 400, zip_spool: 64 << 20, zstd_window_log: 27 };

    /// For files that are known to be harmless: everything that the formats can express, up to 1 TiB of zip and
    /// half a gigabyte of zip from a pipe. May use 2 GiB of memory for zstd.
    pub const TRUSTED: Self = Self {
        zip_bytes: 1 << 40,
        zip_ratio: u64::MAX,
        zip_spool: 512 << 20,
        zstd_window_log: Self::MAX_ZSTD_WINDOW_LOG,
    };
}

impl Default for SourceLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Opens `path`; `-` is standard input.
///
/// # Errors
///
/// The path cannot be opened, is a folder, is a container that this build cannot read, or is a zip without a
/// directory and without anything to rescue. Damage further inside appears only when reading gets there. Every
/// error names the path.
pub fn open(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Inputs> {
    let path = path.as_ref();
    if path == Path::new("-") {
        return stdin(options);
    }
    open_file(path, options).map_err(|error| error.at(path))
}

/// Whether what is read from `path` is gone afterwards, so that it can be opened only once: `-`, pipes, terminals and the
/// like.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-") || fs::metadata(path).is_ok_and(|found| is_passing(found.file_type()))
}

#[cfg(unix)]
fn is_passing(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;

    kind.is_fifo() || kind.is_char_device()
}

#[cfg(not(unix))]
fn is_passing(_: fs::FileType) -> bool {
    false
}

/// Standard input, named `-`.
///
/// # Errors
///
/// As [`open`].
pub fn stdin(options: &OpenOptions) -> Result<Inputs> {
    let stdin = std::io::stdin();
    pipe::widen(&stdin);
    from_reader(stdin, "-", options)
}

/// Any stream of bytes, called `name` in messages.
///
/// # Errors
///
/// As [`open`]. A zip is read to its end first, so it has to fit [`SourceLimits::zip_spool`].
pub fn from_reader(
    reader: impl Read + Send + 'static,
    name: impl Into<PathBuf>,
    options: &OpenOptions,
) -> Result<Inputs> {
    let name = name.into();
    let plain = Plain::new(Box::new(reader), ReadProgress::new(None));
    from_plain(plain, None, &name, options).map_err(|error| error.at(name))
}

/// Bytes that are in memory, called `name` in messages. What is no container is shared, not copied.
///
/// # Errors
///
/// As [`open`].
pub fn from_bytes(bytes: Bytes, name: impl Into<PathBuf>, options: &OpenOptions) -> Result<Inputs> {
    let name = name.into();
    let head = &bytes[..bytes.len().min(HEAD)];
    let kind = Container::of(head).map_err(|error| error.at(&name))?;
    if kind == Container::Plain && Utf16::of(head, options.encoding).is_none() {
        let progress = ReadProgress::new(Some(bytes.len() as u64));
        return Ok(one(&name, kind, progress, InputBytes::Whole(bytes)));
    }
    from_reader(Cursor::new(bytes), name, options)
}

/// The inputs behind one path: exactly one, unless the path is a zip.
///
/// An entry that cannot be opened is an error in the row; the others follow.
#[derive(Debug)]
pub struct Inputs(Row);

#[derive(Debug)]
enum Row {
    One(Option<Box<Input>>),
    #[cfg(feature = "compression")]
    Zip(zip::Entries),
}

impl Iterator for Inputs {
    type Item = Result<Input>;

    fn next(&mut self) -> Option<Result<Input>> {
        match &mut self.0 {
            Row::One(input) => input.take().map(|input| Ok(*input)),
            #[cfg(feature = "compression")]
            Row::Zip(entries) => entries.next(),
        }
    }
}

/// One text to read.
#[derive(Debug)]
#[non_exhaustive]
pub struct Input {
    /// What to call it in messages: the path, `-`, or for a zip `archive.zip/entry.pdn`.
    pub name: PathBuf,
    /// The container it comes from.
    pub kind: Container,
    /// How much of the file has been read, for progress bars. A stream counts by itself; whoever works through
    /// [`InputBytes::Whole`] may count with [`ReadProgress::set`].
    pub progress: ReadProgress,
    /// The bytes.
    pub source: InputBytes,
}

impl Input {
    fn new(name: &Path, kind: Container, progress: ReadProgress, source: InputBytes) -> Self {
        Self { name: name.to_owned(), kind, progress, source }
    }
}

/// The bytes of an input, in one of two shapes.
#[derive(Debug)]
pub enum InputBytes {
    /// All of them: a mapped file, or a small one that was read.
    Whole(Bytes),
    /// As they come.
    Stream(Stream),
}

impl InputBytes {
    /// Length of the text in bytes, where it is known beforehand.
    pub fn len_hint(&self) -> Option<u64> {
        match self {
            Self::Whole(bytes) => Some(bytes.len() as u64),
            Self::Stream(stream) => stream.len_hint(),
        }
    }

    /// Whether the text opens with a byte order mark. It is part of the text: three bytes, `EF BB BF`.
    pub fn bom(&self) -> bool {
        match self {
            Self::Whole(bytes) => bytes.starts_with(BOM),
            Self::Stream(stream) => stream.bom(),
        }
    }

    /// The form of UTF-16 that the file has, if it has one.
    pub fn utf16(&self) -> Option<Utf16> {
        match self {
            Self::Whole(_) => None,
            Self::Stream(stream) => stream.utf16(),
        }
    }

    /// The way from offsets in the text to offsets in the file before transcoding; `None` where they are equal.
    /// For a compressed file that means offsets in what was compressed.
    pub fn offsets(&self) -> Option<Utf16Offsets> {
        match self {
            Self::Whole(_) => None,
            Self::Stream(stream) => stream.offsets(),
        }
    }

    /// All bytes, with what went wrong after them. A stream is held in memory entirely, so this is for inputs
    /// that are known to be small.
    pub fn into_bytes(self) -> (Bytes, Option<Error>) {
        match self {
            Self::Whole(bytes) => (bytes, None),
            Self::Stream(mut stream) => {
                let mut buffer = Vec::new();
                loop {
                    match stream.fill(&mut buffer, Stream::CHUNK) {
                        Ok(0) => return (buffer.into(), None),
                        Ok(_) => {}
                        Err(error) => return (buffer.into(), Some(error)),
                    }
                }
            }
        }
    }
}

/// The UTF-8 byte order mark.
const BOM: &[u8] = b"\xEF\xBB\xBF";

fn open_file(path: &Path, options: &OpenOptions) -> Result<Inputs> {
    let file = match File::open(path) {
        Ok(file) => file,
        // Some systems refuse to open a folder with a word that does not say so.
        Err(_) if fs::metadata(path).is_ok_and(|found| found.is_dir()) => {
            return Err(ErrorKind::IsDirectory.into());
        }
        Err(error) => return Err(error.into()),
    };
    let found = file.metadata()?;
    if found.is_dir() {
        return Err(ErrorKind::IsDirectory.into());
    }
    // Some regular files, those under /proc for instance, say that they are empty and are not.
    let len = if found.is_file() && found.len() > 0 { Some(found.len()) } else { None };
    let Some(len) = len else {
        pipe::widen(&file);
        let plain = Plain::new(Box::new(file), ReadProgress::new(None));
        return from_plain(plain, None, path, options);
    };

    let progress = ReadProgress::new(Some(len));
    let mut plain = Plain::new(Box::new(file.try_clone()?), progress.clone());
    let kind = Container::of(plain.peek(HEAD)?)?;
    if kind == Container::Zip {
        return from_zip(file, len, path, progress, options);
    }
    if kind == Container::Plain && Utf16::of(plain.peek(HEAD)?, options.encoding).is_none() {
        if len <= SMALL as u64 {
            // More may come than was promised, if the file grows. Then it is a stream like any other.
            if plain.peek(SMALL + 1)?.len() <= SMALL {
                let bytes = plain.into_head().into();
                return Ok(one(path, kind, progress, InputBytes::Whole(bytes)));
            }
        } else if options.map == MapMode::Auto {
            // What cannot be mapped can still be read.
            if let Ok(bytes) = map::map(&file) {
                return Ok(one(path, kind, progress, InputBytes::Whole(bytes)));
            }
        }
    }
    from_plain(plain, Some(len), path, options)
}

fn from_plain(mut plain: Plain, len: Option<u64>, name: &Path, options: &OpenOptions) -> Result<Inputs> {
    let progress = plain.progress().clone();
    let kind = Container::of(plain.peek(HEAD)?)?;
    if kind == Container::Zip {
        return spool_zip(plain, name, progress, options);
    }
    let (pull, len): (Box<dyn Pull>, _) = match kind {
        Container::Plain => (Box::new(plain), len),
        _ => (unpack(kind, plain, options)?, None),
    };
    let stream = Stream::new(pull, name, len, options.encoding);
    Ok(one(name, kind, progress, InputBytes::Stream(stream)))
}

fn one(name: &Path, kind: Container, progress: ReadProgress, source: InputBytes) -> Inputs {
    Inputs(Row::One(Some(Box::new(Input::new(name, kind, progress, source)))))
}

#[cfg(feature = "compression")]
fn unpack(kind: Container, plain: Plain, options: &OpenOptions) -> Result<Box<dyn Pull>> {
    Ok(Box::new(codec::Unpack::members(kind, plain, &options.limits)?))
}

#[cfg(feature = "compression")]
fn from_zip(
    file: File,
    len: u64,
    name: &Path,
    progress: ReadProgress,
    options: &OpenOptions,
) -> Result<Inputs> {
    let entries = zip::Entries::new(Box::new(file), len, name, progress, options)?;
    Ok(Inputs(Row::Zip(entries)))
}

#[cfg(feature = "compression")]
fn spool_zip(mut plain: Plain, name: &Path, progress: ReadProgress, options: &OpenOptions) -> Result<Inputs> {
    let limit = options.limits.zip_spool;
    if plain.peek(limit.saturating_add(1))?.len() > limit {
        let what = "a zip read from a pipe (give it as a file instead)";
        return Err(ErrorKind::TooLarge { what, limit: limit as u64 }.into());
    }
    plain.failure()?;
    let bytes = plain.into_head();
    let len = bytes.len() as u64;
    let entries = zip::Entries::new(Box::new(Cursor::new(bytes)), len, name, progress, options)?;
    Ok(Inputs(Row::Zip(entries)))
}

#[cfg(not(feature = "compression"))]
fn unpack(_: Container, _: Plain, _: &OpenOptions) -> Result<Box<dyn Pull>> {
    Err(ErrorKind::MissingFeature("compression").into())
}

#[cfg(not(feature = "compression"))]
fn from_zip(_: File, _: u64, _: &Path, _: ReadProgress, _: &OpenOptions) -> Result<Inputs> {
    Err(ErrorKind::MissingFeature("compression").into())
}

#[cfg(not(feature = "compression"))]
fn spool_zip(_: Plain, _: &Path, _: ReadProgress, _: &OpenOptions) -> Result<Inputs> {
    Err(ErrorKind::MissingFeature("compression").into())
}

/// Whether a file in a folder is to be read: `.pdn`, in either case, also compressed, and `.zip`. Files that
/// macOS leaves beside others (`._name`) are not.
fn is_pdn_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase();
    let ends = [".pdn", ".pdn.gz", ".pdn.zst", ".pdn.bz2", ".zip"];
    !name.starts_with("._") && ends.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_by_their_ends() {
        let rows = [
            ("a.pdn", true),
            ("A.PDN", true),
            ("a.pdn.gz", true),
            ("a.Pdn.ZST", true),
            ("a.pdn.bz2", true),
            ("a.zip", true),
            ("a.txt", false),
            ("a.gz", false),
            ("pdn", false),
            ("._a.pdn", false),
        ];
        for (name, expected) in rows {
            assert_eq!(is_pdn_name(OsStr::new(name)), expected, "{name}");
        }
    }
}
