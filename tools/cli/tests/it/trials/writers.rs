//! Every way to write a file or a folder, and the commands that change none.

use std::fs;

use super::place::Place;

/// A command that writes, as it is typed in a folder with the archives `games.pdn` and `more.pdn`.
pub(super) struct Writer {
    pub(super) args: &'static [&'static str],
    /// Prepares the folder.
    pub(super) setup: fn(&Place),
    /// The index that it writes.
    pub(super) index: Option<&'static str>,
    /// A folder that is there with all its files or not at all.
    pub(super) whole: Option<&'static str>,
    /// It belongs to this build.
    pub(super) is_built: bool,
}

impl Writer {
    const fn new(args: &'static [&'static str]) -> Self {
        Self { args, setup: |_| (), index: None, whole: None, is_built: true }
    }

    const fn setup(self, setup: fn(&Place)) -> Self {
        Self { setup, ..self }
    }

    const fn index(self, index: &'static str) -> Self {
        Self { index: Some(index), ..self }
    }

    const fn whole(self, whole: &'static str) -> Self {
        Self { whole: Some(whole), ..self }
    }

    const fn built(self, is_built: bool) -> Self {
        Self { is_built, ..self }
    }
}

fn old_index(place: &Place) {
    place.done(&["index", "more.pdn", "-o", "games.idx", "--positions"]);
}

/// An index of two segments with embedded texts, as appending leaves it.
fn long_index(place: &Place) {
    place.done(&["index", "--embed", "more.pdn", "-o", "games.idx"]);
    place.done(&["index", "--append", "--embed", "games.pdn", "-o", "games.idx"]);
}

/// The index of [`long_index`], and files in place of the module that a site has.
fn long_index_and_module(place: &Place) {
    long_index(place);
    fs::create_dir(place.path().join("module")).expect("a new folder");
    for name in ["explorer.js", "worker.js"] {
        place.write(&format!("module/{name}"), "a part of the module");
    }
    #[cfg(feature = "serve")]
    place.write("module/pdn_explorer_module.wasm", &String::from_utf8_lossy(&pdn_explorer::MODULE_MARK));
}

/// An index with a file that has changed since and one that is gone.
fn outdated_index(place: &Place) {
    place.write("gone.pdn", "[White \"Gone\"]\n\n1. 32-28 *\n");
    place.write("games.pdn", "[White \"Old\"]\n\n1. 33-28 *\n");
    place.done(&["index", "games.pdn", "gone.pdn", "more.pdn", "-o", "games.idx", "--positions"]);
    fs::remove_file(place.path().join("gone.pdn")).expect("there");
    place.write_archives();
}

fn old_outputs(place: &Place) {
    for name in ["out.pdn", "rej.pdn", "rej.jsonl", "oth.pdn", "out.csv"] {
        place.write(name, "an old text\n");
    }
}

fn old_years(place: &Place) {
    fs::create_dir(place.path().join("years")).expect("a new folder");
    place.write("years/2001.pdn", "an old text\n");
    place.write("years/notes.txt", "mine\n");
}

fn folder_for_years(place: &Place) {
    fs::create_dir(place.path().join("years")).expect("a new folder");
    place.write("years/notes.txt", "mine\n");
}

fn repaired(place: &Place) {
    place.done(&["fix", "--write", "--quiet", "games.pdn"]);
}

fn old_names(place: &Place) {
    place.done(&["names", "more.pdn", "-o", "names.toml"]);
}

fn edited_names(place: &Place) {
    place.write("names.toml", "[[player]]\ncanonical = \"Berg, L.\"\nspellings = [\"Berg\"]\n");
}

fn old_pages(place: &Place) {
    fs::create_dir(place.path().join("pages")).expect("a new folder");
    place.write("pages/pdn.1", "an old text\n");
    place.write("pages/pdn-fix.1", "an old text\n");
}

/// The commands that write. Those of one command stand together.
pub(super) const WRITERS: &[Writer] = &[
    Writer::new(&["index", "games.pdn", "-o", "games.idx"]).index("games.idx"),
    Writer::new(&["index", "games.pdn", "-o", "games.idx", "--positions"])
        .setup(old_index)
        .index("games.idx"),
    Writer::new(&["index", "--append", "games.pdn", "-o", "games.idx"]).setup(old_index).index("games.idx"),
    Writer::new(&["index", "--append", "--embed", "--prune", "games.pdn", "-o", "games.idx"])
        .setup(outdated_index)
        .index("games.idx"),
    Writer::new(&["merge", "games.idx"]).setup(long_index).index("games.idx"),
    Writer::new(&["convert", "games.pdn", "-o", "out.pdn"]),
    Writer::new(&["convert", "games.pdn", "-o", "out.pdn", "--force", "--sort", "date"]).setup(old_outputs),
    Writer::new(&[
        "convert",
        "games.pdn",
        "-o",
        "out.pdn",
        "--rejects",
        "rej.pdn",
        "--others",
        "oth.pdn",
        "--white",
        "begins:a",
    ]),
    Writer::new(&[
        "convert",
        "games.pdn",
        "-o",
        "out.pdn",
        "--rejects",
        "rej.pdn",
        "--others",
        "oth.pdn",
        "--white",
        "begins:a",
        "--force",
    ])
    .setup(old_outputs),
    Writer::new(&["convert", "games.pdn", "-o", "years", "--split", "year"]).whole("years"),
    Writer::new(&["convert", "games.pdn", "-o", "years", "--split", "year"]).setup(folder_for_years),
    Writer::new(&[
        "convert",
        "games.pdn",
        "-o",
        "years",
        "--split",
        "year",
        "--force",
        "--rejects",
        "rej.pdn",
    ])
    .setup(old_years),
    Writer::new(&["fmt", "games.pdn", "more.pdn"]),
    Writer::new(&["fix", "--write", "games.pdn", "more.pdn"]),
    Writer::new(&["fix", "--write", "games.pdn", "--names", "names.toml"]).setup(edited_names),
    Writer::new(&["fix", "--undo", "games.pdn.undo"]).setup(repaired),
    Writer::new(&["dedup", "games.pdn", "more.pdn", "--output", "out.pdn", "--duplicates", "oth.pdn"]),
    Writer::new(&[
        "dedup",
        "games.idx",
        "--output",
        "out.pdn",
        "--duplicates",
        "oth.pdn",
        "--force",
        "--share-tags",
    ])
    .setup(|place| (long_index(place), old_outputs(place)).0),
    Writer::new(&["export", "games.pdn", "-o", "out.csv", "--force"]).setup(old_outputs),
    Writer::new(&["export", "games.pdn", "--table", "moves", "--format", "jsonl", "-o", "out.jsonl"]),
    Writer::new(&["export", "games.pdn", "--format", "sqlite", "-o", "out.db"])
        .built(cfg!(feature = "sqlite")),
    Writer::new(&["export", "games.pdn", "--format", "arrow", "-o", "out.arrow"])
        .built(cfg!(feature = "arrow")),
    Writer::new(&["export", "games.pdn", "--format", "parquet", "-o", "out.parquet"])
        .built(cfg!(feature = "parquet")),
    Writer::new(&["export-site", "games.idx", "-o", "site", "--module", "module"])
        .setup(long_index_and_module)
        .whole("site")
        .built(cfg!(feature = "serve")),
    Writer::new(&["dataset", "games.pdn", "-o", "set", "--skip-plies", "0"]).whole("set"),
    Writer::new(&[
        "dataset",
        "games.pdn",
        "-o",
        "set",
        "--skip-plies",
        "0",
        "--format",
        "bin",
        "--shards",
        "2",
    ])
    .whole("set"),
    Writer::new(&["dataset", "games.pdn", "-o", "set", "--skip-plies", "0", "--format", "npy"]).whole("set"),
    Writer::new(&["dataset", "games.pdn", "-o", "set", "--skip-plies", "0", "--format", "jnnw"]).whole("set"),
    Writer::new(&["dataset", "games.pdn", "-o", "set", "--skip-plies", "0", "--format", "jnnt"]).whole("set"),
    Writer::new(&["dataset", "games.pdn", "-o", "set", "--skip-plies", "0", "--format", "bullet-text"])
        .whole("set"),
    Writer::new(&[
        "dataset",
        "games.pdn",
        "-o",
        "set",
        "--skip-plies",
        "0",
        "--format",
        "bullet-ataxx",
        "--split-by",
        "player",
    ])
    .whole("set"),
    Writer::new(&["dataset", "games.pdn", "-o", "set", "--skip-plies", "0", "--format", "bullet-chess"])
        .whole("set"),
    Writer::new(&["endgame", "build", "-g", "english", "--pieces", "2", "-o", "endings"]),
    Writer::new(&["names", "games.pdn", "-o", "names.toml"]),
    Writer::new(&["names", "games.pdn", "-o", "names.toml"]).setup(old_names),
    Writer::new(&["names", "games.pdn", "-o", "names.json", "--format", "json"]),
    Writer::new(&["man", "-o", "pages"]),
    Writer::new(&["man", "-o", "pages"]).setup(old_pages),
    Writer::new(&["show", "games.pdn", "1", "--svg", "board.svg"]),
    Writer::new(&["sheet", "games.pdn", "-o", "sheet.html"]),
    Writer::new(&["sheet", "games.pdn", "-o", "sheet.svg", "--per-row", "1"]),
];

/// Commands that change nothing, in a folder with an index, too.
pub(super) const READERS: &[&[&str]] = &[
    &["bench", "games.pdn", "--rounds", "1", "--threads", "1"],
    &["check", "games.pdn"],
    &["completions", "bash"],
    &["convert", "games.pdn"],
    &["dedup", "games.pdn"],
    &["event", "club", "games.idx"],
    &["explain"],
    &["export", "games.pdn"],
    &["find", "games.idx"],
    &["find", "games.pdn", "--count"],
    &["fix", "games.pdn"],
    &["fmt", "--check", "games.pdn"],
    &["fmt", "--diff", "games.pdn"],
    &["help"],
    &["man"],
    &["moves"],
    &["names", "games.idx"],
    &["novelty", "games.idx"],
    &["perft", "-d", "2"],
    &["player", "duin", "games.idx"],
    &["show", "games.idx", "1"],
    &["solve", "games.pdn"],
    &["stats", "games.pdn"],
    &["tree", "games.idx"],
    &["verify", "--full", "games.idx"],
];

/// Options that take the name of a file or folder and read it.
pub(super) const READ_OPTIONS: &[&str] = &["--against", "--define", "--names", "--root", "--tables"];

/// The server, which writes when games are sent to it; its trials are those of imports.
pub(super) const SERVER: &str = "serve";
