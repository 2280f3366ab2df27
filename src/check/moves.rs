//! How moves are written against how the game type writes them: restrictions 6 and 7 of PDN 3.0.
//!
//! Told once a game, at the first move that differs; a file that writes otherwise does so throughout.

use super::Scratch;
use crate::diag::{Code, Diagnostic};
use crate::parse::WrittenMove;
use crate::value::{GameType, NotationStyle};

/// What the game type asks for, and has not been breached yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Writing {
    style: Option<NotationStyle>,
    separator: Option<u8>,
}

impl Writing {
    pub(super) fn of(game_type: Option<GameType>) -> Self {
        let style = game_type.and_then(|game_type| game_type.details()).map(|details| details.notation.style);
        let separator =
            game_type.and_then(|game_type| game_type.capture_separator()).and_then(|c| u8::try_from(c).ok());
        Self { style: style.filter(|style| *style != NotationStyle::San), separator }
    }

    pub(super) fn check(&mut self, mv: &WrittenMove<'_>, scratch: &mut Scratch) {
        if let Some(style) = self.style {
            let numeric = mv.text.first().is_some_and(u8::is_ascii_digit);
            if numeric != (style == NotationStyle::Numeric) {
                self.style = None;
                scratch.push(Diagnostic::new(Code::MoveNotation, mv.span));
            }
        }
        // What is written with a dash may be a capture or not; only the rules tell.
        if let Some(separator) = self.separator
            && let Some(written) = mv.text.iter().find(|b| matches!(b, b'x' | b'X' | b':'))
            && written.to_ascii_lowercase() != separator
        {
            self.separator = None;
            scratch.push(Diagnostic::new(Code::CaptureSeparator, mv.span));
        }
    }
}
