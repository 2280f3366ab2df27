//! Training sets: positions with the results of their games, for programs that learn to evaluate them.
//!
//! [`DatasetGames::select`] chooses positions from batches of the table of positions, on many threads. [`DatasetWriter`]
//! joins equal positions and writes the files. The guide describes them: [`tables`](crate::guide::tables).

mod options;
mod sample;
mod select;
mod record;
mod files;
mod join;
mod summary;
mod manifest;
mod writer;

pub use files::DatasetFile;
pub use options::{DatasetDedup, DatasetFormat, DatasetOptions};
pub use select::{DatasetCounts, DatasetGames};
pub use summary::DatasetSummary;
pub use writer::DatasetWriter;
