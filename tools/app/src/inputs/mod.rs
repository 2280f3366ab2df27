//! The archives that a question reads: each input is opened once, its head is read once, and its batches are worked on by many threads.

mod hardly_pdn;
mod head;
mod part;
mod batches;

pub use batches::{BatchConsumer, BatchWork, Inputs, process, process_archive};
pub use head::{BatchesWithHead, InputHead};
pub use part::{ByteRange, InputPart, PartChoice, PartNumber, Portion};
