//! Lines of `rejects.jsonl`.

use std::io::Write as _;
use std::path::Path;

use pdn::internal::source::path_text;
use pdn::replay::GameStatus;

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

impl RejectedRecord {
    /// Appends the line: a JSON object with the keys `game file record offset length line at code status ply reason
    /// text`, and `cut` if the text is incomplete. Games, records and lines count from 1, offsets and plies from 0.
    ///
    /// `before` is what precedes the batch.
    pub(super) fn write(&self, file: &Path, before: &BeforeBatch, out: &mut Vec<u8>) {
        // Writing into memory does not fail.
        let _ = write!(out, "{{\"game\":{},\"file\":", before.games + self.record + 1);
        write_json_string(&path_text(file), out);
        let (record, offset) = (before.records + self.record + 1, before.base + self.offset);
        let _ = write!(out, ",\"record\":{record},\"offset\":{offset},\"length\":{}", self.len);
        let _ = write!(out, ",\"line\":{},\"at\":{}", before.lines + self.line + 1, offset + self.at);
        out.extend(b",\"code\":");
        write_json_string(self.code, out);
        let _ = write!(out, ",\"status\":\"{}\",\"ply\":{},\"reason\":", self.status, self.ply);
        write_json_string(self.reason, out);
        out.extend(b",\"text\":");
        write_json_string(&self.text, out);
        if self.omitted > 0 {
            let _ = write!(out, ",\"cut\":{}", self.omitted);
        }
        out.extend(b"}\n");
    }
}

/// Appends a JSON string.
fn write_json_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend([b'\\', byte]),
            b'\n' => out.extend(b"\\n"),
            b'\r' => out.extend(b"\\r"),
            b'\t' => out.extend(b"\\t"),
            0..0x20 => {
                let _ = write!(out, "\\u{byte:04x}");
            }
            _ => out.push(byte),
        }
    }
    out.push(b'"');
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
