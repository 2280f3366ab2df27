//! What a training set consists of.

use super::files::DatasetFile;
use super::select::DatasetCounts;
use pdn::rules::Variant;

/// What a training set consists of.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DatasetSummary {
    /// The variant; `None` if no game was used and none was asked for.
    pub variant: Option<Variant>,
    /// What became of games and positions.
    pub counts: DatasetCounts,
    /// Positions for training and for validation.
    pub written: [u64; 2],
    /// The files, without the manifest.
    pub files: Vec<DatasetFile>,
}

impl DatasetSummary {
    /// Returns the number of games whose positions were used.
    pub fn used_games(&self) -> u64 {
        let DatasetCounts {
            games,
            games_not_legal,
            games_without_result,
            games_of_other_variants,
            games_between_parts,
            ..
        } = self.counts;
        games - games_not_legal - games_without_result - games_of_other_variants - games_between_parts
    }
}
