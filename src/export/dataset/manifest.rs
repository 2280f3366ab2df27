//! The manifest of a training set, as JSON.

use std::fmt::Write;

use super::options::{DatasetFormat, DatasetOptions};
use super::record::naming;
use super::summary::DatasetSummary;

/// Returns the manifest: options, what each filter left out, and the files.
pub(super) fn text(options: &DatasetOptions, summary: &DatasetSummary, record_len: usize) -> String {
    let DatasetOptions { captures, skip_plies, min_pieces, flip, eval, split, seed, shards, .. } = options;
    let counts = &summary.counts;
    let variant = summary.variant.map_or("null".to_owned(), |variant| format!("\"{}\"", variant.name()));
    let squares = summary.variant.map_or("null".to_owned(), |variant| format!("\"{}\"", naming(variant)));
    let record = match options.format {
        DatasetFormat::Text => "null".to_owned(),
        _ => record_len.to_string(),
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
  "options": {{
    "captures": {captures},
    "skip_plies": {skip_plies},
    "min_pieces": {min_pieces},
    "max_per_game": {limit},
    "dedup": "{dedup}",
    "flip": {flip},
    "eval": {eval},
    "split": {split:?},
    "seed": {seed},
    "shards": {shards}
  }},
  "games": {{
    "read": {games},
    "not_legal": {not_legal},
    "without_result": {without_result},
    "other_variant": {other_variant},
    "used": {used}
  }},
  "positions": {{
    "of_used_games": {positions},
    "early": {early},
    "with_captures": {with_captures},
    "few_pieces": {few_pieces},
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
        dedup = options.dedup.name(),
        games = counts.games,
        not_legal = counts.games_not_legal,
        without_result = counts.games_without_result,
        other_variant = counts.games_of_other_variants,
        used = summary.used_games(),
        positions = counts.positions,
        early = counts.positions_early,
        with_captures = counts.positions_with_captures,
        few_pieces = counts.positions_with_few_pieces,
        beyond = counts.positions_beyond_game_limit,
        repeated = counts.positions_repeated,
        train = summary.written[0],
        valid = summary.written[1],
    )
}
