//! Options of `pdn export-site`.

use std::path::PathBuf;

use clap::Args;

use super::help;

pub(super) const AFTER_HELP: &str = "\
The folder has the page of `pdn serve`, a copy of the index, and a WebAssembly module that answers in the browser, as the \
server would. Any web server can host it, in any folder of its own; opened as a file, without a web server, the page does not \
work. Everything but checks is there. The file manifest.json lists what was written.

A browser reads only the parts of the index that a question needs, if the web server answers range requests, as most do. \
From one that does not, such as `python3 -m http.server`, it reads the whole index if that has at most 20 MB, and otherwise \
says that it cannot.

The index needs the texts of its games (`pdn index --embed`), and should have key tables (`--positions`). The module comes \
with the released programs; in the source code, `tools/explorer/module/build FOLDER` makes it.

The folder appears when it is complete. The same index gives the same bytes.";

#[derive(Args, Debug)]
pub(crate) struct ExportSiteArgs {
    #[arg(value_name = "DIR", help = help::DIR)]
    pub(crate) dir: PathBuf,

    /// Folder to write to; it must be empty or not exist
    #[arg(long, short, value_name = "FOLDER")]
    pub(crate) output: PathBuf,

    /// Folder of the module that answers in browsers [default: `module` or `../share/pdn/module` next to the program]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) module: Option<PathBuf>,

    #[arg(long, value_name = "FILE", help = help::NAMES)]
    pub(crate) names: Option<PathBuf>,
}
