//! Runs the commands, one file or folder per command. The first four files are shared.

mod filter;
mod key_tables;
mod line;
mod no_match;
mod position;
mod tables;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod dataset;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod find;
pub(crate) mod fix;
pub(crate) mod help;
pub(crate) mod fmt;
pub(crate) mod index;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod moves;
pub(crate) mod names;
pub(crate) mod perft;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod tree;
pub(crate) mod verify;
