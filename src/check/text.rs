//! Checks the bytes of a record: encoding and control characters.

use super::Scratch;
use crate::diag::{Code, Diagnostic, Severity};
use crate::source::detect_encoding;
use crate::span::Span;

/// The encoding of a record's bytes, as far as it is certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum TextKind {
    /// ASCII only.
    #[default]
    Ascii,
    /// UTF-8 with characters beyond ASCII.
    Utf8,
    /// Not valid UTF-8: an 8-bit encoding, or no text.
    Other,
}

/// A byte order mark in UTF-8. One at the start of a text marks its encoding.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Reports control characters, and with `style` bytes that are not UTF-8 and byte order marks after the start. Returns the encoding.
pub(super) fn check(game: &[u8], style: bool, scratch: &mut Scratch) -> TextKind {
    let is_control = |&b: &u8| (b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r')) || b == 0x7F;
    // A fold has no branch per byte, so the compiler vectorises it; `any` would not be.
    if game.iter().fold(false, |any, b| any | is_control(b)) {
        report_control_bytes(game, is_control, style, scratch);
    }
    if game.is_ascii() {
        return TextKind::Ascii;
    }
    match simdutf8::compat::from_utf8(game) {
        Ok(text) => {
            let c1 = text.char_indices().find(|(_, c)| is_c1(*c));
            if let Some((at, _)) = c1 {
                let len = text[at..].chars().take_while(|c| is_c1(*c)).map(char::len_utf8).sum::<usize>();
                scratch.push(Diagnostic::new(Code::UnreadableText, span(at, at + len)));
            }
            if style && let Some(at) = memchr::memmem::find(&game[1..], BOM) {
                let mut diagnostic = Diagnostic::new(Code::ControlBytes, span(at + 1, at + 1 + BOM.len()));
                diagnostic.severity = Severity::Style;
                scratch.push(diagnostic);
            }
            TextKind::Utf8
        }
        Err(error) => {
            if style {
                let at = error.valid_up_to();
                let run = game[at..].iter().take_while(|b| !b.is_ascii()).count();
                scratch.push(Diagnostic::new(Code::NotUtf8, span(at, at + run)));
            }
            let encoding = detect_encoding(game).encoding;
            let runs = game.split(u8::is_ascii).filter(|run| !run.is_empty());
            let unreadable = |run: &&[u8]| encoding.decode(run).contains(|c| c == '\u{FFFD}' || is_c1(c));
            if let Some(run) = runs.into_iter().find(unreadable) {
                let at = run.as_ptr().addr() - game.as_ptr().addr();
                scratch.push(Diagnostic::new(Code::UnreadableText, span(at, at + run.len())));
            }
            TextKind::Other
        }
    }
}

/// Reports the first run of control characters. The Ctrl-Z or the NULs with which DOS programs ended their files are of
/// severity `style`.
#[cold]
fn report_control_bytes(game: &[u8], is_control: impl Fn(&u8) -> bool, style: bool, scratch: &mut Scratch) {
    let Some(start) = game.iter().position(&is_control) else { return };
    let run = game[start..].iter().take_while(|b| is_control(b)).count();
    let mut diagnostic = Diagnostic::new(Code::ControlBytes, span(start, start + run));
    if game[start..].iter().all(|b| matches!(b, 0 | 0x1A | b' ' | b'\t' | b'\r' | b'\n')) {
        diagnostic.severity = Severity::Style;
        if !style {
            return;
        }
    }
    scratch.push(diagnostic);
}

/// Returns `true` for the control characters beyond ASCII, which text has only if it was read in the wrong encoding.
fn is_c1(c: char) -> bool {
    ('\u{80}'..='\u{9F}').contains(&c)
}

fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}
