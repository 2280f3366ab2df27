//! Searches an index: who played, what stood on the board, what happened there.
//!
//! A [`Query`] is a boolean expression over conditions. It is true or false *at a position of a game*. A condition on the
//! game as a whole, such as its players, is the same at all its positions; a condition on the board is not. So
//! `white : wiersma and wk = 1` matches games of Wiersma in which there is a position with one white king. In
//! `pattern "w28" and pattern "b19"` both patterns must match the same position. [`Query::ever`] makes an expression
//! independent of the position: it is true everywhere in a game in which the expression is true anywhere.
//!
//! - [`Search`] runs a query. Conditions on games are answered from dictionaries and columns as sets of games
//!   without playing any. The remaining games are played from their packed moves.
//! - [`tree()`] counts the moves that were played in a position, and how those games ended.
//! - Positions are numbered as in a replay: number `n` is the position after `n` plies of the main line. A setup in the
//!   middle of a game replaces the position before it.
//!
//! The query language is documented at [`Query::parse`], and with examples in the [guide](crate::guide::search).
//!
//! Conditions on tags that an index does not store read the texts of the games that all other conditions leave.
//!
//! Not here: printing.
//!
//! ```
//! use pdn::index::{ImportOptions, Index, import};
//! use pdn::query::{Query, Search};
//!
//! let folder = tempfile::tempdir()?;
//! let archive = folder.path().join("games.pdn");
//! std::fs::write(&archive, "[White \"Ames\"]\n1. 32-28 19-23 2. 28x19 14x23 2-0\n")?;
//! let path = folder.path().join("games.idx");
//! import([&archive], &path, &ImportOptions::new())?;
//!
//! let index = Index::open(&path)?;
//! let query = Query::parse("white : ames and move takes >= 1")?;
//! let (hits, _) = Search::new(&index, &query, pdn::default_threads())?.hits(10)?;
//! assert_eq!((hits.len(), hits[0].game, hits[0].ply), (1, 0, 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod conditions;
mod language;
mod record_text;
mod playable_game;
mod earlier;
mod eval;
mod opening_names;
mod select;
mod scan;
mod novelty;
mod position;
mod unstored;
mod game_positions;
mod search;
mod nearest;
mod square_meaning;
mod row_table;
mod variant_counts;
mod no_match;
mod tree;

pub use error::QueryError;
pub use language::Query;
pub use search::{Hit, Search, SearchStats};
pub(crate) use select::{Answer, GameValues, sum_of};
pub use tree::{GameTally, OpeningTree, TreeMove, TreeOptions, tree};

unstable! {
    use conditions::{
        Area, AreaItem, Count, DateRange, FileCondition, GamePositions, MoveCondition, MoveSequence, NamedArea, NoteCondition, Pattern, PatternForm,
        PieceCountCondition, PlayedMoves, Sacrifice, SquareContents, SquareRef, SumCondition, TagCondition, Transforms,
    };
    use language::{Condition, Definitions, Field, GameCondition, RatedPlayer};
    use earlier::Novelty;
    use nearest::{NearestMatches, nearest};
    use novelty::novelties;
    use opening_names::{OpeningNames, PlayedOpening, played_opening};
    use no_match::{NearName, NearNames, NearOpenings, NoMatch, NoMatchStep, explain_no_match};
    use position::{PositionEvent, PositionTarget, candidates};
    use record_text::RecordTags;
    use row_table::{RowTable, TextOrder};
    use playable_game::PlayableGame;
    use scan::{GameScanner, scan_games};
    use search::{Plan, PlanStep};
    use select::{GameSelector, MatchBounds, round_number};
    use square_meaning::check_squares;
    use tree::TreeArrival;
    use variant_counts::{commonest_variant, variant_counts};
}

#[cfg(test)]
mod tests;
