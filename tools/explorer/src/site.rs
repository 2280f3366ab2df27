//! Writes the page with an index and the module that answers from it in the browser, for a web server that only hosts files.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use pdn::rules::Variant;
use pdn_app::ask::endings::EndingTables;
use pdn_app::read::searched::SearchedIndex;
use pdn_app::{AppError, Context, ErrorCode, Result};
use pdn_index::Index;
use pdn_index::internal::Section;
use pdn_index::internal::query::variant_counts;
use pdn_names::NameMap;
use serde_json::{Map, Value, json};

use crate::front::{self, Preview};
use crate::hash::Hash;
use crate::module::{ENDINGS_FOLDER, MARK_BEGIN, MODULE_MARK, NAMES_FILE, names_file};
use crate::page::{Page, packed};
use crate::served_archive::ServedArchive;

/// The module itself.
const MODULE: &str = "pdn_explorer_module.wasm";
/// The files of the module, which a release has in one folder.
pub const MODULE_FILES: [&str; 3] = ["explorer.js", "worker.js", MODULE];

/// Bytes that are copied at once.
const COPIED_AT_ONCE: usize = 1 << 20;
/// Number of games from which on a note says that key tables are missing.
const MANY_GAMES: u64 = 10_000;

/// The files that were written.
#[derive(Clone, Copy, Default, Debug)]
pub struct WrittenFiles {
    /// Their number.
    pub files: u64,
    /// Their length in bytes.
    pub bytes: u64,
    /// The length of the longest file.
    pub largest: u64,
}

impl WrittenFiles {
    fn add(&mut self, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
        self.largest = self.largest.max(bytes);
    }
}

/// What was written.
#[derive(Clone, Debug)]
pub struct SiteSummary {
    /// The number of games.
    pub games: u64,
    /// The files of the site.
    pub files: WrittenFiles,
    /// The damaged tables of the index, which the site does not have.
    pub unusable_tables: Vec<PathBuf>,
}

/// What a site has besides an index.
#[derive(Clone, Copy, Default, Debug)]
pub struct SiteOptions<'a> {
    /// The title of the page; its name without one.
    pub title: Option<&'a str>,
    /// The names that spellings of players and events become.
    pub names: Option<&'a NameMap>,
    /// Tables of endings, of which the site has those of the variants of its games.
    pub tables: Option<&'a EndingTables>,
}

/// Writes the site of an index, which has this name on the page, to an empty folder. `module` is the folder of [`MODULE_FILES`].
///
/// # Errors
///
/// If the module is missing or another version's, the index is damaged or has games without their texts, the tables are damaged or of other
/// variants, a file cannot be written, or the work was stopped.
pub fn export_site(
    index: SearchedIndex,
    name: String,
    options: SiteOptions<'_>,
    module: &Path,
    folder: &Path,
    context: &mut Context<'_>,
) -> Result<SiteSummary> {
    let SiteOptions { title, names, tables } = options;
    let module = read_module(module)?;
    let mut segments = index.segments().iter().enumerate();
    if segments.any(|(number, segment)| !segment.has(Section::Text) && !index.live_games(number).is_empty()) {
        let message = "the index does not contain the texts of its games, which the site needs";
        let error = AppError::path(ErrorCode::NotFound, index.path(), message);
        return Err(error.help("`pdn index --embed` makes an index that contains them"));
    }
    let source = index.path().to_owned();
    let archive = ServedArchive::new(name.clone(), index, None, None).open();
    let description = archive.description(&name)?;
    if !description.positions && description.games >= MANY_GAMES {
        context.events.note(
            "the index has no key tables, so that browsers will read the moves of all games for each position; `pdn index --positions` makes them",
        );
    }
    let (mut files, mut id) = (WrittenFiles::default(), Hash::default());
    let failed = |error: io::Error| unwritable(&error);
    // The folder gets its name when the hash of its files is known.
    let data = folder.join("data");
    let unnamed = data.join("new");
    std::fs::create_dir_all(&unnamed).map_err(failed)?;
    for (file, bytes) in &module {
        id.add(file.as_bytes());
        id.add(bytes);
        let written = match file.strip_suffix(".wasm") {
            // A third of it, also on a host that compresses nothing.
            Some(_) => write_file(&unnamed.join(format!("{file}.gz")), &packed(bytes)),
            None => write_file(&unnamed.join(file), bytes),
        };
        files.add(written.map_err(failed)?);
    }
    let mut lengths = copy_index(&archive.index, &source, &unnamed, &mut id, context)?;
    if let Some(names) = names {
        let bytes = names_file(names);
        id.add(NAMES_FILE.as_bytes());
        id.add(&bytes);
        write_file(&unnamed.join(NAMES_FILE), &bytes).map_err(failed)?;
        lengths.insert(NAMES_FILE.to_owned(), bytes.len().into());
    }
    if let Some(tables) = tables {
        copy_tables(tables, &archive.index, &unnamed, &mut id, &mut lengths, context)?;
    }
    lengths.values().filter_map(Value::as_u64).for_each(|bytes| files.add(bytes));
    let id = id.to_string();
    std::fs::rename(&unnamed, data.join(&id)).map_err(failed)?;

    let preview = Preview::of_site(title.unwrap_or(&name), description.games);
    let site = json!({ "id": id, "index": description, "title": title, "data": format!("data/{id}/"), "lengths": lengths });
    // What the page has to know of its site.
    let config = format!(
        "// What this site has; read by api.js in place of asking a server.\nexport default {site};\n"
    );
    for (path, bytes) in Page::of_site(&config).files() {
        let bytes = match path.as_str() {
            "index.html" => {
                let page = front::html(&allowing_module(bytes), &Value::Null, Some(&preview), "");
                Cow::Owned(page.into_bytes())
            }
            _ => Cow::Borrowed(&bytes[..]),
        };
        files.add(write_below(folder, &path, &bytes).map_err(failed)?);
    }
    let manifest = json!({
        "generator": concat!("pdn ", env!("CARGO_PKG_VERSION")),
        "site": id,
        "index": name,
        "lengths": lengths,
        "left_out": { "views": ["check"] },
        "files": { "number": files.files, "bytes": files.bytes, "longest": files.largest },
    });
    write_file(&folder.join("manifest.json"), (format!("{manifest:#}") + "\n").as_bytes()).map_err(failed)?;
    Ok(SiteSummary { games: description.games, files, unusable_tables: archive.index.unusable_tables() })
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

/// Writes a file, waits until it is on disk, and returns its length.
///
/// # Errors
///
/// If it cannot be written.
fn write_file(path: &Path, bytes: &[u8]) -> io::Result<u64> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    Ok(bytes.len() as u64)
}

/// Reads the files of the module that a site has. It has to be made from the same format and interface as this program.
fn read_module(folder: &Path) -> Result<Vec<(&'static str, Vec<u8>)>> {
    let read = |file: &str| {
        let path = folder.join(file);
        std::fs::read(&path).map_err(|error| {
            let (code, problem) = match error.kind() {
                io::ErrorKind::NotFound => {
                    (ErrorCode::NotFound, "a file of the module is missing".to_owned())
                }
                _ => (ErrorCode::Unreadable, error.to_string()),
            };
            AppError::path(code, &path, problem).in_field("module")
        })
    };
    let files: Vec<_> =
        MODULE_FILES.into_iter().map(|file| Ok((file, read(file)?))).collect::<Result<_>>()?;
    let module =
        files.iter().find(|(file, _)| *file == MODULE).map_or(&[] as &[u8], |(_, bytes)| bytes.as_slice());
    if place_of(&MODULE_MARK, module).is_some() {
        return Ok(files);
    }
    let own = env!("CARGO_PKG_VERSION");
    // Up to the space that follows.
    let mark = place_of(MARK_BEGIN.as_bytes(), module).map(|at| &module[at + MARK_BEGIN.len()..]);
    let version =
        mark.and_then(|mark| Some(String::from_utf8_lossy(&mark[..place_of(b" ", mark)?]).into_owned()));
    let problem = match version {
        None => "it is not the module that answers in browsers, or one of an earlier version".to_owned(),
        Some(version) if version == own => {
            "the module was built from another state of the source code than this program, with another format of an index or \
             another interface".to_owned()
        }
        Some(version) => format!("the module is of version {version:?}, and this program of version {own}"),
    };
    let help = "use the module that came with the program, or build both from the same source code; \
                `tools/explorer/module/build` builds the module";
    Err(AppError::path(ErrorCode::NotFound, folder.join(MODULE), problem).in_field("module").help(help))
}

/// Returns where bytes begin among others; `None` if they are not there.
fn place_of(bytes: &[u8], among: &[u8]) -> Option<usize> {
    among.windows(bytes.len()).position(|window| window == bytes)
}

/// Copies the files of an index to a folder, and returns their lengths by their names.
fn copy_index(
    index: &Index,
    source: &Path,
    folder: &Path,
    id: &mut Hash,
    context: &mut Context<'_>,
) -> Result<Map<String, Value>> {
    let mut lengths = Map::new();
    for (name, bytes) in index.published_lists() {
        id.add(&bytes);
        write_file(&folder.join(name), &bytes).map_err(|error| unwritable(&error))?;
        lengths.insert(name.to_owned(), bytes.len().into());
    }
    for segment in index.segments() {
        context.check()?;
        let (name, bytes) = segment.published_extract()?;
        id.add(name.as_bytes());
        id.add(&bytes);
        write_file(&folder.join(&name), &bytes).map_err(|error| unwritable(&error))?;
        lengths.insert(name, bytes.len().into());
    }
    let mut copied = 0;
    for file in index.published_files()? {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let length = copy_file(&file, &name, folder, id, &mut copied, context)?;
        lengths.insert(name, length.into());
    }
    // A writer may have replaced a file meanwhile: the copy has to be the index that was opened.
    match Index::open(folder) {
        Ok(copy) if copy.digest() == index.digest() => Ok(lengths),
        _ => {
            let message = "the index changed while it was copied";
            Err(AppError::path(ErrorCode::BadIndex, source, message).help("run the command again"))
        }
    }
}

/// Copies the tables of endings of the variants of an index, and adds their lengths by their names.
fn copy_tables(
    tables: &EndingTables,
    index: &Index,
    folder: &Path,
    id: &mut Hash,
    lengths: &mut Map<String, Value>,
    context: &mut Context<'_>,
) -> Result<()> {
    let counts = variant_counts(index, None)?;
    let variants: Vec<Variant> = counts.iter().map(|&(variant, _)| variant).collect();
    tables.require(variants.iter().copied())?;
    let mut copied = 0;
    for variant in variants {
        let slices = tables.verified_slices(variant)?;
        if !slices.is_empty() {
            let folder = folder.join(ENDINGS_FOLDER).join(variant.name());
            std::fs::create_dir_all(folder).map_err(|error| unwritable(&error))?;
        }
        for slice in slices {
            let file = format!("{}/{slice}.ending", variant.name());
            let name = format!("{ENDINGS_FOLDER}/{file}");
            let length = copy_file(&tables.path().join(file), &name, folder, id, &mut copied, context)?;
            lengths.insert(name, length.into());
        }
    }
    Ok(())
}

/// Copies a file to this name in a folder, and returns its length in bytes. `copied` is the sum of all lengths.
fn copy_file(
    file: &Path,
    name: &str,
    folder: &Path,
    id: &mut Hash,
    copied: &mut u64,
    context: &mut Context<'_>,
) -> Result<u64> {
    id.add(name.as_bytes());
    let unreadable = |error: io::Error| AppError::path(ErrorCode::Unreadable, file, error.to_string());
    let mut from = File::open(file).map_err(unreadable)?;
    let mut to = File::create(folder.join(name)).map_err(|error| unwritable(&error))?;
    let mut buffer = vec![0; COPIED_AT_ONCE];
    let mut length = 0_u64;
    loop {
        context.check()?;
        let bytes = from.read(&mut buffer).map_err(unreadable)?;
        if bytes == 0 {
            break;
        }
        id.add(&buffer[..bytes]);
        to.write_all(&buffer[..bytes]).map_err(|error| unwritable(&error))?;
        length += bytes as u64;
        *copied += bytes as u64;
        context.events.progress(*copied, "bytes");
    }
    to.sync_data().map_err(|error| unwritable(&error))?;
    Ok(length)
}

/// Returns the page with a policy that lets it start the module, which the page of a server does not need.
fn allowing_module(page: &[u8]) -> String {
    let (policy, own) = ("default-src 'self';", "script-src 'self' 'wasm-unsafe-eval';");
    String::from_utf8_lossy(page).replace(policy, &format!("{policy} {own}"))
}
