//! Rewrites the records of a batch, on many threads.

use std::ops::Range;

use pdn::archive::{Batch, InputRecord};
use pdn::replay::ReplayOptions;
use pdn::write::{LineEnd, RecordWriter, Unwritten, WriteOptions};

use super::FmtRequest;

/// How records are rewritten.
pub(super) struct FormatWork {
    options: WriteOptions,
    replay: ReplayOptions,
    utf8: bool,
}

impl FormatWork {
    pub(super) fn new(request: &FmtRequest) -> Self {
        Self {
            options: WriteOptions::new().width(request.form.width).fen_style(request.fen.fen_style.into()),
            replay: request.inputs.read.replay(),
            utf8: request.form.utf8,
        }
    }

    pub(super) fn writer(&self) -> RecordWriter {
        RecordWriter::with_replay(&self.options, &self.replay)
    }
}

/// A batch and its records in canonical form.
pub(super) struct FormattedBatch {
    pub(super) batch: Batch,
    pub(super) line_end: LineEnd,
    /// The text of the records that are not as they should be, one after the other.
    text: Vec<u8>,
    pub(super) records: Vec<FormattedRecord>,
    /// Every record but the last is canonical, and followed by an empty line.
    pub(super) is_unchanged: bool,
}

/// What becomes of a record.
#[derive(Clone)]
pub(super) struct FormattedRecord {
    /// The number of its bytes.
    pub(super) old_len: usize,
    pub(super) form: RecordForm,
}

#[derive(Clone)]
pub(super) enum RecordForm {
    /// It is canonical, and followed by an empty line.
    Canonical,
    /// It is canonical, and no empty line follows.
    CanonicalAtEnd,
    /// This is its canonical form, a range of the text of the batch.
    Rewritten(Range<usize>),
    /// It stays as it is. If it is turned into UTF-8, its text is a range of the text of the batch.
    Kept(Unwritten, Option<Range<usize>>),
}

impl FormattedBatch {
    /// Rewrites the records of a batch.
    pub(super) fn of(work: &FormatWork, writer: &mut RecordWriter, batch: Batch) -> Self {
        let line_end = LineEnd::of(batch.start_of_input());
        writer.set_line_end(line_end);
        let mut text = Vec::new();
        let mut records = Vec::with_capacity(batch.len());
        let mut is_unchanged = true;
        for game in batch.games() {
            let (old, start) = (game.raw(), text.len());
            // Text beyond ASCII may have to be turned into UTF-8.
            if !work.utf8 || old.is_ascii() {
                let without_blank = old.strip_suffix(line_end.bytes()).unwrap_or(old);
                if writer.is_canonical(InputRecord::from(game).with_text(without_blank)) {
                    records.push(FormattedRecord { old_len: old.len(), form: RecordForm::Canonical });
                    continue;
                }
                // The last record of a file has no empty line after it.
                if records.len() + 1 == batch.len() && writer.is_canonical(game) {
                    records.push(FormattedRecord { old_len: old.len(), form: RecordForm::CanonicalAtEnd });
                    continue;
                }
            }
            let written = if work.utf8 && !old.is_ascii() {
                writer.write_utf8(game, game.encoding().encoding, &mut text)
            } else {
                writer.write(game, &mut text)
            };
            let form = match written {
                Err(reason) if work.utf8 && !old.is_ascii() => {
                    let encoding = game.encoding().encoding;
                    let decoded = encoding.decode(old);
                    // Bytes without a meaning would be lost.
                    let is_lossless = encoding.encode(&decoded).as_deref() == Some(old);
                    text.extend_from_slice(if is_lossless { decoded.as_bytes() } else { old });
                    RecordForm::Kept(reason, Some(start..text.len()))
                }
                Err(reason) => RecordForm::Kept(reason, None),
                Ok(_) if old.strip_suffix(line_end.bytes()) == Some(&text[start..]) => {
                    text.truncate(start);
                    RecordForm::Canonical
                }
                Ok(_) => RecordForm::Rewritten(start..text.len()),
            };
            // The last record of a file has no empty line after it, so it is looked at separately.
            is_unchanged &= matches!(form, RecordForm::Canonical) || records.len() + 1 == batch.len();
            records.push(FormattedRecord { old_len: old.len(), form });
        }
        Self { batch, line_end, text, records, is_unchanged }
    }

    /// Returns the canonical text of a record without the empty line after it, or why it stays as it is.
    pub(super) fn canonical<'f>(
        &'f self,
        record: &FormattedRecord,
        old: &'f [u8],
    ) -> Result<&'f [u8], Unwritten> {
        match &record.form {
            RecordForm::Canonical => Ok(old.strip_suffix(self.line_end.bytes()).unwrap_or(old)),
            RecordForm::CanonicalAtEnd => Ok(old),
            RecordForm::Rewritten(range) => Ok(&self.text[range.clone()]),
            RecordForm::Kept(reason, _) => Err(*reason),
        }
    }

    /// Returns the text of a record that stays as it is.
    pub(super) fn kept<'f>(&'f self, record: &FormattedRecord, old: &'f [u8]) -> &'f [u8] {
        match &record.form {
            RecordForm::Kept(_, Some(range)) => &self.text[range.clone()],
            _ => old,
        }
    }
}
