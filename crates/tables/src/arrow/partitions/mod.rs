//! Rows divided by the values of some columns, each part in files of its own.

mod divide;
mod writer;

pub use divide::partition_columns;
pub use writer::{PartFiles, PartitionLimits, PartitionedWriter};
