//! The record of changes to a file, with which they are undone.
//!
//! A journal is a text of lines, which a person can read:
//!
//! ```text
//! pdn-journal 1
//! file games.pdn
//! edit 14 R001 "32-28" "33-28"
//! before 1204 bytes 0b6a1f2c33d4e5f6
//! after 1210 bytes 99aabbccddeeff00
//! end 1 2f8c0f3a44e1b2c7
//! ```
//!
//! The checksums are XXH3 with 64 bits: of the file before and after the changes, and of all lines above `end`. An `edit`
//! has the offset in the file before the changes, a code or `-`, the old bytes and the new ones. Bytes other than printable
//! ASCII, quotes and backslashes are escaped as in Rust.
//!
//! The lines stand in the order in which they become known while a file is copied, so that a journal can be written and
//! read without holding it in memory.

use std::fmt;
use std::hash::Hasher;
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_64;

/// The length and the checksum of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fingerprint {
    pub(super) bytes: u64,
    checksum: u64,
}

impl Fingerprint {
    fn parse(text: &str) -> Option<Self> {
        let (bytes, checksum) = text.split_once(" bytes ")?;
        Some(Self { bytes: bytes.parse().ok()?, checksum: u64::from_str_radix(checksum, 16).ok()? })
    }
}

/// Writes the length and the checksum as in a journal.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes {:016x}", self.bytes, self.checksum)
    }
}

/// Computes the fingerprint of a text that is passed piece by piece.
#[derive(Clone)]
pub(super) struct Fingerprinter {
    bytes: u64,
    hasher: XxHash3_64,
}

impl Fingerprinter {
    pub(super) fn new() -> Self {
        Self { bytes: 0, hasher: XxHash3_64::new() }
    }

    pub(super) fn add(&mut self, text: &[u8]) {
        self.bytes += text.len() as u64;
        self.hasher.write(text);
    }

    pub(super) fn finish(&self) -> Fingerprint {
        Fingerprint { bytes: self.bytes, checksum: self.hasher.finish() }
    }
}

impl fmt::Debug for Fingerprinter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.finish().fmt(f)
    }
}

/// The fingerprints of a file before and after its changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fingerprints {
    pub(super) before: Fingerprint,
    pub(super) after: Fingerprint,
}

impl Fingerprints {
    /// Returns why a file cannot be given its text from before the changes; `None` if it can.
    pub(super) fn refusal(&self, present: Fingerprint) -> Option<JournalErrorKind> {
        if present == self.before {
            Some(JournalErrorKind::AlreadyUndone)
        } else if present != self.after {
            Some(JournalErrorKind::FileChanged)
        } else {
            None
        }
    }
}

/// A change of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct JournalEdit {
    /// Offset in the file before the changes.
    pub(super) at: u64,
    code: String,
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
}

/// The first line of every journal of this version.
const FIRST_LINE: &str = "pdn-journal 1";
/// Greatest number of bytes of the first line of a journal of any version.
const MAX_FIRST_LINE: u64 = 64;
/// Stands for the code of an edit without one.
const NO_CODE: &str = "-";

/// Writes a journal, edit by edit.
pub(super) struct JournalWriter<W> {
    out: W,
    checksum: XxHash3_64,
    edits: u64,
}

impl<W: Write> JournalWriter<W> {
    /// Begins a journal of the file `path`.
    pub(super) fn begin(out: W, path: &Path) -> io::Result<Self> {
        let mut writer = Self { out, checksum: XxHash3_64::new(), edits: 0 };
        let file = path.as_os_str().as_encoded_bytes().escape_ascii();
        writer.line(&format!("{FIRST_LINE}\nfile {file}\n"))?;
        Ok(writer)
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.checksum.write(text.as_bytes());
        self.out.write_all(text.as_bytes())
    }

    /// Adds an edit. `code` is a diagnostic code or empty.
    pub(super) fn edit(&mut self, at: u64, code: &str, old: &[u8], new: &[u8]) -> io::Result<()> {
        let code = if code.is_empty() { NO_CODE } else { code };
        self.edits += 1;
        self.line(&format!("edit {at} {code} \"{}\" \"{}\"\n", old.escape_ascii(), new.escape_ascii()))
    }

    /// Ends the journal and returns the output.
    pub(super) fn finish(mut self, fingerprints: Fingerprints) -> io::Result<W> {
        let Fingerprints { before, after } = fingerprints;
        self.line(&format!("before {before}\nafter {after}\n"))?;
        let (edits, checksum) = (self.edits, self.checksum.finish());
        writeln!(self.out, "end {edits} {checksum:016x}")?;
        Ok(self.out)
    }
}

/// Reads a journal, edit by edit.
pub(super) struct JournalReader<R> {
    input: R,
    line: Vec<u8>,
    /// Number of the line, from 1.
    number: usize,
    checksum: XxHash3_64,
    file: PathBuf,
    edits: u64,
    /// What stands at the end, once it is read.
    fingerprints: Option<Fingerprints>,
}

/// The error of reading a journal: of the file that it is in, or of its text.
#[derive(Debug)]
pub(super) enum ReadError {
    Io(io::Error),
    Journal(JournalError),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl<R: BufRead> JournalReader<R> {
    /// Begins to read a journal.
    pub(super) fn begin(input: R) -> Result<Self, ReadError> {
        let mut reader = Self {
            input,
            line: Vec::new(),
            number: 0,
            checksum: XxHash3_64::new(),
            file: PathBuf::new(),
            edits: 0,
            fingerprints: None,
        };
        let error = |kind| Err(ReadError::Journal(JournalError { kind, line: 1 }));
        // Any file may be named, such as a device that never ends.
        reader.read_line(MAX_FIRST_LINE)?;
        match reader.after("pdn-journal") {
            None => return error(JournalErrorKind::NotAJournal),
            Some("1") => {}
            Some(_) => return error(JournalErrorKind::Version),
        }
        reader.read_line(u64::MAX)?;
        let file = reader.after("file").and_then(unescaped);
        reader.file = path_of(file.ok_or(reader.damaged())?);
        Ok(reader)
    }

    /// Returns the path of the file, as it was given when the file was changed.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the next edit; `None` after the last one, when the whole journal has proved to be sound.
    pub(super) fn next(&mut self) -> Result<Option<JournalEdit>, ReadError> {
        if self.fingerprints.is_some() {
            return Ok(None);
        }
        self.read_line(u64::MAX)?;
        if let Some(edit) = self.after("edit") {
            let edit = parse_edit(edit).ok_or(self.damaged())?;
            self.edits += 1;
            return Ok(Some(edit));
        }
        let before = self.after("before").and_then(Fingerprint::parse).ok_or(self.damaged())?;
        self.read_line(u64::MAX)?;
        let after = self.after("after").and_then(Fingerprint::parse).ok_or(self.damaged())?;
        let end = format!("end {} {:016x}\n", self.edits, self.checksum.finish());
        self.read_line(u64::MAX)?;
        // Nothing stands after the end.
        let is_end = self.line == end.as_bytes() && self.input.fill_buf()?.is_empty();
        if !is_end {
            return Err(self.damaged());
        }
        self.fingerprints = Some(Fingerprints { before, after });
        Ok(None)
    }

    /// Returns the fingerprints once [`next`](Self::next) has returned `None`.
    pub(super) fn fingerprints(&self) -> Option<Fingerprints> {
        self.fingerprints
    }

    /// Reads a line of at most this number of bytes.
    fn read_line(&mut self, max: u64) -> io::Result<()> {
        self.line.clear();
        self.number += 1;
        Read::take(&mut self.input, max).read_until(b'\n', &mut self.line)?;
        self.checksum.write(&self.line);
        Ok(())
    }

    /// Returns the rest of a line that begins with `word` and a space.
    fn after(&self, word: &str) -> Option<&str> {
        let line = std::str::from_utf8(&self.line).ok()?.strip_suffix('\n')?;
        line.strip_prefix(word)?.strip_prefix(' ')
    }

    fn damaged(&self) -> ReadError {
        ReadError::Journal(JournalError { kind: JournalErrorKind::Damaged, line: self.number })
    }
}

fn path_of(bytes: Vec<u8>) -> PathBuf {
    #[cfg(unix)]
    return PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes));
    #[cfg(not(unix))]
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}

fn parse_edit(rest: &str) -> Option<JournalEdit> {
    let (at, rest) = rest.split_once(' ')?;
    let (code, rest) = rest.split_once(" \"")?;
    let (old, rest) = until_quote(rest)?;
    let (new, end) = until_quote(rest.strip_prefix(" \"")?)?;
    if !end.is_empty() {
        return None;
    }
    let code = if code == NO_CODE { "" } else { code };
    Some(JournalEdit {
        at: at.parse().ok()?,
        code: code.to_owned(),
        old: unescaped(old)?,
        new: unescaped(new)?,
    })
}

/// Returns the text before the first quote that is not escaped, and the text after it.
fn until_quote(text: &str) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    let end = text.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })?;
    Some((&text[..end], &text[end + 1..]))
}

/// Undoes [`escape_ascii`](slice::escape_ascii); `None` if the text contains another escape.
fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b't' => b'\t',
                b'n' => b'\n',
                b'r' => b'\r',
                quoted @ (b'\\' | b'"' | b'\'') => quoted,
                b'x' => {
                    let digit = |byte: u8| char::from(byte).to_digit(16);
                    (digit(rest.next()?)? * 16 + digit(rest.next()?)?) as u8
                }
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(bytes)
}

/// The error of a journal that cannot be read, or not applied to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct JournalError {
    /// The kind of the error.
    pub kind: JournalErrorKind,
    /// The line of the journal, from 1; 0 if the error concerns the file.
    pub line: usize,
}

/// Why a journal cannot be read or applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum JournalErrorKind {
    /// The text is no journal.
    NotAJournal,
    /// The journal was written by a newer program.
    Version,
    /// The journal was cut or changed.
    Damaged,
    /// The file was changed after the journal was written.
    FileChanged,
    /// The file has the text that it had before the changes.
    AlreadyUndone,
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            JournalErrorKind::NotAJournal => write!(f, "is not a journal of changes"),
            JournalErrorKind::Version => write!(f, "is a journal of a newer version; use a newer program"),
            JournalErrorKind::Damaged if self.line > 0 => {
                write!(f, "the journal is damaged in line {}", self.line)
            }
            JournalErrorKind::Damaged => write!(f, "the journal is damaged"),
            JournalErrorKind::FileChanged => {
                write!(f, "the file was changed after the journal was written; nothing is undone")
            }
            JournalErrorKind::AlreadyUndone => write!(f, "the changes are already undone"),
        }
    }
}

impl std::error::Error for JournalError {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fingerprint(text: &[u8]) -> Fingerprint {
        let mut fingerprinter = Fingerprinter::new();
        fingerprinter.add(text);
        fingerprinter.finish()
    }

    /// Returns a journal of these changes: offset, code, old bytes and new ones.
    fn written(path: &str, edits: &[(u64, &str, &[u8], &[u8])]) -> Vec<u8> {
        let mut writer = JournalWriter::begin(Vec::new(), Path::new(path)).unwrap();
        for (at, code, old, new) in edits {
            writer.edit(*at, code, old, new).unwrap();
        }
        let fingerprints = Fingerprints { before: fingerprint(b"before"), after: fingerprint(b"after") };
        writer.finish(fingerprints).unwrap()
    }

    /// Reads a journal: its path, changes and fingerprints.
    fn read(text: &[u8]) -> Result<(PathBuf, Vec<JournalEdit>, Fingerprints), JournalErrorKind> {
        let read = || {
            let mut reader = JournalReader::begin(text)?;
            let mut edits = Vec::new();
            while let Some(edit) = reader.next()? {
                edits.push(edit);
            }
            Ok((reader.file().to_owned(), edits, reader.fingerprints().expect("the end is read")))
        };
        read().map_err(|error| match error {
            ReadError::Journal(error) => error.kind,
            ReadError::Io(error) => panic!("memory can be read: {error}"),
        })
    }

    proptest! {
        #[test]
        fn journal_is_read_as_it_was_written(
            edits in prop::collection::vec(
                (any::<u64>(), any::<bool>(), any::<Vec<u8>>(), any::<Vec<u8>>()), 0..6,
            ),
        ) {
            let code = |has_code: bool| if has_code { "T025" } else { "" };
            let of_text: Vec<_> =
                edits.iter().map(|(at, has_code, old, new)| (*at, code(*has_code), &old[..], &new[..])).collect();
            let text = written("a \"b\"\n.pdn", &of_text);
            let (path, found, fingerprints) = read(&text).unwrap();
            prop_assert_eq!(path, PathBuf::from("a \"b\"\n.pdn"));
            prop_assert_eq!(fingerprints, Fingerprints { before: fingerprint(b"before"), after: fingerprint(b"after") });
            let found: Vec<_> =
                found.iter().map(|edit| (edit.at, edit.code.as_str(), &edit.old[..], &edit.new[..])).collect();
            prop_assert_eq!(found, of_text);
        }

        #[test]
        fn damaged_journal_is_refused(byte in any::<prop::sample::Index>(), cut in any::<bool>()) {
            let mut text = written("f", &[(0, "", b"a", b"b")]);
            let at = byte.index(text.len() - 1);
            if cut { text.truncate(at) } else { text[at] ^= 1 }
            prop_assert!(read(&text).is_err(), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn first_line_of_a_journal_is_short() {
        let read = |text: &mut dyn BufRead| match JournalReader::begin(text).map(drop) {
            Err(ReadError::Journal(error)) => error.kind,
            other => panic!("{other:?}"),
        };
        let mut endless = io::BufReader::new(io::repeat(0));
        assert_eq!(read(&mut endless), JournalErrorKind::NotAJournal);
    }

    #[test]
    fn journal_keeps_any_quotes_spaces_and_backslashes() {
        let texts = |len: u32| {
            (0..4u32.pow(len))
                .map(move |n| (0..len).map(|at| b"\" \\a"[n as usize >> (2 * at) & 3]).collect::<Vec<u8>>())
        };
        for old in (0..4).flat_map(texts) {
            for new in (0..4).flat_map(texts) {
                let (_, edits, _) = read(&written("f", &[(7, "", &old, &new)])).unwrap();
                assert_eq!((&edits[0].old, &edits[0].new), (&old, &new));
            }
        }
    }

    #[test]
    fn nothing_may_follow_the_end_of_a_journal() {
        let text = written("f", &[(0, "", b"a", b"b")]);
        assert!(read(&text).is_ok());
        for rest in ["\n", "x", "edit 0 - \"b\" \"a\"\n"] {
            assert!(read(&[&text, rest.as_bytes()].concat()).is_err(), "{rest:?}");
        }
    }
}
