//! Replays whole games: resolves the written moves of a record to legal moves.
//!
//! [`Replayer`] is meant for archives. It collects a record as a [`parse::Visitor`](crate::parse::Visitor) at ten bytes
//! per move, decides which variant is played, and plays the main line. Every legal move goes to a [`PositionSink`]. Its
//! memory is reused, so replaying a million games allocates no more than the longest of them needs.
//! [`annotate`] is meant for display. It returns positions, texts, comments, clocks and variations as a tree.
//! [`play_text`] plays moves that a user typed.
//!
//! ```
//! use pdn::replay::{ReplayOptions, Replayer, GameStatus};
//!
//! let mut replayer = Replayer::new(&ReplayOptions::default());
//! let mut moves = Vec::new();
//! let summary = replayer.replay(b"1. 32-28 19-23 2. 28x19 14x23 3. 37-32 *", &mut moves);
//! assert_eq!((summary.status, summary.plies, moves.len()), (GameStatus::Legal, 5, 5));
//! assert_eq!(summary.variant.name(), "international");
//! assert!(summary.basis.is_inferred());
//! ```
//!
//! # How written moves are resolved
//! - Separators prove nothing: `10x14` may be a quiet move and `32-23` a capture.
//! - A text with several readings (`718`, `ab4`) or several captures means the legal one. If several are legal, it
//!   means the one that keeps the rest of the game legal. If that does not decide, two squares mean the single jump
//!   between them; otherwise the game is [ambiguous](GameStatus::Ambiguous) from there on. The look-ahead has a budget
//!   for the whole game.
//! - One capture written as several texts (`11x18 18x25`, PDN 1.0) is joined.
//! - A mark for a missing move is skipped if the next move is legal without it (`1. ... 18-23`). Otherwise the
//!   position after it is unknown, and the replay stops unless a setup follows.
//! - The variant comes from the GameType or Variant tag, else from the caller, else it is [inferred](VariantBasis).
//!
//! The legal part of a game is always kept: a game with an illegal move has the plies before it and a [`ReplayStop`].
//!
//! This module does not print, and no input makes it panic. Time is linear in the length of the record, and the search
//! for captures has a budget.

pub(crate) mod file_prior;
pub(crate) mod options;
pub(crate) mod speculation;
pub(crate) mod sink;
mod status;
mod stop;
pub(crate) mod written_result;
mod summary;
mod suggest;
pub(crate) mod line;
mod play;
mod variant;
mod reading;
pub(crate) mod memory;
mod prior_poll;
pub(crate) mod score_poll;
pub(crate) mod prior_cache;
mod replayer;
pub(crate) mod archive_head;
mod annotated;
pub(crate) mod note;
mod play_text;
#[cfg(test)]
mod tests;

pub use annotated::{AnnotatedGame, AnnotatedLine, AnnotatedPly, annotate};
pub(crate) use annotated::{PlayedToken, TokenEffect};
pub use options::ReplayOptions;
pub use play_text::{PlayTextError, play_text};
use prior_poll::FilePriorPoll;
pub use replayer::Replayer;
pub use sink::PositionSink;
pub use status::GameStatus;
pub use stop::{ReplayStop, StopReason};
pub use suggest::suggest;
pub use summary::{ReplaySummary, VariantBasis};

pub(crate) use file_prior::FilePrior;
pub(crate) use options::CandidateGame;
pub(crate) use sink::{PlyBatch, PlySink};
pub(crate) use written_result::WrittenResult;
