//! Options of `pdn export-site`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::help;
use super::number::number;
use pdn_app::numbers::parse_threads;

pub(super) const AFTER_HELP: &str = "\
The folder has the page of `pdn serve` and its answers as files of JSON. Any web server can host it, in any folder of its \
own; `python3 -m http.server --directory DIR` shows it on this machine. Opened as a file, without a web server, the page \
does not work.

The site has the openings, with the positions that at least --min-games games have. They are followed from the start \
position through such positions, up to --max-ply. It also has the example games of these positions, the archive at a glance, \
and the players and events of the most games, with cross tables. Search, filters and checks need `pdn serve`. The file \
manifest.json counts what the site has and what was left out.

With --index the site has a copy of the index instead, and nothing is computed beforehand: a WebAssembly module answers in the browser, as `pdn serve` would, and reads only the parts of the index that a question needs. So search and filters work, too; only checks do not. The web server has to answer range requests, as most do; `python3 -m http.server` does not. The index needs the texts of its games (`pdn index --embed`). The module comes with the released programs, and `tools/explorer/module/build` in the source code builds it.

The folder appears when it is complete. The same index and options give the same bytes. An index with key tables \
(`pdn index --positions`) is exported much faster. The exit code is 2 if the text of a game cannot be read; the site is \
written without that game.";

#[derive(Args, Debug)]
pub(crate) struct ExportSiteArgs {
    #[arg(value_name = "DIR", help = help::DIR)]
    pub(crate) dir: PathBuf,

    /// Folder to write to; it must be empty or not exist
    #[arg(long, short, value_name = "FOLDER")]
    pub(crate) output: PathBuf,

    /// Publish the index itself, from which browsers read what they need
    #[arg(long, conflicts_with_all = ["plies", "min_games", "examples", "players", "events", "root", "threads"])]
    pub(crate) index: bool,

    /// Folder of the module that answers in browsers [default: `module` or `../share/pdn/module` next to the program]
    #[arg(long, value_name = "FOLDER", requires = "index")]
    pub(crate) module: Option<PathBuf>,

    /// Greatest number of plies from the start position
    #[arg(long = "max-ply", alias = "plies", value_name = "N", default_value = "12", value_parser = number::<u32>(0..=1000))]
    pub(crate) plies: u32,

    /// Leave out positions that fewer games have
    #[arg(long, value_name = "N", default_value = "5", value_parser = number::<u64>(1..=u64::MAX))]
    pub(crate) min_games: u64,

    /// Number of example games of each position
    #[arg(long, value_name = "N", default_value = "3", value_parser = number::<u64>(0..=30))]
    pub(crate) examples: u64,

    /// Number of players to include, those with the most games
    #[arg(long, value_name = "N", default_value = "500", value_parser = number::<usize>(0..=1_000_000))]
    pub(crate) players: usize,

    /// Number of events to include, those with the most games
    #[arg(long, value_name = "N", default_value = "200", value_parser = number::<usize>(0..=1_000_000))]
    pub(crate) events: usize,

    #[arg(long, value_name = "FILE", help = help::NAMES)]
    pub(crate) names: Option<PathBuf>,

    #[arg(long, value_name = "FOLDER", help = help::ROOT)]
    pub(crate) root: Option<PathBuf>,

    #[arg(long, value_name = "N", help = help::THREADS, value_parser = parse_threads, help_heading = help::GENERAL)]
    pub(crate) threads: Option<NonZeroUsize>,
}
