//! The JSON of different commands can be joined: the same key is the same thing everywhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{data, run, text};

/// Returns the lines of a text as JSON.
fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// Returns the file and the record of an object.
fn place(value: &Value) -> (String, u64) {
    let file = value["file"].as_str().unwrap_or_else(|| panic!("no file in {value}"));
    (file.to_owned(), value["record"].as_u64().unwrap_or_else(|| panic!("no record in {value}")))
}

#[test]
fn all_commands_name_records_alike() {
    let folder = tempfile::tempdir().unwrap();
    // Two files, indexed one after the other, the first of which grows in between.
    let [first, second] = ["moves.pdn", "clean.pdn"].map(|name| folder.path().join(name));
    let all = fs::read_to_string(data().join("moves.pdn")).unwrap();
    let half = all.find("[Event \"Illegal in a variation").unwrap();
    let clean = fs::read_to_string(data().join("clean.pdn")).unwrap();
    let dir = folder.path().join("index");
    let index = |append: &[&str], file: &PathBuf| {
        assert_eq!(run(&[&["index", text(file), "-o", text(&dir)], append].concat()).code, 0);
    };
    fs::write(&first, &all[..half]).unwrap();
    index(&[], &first);
    fs::write(&second, clean).unwrap();
    index(&["--append"], &second);
    fs::write(&first, &all).unwrap();
    index(&["--append"], &first);

    let found = lines(&run(&["find", text(&dir), "--json"]).out);
    assert_eq!(found.len(), all.matches("[Event").count() + 2);
    let by_place: BTreeMap<_, _> = found.iter().map(|hit| (place(hit), hit)).collect();
    assert_eq!(by_place.len(), found.len(), "no two games have the same place");
    let by_game: BTreeMap<_, _> = found.iter().map(|hit| (hit["game"].as_u64().unwrap(), hit)).collect();
    let check_same = |value: &Value, keys: &[&str], what: &str| {
        let hit = by_place.get(&place(value)).unwrap_or_else(|| panic!("{what} is of no game: {value}"));
        for key in keys {
            assert_eq!(value[key], hit[key], "`{key}` of {what} {value} and find {hit}");
        }
    };

    let mut checked = lines(&run(&["check", "--json", text(&first), text(&second)]).out);
    checked.pop().expect("the summary");
    assert!(checked.len() >= 6, "{checked:?}");
    for diagnostic in &checked {
        check_same(diagnostic, &["offset", "length"], "check");
        let number = |key: &str| diagnostic[key].as_u64().unwrap() as usize;
        let end = number("offset") + number("length");
        assert!((number("offset")..=end).contains(&number("at")) && number("at") + number("span") <= end);
    }

    let rejects = lines(&fs::read_to_string(dir.join("rejects.jsonl")).unwrap());
    assert!(rejects.len() >= 4, "{rejects:?}");
    for reject in &rejects {
        check_same(reject, &["game", "offset", "length", "status"], "rejects.jsonl");
        assert_eq!(place(reject), place(by_game[&reject["game"].as_u64().unwrap()]));
        // The diagnostic of the same record and place, with the same code and ply.
        let diagnostic = checked
            .iter()
            .find(|diagnostic| place(diagnostic) == place(reject) && diagnostic["code"] == reject["code"])
            .unwrap_or_else(|| panic!("no diagnostic of {reject}"));
        let same_place = ["line", "at"].iter().all(|key| diagnostic[key] == reject[key]);
        assert!(same_place || reject["code"] == "R007", "{reject} {diagnostic}");
        if let Some(ply) = diagnostic["ply"].as_u64() {
            assert_eq!(reject["ply"], ply, "{reject} {diagnostic}");
        }
    }

    let all_keys = ["game", "offset", "length", "variant", "variant_from", "status", "plies"];
    for hit in &found {
        let (file, record) = place(hit);
        let shown = |args: &[&str]| lines(&run(&[args, &["--json"]].concat()).out).pop().expect("a line");
        let of_index = shown(&["show", text(&dir), &hit["game"].to_string()]);
        check_same(&of_index, &all_keys, "show of the index");
        let of_file = shown(&["show", &file, &record.to_string()]);
        assert!(of_file.get("game").is_none(), "a file has no index");
        check_same(&of_file, &["offset", "length", "status", "plies"], "show of the file");
        let bytes = fs::read(Path::new(&file)).unwrap();
        let number = |key: &str| hit[key].as_u64().unwrap() as usize;
        let record = &bytes[number("offset")..][..number("length")];
        assert!(record.starts_with(b"[Event"), "{hit}");
    }
}
