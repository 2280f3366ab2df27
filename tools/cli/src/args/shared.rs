//! Groups of options that several commands share.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use pdn::replay::CandidateGame;
use pdn::rules::Variant;
use pdn::source::{Encoding, MapMode};

use super::help;
use super::variant::{NamedRules, parse_game, rules_parser};

/// Which archives are read, and how.
#[derive(Args, Debug)]
pub(crate) struct InputArgs {
    /// Files, folders (searched for PDN files) or `-` for standard input; .gz, .zst, .bz2 and .zip are decompressed
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[arg(long, value_name = "NAME", help = help::ENCODING)]
    pub(crate) encoding: Option<Encoding>,

    /// When to map files into memory; use `never` for files that another program may truncate while they are read
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) mmap: Mmap,

    #[arg(long, value_name = "N", help = help::THREADS)]
    pub(crate) threads: Option<NonZeroUsize>,
}

/// When files are mapped into memory.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mmap {
    Auto,
    Never,
}

impl From<Mmap> for MapMode {
    fn from(mmap: Mmap) -> Self {
        match mmap {
            Mmap::Auto => Self::Auto,
            Mmap::Never => Self::Never,
        }
    }
}

/// Whether moves are replayed, and by which rules.
#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    #[arg(long, short = 'V', value_name = "VARIANT", value_parser = parse_game, help = help::UNTAGGED_VARIANT)]
    pub(crate) variant: Option<CandidateGame>,

    /// Check the text only and do not replay moves; faster
    #[arg(long, conflicts_with = "variant")]
    pub(crate) no_replay: bool,
}

/// A position and the rules that apply to it.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// Variant: a name, a GameType number or a GameType value such as 23,W,8,8,A0,0 [default: international]
    #[arg(long, short = 'V', value_name = "VARIANT", value_parser = rules_parser())]
    pub(crate) variant: Option<NamedRules>,

    #[arg(long, value_name = "FEN", help = help::FEN)]
    pub(crate) fen: Option<String>,
}

impl PositionArgs {
    /// Returns the rules given by `--variant`, those of international draughts by default.
    pub(crate) fn rules(&self) -> NamedRules {
        self.variant.clone().unwrap_or_else(|| Variant::International.into())
    }
}
