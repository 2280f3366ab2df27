//! The conditions of a query as plain data: what a user asks, before it is compiled for a board and a numbering.

mod quoted;
pub(in crate::query) mod date_range;
mod tag_condition;
mod file_condition;
mod move_sequence;
mod square_ref;
mod square_contents;
mod drawn_rows;
mod board_diagram;
mod pattern;
mod area;
mod sum;
mod piece_count;
mod move_condition;
mod played_moves;
mod game_positions;
mod sacrifice;

pub use area::{Area, AreaItem, NamedArea};
pub use date_range::DateRange;
pub use file_condition::FileCondition;
pub(super) use game_positions::FoundPositions;
pub use game_positions::GamePositions;
pub use move_condition::MoveCondition;
pub use move_sequence::MoveSequence;
pub use pattern::{Pattern, PatternForm};
pub use piece_count::PieceCountCondition;
pub(super) use piece_count::weights_of;
pub use played_moves::PlayedMoves;
pub(super) use played_moves::PlayedPart;
pub(super) use quoted::write_quoted;
pub use sacrifice::Sacrifice;
pub use square_contents::SquareContents;
pub use square_ref::SquareRef;
pub use sum::{Count, SumCondition};
pub(super) use sum::{GREATEST_SUM, PIECE_NAMES};
pub use tag_condition::TagCondition;
