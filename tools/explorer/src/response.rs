//! What all responses of one address of the server have in common: the check of the host, headers, counts and the log.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use axum::middleware::Next;
use serde_json::{Value, json};

use crate::answers::Answer;
use crate::host::HostCheck;
use crate::metrics::Metrics;
use crate::page::{SentFile, entity_tag};
use crate::problem::Problem;
use crate::room::{HeldAnswer, Room};
use crate::route_table::Route;

/// Greatest number of bytes of a request's header.
pub(crate) const MAX_HEADER_BYTES: usize = 32 << 10;

/// A response of the server.
pub(crate) type Reply = Response<Body>;

/// An address at which the server listens.
pub(crate) struct Address {
    pub(crate) host: HostCheck,
    pub(crate) metrics: Arc<Metrics>,
    /// Whether pages of other sites may read the answers.
    pub(crate) cors: bool,
    /// Receives an object for each request.
    pub(crate) log: Option<fn(&Value)>,
}

/// Checks the host, counts and logs the request, and adds the headers that every response has.
pub(crate) async fn around(State(address): State<Arc<Address>>, request: Request, next: Next) -> Reply {
    let start = Instant::now();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let matched = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let mut response = if !address.host.accepts(host) {
        let detail = message!(
            "other_host",
            "the Host header is no name of this server; `pdn serve --host NAME` adds one"
        );
        problem(&Problem::new(421, detail))
    } else if header_bytes(&request) > MAX_HEADER_BYTES {
        let detail = message!(
            "long_header",
            "the header of a request may have at most {MAX_HEADER_BYTES} bytes",
            most = MAX_HEADER_BYTES as u64
        );
        problem(&Problem::new(431, detail))
    } else if address.cors && is_preflight(&request) {
        allowed_to_other_sites()
    } else {
        next.run(request).await
    };
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        let allowed = response.headers().get(header::ALLOW).cloned();
        response = problem(&Problem::new(405, message!("method", "{method} is not possible here")));
        if let Some(allowed) = allowed {
            response.headers_mut().insert(header::ALLOW, allowed);
        }
    }
    // The board for other sites: it has links to the page, and nothing that a click could change.
    let may_be_framed = matches!(path.as_str(), "/embed" | "/embed.html");
    let headers = response.headers_mut();
    for (name, value) in [
        (
            "content-security-policy",
            if may_be_framed {
                "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *"
            } else {
                "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
            },
        ),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if address.cors {
        headers.insert("access-control-allow-origin", HeaderValue::from_static("*"));
        let exposed = HeaderValue::from_static("content-disposition, etag, retry-after");
        headers.insert("access-control-expose-headers", exposed);
    } else {
        headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    }
    let route = matched.and_then(|matched| Route::place(&matched));
    let time = start.elapsed();
    address.metrics.count(route, response.status().as_u16(), time);
    if let Some(log) = address.log {
        log(&json!({
            "method": method.as_str(),
            "path": path,
            "status": response.status().as_u16(),
            "ms": (time.as_secs_f64() * 1e5).round() / 100.0,
        }));
    }
    response
}

/// Returns the number of bytes of the header of a request: a little less than were sent, because blanks are not counted.
fn header_bytes(request: &Request) -> usize {
    let line = request.method().as_str().len() + request.uri().to_string().len() + " HTTP/1.1\r\n".len();
    let fields = request.headers().iter();
    line + fields.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len()).sum::<usize>()
}

/// Returns `true` if a browser asks whether a page of another site may send a request.
fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS && request.headers().contains_key("access-control-request-method")
}

/// Returns the response that pages of other sites may send requests, texts to check among them.
fn allowed_to_other_sites() -> Reply {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    for (name, value) in [
        ("access-control-allow-methods", "GET, HEAD, POST"),
        ("access-control-allow-headers", "content-type, if-none-match"),
        ("access-control-max-age", "86400"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Returns the response for a problem.
pub(crate) fn problem(problem: &Problem) -> Reply {
    let mut response = Response::new(Body::from(problem.json().to_string()));
    *response.status_mut() =
        StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(seconds) = problem.retry_after {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if problem.status == 401 {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// Returns the response with an answer, or 304 if the client has it already. Caches ask again each time.
pub(crate) fn reply(answer: &HeldAnswer, tag: Option<&str>, request: &HeaderMap) -> Reply {
    let is_known = tag.is_some_and(|tag| is_known(tag, request));
    let body = if is_known { Body::empty() } else { Body::from(answer.body.clone()) };
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(tag).ok()) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(answer.media_type));
    if let Some(name) = &answer.file_name
        && let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""))
    {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

/// Returns the response with a file of the page, packed if the client reads gzip. A file whose path names its contents is kept by caches
/// without a question.
pub(crate) fn reply_file(file: &SentFile, is_lasting: bool, request: &HeaderMap) -> Reply {
    let is_packed = reads_gzip(request);
    let body = if is_packed { &file.packed } else { &file.bytes };
    let answer = HeldAnswer::of_program(file.media_type, body.clone());
    let mut response = reply(&answer, Some(&entity_tag(&answer.body)), request);
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_packed && headers.contains_key(header::CONTENT_TYPE) {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if is_lasting {
        let lasting = HeaderValue::from_static("public, max-age=31536000, immutable");
        headers.insert(header::CACHE_CONTROL, lasting);
    }
    response
}

/// Returns `true` if a client says that it reads gzip.
fn reads_gzip(request: &HeaderMap) -> bool {
    let fields = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|field| field.to_str().ok());
    fields.flat_map(|field| field.split(',')).any(|accepted| {
        let (name, quality) = accepted.split_once(';').unwrap_or((accepted, ""));
        let is_refused = quality.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

/// Returns `true` if a client has the answer with this tag already. Tags are compared as RFC 9110 wants it: a proxy that compresses an
/// answer makes its tag weak, and the answer is the same. `*` stands for any answer.
fn is_known(tag: &str, request: &HeaderMap) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let fields = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|field| field.to_str().ok());
    // No tag of the server has a comma.
    let mut known = fields.flat_map(|field| field.split(','));
    known.any(|known| known.trim() == "*" || opaque(known) == opaque(tag))
}

/// Returns the response with a JSON object that no cache keeps, or that there is no room for it.
pub(crate) fn reply_once(room: &Room, value: &Value) -> Reply {
    let answer = match room.hold(Answer::json(value)) {
        Ok(answer) => answer,
        Err(error) => return problem(&error),
    };
    let mut response = reply(&answer, None, &HeaderMap::new());
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_that_a_client_has_are_not_sent_again() {
        let answer = Room::default().hold(Answer::json(&Value::Null)).unwrap();
        let reply = reply(&answer, Some("\"1-0\""), &HeaderMap::new());
        assert_eq!(reply.headers()[header::ETAG], "\"1-0\"");
        let mut known = HeaderMap::new();
        known.insert(header::IF_NONE_MATCH, HeaderValue::from_static("\"2-0\", \"1-0\""));
        assert_eq!(super::reply(&answer, Some("\"1-0\""), &known).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(super::reply(&answer, Some("\"3-0\""), &known).status(), StatusCode::OK);
    }

    #[test]
    fn tags_that_a_proxy_made_weak_are_known() {
        let is_known = |tag: &str, known: &[&'static str]| {
            let mut request = HeaderMap::new();
            for value in known {
                request.append(header::IF_NONE_MATCH, HeaderValue::from_static(value));
            }
            super::is_known(tag, &request)
        };
        for tag in ["\"1-0\"", "W/\"1-0\""] {
            for known in [&["\"1-0\""][..], &["W/\"1-0\""], &["*"], &["\"0-0\"", "W/\"2-0\", W/\"1-0\""]] {
                assert!(is_known(tag, known), "{tag} {known:?}");
            }
            for known in [&[][..], &["\"2-0\""], &["W/\"1-\""], &["1-0"], &["\"*\""]] {
                assert!(!is_known(tag, known), "{tag} {known:?}");
            }
        }
    }
}
