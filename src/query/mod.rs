//! Questions to an index: who played, what stood on the board, what happened there.
//!
//! A [`Query`] is a boolean expression over conditions. It is true or false *at a position of a game*: conditions on
//! the game as a whole, such as its players, are the same at all its positions, conditions on the board are not. So
//! `white : wiersma and wk = 1` means games of Wiersma in which there is a position with one white king, and
//! `w28 and b19` in one pattern or in two are the same position. [`Query::ever`] takes an expression out of its
//! position: it is true everywhere in a game that has it anywhere.
//!
//! - Conditions on games are answered from dictionaries and columns, as sets of games ([`GameSelector`]); no game is
//!   played. What is left is played from the packed moves, see [`scan_games`].
//! - Positions are counted as in a replay: number `n` is the position after `n` plies of the main line. Where another
//!   position was set up in the course of the game, that one takes the place of the one before.
//!
//! Not here: printing, and anything that needs the text of a game.

mod course;
mod dates;
mod drawn;
mod error;
mod expression;
mod finder;
mod games;
mod line;
mod manoeuvre;
mod mask;
mod material;
mod needs;
mod opening;
mod parse;
mod pattern;
mod program;
mod record;
mod search;
mod sets;
mod spot;
mod table;
mod text;
mod tree;
mod visit;
mod words;

pub use dates::DateRange;
pub use error::QueryError;
pub use expression::{Condition, Field, GameCondition, Query, RatedPlayer};
pub use games::GameSelector;
pub use line::MoveSequence;
pub use manoeuvre::{MoveCondition, Sacrifice};
pub use material::PieceCountCondition;
pub use pattern::{Pattern, PatternForm, SquareContents};
pub use search::{Hit, Plan, PlanStep, Search, SearchStats};
pub use sets::MatchBounds;
pub use spot::SquareRef;
pub use table::RowTable;
pub use tree::{GameTally, OpeningTree, TreeArrival, TreeMove, TreeOptions, commonest_variant, tree};
pub use visit::{GameScanner, PlayableGame, scan_games};

#[cfg(test)]
mod tests;
