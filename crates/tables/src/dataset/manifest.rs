//! The manifest of a training set, as JSON, and the summary of what the set consists of.

use serde::Serialize;

use super::files::DatasetFile;
use super::options::{DatasetFormat, DatasetOptions};
use super::record::naming;
use super::select::DatasetCounts;
use pdn::rules::Variant;

/// The file `manifest.json`: options, what each filter left out, and the files.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DatasetManifest<'a> {
    /// The version of the layout of a training set: 2 if positions have what tables of endings prove, else 1.
    version: u32,
    /// The version of the program.
    pdn: &'static str,
    /// The variant of all positions; null if no game was used.
    variant: Option<&'static str>,
    /// The names of squares in FENs: `numeric` or `algebraic`.
    squares: Option<&'static str>,
    /// The format of the files, as `--format` names it.
    format: &'static str,
    /// The length of a record in bytes; null for lines of text.
    record_bytes: Option<usize>,
    /// Which positions have an evaluation: `none` (a record without a place for this has 0), `some`, or `all`.
    evaluations: &'static str,
    /// The options.
    options: ManifestOptions,
    /// What became of the games.
    games: ManifestGames,
    /// What became of the positions, by the first reason that applies.
    positions: ManifestPositions,
    /// The files.
    files: &'a [DatasetFile],
}

/// The options of a training set.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ManifestOptions {
    /// Positions with captures are included.
    captures: bool,
    /// Plies before the first position.
    skip_plies: u32,
    /// The least number of pieces.
    min_pieces: u32,
    /// The greatest number of positions of a game.
    max_per_game: Option<u32>,
    /// What became of equal positions: `mean`, `first` or `none`.
    dedup: &'static str,
    /// Positions with Black to move are turned around, as asked for or by the format.
    flip: bool,
    /// Evaluations are read.
    eval: bool,
    /// The share of the games or players for training.
    split: f64,
    /// What was divided: `game` or `player`.
    split_by: &'static str,
    /// The seed of all random choices.
    seed: u64,
    /// The number of files for each of training and validation.
    shards: u32,
    /// Positions have what tables of endings prove.
    tables: bool,
}

/// Numbers of games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ManifestGames {
    /// Games that the filters chose.
    read: u64,
    /// Left out because they are not legal to their end.
    not_legal: u64,
    /// Left out because they have no result, or both sides lost.
    without_result: u64,
    /// Left out because of another variant.
    other_variant: u64,
    /// Left out because their players belong to different parts.
    between_parts: u64,
    /// The others.
    used: u64,
}

/// Numbers of positions.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ManifestPositions {
    /// Positions of the games used.
    of_used_games: u64,
    /// Left out because they come before `skip_plies`.
    early: u64,
    /// Left out because the side to move has a capture.
    with_captures: u64,
    /// Left out because of too few pieces.
    few_pieces: u64,
    /// Left out because a record holds fewer pieces.
    many_pieces: u64,
    /// Left out because they have no evaluation and a record cannot say so.
    without_evaluation: u64,
    /// Left out because a record cannot hold their evaluation.
    beyond_evaluation: u64,
    /// Left out because their game has enough others.
    beyond_game_limit: u64,
    /// Joined with an equal position, or left out because of it.
    repeated: u64,
    /// Positions for training.
    train: u64,
    /// Positions for validation.
    valid: u64,
    /// Those for training or validation that tables of endings prove.
    proven: u64,
}

impl<'a> DatasetManifest<'a> {
    /// Returns the manifest of a training set whose records have a length of `record_len` bytes.
    pub(super) fn of(options: &DatasetOptions, summary: &'a DatasetSummary, record_len: usize) -> Self {
        let counts = &summary.counts;
        let is_text = matches!(options.format, DatasetFormat::Text | DatasetFormat::BulletText);
        Self {
            version: 1 + u32::from(options.tables.is_some()),
            pdn: env!("CARGO_PKG_VERSION"),
            variant: summary.variant.map(Variant::name),
            squares: summary.variant.map(naming),
            format: options.format.name(),
            record_bytes: (!is_text).then_some(record_len),
            evaluations: match (options.eval, options.format.holds_means()) {
                (false, _) => "none",
                (true, true) => "some",
                (true, false) => "all",
            },
            options: ManifestOptions {
                captures: options.captures,
                skip_plies: options.skip_plies,
                min_pieces: options.min_pieces,
                max_per_game: options.max_per_game,
                dedup: options.dedup().name(),
                flip: options.flips(),
                eval: options.eval,
                split: options.split,
                split_by: options.split_by.name(),
                seed: options.seed,
                shards: options.shards,
                tables: options.tables.is_some(),
            },
            games: ManifestGames {
                read: counts.games,
                not_legal: counts.games_not_legal,
                without_result: counts.games_without_result,
                other_variant: counts.games_of_other_variants,
                between_parts: counts.games_between_parts,
                used: summary.used_games(),
            },
            positions: ManifestPositions {
                of_used_games: counts.positions,
                early: counts.positions_early,
                with_captures: counts.positions_with_captures,
                few_pieces: counts.positions_with_few_pieces,
                many_pieces: counts.positions_with_many_pieces,
                without_evaluation: counts.positions_without_evaluation,
                beyond_evaluation: counts.positions_beyond_evaluation,
                beyond_game_limit: counts.positions_beyond_game_limit,
                repeated: counts.positions_repeated,
                train: summary.written[0],
                valid: summary.written[1],
                proven: counts.positions_proven,
            },
            files: &summary.files,
        }
    }
}

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
