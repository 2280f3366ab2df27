//! Legal moves of every variant, read from the fields of a rules row. No variant's name occurs here.
//!
//! [`Position`](crate::position::Position) has the convenient form; it selects the rules at run time:
//!
//! ```
//! use pdn_rules::position::Position;
//! use pdn_rules::rules::Variant;
//!
//! let position = Position::parse_fen(Variant::International, "W:W26,32:B12,21,23")?;
//! let moves = position.moves()?;
//! assert_eq!(moves.len(), 1, "the longest capture must be made");
//! for mv in &moves {
//!     assert_eq!(mv.captured_squares().count(), 2);
//!     assert_eq!(position.after(mv)?.end(), None);
//! }
//! assert_eq!(Position::start(Variant::International).perft(4)?, 4_265);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Position::paths`](crate::position::Position::paths) gives the paths of a capture, and
//! [`Position::end`](crate::position::Position::end) the winner. Inside, every function is generic over `rules::Ruleset` and compiled
//! for each row of the rules table, so that the fields are constants; `advance` shows how.
//!
//! The capture search has a budget of search nodes and returns [`CaptureLimit`] when it is exceeded. Nothing panics,
//! whatever the position.

mod side;
mod jumps;
mod capture_search;
pub(crate) mod capture_paths;
mod move_list;
pub(crate) mod generate;
pub(crate) mod move_error;
pub(crate) mod search_budget;
mod fast_legality;
mod short_capture;
mod man_capture;
pub(crate) mod find;
pub(crate) mod illegal_reason;
pub(crate) mod perft;
pub(crate) mod batch;
mod position_moves;
mod game_end;
pub(crate) mod draw_watch;

pub use capture_paths::CapturePath;
pub use capture_search::{CaptureLimit, DEFAULT_CAPTURE_NODES};
pub use game_end::{GameEnd, GameEndReason};
pub use move_error::MoveError;
pub use move_list::MoveList;
pub use perft::{divide, perft};

pub(crate) use draw_watch::DrawWatch;
pub(crate) use move_error::FindError;
