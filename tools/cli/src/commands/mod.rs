//! Runs the commands, one file or folder per command.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod dataset;
mod people;
pub(crate) mod dedup;
pub(crate) mod endgame;
pub(crate) mod event;
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
pub(crate) mod novelty;
pub(crate) mod perft;
pub(crate) mod player;
pub(crate) mod serve;
pub(crate) mod sheet;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod tree;
pub(crate) mod verify;

use pdn_app::{AppError, ErrorCode, Events, Result};

use crate::output::Output;

/// Returns the answer of `ask`, after printing what it adds to the warnings.
fn warned<T>(out: &mut Output, ask: impl FnOnce(&mut Vec<AppError>) -> Result<T>) -> Result<T> {
    let mut warnings = Vec::new();
    let answer = ask(&mut warnings);
    warnings.iter().for_each(|warning| out.problem(warning));
    answer
}

/// Returns an answer; `None`, after printing why, if no game matches.
fn found<T>(answer: Result<T>, out: &mut Output) -> Result<Option<T>> {
    match answer {
        Err(error) if error.code == ErrorCode::NoMatch => {
            out.problem(&error);
            Ok(None)
        }
        answer => answer.map(Some),
    }
}
