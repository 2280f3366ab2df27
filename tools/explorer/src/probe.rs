//! Answers the bytes of a connection without a network.

use pdn::stop::Stop;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::answers::{Answer, Answers, Importer, Question, ServedIndex};
use crate::bodies::Bodies;
use crate::cache::Cache;
use crate::host::HostCheck;
use crate::import;
use crate::known_indexes::KnownIndexes;
use crate::params::Params;
use crate::problem::Problem;
use crate::response::Address;
use crate::route_table::{ROUTES, Route};
use crate::routes::{self, Shared};
use crate::token::Token;
use crate::work::Work;

/// Token of the imports of [`respond`].
const TOKEN: &str = "0123456789abcdef";
/// Greatest number of bytes of a body.
const MAX_BODY_BYTES: usize = 1 << 10;
/// Greatest length of all responses of a connection in bytes.
const MAX_RESPONSE_BYTES: usize = 4 << 20;

/// An archive of one index without games.
struct Nothing;

impl Answers for Nothing {
    fn indexes(&self) -> Vec<ServedIndex> {
        vec![ServedIndex { name: "games".to_owned(), digest: "0".to_owned(), json: json!({}), lost: None }]
    }

    fn answer(&self, _: &str, _: &Question, _: &Stop) -> Result<(Answer, String), Problem> {
        Ok((Answer::json(&json!({ "moves": [], "games": [] })), "0".to_owned()))
    }

    fn stream(&self, _: &str, _: &Params, _: &Stop, send: &mut dyn FnMut(Vec<u8>)) -> Result<Value, Problem> {
        send(b"{}\n".to_vec());
        Ok(json!({ "total": 1 }))
    }

    fn check(&self, text: &[u8], _: &[&str], _: &Stop) -> Result<Value, Problem> {
        Ok(json!({ "bytes": text.len() }))
    }
}

impl Importer for Nothing {
    fn import(&self, text: &[u8]) -> Result<Value, Problem> {
        Ok(json!({ "bytes": text.len() }))
    }

    fn tidy(&self) {}
}

/// Returns an address that only this machine reaches.
pub(crate) fn address(cors: bool) -> Address {
    let host = HostCheck::new(([127, 0, 0, 1], 1).into(), &[]);
    Address { host, metrics: Arc::default(), cors, log: None }
}

/// Returns the routes of the page, or those of imports.
fn served(is_import: bool) -> Router {
    if is_import {
        let token = Token::parse(TOKEN).unwrap_or_else(|_| unreachable!("it is long enough"));
        return import::router(
            Arc::new(address(false)),
            token,
            Arc::new(Nothing),
            MAX_BODY_BYTES,
            Arc::default(),
        );
    }
    routes_of(Arc::new(Nothing), address(false), true, ROUTES)
}

/// Returns the routes of the page for these answers.
pub(crate) fn routes_of(
    answers: Arc<dyn Answers>,
    address: Address,
    has_import: bool,
    routes: &'static [Route],
) -> Router {
    let metrics = Arc::clone(&address.metrics);
    let work = || Work::new(1, Duration::from_secs(600), Arc::clone(&metrics));
    let shared = Shared {
        routes,
        answers,
        known: KnownIndexes::default(),
        cache: Cache::default(),
        work: work(),
        light: work(),
        downloads: work(),
        room: Arc::default(),
        metrics: Arc::clone(&metrics),
        texts: Bodies::new("a text to check", 1, MAX_BODY_BYTES, Duration::from_secs(600)),
        report: |_| (),
        title: None,
        has_import,
    };
    routes::router(Arc::new(address), Arc::new(shared))
}

/// Returns the bytes that a server sends in response to the bytes of one connection. With `is_import`, the connection is to the
/// address for imports, otherwise to the address of the page.
fn respond(connection: &[u8], is_import: bool) -> Vec<u8> {
    static RUNTIME: OnceLock<Option<tokio::runtime::Runtime>> = OnceLock::new();
    let build = || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().ok();
    let Some(runtime) = RUNTIME.get_or_init(build) else { return Vec::new() };
    runtime.block_on(async {
        let (mut client, server) = tokio::io::duplex(MAX_RESPONSE_BYTES);
        // The whole text lies in the pipe before the server reads it.
        if connection.len() >= MAX_RESPONSE_BYTES || client.write_all(connection).await.is_err() {
            return Vec::new();
        }
        let _ = client.shutdown().await;
        let service = TowerToHyperService::new(served(is_import));
        let mut connection = http1::Builder::new();
        connection.timer(TokioTimer::new()).half_close(true);
        let _ = connection.serve_connection(TokioIo::new(server), service).await;
        let mut answer = Vec::new();
        let _ = client.read_to_end(&mut answer).await;
        answer
    })
}

/// Checks the first response of a connection: it has a status that a client can have caused, and a problem is described.
///
/// # Errors
/// Says what is wrong.
fn check_response(answer: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(answer);
    // A client that sends no request gets no answer.
    if text.is_empty() {
        return Ok(());
    }
    let (head, body) = text.split_once("\r\n\r\n").ok_or_else(|| format!("no end of the header: {text}"))?;
    let status = head.split(' ').nth(1).unwrap_or_default();
    if !["100", "200", "304", "400", "401", "404", "405", "413", "414", "421", "431"].contains(&status) {
        return Err(format!("status {status}: {text}"));
    }
    let head = head.to_ascii_lowercase();
    let field = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    if field("content-type") == Some("application/problem+json") {
        let length = field("content-length").and_then(|length| length.parse::<usize>().ok()).unwrap_or(0);
        // An answer to HEAD has no body; another answer may follow.
        let has_body = !body.is_empty() && !body.starts_with("HTTP/1.1 ");
        let Some(problem) = body.get(..length).filter(|_| has_body) else { return Ok(()) };
        let problem: Value = serde_json::from_str(problem).map_err(|error| format!("{error}: {text}"))?;
        if problem["status"].as_u64() != status.parse().ok()
            || problem["detail"].as_str().is_none_or(str::is_empty)
            || problem["reason"].as_str().is_none_or(str::is_empty)
            || !problem["arguments"].is_object()
        {
            return Err(format!("the problem is not described: {problem}"));
        }
        if problem["at"].is_u64() != problem["span"].is_u64() {
            return Err(format!("half a place: {problem}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parts of requests, right and wrong.
    const METHODS: &[&str] = &["GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "ge t"];
    const PATHS: &[&str] = &[
        "/",
        "/api/v1/games/tree",
        "/api/v1/games/find",
        "/api/v1/games/find.ndjson",
        "/api/v1/games/find.csv",
        "/api/v1/games/games/1.svg",
        "/api/v1/games/games/0",
        "/api/v1//",
        "/api/v1/%zz/tree",
        "/api/v1/check",
        "/api/v1/openapi.json",
        "/lidraughts",
        "/player",
        "/health",
        "/import/lidraughts",
        "/../x",
        "*",
        "http://localhost/health",
    ];
    const NAMES: &[&str] = &[
        "white",
        "fen",
        "play",
        "ratings[]",
        "speeds",
        "limit",
        "offset",
        "moves",
        "since",
        "color",
        "%00",
        "",
    ];
    const VALUES: &[&str] = &[
        "a",
        "",
        "-1",
        "99999999999999999999",
        "1990-12",
        "1990-99",
        "32-28,19-23",
        "3228",
        "322",
        "%C3%A9%ff",
        "1600",
        "true",
        "\u{e9}\u{e9}",
        "white",
    ];
    const HEADERS: &[&str] = &[
        "Host: localhost\r\n",
        "Host: localhost\r\n",
        "Host: localhost\r\n",
        "Host: evil.example\r\n",
        "Content-Length: 3\r\n",
        "Content-Length: 9999999\r\n",
        "Transfer-Encoding: chunked\r\n",
        "If-None-Match: \"0\"\r\n",
        "Expect: 100-continue\r\n",
        "Authorization: Bearer 0123456789abcdef\r\n",
    ];

    #[test]
    fn any_request_gets_an_answer_that_its_client_has_caused() {
        let mut numbers = fastrand::Rng::with_seed(1);
        let mut random = |bound| numbers.usize(..bound);
        for number in 0..3000 {
            let mut request = format!("{} {}", METHODS[random(METHODS.len())], PATHS[random(PATHS.len())]);
            for place in 0..random(4) {
                let sign = if place == 0 { '?' } else { '&' };
                request += &format!("{sign}{}={}", NAMES[random(NAMES.len())], VALUES[random(VALUES.len())]);
            }
            request += " HTTP/1.1\r\n";
            (0..random(4)).for_each(|_| request += HEADERS[random(HEADERS.len())]);
            request += "\r\n[E ";
            let mut bytes = request.into_bytes();
            // Some are damaged at one place.
            if random(4) == 0 {
                let at = random(bytes.len());
                bytes[at] = random(256) as u8;
            }
            for is_import in [false, true] {
                let answer = respond(&bytes, is_import);
                if let Err(wrong) = check_response(&answer) {
                    panic!("request {number}: {}\n{wrong}", bytes.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn answers_of_the_probe_are_those_of_a_server() {
        let answer =
            |request: &str, is_import| String::from_utf8(respond(request.as_bytes(), is_import)).unwrap();
        let health = "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n";
        assert!(answer(health, false).starts_with("HTTP/1.1 200 OK\r\n"));
        assert!(answer(health, true).starts_with("HTTP/1.1 404 "));
        let put = format!(
            "PUT /import/lidraughts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 3\r\n\r\n123"
        );
        assert!(answer(&put, true).ends_with("{\"bytes\":3}"));
        assert!(check_response(b"HTTP/1.1 500 x\r\n\r\n").is_err());
        let problem =
            "HTTP/1.1 400 x\r\ncontent-type: application/problem+json\r\ncontent-length: 2\r\n\r\n{}";
        assert!(check_response(problem.as_bytes()).is_err());
    }
}
