//! Archives of draughts games, read at memory speed.
//!
//! PDN, Portable Draughts Notation, is to draughts what PGN is to chess, written for thirty years by dozens of programs
//! that disagree. This crate reads all of it: it streams, copies nothing, explains what is wrong, and knows the
//! rules of every variant. The `pdn` command is built on it.
//!
//! # Where to start
//!
//! | you want | see |
//! |---|---|
//! | the games of a file, one after the other or on all cores | [`archive::Archive`] |
//! | the tags of a game, its moves as written | [`view::GameView`] |
//! | everything in a game, in order, without building anything | [`parse::Visitor`] |
//! | a game as a tree, printed back byte for byte | [`ast::TreeBuilder`] |
//! | records in bytes that you already have | [`split::games`], on many threads [`split::Chunks`] |
//! | what is wrong with a game | [`check`], [`diag`] |
//! | dates, results, game types, positions as text | [`value`] |
//! | positions, legal moves, perft | [`position::Position`], [`movegen`] |
//! | every position of a game, its moves proven legal | [`replay::annotate`], [`replay::Replayer`] |
//! | an archive boiled down to an index, and what it says of a game | [`index::build`], [`index::Index`] |
//! | games by players, positions, patterns, manoeuvres | [`query::Query`], [`query::Search`] |
//! | what was played in a position, and how it ended | [`query::tree`] |
//!
//! ```
//! let archive = b"[White \"Sijbrands\"]\n[Black \"Andreiko\"]\n1. 32-28 18-23 2. 33-29 23x32 2-0\n";
//! for game in pdn::split::games(archive) {
//!     let game = pdn::view::GameView::from(game);
//!     assert_eq!(game.tag("White"), Some(&b"Sijbrands"[..]));
//!     assert_eq!(game.moves().count(), 4);
//! }
//! ```
//!
//! # Features
//!
//! | feature | default | contents |
//! |---|---|---|
//! | `compression` | yes | reading `.gz`, `.zst`, `.bz2` and `.zip`; needs a C compiler for zstd |
//! | `index` | yes | the modules [`names`], [`index`] and [`query`] |
//!
//! Without features, the crate parses, checks and replays archives that are not compressed.
//!
//! # Architecture
//!
//! This page is the architecture. The modules below stand in the order of their dependencies: each uses only those
//! declared above it, and the text side never names the rules side nor the reverse. A test enforces both. What flows:
//!
//! ```text
//!  TEXT    source -> split -> lex -> parse -+-> view
//!                      |                    +-> ast
//!                      |                    +-> check
//!                      +-> pool, archive
//!  RULES   board -> rules -> position -> movegen
//!                                   |
//!  MEET     walk -> notation -> replay -> index -> query
//! ```
//!
//! # Invariants
//!
//! 1. The library does not print, exit or read the clock; it starts threads only in [`pool`]; only [`source`]
//!    reads archives, only [`index`] writes files.
//! 2. Parsing never fails: any bytes give games and diagnostics. [`Error`] means the outside world.
//! 3. Work is linear in the input and bounded by [`limits::Limits`].
//! 4. Results depend neither on the number of threads nor on the size of chunks, nor on whether the input was mapped or
//!    streamed.
//! 5. In the steady state nothing is allocated for a game.
//! 6. `unsafe` stands in a few named files, each block with its reason.
//! 7. No variant's name occurs in [`movegen`]; it reads the fields of a rules row.
//! 8. Every byte of an input belongs to exactly one game.

// -- vocabulary
pub mod span;
pub mod error;
pub mod limits;
pub mod diag;
pub mod guide;
pub mod value;
#[cfg(feature = "index")]
pub mod names;
mod simd;
#[cfg(feature = "index")]
mod storage;

// -- text side: knows no rules
pub mod source;
pub mod syntax;
pub mod split;
pub mod lex;
pub mod parse;
pub mod view;
pub mod ast;
pub mod check;
pub mod pool;
pub mod archive;

// -- rules side: knows no text
pub mod board;
pub mod rules;
pub mod position;
pub mod movegen;

// -- where they meet
pub mod notation;
pub mod replay;
#[cfg_attr(
    not(feature = "index"),
    expect(dead_code, unused_imports, reason = "scans of packed moves are used by index and query only")
)]
pub mod pack;
#[cfg(feature = "index")]
pub mod index;
#[cfg(feature = "index")]
pub mod query;

pub use error::{Error, Result};

/// The examples in README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
