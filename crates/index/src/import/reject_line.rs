//! Lines of `rejects.jsonl`.

use std::borrow::Cow;
use std::path::Path;

use pdn::internal::source::path_text;
use pdn::replay::GameStatus;
use serde::Serialize;

/// A rejected record: one that was not replayed to its end. Numbers are relative to its batch.
#[derive(Debug)]
pub(super) struct RejectedRecord {
    /// Number of the record in its batch, from 0.
    pub(super) record: u64,
    /// Offset of the record in the input, before adding the base of the batch.
    pub(super) offset: u64,
    /// Length of the record in bytes.
    pub(super) len: u64,
    /// Lines of the batch before the position at which replaying stopped.
    pub(super) line: u64,
    /// Offset of that position in the record.
    pub(super) at: u64,
    /// Code of the diagnostic.
    pub(super) code: &'static str,
    /// Status of the game.
    pub(super) status: GameStatus,
    /// Number of plies before the move that could not be played.
    pub(super) ply: u32,
    /// The reason in words.
    pub(super) reason: &'static str,
    /// The decoded record, or the first megabyte of a longer one.
    pub(super) text: String,
    /// Bytes of the record that are not in `text`.
    pub(super) omitted: usize,
}

/// What precedes a batch.
#[derive(Debug)]
pub(super) struct BeforeBatch {
    /// Games of the index.
    pub(super) games: u64,
    /// Records of the input.
    pub(super) records: u64,
    /// Lines of the input.
    pub(super) lines: u64,
    /// Added to offsets of the batch to get those of the input.
    pub(super) base: u64,
}

/// Returns the part of a record that is stored: at most a megabyte, not cut within a UTF-8 character.
pub(super) fn stored_prefix(record: &[u8]) -> &[u8] {
    const MAX_LEN: usize = 1 << 20;
    if record.len() <= MAX_LEN {
        return record;
    }
    let is_continuation = |&at: &usize| record[at] & 0xC0 == 0x80;
    let end = (MAX_LEN - 3..=MAX_LEN).rev().find(|at| !is_continuation(at)).unwrap_or(MAX_LEN);
    &record[..end]
}

/// A line of `rejects.jsonl`: a record that was not replayed to its end.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RejectLine<'a> {
    /// The number of the game in the index, from 1.
    game: u64,
    /// The name of the input.
    file: Cow<'a, str>,
    /// The number of the record in the input, from 1.
    record: u64,
    /// The offset of the record in the input, in bytes.
    offset: u64,
    /// The length of the record in bytes.
    length: u64,
    /// The line where replaying stopped, from 1.
    line: u64,
    /// The offset of the same place in the input, in bytes.
    at: u64,
    /// The code of the diagnostic that gives the reason.
    code: &'static str,
    /// `illegal`, `ambiguous`, `damaged` or `unsupported`.
    status: &'static str,
    /// The ply of the position in which replaying stopped.
    ply: u32,
    /// The reason.
    reason: &'static str,
    /// The record, decoded; of a record of more than a mebibyte the beginning.
    text: &'a str,
    /// The number of bytes of the record that are not in `text`; absent if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    cut: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference to the field")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl RejectedRecord {
    /// Appends the [`RejectLine`]. `before` is what precedes the batch.
    pub(super) fn write(&self, file: &Path, before: &BeforeBatch, out: &mut Vec<u8>) {
        let offset = before.base + self.offset;
        let line = RejectLine {
            game: before.games + self.record + 1,
            file: path_text(file),
            record: before.records + self.record + 1,
            offset,
            length: self.len,
            line: before.lines + self.line + 1,
            at: offset + self.at,
            code: self.code,
            status: self.status.name(),
            ply: self.ply,
            reason: self.reason,
            text: &self.text,
            cut: self.omitted,
        };
        // Writing into memory does not fail.
        let _ = serde_json::to_writer(&mut *out, &line);
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejected_record_becomes_one_line_of_json() {
        let record = RejectedRecord {
            record: 1,
            offset: 3,
            len: 30,
            line: 2,
            at: 20,
            code: "R001",
            status: GameStatus::Illegal,
            ply: 4,
            reason: "the piece cannot go there",
            text: "[Event \"Ñ \\\"\u{1}\u{7f}\"]\r\n1. 32-28\t*\n".to_owned(),
            omitted: 0,
        };
        let mut out = Vec::new();
        let before = BeforeBatch { games: 5000, records: 10, lines: 100, base: 1000 };
        record.write(Path::new("a\\b.pdn"), &before, &mut out);
        assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 1);
        let value: serde_json::Value = serde_json::from_slice(&out).expect("JSON");
        assert_eq!(value["file"], "a\\b.pdn");
        for (key, number) in [
            ("game", 5002),
            ("record", 12),
            ("offset", 1003),
            ("length", 30),
            ("line", 103),
            ("at", 1023),
            ("ply", 4),
        ] {
            assert_eq!(value[key], number, "{key}");
        }
        assert_eq!(value["text"], record.text);
        assert!(value.get("cut").is_none());
    }

    #[test]
    fn long_record_is_cut_between_characters() {
        for (text, kept_len) in
            [("ab", 1 << 20), ("é", 1 << 20), ("€", (1 << 20) - 1), ("\u{10ffff}a", (1 << 20) - 1)]
        {
            let record = text.repeat(1 << 20);
            let kept_text = &record[..stored_prefix(record.as_bytes()).len()];
            assert_eq!(kept_text.len(), kept_len, "{text}");
            assert_eq!(stored_prefix(kept_text.as_bytes()).len(), kept_len);
        }
        // Bytes that are not UTF-8 are cut at the limit.
        assert_eq!(stored_prefix(&[0x80; 2 << 20]).len(), 1 << 20);
    }
}
