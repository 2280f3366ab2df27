//! Options of a training set.

use crate::export::schema::{ColumnSelection, Table};
use crate::rules::Variant;

/// The format of the files of a training set. The guide describes the bytes: [`tables`](crate::guide::tables).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[non_exhaustive]
pub enum DatasetFormat {
    /// A line for each position: FEN, result, evaluation, count, ply.
    #[default]
    Text,
    /// Records of a fixed size.
    Bin,
    /// The same records as an array of NumPy.
    Npy,
}

impl DatasetFormat {
    /// Returns the name, which is the extension of the files too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Bin => "bin",
            Self::Npy => "npy",
        }
    }

    /// Returns the extension of the files.
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Bin => "bin",
            Self::Npy => "npy",
        }
    }
}

/// What becomes of equal positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[non_exhaustive]
pub enum DatasetDedup {
    /// They become one, with the mean of their results and of their evaluations.
    #[default]
    Mean,
    /// The first one is kept.
    First,
    /// All are kept.
    None,
}

impl DatasetDedup {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::First => "first",
            Self::None => "none",
        }
    }
}

/// Options of a training set.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct DatasetOptions {
    /// The format of the files.
    pub format: DatasetFormat,
    /// The variant; `None` for that of the first game that is used. Games of other variants are left out.
    pub variant: Option<Variant>,
    /// Include positions in which the side to move has a capture.
    pub captures: bool,
    /// Leave out the positions before this number of plies.
    pub skip_plies: u32,
    /// Leave out positions with fewer pieces.
    pub min_pieces: u32,
    /// Keep at most this many positions of a game, chosen by the seed; `None` for all.
    pub max_per_game: Option<u32>,
    /// What becomes of equal positions.
    pub dedup: DatasetDedup,
    /// Turn positions with Black to move around: the board rotated, the colours exchanged.
    pub flip: bool,
    /// Read evaluations from the comments of the records.
    pub eval: bool,
    /// The share of the games for training, from 0 to 1; the others are for validation.
    pub split: f64,
    /// The seed of all choices.
    pub seed: u64,
    /// The number of files that each part is spread over, at least 1.
    pub shards: u32,
}

impl Default for DatasetOptions {
    fn default() -> Self {
        Self {
            format: DatasetFormat::Text,
            variant: None,
            captures: false,
            skip_plies: 8,
            min_pieces: 0,
            max_per_game: None,
            dedup: DatasetDedup::Mean,
            flip: false,
            eval: false,
            split: 0.98,
            seed: 0,
            shards: 1,
        }
    }
}

impl DatasetOptions {
    /// The greatest number of files of a part.
    pub const MAX_SHARDS: u32 = 200;

    /// Creates the default options: text, quiet positions from ply 8 on, equal positions joined, 98 %
    /// of the games for training, in one file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the columns of the table of positions that a training set is made from.
    pub fn columns(&self) -> ColumnSelection {
        let names = COLUMNS.iter().chain(self.eval.then_some(&"eval_cp")).copied();
        ColumnSelection::named(Table::Positions, names)
            .unwrap_or_else(|_| ColumnSelection::of(Table::Positions))
    }
}

/// The columns that every training set takes, in the order in which [`select`](super::select) reads them.
const COLUMNS: [&str; 10] = [
    "ply",
    "variant",
    "white_to_move",
    "white_men",
    "white_kings",
    "black_men",
    "black_kings",
    "quiet",
    "winner",
    "status",
];
