//! What can be said of a game's bytes before their meaning.

use super::Scratch;
use crate::diag::{Code, Diagnostic, Severity};
use crate::span::Span;

/// How the bytes of a game are encoded, as far as that is certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub enum TextKind {
    /// ASCII only.
    #[default]
    Ascii,
    /// UTF-8 with characters beyond ASCII.
    Utf8,
    /// Neither: one of the older encodings, or no text.
    Other,
}

/// Looks for control characters, and for what is not UTF-8.
pub(super) fn check(game: &[u8], style: bool, scratch: &mut Scratch) -> TextKind {
    let odd = |&b: &u8| (b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r')) || b == 0x7F;
    // Without a branch a byte, so that the compiler makes it wide.
    if game.iter().fold(false, |any, b| any | odd(b)) {
        control_bytes(game, odd, style, scratch);
    }
    if game.is_ascii() {
        return TextKind::Ascii;
    }
    match simdutf8::compat::from_utf8(game) {
        Ok(_) => TextKind::Utf8,
        Err(error) => {
            if style {
                let at = error.valid_up_to();
                let run = game[at..].iter().take_while(|b| !b.is_ascii()).count();
                scratch.push(Diagnostic::new(Code::NotUtf8, span(at, at + run)));
            }
            TextKind::Other
        }
    }
}

/// One finding for the first run. The Ctrl-Z or the NULs with which DOS programs ended their files are a
/// matter of style.
#[cold]
fn control_bytes(game: &[u8], odd: impl Fn(&u8) -> bool, style: bool, scratch: &mut Scratch) {
    let Some(start) = game.iter().position(&odd) else { return };
    let run = game[start..].iter().take_while(|b| odd(b)).count();
    let mut finding = Diagnostic::new(Code::ControlBytes, span(start, start + run));
    if game[start..].iter().all(|b| matches!(b, 0 | 0x1A | b' ' | b'\t' | b'\r' | b'\n')) {
        finding.severity = Severity::Style;
        if !style {
            return;
        }
    }
    scratch.push(finding);
}

fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}
