//! Tests of searches of `pdn serve` that are answered line by line while they go on.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::{run, text};
use crate::serve::{Response, send, serve};

/// A server on generated games.
struct Served {
    folder: tempfile::TempDir,
    child: std::process::Child,
    port: u16,
}

impl Served {
    fn start(games: u64, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let archive = folder.path().join("games.pdn");
        let mut text_of_games = Vec::new();
        let opened =
            ["1. 32-28 19-23 2. 28x19 14x23", "1. 33-28 18-22 2. 31-27 22x31 3. 36x27", "1. 34-30 20-25"];
        for number in 0..games {
            let moves = opened[(number % 3) as usize];
            writeln!(
                text_of_games,
                "[White \"w{number}\"]\n[Round \"{}\"]\n[GameType \"20\"]\n{moves} *\n",
                number % 2
            )
            .unwrap();
        }
        fs::write(&archive, text_of_games).unwrap();
        let index = folder.path().join("games.idx");
        assert_eq!(run(&["index", text(&archive), "-o", text(&index)]).code, 0);
        let (child, port) = serve(&index, options);
        Self { folder, child, port }
    }

    fn get(&self, path: &str) -> Response {
        let request = format!("GET {path} HTTP/1.0\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        send(self.port, request.as_bytes()).expect("an answer")
    }

    /// Returns the rows and the last line of a streamed search.
    #[track_caller]
    fn stream(&self, query: &str) -> (Vec<Value>, Value) {
        let answer = self.get(&format!("/api/v1/games/find.ndjson{query}"));
        assert_eq!(
            (answer.status, answer.field("content-type")),
            (200, Some("application/x-ndjson")),
            "{}",
            answer.body
        );
        let mut lines: Vec<Value> =
            answer.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let last = lines.pop().unwrap();
        (lines, last)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn streamed_search_has_the_rows_and_the_number_of_the_paged_one() {
    let served = Served::start(3000, &[]);
    let archive = text(served.folder.path()).to_owned();
    for (query, limit) in [
        ("", 100),
        ("?limit=7", 7),
        ("?variant=international&pattern=w28", 100),
        ("?variant=international&pattern=w28&limit=1000", 1000),
        // Some games match without being played, and others have to be.
        ("?query=round+1+or+move+takes+%3E%3D+1&limit=1000", 1000),
        ("?tag=Round%3D1&pattern=w27&variant=international", 100),
        ("?player=nobody", 100),
    ] {
        let separator = if query.is_empty() { "?" } else { "&" };
        // The paged answer comes first from its own search, later from the one that is kept; both in both orders.
        let fresh = format!("{query}{separator}plies=0..999");
        for query in [query, &fresh] {
            let is_first = query == fresh;
            let paged = |query: &str| served.get(&format!("/api/v1/games/find{query}")).json();
            let before = is_first.then(|| paged(query));
            let (rows, last) = served.stream(query);
            let page = before.unwrap_or_else(|| paged(query));
            assert_eq!(last["complete"], true, "{query}");
            assert_eq!(last["total"], page["total"], "{query}");
            assert!(rows.len() <= limit);
            assert_eq!(Value::Array(rows), page["games"], "{query}");
        }
    }
    let (rows, _) = served.stream("?limit=1");
    assert!(!rows[0].to_string().contains(&archive), "folders of the server are not shown");
}

#[test]
fn wrong_parameters_of_a_stream_are_refused_as_those_of_a_page() {
    let served = Served::start(3, &[]);
    for (query, parameter) in [
        ("?query=((", "query"),
        ("?limit=1001", "limit"),
        ("?sort=date", "sort"),
        ("?offset=3", "offset"),
        ("?pattern=w28", ""),
    ] {
        let refused = served.get(&format!("/api/v1/games/find.ndjson{query}"));
        if parameter.is_empty() {
            // Only one board occurs in this archive.
            assert_eq!(refused.status, 200, "{}", refused.body);
            continue;
        }
        assert_eq!((refused.status, &refused.json()["parameter"]), (400, &parameter.into()), "{query}");
        assert_eq!(refused.field("content-type"), Some("application/problem+json"));
    }
    assert_eq!(served.get("/api/v1/others/find.ndjson").status, 404);
}

#[test]
fn search_ends_when_the_reader_of_its_stream_goes_away() {
    let served = Served::start(60_000, &["--threads", "1", "--budget", "3600"]);
    // So many alternatives that the search takes many times as long as the first rows.
    let slow: Vec<String> = (0..40).map(|n| format!("(w-b = {n} then w-b >= {n})")).collect();
    let query = form(&format!("wm >= 1 or {}", slow.join(" or ")));
    let abandoned = || -> u64 {
        let metrics = served.get("/metrics").body;
        let line = metrics.lines().find_map(|line| line.strip_prefix("pdn_abandoned_requests_total "));
        line.unwrap().parse().unwrap()
    };
    let mut gone = 0;
    // If a search is so quick that it ends before its reader has gone, another one is asked for.
    for attempt in 0..20 {
        let mut stream = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
        let path = format!("/api/v1/games/find.ndjson?limit=1&plies=0..{}&query={query}", 1000 + attempt);
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut lines = BufReader::new(&stream).lines();
        // A row arrives although the search goes on.
        assert!(lines.any(|line| line.is_ok_and(|line| line.contains("\"white\":"))));
        drop(lines);
        drop(stream);
        let start = Instant::now();
        while gone == 0 && start.elapsed() < Duration::from_millis(500) * (attempt + 1) {
            gone = abandoned();
        }
        if gone > 0 {
            break;
        }
    }
    assert!(gone > 0, "no search was abandoned");
    // The only permits are free again: another search is answered.
    assert_eq!(served.stream("?player=w1&limit=1").1["complete"], true);
}

/// Encodes a text for a query string.
fn form(text: &str) -> String {
    text.bytes()
        .map(
            |byte| {
                if byte.is_ascii_alphanumeric() {
                    char::from(byte).to_string()
                } else {
                    format!("%{byte:02X}")
                }
            },
        )
        .collect()
}
