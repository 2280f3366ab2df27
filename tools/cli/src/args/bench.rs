//! Options of `pdn bench`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::number::number;
use super::shared::FormatArgs;
use pdn_app::numbers::parse_threads;

pub(super) const AFTER_HELP: &str = "\
Stages: `floor` counts line feeds with memchr; `source` opens the archive again and touches every page; `split` finds the \
records; `tags` reads the tags of every game; `walk` reads every token; `tree` builds a syntax tree of every game; `replay` \
plays every move by the rules; `write` rewrites every game in canonical form, in memory; `index` writes an index to a temporary folder, which is removed afterwards. From `tags` on, \
the time includes splitting; that of `index` also includes opening. The file is mapped into memory before the other \
stages run. Speeds are those of the whole archive in the median round, in bytes, games and legal plies of main lines. \
Games, tags, moves and plies must be equal in all stages that count them, on any number of threads; otherwise the exit \
code is 1.

The archive should be as large as memory allows, a gigabyte or more, and the machine otherwise idle.";

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// Text file, neither compressed nor UTF-16
    #[arg(value_name = "ARCHIVE")]
    pub(crate) archive: PathBuf,

    /// Largest number of threads; 1, 2, 4 and so on up to this number are measured [default: number of processors]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Stages to measure, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_enum, value_delimiter = ',')]
    pub(crate) stages: Vec<Stage>,

    /// Number of rounds; the median is reported
    #[arg(long, value_name = "N", default_value = "3", value_parser = number::<u32>(1..=99))]
    pub(crate) rounds: u32,

    /// Time limit in seconds for the rounds of one stage on one number of threads; no further round starts after it
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) seconds: Option<u64>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// A measured stage. The time of every stage that visits games includes splitting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Stage {
    /// Line feeds counted with `memchr`: the lower bound for reading the bytes once.
    Floor,
    /// The archive opened again and every page touched; the other stages except `index` use an existing mapping.
    Source,
    /// Bytes to records.
    Split,
    /// All tags of all games.
    Tags,
    /// Every token of every game.
    Walk,
    /// A syntax tree of every game.
    Tree,
    /// Every move played by the rules.
    Replay,
    /// Every game rewritten in canonical form, in memory; games that cannot be rewritten are counted too.
    Write,
    /// An index written to disk from a path; the time includes opening and mapping.
    Index,
}

impl Stage {
    /// Returns the name used in options and output.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Source => "source",
            Self::Split => "split",
            Self::Tags => "tags",
            Self::Walk => "walk",
            Self::Tree => "tree",
            Self::Replay => "replay",
            Self::Write => "write",
            Self::Index => "index",
        }
    }
}
