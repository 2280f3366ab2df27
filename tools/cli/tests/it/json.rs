//! The JSON of every command is what the page `crates/app/src/guide/json.md` says: keys, types, and which of them are always there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use pdn_tables::GameField;
use serde_json::Value;

use crate::common::pdn;

/// A row of a table: the types that the value may have, and whether every parent has the key.
struct Key {
    types: BTreeSet<String>,
    always: bool,
}

/// The tables of the page by their headings.
fn tables() -> BTreeMap<String, BTreeMap<String, Key>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/app/src/guide/json.md");
    let page = fs::read_to_string(page).expect("the page is part of the library");
    let mut tables = BTreeMap::new();
    for section in page.split("\n## ").skip(1) {
        let (heading, text) = section.split_once('\n').expect("a heading has its line");
        let mut keys = BTreeMap::new();
        for row in text.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
            let [key, types, _, present] = cells[..] else { panic!("four cells: {row}") };
            let types = types.split(" or ").map(str::to_owned).collect();
            let twice =
                keys.insert(key.trim_matches('`').to_owned(), Key { types, always: present == "always" });
            assert!(twice.is_none(), "{heading}: {key} has two rows");
        }
        tables.insert(heading.replace('`', ""), keys);
    }
    tables
}

/// Runs the command and returns its lines as JSON, whatever its exit code.
fn json(args: &[&str]) -> Vec<Value> {
    let output = pdn(args).output().expect("the command runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<_> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{args:?}: {error}: {line}")))
        .collect();
    assert!(!lines.is_empty(), "{args:?} printed nothing: {errors}");
    lines
}

/// Compares values with the table of a section, and remembers which keys were printed.
struct Section<'t> {
    heading: &'t str,
    keys: &'t BTreeMap<String, Key>,
    printed: BTreeSet<String>,
}

impl Section<'_> {
    fn check(&mut self, value: &Value, path: &str) {
        match value {
            Value::Object(object) => {
                let dot = if path.is_empty() { "" } else { "." };
                let any = format!("{path}{dot}*");
                for (name, value) in object {
                    let own = format!("{path}{dot}{name}");
                    let depends_on_input = self.keys.contains_key(&any) && !self.keys.contains_key(&own);
                    let key = if depends_on_input { &any } else { &own };
                    self.check_key(key, value);
                }
                for (key, _) in self.keys.iter().filter(|(_, row)| row.always) {
                    let Some(name) = key.strip_prefix(path).and_then(|rest| rest.strip_prefix(dot)) else {
                        continue;
                    };
                    let own = !name.contains(['.', '[', '*']);
                    assert!(
                        !own || object.contains_key(name),
                        "{}: `{key}` is always there, but not in {value}",
                        self.heading
                    );
                }
            }
            Value::Array(values) => {
                let key = format!("{path}[]");
                values.iter().for_each(|value| self.check_key(&key, value));
            }
            _ => {}
        }
    }

    fn check_key(&mut self, key: &str, value: &Value) {
        let heading = self.heading;
        let row =
            self.keys.get(key).unwrap_or_else(|| panic!("{heading}: no row for `{key}`, which is {value}"));
        let found = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        assert!(row.types.contains(found), "{heading}: `{key}` is {found}: {value}");
        self.printed.insert(key.to_owned());
        // The moves of a variation have variations, at any depth.
        self.check(value, if key == "moves[].variations[].moves[]" { "moves[]" } else { key });
    }
}

/// Games that make the commands print as many keys as possible.
const GAMES: &str = "[Event \"Cup\"]\n[Site \"Here\"]\n[Date \"2001.02.03\"]\n[Round \"1\"]\n[White \"A\"]\n[Black \"B\"]\n\
    [Result \"2-0\"]\n[GameType \"20\"]\n[WhiteRating \"1500\"]\n[BlackRating \"1400\"]\n\n\
    {before} 1. 32-28! $5 {after} (1. 33-28 {inner} 18-23 (18-22) 2. 1-1) 19-23 2. 28x19 14x23 *\n\n\
    [Result \"1-1\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 1-1\n\n\
    1. 32-28 19-24 2. 28-32 20-25 *\n\n";

#[test]
fn output_has_the_documented_keys() {
    let tables = tables();
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).into_os_string().into_string().expect("UTF-8");
    let (games, index, damaged) = (path("games.pdn"), path("games.idx"), path("damaged.idx"));
    // A rejected record of more than a mebibyte, which `rejects.jsonl` cuts.
    let long = format!("[GameType \"20\"]\n\n1. 32-28 19-24 2. 28-32 {{{}}} *\n", "x".repeat(2 << 20));
    fs::write(&games, format!("{GAMES}{long}")).expect("written");

    let mut printed: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let mut add = |heading, values| printed.entry(heading).or_default().extend(values);
    let (last, lines): (Vec<_>, Vec<_>) = json(&["check", "--json", "--strict", &games])
        .into_iter()
        .partition(|line| line.get("summary").is_some());
    add("pdn check --json", lines);
    add("pdn check --json: last line", last);
    let fixable = path("fixable.pdn");
    fs::write(&fixable, "[Date \"2003-5-1\"]\n\n1. 31-25 19-23 *\n\n[Date \"1.2.2003\"]\n\n1. 32-28 *\n")
        .expect("written");
    let (last, lines): (Vec<_>, Vec<_>) =
        json(&["fix", "--json", &fixable]).into_iter().partition(|line| line.get("summary").is_some());
    add("pdn fix --json", lines);
    add("pdn fix --json: last line", last);
    let written = json(&["fix", "--json", "--write", &fixable]);
    let last: Vec<_> = written.into_iter().filter(|line| line.get("summary").is_some()).collect();
    assert_eq!(last[0]["summary"]["journals"], serde_json::json!([format!("{fixable}.undo")]));
    add("pdn fix --json: last line", last);
    let cp1251 = path("cp1251.pdn");
    let name =
        pdn::source::Encoding::WINDOWS_1251.encode("[White \"Иванов\"]\n[Black \"Петров\"]\n\n1. c3-d4 *\n");
    fs::write(&cp1251, name.expect("Cyrillic letters")).expect("written");
    let [out, bad, others] = ["out.pdn", "bad.pdn", "others.pdn"].map(path);
    add("pdn convert --json", json(&["convert", "--json", &games, &cp1251, "-o", &out]));
    let kept = ["--rejects", &bad, "--others", &others, "--limit", "1", "--force"];
    add("pdn convert --json", json(&[&["convert", "--json", &games, "-o", &out], &kept[..]].concat()));
    let named = path("named.pdn");
    let names = "[White \"Jansen, Jan\"]\n[Black \"Jansen, Johan\"]\n[Date \"1990\"]\n\n*\n\n[White \"Jansen, J.\"]\n\n*\n\n\
        [White \"jansen, jan\"]\n\n*\n";
    fs::write(&named, names).expect("written");
    add("pdn names --json", json(&["names", "--json", &named]));
    let map = path("names.toml");
    fs::write(&map, "[[player]]\ncanonical = \"Jansen\"\nspellings = [\"Jansen, J.\"]\n").expect("written");
    let lines = json(&["fix", "--json", "--names", &map, &named]);
    add("pdn fix --json", lines.into_iter().filter(|line| line.get("code").is_some()).collect());
    for group in ["code", "file"] {
        let heading =
            ["pdn check --by code --json", "pdn check --by file --json"][usize::from(group == "file")];
        let lines = json(&["check", "--by", group, "--json", "--strict", &games]);
        let (last, lines): (Vec<_>, Vec<_>) =
            lines.into_iter().partition(|line| line.get("summary").is_some());
        add(heading, lines);
        add("pdn check --json: last line", last);
    }
    let utf16 = path("utf16.pdn");
    fs::write(&utf16, b"\xFF\xFE[\0").expect("written");
    add("pdn stats --json", json(&["stats", "--json", &games]));
    add("pdn stats --json", json(&["stats", "--json", &utf16]));
    add("pdn index --json", json(&["index", "--json", "--positions", &games, "-o", &index]));
    add("pdn index --json", json(&["index", "--json", &games, "-o", &damaged]));
    let rejects = fs::read_to_string(Path::new(&index).join("rejects.jsonl")).expect("there");
    add("rejects.jsonl", rejects.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect());
    add("pdn find --json", json(&["find", &index, "--json", "--query", "aside all or all"]));
    let others = GameField::OF_MATCHES.iter().filter(|field| !field.is_default_of_matches());
    let others = others.map(|field| field.name()).chain(["line", "tags", "WhiteRating"]);
    let fields = format!("+{}", others.collect::<Vec<_>>().join(","));
    add("pdn find --fields ... --json", json(&["find", &index, "--json", "--fields", &fields]));
    let near =
        ["--query", "distance \"W:W31:B20\" <= 60", "--variant", "international", "--sort", "distance"];
    add("pdn find --json", json(&[&["find", &index, "--json"], &near[..]].concat()));
    for by in ["year", "white", "move", "ECO"] {
        add("pdn find --by ... --json", json(&["find", &index, "--json", "--by", by]));
    }
    add("pdn find --count --json", json(&["find", &index, "--json", "--count"]));
    add("pdn find --count --json", json(&["find", &index, "--json", "--count", "--all-plies"]));
    // A file that loses its games.
    let (shrunk, shrunk_index) = (path("shrunk.pdn"), path("shrunk.idx"));
    for games in [20, 2] {
        fs::write(&shrunk, "1. 32-28 *\n\n".repeat(games)).expect("written");
        add("pdn index --json", json(&["index", "--json", "--append", &shrunk, "-o", &shrunk_index]));
    }
    fs::remove_file(&shrunk).expect("there");
    let broken = path("broken.pdn.gz");
    fs::write(&broken, b"\x1F\x8B\x08").expect("written");
    add("pdn index --json", json(&["index", "--json", "--append", &games, &broken, "-o", &shrunk_index]));
    // Three records of one game.
    let copies = path("copies.pdn");
    let copy = "[White \"A\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0\n\n";
    fs::write(&copies, copy.repeat(2)).expect("written");
    let copies_index = path("copies.idx");
    json(&["index", "--json", &copies, "-o", &copies_index]);
    let problems = path("problems.pdn");
    let of = |tags: &str, fen: &str, moves: &str| {
        format!("{tags}[GameType \"20\"]\n[FEN \"{fen}\"]\n\n{moves} *\n\n")
    };
    let text = of("[Author \"A\"]\n[Publication \"B\"]\n[Date \"1911\"]\n", "W:W28,29:B23", "1. 28x19")
        + &of("[Date \"1912\"]\n", "W:W33,34:B29", "1. 33x24")
        + &of("", "W:W10,20,30:B9,15,25", "1. 20-14 25x34 2. 14x3")
        + &of("", "W:W6,30:B12,25", "")
        + &of("", "W:W7,8:B26", "1. 7-1 26-31 2. 8-2");
    fs::write(&problems, text).expect("written");
    for options in [&[][..], &["--lead", "5", "--max-plies", "3"], &["--nodes", "2"]] {
        let (last, lines): (Vec<_>, Vec<_>) = json(&[&["solve", "--json", &problems], options].concat())
            .into_iter()
            .partition(|line| line.get("summary").is_some());
        add("pdn solve --json", lines);
        add("pdn solve --json: last line", last);
    }
    for name in ["sheet.html", "sheet.svg"] {
        add("pdn sheet --json", json(&["sheet", "--json", &problems, "-o", &path(name)]));
    }
    for options in [
        &[&copies as &str, "--against", &copies_index][..],
        &[&copies_index, "--explain"],
        &[&problems, "--shifted", "--explain"],
    ] {
        let (last, lines): (Vec<_>, Vec<_>) = json(&[&["dedup", "--json"], options].concat())
            .into_iter()
            .partition(|line| line.get("summary").is_some());
        add("pdn dedup --json", lines);
        add("pdn dedup --json: last line", last);
    }
    // 31-26 is not played at once, but leads to a position of the first game.
    let orders = path("orders.pdn");
    fs::write(&orders, "1. 31-26 20-25 2. 33-29 *\n\n1. 33-29 20-25 2. 35-30 *\n").expect("written");
    let tree = ["tree", &orders, "--json", "--transpositions", "--moves", "33-29 20-25"];
    add("pdn tree --json", json(&tree));
    let dated = path("dated.pdn");
    let (first, then) =
        ("[Date \"1950.01.01\"]\n1. 32-28 *\n\n", "[Date \"1951.01.01\"]\n1. 32-28 19-23 *\n\n");
    fs::write(&dated, [first, then, "[Date \"1952.??.??\"]\n1. 34-29 *\n"].concat()).expect("written");
    add("pdn novelty --json", json(&["novelty", &dated, "--json"]));
    add("pdn tree --json", json(&["tree", &index, "--json"]));
    add("pdn tree --json", json(&["tree", &index, "--json", "--transpositions", "--moves", "1. 32-28"]));
    let club = path("club.pdn");
    let game = "[Event \"Club\"]\n[Site \"Here\"]\n[Date \"2001.02.03\"]\n[Round \"1\"]\n[GameType \"20\"]\n";
    let played = |white, black, result: &str, moves: &str| {
        format!("{game}[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} *\n\n")
    };
    let line = "1. 32-28 19-23 2. 28x19 14x23";
    let rows = [
        played("Ames, A", "Berg, B", "2-0", line),
        played("Berg, B", "Ames, A", "2-0", ""),
        played("Ames, A", "Ames, B", "*", line),
        played("Ames, A", "Berg, C", "1-1", line),
        played("Ames, A", "Berg, B", "2-0", line),
        "[Event \"Club 2\"]\n[White \"Berg, B\"]\n[Black \"Berg, C\"]\n\n1. 32-28 *\n\n".to_owned(),
        "[Event \"Club\"]\n[White \"Ames, A\"]\n[Black \"?\"]\n[WhiteRating \"1900\"]\n[BlackRating \"1800\"]\n\n1. 32-28 *\n\n"
            .to_owned(),
    ];
    fs::write(&club, rows.concat()).expect("written");
    let against = ["player", "ames", &club, "--json", "--quiet", "--against", "berg"];
    add("pdn player --json", json(&against));
    add("pdn player --json", json(&against[..5]));
    let berg = ["player", "is:Ames, B", &club, "--json", "--quiet", "--against", "a"];
    add("pdn player --json", json(&berg));
    add("pdn event --json", json(&["event", "club", &club, "--json", "--quiet"]));
    for game in ["1", "2", "3"] {
        add("pdn show FILE GAME --json", json(&["show", &games, game, "--json"]));
        add("pdn show FILE GAME --json", json(&["show", &index, game, "--json"]));
    }
    let evaluated = path("evaluated.pdn");
    fs::write(&evaluated, "1. 32-28 {[%eval 0.35]} ({before} 1. 33-28 18-28) 19-23 *").expect("written");
    add("pdn show FILE GAME --json", json(&["show", &evaluated, "1", "--json"]));
    let capture = path("capture.pdn");
    fs::write(&capture, "[GameType \"20\"]\n[SetUp \"1\"]\n[FEN \"W:W28:B22,12,1\"]\n\n1. 28x8 1-6 *\n")
        .expect("written");
    let shown = json(&["show", &capture, "1", "--json"]);
    assert_eq!(shown[0]["moves"][0]["path"], serde_json::json!(["28", "17", "8"]));
    assert_eq!(shown[0]["moves"][1]["path"], Value::Null, "no squares lie between");
    add("pdn show FILE GAME --json", shown);
    add("pdn show --json: a position", json(&["show", "--json"]));
    add("pdn show --json: a position", json(&["show", "--json", "--fen", "W:W:B1"]));
    add("pdn moves --json", json(&["moves", "--json"]));
    add("pdn moves --json", json(&["moves", "--json", "--fen", "W:WK47:B14,19,29,31,42"]));
    add("pdn perft --json", json(&["perft", "--json", "-d", "2"]));
    let (divided, _): (Vec<_>, Vec<_>) = json(&["perft", "--json", "--divide", "-d", "2"])
        .into_iter()
        .partition(|line| line.get("move").is_some());
    add("pdn perft --divide --json: a line for each move", divided);
    let endings = path("endings");
    let build = ["endgame", "build", "--json", "-g", "english", "--pieces", "2", "-o", &endings];
    let counted = "pdn endgame build --json and verify --json: two lines for each number of men and kings";
    add(counted, json(&build));
    let probe = ["endgame", "probe", "--json", "-g", "english", "--tables", &endings];
    let probed = json(&[&probe[..], &["W:WK7:BK12", "W:WK1:BK32", "W:WK1,K2:BK32"]].concat());
    add("pdn endgame probe --json: a line for each position", probed);
    let ending = path("ending.pdn");
    fs::write(&ending, "[GameType \"21\"]\n[WhiteRating \"2100\"]\n[BlackRating \"2000\"]\n[FEN \"W:WK7:BK12\"]\n\n1. 7-11 12-16 2. 11x20 0-2\n")
        .expect("written");
    let report = ["endgame", "report", "--json", "--ratings", "--tables", &endings, &ending];
    add("pdn endgame report --json: a line for each ending", json(&report));
    let solved = json(&["solve", "--json", "--tables", &endings, &ending]);
    add("pdn solve --json", solved.into_iter().filter(|line| line.get("summary").is_none()).collect());
    let proven = ["tree", "--json", "--tables", &endings, "--fen", "W:WK7:BK12", &ending];
    add("pdn tree --json", json(&proven));
    add(
        "pdn show FILE GAME --json",
        json(&["show", "--json", "--tables", &endings, &ending, "1", "--ply", "0"]),
    );
    let position = ["show", "--json", "-g", "english", "--tables", &endings, "--fen", "W:WK7:BK12"];
    add("pdn show --json: a position", json(&position));
    add("pdn bench --json", json(&["bench", "--json", "--rounds", "1", "--threads", "1", &games]));
    add("pdn explain CODE --json", json(&["explain", "--json", "R001"]));
    add("pdn explain --json: a line for each code", json(&["explain", "--json"]));
    let training = path("training");
    assert!(
        pdn(&["dataset", &games, "-o", &training, "--skip-plies", "0"])
            .output()
            .expect("run")
            .status
            .success()
    );
    let manifest = fs::read_to_string(Path::new(&training).join("manifest.json")).expect("there");
    add("manifest.json", vec![serde_json::from_str(&manifest).expect("JSON")]);
    add("pdn verify --json", json(&["verify", "--json", &index]));
    add("pdn merge --json", json(&["merge", "--json", &index]));
    // Problems of an index and of an archive.
    fs::write(&games, "replaced").expect("written");
    add("pdn verify --json", json(&["verify", "--json", &index]));
    let segment = Path::new(&damaged).join("segment-00000001.pdns");
    let mut bytes = fs::read(&segment).expect("there");
    bytes[100] ^= 1;
    fs::write(&segment, bytes).expect("written");
    add("pdn verify --json", json(&["verify", "--json", &damaged]));

    for (heading, keys) in &tables {
        let values =
            printed.remove(heading.as_str()).unwrap_or_else(|| panic!("no command prints `{heading}`"));
        let mut section = Section { heading, keys, printed: BTreeSet::new() };
        for value in &values {
            section.check(value, "");
        }
        // Paths are for programs that draw moves, and the stages of a sound program agree.
        let rare = |key: &str| match heading.as_str() {
            "pdn moves --json" => key.starts_with("moves[].path"),
            "pdn bench --json" => key == "disagreements[]",
            _ => false,
        };
        let never: Vec<_> = keys.keys().filter(|key| !section.printed.contains(*key) && !rare(key)).collect();
        assert!(never.is_empty(), "{heading}: documented but never printed: {never:?}");
    }
    assert!(printed.is_empty(), "no table for {:?}", printed.keys());
}
