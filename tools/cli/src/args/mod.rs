//! Options that several commands have, with their help.

pub(crate) mod help;
pub(crate) mod query_topic;
pub(crate) mod options;
pub(crate) mod shared;
pub(crate) mod filter;

use clap::ValueEnum;

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColorMode {
    Auto,
    Always,
    Never,
}

/// Returns the option of a field: `--min-rating` of `min_rating`.
pub(crate) fn spelt(field: &str) -> String {
    format!("--{}", field.replace('_', "-"))
}
