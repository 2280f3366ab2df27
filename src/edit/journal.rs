//! The record of changes to a file, with which they are undone.
//!
//! A journal is a text of lines, which a person can read:
//!
//! ```text
//! pdn-journal 1
//! file games.pdn
//! before 1204 bytes 0b6a1f2c33d4e5f6
//! after 1210 bytes 99aabbccddeeff00
//! edit 14 R001 "32-28" "33-28"
//! end 1 2f8c0f3a44e1b2c7
//! ```
//!
//! The checksums are XXH3 with 64 bits: of the file before and after the changes, and of all lines above `end`. An `edit`
//! has the offset in the file before the changes, a code or `-`, the old bytes and the new ones. Bytes other than printable
//! ASCII, quotes and backslashes are escaped as in Rust.

use std::fmt;
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_64;

use super::text_edit::{TextEdit, TextEdits};

/// The changes that one run made to a file.
///
/// ```
/// use pdn::edit::{Journal, TextEdit, TextEdits};
///
/// let old = b"1. 32-28 19-24 *\n";
/// let edits = TextEdits::new(vec![TextEdit::new(9..14, "19-23")])?;
/// let new = edits.apply(old);
/// let written = Journal::new("games.pdn", old, &edits, |_| "R001").to_bytes();
/// assert_eq!(Journal::parse(&written)?.undo(&new)?, old);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Journal {
    file: PathBuf,
    before: Fingerprint,
    after: Fingerprint,
    edits: Vec<JournalEdit>,
}

/// The length and the checksum of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Fingerprint {
    bytes: u64,
    checksum: u64,
}

impl Fingerprint {
    fn of(text: &[u8]) -> Self {
        Self { bytes: text.len() as u64, checksum: XxHash3_64::oneshot(text) }
    }
}

/// Writes the length and the checksum as in a journal.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes {:016x}", self.bytes, self.checksum)
    }
}

/// A change of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
struct JournalEdit {
    /// Offset in the file before the changes.
    at: u64,
    code: String,
    old: Vec<u8>,
    new: Vec<u8>,
}

/// The first line of every journal of this version.
const FIRST_LINE: &str = "pdn-journal 1";
/// Stands for the code of an edit without one.
const NO_CODE: &str = "-";

impl Journal {
    /// Records `edits` of the file `path` with the text `old`. `code` returns the diagnostic code of the edit with a
    /// number, from 0, or an empty text.
    ///
    /// # Panics
    /// If an edit lies beyond the end of `old`.
    pub fn new<'c>(
        path: impl AsRef<Path>,
        old: &[u8],
        edits: &TextEdits,
        code: impl Fn(usize) -> &'c str,
    ) -> Self {
        let journal_edit = |(number, edit): (usize, &TextEdit)| JournalEdit {
            at: edit.range.start as u64,
            code: code(number).to_owned(),
            old: old[edit.range.clone()].to_vec(),
            new: edit.new.clone(),
        };
        Self {
            file: path.as_ref().to_owned(),
            before: Fingerprint::of(old),
            after: Fingerprint::of(&edits.apply(old)),
            edits: edits.as_slice().iter().enumerate().map(journal_edit).collect(),
        }
    }

    /// Returns the path of the file, as it was given when the file was changed.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the number of changes.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Returns `true` if nothing was changed.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Returns the journal as it is written to a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { file, before, after, edits } = self;
        let file = file.as_os_str().as_encoded_bytes().escape_ascii();
        let mut text = format!("{FIRST_LINE}\nfile {file}\nbefore {before}\nafter {after}\n");
        for JournalEdit { at, code, old, new } in edits {
            let code = if code.is_empty() { NO_CODE } else { code };
            text += &format!("edit {at} {code} \"{}\" \"{}\"\n", old.escape_ascii(), new.escape_ascii());
        }
        let checksum = XxHash3_64::oneshot(text.as_bytes());
        text += &format!("end {} {checksum:016x}\n", edits.len());
        text.into_bytes()
    }

    /// Reads a journal.
    ///
    /// # Errors
    /// If the text is no journal of this version, or was cut or changed.
    pub fn parse(text: &[u8]) -> Result<Self, JournalError> {
        let damaged = |line: usize| JournalError { kind: JournalErrorKind::Damaged, line };
        let text = std::str::from_utf8(text).map_err(|_| damaged(1))?;
        let mut lines = text.lines().zip(1..);
        let mut next = |word: &str| {
            let (line, number) = lines.next().ok_or(damaged(text.lines().count() + 1))?;
            let rest = line.strip_prefix(word).and_then(|rest| rest.strip_prefix(' '));
            Ok((rest.ok_or(damaged(number))?, number))
        };
        let (version, _) = next("pdn-journal").map_err(|JournalError { line, .. }| JournalError {
            kind: JournalErrorKind::NotAJournal,
            line,
        })?;
        if version != "1" {
            return Err(JournalError { kind: JournalErrorKind::Version, line: 1 });
        }
        let (file, number) = next("file")?;
        let file = path_of(unescaped(file).ok_or(damaged(number))?);
        let mut fingerprint = |word: &str| {
            let (rest, number) = next(word)?;
            let parse = || {
                let (bytes, checksum) = rest.split_once(" bytes ")?;
                let checksum = u64::from_str_radix(checksum, 16).ok()?;
                Some(Fingerprint { bytes: bytes.parse().ok()?, checksum })
            };
            parse().ok_or(damaged(number))
        };
        let (before, after) = (fingerprint("before")?, fingerprint("after")?);
        let mut edits = Vec::new();
        let mut ended = false;
        for (line, number) in lines {
            if let Some(rest) = line.strip_prefix("edit ").filter(|_| !ended) {
                edits.push(parse_edit(rest).ok_or(damaged(number))?);
                continue;
            }
            let start = line.as_ptr() as usize - text.as_ptr() as usize;
            let checksum = XxHash3_64::oneshot(&text.as_bytes()[..start]);
            ended = !ended && line == format!("end {} {checksum:016x}", edits.len());
            if !ended {
                return Err(damaged(number));
            }
        }
        if !ended {
            return Err(damaged(text.lines().count() + 1));
        }
        Ok(Self { file, before, after, edits })
    }

    /// Returns the text of the file before the changes; `text` is its text after them.
    ///
    /// # Errors
    /// If `text` is not what the changes made of the file.
    pub fn undo(&self, text: &[u8]) -> Result<Vec<u8>, JournalError> {
        let error = |kind| Err(JournalError { kind, line: 0 });
        if Fingerprint::of(text) == self.before {
            return error(JournalErrorKind::AlreadyUndone);
        }
        if Fingerprint::of(text) != self.after {
            return error(JournalErrorKind::FileChanged);
        }
        let mut old = Vec::with_capacity(text.len());
        let mut at = 0usize;
        for edit in &self.edits {
            // What the edits before this one left out and added gives its place in the new text.
            let kept =
                (edit.at as usize).checked_sub(old.len()).and_then(|len| text.get(at..at.checked_add(len)?));
            let Some(kept) = kept else { return error(JournalErrorKind::FileChanged) };
            old.extend_from_slice(kept);
            old.extend_from_slice(&edit.old);
            at += kept.len() + edit.new.len();
        }
        old.extend_from_slice(text.get(at..).unwrap_or_default());
        if Fingerprint::of(&old) != self.before {
            return error(JournalErrorKind::Damaged);
        }
        Ok(old)
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
    let (old, new) = rest.strip_suffix('"')?.split_once("\" \"")?;
    let code = if code == NO_CODE { "" } else { code };
    Some(JournalEdit {
        at: at.parse().ok()?,
        code: code.to_owned(),
        old: unescaped(old)?,
        new: unescaped(new)?,
    })
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

    proptest! {
        #[test]
        fn journal_undoes_any_edits(
            old in prop::collection::vec(any::<u8>(), 0..60),
            cuts in prop::collection::btree_set(0usize..60, 0..8),
            new in prop::collection::vec(any::<u8>(), 0..5),
        ) {
            let cuts: Vec<_> = cuts.into_iter().filter(|cut| *cut <= old.len()).collect();
            let edits = cuts.chunks_exact(2).map(|pair| TextEdit::new(pair[0]..pair[1], new.clone())).collect();
            let edits = TextEdits::new(edits).unwrap();
            let changed = edits.apply(&old);
            let journal = Journal::new("a \"b\"\n.pdn", &old, &edits, |n| if n == 0 { "T025" } else { "" });
            let read = Journal::parse(&journal.to_bytes()).unwrap();
            prop_assert_eq!(&read, &journal);
            if changed == old {
                prop_assert_eq!(read.undo(&changed).unwrap_err().kind, JournalErrorKind::AlreadyUndone);
            } else {
                prop_assert_eq!(read.undo(&changed).unwrap(), old);
            }
        }

        #[test]
        fn damaged_journal_is_refused(byte in any::<prop::sample::Index>(), cut in any::<bool>()) {
            let edits = TextEdits::new(vec![TextEdit::new(0..1, "b")]).unwrap();
            let mut text = Journal::new("f", b"a", &edits, |_| "").to_bytes();
            let at = byte.index(text.len() - 1);
            if cut { text.truncate(at) } else { text[at] ^= 1 }
            prop_assert!(Journal::parse(&text).is_err(), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn file_changed_meanwhile_is_not_undone() {
        let edits = TextEdits::new(vec![TextEdit::new(0..1, "b")]).unwrap();
        let journal = Journal::new("f", b"a c", &edits, |_| "");
        let undo = |text: &[u8]| journal.undo(text).map_err(|error| error.kind);
        assert_eq!(undo(b"b c"), Ok(b"a c".to_vec()));
        assert_eq!(undo(b"b d"), Err(JournalErrorKind::FileChanged));
        assert_eq!(undo(b"a c"), Err(JournalErrorKind::AlreadyUndone));
    }
}
