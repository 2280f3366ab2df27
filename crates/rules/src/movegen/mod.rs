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
//! [`Position::find`](crate::position::Position::find) finds the move between two squares,
//! [`Position::paths`](crate::position::Position::paths) the paths of a capture,
//! [`Position::end`](crate::position::Position::end) the winner, and `DrawWatch` reports draw rules.
//!
//! # Compiled for each ruleset
//!
//! The functions below are generic over `Ruleset` and compiled for every row of the rules
//! table, so that the fields are constants. Code that replays whole games implements
//! `WithRules` and calls `advance` in its loop, or `find` and
//! `State::play`:
//!
//! ```
//! use pdn_rules::board::Square;
//! use pdn_rules::movegen::{FindError, advance};
//! use pdn_rules::position::State;
//! use pdn_rules::rules::{BitsOf, Ruleset, Variant, WithRules};
//!
//! struct Replay<'a>(Variant, &'a [(u16, u16)]);
//!
//! impl WithRules for Replay<'_> {
//!     type Output = Result<usize, FindError>;
//!     fn run<R: Ruleset>(self, rules: R) -> Self::Output {
//!         let game = self.0.game();
//!         let names = self.0.names();
//!         let mut state = State::<BitsOf<R>>::start(&game.rules, game.numbering.start);
//!         for &(from, to) in self.1 {
//!             let square = |number| names.of_number(number).ok_or(FindError::Illegal);
//!             advance(rules, &mut state, square(from)?, square(to)?, 1_000_000)?;
//!         }
//!         Ok(self.1.len())
//!     }
//! }
//!
//! let international = Variant::International;
//! let replay = Replay(international, &[(32, 28), (19, 23), (28, 19), (14, 23)]);
//! assert_eq!(international.rules().with(replay), Ok(4));
//! ```
//!
//! The capture search has a budget of search nodes and returns [`CaptureLimit`] when it is exceeded. Nothing panics,
//! whatever the position.

mod side;
mod jumps;
mod capture_search;
mod capture_paths;
mod move_list;
mod generate;
mod find_error;
mod move_error;
mod search_budget;
mod fast_legality;
mod man_capture;
mod find;
mod illegal_reason;
mod perft;
#[cfg(feature = "unstable")]
#[doc(hidden)]
pub mod batch;
mod position_moves;
mod game_end;
mod draw_watch;

pub use capture_paths::CapturePath;
pub use capture_search::{CaptureLimit, DEFAULT_CAPTURE_NODES};
pub use game_end::{GameEnd, GameEndReason};
pub use move_error::MoveError;
pub use move_list::MoveList;
pub use perft::{divide, perft};

unstable! {
    use capture_paths::paths;
    use draw_watch::DrawWatch;
    use find::{advance, find, find_via};
    use find_error::FindError;
    use generate::legal_moves;
    use illegal_reason::{capture_passes, illegal_reason};
    use perft::{MoveCount, count_moves, perft_of};
    use search_budget::SearchBudget;
}
