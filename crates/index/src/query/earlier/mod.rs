//! Which games of an earlier date have a position.
//!
//! A game is *earlier* than another one of the same variant if every day that its date allows comes before every day that the date of
//! the other allows. So a game without a year is earlier than none, and of its own positions no number of earlier games is known; games
//! of one day or one month are not compared with each other. Positions count, not the order of moves.
//!
//! This module has the table and what is read from it. [`novelty`](super::novelty) plays the games to make it.

mod bit_tables;
mod dated_games;
mod earlier_games;

pub(super) use bit_tables::{ListedPositions, SharedPositions};
pub(super) use dated_games::DatedGames;
pub use earlier_games::Novelty;
pub(super) use earlier_games::{BUCKETS, Bucket, EarlierGames, EarlierNumbers, Visits, bucket_of};
