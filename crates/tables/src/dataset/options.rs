//! Options of a training set.

use pdn::rules::Variant;
use pdn_index::internal::query::Tables;

/// The format of the files of a training set. The guide describes the bytes: `tables`.
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
    /// Records of 38 bytes after the word `JNNW` and their number.
    Jnnw,
    /// The same without results, after the word `JNNT`.
    Jnnt,
    /// A line for each position, as converters of the trainer bullet read it: FEN, score, result.
    BulletText,
    /// The `ChessBoard` of bulletformat, 32 bytes: up to 32 pieces.
    BulletChess,
    /// The `AtaxxBoard` of bulletformat, 32 bytes.
    BulletAtaxx,
}

impl DatasetFormat {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Bin => "bin",
            Self::Npy => "npy",
            Self::Jnnw => "jnnw",
            Self::Jnnt => "jnnt",
            Self::BulletText => "bullet-text",
            Self::BulletChess => "bullet-chess",
            Self::BulletAtaxx => "bullet-ataxx",
        }
    }

    /// Returns the extension of the files.
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Text | Self::BulletText => "txt",
            Self::Bin | Self::BulletChess | Self::BulletAtaxx => "bin",
            Self::Npy => "npy",
            Self::Jnnw => "jnnw",
            Self::Jnnt => "jnnt",
        }
    }

    /// Returns `true` if a record can hold the mean of several results, say that no evaluation is known, and hold what tables of endings prove.
    /// The layouts of trainers can do none of it: a result is a win, a draw or a loss, and every score a number.
    pub const fn holds_means(self) -> bool {
        matches!(self, Self::Text | Self::Bin | Self::Npy)
    }

    /// Returns `true` if positions with Black to move are always turned around.
    const fn turns(self) -> bool {
        matches!(self, Self::BulletChess | Self::BulletAtaxx)
    }

    /// Returns the greatest number of pieces of a position.
    pub(super) const fn max_pieces(self) -> u32 {
        if matches!(self, Self::BulletChess) { 32 } else { u32::MAX }
    }

    /// Returns the greatest number of squares of a board.
    const fn max_squares(self) -> u32 {
        match self {
            Self::Text | Self::Bin | Self::Npy | Self::BulletText => u128::BITS,
            Self::Jnnw | Self::Jnnt | Self::BulletChess | Self::BulletAtaxx => u64::BITS,
        }
    }

    /// Returns the greatest number of records of a file.
    pub(super) const fn max_records(self) -> u64 {
        if matches!(self, Self::Jnnw | Self::Jnnt) { u32::MAX as u64 } else { u64::MAX }
    }
}

/// What becomes of equal positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum DatasetDedup {
    /// They become one, with the mean of their results and of their evaluations.
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

/// What the positions are divided by between training and validation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
#[non_exhaustive]
pub enum DatasetSplit {
    /// Each game belongs to a part.
    #[default]
    Game,
    /// Each player belongs to a part, and a game to that of its known players. Games between the parts are left out.
    Player,
}

impl DatasetSplit {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Player => "player",
        }
    }
}

/// Options of a training set.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct DatasetOptions {
    /// The format of the files.
    pub format: DatasetFormat,
    /// The variant; `None` for that of the first game that is legal to its end and has a result. Games of other variants are left out.
    pub variant: Option<Variant>,
    /// Include positions in which the side to move has a capture.
    pub captures: bool,
    /// Leave out the positions before this number of plies.
    pub skip_plies: u32,
    /// Leave out positions with fewer pieces.
    pub min_pieces: u32,
    /// Keep at most this many positions of a game, chosen by the seed; `None` for all.
    pub max_per_game: Option<u32>,
    /// What becomes of equal positions; `None` for what suits the format, see [`dedup`](Self::dedup).
    pub dedup: Option<DatasetDedup>,
    /// Turn positions with Black to move around: the board rotated, the colours exchanged. See [`flips`](Self::flips).
    pub flip: bool,
    /// Read evaluations from the comments of the records.
    pub eval: bool,
    /// The share for training, from 0 to 1, of the games or of the players; the others are for validation.
    pub split: f64,
    /// What is divided between training and validation.
    pub split_by: DatasetSplit,
    /// The seed of all choices.
    pub seed: u64,
    /// The number of files that each part is spread over, at least 1.
    pub shards: u32,
    /// The tables of endings whose values positions get.
    #[doc(hidden)]
    pub tables: Option<Tables>,
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
            dedup: None,
            flip: false,
            eval: false,
            split: 0.98,
            split_by: DatasetSplit::Game,
            seed: 0,
            shards: 1,
            tables: None,
        }
    }
}

/// Two options that exclude each other.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DatasetConflict {
    /// The option that is wrong: `dedup`, `format` or `tables`.
    pub option: &'static str,
    /// What is wrong with it, and what to take instead.
    pub message: String,
}

impl DatasetOptions {
    /// The greatest number of files of a part.
    pub const MAX_SHARDS: u32 = 200;

    /// Creates the default options: text, quiet positions from ply 8 on, equal positions joined, 98 %
    /// of the games for training, in one file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns what becomes of equal positions: what was asked for, else their mean where the format can hold it, and all of them where it
    /// cannot.
    pub fn dedup(&self) -> DatasetDedup {
        let of_format = if self.format.holds_means() { DatasetDedup::Mean } else { DatasetDedup::None };
        self.dedup.unwrap_or(of_format)
    }

    /// Returns `true` if positions with Black to move are turned around, because it was asked for or because the format is that way.
    pub fn flips(&self) -> bool {
        self.flip || self.format.turns()
    }

    /// Returns what is wrong with the options for games of this variant; `None` for a variant that is not known yet leaves its board out.
    pub fn conflict(&self, variant: Option<Variant>) -> Option<DatasetConflict> {
        let format = self.format.name();
        if self.dedup() == DatasetDedup::Mean && !self.format.holds_means() {
            let message = format!(
                "`{format}` holds wins, draws and losses, no mean of them; take `first` or `none` for equal positions"
            );
            return Some(DatasetConflict { option: "dedup", message });
        }
        if self.tables.is_some() && !self.format.holds_means() {
            let message =
                format!("`{format}` has no place for the values of tables; take `text`, `bin` or `npy`");
            return Some(DatasetConflict { option: "tables", message });
        }
        let variant = variant?;
        let (squares, most) = (squares(variant), self.format.max_squares());
        (squares > most).then(|| {
            let message = format!(
                "`{format}` holds boards of at most {most} squares, and that of {} has {squares}; take `text`, `bin`, `npy` or `bullet-text`",
                variant.name()
            );
            DatasetConflict { option: "format", message }
        })
    }
}

/// Returns the number of squares of the board of a variant.
pub(super) fn squares(variant: Variant) -> u32 {
    variant.board().valid().count_ones()
}
