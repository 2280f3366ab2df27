//! Reads archives of draughts games at memory speed.
//!
//! PDN, Portable Draughts Notation, is to draughts what PGN is to chess. For thirty years dozens of programs have
//! written it in dialects that disagree. This crate reads all of them: it streams, copies no text, explains what is
//! wrong, and plays by the rules of every variant. The `pdn` command is built on it.
//!
//! # Where to start
//!
//! | to read or find | use |
//! |---|---|
//! | the games of a file, one by one or on all cores | [`archive::Archive`] |
//! | the tags of a game and its written moves | [`view::RecordView`] |
//! | every part of a game in text order, without allocation | [`parse::Visitor`] |
//! | a game as a tree that prints back byte for byte | [`ast::TreeBuilder`] |
//! | records in a buffer | [`split::records`] |
//! | the diagnostics of a game | [`check`] for its text, [`report`] with its moves, [`diag`] |
//! | edits of a record, with every other byte copied | [`edit::RecordEditor`] |
//! | games written in canonical PDN, or for a program | [`write::RecordWriter`], [`write::GameWriter`] |
//! | repairs of damaged records, each with its proof | [`fix::Fixer`] |
//! | records of many archives as one clean archive | [`convert::Converter`] |
//! | dates, results, game types, positions as text | [`value`] |
//! | positions, legal moves, perft | [`position::Position`], [`movegen`] |
//! | every position of a game, with its moves proved legal | [`replay::annotate`], [`replay::Replayer`] |
//! | work stopped by another thread | [`stop::Stop`] |
//!
//! ```
//! let archive = b"[White \"Sijbrands\"]\n[Black \"Andreiko\"]\n1. 32-28 18-23 2. 33-29 23x32 2-0\n";
//! for game in pdn::split::records(archive) {
//!     let game = pdn::view::RecordView::from(game);
//!     assert_eq!(game.tag("White"), Some(&b"Sijbrands"[..]));
//!     assert_eq!(game.moves().count(), 4);
//! }
//! ```
//!
//! More is in other crates: `pdn-index` makes and searches indexes, `pdn-dedup` finds copies of games, `pdn-tables` writes games as rows,
//! `pdn-names` knows which spellings are one person, `pdn-solve` solves problems, `pdn-endgame` all
//! endings of a few pieces. The guide is the module `guide` of `pdn-app`.
//!
//! # Features
//!
//! | feature | default | contents |
//! |---|---|---|
//! | `compression` | yes | reading `.gz`, `.zst`, `.bz2` and `.zip`; needs a C compiler for zstd |
//! | `all-encodings` | yes | reading Chinese, Japanese and Korean encodings, and all names of HTML entities: their tables are large |
//! | `all-rows` | yes | code of its own for every variant; without it, most are played by slower and much smaller code |
//! | `serde` | no | `Serialize` and `Deserialize` for values, spans, diagnostics and limits |
//!
//! Without features, the crate parses, checks and replays archives that are not compressed.
//!
//! # Architecture
//!
//! The modules below are listed in the order of their dependencies: each uses only modules declared above it. The
//! text side never names the rules side, and the rules are a crate of their own, `pdn-rules`, whose modules are re-exported
//! here. A test enforces the order. Data flows as follows:
//!
//! ```text
//!  RULES   board -> rules -> position -> movegen -> notation           the crate `pdn-rules`
//!  TEXT    source -> split -> lex -> parse -+-> view
//!                      |                    +-> ast -> edit
//!                      |                    +-> check
//!                      +-> pool, archive
//!  BOTH     parse, notation -> replay -+-> report, write, fix -> convert
//!                                      +-> pack -> index -> query -> dedup, export
//! ```
//!
//! # Invariants
//!
//! 1. The library does not print, exit or read the clock. Only `pool` starts threads, and only `storage` writes the contents
//!    of files. Archives are opened by [`source`]; `index` and [`edit`] read records and files again by themselves.
//! 2. Parsing never fails: any bytes yield records and diagnostics. An [`Error`] concerns files, streams and indexes.
//! 3. Work is linear in the input and bounded by [`limits::Limits`].
//! 4. Results depend neither on the number of threads nor on the size of chunks, nor on whether the input is mapped or
//!    streamed.
//! 5. In the steady state nothing is allocated per game.
//! 6. Only a few listed files contain `unsafe`, and each block gives its reason.
//! 7. No name of a variant occurs in [`movegen`]; it reads the fields of a rules row.
//! 8. Every byte of an input belongs to exactly one record.

// Badges of features on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

// -- rules side: a crate of its own, which knows no text
/// Boards, squares and their names.
///
/// ```
/// use pdn::board::Board;
/// use pdn::rules::Variant;
///
/// // A square has one place on the board, and in each variant a name.
/// let square = Variant::English.names().of_number(1).unwrap();
/// assert_eq!(Board::Eight.cell(square), Some((0, 1)));
/// assert_eq!(Variant::English.names().name(square).to_string(), "1");
/// assert_eq!(Variant::Russian.names().name(square).to_string(), "b8");
/// ```
pub mod board {
    #[doc(inline)]
    pub use pdn_rules::board::{Board, Square, SquareName, SquareNames, SquareNaming, SquareSet};
    pub(crate) use pdn_rules::internal::board::{Geometry, Numbering};
}
/// The variants and their rules.
///
/// ```
/// use pdn::Position;
/// use pdn::board::Board;
/// use pdn::rules::Variant;
/// use pdn::value::Colour;
///
/// let variant: Variant = "russian".parse()?;
/// assert_eq!((variant.name(), variant.number()), ("russian", 25));
/// assert_eq!((variant.board(), Position::start(variant).turn()), (Board::Eight, Colour::White));
/// # Ok::<(), pdn::rules::ParseVariantError>(())
/// ```
pub mod rules {
    pub(crate) use pdn_rules::internal::rules::{BitsOf, LookupError, Ruleset, WithRules};
    #[doc(inline)]
    pub use pdn_rules::rules::{DrawReason, GameRules, ParseVariantError, Variant};
}
/// Positions: pieces, the side to move, FEN, play, keys.
///
/// ```
/// use pdn::{Position, Variant};
///
/// let position = Position::start(Variant::Frisian);
/// let mv = position.parse_move("31-27")?;
/// let next = position.after(&mv)?;
/// assert_eq!(next.fen_with_ranges(), "B:W27,32-50:B1-20");
/// assert_eq!((next.counts().men, next.counts().kings), ([20, 20], [0, 0]));
/// # Ok::<(), pdn::movegen::MoveError>(())
/// ```
pub mod position {
    pub(crate) use pdn_rules::internal::position::State;
    #[doc(inline)]
    pub use pdn_rules::position::{
        Move, ParseFenError, Piece, PieceCounts, Position, PositionError, StableKey,
    };
}
/// Legal moves of every variant, perft, and the end of a game by its rules.
///
/// ```
/// use pdn::{Position, Variant};
///
/// // The man on 28 can capture one man or two; it must capture two.
/// let position = Position::parse_fen(Variant::International, "W:W28:B22,23,14")?;
/// let moves = position.moves()?;
/// let texts: Vec<_> = moves.iter().map(|mv| position.move_text(mv, Default::default())).collect();
/// assert_eq!(texts, ["28x10"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod movegen {
    pub(crate) use pdn_rules::internal::movegen::{
        FindError, SearchBudget, advance, capture_passes, find, find_captured, find_via, illegal_reason,
        legal_moves_shared, paths,
    };
    #[doc(inline)]
    pub use pdn_rules::movegen::{
        CaptureLimit, CapturePath, DEFAULT_CAPTURE_NODES, GameEnd, GameEndReason, MoveError, MoveList,
        divide, perft,
    };
    pub(crate) mod batch {
        pub(crate) use pdn_rules::internal::movegen::{BATCH_PLIES, PLIES_PER_SIDE, SpeculativeBatch};
    }
}
/// Moves as text.
///
/// ```
/// use pdn::notation::MoveStyle;
/// use pdn::{Position, Variant};
///
/// let position = Position::parse_fen(Variant::Russian, "W:Wa1:Bb2,d4")?;
/// let mv = position.parse_move("a1xe5")?;
/// assert_eq!(position.move_text(&mv, MoveStyle::Shortest), "a1:e5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod notation {
    pub(crate) use pdn_rules::internal::notation::{
        MoveForm, MoveText, SquareCode, SquareCodes, pair, short_pair, write_move,
    };
    #[doc(inline)]
    pub use pdn_rules::notation::{MoveStyle, move_text};
}
/// A game being played: its positions, its moves, and its end by the rules.
///
/// ```
/// use pdn::{Game, Variant};
///
/// let mut game = Game::new(Variant::International);
/// for text in ["32-28", "19-23", "28x19"] {
///     game.play(text)?;
/// }
/// assert_eq!(game.moves().len(), 3);
/// // Black has to capture.
/// assert!(game.play("17-22").is_err());
/// # Ok::<(), pdn::movegen::MoveError>(())
/// ```
pub mod game {
    #[doc(inline)]
    pub use pdn_rules::game::{Game, GameOutcome};
}

// -- vocabulary
pub(crate) use pdn_rules::internal::steps;
mod sort;
mod message;
pub mod span;
pub mod error;
pub mod stop;
pub mod limits;
pub mod diag;
pub mod value;
mod simd;
mod storage;

// -- text side: knows no rules
pub mod source;
mod syntax;
pub mod split;
mod lex;
pub mod parse;
pub mod view;
pub mod ast;
pub mod edit;
mod pool;
pub mod archive;
pub mod check;

// -- where they meet
pub mod replay;
pub mod report;
pub mod write;
pub mod fix;
pub mod convert;
#[doc(hidden)]
pub mod internal;

pub use archive::Archive;
pub use error::{Error, Result};
pub use game::Game;
pub use pool::default_threads;
pub use position::{Move, Position};
pub use replay::Replayer;
pub use rules::Variant;

/// The examples in README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
