//! Options of `pdn bench`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use pdn::default_threads;

use super::choice::choice;
use super::number::number;
use super::shared::FormatArgs;
use pdn_app::bench::{BenchRequest, INSTRUCTION_SETS, Stage};
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
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = choice::<Stage>())]
    pub(crate) stages: Vec<Stage>,

    /// Number of rounds; the median is reported
    #[arg(long, value_name = "N", default_value = "3", value_parser = number::<u32>(1..=99))]
    pub(crate) rounds: u32,

    /// Instruction set to use, to measure what other processors have; the floor always uses the best one
    /// [default: the best one of this processor]
    #[arg(long, value_name = "SET", value_parser = PossibleValuesParser::new(INSTRUCTION_SETS))]
    pub(crate) simd: Option<String>,

    /// Time limit in seconds for the rounds of one stage on one number of threads; no further round starts after it
    #[arg(long, value_name = "S", value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) seconds: Option<u64>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

impl BenchArgs {
    /// Returns the request of the options.
    pub(crate) fn read(&self) -> BenchRequest {
        BenchRequest {
            archive: self.archive.clone(),
            stages: self.stages.clone(),
            threads: self.threads.unwrap_or_else(default_threads),
            rounds: self.rounds,
            instruction_set: self.simd.clone(),
            time_limit: self.seconds.map(Duration::from_secs),
        }
    }
}
