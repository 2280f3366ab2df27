//! Legal moves of every variant, read off the fields of a rules row. No variant's name occurs here.
//!
//! The functions are generic over [`Ruleset`](crate::rules::Ruleset) and compiled for every row of the table, so
//! that the fields are constants; [`Position`](crate::position::Position)'s methods choose the row at run time.
//! Code that replays whole games implements [`WithRules`](crate::rules::WithRules) and calls [`advance`] in its
//! loop, or [`find`] and [`State::play`](crate::position::State::play):
//!
//! ```
//! use pdn::board::{Geometry, Square};
//! use pdn::movegen::{FindError, advance};
//! use pdn::position::State;
//! use pdn::rules::{Ruleset, Variant, WithRules};
//!
//! struct Replay<'a>(Variant, &'a [(u16, u16)]);
//!
//! impl WithRules for Replay<'_> {
//!     type Output = Result<usize, FindError>;
//!     fn run<R: Ruleset>(self, rules: R) -> Self::Output {
//!         let game = self.0.game();
//!         let names = self.0.names();
//!         let mut state = State::<<R::Geometry as Geometry>::Bits>::start(&game.rules, game.numbering.start);
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
//! The search for captures has a budget and answers [`CaptureLimit`] when it is spent. Nothing panics, whatever
//! the position.

mod side;
mod jumps;
mod capture_search;
mod capture_paths;
mod move_list;
mod generate;
mod find_error;
mod fast_legality;
mod man_capture;
mod find;
mod perft;
mod batch;
mod position_moves;
mod game_end;
mod draw_watch;

pub(crate) use batch::{BATCH_PLIES, SpeculativeBatch};
pub use capture_paths::{CapturePath, paths};
pub use capture_search::CaptureLimit;
pub use draw_watch::DrawWatch;
pub use find::{advance, find, find_via};
pub use find_error::FindError;
pub use game_end::{GameEnd, GameEndReason};
pub use generate::legal_moves;
pub use move_list::MoveList;
pub use perft::{divide, perft, perft_of};
