//! Draughts of every variant: rules as data, positions, legal moves, and the notation of moves.
//!
//! The crate has no dependencies and does not use the standard library, only `alloc` for texts and lists of moves. It is what
//! [pdn](https://docs.rs/pdn), the reader of archives, plays with, and small enough for a bot.
//!
//! | to | use |
//! |---|---|
//! | set up a position, read and write FEN | [`position::Position`], [`Position::from_pieces`] |
//! | play a game, with draws, the outcome and moves taken back | [`game::Game`] |
//! | list legal moves, count leaves | [`Position::moves`](position::Position::moves), [`movegen`] |
//! | write an engine | [`Position::legal_moves`], [`Position::key_after`], [`board::SquareSet`] |
//! | read `32-28` and write moves | [`Position::parse_move`](position::Position::parse_move), [`notation`] |
//! | choose a variant | [`rules::Variant`] |
//! | name squares | [`board::SquareNames`] |
//! | read game types and colours | [`value`] |
//!
//! ```
//! use pdn_rules::{Position, Variant};
//!
//! let mut position = Position::start(Variant::International);
//! let mv = position.parse_move("32-28")?;
//! position.play(&mv)?;
//! assert_eq!(position.moves()?.len(), 9);
//! assert_eq!(position.fen_with_ranges(), "B:W28,31,33-50:B1-20");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | default | contents |
//! |---|---|---|
//! | `serde` | no | `Serialize` and `Deserialize` for values |
//!
//! # Invariants
//!
//! 1. Nothing panics, whatever the position, and nothing is `unsafe`.
//! 2. The capture search is bounded by a number of nodes.
//! 3. No name of a variant occurs in [`movegen`]; it reads the fields of a rules row.

#![no_std]
// Badges of features on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(any(test, feature = "steps"))]
extern crate std;

mod steps;
pub mod value;
pub mod board;
pub mod rules;
pub mod position;
pub mod movegen;
pub mod notation;
pub mod game;
#[doc(hidden)]
pub mod internal;

pub use game::Game;
pub use position::{Move, Position};
pub use rules::Variant;

/// The examples in README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
