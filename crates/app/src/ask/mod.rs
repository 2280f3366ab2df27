//! What questions are made of: fields and the texts that become their values, filters and rows, errors, and the context of long work.

pub mod error;
pub mod context;
pub mod named;
pub mod numbers;
pub mod values;
pub mod options;
pub mod position;
#[cfg(feature = "index")]
pub mod option_file;
#[cfg(feature = "index")]
pub mod sort;
#[cfg(feature = "index")]
pub mod endings;
#[cfg(feature = "index")]
pub mod filter;
#[cfg(feature = "index")]
pub mod fields;
#[cfg(feature = "index")]
pub mod rows;
