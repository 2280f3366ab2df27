//! `pdn serve`: shows archives in the browser; `pdn export-site`: writes the same page with an index as files.

#[cfg(feature = "serve")]
mod site;
#[cfg(feature = "serve")]
mod start;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use pdn_app::ask::endings::EndingOptions;
use pdn_app::read::inputs::Threads;

use crate::args::help;
use crate::args::options::OptionArgs;
use crate::args::shared::{TextOptions, number};

#[cfg(feature = "serve")]
pub(crate) use site::run as export_site;
#[cfg(feature = "serve")]
pub(crate) use start::run;

pub(crate) const AFTER_HELP: &str = "\
Opens no port to the network unless --addr names one: by default only this machine reaches the page. Each index or archive is \
served under the name of its file or folder. Archives are indexed in a temporary folder first; `pdn index --positions` makes \
an index that stays, and with which the tree answers at once. An index that grows is opened again within a second. Nothing \
that a browser sends is kept, and no answer reads a file that a browser names.

With --import-addr, programs that know the token send games by PUT to http://HOST:PORT/import/lidraughts. They are confirmed \
when they are on the disk, in an archive file and in the index. The pages see them within a second.

Ctrl-C stops the server after the requests that it is answering. The page `explorer` of the guide describes the page, the \
addresses of the answers, and how to run the server behind a proxy.";

#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Folders of indexes, or archives: files and folders
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Address to listen at; port 0 chooses a free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:5270")]
    pub(crate) addr: SocketAddr,

    /// Title of the page [default: the name of the index]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// Open the page in the browser of this machine
    #[arg(long)]
    pub(crate) open: bool,

    /// Take games from other programs at this address, and store them in the first index
    #[arg(long, value_name = "HOST:PORT", requires = "import_token_file")]
    pub(crate) import_addr: Option<SocketAddr>,

    /// File with the token that a program has to send with its games: one word of at least 16 characters
    #[arg(long, value_name = "FILE", requires = "import_addr")]
    pub(crate) import_token_file: Option<PathBuf>,

    /// Archive to which imported games are appended [default: INDEX.imported.pdn in the parent folder of the index]
    #[arg(long, value_name = "FILE", requires = "import_addr")]
    pub(crate) import_archive: Option<PathBuf>,

    /// Another name of the server, such as that of a proxy; requests for other names are refused
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,

    /// Seconds that an answer may take
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = number::<u64>(1..=3600))]
    pub(crate) budget: u64,

    /// Games that are played at most for an opening tree, 0 for no limit; if more may have the position, an even share of
    /// them is counted and the answer says so
    #[arg(long, value_name = "N", default_value = "2000000", value_parser = number::<u64>(0..=u64::MAX))]
    pub(crate) tree_games: u64,

    /// Let pages of other sites read the answers
    #[arg(long)]
    pub(crate) cors: bool,

    /// Write a line of JSON for each request to standard error
    #[arg(long)]
    pub(crate) log: bool,

    #[arg(long, value_name = "FILE", help = help::NAMES)]
    pub(crate) names: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) tables: OptionArgs<EndingOptions>,

    #[arg(long, value_name = "FOLDER", help = help::ROOT)]
    pub(crate) root: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) text: OptionArgs<TextOptions<false>>,

    #[command(flatten)]
    pub(crate) threads: OptionArgs<Threads>,
}

pub(crate) const SITE_AFTER_HELP: &str = "\
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

    /// Title of the page [default: the name of the index]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// Folder of the module that answers in browsers [default: `module` or `../share/pdn/module` next to the program]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) module: Option<PathBuf>,

    #[arg(long, value_name = "FILE", help = help::NAMES)]
    pub(crate) names: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) tables: OptionArgs<EndingOptions>,
}

/// Says how to get a program with a server.
#[cfg(not(feature = "serve"))]
pub(crate) fn run(_: &ServeArgs, _: &mut crate::output::Output) -> crate::output::CommandResult {
    say_how_to_get_it()
}

/// Says how to get a program with the page of the server.
#[cfg(not(feature = "serve"))]
pub(crate) fn export_site(_: &ExportSiteArgs, _: &mut crate::output::Output) -> crate::output::CommandResult {
    say_how_to_get_it()
}

#[cfg(not(feature = "serve"))]
fn say_how_to_get_it() -> crate::output::CommandResult {
    let message = "this program was built without the server";
    let error = pdn_app::AppError::plain(pdn_app::ErrorCode::NotFound, message);
    let help = "the released programs have it, and `cargo install pdn-cli --features serve` builds one";
    Err(error.help(help).into())
}
