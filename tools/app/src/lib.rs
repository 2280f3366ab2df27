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
pub mod split_points;
pub mod verify;
pub mod paths;
pub mod filter;
pub mod inputs;
pub mod outputs;
pub mod plain_text;
pub mod option_file;
pub mod name_map;
pub mod report;
pub mod counts_by_name;
pub mod totals;
pub mod check;
pub mod lengths;
pub mod stats;
pub mod indexing;
pub mod searched;
pub mod tables;
pub mod export;
pub mod dataset;
mod no_match;
mod joined;
pub mod convert;
pub mod fix;
pub mod fmt;
pub mod dedup;
pub mod names;
pub mod fields;
pub mod rows;
pub mod records;
pub mod find;
pub mod tree;
pub mod novelty;
pub mod show;
pub mod same_names;
pub mod people;
pub mod score;
pub mod caption;
pub mod solve;
pub mod sheet;
pub mod overview;
pub mod player;
pub mod event;
pub mod bench;

pub use context::{CollectedEvents, Context, Events};
pub use error::{AppError, ErrorCode, Help, Result};
pub use joined::JoinedOutput;
