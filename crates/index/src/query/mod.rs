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
//! The query language is documented at [`Query::parse`], and with examples in the guide.
//!
//! Conditions on tags that an index does not store read the texts of the games that all other conditions leave.
//!
//! Not here: printing.
//!
//! ```
//! use pdn_index::{ImportOptions, Index, import};
//! use pdn_index::query::{Query, Search};
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
pub(crate) mod conditions;
pub(crate) mod language;
pub(crate) mod record_text;
mod eval;
pub(crate) mod opening_names;
pub(crate) mod select;
pub(crate) mod scan;
pub(crate) mod novelty;
pub(crate) mod position;
mod prepare;
pub(crate) mod search;
pub(crate) mod nearest;
pub(crate) mod square_meaning;
pub(crate) mod row_table;
pub(crate) mod no_match;
pub(crate) mod tree;

pub use error::QueryError;
pub use language::Query;
pub use search::{Hit, Search, SearchStats};
pub use tree::{GameTally, OpeningTree, TreeMove, TreeOptions, tree};

#[cfg(test)]
mod tests;
