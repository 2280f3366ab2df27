//! A line of `rejects.jsonl`.

use std::io::Write as _;
use std::path::Path;

use crate::replay::Status;

/// A record that could not be replayed to its end. Numbers are those of its batch.
#[derive(Debug)]
pub(super) struct Reject {
    /// Number of the game, from 0.
    pub(super) game: u64,
    /// Lines before the place where it stops.
    pub(super) line: u64,
    /// Offset of that place in the text.
    pub(super) offset: u64,
    pub(super) code: &'static str,
    pub(super) status: Status,
    /// Number of the ply that could not be played, from 1.
    pub(super) ply: u32,
    pub(super) reason: &'static str,
    /// The record, decoded.
    pub(super) text: String,
}

impl Reject {
    /// Appends the line: a JSON object with `file game line offset code status ply reason text`. Games, lines
    /// and plies count from 1, offsets from 0.
    pub(super) fn write(&self, file: &Path, games: u64, lines: u64, base: u64, out: &mut Vec<u8>) {
        out.extend(b"{\"file\":");
        string(&file.to_string_lossy(), out);
        let (game, line) = (games + self.game + 1, lines + self.line + 1);
        // Writing into memory does not fail.
        let _ = write!(out, ",\"game\":{game},\"line\":{line},\"offset\":{},\"code\":", base + self.offset);
        string(self.code, out);
        let _ = write!(out, ",\"status\":\"{}\",\"ply\":{},\"reason\":", self.status, self.ply);
        string(self.reason, out);
        out.extend(b",\"text\":");
        string(&self.text, out);
        out.extend(b"}\n");
    }
}

/// A JSON string.
fn string(text: &str, out: &mut Vec<u8>) {
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
    fn any_text_is_a_line_of_json() {
        let reject = Reject {
            game: 1,
            line: 2,
            offset: 3,
            code: "R001",
            status: Status::Illegal,
            ply: 4,
            reason: "the piece cannot go there",
            text: "[Event \"Ñ \\\"\u{1}\u{7f}\"]\r\n1. 32-28\t*\n".to_owned(),
        };
        let mut out = Vec::new();
        reject.write(Path::new("a\\b.pdn"), 10, 100, 1000, &mut out);
        assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 1);
        let value: serde_json::Value = serde_json::from_slice(&out).expect("JSON");
        assert_eq!(value["file"], "a\\b.pdn");
        assert_eq!((value["game"].as_u64(), value["line"].as_u64()), (Some(12), Some(103)));
        assert_eq!(value["offset"], 1003);
        assert_eq!(value["text"], reject.text);
    }
}
