//! What a user can ask of archives of draughts games.
//!
//! Each question is a request with typed fields, and its answer is a struct. Front ends are adapters: the command reads options
//! into a request and prints the answer, the server reads parameters and sends it as JSON, Python takes arguments and returns objects.
//! Rules, messages and errors stand here, once for all of them.
//!
//! - A text becomes the value of a field in one place: [`filter`], [`position`], [`values`] and [`numbers`]. What is wrong with it is an
//!   [`AppError`] with field, place and help, the same for every front end.
//! - A [`Context`] carries what long work needs: a handle to stop it, and [`Events`], which learn of problems and progress.
//! - Nothing here prints, reads a command line, or knows HTTP.
//!
//! Modules use only those above them.

#[macro_use(message)]
extern crate pdn;

pub mod error;
pub mod context;
pub mod named;
pub mod numbers;
pub mod words;
pub mod safe_text;
pub mod board;
pub mod values;
pub mod position;
pub mod moves;
pub mod perft;
pub mod explain;
#[cfg(feature = "index")]
#[cfg(feature = "index")]
pub mod verify;
pub mod paths;
#[cfg(feature = "index")]
pub mod option_file;
#[cfg(feature = "index")]
pub mod filter;
pub mod inputs;
#[cfg(feature = "index")]
pub mod outputs;
pub mod plain_text;
#[cfg(feature = "index")]
pub mod name_map;
pub mod report;
pub mod counts_by_name;
pub mod totals;
pub mod check;
pub mod written_form;
#[cfg(feature = "index")]
pub mod lengths;
#[cfg(feature = "index")]
pub mod stats;
#[cfg(feature = "index")]
pub mod indexing;
#[cfg(feature = "index")]
pub mod searched;
#[cfg(feature = "index")]
pub mod tables;
#[cfg(feature = "index")]
pub mod export;
#[cfg(feature = "index")]
pub mod dataset;
#[cfg(feature = "index")]
pub mod fields;
#[cfg(feature = "index")]
pub mod rows;
#[cfg(feature = "index")]
mod no_match;
#[cfg(feature = "index")]
mod joined;
#[cfg(feature = "index")]
pub mod convert;
#[cfg(not(feature = "index"))]
pub mod without_names;
pub mod fix;
#[cfg(feature = "index")]
pub mod fmt;
#[cfg(feature = "index")]
pub mod dedup;
#[cfg(feature = "index")]
pub mod names;
#[cfg(feature = "index")]
pub mod records;
#[cfg(feature = "index")]
pub mod find;
#[cfg(feature = "index")]
pub mod tree;
#[cfg(feature = "index")]
pub mod novelty;
pub mod show;
#[cfg(feature = "index")]
pub mod same_names;
#[cfg(feature = "index")]
pub mod people;
#[cfg(feature = "index")]
pub mod score;
#[cfg(feature = "index")]
pub mod groups;
#[cfg(feature = "index")]
pub mod caption;
#[cfg(feature = "index")]
pub mod solve;
#[cfg(feature = "index")]
pub mod sheet;
#[cfg(feature = "index")]
pub mod openings;
#[cfg(feature = "index")]
pub mod overview;
#[cfg(feature = "index")]
pub mod player;
#[cfg(feature = "index")]
pub mod event;
#[cfg(feature = "index")]
pub mod bench;

#[cfg(feature = "index")]
pub mod guide;

pub use context::{CollectedEvents, Context, Events};
pub use error::{AppError, ErrorCode, Help, Result};
#[cfg(feature = "index")]
pub use joined::JoinedOutput;
