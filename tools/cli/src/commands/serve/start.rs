//! Opens the archives, listens, and says where.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use pdn_app::ask::option_file::{MAX_VALUE_BYTES, read_text};
use pdn_app::read::paths::is_index;
use pdn_app::read::searched::{SearchedIndex, index_archives};
use pdn_app::write::name_map;
use pdn_app::{AppError, ErrorCode};
use pdn_explorer::{Archives, Files, GameImport, ServedArchive, Server, ServerOptions, Token, free_name};
use pdn_index::ImportOptions;

use crate::commands::serve::ServeArgs;
use crate::output::exit::print_error;
use crate::output::{CommandResult, Exit, Output, error, interrupt, sanitize};

/// Runs `pdn serve`.
pub(crate) fn run(args: &ServeArgs, out: &mut Output) -> CommandResult {
    let token = args.import_token_file.as_deref().map(read_token).transpose()?;
    let names = args.names.as_deref().map(name_map::read).transpose()?.map(Arc::new);
    let files = Files { names, tables: args.tables.open()? };
    // The address is taken first: indexing may take minutes.
    let mut server = Server::bind(args.addr).map_err(|error| cannot_listen("addr", args.addr, &error))?;
    let mut archives = Vec::new();
    for path in &args.paths {
        let (index, has_folder) = open(path, args, out)?;
        let name = free_name(path, &archives);
        archives.push(ServedArchive::new(name, index, has_folder.then(|| path.clone()), args.root.clone()));
    }
    let threads = args.threads.number();
    let mut options = ServerOptions::default();
    options.permits = threads.get().max(2);
    options.budget = Duration::from_secs(args.budget);
    options.hosts.clone_from(&args.host);
    options.title.clone_from(&args.title);
    options.cors = args.cors;
    options.log = args.log.then_some(|line| {
        let _ = writeln!(io::stderr(), "{}", sanitize::json(line));
    });
    options.report = print_error;
    let address = format!("http://{}/", server.address());
    interrupt::install_handler();
    let archives = Arc::new(Archives { archives, threads, tree_games: args.tree_games, files });
    let mut import_address = None;
    if let (Some(addr), Some(token)) = (args.import_addr, token) {
        import_address = Some(take_imports(&mut server, &archives, addr, token, threads, args)?);
    }
    writeln!(out, "{address}")?;
    if let Some(address) = import_address {
        writeln!(out, "http://{address}/import/lidraughts")?;
    }
    out.flush()?;
    if args.open {
        open_browser(&address);
    }
    let stop = interrupt::handle();
    server.run(archives, options, move || stop.is_requested()).map_err(|error| {
        AppError::plain(ErrorCode::Internal, format!("the threads of the server cannot be started: {error}"))
    })?;
    Ok(Exit::Success)
}

/// Returns the error that an address cannot be listened at.
fn cannot_listen(field: &'static str, addr: SocketAddr, error: &io::Error) -> AppError {
    AppError::plain(ErrorCode::Unreadable, format!("cannot listen at {addr}: {error}")).in_field(field)
}

/// Opens an index, or indexes an archive in a temporary folder. Returns whether it is an index of its own.
fn open(path: &Path, args: &ServeArgs, out: &mut Output) -> pdn_app::Result<(SearchedIndex, bool)> {
    if is_index(path) {
        let mut index = SearchedIndex::open_folder(path)?;
        args.root.iter().try_for_each(|root| index.relocate(root))?;
        return Ok((index, true));
    }
    let mut import = ImportOptions::default();
    import.threads = args.threads.number();
    import.open = args.text.read.open(false);
    // The archive may change or go away while it is served.
    import.segments.embed = true;
    index_archives(&[path.to_owned()], &import, &mut out.context()).map(|index| (index, false))
}

/// Reads the token of imports. The message of an error does not contain it.
fn read_token(file: &Path) -> pdn_app::Result<Token> {
    let text = read_text(file, MAX_VALUE_BYTES);
    text.and_then(|text| {
        Token::parse(&text).map_err(|message| AppError::path(ErrorCode::Unreadable, file, message))
    })
    .map_err(|error| error.in_field("import_token_file"))
}

/// Opens the archive of imported games and listens for imports. Returns the address.
fn take_imports(
    server: &mut Server,
    archives: &Arc<Archives>,
    addr: SocketAddr,
    token: Token,
    threads: NonZeroUsize,
    args: &ServeArgs,
) -> pdn_app::Result<SocketAddr> {
    let folder = args.paths.first().filter(|path| is_index(path)).ok_or_else(|| {
        let message =
            "games are imported into the first index, and the first path is an archive; `pdn index` makes an index of it";
        AppError::plain(ErrorCode::Contradiction, message).in_field("import_addr")
    })?;
    let (archive, stop) = (args.import_archive.as_deref(), interrupt::handle());
    let import = GameImport::open(Arc::clone(archives), folder, archive, threads, &stop, error::print);
    let import = import.map_err(|error| {
        let message = format!("imports: {}", error.message);
        error.saying(message)
    })?;
    let listening = server.take_imports(addr, token, Arc::new(import));
    listening.map_err(|error| cannot_listen("import_addr", addr, &error))
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
        let message = format!("{program}: {error}");
        error::print(&AppError::plain(ErrorCode::NotFound, message).in_field("open"));
    }
}
