//! Training sets: positions with the results of their games, for programs that learn to evaluate them.
//!
//! The positions are chosen where rows of tables are made, on many threads, if the options of the export have those of a training set;
//! [`DatasetGames`] holds them. [`DatasetWriter`] joins equal positions and writes the files. The guide describes them: `tables`.

mod options;
mod sample;
mod record;
mod select;
mod files;
mod join;
mod manifest;
mod writer;
mod reader;

pub use files::DatasetFile;
pub use manifest::{DatasetManifest, DatasetSummary};
pub use options::{DatasetConflict, DatasetDedup, DatasetFormat, DatasetOptions, DatasetSplit};
pub use reader::{DatasetBatches, DatasetReader};
pub use select::{DatasetCounts, DatasetGames};
pub(super) use select::{SampleMaker, SampledGame};
pub use writer::DatasetWriter;
