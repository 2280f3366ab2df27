//! Opens the archives, listens, and says where.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use pdn::index::{ImportOptions, SegmentOptions};
use pdn::pool;
use pdn::source::OpenOptions;
use pdn_explorer::{Server, ServerOptions, Token};

use super::answers::Archives;
use super::archive::ServedArchive;
use super::import::{GameImport, NotOpened};
use crate::args::ServeArgs;
use crate::input::searched_index::{self, SearchedIndex};
use crate::output::exit::{fail, print_error};
use crate::output::{CommandResult, Exit, Output, interrupt, sanitize};

/// Runs `pdn serve`.
pub(crate) fn run(args: &ServeArgs, out: &mut Output) -> CommandResult {
    let token = match &args.import_token_file {
        Some(file) => match read_token(file) {
            Ok(token) => Some(token),
            Err(message) => {
                print_error(&format!("--import-token-file: {}: {message}", sanitize::path(file)));
                return Ok(Exit::Failure);
            }
        },
        None => None,
    };
    // The address is taken first: indexing may take minutes.
    let mut server = match Server::bind(args.addr) {
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
    let archives = Arc::new(Archives { archives, threads, tree_games: args.tree_games });
    let mut import_address = None;
    if let (Some(addr), Some(token)) = (args.import_addr, token) {
        match take_imports(&mut server, &archives, addr, token, threads, args) {
            Ok(address) => import_address = Some(address),
            Err(message) => {
                print_error(&message);
                return Ok(Exit::Failure);
            }
        }
    }
    writeln!(out, "{address}")?;
    if let Some(address) = import_address {
        writeln!(out, "http://{address}/import/lidraughts")?;
    }
    out.flush()?;
    if args.open {
        open_browser(&address);
    }
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

/// Reads the token of imports. The message of an error does not contain it.
fn read_token(file: &Path) -> Result<Token, String> {
    let text = std::fs::read_to_string(file).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => "not a text".to_owned(),
        _ => error.to_string(),
    })?;
    Token::parse(&text)
}

/// Opens the archive of imported games and listens for imports. Returns the address, or why there are no imports.
fn take_imports(
    server: &mut Server,
    archives: &Arc<Archives>,
    addr: SocketAddr,
    token: Token,
    threads: NonZeroUsize,
    args: &ServeArgs,
) -> Result<SocketAddr, String> {
    let folder = args.paths.first().filter(|path| searched_index::is_index(path)).ok_or_else(|| {
        "--import-addr: games are imported into the first index, and the first path is an archive; `pdn index` makes an index of it"
            .to_owned()
    })?;
    let import = GameImport::open(Arc::clone(archives), folder, args.import_archive.as_deref(), threads);
    let import = import.map_err(|NotOpened(message)| format!("imports: {message}"))?;
    let listening = server.take_imports(addr, token, Arc::new(import));
    listening.map_err(|error| format!("--import-addr: cannot listen at {addr}: {error}"))
}

/// Returns the name of an archive in addresses: that of its file or folder without what follows the first dot, and with a
/// number if another has it already.
pub(super) fn free_name(path: &Path, taken: &[ServedArchive]) -> String {
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
