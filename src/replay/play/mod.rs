//! Plays the tokens of a line by the rules: from written moves to legal moves.

mod context;
mod split_capture;
mod resolve;
mod cursor;
mod ambiguity;
mod player;

pub(super) use ambiguity::LookAhead;
pub(super) use context::{LineContext, Searches};
pub(super) use cursor::{LineCursor, Step};
pub(super) use player::{DiagnosticLog, LineOutcome, LinePlayer, PlayBuffers};
