//! The archives that a question reads: each input is opened once, and its batches are worked on by many threads.

mod hardly_pdn;
mod part;
mod batches;

pub use batches::{BatchConsumer, BatchWork, Inputs, process, process_archive};
pub use part::{ByteRange, InputPart, PartChoice, PartNumber, Portion};
