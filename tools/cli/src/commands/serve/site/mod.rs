//! `pdn export-site`: writes the page with its answers as files, for a web server that only hosts files.

mod shards;
mod positions;
mod pages;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pdn::pool;
use pdn::rules::Variant;
use pdn_explorer::{Params, Problem, Question, page_files};
use serde_json::{Map, Value, json};

use self::pages::PagesSummary;
use self::positions::Reader;
use self::shards::{Store, WrittenFiles, hash, write_answers, write_file};
use super::answers::Archives;
use super::archive::{OpenArchive, ServedArchive};
use super::start::free_name;
use crate::args::ExportSiteArgs;
use crate::input::searched_index::{self, SearchedIndex};
use crate::output::exit::{fail, print_error};
use crate::output::{CommandResult, Exit, Output, interrupt, sanitize};
use pdn_app::numbers::{count, size};
use pdn_app::outputs::{NewFolder, empty_target};

/// Number of games from which on the command says that key tables are missing.
const MANY_GAMES: u64 = 10_000;
/// Number of unreadable games that the manifest names.
const MAX_NAMED_GAMES: usize = 100;

/// Why there is no site.
enum Failure {
    /// Ctrl-C was pressed.
    Stopped,
    /// A message for people.
    Message(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Message(format!("cannot write the site: {error}"))
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Message(problem.detail)
    }
}

impl From<pdn::Error> for Failure {
    fn from(error: pdn::Error) -> Self {
        Self::Message(sanitize::text(&error.to_string()).into_owned())
    }
}

/// What all parts of the export use.
struct Exporter<'a> {
    args: &'a ExportSiteArgs,
    archives: Archives,
    archive: Arc<OpenArchive>,
    /// Name of the index on the page.
    name: String,
    threads: NonZeroUsize,
    stop: AtomicBool,
    out: &'a Output,
}

impl Exporter<'_> {
    fn reader(&self) -> Reader<'_> {
        Reader {
            archive: &self.archive,
            stop: &self.stop,
            examples: self.args.examples,
            min_games: self.args.min_games,
        }
    }

    /// Shows how far the work is.
    fn show(&self, message: &str) {
        self.out.progress(0, message);
    }
}

/// What was written.
struct SiteSummary {
    positions: usize,
    games: usize,
    unreadable: usize,
    pages: PagesSummary,
    files: WrittenFiles,
}

/// Runs `pdn export-site`.
pub(crate) fn run(args: &ExportSiteArgs, out: &mut Output) -> CommandResult {
    let target = match target(&args.output) {
        Ok(target) => target,
        Err(message) => {
            print_error(&message);
            return Ok(Exit::Failure);
        }
    };
    let mut index = match searched_index::open_folder(&args.dir) {
        Ok(index) => index,
        Err(exit) => return Ok(exit),
    };
    if let Some(root) = &args.root
        && let Err(error) = index.relocate(root)
    {
        return Ok(fail(&error));
    }
    let folder = match NewFolder::create_all(&target) {
        Ok(folder) => folder,
        Err(error) => {
            print_error(&format!("{}: {error}", sanitize::path(&args.output)));
            return Ok(Exit::Failure);
        }
    };
    interrupt::install_handler_for(folder.path());
    out.begin(None);
    let exported = export(args, index, folder.path(), out).and_then(|summary| {
        folder.finish()?;
        Ok(summary)
    });
    out.end_progress();
    interrupt::end_at_once();
    match exported {
        Ok(summary) => {
            if summary.unreadable > 0 {
                print_error(&format!(
                    "{} left out: the text cannot be read, because the archive is gone or has changed; `--root` names its \
                     folder if it was moved",
                    count(summary.unreadable as u64, "game")
                ));
            }
            if !args.quiet {
                report(args, &summary, out);
            }
            Ok(if summary.unreadable > 0 { Exit::Failure } else { Exit::Success })
        }
        Err(Failure::Stopped) => {
            print_error("stopped; nothing was written");
            Ok(Exit::Interrupted)
        }
        Err(Failure::Message(message)) => {
            print_error(&message);
            Ok(Exit::Failure)
        }
    }
}

/// Returns the absolute path of the folder to write, which is empty or does not exist.
fn target(output: &Path) -> Result<PathBuf, String> {
    if output == Path::new("-") {
        return Err("`--output` takes a folder; a site cannot go to standard output".to_owned());
    }
    empty_target(output).map_err(|error| error.to_string())
}

/// Writes the site to a folder.
fn export(
    args: &ExportSiteArgs,
    index: SearchedIndex,
    folder: &Path,
    out: &Output,
) -> Result<SiteSummary, Failure> {
    let name = free_name(&args.dir, &[]);
    let served = ServedArchive::new(name.clone(), index, None, None);
    let archive = served.open();
    let archives = Archives { archives: vec![served], threads: NonZeroUsize::MIN, tree_games: 0 };
    let threads = args.threads.unwrap_or_else(pool::default_threads);
    let exporter = Exporter { args, archives, archive, name, threads, stop: AtomicBool::new(false), out };
    let index = exporter.archive.json(&exporter.name)?;
    if index["positions"] == false && exporter.archive.index.game_count() >= MANY_GAMES {
        out.print_error(
            "the index has no key tables, so that all games are played for each position; `pdn index --positions` makes them",
        );
    }

    let mut stores = Vec::new();
    let mut variants = Map::new();
    let mut lists = Vec::new();
    let mut examples = std::collections::BTreeSet::new();
    let (mut positions, mut rare, mut beyond, mut clashes) = (0, 0, 0, 0);
    for variant in index["variants"].as_array().into_iter().flatten() {
        let Some(variant) = variant["variant"].as_str() else { continue };
        let Ok(rules) = variant.parse::<Variant>() else { continue };
        let mut params = Params::default();
        params.push("variant", variant);
        let answer = exporter.answer(&Question::Position, &params)?;
        let start: Value = serde_json::from_str(&answer).unwrap_or_default();
        let fen = start["fen"].as_str().unwrap_or_default();
        let mut store = Store::create(folder, &format!("tree/{variant}"))?;
        let mut found = positions::Positions::find(&exporter, rules, fen, &mut store)?;
        lists.push((variant.to_owned(), found.move_list(fen)));
        variants.insert(variant.to_owned(), json!({ "start": fen, "board": start["board"] }));
        examples.append(&mut found.examples);
        positions += found.len();
        rare += found.rare;
        beyond += found.moves_beyond;
        clashes += found.clashes;
        stores.push(store);
    }
    let mut store = Store::create(folder, "games")?;
    let unreadable = pages::games(&exporter, examples, &mut store)?;
    let games = store.len();
    stores.push(store);
    let mut store = Store::create(folder, "pages")?;
    let pages = pages::overview(&exporter, &mut store)?;
    stores.push(store);

    exporter.show("files");
    let options = json!({
        "plies": args.plies, "min_games": args.min_games, "examples": args.examples,
        "players": args.players, "events": args.events,
    });
    // Changes whenever any answer does, so that files of two exports are never mixed.
    let sums =
        stores.iter().fold(hash(&format!("{index}{options}{}", env!("CARGO_PKG_VERSION"))), |sum, store| {
            sum.rotate_left(7) ^ store.checksum()
        });
    let id = format!("{sums:016x}");
    let mut files = WrittenFiles::default();
    let data = folder.join("data");
    let mut starts = Map::new();
    for store in stores {
        let name = store.name.clone();
        let (first, written) = store.finish(&data, &id, threads)?;
        starts.insert(name, first.into());
        files.join(&written);
    }
    let moves = data.join("moves");
    std::fs::create_dir_all(&moves)?;
    for (variant, list) in lists {
        let text = json!({ "site": id, "answers": list }).to_string() + "\n";
        files.add(write_answers(&moves, &variant, &text)?);
    }
    for (path, bytes) in page_files() {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        files.add(write_file(&path, &bytes)?);
    }
    let site = json!({
        "id": id,
        "index": index,
        "variants": variants,
        "files": starts,
        "plies": args.plies,
        "min_games": args.min_games,
        "players": pages.players[1],
    });
    let config = format!(
        "// What this site has; read by api.js in place of asking a server.\nexport default {site};\n"
    );
    files.add(write_file(&folder.join("site.js"), config.as_bytes())?);
    let all_games = exporter.archive.index.game_count();
    let manifest = json!({
        "generator": concat!("pdn ", env!("CARGO_PKG_VERSION")),
        "site": id,
        "index": exporter.name,
        "options": options,
        "exported": {
            "positions": positions, "games": games, "players": pages.players[1], "events": pages.events[1],
        },
        "left_out": {
            "positions_of_fewer_games": rare,
            "moves_after_the_last_ply": beyond,
            "positions_of_equal_keys": clashes,
            "games": all_games.saturating_sub(games as u64),
            "unreadable_games": unreadable.len(),
            "unreadable": unreadable.iter().take(MAX_NAMED_GAMES).collect::<Vec<_>>(),
            "players": pages.players[0] - pages.players[1],
            "events": pages.events[0] - pages.events[1],
            "cross_tables_of_large_events": pages.large_events,
            "views": ["search", "check"],
        },
        "files": { "number": files.files, "bytes": files.bytes, "longest": files.largest },
    });
    write_file(&folder.join("manifest.json"), (format!("{manifest:#}") + "\n").as_bytes())?;
    Ok(SiteSummary { positions, games, unreadable: unreadable.len(), pages, files })
}

/// Reports what was written.
fn report(args: &ExportSiteArgs, summary: &SiteSummary, out: &Output) {
    let SiteSummary { positions, games, pages, files, .. } = summary;
    out.print_error(&format!(
        "{}: {}, {}, {}, {}; {}, {} in all, the longest {}",
        sanitize::path(&args.output),
        count(*positions as u64, "position"),
        count(*games as u64, "game"),
        count(pages.players[1] as u64, "player"),
        count(pages.events[1] as u64, "event"),
        count(files.files, "file"),
        size(files.bytes),
        size(files.largest),
    ));
}
