//! Tests of the import of `pdn serve`: what is stored and what is not, who may import, and at which address.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{pdn, run, text};
use crate::serve::{Response, send};

pub(crate) const TOKEN: &str = "a-token-for-the-tests";

/// Returns a game as lidraughts writes it.
pub(crate) fn game(id: u32, moves: &str) -> String {
    format!(
        "[LidraughtsID \"{id:08}\"]\n[Site \"https://lidraughts.org/{id:08}\"]\n[Date \"2026.01.02\"]\n[White \"anna\"]\n[Black \
         \"bert\"]\n[Result \"2-0\"]\n[WhiteElo \"1801\"]\n[BlackElo \"1790\"]\n[Variant \"Standard\"]\n[GameType \"20\"]\n\
         [TimeControl \"180+2\"]\n\n{moves} 2-0\n\n\n"
    )
}

/// Returns another game for each number.
pub(crate) fn numbered_game(id: u32) -> String {
    game(id, ["1. 32-28 19-23 2. 28x19 14x23", "1. 33-28 18-22", "1. 34-30 20-25 2. 39-34"][id as usize % 3])
}

/// A server that imports into an index of one game.
pub(crate) struct Importing {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) index: PathBuf,
    pub(crate) child: Child,
    pub(crate) port: u16,
    pub(crate) import_port: u16,
}

impl Importing {
    pub(crate) fn start() -> Self {
        Self::start_with(&[], &[])
    }

    /// Starts a server; `FOLDER` in its options is the folder of the index.
    fn start_with(index_options: &[&str], options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("club.pdn");
        fs::write(&archive, "[White \"old\"]\n[GameType \"20\"]\n1. 31-27 17-21 1-1\n").unwrap();
        let index = folder.path().join("club.idx");
        let built = run(&[&["index", text(&archive), "-o", text(&index)], index_options].concat());
        assert_eq!(built.code, 0, "{}", built.err);
        let folder_name = text(folder.path());
        let options: Vec<String> =
            options.iter().map(|option| option.replace("FOLDER", folder_name)).collect();
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let (child, port, import_port) = start(&index, &options);
        Self { folder, index, child, port, import_port }
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        send(self.port, request.as_bytes()).expect("an answer")
    }

    #[track_caller]
    fn put(&self, games: &str) -> Value {
        let response = put(self.import_port, TOKEN, games).expect("an answer");
        assert_eq!(response.status, 200, "{}", response.body);
        response.json()
    }

    fn archive(&self) -> PathBuf {
        self.folder.path().join("club.imported.pdn")
    }
}

impl Drop for Importing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a server and returns it with its two ports, which it prints once it listens.
pub(crate) fn start(index: &Path, options: &[&str]) -> (Child, u16, u16) {
    let token = index.with_file_name("token");
    fs::write(&token, format!("{TOKEN}\n")).unwrap();
    let mut command = pdn(&["serve", text(index), "--addr", "127.0.0.1:0", "--import-addr", "127.0.0.1:0"]);
    command.args(["--import-token-file", text(&token)]).args(options);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut port = |path: &str| -> u16 {
        let line = lines.next().and_then(Result::ok).unwrap_or_default();
        let port = line.strip_suffix(path).and_then(|address| address.rsplit(':').next()?.parse().ok());
        port.unwrap_or_else(|| panic!("no address: {line:?}"))
    };
    let ports = (port("/"), port("/import/lidraughts"));
    (child, ports.0, ports.1)
}

/// Sends games; `None` if there is no complete answer.
pub(crate) fn put(port: u16, token: &str, games: &str) -> Option<Response> {
    let head = "PUT /import/lidraughts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    let length = games.len();
    send(
        port,
        format!("{head}Authorization: Bearer {token}\r\nContent-Length: {length}\r\n\r\n{games}").as_bytes(),
    )
}

#[test]
fn imported_games_are_stored_indexed_and_served() {
    let served = Importing::start();
    let games = [numbered_game(1), numbered_game(2)].concat();
    let answer = served.put(&games);
    let expected = json!({
        "taken": 2, "known": 0, "refused": 0, "first_game": 2, "games": 3, "errors": [], "completed": [], "refusals": [],
    });
    assert_eq!(answer, expected);
    // Confirmed games are there at once.
    let found = served.get("/api/v1/club/find?player=anna").json();
    assert_eq!((&found["total"], &found["games"][1]["game"]), (&2.into(), &3.into()));
    assert_eq!(served.get("/api/v1/club/games/3.pdn").body.trim(), numbered_game(2).trim());
    assert_eq!(served.get("/api/v1/club/tree?moves=33-28").json()["games"], 1);
    // The archive has the games as they were sent, and other commands read both.
    assert_eq!(fs::read_to_string(served.archive()).unwrap(), games);
    assert_eq!(run(&["find", text(&served.index), "--player", "anna", "--count"]).out, "2\n");
    let verified = run(&["verify", "--full", text(&served.index)]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
}

#[test]
fn confirmed_games_are_in_every_later_answer() {
    let served = Importing::start();
    let games = || served.get("/api/v1/club/find?player=anna").json()["total"].clone();
    for id in 1..=8 {
        // The answer is in the cache then, under the state of the index before the import.
        assert_eq!((games(), games()), ((id - 1).into(), (id - 1).into()));
        served.put(&numbered_game(id));
        assert_eq!(games(), id, "after game {id}");
    }
}

#[test]
fn game_that_is_sent_again_is_not_stored_again() {
    let mut served = Importing::start();
    let games = [numbered_game(1), numbered_game(2), numbered_game(1)].concat();
    let counts =
        |answer: &Value| [&answer["taken"], &answer["known"], &answer["games"]].map(|n| n.as_u64().unwrap());
    assert_eq!(counts(&served.put(&games)), [2, 1, 3], "twice in one text");
    assert_eq!(counts(&served.put(&games)), [0, 3, 3]);
    assert_eq!(served.put(&games)["first_game"], Value::Null);
    // A new server knows them too.
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    (served.child, served.port, served.import_port) = start(&served.index, &[]);
    assert_eq!(counts(&served.put(&[games, numbered_game(3)].concat())), [1, 3, 4]);
    assert_eq!(served.get("/api/v1/club/find").json()["total"], 4);
}

#[test]
fn games_with_errors_are_stored_and_reported_and_nothing_is_dropped_silently() {
    let served = Importing::start();
    let illegal = game(1, "1. 32-28 19-24 2. 44-11");
    let ended = numbered_game(2)
        .replace("14x23 2-0", "14x23")
        .replace("18-22 2-0", "18-22")
        .replace("39-34 2-0", "39-34");
    let answer = served.put(&["no game\n", &illegal, &numbered_game(3), &ended].concat());
    assert_eq!((&answer["taken"], &answer["refused"]), (&3.into(), &1.into()), "{answer}");
    assert_eq!(answer["refusals"], json!([{ "record": 1, "reason": "it does not begin with a tag" }]));
    let error = &answer["errors"][0];
    assert_eq!(
        (&error["record"], &error["game"], &error["status"]),
        (&2.into(), &2.into(), &"illegal".into()),
        "{answer}"
    );
    assert!(error["code"].is_string() && error["reason"].is_string(), "{answer}");
    assert_eq!(answer["errors"].as_array().unwrap().len(), 1);
    assert_eq!(answer["completed"], json!([4]));
    assert_eq!(served.get("/api/v1/club/find?status=illegal").json()["total"], 1);
    // What cannot be read at all is an error, and nothing is stored.
    let before = fs::read(served.archive()).unwrap();
    for (text, status) in [("", 400), ("[White \"\u{0}\"]", 400), ("no game", 422)] {
        assert_eq!(put(served.import_port, TOKEN, text).unwrap().status, status, "{text:?}");
    }
    assert_eq!(fs::read(served.archive()).unwrap(), before);
}

#[test]
fn routes_of_one_address_do_not_exist_at_the_other() {
    let served = Importing::start();
    let games = numbered_game(1);
    assert_eq!(put(served.port, TOKEN, &games).unwrap().status, 405, "the page answers no PUT");
    for path in [
        "/",
        "/health",
        "/metrics",
        "/api/v1/indexes",
        "/api/v1/club/find",
        "/masters",
        "/api/v1/openapi.json",
    ] {
        assert_eq!(served.get(path).status, 200, "{path}");
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(send(served.import_port, request.as_bytes()).unwrap().status, 404, "{path}");
    }
    assert_eq!(served.get("/import/lidraughts").status, 404);
    assert!(!served.archive().exists() || fs::read(served.archive()).unwrap().is_empty());
}

#[test]
fn only_programs_with_the_token_import_and_no_log_shows_it() {
    let mut served = Importing::start_with(&[], &["--log"]);
    let wrong = TOKEN.replace('a', "b");
    let refused = put(served.import_port, &wrong, &numbered_game(1)).unwrap();
    assert_eq!((refused.status, refused.field("www-authenticate")), (401, Some("Bearer")));
    let foreign = format!(
        "PUT /import/lidraughts HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 0\r\n\
         Connection: close\r\n\r\n"
    );
    assert_eq!(send(served.import_port, foreign.as_bytes()).unwrap().status, 421);
    served.put(&numbered_game(1));
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    let mut log = String::new();
    served.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert_eq!(log.matches("/import/lidraughts").count(), 3, "{log}");
    assert!(!log.contains(TOKEN) && !log.contains(&wrong), "{log}");
}

#[test]
fn index_that_another_program_writes_is_tried_again() {
    let served = Importing::start();
    let mut writer = pdn(&["index", "--append", "-o", text(&served.index), "-"]);
    let mut writer =
        writer.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // It holds the lock as long as its standard input is open.
    let is_locked = || {
        let lock = fs::File::open(served.index.join("lock")).unwrap();
        matches!(lock.try_lock(), Err(fs::TryLockError::WouldBlock))
    };
    while !is_locked() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let refused = put(served.import_port, TOKEN, &numbered_game(1)).unwrap();
    assert_eq!((refused.status, refused.field("retry-after")), (503, Some("5")), "{}", refused.body);
    drop(writer.stdin.take());
    writer.wait().unwrap();
    // The game is in the archive since the first time, and confirmed now that it is in the index.
    assert_eq!(served.put(&numbered_game(1))["known"], 1);
    assert_eq!(served.get("/api/v1/club/find?player=anna").json()["total"], 1);
}

#[test]
fn many_small_imports_keep_numbers_key_tables_and_few_segments() {
    let served = Importing::start_with(&["--positions"], &["--import-archive", "FOLDER/own.pdn"]);
    for id in 1..=20 {
        assert_eq!(served.put(&numbered_game(id))["first_game"], id + 1);
    }
    for id in [1, 9, 20] {
        assert_eq!(
            served.get(&format!("/api/v1/club/games/{}.pdn", id + 1)).body.trim(),
            numbered_game(id).trim()
        );
    }
    assert!(served.folder.path().join("own.pdn").exists() && !served.archive().exists());
    let verified = run(&["verify", "--full", "--json", text(&served.index)]);
    let report: Value = serde_json::from_str(&verified.out).unwrap();
    assert_eq!((&report["sound"], &report["games"]), (&true.into(), &21.into()), "{report}");
    assert!(report["segments"].as_u64().unwrap() < 10, "{report}");
    // The tables are made after the answer.
    let start = Instant::now();
    while served.get("/api/v1/indexes").json()["indexes"][0]["positions"] != true {
        assert!(start.elapsed() < Duration::from_secs(300));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn options_of_imports_are_checked_before_the_server_starts() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("a.pdn");
    fs::write(&archive, "1. 32-28 *\n").unwrap();
    let index = folder.path().join("a.idx");
    assert_eq!(run(&["index", text(&archive), "-o", text(&index)]).code, 0);
    let [short, good] = ["short", "good"].map(|name| folder.path().join(name));
    fs::write(&short, "secret").unwrap();
    fs::write(&good, TOKEN).unwrap();
    let refused = |path: &Path, options: &[&str]| {
        let run = run(&[&["serve", text(path), "--addr", "127.0.0.1:0"], options].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
        assert!(!run.err.contains("secret") && !run.err.contains(TOKEN), "{}", run.err);
        run.err
    };
    let addr = ["--import-addr", "127.0.0.1:0"];
    assert!(refused(&index, &addr).contains("--import-token-file"));
    assert!(refused(&index, &["--import-token-file", text(&good)]).contains("--import-addr"));
    let with = |file| [addr[0], addr[1], "--import-token-file", file];
    assert!(refused(&index, &with(text(&short))).contains("at least 16"));
    assert!(refused(&index, &with("no-such-file")).contains("No such file"));
    assert!(refused(&archive, &with(text(&good))).contains("`pdn index`"));
}
