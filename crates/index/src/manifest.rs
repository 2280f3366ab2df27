//! The manifest: the list of the files of an index. Replacing it commits a change.
//!
//! ```text
//! "PDNINDEX" | u32 version | u32 0 | u64 generation
//! u32 inputs   | each: name, path, u8 flags (1 has a path, 2 has file offsets, 4 has a fingerprint, 8 is retired,
//!                      16 has a decoder, 64 is incomplete, others of optional columns), u64 size, u64 modified, u64 checksum, u64 text, u64 games,
//!                      forced encoding, prior encoding
//! u32 segments | each: u64 number, u64 length, u64 checksum in its footer, u32 games, u64 plies, u64 text,
//!                      u64 of each status (8)
//! u64 retired games, u64 plies of them, u64 text of them, u64 of each status (8)
//! u64 length of rejects.jsonl | u64 xxh3 of it
//! u64 xxh3 of all before
//! ```
//! Versions 1 and 2 have no encodings, no retired games and no flags above 4. Names, paths and encodings are `u32 length | bytes`: on Unix the bytes of the system, elsewhere UTF-8.

use std::io;
use std::path::{Path, PathBuf};

use super::files::IndexFiles;
use super::format::columns::{Section, TextColumn};
use super::format::section::{VERSION, xxh3};
use super::format::wire::{Reader, Writer};
use super::row::input::{Fingerprint, IndexedInput};
use super::segment::SegmentInfo;
use super::{book, extract, keys, openings};
use pdn::error::{Error, ErrorKind, Result};
use pdn::source::{Decoder, Encoding};
use pdn::value::DateOrders;
use pdn_rules::internal::position::split_mix;

/// The first bytes of a manifest.
pub(super) const MAGIC: &[u8; 8] = b"PDNINDEX";

/// The version of manifests that this program writes. It reads all earlier ones. Segments have versions of their own.
pub(super) const MANIFEST_VERSION: u32 = 4;

/// The flag of an input of whose file a part could not be read.
const INCOMPLETE: u8 = 64;
const _: () = assert!(TextColumn::INPUT_FLAGS & INCOMPLETE == 0, "a flag has one meaning");

/// File name of the manifest.
pub(super) const FILE_NAME: &str = "manifest";
/// File name of a manifest that is being written.
pub(super) const TEMPORARY_NAME: &str = "manifest.tmp";

/// The contents of a manifest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Manifest {
    /// Number of commits so far; 0 for an index that does not exist yet.
    pub(super) generation: u64,
    /// Inputs, in the order of their numbers.
    pub(super) inputs: Vec<IndexedInput>,
    /// Segments, in the order of their games.
    pub(super) segments: Vec<SegmentEntry>,
    /// Sums over the games of retired inputs.
    pub(super) retired: RetiredSums,
    /// Length in bytes and checksum of `rejects.jsonl`.
    pub(super) rejects: (u64, u64),
}

/// Sums over retired games, which segments still contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct RetiredSums {
    /// Number of games.
    pub(super) games: u64,
    /// Legal plies of their main lines.
    pub(super) plies: u64,
    /// Bytes of their records.
    pub(super) text_len: u64,
    /// Number of games by status.
    pub(super) statuses: [u64; 8],
}

/// A segment as the manifest lists it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SegmentEntry {
    /// Number in the file name.
    pub(super) number: u64,
    /// Numbers that the file must have.
    pub(super) info: SegmentInfo,
}

impl SegmentEntry {
    /// Returns the file name of the segment.
    pub(super) fn file(&self) -> String {
        file_name(self.number)
    }
}

/// Returns the file name of segment `number`.
pub(super) fn file_name(number: u64) -> String {
    format!("segment-{number:08}.pdns")
}

/// Returns the number of a segment from the name of its file or of one that was made from it, finished or temporary; `None`
/// for other names.
pub(super) fn number_of(name: &str) -> Option<u64> {
    let digits = name.strip_prefix("segment-")?.split('.').next()?;
    let named =
        [".pdns", ".keys", ".book", ".openings", ".extract", ".tmp"].iter().any(|end| name.ends_with(end));
    (named && digits.len() >= 8).then(|| digits.parse().ok()).flatten()
}

impl Manifest {
    /// Reads the manifest of a folder; `None` if there is none.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is not a manifest, has a newer version, or is damaged.
    pub(super) fn read(dir: &Path) -> Result<Option<Self>> {
        Self::read_in(&IndexFiles::Disk, dir)
    }

    /// Returns a hash of what changes when games are added, retired or merged; see [`Index::digest`](super::Index::digest).
    pub(super) fn digest(&self) -> u64 {
        let segments = self.segments.iter().map(|entry| entry.info.checksum ^ u64::from(entry.info.games));
        let inputs = self.inputs.iter().map(|input| input.text_len << 1 | u64::from(input.is_retired));
        segments.chain(inputs).fold(0, split_mix)
    }

    /// Reads the manifest of an index as [`read`](Self::read) does, wherever the files are.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub(super) fn read_in(files: &IndexFiles, dir: &Path) -> Result<Option<Self>> {
        let path = dir.join(FILE_NAME);
        let file = match files.open(&path) {
            Ok(file) => file.bytes,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(Error::from(error).at(path)),
        };
        let bytes = file.get(0..file.len()).map_err(|error| Error::from(error).at(&path))?;
        Self::parse(bytes).map(Some).map_err(|error| error.at(path))
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        let damaged = |problem| Error::new(ErrorKind::IndexDamaged { section: FILE_NAME, problem });
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| Error::new(ErrorKind::NotAnIndex))?;
        let version = Reader(rest).u32().ok_or_else(|| damaged("the file is truncated"))?;
        if version == 0 || version > MANIFEST_VERSION {
            return Err(ErrorKind::IndexVersion { version, newest: MANIFEST_VERSION }.into());
        }
        let (body, checksum) =
            bytes.split_last_chunk::<8>().ok_or_else(|| damaged("the file is truncated"))?;
        if xxh3(body) != u64::from_le_bytes(*checksum) {
            return Err(damaged("its checksum does not match"));
        }
        Self::body(&mut Reader(&body[12..]), version).ok_or_else(|| damaged("an entry is invalid"))
    }

    /// Reads everything after the magic bytes and the version; `None` if it is malformed.
    fn body(reader: &mut Reader<'_>, version: u32) -> Option<Self> {
        let (_, generation) = (reader.u32()?, reader.u64()?);
        let mut manifest = Self { generation, ..Self::default() };
        for _ in 0..reader.u32()? {
            let (name, path) = (path_of(reader.bytes()?), path_of(reader.bytes()?));
            let flags = reader.u8()?;
            let fingerprint =
                Fingerprint { size: reader.u64()?, modified: reader.u64()? as i64, checksum: reader.u64()? };
            let (text_len, games) = (reader.u64()?, reader.u64()?);
            let mut decoder = None;
            if version > 2 {
                let (forced, prior) = (encoding_of(reader.bytes()?)?, encoding_of(reader.bytes()?)?);
                let mut dates = DateOrders::default();
                if version > 3 {
                    dates = std::str::from_utf8(reader.bytes()?).ok()?.parse().ok()?;
                }
                decoder = (flags & 16 != 0).then_some(Decoder::from_parts(forced, prior, dates));
            }
            manifest.inputs.push(IndexedInput {
                name,
                path: (flags & 1 != 0).then_some(path),
                has_file_offsets: flags & 2 != 0,
                fingerprint: (flags & 4 != 0).then_some(fingerprint),
                text_len,
                games,
                decoder,
                is_retired: version > 2 && flags & 8 != 0,
                is_incomplete: flags & INCOMPLETE != 0,
                columns: flags & TextColumn::INPUT_FLAGS,
            });
        }
        for _ in 0..reader.u32()? {
            let (number, len, checksum, games) = (reader.u64()?, reader.u64()?, reader.u64()?, reader.u32()?);
            let (plies, text) = (reader.u64()?, reader.u64()?);
            let mut statuses = [0; 8];
            for count in &mut statuses {
                *count = reader.u64()?;
            }
            manifest.segments.push(SegmentEntry {
                number,
                info: SegmentInfo { len, checksum, games, plies, text_len: text, statuses },
            });
        }
        if version > 2 {
            let RetiredSums { games, plies, text_len, statuses } = &mut manifest.retired;
            for sum in [games, plies, text_len].into_iter().chain(statuses) {
                *sum = reader.u64()?;
            }
        }
        manifest.rejects = (reader.u64()?, reader.u64()?);
        reader.0.is_empty().then_some(manifest)
    }

    /// Encodes the manifest.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(MAGIC.to_vec());
        out.u32(MANIFEST_VERSION);
        out.u32(0);
        out.u64(self.generation);
        out.u32(self.inputs.len() as u32);
        for input in &self.inputs {
            out.bytes(&bytes_of(&input.name));
            out.bytes(&input.path.as_deref().map(bytes_of).unwrap_or_default());
            let flags = u8::from(input.path.is_some())
                | u8::from(input.has_file_offsets) << 1
                | u8::from(input.fingerprint.is_some()) << 2
                | u8::from(input.is_retired) << 3
                | u8::from(input.decoder.is_some()) << 4
                | if input.is_incomplete { INCOMPLETE } else { 0 }
                | input.columns;
            out.u8(flags);
            let absent = Fingerprint { size: 0, modified: 0, checksum: 0 };
            let fingerprint = input.fingerprint.unwrap_or(absent);
            out.u64(fingerprint.size);
            out.u64(fingerprint.modified as u64);
            out.u64(fingerprint.checksum);
            out.u64(input.text_len);
            out.u64(input.games);
            let decoder = input.decoder.unwrap_or_default();
            for encoding in [decoder.forced(), decoder.prior()] {
                out.bytes(encoding.map_or("", Encoding::name).as_bytes());
            }
            out.bytes(decoder.dates().to_string().as_bytes());
        }
        out.u32(self.segments.len() as u32);
        for SegmentEntry { number, info: written } in &self.segments {
            out.u64(*number);
            out.u64(written.len);
            out.u64(written.checksum);
            out.u32(written.games);
            out.u64(written.plies);
            out.u64(written.text_len);
            written.statuses.iter().for_each(|&count| out.u64(count));
        }
        let RetiredSums { games, plies, text_len, statuses } = self.retired;
        [games, plies, text_len].into_iter().chain(statuses).for_each(|sum| out.u64(sum));
        out.u64(self.rejects.0);
        out.u64(self.rejects.1);
        out.u64(xxh3(&out.0));
        out.0
    }
}

/// Returns the encoding of a name that the format stores; the inner `None` for an empty name.
fn encoding_of(name: &[u8]) -> Option<Option<Encoding>> {
    if name.is_empty() {
        return Some(None);
    }
    str::from_utf8(name).ok()?.parse().ok().map(Some)
}

/// Returns the bytes that the format stores for a path.
#[cfg(unix)]
fn bytes_of(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

/// Returns the path of bytes that the format stores.
#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// Takes the flags of the optional columns from the inputs of an index, as if a version had written it that did not store them.
#[cfg(any(test, debug_assertions))]
pub fn forget_optional_columns(dir: &Path) {
    let mut manifest = Manifest::read(dir).expect("readable").expect("there");
    manifest.inputs.iter_mut().for_each(|input| input.columns = 0);
    std::fs::write(dir.join("manifest"), manifest.to_bytes()).expect("written");
}

/// A number that changes with the version of any file of an index, and with the sections of a segment.
///
/// No promise: for tools that have to be built from the same version of the format.
#[doc(hidden)]
pub const FORMAT_DIGEST: u64 = {
    let versions = [
        MANIFEST_VERSION,
        VERSION,
        keys::FORMAT.version,
        book::table::FORMAT.version,
        openings::FORMAT.version,
        extract::FORMAT.version,
    ];
    let (mut digest, mut at) = (0xcbf2_9ce4_8422_2325, 0);
    while at < versions.len() {
        digest = step(digest, versions[at] as u64);
        at += 1;
    }
    at = 0;
    while at < Section::ALL.len() {
        digest = step(digest, Section::ALL[at] as u64);
        digest = digest_with_text(digest, Section::ALL[at].name());
        at += 1;
    }
    digest
};

/// Adds a text and its end to a digest, as [`FORMAT_DIGEST`] is made.
#[doc(hidden)]
pub const fn digest_with_text(mut digest: u64, text: &str) -> u64 {
    let (bytes, mut at) = (text.as_bytes(), 0);
    while at < bytes.len() {
        digest = step(digest, bytes[at] as u64);
        at += 1;
    }
    step(digest, 0xff)
}

/// Adds a number: FNV-1a, with whole numbers in place of bytes.
const fn step(digest: u64, number: u64) -> u64 {
    (digest ^ number).wrapping_mul(0x0100_0000_01b3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_survives_encoding_and_detects_any_changed_bit() {
        let input = IndexedInput {
            name: "a.pdn".into(),
            path: Some("/x/a.pdn".into()),
            has_file_offsets: true,
            fingerprint: Some(Fingerprint { size: 7, modified: -3, checksum: 9 }),
            text_len: 7,
            games: 2,
            decoder: Some(Decoder::from_parts(None, Some(Encoding::CP866), "m?d".parse().unwrap())),
            is_retired: true,
            is_incomplete: true,
            columns: TextColumn::INPUT_FLAGS,
        };
        let stream = IndexedInput {
            name: "-".into(),
            path: None,
            has_file_offsets: false,
            fingerprint: None,
            decoder: None,
            is_retired: false,
            is_incomplete: false,
            columns: 0,
            ..input.clone()
        };
        let written = SegmentInfo {
            len: 1,
            checksum: 2,
            games: 3,
            plies: 4,
            text_len: 5,
            statuses: [1, 2, 3, 4, 5, 6, 7, 0],
        };
        let segments = vec![SegmentEntry { number: 12, info: written }];
        let retired = RetiredSums { games: 1, plies: 2, text_len: 3, statuses: [1, 0, 0, 0, 0, 0, 0, 0] };
        let manifest =
            Manifest { generation: 3, inputs: vec![input, stream], segments, retired, rejects: (5, 6) };
        let bytes = manifest.to_bytes();
        assert_eq!(Manifest::parse(&bytes).expect("as written"), manifest);
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Manifest::parse(&bytes).is_err(), "bit {bit}");
        }
        for len in 0..bytes.len() {
            assert!(Manifest::parse(&bytes[..len]).is_err(), "cut to {len}");
        }
        assert_eq!(number_of(&file_name(77)), Some(77));
        assert_eq!(number_of("segment-00000001.pdns.tmp"), Some(1));
        assert_eq!(number_of("segment-00000001.keys"), Some(1));
        assert_eq!(number_of("segment-00000001.book"), Some(1));
        assert_eq!(number_of("segment-00000001.openings"), Some(1));
        assert_eq!(number_of("segment-00000001.extract"), Some(1));
        assert_eq!(number_of("segment-mine.pdns"), None);
        assert_eq!(number_of("games.pdn"), None);
    }
}
