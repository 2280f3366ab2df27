//! Finds records of the same game: copies, truncated copies, and copies with a mistake in the moves; and problems with one position.
//!
//! [`find_duplicates`] compares all games of an index, or those of an archive with those of an index that has been there before. Games are
//! compared by what was played, as the index has it: the spelling of moves, comments and variations make no difference. The
//! [`DuplicateClass`] says how alike two records are. In each group one game, the keeper, stays; [`KeepRule`] says which.
//! Nothing is removed here: [`Duplicates::is_other`] returns `true` for the games that a writer leaves out.
//!
//! The guide defines the classes and shows the command.
//!
//! ```
//! use pdn_dedup::{DedupOptions, DuplicateClass, find_duplicates};
//! use pdn_index::{ImportOptions, Index, import};
//!
//! let folder = tempfile::tempdir()?;
//! let archive = folder.path().join("games.pdn");
//! let game = "[White \"Ames\"]\n[Black \"Bell\"]\n1. 32-28 19-23 2. 28x19 14x23 *\n\n";
//! std::fs::write(&archive, game.repeat(2))?;
//! let path = folder.path().join("games.idx");
//! import([&archive], &path, &ImportOptions::new())?;
//!
//! let index = Index::open(&path)?;
//! let duplicates = find_duplicates(&index, None, &DedupOptions::new())?;
//! assert!(duplicates.is_other(DuplicateClass::Exact, 1), "the first game stays");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! Games that have their first 20 plies in common are a *unit*; games of different units are not compared by their moves. A first pass over the
//! packed moves finds by hashes which games have their unit for themselves, and leaves them out. With an index that has been
//! there before, only its games in units of new games remain. The tags and texts of the others are read in the order of the archive, and
//! all that is compared is sorted, so that games with equal moves are neighbours, and those that continue a game follow it. Games with equal
//! moves and tags are compared once, for all of them. The units are compared on several threads, in three steps: equal moves, moves
//! that begin others, and other moves by the same players within two days. In each step the games are taken in the order in which they would be kept. A game
//! that is a duplicate of a keeper joins the first such keeper; every other game becomes a keeper itself. So two
//! games that contradict each other are never united by a third.
//!
//! Problems are sorted by their start positions in the same passes, each in the least of the forms that count as equal. Those that belong to
//! no keeper yet and have one position follow each other then, the one that stays first. Those whose positions are one, moved over the
//! board, are found in the same way by the shapes of their positions.
//!
//! Within a large unit, a keeper is found by the words of the players' names, and a game is compared with 64 keepers at
//! most, so the work is linear in the number of games. A unit of very many different games is compared in parts, and copies beyond
//! a limit are sorted separately until the keeper of the game that they copy is known, so that memory is bounded.

mod games;
mod keeper;
mod facts;
mod agreement;
mod positions;
mod shifted;
mod classes;
mod words;
mod candidates;
mod game_record;
mod unit_sort;
mod many_copies;
mod units;
mod groups;
mod found;
mod find;

pub use classes::{DuplicateClass, MIN_COMMON_PLIES};
pub use find::{DedupOptions, find_duplicates};
pub use found::{Duplicate, DuplicateGroup, Duplicates};
pub use games::DedupGame;
pub use keeper::KeepRule;

pub use agreement::{TagAgreement, compare_rounds};
pub use classes::{DuplicateEvidence, Forerunner};
pub use found::{ClassCounts, DuplicateMember, DuplicateMembers};
pub use keeper::{KeeperReason, is_known_value};
pub use positions::PositionForm;
pub use shifted::PositionShift;

/// The examples in README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
