//! Repairs of characters: HTML entities, texts that were read in another encoding, byte order marks inside of a text.

use super::repair::{Applicability, Candidate, Proof, Repair, RepairKind, safe};
use crate::diag::Code;
use crate::edit::TextEdit;
use crate::parse::{Comment, TagPair, escape, unescape};
use crate::source::misread_text;
use crate::value::{decode_entities, has_entities};

/// A byte order mark in UTF-8.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Proposes to remove byte order marks. One at the start of a file marks its encoding, and stays. Others were left
/// there when files were joined; the character has no width and no meaning.
pub(super) fn propose_marks(record: &[u8], repairs: &mut Vec<Repair>) {
    let inside = memchr::memmem::find_iter(record, BOM).filter(|&at| at > 0);
    let edits: Vec<TextEdit> = inside.map(|at| TextEdit::new(at..at + BOM.len(), "")).collect();
    if !edits.is_empty() {
        repairs.push(Repair {
            edits,
            ..safe(Code::ControlBytes, RepairKind::Character, TextEdit::new(0..0, ""))
        });
    }
}

/// Returns the text of a tag value with its entities decoded; `None` if it has none, or if a decoded character has no
/// place in a tag. The text must be UTF-8: elsewhere the characters may have no code.
pub(super) fn decoded_value(record: &[u8], tag: &TagPair<'_>) -> Option<String> {
    let decoded = decoded(record, &unescape(tag.value))?;
    String::from_utf8(escape(decoded.as_bytes()).into_owned()).ok()
}

/// Proposes the characters for the entities of a comment.
pub(super) fn propose_comment(record: &[u8], comment: &Comment<'_>, repairs: &mut Vec<Repair>) {
    let Some(decoded) = decoded(record, comment.text) else { return };
    // The comment would end elsewhere, or contain another one.
    if decoded.contains(['{', '}']) || decoded.matches("[%").count() != count(comment.text, b"[%") {
        return;
    }
    let start = comment.span.start as usize + 1;
    let edit = TextEdit::new(start..start + comment.text.len(), decoded);
    repairs.push(safe(Code::HtmlEntity, RepairKind::Character, edit));
}

/// Proposes the text before it was read in another encoding, for the text that starts at this offset. The repair is unsafe,
/// and only shown if a part of the text is sound or the repaired text mixes scripts.
pub(super) fn propose_misread(text: &[u8], at: usize, repairs: &mut Vec<Repair>) {
    let Some(misread) = std::str::from_utf8(text).ok().and_then(misread_text) else { return };
    let edit = TextEdit::new(at..at + text.len(), misread.text);
    let proof = Proof::SameBytes { encoding: misread.encoding };
    let repair = Repair { proof, ..safe(Code::MisreadText, RepairKind::Character, edit) };
    repairs.push(if misread.is_certain {
        Repair { applicability: Applicability::Unsafe, ..repair }
    } else {
        let candidate = Candidate { kind: repair.kind, edits: repair.edits.clone(), proof };
        Repair { applicability: Applicability::Display, candidates: vec![candidate], ..repair }
    });
}

fn count(text: &[u8], part: &[u8]) -> usize {
    memchr::memmem::find_iter(text, part).count()
}

fn decoded(record: &[u8], text: &[u8]) -> Option<String> {
    if memchr::memchr(b'&', text).is_none() || std::str::from_utf8(record).is_err() {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    if !has_entities(text) {
        return None;
    }
    let decoded = decode_entities(text).into_owned();
    // `&amp;eacute;` may mean the entity or the character.
    let is_certain =
        !has_entities(&decoded) && !decoded.contains(|c: char| c.is_control() && !text.contains(c));
    is_certain.then_some(decoded)
}
