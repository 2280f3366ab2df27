//! Options of `pdn serve`.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use pdn::source::Encoding;

use super::help;
use super::number::number;
use pdn_app::numbers::parse_threads;

pub(super) const AFTER_HELP: &str = "\
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

    #[arg(long, value_name = "FOLDER", help = help::ROOT)]
    pub(crate) root: Option<PathBuf>,

    #[arg(long, value_name = "NAME", help = help::ENCODING, help_heading = help::GENERAL)]
    pub(crate) encoding: Option<Encoding>,

    #[arg(long, value_name = "N", help = help::THREADS, value_parser = parse_threads, help_heading = help::GENERAL)]
    pub(crate) threads: Option<NonZeroUsize>,
}
