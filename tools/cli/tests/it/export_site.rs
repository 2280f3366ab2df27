//! Tests of `pdn export-site`: the files of a site, and how its folder comes to be. What the page answers from them is tested with
//! the module, in `tools/explorer/module`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Run, run, text};

/// Exports an index with a module and these options.
fn export(index: &Path, site: &Path, module: &Path, options: &[&str]) -> Run {
    let args = ["export-site", text(index), "-o", text(site), "--module", text(module)];
    run(&[&args, options].concat())
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the folder of the page's files but those of HTML.
fn page_folder(site: &Path) -> PathBuf {
    let mut folders = fs::read_dir(site).unwrap().map(|entry| entry.unwrap().path());
    let is_of_page = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("page-");
    folders.find(is_of_page).expect("a folder of the page")
}

/// Returns the configuration that the page reads.
fn config(site: &Path) -> Value {
    let text = fs::read_to_string(page_folder(site).join("site.js")).unwrap();
    let object = text.split_once("export default ").unwrap().1.trim_end().trim_end_matches(';');
    serde_json::from_str(object).unwrap()
}

/// Returns the paths of all files below a folder with their contents.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Returns what stands for a module of this version.
fn wasm() -> String {
    format!("\0asm...{}...", String::from_utf8(pdn_explorer::MODULE_MARK.to_vec()).unwrap())
}

/// Writes a folder with the files of a module of this version, and returns it.
fn module(folder: &Path) -> PathBuf {
    let module = folder.join("module");
    fs::create_dir(&module).unwrap();
    for (name, text) in [
        ("explorer.js", "// the host's side"),
        ("worker.js", "// the worker"),
        ("pdn_explorer_module.wasm", &wasm()),
    ] {
        fs::write(module.join(name), text).unwrap();
    }
    module
}

/// Indexes two games, one with a comment, in a folder.
fn index_of_two(folder: &Path, options: &[&str]) -> PathBuf {
    let (archive, index) = (folder.join("two.pdn"), folder.join("two.idx"));
    fs::write(
        &archive,
        "[White \"Ames\"]\n1. 32-28 {why} 19-23 1-1\n\n[White \"Bell\"]\n1. 34-30 20-25 2-0\n",
    )
    .unwrap();
    let made = run(&[&["index", text(&archive), "-o", text(&index)], options].concat());
    assert_eq!(made.code, 0, "{}", made.err);
    index
}

#[test]
fn site_replaces_no_folder_with_files_and_leaves_none_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let (index, module) = (index_of_two(folder.path(), &["--embed"]), module(folder.path()));
    let names = || {
        let mut names: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let before = names();
    let full = folder.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("mine.txt"), "mine").unwrap();
    let refused = export(&index, &full, &module, &[]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("the folder is not empty"), "{}", refused.err);
    assert_eq!(files(&full).len(), 1);
    fs::remove_dir_all(&full).unwrap();

    let refused = export(&index, &folder.path().join("two.pdn"), &module, &[]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("is a file"), "{}", refused.err);
    let no_index = export(folder.path(), &folder.path().join("site"), &module, &[]);
    assert_eq!(no_index.code, 2);
    // A damaged index: the site is begun and not finished.
    let segment = files(&index).into_keys().find(|name| name.ends_with(".pdns")).expect("a segment");
    fs::write(index.join(&segment), "damaged").unwrap();
    let failed = export(&index, &folder.path().join("site"), &module, &[]);
    assert_eq!(failed.code, 2, "{}", failed.err);
    assert_eq!(names(), before);
}

#[test]
fn empty_folder_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let (index, module) = (index_of_two(folder.path(), &["--embed"]), module(folder.path()));
    let site = folder.path().join("site");
    fs::create_dir(&site).unwrap();
    assert_eq!(export(&index, &site, &module, &["--quiet"]).err, "");
    assert!(site.join("index.html").is_file());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&site).unwrap().permissions().mode();
        assert_eq!(mode & 0o500, 0o500);
        let other = folder.path().join("other");
        fs::create_dir(&other).unwrap();
        assert_eq!(mode, fs::metadata(&other).unwrap().permissions().mode(), "as any new folder");
    }
}

#[test]
fn damaged_table_is_named_as_by_searches() {
    let folder = tempfile::tempdir().unwrap();
    let (index, module) = (index_of_two(folder.path(), &["--embed", "--positions"]), module(folder.path()));
    fs::write(index.join("segment-00000001.keys"), "damaged").unwrap();
    let site = folder.path().join("site");
    let exported = export(&index, &site, &module, &[]);
    let searched = run(&["tree", text(&index), "--variant", "international"]);
    let named =
        |run: &Run| run.err.lines().find(|line| line.contains("damaged, and not used")).map(str::to_owned);
    assert_eq!((exported.code, named(&exported)), (0, named(&searched)), "{}", exported.err);
    assert!(named(&exported).is_some_and(|line| line.contains("segment-00000001.keys")), "{}", exported.err);
    let lengths = config(&site)["lengths"].clone();
    assert!(lengths["segment-00000001.keys"].is_null() && lengths["segment-00000001.pdns"].is_u64());
}

#[test]
fn site_has_the_index_and_the_module() {
    let folder = tempfile::tempdir().unwrap();
    let (index, module) = (index_of_two(folder.path(), &["--embed", "--positions"]), module(folder.path()));
    let sites = ["one", "two"].map(|name| folder.path().join(name));
    for site in &sites {
        let made = export(&index, site, &module, &[]);
        assert_eq!((made.code, made.out.as_str()), (0, ""), "{}", made.err);
        assert!(made.err.contains("2 games"), "{}", made.err);
    }
    let site = &sites[0];
    let found = files(site);
    assert!(found == files(&sites[1]), "the same index gives the same bytes");
    let config = config(site);
    let data = config["data"].as_str().unwrap();
    assert_eq!(data, format!("data/{}/", config["id"].as_str().unwrap()));
    assert_eq!((&config["index"]["name"], &config["index"]["games"]), (&"two".into(), &2.into()));
    // The page reads no file whose length it does not know.
    let lengths = config["lengths"].as_object().unwrap();
    let names: Vec<&str> = lengths.keys().map(String::as_str).collect();
    let tables = ["extract", "pdns", "keys", "book", "openings"].map(|end| format!("segment-00000001.{end}"));
    assert_eq!(names, [&["manifest", "rejects.jsonl"].map(str::to_owned)[..], &tables].concat());
    for (name, length) in lengths {
        assert_eq!(*length, found[&format!("{data}{name}")].len(), "{name}");
    }
    for name in ["explorer.js", "worker.js"] {
        assert_eq!(found[&format!("{data}{name}")], fs::read(module.join(name)).unwrap(), "{name}");
    }
    let packed = fs::File::open(site.join(data).join("pdn_explorer_module.wasm.gz")).unwrap();
    let unpacked = std::io::read_to_string(flate2::read::GzDecoder::new(packed)).unwrap();
    assert_eq!(unpacked, wasm());
    // The copy is an index that needs no archive and names no folder.
    fs::remove_file(folder.path().join("two.pdn")).unwrap();
    let shown = run(&["show", text(&site.join(data)), "1"]);
    assert!(shown.code == 0 && shown.out.contains("why"), "{}", shown.err);
    assert_eq!(run(&["verify", text(&site.join(data))]).code, 0);
    let hidden = folder.path().to_str().unwrap();
    for (name, bytes) in &found {
        assert!(!String::from_utf8_lossy(bytes).contains(hidden), "{name}");
    }
    // This page may start the module.
    let page = String::from_utf8(found["index.html"].clone()).unwrap();
    assert!(page.contains("default-src 'self'; script-src 'self' 'wasm-unsafe-eval';"));
    assert!(
        page.contains("<title>two</title>")
            && page.contains("content=\"Openings, players and 2 games of draughts\"")
    );
    for name in ["site.js", "remote.js", "lang/nl.js"] {
        assert!(page_folder(site).join(name).is_file(), "{name}");
    }
    let manifest = json(&site.join("manifest.json"));
    // The manifest does not count itself.
    assert_eq!(manifest["files"]["number"], found.len() - 1);
    let longest = found.iter().filter(|(name, _)| *name != "manifest.json").map(|(_, bytes)| bytes.len());
    assert_eq!(manifest["files"]["longest"], longest.max().unwrap());
    assert_eq!(manifest["left_out"]["views"], serde_json::json!(["check"]));
}

#[test]
fn site_has_the_title_that_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let (index, module) = (index_of_two(folder.path(), &["--embed"]), module(folder.path()));
    let site = folder.path().join("site");
    assert_eq!(export(&index, &site, &module, &["--title", "Bond <b> \"1908\""]).code, 0);
    assert_eq!(config(&site)["title"], "Bond <b> \"1908\"");
    let page = fs::read_to_string(site.join("index.html")).unwrap();
    assert!(page.contains("<title>Bond &lt;b&gt; &quot;1908&quot;</title>"), "{page}");
    assert!(page.contains("og:title\" content=\"Bond &lt;b&gt; &quot;1908&quot;\""), "{page}");
}

#[test]
fn site_has_the_tables_of_its_variants() {
    let folder = tempfile::tempdir().unwrap();
    let (index, module) = (index_of_two(folder.path(), &["--embed"]), module(folder.path()));
    let [tables, site] = ["tables", "site"].map(|name| folder.path().join(name));
    let build = |game| run(&["endgame", "build", "-g", game, "--pieces", "2", "-o", text(&tables)]);
    assert_eq!(build("english").code, 0);
    let refused = export(&index, &site, &module, &["--tables", text(&tables)]);
    assert!(
        refused.code == 2 && refused.err.contains("no endings of international are here"),
        "{}",
        refused.err
    );
    assert!(!site.exists());
    assert_eq!(build("international").code, 0);
    assert_eq!(export(&index, &site, &module, &["--tables", text(&tables)]).code, 0);
    let data = site.join(config(&site)["data"].as_str().unwrap());
    let (built, copied) = (files(&tables.join("international")), files(&data.join("endings")));
    assert_eq!(copied.len(), 4, "those of the other variant, and what keeps builds apart, are not copied");
    for (name, bytes) in copied {
        assert_eq!(bytes, built[name.strip_prefix("international/").unwrap()], "{name}");
        assert_eq!(config(&site)["lengths"][format!("endings/{name}")], bytes.len());
    }
    let damaged = tables.join("international/m0k1-m0k1.ending");
    let mut bytes = fs::read(&damaged).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&damaged, bytes).unwrap();
    let refused = export(&index, &folder.path().join("other"), &module, &["--tables", text(&tables)]);
    assert!(refused.code == 2 && refused.err.contains("checksum"), "{}", refused.err);
}

#[test]
fn site_says_what_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let module = module(folder.path());
    let index = index_of_two(folder.path(), &["--embed"]);
    let site = folder.path().join("site");
    // The program of the tests has no module next to it.
    let refused = run(&["export-site", text(&index), "-o", text(&site)]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("tools/explorer/module/build"), "{}", refused.err);
    let mark = String::from_utf8(pdn_explorer::MODULE_MARK.to_vec()).unwrap();
    let (begin, digest) = mark.split_at(mark.len() - 16);
    let other_digest = format!("{:016x}", u64::from_str_radix(digest, 16).unwrap() ^ 1);
    for (marked, problem) in [
        (mark.replace(env!("CARGO_PKG_VERSION"), "0.0.1"), "version \"0.0.1\""),
        (format!("{begin}{other_digest}"), "another state of the source code"),
        (begin[..begin.len() - 1].to_owned(), "it is not the module"),
        (String::new(), "it is not the module"),
    ] {
        fs::write(module.join("pdn_explorer_module.wasm"), format!("\0asm{marked}")).unwrap();
        let refused = export(&index, &site, &module, &[]);
        assert!(refused.code == 2 && refused.err.contains(problem), "{marked}: {}", refused.err);
        assert!(refused.err.contains("tools/explorer/module/build"), "{}", refused.err);
    }
    fs::write(module.join("pdn_explorer_module.wasm"), wasm()).unwrap();
    fs::remove_file(module.join("worker.js")).unwrap();
    let refused = export(&index, &site, &module, &[]);
    assert!(refused.code == 2 && refused.err.contains("worker.js"), "{}", refused.err);
    fs::write(module.join("worker.js"), "").unwrap();
    fs::remove_dir_all(&index).unwrap();
    let without_texts = index_of_two(folder.path(), &[]);
    let refused = export(&without_texts, &site, &module, &[]);
    assert!(refused.code == 2 && refused.err.contains("pdn index --embed"), "{}", refused.err);
    assert!(!site.exists());
}

#[test]
fn site_has_the_names_without_the_remarks_of_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let (index, module) = (index_of_two(folder.path(), &["--embed"]), module(folder.path()));
    let file = folder.path().join("names.toml");
    let group = "# a remark\n[[player]]\ncanonical = \"Ames, B.\"\nspellings = [\"Ames\"]\n";
    fs::write(&file, group).unwrap();
    let site = |name: &str| folder.path().join(name);
    for (name, options) in [("with", &["--names", text(&file)][..]), ("without", &[])] {
        let made = export(&index, &site(name), &module, options);
        assert_eq!(made.code, 0, "{}", made.err);
    }
    let [with, without] = ["with", "without"].map(|name| config(&site(name)));
    assert_ne!(with["id"], without["id"], "other answers have other addresses");
    assert!(without["lengths"]["names"].is_null());
    let names = fs::read(site("with").join(with["data"].as_str().unwrap()).join("names")).unwrap();
    assert_eq!(with["lengths"]["names"], names.len());
    let names = pdn_explorer::read_names(&names).unwrap();
    assert_eq!(names.canonical(pdn_names::NameKind::Player, "Ames"), Some("Ames, B."));
    fs::write(&file, "[[player]]\n").unwrap();
    let refused = export(&index, &site("refused"), &module, &["--names", text(&file)]);
    assert!(refused.code == 2 && refused.err.contains("names.toml:1:1"), "{}", refused.err);
    assert!(!site("refused").exists());
}
