//! Puts the records of a file together again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;

use pdn::Error;
use pdn::archive::Archive;
use pdn::internal::edit::UnifiedDiff;
use pdn::internal::storage::{FileReplacement, FileState};
use pdn::source::{Encoding, OpenOptions};
use pdn::split;
use pdn::write::Unwritten;

use super::formatted::{FormattedBatch, FormattedRecord};
use super::refuse_form;
use crate::ask::error::{AppError, ErrorCode, Result};

/// Where the new text goes.
pub(super) enum Destination {
    /// The place of the file, once it differs.
    File { state: FileState, replacement: Option<BufWriter<FileReplacement>> },
    /// Memory.
    Memory(Vec<u8>),
    /// Nowhere: only whether anything changes is of interest.
    Nowhere,
    /// A diff in memory.
    Diff(UnifiedDiff<Vec<u8>>),
}

/// Rewrites one file, record by record.
pub(super) struct FileRewriter {
    path: PathBuf,
    destination: Destination,
    /// The text may be turned into UTF-8.
    utf8: bool,
    /// The file is in UTF-16, so that no byte of it is the same in the new text.
    is_utf16: bool,
    /// The bytes of the old text so far.
    old_bytes: u64,
    /// The bytes at the start of the file that are the same in the new text.
    same_bytes: u64,
    has_changed: bool,
    /// The lengths of the new records.
    lengths: Vec<u64>,
    /// The last record of the batch before.
    last: Option<(FormattedBatch, usize)>,
    /// The bytes of the record before, if it was kept.
    kept_before: Option<Vec<u8>>,
    pub(super) records: u64,
    pub(super) changed_records: u64,
    /// The records that stay as they are, by reason.
    pub(super) kept: BTreeMap<&'static str, u64>,
}

impl FileRewriter {
    pub(super) fn new(path: PathBuf, destination: Destination, utf8: bool) -> Self {
        Self {
            path,
            destination,
            utf8,
            is_utf16: false,
            old_bytes: 0,
            same_bytes: 0,
            has_changed: false,
            lengths: Vec::new(),
            last: None,
            kept_before: None,
            records: 0,
            changed_records: 0,
            kept: BTreeMap::new(),
        }
    }

    /// Returns `true` if the new text differs from the old one.
    pub(super) fn has_changed(&self) -> bool {
        self.has_changed
    }

    /// Returns `true` if records stay as they are.
    pub(super) fn has_kept(&self) -> bool {
        !self.kept.is_empty()
    }

    /// Adds the records of a batch. Whether its last record is the last of the file is known only later.
    pub(super) fn batch(&mut self, formatted: FormattedBatch) -> Result<()> {
        let Some(last) = formatted.records.len().checked_sub(1) else { return Ok(()) };
        if let Some(form) = formatted.batch.form()
            && !self.is_utf16
        {
            refuse_form(form, &self.path, self.utf8)?;
            self.is_utf16 = true;
        }
        self.old_bytes += formatted.batch.bytes().len() as u64;
        if let Some((batch, index)) = self.last.take() {
            let start = batch.batch.bytes().len() - batch.records[index].old_len;
            self.record(&batch, &batch.records[index], start, false)?;
        }
        let mut start = 0;
        let needs_no_text = match self.destination {
            Destination::File { .. } => !self.has_changed && !self.is_utf16,
            Destination::Nowhere => true,
            Destination::Memory(_) | Destination::Diff(_) => false,
        };
        if needs_no_text && formatted.is_unchanged && self.kept_before.is_none() {
            // Nothing to write: only the numbers change.
            for record in &formatted.records[..last] {
                self.lengths.push(record.old_len as u64);
                start += record.old_len;
            }
            self.same_bytes += start as u64;
            self.records += last as u64;
        } else {
            for record in &formatted.records[..last] {
                self.record(&formatted, record, start, false)?;
                start += record.old_len;
            }
        }
        self.last = Some((formatted, last));
        Ok(())
    }

    /// Adds a record that starts at `start` in its batch.
    fn record(
        &mut self,
        formatted: &FormattedBatch,
        record: &FormattedRecord,
        start: usize,
        is_last: bool,
    ) -> Result<()> {
        let old = &formatted.batch.bytes()[start..start + record.old_len];
        let mut canonical = formatted.canonical(record, old);
        // A kept record may end in a way that the next one decides about.
        if let (Some(before), Ok(text)) = (&self.kept_before, canonical)
            && first_len(before, text) != before.len()
        {
            canonical = Err(Unwritten::ReadsDifferently);
        }
        self.records += 1;
        match canonical {
            Ok(text) => {
                self.kept_before = None;
                let blank: &[u8] = if is_last { b"" } else { formatted.line_end.bytes() };
                let is_same = !self.is_utf16 && old.strip_suffix(blank) == Some(text);
                self.changed_records += u64::from(!is_same);
                self.write(old, &[text, blank], is_same)
            }
            Err(reason) => {
                *self.kept.entry(reason.text()).or_default() += 1;
                let text = formatted.kept(record, old);
                let is_same = !self.is_utf16 && text == old;
                self.changed_records += u64::from(!is_same);
                self.kept_before = Some(text.to_vec());
                self.write(old, &[text], is_same)
            }
        }
    }

    /// Writes the new form of a record.
    fn write(&mut self, old: &[u8], new: &[&[u8]], is_same: bool) -> Result<()> {
        self.lengths.push(new.iter().map(|part| part.len() as u64).sum());
        let path = &self.path;
        let at = |error: io::Error| AppError::from(Error::from(error).at(path));
        match &mut self.destination {
            Destination::Diff(diff) => {
                self.has_changed |= !is_same;
                return diff.piece(old, &new.concat()).map_err(at);
            }
            Destination::Memory(text) => {
                self.has_changed |= !is_same;
                new.iter().for_each(|part| text.extend_from_slice(part));
                return Ok(());
            }
            Destination::Nowhere => self.has_changed |= !is_same,
            Destination::File { .. } if is_same && !self.has_changed => {
                self.same_bytes += old.len() as u64;
                return Ok(());
            }
            Destination::File { state, replacement } => {
                if replacement.is_none() {
                    let mut begun =
                        BufWriter::with_capacity(1 << 18, FileReplacement::begin_after(path, *state)?);
                    // Of the records before the first change, only their length was kept.
                    let mut source = File::open(path).map_err(at)?.take(self.same_bytes);
                    io::copy(&mut source, &mut begun).map_err(at)?;
                    *replacement = Some(begun);
                    self.has_changed = true;
                }
                if let Some(out) = replacement {
                    new.iter().try_for_each(|part| out.write_all(part)).map_err(at)?;
                }
            }
        }
        Ok(())
    }

    /// Ends the file and replaces it if it has changed. Returns the text that is to be printed.
    pub(super) fn finish(&mut self) -> Result<Vec<u8>> {
        if let Some((batch, index)) = self.last.take() {
            let start = batch.batch.bytes().len() - batch.records[index].old_len;
            self.record(&batch, &batch.records[index], start, true)?;
        }
        let path = &self.path;
        let at = |error: io::Error| AppError::from(Error::from(error).at(path));
        let has_kept = self.has_kept();
        if let Destination::File { state, .. } = &self.destination
            && !self.is_utf16
            && self.old_bytes != state.bytes()
        {
            let message = "is not plain text, or was changed while it was read; nothing is written";
            return Err(AppError::path(ErrorCode::Unwritable, path, message));
        }
        match std::mem::replace(&mut self.destination, Destination::Nowhere) {
            Destination::Nowhere => Ok(Vec::new()),
            Destination::Memory(text) => {
                if has_kept && self.has_changed {
                    self.verify(split::records(&text).map(|record| record.bytes.len() as u64))?;
                }
                Ok(text)
            }
            Destination::Diff(diff) => diff.finish().map_err(at),
            Destination::File { replacement: None, .. } => Ok(Vec::new()),
            Destination::File { replacement: Some(mut out), .. } => {
                out.flush().map_err(at)?;
                let replacement = out.into_inner().map_err(|error| at(error.into_error()))?;
                // A record that stays as it is may be damaged in a way that reaches into the next ones.
                if has_kept {
                    // The old text is UTF-8 or in single bytes; the new one is read without guessing.
                    let options = OpenOptions::new().encoding(Some(Encoding::UTF_8));
                    let written = Archive::open_with(replacement.temporary_path(), &options)?;
                    let mut lengths = Vec::with_capacity(self.lengths.len());
                    for batch in written.batches() {
                        lengths.extend(batch?.games().map(|game| game.raw().len() as u64));
                    }
                    self.verify(lengths.into_iter())?;
                }
                replacement.commit()?;
                Ok(Vec::new())
            }
        }
    }

    /// Compares the records of the new text with those that were written.
    fn verify(&self, lengths: impl Iterator<Item = u64>) -> Result<()> {
        if lengths.eq(self.lengths.iter().copied()) {
            return Ok(());
        }
        let message = "has damaged games whose end depends on the text after them; it stays as it is, repair them first";
        Err(AppError::path(ErrorCode::Unwritable, &self.path, message))
    }
}

/// Returns the length of the first record of two texts together.
fn first_len(first: &[u8], second: &[u8]) -> usize {
    let both = [first, second].concat();
    split::records(&both).next().map_or(0, |record| record.bytes.len())
}
