//! Tests of `pdn serve`: its answers against those of the commands on the same index, its limits, and how it stops.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{pdn, run, text};

const GAMES: &str = "\
[White \"Berg, Lotte\"]\n[Black \"Duin\"]\n[Event \"Club\"]\n[Date \"1999.01.02\"]\n[WhiteRating \"2300\"]\n[BlackRating \"2100\"]\n\
[Result \"2-0\"]\n[GameType \"20\"]\n1. 32-28 {good} 19-23 (1... 18-22) 2. 28x19 14x23 2-0\n
[White \"Cornel\"]\n[Black \"Berg, L\u{f6}tte\"]\n[Date \"2003\"]\n[Result \"1-1\"]\n[GameType \"20\"]\n1. 32-28 19-23 2. 28x19 14x23 3. 37-32 1-1\n
[White \"Cornel\"]\n[Black \"Duin\"]\n[Result \"0-2\"]\n[GameType \"20\"]\n1. 33-28 18-22 0-2\n
[White \"Cornel\"]\n[Black \"Eik\"]\n[GameType \"20\"]\n1. 31-27 18-22 2. 27x18 12x23 *\n
[White \"Eik\"]\n[Black \"<b>Fjord</b>\"]\n[GameType \"25\"]\n1. c3-d4 b6-a5 *\n";

/// A server on an index of [`GAMES`] in a temporary folder.
pub(crate) struct Served {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) index: PathBuf,
    child: Child,
    port: u16,
}

/// A response: status, header and body.
pub(crate) struct Response {
    pub(crate) status: u16,
    header: String,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let mut lines = self.header.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

impl Served {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("games.pdn");
        fs::write(&archive, GAMES).unwrap();
        let index = folder.path().join("games.idx");
        let built = run(&["index", text(&archive), "-o", text(&index), "--positions"]);
        assert_eq!(built.code, 0, "{}", built.err);
        let (child, port) = serve(&index, options);
        Self { folder, index, child, port }
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
    }

    fn send(&self, request: &str) -> Response {
        let response = send(self.port, request.as_bytes());
        response.unwrap_or(Response { status: 0, header: String::new(), body: String::new() })
    }

    /// Returns the problem of a request that has to be refused with this status.
    #[track_caller]
    fn refused(&self, path: &str, status: u16) -> Value {
        let response = self.get(path);
        assert_eq!(response.status, status, "{path}: {}", response.body);
        assert_eq!(response.field("content-type"), Some("application/problem+json"));
        response.json()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a request and reads the response up to the end of the connection; `None` if there is none, or it ends early.
pub(crate) fn send(port: u16, request: &[u8]) -> Option<Response> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(300))).ok()?;
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (header, body) = answer.split_once("\r\n\r\n")?;
    let status = header.split(' ').nth(1)?.parse().ok()?;
    let response = Response { status, header: header.to_owned(), body: body.to_owned() };
    let length = response.field("content-length").and_then(|length| length.parse().ok());
    length.is_none_or(|length: usize| body.len() >= length).then_some(response)
}

/// Serves an index or an archive.
pub(crate) fn serve(path: &Path, options: &[&str]) -> (Child, u16) {
    start(&[&["serve", text(path), "--addr", "127.0.0.1:0"], options].concat())
}

/// Starts a server with these words and returns it with its port, which it prints once it listens.
pub(crate) fn start(words: &[&str]) -> (Child, u16) {
    let mut child = pdn(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.trim().trim_end_matches('/').rsplit(':').next().unwrap();
    (child, port.parse().unwrap_or_else(|_| panic!("no address: {line:?}")))
}

/// Returns the lines of JSON that a command prints.
#[track_caller]
fn lines(args: &[&str]) -> Vec<Value> {
    let run = run(args);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn conditions_on_files_see_their_names_only() {
    let served = Served::start();
    let folder = served.folder.path().file_name().unwrap().to_str().unwrap();
    let games = |query: &str| {
        let found = served.get(&format!("/api/v1/games/find?{query}"));
        assert!(found.status == 200 || found.status == 404, "{query}: {}", found.body);
        found.json()["games"].as_array().map_or(0, Vec::len)
    };
    assert!(games("file=games.pdn") > 0);
    assert_eq!(games("file=games.pdn"), games("file=game*"));
    assert_eq!(games(&format!("file={}*", served.folder.path().display())), 0);
    assert_eq!(games(&format!("file={folder}/games.pdn")), 0);
    assert_eq!(games(&format!("query=file:{folder}")), 0);
}

#[test]
fn lost_index_and_lost_archive_are_named() {
    let mut served = Served::start();
    assert_eq!(served.get("/health").json(), serde_json::json!({ "status": "ok", "indexes": ["games"] }));
    fs::remove_file(served.folder.path().join("games.pdn")).unwrap();
    for form in ["", ".json", ".pdn", ".svg"] {
        let problem = served.refused(&format!("/api/v1/games/games/1{form}"), 410);
        assert_eq!(problem["code"], "archive_changed", "{problem}");
        assert!(!problem.to_string().contains("games.pdn"), "{problem}");
    }
    fs::remove_dir_all(&served.index).unwrap();
    let start = Instant::now();
    let health = loop {
        let health = served.get("/health").json();
        if health["status"] != "ok" || start.elapsed() > Duration::from_secs(20) {
            break health;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(
        (&health["status"], &health["lost"][0]["name"]),
        (&"degraded".into(), &"games".into()),
        "{health}"
    );
    assert_eq!(served.get("/api/v1/games/tree").status, 200, "what is in memory is answered");
    served.child.kill().unwrap();
    let mut err = String::new();
    served.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!(err.matches("index games: cannot be opened any more: ").count(), 1, "{err}");
}

#[test]
fn tree_of_the_server_equals_pdn_tree() {
    let served = Served::start();
    let index = text(&served.index);
    for (query, options) in [
        ("", &[][..]),
        ("?variant=international&moves=32-28", &["--variant", "international", "--moves", "32-28"]),
        ("?white=cornel&sort=move", &["--white", "cornel", "--sort", "move"]),
        ("?transpositions=true&limit=1", &["--transpositions", "--limit", "1"]),
        ("?query=w-b%3E%3D0&date=1999..2003", &["--query", "w-b>=0", "--date", "1999..2003"]),
        ("?player=berg&player=duin", &["--player", "berg", "--player", "duin"]),
        ("?variant=russian", &["--variant", "russian"]),
    ] {
        let expected = lines(&[&["tree", index, "--json"], options].concat());
        let answer = served.get(&format!("/api/v1/games/tree{query}"));
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.json(), expected[0], "{query}");
    }
}

#[test]
fn rows_of_a_tree_are_those_of_all_its_examples_or_of_as_many_as_are_asked_for() {
    let served = Served::start();
    let tree = |query: &str| served.get(&format!("/api/v1/games/tree{query}")).json();
    let rows = |tree: &Value| {
        let mut games: Vec<u64> =
            tree["rows"].as_object().unwrap().keys().map(|game| game.parse().unwrap()).collect();
        games.sort_unstable();
        games
    };
    let examples = |entry: &Value| {
        entry["examples"].as_array().unwrap().iter().map(|game| game.as_u64().unwrap()).collect::<Vec<_>>()
    };
    let all = tree("?games=5");
    let mut of_all = examples(&all);
    all["moves"].as_array().unwrap().iter().for_each(|entry| of_all.extend(examples(entry)));
    of_all.sort_unstable();
    of_all.dedup();
    assert_eq!(rows(&all), of_all);
    for own in [0, 2, 5, 30] {
        let found = tree(&format!("?games=5&rows={own}"));
        let mut expected: Vec<u64> = examples(&all).into_iter().take(own).collect();
        expected.sort_unstable();
        assert_eq!(rows(&found), expected, "{own}");
        assert_eq!(found["moves"], all["moves"]);
    }
    assert!(rows(&tree("?games=1")).len() > 1, "moves have examples of their own");
    assert_eq!(served.get("/api/v1/games/tree?games=5&rows=31").status, 400);
}

#[test]
fn page_asks_for_no_more_examples_than_a_book_has() {
    let page = include_str!("../../../explorer/page/tree.js");
    let asked = format!("const ASKED_EXAMPLES = {};\n", pdn_index::query::TreeOptions::EXAMPLES_IN_BOOK);
    assert!(page.contains(&asked), "with more, every tree of the page is counted without the book");
}

#[test]
fn tree_that_would_take_too_many_games_says_so() {
    let served = Served::start_with(&["--tree-games", "1"]);
    let tree = served.get("/api/v1/games/tree?variant=international").json();
    let all = lines(&["tree", text(&served.index), "--variant", "international", "--json"]);
    assert_eq!((&all[0]["exact"], &all[0]["left_out"]), (&true.into(), &0.into()));
    assert_eq!(tree["exact"], false);
    let counted = tree["games"].as_u64().unwrap() + tree["left_out"].as_u64().unwrap();
    assert_eq!(counted, all[0]["games"].as_u64().unwrap());
    assert_eq!(served.get("/masters").json()["exact"], false);
    // One game is within the limit.
    assert_eq!(served.get("/api/v1/games/tree?variant=russian").json()["exact"], true);
}

#[test]
fn tree_of_the_server_has_the_values_of_tables() {
    let folder = tempfile::tempdir().unwrap();
    let [archive, endings] = ["games.pdn", "endings"].map(|name| folder.path().join(name));
    fs::write(&archive, "[GameType \"21\"]\n[FEN \"W:WK7:BK12\"]\n1. 7-3 12-16 1-1\n").unwrap();
    let built = run(&["endgame", "build", "-g", "english", "--pieces", "2", "-o", text(&endings)]);
    assert_eq!(built.code, 0, "{}", built.err);
    let (child, port) = serve(&archive, &["--tables", text(&endings)]);
    let served = Served { folder, index: archive, child, port };
    let tree = served.get("/api/v1/games/tree?fen=W:WK7:BK12").json();
    assert_eq!((&tree["table"], &tree["distance"]), (&json!("won"), &json!(3)));
    assert_eq!((&tree["moves"][0]["table"], &tree["moves"][0]["distance"]), (&json!("drawn"), &Value::Null));
    let best = &tree["proven"][0];
    assert_eq!(
        [&best["move"], &best["table"], &best["distance"]],
        [&json!("7-11"), &json!("won"), &json!(3)]
    );
    let found = served.get("/api/v1/games/find?query=%40thrown").json();
    assert_eq!(found["games"].as_array().map(Vec::len), Some(1), "{found}");
}

#[test]
fn found_games_of_the_server_equal_those_of_pdn_find() {
    let served = Served::start();
    let index = text(&served.index);
    for (query, options) in [
        ("", &[][..]),
        ("?player=berg&sort=date&reverse=true", &["--player", "berg", "--sort", "date", "--reverse"]),
        ("?variant=international&pattern=w28", &["--variant", "international", "--pattern", "w28"]),
        ("?query=move+takes+%3E%3D+1", &["--query", "move takes >= 1"]),
        ("?min_rating=2000", &["--min-rating", "2000"]),
        ("?tag=WhiteRating", &["--tag", "WhiteRating"]),
    ] {
        let fields = ["find", index, "--json", "--fields", "+fen"];
        let mut expected = lines(&[&fields, options].concat());
        for row in &mut expected {
            // The server shows no folders.
            row["file"] = "games.pdn".into();
        }
        let answer = served.get(&format!("/api/v1/games/find{query}")).json();
        assert_eq!(answer["total"], expected.len(), "{query}");
        assert_eq!(answer["games"], Value::Array(expected), "{query}");
    }
    let page = served.get("/api/v1/games/find?offset=1&limit=2").json();
    let numbers: Vec<_> = page["games"].as_array().unwrap().iter().map(|game| game["game"].clone()).collect();
    assert_eq!((numbers, &page["total"]), (vec![2.into(), 3.into()], &5.into()));
    assert_eq!(served.get("/api/v1/games/find?offset=99").json()["games"], Value::Array(Vec::new()));
}

#[test]
fn files_of_found_games_equal_those_of_pdn_find() {
    let served = Served::start();
    let expected = run(&["find", text(&served.index), "--player", "cornel", "--format", "pdn"]);
    let answer = served.get("/api/v1/games/find.pdn?player=cornel");
    assert_eq!((answer.status, answer.body), (200, expected.out));
    let table = served.get("/api/v1/games/find.csv?player=cornel");
    assert!(table.body.starts_with("game,ply,white,black,"), "{}", table.body);
    assert_eq!(table.body.lines().count(), 4);
    assert!(table.body.contains("\"Berg, L\u{f6}tte\""), "{}", table.body);
}

#[test]
fn game_of_the_server_equals_pdn_show() {
    let served = Served::start();
    let mut expected = lines(&["show", text(&served.index), "1", "--json"]);
    expected[0]["file"] = "games.pdn".into();
    for address in ["1", "1.json"] {
        let mut game = served.get(&format!("/api/v1/games/games/{address}")).json();
        // Only links of the page need it.
        let digest = game.as_object_mut().unwrap().remove("digest").expect("a digest");
        assert_eq!(digest.as_str().map(str::len), Some(6));
        assert_eq!(game, expected[0]);
    }
    let text = served.get("/api/v1/games/games/1.pdn");
    assert!(text.body.contains("{good}") && text.body.contains("(1... 18-22)"), "{}", text.body);
    let picture = served.get("/api/v1/games/games/1.svg?ply=1&flip=true");
    assert_eq!(picture.field("content-type"), Some("image/svg+xml"));
    assert!(!picture.body.contains("<text "), "{}", picture.body);
    let numbered = served.get("/api/v1/games/games/1.svg?ply=1&numbers=true");
    assert!(numbered.body.contains(">50</text>"), "{}", numbered.body);
    assert_eq!(served.refused("/api/v1/games/games/1?ply=99", 400)["parameter"], "ply");
    served.refused("/api/v1/games/games/6", 404);
    served.refused("/api/v1/games/games/0", 404);
    served.refused("/api/v1/games/games/..%2F..%2Fetc%2Fpasswd", 404);
}

#[test]
fn position_lists_the_moves_of_pdn_moves() {
    let served = Served::start();
    let expected = lines(&["moves", "--variant", "russian", "--moves", "c3-d4", "--json"]).remove(0);
    let position = served.get("/api/v1/games/position?variant=russian&moves=c3-d4").json();
    assert_eq!(position["fen"], expected["fen"]);
    let mut moves = position["moves"].clone();
    for mv in moves.as_array_mut().unwrap() {
        mv.as_object_mut().unwrap().remove("path");
    }
    assert_eq!(moves, expected["moves"]);
    assert_eq!(position["board"]["rows"][7][0], "a1");
    let problem = served.refused("/api/v1/games/position?moves=1-99", 400);
    assert_eq!(problem["parameter"], "moves");
}

#[test]
fn players_and_stats_count_the_games() {
    let served = Served::start();
    let players = served.get("/api/v1/games/players?name=berg").json();
    assert_eq!(players["total"], 1, "spellings that differ in accents are one player: {players}");
    let berg = &players["players"][0];
    assert_eq!((&berg["games"], &berg["won"], &berg["drawn"]), (&2.into(), &1.into(), &1.into()));
    assert_eq!(berg["spellings"].as_array().unwrap().len(), 2);
    let stats = served.get("/api/v1/games/stats").json();
    assert_eq!((&stats["games"], &stats["variants"]["international"]), (&5.into(), &4.into()));
    let some = served.get("/api/v1/games/stats?player=cornel").json();
    assert_eq!((&some["games"], &some["black"]), (&3.into(), &1.into()));
}

#[test]
fn openings_have_queries_whose_games_have_the_name() {
    let served = Served::start();
    let all = served.get("/api/v1/games/openings").json();
    let english = served.get("/api/v1/games/openings?variant=english").json();
    let (all, english) = (all["openings"].as_array().unwrap(), english["openings"].as_array().unwrap());
    assert!(all.len() > english.len() && english.iter().all(|opening| opening["variant"] == "english"));
    let symmetrical = all.iter().find(|opening| opening["name"] == "Symmetrical Variation").unwrap();
    let query = symmetrical["query"].as_str().unwrap();
    assert_eq!(query, "opening_played = \"Symmetrical Variation\" and line \"32-28 19-23\"");
    let query: String = query
        .bytes()
        .map(|byte| if byte == b' ' { "%20".to_owned() } else { format!("%{byte:02X}") })
        .collect();
    let games = served.get(&format!("/api/v1/games/find?query={query}")).json();
    assert_eq!(games["games"][0]["ply"], 2, "{games}");
    served.refused("/api/v1/games/openings?variant=chess", 400);
}

#[test]
fn lists_of_players_and_events_find_beginnings_of_words() {
    let served = Served::start_with(&["--title", "The \"club\""]);
    assert_eq!(served.get("/api/v1/indexes").json()["title"], "The \"club\"");
    let players = served.get("/api/v1/games/players?name=ber").json();
    assert_eq!((&players["total"], &players["players"][0]["games"]), (&1.into(), &2.into()), "{players}");
    let events = served.get("/api/v1/games/events").json();
    let named = events["events"].as_array().unwrap();
    assert_eq!(events["total"], named.len());
    let first = named[0]["event"].as_str().unwrap();
    let beginning: String = first.chars().take(3).collect();
    let found = served.get(&format!("/api/v1/games/events?name={beginning}&limit=1")).json();
    assert_eq!(found["events"][0], named[0]);
    assert_eq!(served.get("/api/v1/games/events?name=zzz").json()["total"], 0);
}

#[test]
fn reports_of_players_and_events_are_those_of_the_command() {
    let served = Served::start();
    let command = |args: &[&str]| {
        let run = run(&[args, &[text(&served.index), "--json"]].concat());
        assert_eq!(run.code, 0, "{args:?}: {}", run.err);
        serde_json::from_str::<Value>(&run.out).unwrap()
    };
    for (address, args) in [
        ("player?name=berg", &["player", "berg", "--limit", "30"][..]),
        ("player?name=berg&limit=1&winner=white", &["player", "berg", "--limit", "1", "--winner", "white"]),
        ("player?name=berg&against=cornel", &["player", "berg", "--limit", "30", "--against", "cornel"]),
        ("event?name=club", &["event", "club"]),
        ("event?name=club&tie_breaks=wins,buchholz", &["event", "club", "--tie-breaks", "wins,buchholz"]),
    ] {
        // The name comes before the path.
        assert_eq!(served.get(&format!("/api/v1/games/{address}")).json(), command(args), "{address}");
    }
    assert_eq!(served.refused("/api/v1/games/player", 400)["parameter"], "name");
    assert_eq!(
        served.refused("/api/v1/games/event?name=club&tie_breaks=size", 400)["parameter"],
        "tie_breaks"
    );
    assert_eq!(served.refused("/api/v1/games/player?name=nobody", 404)["code"], "no_match");
}

#[test]
fn problems_do_not_tell_the_folder_of_an_index() {
    let served = Served::start();
    let problem = served.refused("/api/v1/games/tree?variant=canadian", 400);
    assert_eq!(problem["detail"], "no game of variant `canadian`; the index has international, russian");
    let (archive, index) = (served.folder.path().join("empty.pdn"), served.folder.path().join("empty.idx"));
    fs::write(&archive, "").unwrap();
    assert_eq!(run(&["index", text(&archive), "-o", text(&index)]).code, 0);
    let (mut child, port) = serve(&index, &[]);
    let request = b"GET /api/v1/empty/tree HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let answer = send(port, request).map(|answer| answer.json());
    let _ = (child.kill(), child.wait());
    assert_eq!(answer.unwrap()["detail"], "the index has no games");
}

#[test]
fn wrong_parameters_are_refused_by_name_and_place() {
    let served = Served::start();
    assert_eq!(served.refused("/api/v1/games/tree?whit=a", 400)["parameter"], "whit");
    assert_eq!(served.refused("/api/v1/games/tree?white=a&white=b", 400)["parameter"], "white");
    assert_eq!(served.refused("/api/v1/games/tree?sort=size", 400)["parameter"], "sort");
    assert_eq!(served.refused("/api/v1/games/find?limit=-1", 400)["parameter"], "limit");
    assert_eq!(served.refused("/api/v1/games/find?pattern=w28", 400)["parameter"], "variant");
    let query = served.refused("/api/v1/games/find?query=w%3E%3E1", 400);
    assert_eq!((&query["parameter"], &query["at"]), (&"query".into(), &2.into()), "{query}");
    let long = format!("/api/v1/games/find?query={}", "a".repeat(9000));
    served.refused(&long, 414);
    served.refused("/api/v1/others/tree", 404);
}

#[test]
fn no_file_of_the_server_is_read_for_a_client() {
    let served = Served::start();
    let secret = served.folder.path().join("secret.txt");
    fs::write(&secret, "w28").unwrap();
    let path = format!("/api/v1/games/find?variant=international&pattern=@{}", text(&secret));
    assert_eq!(served.refused(&path, 400)["parameter"], "pattern");
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/lang/../../Cargo.toml", "//etc/passwd"] {
        assert_eq!(served.get(path).status, 404, "{path}");
    }
    let answer = served.get("/api/v1/games/find").body + &served.get("/api/v1/games/games/1").body;
    assert!(!answer.contains(text(served.folder.path())), "folders of the server are not shown");
}

#[test]
fn other_hosts_and_other_methods_are_refused() {
    let served = Served::start_with(&["--host", "draughts.example"]);
    let ask = |host: &str| {
        served.send(&format!("GET /health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    };
    assert_eq!(ask("evil.example").status, 421);
    assert_eq!(ask("draughts.example").status, 200);
    assert_eq!(ask("127.0.0.1").status, 200);
    let post = served
        .send("POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    assert_eq!((post.status, post.field("allow")), (405, Some("GET,HEAD")));
    assert_eq!(served.get("/").field("access-control-allow-origin"), None);
}

#[test]
fn answers_have_the_digest_of_the_index_as_their_tag() {
    let served = Served::start();
    let first = served.get("/api/v1/games/tree");
    let tag = first.field("etag").unwrap().to_owned();
    let again = |tag: &str| {
        let request = "GET /api/v1/games/tree HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        served.send(&format!("{request}If-None-Match: {tag}\r\n\r\n"))
    };
    assert_eq!((again(&tag).status, again(&tag).body.as_str()), (304, ""));
    assert_eq!(again("\"other\"").status, 200);
}

#[test]
fn index_that_grows_is_opened_again() {
    let served = Served::start();
    let before = served.get("/api/v1/games/tree");
    let more = served.folder.path().join("more.pdn");
    fs::write(&more, "[White \"New\"]\n[GameType \"20\"]\n1. 34-30 *\n").unwrap();
    let added = run(&["index", "--append", text(&more), "-o", text(&served.index)]);
    assert_eq!(added.code, 0, "{}", added.err);
    let start = Instant::now();
    loop {
        let after = served.get("/api/v1/games/tree");
        if after.json()["games"] == 5 {
            assert_ne!(after.field("etag"), before.field("etag"));
            assert_eq!(served.get("/api/v1/games/find?white=new").json()["total"], 1);
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "{}", after.body);
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn text_is_checked_and_repaired_and_not_kept() {
    let served = Served::start();
    let check = |text: &str| {
        let head = "POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        served.send(&format!("{head}Content-Length: {}\r\n\r\n{text}", text.len()))
    };
    let damaged = "[Event \"a\"]\n[Date \"2003-5-1\"]\n[GameType \"20\"]\n1. 32-28 19-24 2. 44-11 *\n";
    let answer = check(damaged).json();
    let archive = served.folder.path().join("text.pdn");
    fs::write(&archive, damaged).unwrap();
    let expected = run(&["check", "--json", text(&archive)]);
    let mut expected: Vec<Value> =
        expected.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let summary = expected.pop().unwrap();
    for finding in &mut expected {
        finding.as_object_mut().unwrap().remove("file");
    }
    let mut diagnostics = answer["diagnostics"].clone();
    for finding in diagnostics.as_array_mut().unwrap() {
        let finding = finding.as_object_mut().unwrap();
        // The line, and what the message is made of, are for programs that do not have the file.
        assert!(finding.remove("excerpt").is_some() && finding.remove("arguments").is_some());
    }
    assert_eq!(diagnostics, Value::Array(expected));
    assert_eq!(answer["summary"], summary["summary"]);
    assert!(answer["fixed"].as_str().unwrap().contains("2003.05.01"), "{answer}");
    assert_eq!(check("1. 32-28 *\n").json()["fixed"], Value::Null);
    let binary = check("\0\u{1}\u{2}\u{3}\0\0\0\u{4}");
    assert!(binary.status == 400 || binary.status == 200, "{}", binary.body);
    let head = "POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    let large = served.send(&format!("{head}Content-Length: 99999999\r\n\r\n"));
    assert_eq!(large.status, 413, "refused before the text arrives");
}

#[test]
fn shapes_of_lichess_are_answered() {
    let served = Served::start();
    let masters = served.get("/masters?play=32-28,19-23&topGames=1").json();
    assert_eq!(masters["moves"][0]["uci"], "2819");
    assert_eq!((&masters["white"], &masters["draws"], &masters["black"]), (&1.into(), &1.into(), &0.into()));
    assert_eq!(masters["topGames"].as_array().unwrap().len(), 1);
    assert_eq!(masters["opening"], json!({ "eco": "", "name": "Symmetrical Variation" }));
    assert_eq!(
        masters["moves"][0]["opening"],
        Value::Null,
        "the position after the move has no name of its own"
    );
    let query = "fen=W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,\
                 19,20:H0:F1&variant=standard&speeds[]=blitz&ratings[]=1600&ratings[]=2500&moves=2";
    let client = served.get(&format!("/lidraughts?{query}"));
    assert_eq!(client.status, 200, "{}", client.body);
    assert_eq!(client.json()["moves"].as_array().unwrap().len(), 2);
    let player = served.get("/player?player=cornel&color=white").json();
    assert_eq!(player["black"], 1);
    assert_eq!(served.refused("/player", 400)["parameter"], "player");
}

#[test]
fn description_health_and_metrics_are_answered() {
    let served = Served::start();
    assert_eq!(served.get("/health").json()["status"], "ok");
    let description = served.get("/api/v1/openapi.json").json();
    assert_eq!(description["openapi"], "3.1.0");
    let indexes = served.get("/api/v1/indexes").json();
    assert_eq!(
        (&indexes["indexes"][0]["name"], &indexes["indexes"][0]["games"]),
        (&"games".into(), &5.into())
    );
    let metrics = served.get("/metrics").body;
    assert!(metrics.contains("pdn_requests_total{route=\"/health\",status=\"2xx\"} 1"), "{metrics}");
}

#[test]
fn archive_is_served_without_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("wk 2003.pdn");
    fs::write(&archive, GAMES).unwrap();
    let (child, port) = serve(&archive, &[]);
    let served = Served { index: archive, folder, child, port };
    assert_eq!(served.get("/api/v1/wk-2003/tree").json()["games"], 4);
    assert!(served.get("/api/v1/wk-2003/games/1.pdn").body.contains("{good}"));
}

#[test]
fn slow_and_large_headers_do_not_hold_up_others() {
    let served = Served::start();
    // A header that never ends does not hold up others.
    let mut slow = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ").unwrap();
    assert_eq!(served.get("/health").status, 200);
    let large = format!(
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\nConnection: close\r\n\r\n",
        "a".repeat(100_000)
    );
    assert_eq!(served.send(&large).status, 431);
    assert_eq!(served.get("/health").status, 200);
}

#[test]
#[cfg(unix)]
fn server_stops_gracefully_on_sigterm() {
    let mut served = Served::start();
    let start = Instant::now();
    let killed = std::process::Command::new("kill").arg(served.child.id().to_string()).status().unwrap();
    assert!(killed.success());
    let status = served.child.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(30));
}
