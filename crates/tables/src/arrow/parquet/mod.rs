//! Record batches as a Parquet file, whose columns are encoded on several threads.

mod encoders;
mod writer;

pub use writer::{ParquetOptions, ParquetWriter};
