//! The `.pdn` entries of a zip, each a stream of its own.
//!
//! Only the directory is read with the `zip` crate. The data is unpacked by the same loop as everything else, so
//! that entries own their way to the file, limits count what really comes out, and damage costs nothing that
//! lies before it. A zip that lost its directory, because it is cut off, is searched for local headers.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec;

use memchr::memmem;

use crate::error::{Error, ErrorKind, Result};

use super::codec::{Codec, Unpack};
use super::stream::{self, Pull};
use super::{Container, Input, InputBytes, OpenOptions, ReadProgress, SourceLimits, Stream};

/// The rows of a zip.
pub(super) struct Entries {
    file: Shared,
    rows: vec::IntoIter<Entry>,
    /// What to say after the last row.
    damage: Option<Error>,
    name: PathBuf,
    progress: ReadProgress,
    options: OpenOptions,
    budget: Arc<Budget>,
}

/// Where an entry lies and how it is packed.
#[derive(Clone, Debug)]
struct Entry {
    name: String,
    start: u64,
    end: u64,
    method: u16,
    encrypted: bool,
    /// Length and CRC-32 of what comes out, where they are known.
    expected: Option<(u64, u32)>,
}

impl Entries {
    pub(super) fn new(
        file: Box<dyn ReadSeek>,
        len: u64,
        name: &Path,
        progress: ReadProgress,
        options: &OpenOptions,
    ) -> Result<Self> {
        let shared = Shared(Arc::new(Mutex::new(file)));
        let (entries, damage) = match directory(&shared, len) {
            Ok(entries) => (entries, None),
            Err(error) => {
                let entries = rescue(&shared, len)?;
                let source = io::Error::new(io::ErrorKind::InvalidData, error);
                (entries, Some(Error::new(ErrorKind::Compressed { container: "zip", readable: 0, source })))
            }
        };
        if entries.is_empty() {
            return Err(damage.unwrap_or_else(|| ErrorKind::NoEntry.into()));
        }
        Ok(Self {
            file: shared,
            rows: entries.into_iter(),
            damage,
            name: name.to_owned(),
            progress,
            options: *options,
            budget: Arc::new(Budget::new(len, &options.limits)),
        })
    }

    fn open(&self, entry: &Entry, name: &Path) -> Result<Input> {
        let unreadable = |what: String| {
            let source = io::Error::new(io::ErrorKind::Unsupported, what);
            Error::new(ErrorKind::Compressed { container: "zip", readable: 0, source })
        };
        if entry.encrypted {
            return Err(unreadable("this entry is encrypted".into()));
        }
        let codec = match entry.method {
            0 => Codec::Stored,
            8 => Codec::deflate(),
            12 => Codec::bzip2(),
            93 => Codec::zstd(&self.options.limits)?,
            other => {
                return Err(unreadable(format!("this entry is packed with method {other}, not read here")));
            }
        };
        let window = Window {
            file: self.file.clone(),
            at: entry.start,
            end: entry.end,
            progress: Some(self.progress.clone()),
        };
        let checked = Checked {
            pull: Unpack::single(codec, window, "zip"),
            made: 0,
            crc: flate2::Crc::new(),
            expected: entry.expected,
            budget: self.budget.clone(),
            failed: None,
            ended: false,
        };
        let stream = Stream::new(Box::new(checked), name, None, self.options.encoding);
        Ok(Input::new(name, Container::Zip, self.progress.clone(), InputBytes::Stream(stream)))
    }
}

impl Iterator for Entries {
    type Item = Result<Input>;

    fn next(&mut self) -> Option<Result<Input>> {
        let Some(entry) = self.rows.next() else {
            self.damage.as_ref()?;
            let readable = self.budget.made.load(Ordering::Relaxed);
            return self.damage.take().map(|error| Err(error.with_readable(readable).at(&self.name)));
        };
        // Joined as text: a name in a zip may look absolute, and is only shown, never opened.
        let mut name = self.name.clone().into_os_string();
        name.push("/");
        name.push(entry.name.trim_start_matches('/'));
        let name = PathBuf::from(name);
        Some(self.open(&entry, &name).map_err(|error| error.at(&name)))
    }
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entries").field("name", &self.name).field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// What all entries together may still unpack to.
struct Budget {
    made: AtomicU64,
    bytes: u64,
    ratio: u64,
    /// The ratio in bytes, for this zip.
    most: u64,
}

impl Budget {
    /// No ratio is suspicious in something this small.
    const FREE: u64 = 16 << 20;

    fn new(len: u64, limits: &SourceLimits) -> Self {
        Self {
            made: AtomicU64::new(0),
            bytes: limits.zip_bytes,
            ratio: limits.zip_ratio,
            most: len.saturating_mul(limits.zip_ratio).saturating_add(Self::FREE),
        }
    }

    fn spend(&self, bytes: u64) -> Result<()> {
        let made = self.made.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if made > self.bytes {
            let what = "the unpacked size of this zip, in bytes,";
            return Err(ErrorKind::TooLarge { what, limit: self.bytes }.into());
        }
        if made > self.most {
            let what = "the ratio of unpacked to packed bytes in this zip";
            return Err(ErrorKind::TooLarge { what, limit: self.ratio }.into());
        }
        Ok(())
    }
}

/// The stage that checks what comes out of an entry.
struct Checked {
    pull: Unpack,
    made: u64,
    crc: flate2::Crc,
    expected: Option<(u64, u32)>,
    budget: Arc<Budget>,
    failed: Option<Error>,
    ended: bool,
}

impl Pull for Checked {
    fn pull(&mut self, out: &mut [u8]) -> Result<usize> {
        if let Some(error) = self.failed.take() {
            self.ended = true;
            return Err(error);
        }
        if self.ended {
            return Ok(0);
        }
        let more = self.pull.pull(out)?;
        if more == 0 {
            self.ended = true;
            let sum = (self.made, self.crc.sum());
            return match self.expected {
                Some(expected) if expected != sum => {
                    let source = io::Error::new(io::ErrorKind::InvalidData, "length or checksum differ");
                    Err(ErrorKind::Compressed { container: "zip", readable: self.made, source }.into())
                }
                _ => Ok(0),
            };
        }
        self.made += more as u64;
        self.crc.update(&out[..more]);
        self.failed = self.budget.spend(more as u64).err();
        Ok(more)
    }
}

/// Something with a directory at its end.
pub(super) trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

/// A file that several entries read, each from its own place.
#[derive(Clone)]
struct Shared(Arc<Mutex<Box<dyn ReadSeek>>>);

impl Shared {
    fn read_at(&self, at: u64, out: &mut [u8]) -> io::Result<usize> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.read(out)
    }
}

/// A part of the file.
struct Window {
    file: Shared,
    at: u64,
    end: u64,
    progress: Option<ReadProgress>,
}

impl Read for Window {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let len = out.len().min(left);
        if len == 0 {
            return Ok(0);
        }
        let more = self.file.read_at(self.at, &mut out[..len])?;
        self.at += more as u64;
        if let Some(progress) = &self.progress {
            progress.add(more as u64);
        }
        Ok(more)
    }
}

impl Seek for Window {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.end.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "before the start"))?;
        Ok(self.at)
    }
}

impl Pull for Window {
    fn pull(&mut self, out: &mut [u8]) -> Result<usize> {
        stream::read(self, out)
    }
}

/// The entries that the directory lists, in its order.
fn directory(file: &Shared, len: u64) -> io::Result<Vec<Entry>> {
    let window = Window { file: file.clone(), at: 0, end: len, progress: None };
    let mut archive = ::zip::ZipArchive::new(io::BufReader::new(window))?;
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let Ok(entry) = archive.by_index_data(index) else { continue };
        if entry.is_dir() || !is_wanted(entry.name_raw()) {
            continue;
        }
        let entry = archive.by_index_raw(index)?;
        let start = entry.data_start().ok_or(io::ErrorKind::InvalidData)?;
        let name = match entry.name() {
            Ok(name) => name.into_owned(),
            Err(_) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
        };
        #[expect(
            deprecated,
            reason = "the only way to the number of a method the zip crate was built without"
        )]
        let method = entry.compression().to_u16();
        entries.push(Entry {
            name,
            start,
            end: start.saturating_add(entry.compressed_size()).min(len),
            method,
            encrypted: entry.encrypted(),
            expected: Some((entry.size(), entry.crc32())),
        });
    }
    Ok(entries)
}

/// The entries whose local headers are found by searching, in the order of the file. O(length of the file),
/// memory for one block and at most [`MOST_RESCUED`] entries.
fn rescue(file: &Shared, len: u64) -> Result<Vec<Entry>> {
    const BLOCK: usize = 1 << 20;
    let finder = memmem::Finder::new(b"PK\x03\x04");
    let mut entries: Vec<Entry> = Vec::new();
    let mut block = vec![0; BLOCK];
    // Where the block begins, and where the search goes on.
    let (mut base, mut at) = (0, 0);
    let mut filled = 0;
    while at < len && entries.len() < MOST_RESCUED {
        let inside = usize::try_from(at - base).unwrap_or(usize::MAX).min(filled);
        let found = finder.find(&block[inside..filled]).map(|found| inside + found);
        let block_ends = base + filled as u64;
        // A header that may be cut off at the end of the block starts the next one; so does what may be the
        // beginning of a mark.
        let next = found.map_or(block_ends.saturating_sub(3).max(at), |found| base + found as u64);
        if block_ends < len && next + MOST_HEADER as u64 > block_ends {
            (base, at) = (next, next);
            let mut window = Window { file: file.clone(), at: base, end: len, progress: None };
            filled = 0;
            while filled < block.len() {
                match stream::read(&mut window, &mut block[filled..])? {
                    0 => break,
                    more => filled += more,
                }
            }
            if filled == 0 {
                break;
            }
            continue;
        }
        let Some(found) = found else { break };
        let header = base + found as u64;
        let Some((entry, known)) = local_header(&block[found..filled], header, len) else {
            at = header + 4;
            continue;
        };
        // Stored bytes without a known length go up to the next header.
        if let Some(last) = entries.last_mut().filter(|last| last.expected.is_none() && last.method == 0) {
            last.end = last.end.min(header);
        }
        at = if known { entry.end } else { entry.start };
        if is_wanted(entry.name.as_bytes()) {
            entries.push(entry);
        }
    }
    Ok(entries)
}

/// More entries than this are not looked for.
const MOST_RESCUED: usize = 1 << 16;

/// A local header with a name longer than this many bytes in all is none.
const MOST_HEADER: usize = 4 << 10;

/// The entry whose local header, standing at `at` in the file, begins `bytes`, and whether its end is known.
/// Fields as in section 4.3.7 of the zip format.
fn local_header(bytes: &[u8], at: u64, len: u64) -> Option<(Entry, bool)> {
    let head = bytes.first_chunk::<30>()?;
    let short = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
    let long = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let (version, flags, method) = (short(4), short(6), short(8));
    let (crc, packed, unpacked) = (long(14), long(18), long(22));
    let name_ends = head.len() + usize::from(short(26));
    let name = bytes.get(head.len()..name_ends)?;
    if version & 0xFF > 63 || name.is_empty() || name.contains(&0) || name_ends > MOST_HEADER {
        return None;
    }
    let start = (at + name_ends as u64 + u64::from(short(28))).min(len);
    // Bit 3: the sizes come after the data. All ones: they stand in a field of 64 bits.
    let known = flags & 8 == 0 && packed != u32::MAX && unpacked != u32::MAX;
    let end = if known { start.saturating_add(u64::from(packed)).min(len) } else { len };
    let entry = Entry {
        name: String::from_utf8_lossy(name).into_owned(),
        start,
        end,
        method,
        encrypted: flags & 1 != 0,
        expected: known.then_some((u64::from(unpacked), crc)),
    };
    Some((entry, known))
}

/// Whether an entry is a game file: `.pdn` in either case, and not one of the shadow files that macOS adds.
fn is_wanted(name: &[u8]) -> bool {
    let last = name.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or(name);
    let end = last.len().saturating_sub(4);
    last[end..].eq_ignore_ascii_case(b".pdn") && !last.starts_with(b"._") && !name.starts_with(b"__MACOSX/")
}
