//! Options of `pdn split-points`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use pdn::source::Encoding;

use super::help;
use super::shared::{FormatArgs, Mmap};
use pdn_app::numbers::parse_threads;

pub(super) const AFTER_HELP: &str = "\
Prints a line START:END for each part: the offset in bytes of its first record, and the offset after its last one. \
`pdn export --range START:END` reads one part; the parts in their order join to the whole file. Records are those that a \
reader of the whole file finds, also where comments, tags and damaged games look like several records.

A part begins where a record begins at the start of a line. There are fewer than N parts if there are fewer such places. A \
part of a zip has whole entries, and its offsets are those in the zip. A file packed by zstd is divided if it has several frames, as \
pzstd writes them; it is unpacked once, and the offsets are those of the text. Any other packed file, one in UTF-16 and a list of positions has one \
part, printed as `0:`.

Example: `pdn split-points big.pdn -n 4 | nl | xargs -P 4 -L 1 sh -c 'pdn export big.pdn --range \"$1\" -o part-\"$0\".csv'`, then \
`cat part-1.csv part-2.csv part-3.csv part-4.csv`.";

#[derive(Args, Debug)]
pub(crate) struct SplitPointsArgs {
    /// File to divide
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,

    /// Number of parts, of about equal length
    #[arg(long, short = 'n', value_name = "N", value_parser = parse_threads)]
    pub(crate) number: NonZeroUsize,

    #[command(flatten)]
    pub(crate) format: FormatArgs,

    #[arg(long, value_name = "NAME", help = help::ENCODING, help_heading = help::GENERAL)]
    pub(crate) encoding: Option<Encoding>,

    #[arg(long, value_name = "N", help = help::THREADS, value_parser = parse_threads, help_heading = help::GENERAL)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// When to map files into memory; `never` suits files that another program may change while they are read
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = help::GENERAL)]
    pub(crate) mmap: Mmap,
}
