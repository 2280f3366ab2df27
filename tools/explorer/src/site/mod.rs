//! Writes the page with its answers as files, for a web server that only hosts files.

mod shards;
mod positions;
mod pages;
mod with_index;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pdn::rules::Variant;
use pdn::stop::Stop;
use pdn_app::moves::DrawnPosition;
use pdn_app::position::PlaceRequest;
use pdn_app::searched::SearchedIndex;
use pdn_app::{AppError, Context, ErrorCode, Events, Result};
use pdn_names::NameMap;
use serde_json::{Map, json};

use self::positions::Reader;
pub use self::shards::WrittenFiles;
use self::shards::{Store, hash, write_answers, write_file};
pub use self::with_index::{IndexSiteSummary, MODULE_FILES, export_index_site};
use crate::archives::Archives;
use crate::page::page_files;
use crate::problem::Problem;
use crate::served_archive::{IndexAnswer, OpenArchive, ServedArchive};

/// Number of games from which on a note says that key tables are missing.
const MANY_GAMES: u64 = 10_000;
/// Number of unreadable games that the manifest names.
const MAX_NAMED_GAMES: usize = 100;

/// What a site has.
#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// The number of plies of the opening tree.
    pub plies: u32,
    /// The least number of games of a position.
    pub min_games: u64,
    /// The number of example games of a position.
    pub examples: u64,
    /// The greatest number of players with a page.
    pub players: usize,
    /// The greatest number of events with a page.
    pub events: usize,
    /// The names that spellings of players and events become.
    pub names: Option<Arc<NameMap>>,
    /// The number of threads.
    pub threads: NonZeroUsize,
}

/// What all parts of the export use.
struct Exporter<'a> {
    options: &'a SiteOptions,
    archives: Archives,
    archive: Arc<OpenArchive>,
    /// Name of the index on the page.
    name: String,
    stop: Stop,
}

impl Exporter<'_> {
    fn reader(&self) -> Reader<'_> {
        Reader {
            archive: &self.archive,
            stop: &self.stop,
            examples: self.options.examples,
            min_games: self.options.min_games,
        }
    }
}

/// Returns the error that a file of the site cannot be written.
fn unwritable(error: &io::Error) -> AppError {
    AppError::plain(ErrorCode::Unwritable, format!("cannot write the site: {error}"))
}

/// Writes a file of the page to a folder, and returns its length.
fn write_below(folder: &Path, path: &str, bytes: &[u8]) -> io::Result<u64> {
    let path = folder.join(path);
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    write_file(&path, bytes)
}

/// Writes what the page has to know of its site, and returns the length of the file.
fn write_config(folder: &Path, site: &serde_json::Value) -> io::Result<u64> {
    let config = format!(
        "// What this site has; read by api.js in place of asking a server.\nexport default {site};\n"
    );
    write_file(&folder.join("site.js"), config.as_bytes())
}

/// Returns the error that there is no answer for the site.
fn unanswered(problem: Problem) -> AppError {
    AppError::plain(problem.code.unwrap_or(ErrorCode::Internal), problem.detail)
}

/// What was written.
#[derive(Clone, Debug)]
pub struct SiteSummary {
    /// The number of positions.
    pub positions: usize,
    /// The number of games.
    pub games: usize,
    /// The number of games that were left out because their text cannot be read.
    pub unreadable: usize,
    /// The number of players with a page.
    pub players: usize,
    /// The number of events with a page.
    pub events: usize,
    /// The files.
    pub files: WrittenFiles,
    /// The damaged tables of the index, which the export had to do without.
    pub unusable_tables: Vec<PathBuf>,
}

/// Writes the site of an index, which has this name on the page, to an empty folder.
///
/// # Errors
///
/// If the index is damaged, a file cannot be written, or the work was stopped.
pub fn export_site(
    options: &SiteOptions,
    index: SearchedIndex,
    name: String,
    folder: &Path,
    context: &mut Context<'_>,
) -> Result<SiteSummary> {
    let served = ServedArchive::new(name.clone(), index, None, None);
    let archive = served.open();
    let archives = Archives {
        archives: vec![served],
        threads: NonZeroUsize::MIN,
        tree_games: 0,
        names: options.names.clone(),
    };
    let exporter = Exporter { options, archives, archive, name, stop: context.stop.clone() };
    let events = &mut *context.events;
    let index = exporter.archive.description(&exporter.name)?;
    if !index.positions && index.games >= MANY_GAMES {
        events.note(
            "the index has no key tables, so that all games are played for each position; `pdn index --positions` makes them",
        );
    }
    write_site(&exporter, &index, folder, events)
}

/// Writes the files.
fn write_site(
    exporter: &Exporter<'_>,
    index: &IndexAnswer,
    folder: &Path,
    events: &mut dyn Events,
) -> Result<SiteSummary> {
    let failed = |error: io::Error| unwritable(&error);
    let mut stores = Vec::new();
    let mut variants = Map::new();
    let mut lists = Vec::new();
    let mut examples = std::collections::BTreeSet::new();
    let (mut positions, mut rare, mut beyond, mut clashes) = (0, 0, 0, 0);
    for variant in &index.variants {
        let variant = variant.variant;
        let Ok(rules) = variant.parse::<Variant>() else { continue };
        let start = PlaceRequest::default().position(rules.game(), &mut Vec::new())?;
        let start = DrawnPosition::of(variant, &start)?;
        let fen = start.summary.fen.as_str();
        let mut store = Store::create(folder, &format!("tree/{variant}")).map_err(failed)?;
        let mut found = positions::Positions::find(exporter, rules, fen, &mut store, events)?;
        lists.push((variant.to_owned(), found.move_list(fen)));
        variants.insert(
            variant.to_owned(),
            json!({ "start": fen, "board": start.board, "positions": found.len() }),
        );
        examples.append(&mut found.examples);
        positions += found.len();
        rare += found.rare;
        beyond += found.moves_beyond;
        clashes += found.clashes;
        stores.push(store);
    }
    let mut store = Store::create(folder, "games").map_err(failed)?;
    let unreadable = pages::games(exporter, &examples, &mut store, events)?;
    unreadable.iter().for_each(|number| _ = examples.remove(number));
    let games = store.len();
    stores.push(store);
    let mut store = Store::create(folder, "pages").map_err(failed)?;
    let pages = pages::overview(exporter, &examples, &mut store, events)?;
    stores.push(store);

    events.progress(0, "files");
    let SiteOptions { plies, min_games, examples, players, events: most_events, threads, .. } =
        *exporter.options;
    let options = json!({
        "plies": plies, "min_games": min_games, "examples": examples, "players": players, "events": most_events,
    });
    let index = json!(index);
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
        let (first, written) = store.finish(&data, &id, threads).map_err(failed)?;
        starts.insert(name, first.into());
        files.join(&written);
    }
    let moves = data.join("moves");
    std::fs::create_dir_all(&moves).map_err(failed)?;
    for (variant, list) in lists {
        let text = json!({ "site": id, "answers": list }).to_string() + "\n";
        files.add(write_answers(&moves, &variant, &text).map_err(failed)?);
    }
    for (path, bytes) in page_files() {
        files.add(write_below(folder, path, &bytes).map_err(failed)?);
    }
    let site = json!({
        "id": id,
        "index": index,
        "variants": variants,
        "files": starts,
        "plies": plies,
        "min_games": min_games,
        "players": pages.players[1],
    });
    files.add(write_config(folder, &site).map_err(failed)?);
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
    write_file(&folder.join("manifest.json"), (format!("{manifest:#}") + "\n").as_bytes()).map_err(failed)?;
    let (players, events) = (pages.players[1], pages.events[1]);
    let unusable_tables = exporter.archive.index.unusable_tables();
    Ok(SiteSummary {
        positions,
        games,
        unreadable: unreadable.len(),
        players,
        events,
        files,
        unusable_tables,
    })
}
