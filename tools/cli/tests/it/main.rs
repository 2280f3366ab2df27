//! The command, run as people run it. Expected output stands in `tests/snapshots`; `PDN_BLESS=1` accepts what
//! is printed now.

mod bench;
mod check;
mod common;
mod corpora;
#[cfg(unix)]
mod crash;
mod find;
mod import;
mod index;
mod json;
mod other;
mod readme;
mod rules;
mod show;
mod tree;
