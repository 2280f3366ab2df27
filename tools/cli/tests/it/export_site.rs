//! Tests of `pdn export-site`: its files against the answers of the server on the same index, what is left out, and how the
//! folder comes to be.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{Run, run, text};
use crate::serve::Served;

/// Exports an index with these options.
fn export(index: &Path, site: &Path, options: &[&str]) -> Run {
    run(&[&["export-site", text(index), "-o", text(site)], options].concat())
}

/// Reads a file of answers.
fn compressed_json(path: &Path) -> Value {
    let file = fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_reader(flate2::read::GzDecoder::new(file))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the configuration that the page reads.
fn config(site: &Path) -> Value {
    let text = fs::read_to_string(site.join("site.js")).unwrap();
    let object = text.split_once("export default ").unwrap().1.trim_end().trim_end_matches(';');
    serde_json::from_str(object).unwrap()
}

/// Returns all answers of a store by their keys, after checking that every file belongs to the site.
fn answers(site: &Path, store: &str) -> BTreeMap<String, Value> {
    let config = config(site);
    let mut answers = BTreeMap::new();
    for number in 0..config["files"][store].as_str().unwrap().len() / 6 {
        let file = compressed_json(&site.join(format!("data/{store}/{number}.json.gz")));
        assert_eq!(file["site"], config["id"]);
        for (key, answer) in file["answers"].as_object().unwrap() {
            assert!(answers.insert(key.clone(), answer.clone()).is_none(), "{key} is there twice");
        }
    }
    answers
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

/// Removes the marks of what is not on a site, and returns their number.
fn unmark(answer: &mut Value) -> usize {
    match answer {
        Value::Array(items) => items.iter_mut().map(unmark).sum(),
        Value::Object(members) => {
            let marked = members.remove("on_site").is_some();
            usize::from(marked) + members.values_mut().map(unmark).sum::<usize>()
        }
        _ => 0,
    }
}

/// Encodes a value for an address.
fn encoded(value: &str) -> String {
    value.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Gives players the names of their pages, which have the spelling of most games, where lists of an answer lead to them. Returns how
/// many are renamed.
fn name_pages(value: &mut Value, list: &str) -> usize {
    match value {
        Value::Array(items) => items.iter_mut().map(|item| name_pages(item, list)).sum(),
        Value::Object(members) => members
            .iter_mut()
            .map(|(name, member)| {
                let leads =
                    ["opponents", "players"].contains(&list) && ["name", "player"].contains(&name.as_str());
                if leads && *member == "Berg, L\u{f6}tte" {
                    *member = "Berg, Lotte".into();
                    return 1;
                }
                name_pages(member, name)
            })
            .sum(),
        _ => 0,
    }
}

#[test]
fn answers_of_a_site_equal_those_of_the_server() {
    let served = Served::start();
    let site = served.folder.path().join("site");
    let run = export(&served.index, &site, &["--min-games", "1", "--plies", "4", "--examples", "2"]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    let config = config(&site);
    assert_eq!(config["index"], served.get("/api/v1/indexes").json()["indexes"][0]);

    let mut positions = 0;
    for (variant, known) in config["variants"].as_object().unwrap() {
        let start = served.get(&format!("/api/v1/games/position?variant={variant}")).json();
        assert_eq!((&known["start"], &known["board"]), (&start["fen"], &start["board"]));
        for answer in answers(&site, &format!("tree/{variant}")).values() {
            positions += 1;
            let fen = encoded(answer["position"]["fen"].as_str().unwrap());
            let asked = format!("variant={variant}&fen={fen}");
            assert_eq!(answer["position"], served.get(&format!("/api/v1/games/position?{asked}")).json());
            let mut tree = served.get(&format!("/api/v1/games/tree?{asked}&games=2")).json();
            // The site has no examples of single moves.
            for entry in tree["moves"].as_array_mut().unwrap() {
                entry.as_object_mut().unwrap().remove("examples");
            }
            let examples: BTreeSet<String> =
                tree["examples"].as_array().unwrap().iter().map(Value::to_string).collect();
            tree["rows"].as_object_mut().unwrap().retain(|number, _| examples.contains(number));
            assert_eq!(answer["tree"], tree);
        }
    }
    assert!(positions > 10, "{positions}");

    let games = answers(&site, "games");
    assert!(games.len() >= 4, "{:?}", games.keys());
    for (number, answer) in &games {
        assert_eq!(answer["game"], served.get(&format!("/api/v1/games/games/{number}")).json());
        assert_eq!(answer["pdn"], served.get(&format!("/api/v1/games/games/{number}.pdn")).body);
    }

    let pages = answers(&site, "pages");
    let (mut left_out, mut renamed) = (0, 0);
    for (key, answer) in &pages {
        let (question, parameters) = key.split_once('?').unwrap_or((key, ""));
        let mut address = format!("/api/v1/games/{question}?");
        let (filter, offset) = parameters.rsplit_once("offset=").unwrap_or((parameters, ""));
        if let Some((name, value)) = filter.trim_end_matches('&').split_once('=') {
            address += &format!("{name}={}&", encoded(value));
        }
        if !offset.is_empty() {
            address += &format!("offset={offset}&limit=100");
        }
        let mut answer = answer.clone();
        left_out += unmark(&mut answer);
        let mut expected = served.get(&address).json();
        renamed += name_pages(&mut expected, "");
        assert_eq!(answer, expected, "{key}: {address}");
    }
    assert_eq!(left_out, 5 - games.len(), "only what is not on this site is marked");
    assert!(renamed > 0);
    for key in ["stats", "players?offset=0", "player?name==Cornel", "event?name==Club"] {
        assert!(pages.contains_key(key), "{key}: {:?}", pages.keys());
    }
}

#[test]
fn list_of_moves_leads_to_the_answers_of_the_positions() {
    let served = Served::start();
    let site = served.folder.path().join("site");
    assert_eq!(export(&served.index, &site, &["--min-games", "1"]).code, 0);
    let answers = answers(&site, "tree/international");
    let list = &compressed_json(&site.join("data/moves/international.json.gz"))["answers"];
    let keys: Vec<&str> = list["keys"]
        .as_str()
        .unwrap()
        .as_bytes()
        .chunks(13)
        .map(|key| std::str::from_utf8(key).unwrap())
        .collect();
    assert_eq!(keys.len(), answers.len());
    let mut edges = 0;
    for (key, moves) in keys.iter().zip(list["moves"].as_array().unwrap()) {
        let words: Vec<&str> = moves.as_str().unwrap().split_whitespace().collect();
        for pair in words.chunks(2) {
            let after = keys[pair[1].parse::<usize>().unwrap()];
            let from = &answers[*key]["tree"]["moves"];
            let entry = from.as_array().unwrap().iter().find(|entry| entry["move"] == pair[0]).unwrap();
            assert_eq!(entry["after"], answers[after]["position"]["fen"]);
            edges += 1;
        }
    }
    assert!(edges >= keys.len() - 1, "{edges} moves to {} positions", keys.len());
}

#[test]
fn rare_and_late_positions_are_left_out_and_counted() {
    let served = Served::start();
    let number = |site: &Path, part: &str, name: &str| json(&site.join("manifest.json"))[part][name].clone();
    let site = served.folder.path().join("common");
    assert_eq!(export(&served.index, &site, &["--min-games", "2"]).code, 0);
    let found = answers(&site, "tree/international");
    assert!(found.values().all(|answer| answer["tree"]["games"].as_u64().unwrap() >= 2));
    // The start, and 1. 32-28 19-23 2. 28x19 14x23 of two games.
    assert_eq!(found.len(), 5);
    assert!(answers(&site, "tree/russian").is_empty());
    assert_eq!(number(&site, "exported", "positions"), 5);
    assert!(number(&site, "left_out", "positions_of_fewer_games").as_u64().unwrap() > 0);
    let site = served.folder.path().join("early");
    let options = ["--min-games", "1", "--plies", "1", "--players", "2", "--events", "0", "--examples", "1"];
    assert_eq!(export(&served.index, &site, &options).code, 0);
    // The start, and the positions after 32-28, 33-28 and 31-27.
    assert_eq!(answers(&site, "tree/international").len(), 4);
    assert!(number(&site, "left_out", "moves_after_the_last_ply").as_u64().unwrap() > 0);
    assert_eq!(number(&site, "exported", "players"), 2);
    assert_eq!(answers(&site, "pages")["players?offset=0"]["players"].as_array().unwrap().len(), 2);
    // Two players have pages, and no event has one: the others are named without a link.
    let mut stats = answers(&site, "pages")["stats"].clone();
    assert_eq!(stats["players"][0]["on_site"], Value::Null);
    assert_eq!(stats["events"][0]["on_site"], false);
    let players = stats["players"].as_array().unwrap().len();
    assert_eq!(unmark(&mut stats), players - 2 + 1);
    assert_eq!(number(&site, "exported", "events"), 0);
    assert!(number(&site, "left_out", "players").as_u64().unwrap() > 0);
    assert_eq!(number(&site, "left_out", "events"), 1);
    let games = answers(&site, "games").len();
    assert_eq!(number(&site, "exported", "games"), games);
    assert_eq!(number(&site, "left_out", "games"), 5 - games);
}

#[test]
fn position_that_is_reached_by_two_orders_of_moves_is_one_answer() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("two.pdn");
    let games = "[GameType \"20\"]\n1. 32-28 20-25 2. 31-26 *\n\n[GameType \"20\"]\n1. 31-26 20-25 2. 32-28 *\n\n\
                 [GameType \"20\"]\n1. 32-28 20-25 2. 31-26 15-20 *\n";
    fs::write(&archive, games).unwrap();
    let index = folder.path().join("two.idx");
    assert_eq!(run(&["index", text(&archive), "-o", text(&index)]).code, 0);
    let site = folder.path().join("site");
    let made = export(&index, &site, &["--min-games", "1"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let answers = answers(&site, "tree/international");
    let fens: BTreeSet<&str> =
        answers.values().map(|answer| answer["position"]["fen"].as_str().unwrap()).collect();
    assert_eq!(fens.len(), answers.len());
    // 31-26 and 32-28 in either order, by three games.
    let met =
        answers.values().find(|answer| answer["tree"]["arrivals"].as_array().unwrap().len() == 2).unwrap();
    assert_eq!(met["tree"]["games"], 3);
}

#[test]
fn same_index_and_options_give_the_same_bytes_on_any_number_of_threads() {
    let served = Served::start();
    let sites = ["1", "3"].map(|threads| {
        let site = served.folder.path().join(format!("site-{threads}"));
        let made = export(&served.index, &site, &["--min-games", "1", "--threads", threads]);
        assert_eq!(made.code, 0, "{}", made.err);
        files(&site)
    });
    assert_eq!(sites[0].keys().collect::<Vec<_>>(), sites[1].keys().collect::<Vec<_>>());
    for (name, bytes) in &sites[0] {
        assert_eq!(*bytes, sites[1][name], "{name}");
    }
    for name in ["index.html", "site.js", "shards.js", "lang/nl.js", "manifest.json", "data/games/0.json.gz"]
    {
        assert!(sites[0].contains_key(name), "{name}");
    }
    let manifest: Value = serde_json::from_slice(&sites[0]["manifest.json"]).unwrap();
    // The manifest does not count itself.
    assert_eq!(manifest["files"]["number"], sites[0].len() - 1);
    let longest = sites[0].iter().filter(|(name, _)| *name != "manifest.json").map(|(_, bytes)| bytes.len());
    assert_eq!(manifest["files"]["longest"], longest.max().unwrap());
}

#[test]
fn site_replaces_no_folder_with_files_and_leaves_none_half_written() {
    let served = Served::start();
    let names = || {
        let mut names: Vec<_> = fs::read_dir(served.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let before = names();
    let full = served.folder.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("mine.txt"), "mine").unwrap();
    let refused = export(&served.index, &full, &[]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("the folder is not empty"), "{}", refused.err);
    assert_eq!(files(&full).len(), 1);
    fs::remove_dir_all(&full).unwrap();

    let refused = export(&served.index, &served.folder.path().join("games.pdn"), &[]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("is a file"), "{}", refused.err);
    let no_index = export(served.folder.path(), &served.folder.path().join("site"), &[]);
    assert_eq!(no_index.code, 2);
    // A damaged index: the site is begun and not finished.
    let segment = files(&served.index).into_keys().find(|name| name.ends_with(".pdns")).expect("a segment");
    fs::write(served.index.join(&segment), "damaged").unwrap();
    let failed = export(&served.index, &served.folder.path().join("site"), &[]);
    assert_eq!(failed.code, 2, "{}", failed.err);
    assert_eq!(names(), before);
}

#[test]
fn empty_folder_is_taken() {
    let served = Served::start();
    let site = served.folder.path().join("site");
    fs::create_dir(&site).unwrap();
    assert_eq!(export(&served.index, &site, &["--quiet"]).err, "");
    assert!(site.join("index.html").is_file());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&site).unwrap().permissions().mode();
        assert_eq!(mode & 0o500, 0o500);
        let other = served.folder.path().join("other");
        fs::create_dir(&other).unwrap();
        assert_eq!(mode, fs::metadata(&other).unwrap().permissions().mode(), "as any new folder");
    }
}

#[test]
fn games_whose_text_is_gone_are_counted_and_named() {
    let served = Served::start();
    fs::remove_file(served.folder.path().join("games.pdn")).unwrap();
    let site = served.folder.path().join("site");
    let made = export(&served.index, &site, &["--min-games", "1"]);
    assert_eq!(made.code, 2);
    assert!(made.err.contains("the text cannot be read"), "{}", made.err);
    let manifest = json(&site.join("manifest.json"));
    assert_eq!(manifest["exported"]["games"], 0);
    let unreadable = manifest["left_out"]["unreadable"].as_array().unwrap();
    assert_eq!(manifest["left_out"]["unreadable_games"], unreadable.len());
    assert!(unreadable.contains(&1.into()), "{unreadable:?}");
    assert_eq!(answers(&site, "pages")["stats"]["games"], 5);
}

#[test]
fn damaged_table_is_named_as_by_searches() {
    let served = Served::start();
    let site = |name: &str| served.folder.path().join(name);
    let whole = export(&served.index, &site("whole"), &["--min-games", "1"]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    let table = served.index.join("segment-00000001.keys");
    fs::write(&table, "damaged").unwrap();
    let exported = export(&served.index, &site("damaged"), &["--min-games", "1"]);
    let searched = run(&["tree", text(&served.index), "--variant", "international"]);
    let named =
        |run: &Run| run.err.lines().find(|line| line.contains("damaged, and not used")).map(str::to_owned);
    assert_eq!((exported.code, named(&exported)), (0, named(&searched)), "{}", exported.err);
    assert!(named(&exported).is_some_and(|line| line.contains("segment-00000001.keys")), "{}", exported.err);
    assert_eq!(
        answers(&site("damaged"), "tree/international"),
        answers(&site("whole"), "tree/international")
    );
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
fn site_with_the_index_has_the_index_and_the_module() {
    let folder = tempfile::tempdir().unwrap();
    let (index, module) = (index_of_two(folder.path(), &["--embed", "--positions"]), module(folder.path()));
    let sites = ["one", "two"].map(|name| folder.path().join(name));
    for site in &sites {
        let made = export(&index, site, &["--index", "--module", text(&module)]);
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
    assert!(!found.keys().any(|name| name.ends_with(".json.gz")), "nothing is computed beforehand");
    // The copy is an index that needs no archive and names no folder.
    fs::remove_file(folder.path().join("two.pdn")).unwrap();
    let shown = run(&["show", text(&site.join(data)), "1"]);
    assert!(shown.code == 0 && shown.out.contains("why"), "{}", shown.err);
    assert_eq!(run(&["verify", text(&site.join(data))]).code, 0);
    let hidden = folder.path().to_str().unwrap();
    for (name, bytes) in &found {
        assert!(!String::from_utf8_lossy(bytes).contains(hidden), "{name}");
    }
    // Only this page may start the module.
    let page = |found: &BTreeMap<String, Vec<u8>>| String::from_utf8(found["index.html"].clone()).unwrap();
    assert!(page(&found).contains("default-src 'self'; script-src 'self' 'wasm-unsafe-eval';"));
    let plain = folder.path().join("plain");
    assert_eq!(export(&index, &plain, &[]).code, 0);
    assert!(!page(&files(&plain)).contains("wasm-unsafe-eval"));
    let manifest = json(&site.join("manifest.json"));
    assert_eq!(manifest["files"]["number"], found.len() - 1);
    assert_eq!(manifest["left_out"]["views"], serde_json::json!(["check"]));
}

#[test]
fn site_with_the_index_takes_no_options_of_answers_and_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let module = module(folder.path());
    let index = index_of_two(folder.path(), &["--embed"]);
    let site = folder.path().join("site");
    for option in ["--max-ply", "--min-games", "--examples", "--players", "--events", "--threads", "--root"] {
        let refused = export(&index, &site, &["--index", "--module", text(&module), option, "3"]);
        assert_eq!(refused.code, 2, "{option}");
        assert!(refused.err.contains("--index") && refused.err.contains(option), "{}", refused.err);
    }
    let refused = export(&index, &site, &["--module", text(&module)]);
    assert!(refused.code == 2 && refused.err.contains("--index"), "{}", refused.err);
    // The program of the tests has no module next to it.
    let refused = export(&index, &site, &["--index"]);
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
        let refused = export(&index, &site, &["--index", "--module", text(&module)]);
        assert!(refused.code == 2 && refused.err.contains(problem), "{marked}: {}", refused.err);
        assert!(refused.err.contains("tools/explorer/module/build"), "{}", refused.err);
    }
    fs::write(module.join("pdn_explorer_module.wasm"), wasm()).unwrap();
    fs::remove_file(module.join("worker.js")).unwrap();
    let refused = export(&index, &site, &["--index", "--module", text(&module)]);
    assert!(refused.code == 2 && refused.err.contains("worker.js"), "{}", refused.err);
    fs::write(module.join("worker.js"), "").unwrap();
    fs::remove_dir_all(&index).unwrap();
    let without_texts = index_of_two(folder.path(), &[]);
    let refused = export(&without_texts, &site, &["--index", "--module", text(&module)]);
    assert!(refused.code == 2 && refused.err.contains("pdn index --embed"), "{}", refused.err);
    assert!(!site.exists());
}

#[test]
fn site_with_the_index_has_the_names_without_the_remarks_of_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let (index, module) = (index_of_two(folder.path(), &["--embed"]), module(folder.path()));
    let file = folder.path().join("names.toml");
    let group = "# a remark\n[[player]]\ncanonical = \"Ames, B.\"\nspellings = [\"Ames\"]\n";
    fs::write(&file, group).unwrap();
    let site = |name: &str| folder.path().join(name);
    for (name, options) in [("with", &["--names", text(&file)][..]), ("without", &[])] {
        let made = export(&index, &site(name), &[&["--index", "--module", text(&module)], options].concat());
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
    let refused =
        export(&index, &site("refused"), &["--index", "--module", text(&module), "--names", text(&file)]);
    assert!(refused.code == 2 && refused.err.contains("names.toml:1:1"), "{}", refused.err);
    assert!(!site("refused").exists());
}
