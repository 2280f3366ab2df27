//! Record batches as an Arrow file or stream.

mod dictionary;
mod writer;

pub use writer::{IpcFormat, IpcWriter};
