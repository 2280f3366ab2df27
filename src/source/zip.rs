//! Reads the `.pdn` entries of a zip, each as a stream of its own.
//!
//! The `zip` crate reads only the directory. The data is unpacked by the same loop as the other containers. That way each
//! entry owns its access to the file, limits count the bytes that are really unpacked, and damage does not affect the bytes
//! before it. A zip without a directory, because it is truncated, is searched for local headers.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec;

use memchr::memmem;

use super::budget::{Budget, limited};
use super::codec::{Codec, Unpack};
use super::container::Container;
use super::input::{Input, InputBytes};
use super::options::OpenOptions;
use super::pull::{self, Pull, ReadProgress};
use super::stream::Stream;
use crate::error::{Error, ErrorKind, Result};

/// Iterator over the inputs of a zip.
pub(super) struct Entries {
    file: SharedFile,
    entries: vec::IntoIter<Entry>,
    /// The error to return after the last entry: the directory is damaged.
    damage: Option<Error>,
    name: PathBuf,
    progress: ReadProgress,
    options: OpenOptions,
    /// Length of the zip in bytes.
    len: u64,
    budget: Arc<Budget>,
}

/// The position and the packing of an entry.
#[derive(Clone, Debug)]
struct Entry {
    name: String,
    /// Offset of the packed data in the zip.
    start: u64,
    /// Offset of the end of the packed data in the zip.
    end: u64,
    /// The number of the compression method, as the zip format defines it.
    method: u16,
    encrypted: bool,
    /// Length in bytes and CRC-32 of the unpacked data, if they are known.
    expected: Option<(u64, u32)>,
}

impl Entries {
    /// Reads the directory of a zip of `len` bytes, or searches for entries if it has none. Errors have no path.
    pub(super) fn new(
        file: Box<dyn ReadSeek>,
        len: u64,
        name: &Path,
        progress: ReadProgress,
        options: &OpenOptions,
    ) -> Result<Self> {
        let shared = SharedFile(Arc::new(Mutex::new(file)));
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
            entries: entries.into_iter(),
            damage,
            name: name.to_owned(),
            progress,
            options: *options,
            len,
            budget: Arc::new(Budget::new(&options.limits, true)),
        })
    }

    /// Opens an entry as an input called `name`.
    fn open(&self, entry: &Entry, name: &Path) -> Result<Input> {
        let unreadable = |reason: String| {
            let source = io::Error::new(io::ErrorKind::Unsupported, reason);
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
            unpacked: 0,
            crc: flate2::Crc::new(),
            expected: entry.expected,
            packed: self.len,
            budget: self.budget.clone(),
            failed: None,
            ended: false,
        };
        let pull = limited(Box::new(checked), self.options.limits.max_bytes);
        let stream = Stream::new(pull, name, None, self.options.encoding);
        Ok(Input::new(name, Container::Zip, self.progress.clone(), InputBytes::Stream(stream)))
    }
}

impl Iterator for Entries {
    type Item = Result<Input>;

    fn next(&mut self) -> Option<Result<Input>> {
        let Some(entry) = self.entries.next() else {
            self.damage.as_ref()?;
            let readable = self.budget.unpacked();
            return self.damage.take().map(|error| Err(error.with_readable(readable).at(&self.name)));
        };
        // Joined as text, not as a path: a name in a zip may look absolute. It is only displayed, never opened.
        let mut name = self.name.clone().into_os_string();
        name.push("/");
        name.push(entry.name.trim_start_matches('/'));
        let name = PathBuf::from(name);
        Some(self.open(&entry, &name).map_err(|error| error.at(&name)))
    }
}

impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entries")
            .field("name", &self.name)
            .field("entries", &self.entries)
            .finish_non_exhaustive()
    }
}

/// The stage that checks the unpacked bytes of an entry: length, checksum and limits.
struct Checked {
    pull: Unpack,
    /// Bytes unpacked so far.
    unpacked: u64,
    crc: flate2::Crc,
    expected: Option<(u64, u32)>,
    /// Length of the zip in bytes.
    packed: u64,
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
            let actual = (self.unpacked, self.crc.sum());
            return match self.expected {
                Some(expected) if expected != actual => {
                    let source = io::Error::new(io::ErrorKind::InvalidData, "length or checksum differ");
                    Err(ErrorKind::Compressed { container: "zip", readable: self.unpacked, source }.into())
                }
                _ => Ok(0),
            };
        }
        self.unpacked += more as u64;
        self.crc.update(&out[..more]);
        self.failed = self.budget.spend(more as u64, self.packed).err();
        Ok(more)
    }
}

/// A seekable reader: a file or bytes in memory.
pub(super) trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

/// A file that several entries read, each at its own offset.
#[derive(Clone)]
struct SharedFile(Arc<Mutex<Box<dyn ReadSeek>>>);

impl SharedFile {
    /// Reads once at offset `at` and returns the number of bytes.
    fn read_at(&self, at: u64, out: &mut [u8]) -> io::Result<usize> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.read(out)
    }
}

/// A reader of a part of the file.
struct Window {
    file: SharedFile,
    /// Offset of the next byte in the file.
    at: u64,
    /// Offset of the end of the part in the file.
    end: u64,
    /// Counts the bytes read; `None` while the directory is read.
    progress: Option<ReadProgress>,
}

impl Read for Window {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let remaining = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let len = out.len().min(remaining);
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
        pull::read(self, out)
    }
}

/// Returns the `.pdn` entries that the directory lists, in its order.
fn directory(file: &SharedFile, len: u64) -> io::Result<Vec<Entry>> {
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
            reason = "the only way to get the number of a method that the zip crate was built without"
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

/// Searches for local headers and returns their `.pdn` entries in the order of the file. O(length of the file); memory for
/// one block and at most [`MAX_RESCUED`] entries.
fn rescue(file: &SharedFile, len: u64) -> Result<Vec<Entry>> {
    const BLOCK: usize = 1 << 20;
    let finder = memmem::Finder::new(b"PK\x03\x04");
    let mut entries: Vec<Entry> = Vec::new();
    let mut block = vec![0; BLOCK];
    // Offsets in the file: of the block, and of the next byte to search.
    let (mut base, mut at) = (0, 0);
    let mut filled = 0;
    while at < len && entries.len() < MAX_RESCUED {
        let inside = usize::try_from(at - base).unwrap_or(usize::MAX).min(filled);
        let header_in_block = finder.find(&block[inside..filled]).map(|n| inside + n);
        let block_end = base + filled as u64;
        // A header, or the first three bytes of its mark, may be cut at the end of the block; then it starts the next one.
        let next = header_in_block.map_or(block_end.saturating_sub(3).max(at), |n| base + n as u64);
        if block_end < len && next + MAX_HEADER_BYTES as u64 > block_end {
            (base, at) = (next, next);
            let mut window = Window { file: file.clone(), at: base, end: len, progress: None };
            filled = 0;
            while filled < block.len() {
                match pull::read(&mut window, &mut block[filled..])? {
                    0 => break,
                    more => filled += more,
                }
            }
            if filled == 0 {
                break;
            }
            continue;
        }
        let Some(header_in_block) = header_in_block else { break };
        let header = base + header_in_block as u64;
        let Some((entry, has_end)) = local_header(&block[header_in_block..filled], header, len) else {
            at = header + 4;
            continue;
        };
        // Stored data without a known length extends to the next header.
        if let Some(last) = entries.last_mut().filter(|last| last.expected.is_none() && last.method == 0) {
            last.end = last.end.min(header);
        }
        at = if has_end { entry.end } else { entry.start };
        if is_wanted(entry.name.as_bytes()) {
            entries.push(entry);
        }
    }
    Ok(entries)
}

/// Maximum number of entries to rescue.
const MAX_RESCUED: usize = 1 << 16;

/// Maximum length in bytes of a local header and its name. A longer one is not taken for a header.
const MAX_HEADER_BYTES: usize = 4 << 10;

/// Parses the local header at the front of `bytes`, which stand at offset `at` of a zip of `len` bytes. Returns the entry,
/// and `true` if the header has the length of its data; `None` if it is no header.
///
/// The fields are those of section 4.3.7 of the zip specification.
fn local_header(bytes: &[u8], at: u64, len: u64) -> Option<(Entry, bool)> {
    let head = bytes.first_chunk::<30>()?;
    let short = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
    let long = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
    let (version, flags, method) = (short(4), short(6), short(8));
    let (crc, packed, unpacked) = (long(14), long(18), long(22));
    let name_ends = head.len() + usize::from(short(26));
    let name = bytes.get(head.len()..name_ends)?;
    if version & 0xFF > 63 || name.is_empty() || name.contains(&0) || name_ends > MAX_HEADER_BYTES {
        return None;
    }
    let start = (at + name_ends as u64 + u64::from(short(28))).min(len);
    // Bit 3: the sizes follow the data. All ones: the sizes are in an extra field of 64 bits.
    let has_sizes = flags & 8 == 0 && packed != u32::MAX && unpacked != u32::MAX;
    let end = if has_sizes { start.saturating_add(u64::from(packed)).min(len) } else { len };
    let entry = Entry {
        name: String::from_utf8_lossy(name).into_owned(),
        start,
        end,
        method,
        encrypted: flags & 1 != 0,
        expected: has_sizes.then_some((u64::from(unpacked), crc)),
    };
    Some((entry, has_sizes))
}

/// Returns `true` if the name of an entry ends in `.pdn`, in either case, and is not that of a shadow file of macOS.
fn is_wanted(name: &[u8]) -> bool {
    let last = name.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or(name);
    let end = last.len().saturating_sub(4);
    last[end..].eq_ignore_ascii_case(b".pdn") && !last.starts_with(b"._") && !name.starts_with(b"__MACOSX/")
}
