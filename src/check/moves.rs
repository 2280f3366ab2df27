//! Compares the notation of moves with that of the game type: restrictions 6 and 7 of PDN 3.0.
//!
//! Each deviation is reported once per record, at the first move that deviates, because a program that deviates does so in
//! all moves.

use super::scratch::Scratch;
use crate::diag::{Code, Diagnostic};
use crate::parse::WrittenMove;
use crate::value::{GameType, NotationStyle};

/// The notation that the game type requires.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RequiredNotation {
    /// The style of square names; `None` if it is not checked or a deviation has been reported.
    style: Option<NotationStyle>,
    /// The separator of captures in lower case; `None` as for `style`.
    separator: Option<u8>,
}

impl RequiredNotation {
    /// Returns the notation of `game_type`; nothing is checked without one, and the style is not checked if it is SAN.
    pub(super) fn of(game_type: Option<GameType>) -> Self {
        let style = game_type.and_then(|game_type| game_type.details()).map(|details| details.notation.style);
        let separator =
            game_type.and_then(|game_type| game_type.capture_separator()).and_then(|c| u8::try_from(c).ok());
        Self { style: style.filter(|style| *style != NotationStyle::San), separator }
    }

    /// Reports the first move that deviates from the style, and the first that deviates from the separator.
    pub(super) fn check(&mut self, mv: &WrittenMove<'_>, scratch: &mut Scratch) {
        if let Some(style) = self.style {
            let numeric = mv.text.first().is_some_and(u8::is_ascii_digit);
            if numeric != (style == NotationStyle::Numeric) {
                self.style = None;
                scratch.push(Diagnostic::new(Code::MoveNotation, mv.span));
            }
        }
        // A move written with a dash may be a capture as well; the rules decide that, not the text.
        if let Some(separator) = self.separator
            && let Some(written) = mv.text.iter().find(|b| matches!(b, b'x' | b'X' | b':'))
            && written.to_ascii_lowercase() != separator
        {
            self.separator = None;
            scratch.push(Diagnostic::new(Code::CaptureSeparator, mv.span));
        }
    }
}
