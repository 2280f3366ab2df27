//! Runs the command as users do. Expected output is in `tests/snapshots`; `PDN_BLESS=1` writes the new output.

mod bench;
mod check;
mod common;
mod corpora;
#[cfg(unix)]
mod crash;
mod dataset;
mod export;
mod find;
mod import;
mod index;
mod instruction_sets;
mod json;
mod other;
#[path = "../../../../tests/support/snapshot.rs"]
mod snapshot;
mod readme;
mod position;
mod show;
mod tree;
