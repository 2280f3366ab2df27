//! Opens paths, readers and bytes, with larger buffers for pipes.

use std::fs::{self, File};
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use super::budget::{limited, require_len};
use super::bytes::Bytes;
use super::container::Container;
use super::input::{Input, InputBytes};
use super::options::OpenOptions;
use super::plain::Plain;
use super::pull::{Pull, ReadProgress};
use super::stream::Stream;
use super::text_form::{HEAD_BYTES, TextForm, keeps_bytes};
use super::walk::PathWalk;
#[cfg(feature = "compression")]
use super::{codec, zip};
use crate::error::{Error, ErrorKind, Result};

/// Files up to this many bytes are read instead of mapped: reading is as fast, and bytes that were read cannot change.
pub const SMALL: usize = 64 << 10;

/// Opens `path`. With [`OpenOptions::dash_is_stdin`], `-` is standard input.
///
/// # Errors
///
/// The path cannot be opened, is a folder, is a container that this build cannot read, or is a zip without a directory and
/// without entries that can be rescued. Damage further inside is reported when it is read. Every error has the path.
pub fn open(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Inputs> {
    let path = path.as_ref();
    if options.dash_is_stdin && path == Path::new("-") {
        return stdin(options);
    }
    file_at(path).and_then(|file| open_file(file, path, options))
}

/// Returns `true` if the bytes of `path` can be read only once: `-`, pipes and character devices such as terminals.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-") || fs::metadata(path).is_ok_and(|metadata| is_read_once(metadata.file_type()))
}

#[cfg(unix)]
fn is_read_once(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;

    kind.is_fifo() || kind.is_char_device()
}

#[cfg(not(unix))]
fn is_read_once(_: fs::FileType) -> bool {
    false
}

/// Opens standard input, named `-`.
///
/// # Errors
///
/// As [`open`].
pub fn stdin(options: &OpenOptions) -> Result<Inputs> {
    let stdin = std::io::stdin();
    widen(&stdin);
    from_reader(stdin, "-", options)
}

/// Opens a stream of bytes. Messages call it `name`.
///
/// # Errors
///
/// As [`open`]. A zip is read to its end first, so it must not exceed
/// [`SourceLimits::zip_spool`](super::SourceLimits::zip_spool).
pub fn from_reader(
    reader: impl Read + Send + 'static,
    name: impl Into<PathBuf>,
    options: &OpenOptions,
) -> Result<Inputs> {
    let name = name.into();
    let plain = Plain::new(Box::new(reader), ReadProgress::new(None));
    from_plain(plain, None, &name, options).map_err(|error| error.at(name))
}

/// Opens bytes in memory. Messages call them `name`. Bytes that are no container, no UTF-16, no list of positions and no carrier of games are
/// shared, not copied.
///
/// # Errors
///
/// As [`open`].
pub fn from_bytes(bytes: Bytes, name: impl Into<PathBuf>, options: &OpenOptions) -> Result<Inputs> {
    let name = name.into();
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let kind = Container::of(head).map_err(|error| error.at(&name))?;
    if kind == Container::Plain && TextForm::of(head, options.encoding).is_none() {
        require_len(bytes.len() as u64, options.limits.max_bytes).map_err(|error| error.at(&name))?;
        let progress = ReadProgress::new(Some(bytes.len() as u64));
        return Ok(one(&name, kind, progress, InputBytes::Whole(bytes)));
    }
    from_reader(Cursor::new(bytes), name, options)
}

/// Opens the files of a walk one after the other, each when the inputs before it have been taken.
pub(crate) fn open_files(files: PathWalk, options: &OpenOptions) -> Inputs {
    Inputs(InputList::Files(Box::new(Files { files, options: *options, current: None })))
}

/// Iterator over the inputs of one path, which is exactly one unless the path is a zip, or of the files of a walk.
///
/// An entry or a file that cannot be opened is an error in the sequence; the others follow.
#[derive(Debug)]
pub struct Inputs(InputList);

#[derive(Debug)]
enum InputList {
    One(Option<Box<Input>>),
    #[cfg(feature = "compression")]
    Zip(zip::Entries),
    Files(Box<Files>),
}

/// The files of a walk, which are opened one after the other.
#[derive(Debug)]
struct Files {
    files: PathWalk,
    options: OpenOptions,
    current: Option<Inputs>,
}

impl Iterator for Files {
    type Item = Result<Input>;

    fn next(&mut self) -> Option<Result<Input>> {
        loop {
            if let Some(input) = self.current.as_mut().and_then(Iterator::next) {
                return Some(input);
            }
            self.current = None;
            match self.files.next()?.and_then(|path| open(path, &self.options)) {
                Ok(inputs) => self.current = Some(inputs),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Inputs {
    /// Returns the entries of a zip as inputs.
    #[cfg(feature = "compression")]
    pub(super) fn of_zip(entries: zip::Entries) -> Self {
        Self(InputList::Zip(entries))
    }

    /// Returns `true` if the bytes of the only input are those of its file.
    pub(crate) fn has_file_offsets(&self) -> bool {
        match &self.0 {
            InputList::One(Some(input)) => keeps_bytes(input.kind, input.source.form()),
            _ => false,
        }
    }
}

impl Iterator for Inputs {
    type Item = Result<Input>;

    fn next(&mut self) -> Option<Result<Input>> {
        match &mut self.0 {
            InputList::One(input) => input.take().map(|input| Ok(*input)),
            #[cfg(feature = "compression")]
            InputList::Zip(entries) => entries.next(),
            InputList::Files(files) => files.next(),
        }
    }
}

/// Opens the file, device or pipe at `path`. The caller can take its size and fingerprint before its text is read.
///
/// # Errors
///
/// The path cannot be opened. The error has the path.
pub fn file_at(path: &Path) -> Result<File> {
    File::open(path).map_err(|error| {
        // Some systems refuse to open a folder with an error that does not name the reason.
        let is_dir = fs::metadata(path).is_ok_and(|metadata| metadata.is_dir());
        let error = if is_dir { ErrorKind::IsDirectory.into() } else { Error::from(error) };
        error.at(path)
    })
}

/// Opens the inputs of a file that is open: a regular file from its first byte on, a device or a pipe from where it is.
///
/// # Errors
///
/// As [`open`].
pub(crate) fn open_file(file: File, path: &Path, options: &OpenOptions) -> Result<Inputs> {
    open_file_inputs(file, path, options).map_err(|error| error.at(path))
}

/// As [`open_file`]; errors have no path.
fn open_file_inputs(mut file: File, path: &Path, options: &OpenOptions) -> Result<Inputs> {
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(ErrorKind::IsDirectory.into());
    }
    // Some regular files, such as those under /proc, report a length of 0 and are not empty.
    let len = if metadata.is_file() && metadata.len() > 0 { Some(metadata.len()) } else { None };
    let Some(len) = len else {
        widen(&file);
        let plain = Plain::new(Box::new(file), ReadProgress::new(None));
        return from_plain(plain, None, path, options);
    };

    file.rewind()?;
    let progress = ReadProgress::new(Some(len));
    let mut plain = Plain::new(Box::new(file.try_clone()?), progress.clone());
    let kind = Container::of(plain.peek(HEAD_BYTES)?)?;
    if kind == Container::Zip {
        return from_zip(file, len, path, progress, options);
    }
    if kind == Container::Plain {
        require_len(len, options.limits.max_bytes)?;
    }
    if kind == Container::Plain && TextForm::of(plain.peek(HEAD_BYTES)?, options.encoding).is_none() {
        if len <= SMALL as u64 {
            // A file that has grown or shrunk meanwhile is read as a stream, which reports an early end.
            if plain.peek(SMALL + 1)?.len() <= SMALL && !plain.has_failed() {
                let bytes = plain.into_head().into();
                return Ok(one(path, kind, progress, InputBytes::Whole(bytes)));
            }
        } else if options.map {
            // A file that cannot be mapped can still be read.
            if let Ok(bytes) = Bytes::map(&file) {
                return Ok(one(path, kind, progress, InputBytes::Whole(bytes)));
            }
        }
    }
    from_plain(plain, Some(len), path, options)
}

/// Opens the bytes of `plain` as a stream or a zip. `len` is their number, if known. Errors have no path.
fn from_plain(mut plain: Plain, len: Option<u64>, name: &Path, options: &OpenOptions) -> Result<Inputs> {
    let progress = plain.progress().clone();
    let kind = Container::of(plain.peek(HEAD_BYTES)?)?;
    if kind == Container::Zip {
        return spool_zip(plain, name, progress, options);
    }
    let (pull, len): (Box<dyn Pull>, _) = match kind {
        Container::Plain => (Box::new(plain), len),
        _ => (unpack(kind, plain, options)?, None),
    };
    let pull = limited(pull, options.limits.max_bytes);
    let stream = Stream::new(pull, name, len, options.encoding);
    Ok(one(name, kind, progress, InputBytes::Stream(stream)))
}

/// Returns the inputs of a path that is no zip.
pub(super) fn one(name: &Path, kind: Container, progress: ReadProgress, source: InputBytes) -> Inputs {
    Inputs(InputList::One(Some(Box::new(Input::new(name, kind, progress, source)))))
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
    Ok(Inputs::of_zip(entries))
}

/// Opens a zip that cannot be sought, by reading it into memory.
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
    Ok(Inputs::of_zip(entries))
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

/// The size in bytes that a pipe is enlarged to: the default maximum for unprivileged processes on Linux.
#[cfg(target_os = "linux")]
const PIPE_BYTES: usize = 1 << 20;

/// Enlarges the buffer of a pipe, so that writer and reader need not wait for each other every 64 KiB.
///
/// Does nothing if `end` is no pipe or the system refuses.
#[cfg(target_os = "linux")]
fn widen(end: impl std::os::fd::AsFd) {
    if rustix::pipe::fcntl_getpipe_size(&end).is_ok_and(|size| size < PIPE_BYTES) {
        let _ = rustix::pipe::fcntl_setpipe_size(&end, PIPE_BYTES);
    }
}

/// Does nothing: the size of a pipe is fixed on this system.
#[cfg(not(target_os = "linux"))]
fn widen<E>(_: E) {}

#[cfg(all(test, any(target_os = "linux", not(feature = "compression"))))]
mod tests {
    use super::*;

    #[cfg(not(feature = "compression"))]
    #[test]
    fn containers_are_recognised_without_the_feature() {
        for head in
            [&b"\x1F\x8B\x08"[..], b"\x28\xB5\x2F\xFD", b"BZh9\x31\x41\x59\x26\x53\x59", b"PK\x03\x04"]
        {
            let mut inputs = from_reader(head, "test", &OpenOptions::new()).into_iter().flatten();
            let error = inputs.next().and_then(Result::err).expect("an error");
            assert!(matches!(error.kind(), ErrorKind::MissingFeature("compression")), "{error}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn pipes_are_enlarged_and_files_are_ignored() {
        let (reader, _writer) = std::io::pipe().unwrap();
        widen(&reader);
        assert_eq!(rustix::pipe::fcntl_getpipe_size(reader).unwrap(), PIPE_BYTES);
        widen(tempfile::tempfile().unwrap());
    }
}
