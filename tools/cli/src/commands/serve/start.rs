//! Opens the archives, listens, and says where.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use pdn::index::{ImportOptions, SegmentOptions};
use pdn::pool;
use pdn::source::OpenOptions;
use pdn_explorer::{Server, ServerOptions};

use super::answers::Archives;
use super::archive::ServedArchive;
use crate::args::ServeArgs;
use crate::input::searched_index::{self, SearchedIndex};
use crate::output::exit::{fail, print_error};
use crate::output::{Exit, Output, interrupt, sanitize};

/// Runs `pdn serve`.
pub(crate) fn run(args: &ServeArgs, out: &mut Output) -> io::Result<Exit> {
    // The address is taken first: indexing may take minutes.
    let server = match Server::bind(args.addr) {
        Ok(server) => server,
        Err(error) => {
            print_error(&format!("--addr: cannot listen at {}: {error}", args.addr));
            return Ok(Exit::Failure);
        }
    };
    let mut archives = Vec::new();
    for path in &args.paths {
        match open(path, args, out) {
            Ok((index, folder)) => {
                let name = free_name(path, &archives);
                archives.push(ServedArchive::new(
                    name,
                    index,
                    folder.then(|| path.clone()),
                    args.root.clone(),
                ));
            }
            Err(exit) => return Ok(exit),
        }
    }
    let threads = args.threads.unwrap_or_else(pool::default_threads);
    let mut options = ServerOptions::default();
    options.permits = threads.get().max(2);
    options.budget = Duration::from_secs(args.budget);
    options.hosts.clone_from(&args.host);
    options.cors = args.cors;
    options.log = args.log.then_some(|line| {
        let _ = writeln!(io::stderr(), "{}", sanitize::json(line));
    });
    let address = format!("http://{}/", server.address());
    interrupt::install_handler();
    writeln!(out, "{address}")?;
    out.flush()?;
    if args.open {
        open_browser(&address);
    }
    let archives = Arc::new(Archives { archives, threads, tree_games: args.tree_games });
    server.run(archives, options, interrupt::is_requested)?;
    Ok(Exit::Success)
}

/// Opens an index, or indexes an archive in a temporary folder. Returns whether it is an index of its own.
fn open(path: &Path, args: &ServeArgs, out: &mut Output) -> Result<(SearchedIndex, bool), Exit> {
    if searched_index::is_index(path) {
        let mut index = searched_index::open_folder(path)?;
        if let Some(root) = &args.root {
            index.relocate(root).map_err(|error| fail(&error))?;
        }
        return Ok((index, true));
    }
    let mut import = ImportOptions::default();
    import.threads = args.threads.unwrap_or_else(pool::default_threads);
    import.open = OpenOptions::new().encoding(args.encoding);
    // The archive may change or go away while it is served.
    import.segments = SegmentOptions::default().embed(true);
    searched_index::index_archives(&[path.to_owned()], &import, out).map(|index| (index, false))
}

/// Returns the name of an archive in addresses: that of its file or folder without what follows the first dot, and with a
/// number if another has it already.
fn free_name(path: &Path, taken: &[ServedArchive]) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let stem = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = stem.split('.').find(|part| !part.is_empty()).unwrap_or("games");
    let plain: String = stem.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect();
    let is_free = |name: &String| taken.iter().all(|other| other.name != *name) && name != "check";
    let numbered = (2..).map(|number| format!("{plain}-{number}"));
    std::iter::once(plain.clone()).chain(numbered).find(is_free).unwrap_or(plain)
}

/// Opens an address in the browser of this machine, or says that this failed.
fn open_browser(address: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let started = Command::new(program)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        print_error(&format!("--open: {program}: {error}"));
    }
}
