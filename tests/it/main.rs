//! The integration tests of the library, in one crate so that they are compiled and linked once.

mod allocations;
mod common;
mod export;
mod fixtures;
mod hostile;
mod index;
mod layering;
mod movegen_agrees;
mod naive;
mod naive_referees;
mod naive_split;
mod outcomes;
mod perft;
mod play;
mod positions;
mod properties;
mod query_naive;
mod readings;
mod real_values;
mod replay_naive;
mod replay_real;
mod rulebook;
#[path = "../support/snapshot.rs"]
mod snapshot;
mod source;
mod source_encodings;
mod split_agrees;
mod text_properties;
mod tree_naive;
