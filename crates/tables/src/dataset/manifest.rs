//! The manifest of a training set, as JSON, and the summary of what the set consists of.

use std::fmt::Write;

use super::files::DatasetFile;
use super::options::{DatasetFormat, DatasetOptions};
use super::record::naming;
use super::select::DatasetCounts;
use pdn::rules::Variant;

/// Returns the manifest: options, what each filter left out, and the files.
pub(super) fn text(options: &DatasetOptions, summary: &DatasetSummary, record_len: usize) -> String {
    let DatasetOptions { captures, skip_plies, min_pieces, eval, split, seed, shards, .. } = options;
    let counts = &summary.counts;
    let variant = summary.variant.map_or("null".to_owned(), |variant| format!("\"{}\"", variant.name()));
    let squares = summary.variant.map_or("null".to_owned(), |variant| format!("\"{}\"", naming(variant)));
    let record = match options.format {
        DatasetFormat::Text | DatasetFormat::BulletText => "null".to_owned(),
        _ => record_len.to_string(),
    };
    let evaluations = match (eval, options.format.holds_means()) {
        (false, _) => "none",
        (true, true) => "some",
        (true, false) => "all",
    };
    let limit = options.max_per_game.map_or("null".to_owned(), |limit| limit.to_string());
    let mut files = String::new();
    for (n, file) in summary.files.iter().enumerate() {
        let comma = if n == 0 { "" } else { "," };
        // Writing into a string does not fail; names need no escapes.
        let _ = write!(
            files,
            "{comma}\n    {{\"name\": \"{}\", \"positions\": {}, \"bytes\": {}}}",
            file.name, file.positions, file.bytes
        );
    }
    format!(
        r#"{{
  "version": 1,
  "pdn": "{version}",
  "variant": {variant},
  "squares": {squares},
  "format": "{format}",
  "record_bytes": {record},
  "evaluations": "{evaluations}",
  "options": {{
    "captures": {captures},
    "skip_plies": {skip_plies},
    "min_pieces": {min_pieces},
    "max_per_game": {limit},
    "dedup": "{dedup}",
    "flip": {flip},
    "eval": {eval},
    "split": {split:?},
    "split_by": "{split_by}",
    "seed": {seed},
    "shards": {shards}
  }},
  "games": {{
    "read": {games},
    "not_legal": {not_legal},
    "without_result": {without_result},
    "other_variant": {other_variant},
    "between_parts": {between_parts},
    "used": {used}
  }},
  "positions": {{
    "of_used_games": {positions},
    "early": {early},
    "with_captures": {with_captures},
    "few_pieces": {few_pieces},
    "many_pieces": {many_pieces},
    "without_evaluation": {without_evaluation},
    "beyond_evaluation": {beyond_evaluation},
    "beyond_game_limit": {beyond},
    "repeated": {repeated},
    "train": {train},
    "valid": {valid}
  }},
  "files": [{files}
  ]
}}
"#,
        version = env!("CARGO_PKG_VERSION"),
        format = options.format.name(),
        dedup = options.dedup().name(),
        flip = options.flips(),
        split_by = options.split_by.name(),
        games = counts.games,
        not_legal = counts.games_not_legal,
        without_result = counts.games_without_result,
        other_variant = counts.games_of_other_variants,
        between_parts = counts.games_between_parts,
        used = summary.used_games(),
        positions = counts.positions,
        early = counts.positions_early,
        with_captures = counts.positions_with_captures,
        few_pieces = counts.positions_with_few_pieces,
        many_pieces = counts.positions_with_many_pieces,
        without_evaluation = counts.positions_without_evaluation,
        beyond_evaluation = counts.positions_beyond_evaluation,
        beyond = counts.positions_beyond_game_limit,
        repeated = counts.positions_repeated,
        train = summary.written[0],
        valid = summary.written[1],
    )
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
