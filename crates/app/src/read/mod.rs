//! The inputs of a question: files, folders, archives, and indexes that are made or opened for it.

pub mod paths;
pub mod inputs;
pub mod plain_text;
#[cfg(feature = "index")]
pub mod indexing;
#[cfg(feature = "index")]
pub mod searched;
#[cfg(feature = "index")]
pub mod tables;
