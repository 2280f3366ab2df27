//! Turns requests into questions and answers into responses.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodFilter, get, on};
use pdn::stop::Stop;
use serde_json::{Value, json};

use crate::answers::{Answer, Answers, Question, ServedIndex};
use crate::asked::find_index;
use crate::bodies::Bodies;
use crate::cache::Cache;
use crate::description::open_api;
use crate::front::{self, Preview};
use crate::known_indexes::KnownIndexes;
use crate::metrics::Metrics;
use crate::page::{Page, SentFile, entity_tag};
use crate::params::Params;
use crate::problem::Problem;
use crate::requests;
use crate::response::{Address, Reply, around, problem, reply, reply_file, reply_once};
use crate::room::{HeldAnswer, Room};
use crate::route_options::RepairsChosen;
use crate::route_table::{API_VERSION, Asks, Budget, GAME, Route, known_routes};
use crate::work::Work;

/// Time that the description of an address for previews may take; the page comes without it then.
const PREVIEW_TIME: Duration = Duration::from_millis(500);

/// What all requests share.
pub(crate) struct Shared {
    /// The routes that are served.
    pub(crate) routes: &'static [Route],
    pub(crate) answers: Arc<dyn Answers>,
    pub(crate) known: KnownIndexes,
    pub(crate) cache: Cache,
    /// Answers that may take long.
    pub(crate) work: Work,
    /// Answers that take some milliseconds, which do not wait for the others.
    pub(crate) light: Work,
    /// Files of games, which take much memory.
    pub(crate) downloads: Work,
    /// Memory of all answers.
    pub(crate) room: Arc<Room>,
    pub(crate) metrics: Arc<Metrics>,
    /// Texts to check.
    pub(crate) texts: Bodies,
    /// Receives sentences about indexes that are lost or found again.
    pub(crate) report: fn(&str),
    /// Title of the page, if it has one of its own.
    pub(crate) title: Option<String>,
    /// Whether games can be imported at a second address.
    pub(crate) has_import: bool,
}

type Asked = State<Arc<Shared>>;

/// Returns the router of the routes of `shared`.
pub(crate) fn router(address: Arc<Address>, shared: Arc<Shared>) -> Router {
    let routes = shared.routes.iter().filter(|route| !matches!(route.asks, Asks::Import));
    let router = routes.fold(Router::new(), |router, route| {
        let handler = move |State(shared): Asked, Path(parts): Path<Parts>, request: Request| async move {
            answer(&shared, route, &parts, request).await.unwrap_or_else(|error| problem(&error))
        };
        let method = route.method.parse().ok().and_then(|method: Method| MethodFilter::try_from(method).ok());
        let handlers = on(method.expect("a method of the table"), handler);
        // The contents stand at their address without a `/` too.
        let router = match route.asks {
            Asks::Contents => router.route(route.path.trim_end_matches('/'), handlers.clone()),
            _ => router,
        };
        router.route(route.path, handlers)
    });
    router
        .route("/api/v1/{index}/{question}", get(|| async { problem(&Problem::no_address()) }))
        .fallback(get(page))
        .layer(from_fn_with_state(address, around))
        .with_state(shared)
}

/// The parts of an address that a path has in braces.
type Parts = HashMap<String, String>;

/// Answers a request.
async fn answer(
    shared: &Arc<Shared>,
    route: &'static Route,
    parts: &Parts,
    request: Request,
) -> Result<Reply, Problem> {
    let (head, body) = request.into_parts();
    let params = || route.params(head.uri.query().unwrap_or_default());
    let part = |name| parts.get(name).map_or("", String::as_str);
    match route.asks {
        Asks::Index(budget, _) => {
            let question = Question { path: route.path, game: part("game").to_owned(), params: params()? };
            let (answer, tag) = ask(shared, part("index"), budget, question).await?;
            Ok(reply(&answer, Some(&tag), &head.headers))
        }
        Asks::Lines => stream(shared, part("index"), params()?).await,
        Asks::Contents => params().map(|_| contents(shared))?.await,
        Asks::Indexes => {
            params()?;
            let answer = indexes_answer(shared, &served(shared).await?);
            reply_now(shared, Answer::json(&answer))
        }
        Asks::Description => {
            let answer = shared.room.hold(Answer::json(&open_api(shared.routes, shared.has_import)))?;
            Ok(reply(&answer, Some(&entity_tag(&answer.body)), &head.headers))
        }
        Asks::Check => check(shared, params()?, body).await,
        Asks::Health => health(shared).await,
        Asks::Metrics => {
            let media_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            let text = shared.metrics.text(shared.cache.bytes(), shared.room.taken());
            reply_now(shared, Answer { media_type, body: text.into_bytes(), file_name: None })
        }
        Asks::Import => Err(Problem::no_address()),
    }
}

/// Returns the response with an answer that has no tag.
fn reply_now(shared: &Shared, answer: Answer) -> Result<Reply, Problem> {
    Ok(reply(&shared.room.hold(answer)?, None, &HeaderMap::new()))
}

/// Returns the indexes that are served, as they were at most 200 ms ago.
async fn served(shared: &Arc<Shared>) -> Result<Arc<[ServedIndex]>, Problem> {
    let changes = shared.answers.changes();
    if let Some(known) = shared.known.get(changes) {
        return Ok(known);
    }
    let (asked, answers) = (Instant::now(), Arc::clone(&shared.answers));
    let indexes = Arc::from(shared.light.run(move |_| Ok(answers.indexes())).await?);
    for change in shared.known.set(&indexes, asked, changes) {
        (shared.report)(&change);
    }
    Ok(indexes)
}

/// Answers a question about an index, from the cache if it was asked before, and returns the tag of the answer.
async fn ask(
    shared: &Arc<Shared>,
    index: &str,
    budget: Budget,
    question: Question,
) -> Result<(Arc<HeldAnswer>, String), Problem> {
    let served = served(shared).await?;
    let index = find_index(&served, index)?;
    // It is weak: it stands for the state of the index, not for the bytes of the answer.
    let tag = |digest: &str| format!("W/\"{digest}-{}\"", env!("CARGO_PKG_VERSION"));
    let asked = format!("{question:?}");
    let key = |digest: &str| format!("{} {digest} {asked}", index.name);
    if let Some(answer) = shared.cache.get(&key(&index.digest)) {
        shared.metrics.cache_hits.fetch_add(1, Ordering::Relaxed);
        return Ok((answer, tag(&index.digest)));
    }
    shared.metrics.cache_misses.fetch_add(1, Ordering::Relaxed);
    let answers = Arc::clone(&shared.answers);
    let name = index.name.clone();
    let work = match budget {
        Budget::Light => &shared.light,
        Budget::Long => &shared.work,
        Budget::Downloads => &shared.downloads,
    };
    let (answer, digest) = work.run(move |stop| answers.answer(&name, &question, stop)).await?;
    let answer = Arc::new(shared.room.hold(answer)?);
    // The index may have changed meanwhile.
    shared.cache.insert(key(&digest), &answer);
    Ok((answer, tag(&digest)))
}

/// Says what there is.
async fn contents(shared: &Arc<Shared>) -> Result<Reply, Problem> {
    let served = served(shared).await?;
    let names: Vec<&str> = served.iter().map(|index| index.name.as_str()).collect();
    let routes = known_routes(shared.routes, shared.has_import);
    let routes =
        routes.map(|route| json!({ "method": route.method, "path": route.path, "summary": route.summary }));
    let contents = json!({
        "version": API_VERSION,
        "program": concat!("pdn ", env!("CARGO_PKG_VERSION")),
        "description": "/api/v1/openapi.json",
        "indexes": names,
        "routes": routes.collect::<Vec<_>>(),
    });
    reply_now(shared, Answer::json(&contents))
}

/// Returns the indexes with the title of the page.
fn indexes_answer(shared: &Shared, served: &[ServedIndex]) -> Value {
    let objects = served.iter().map(|index| &index.json).collect::<Vec<_>>();
    let mut answer = json!({ "indexes": objects });
    if let Some(title) = &shared.title {
        answer["title"] = title.as_str().into();
    }
    answer
}

/// Answers a search line by line while it goes on.
async fn stream(shared: &Arc<Shared>, index: &str, params: Params) -> Result<Reply, Problem> {
    let name = find_index(&served(shared).await?, index)?.name.clone();
    let answers = Arc::clone(&shared.answers);
    let work = move |stop: &Stop, send: &mut dyn FnMut(Vec<u8>)| {
        let mut last = answers.stream(&name, &params, stop, send)?;
        last["complete"] = true.into();
        Ok(format!("{last}\n").into_bytes())
    };
    let mut response = Reply::new(shared.work.stream(Arc::clone(&shared.room), work).await?);
    for (name, value) in [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CACHE_CONTROL, "no-store"),
        // A proxy passes on each line at once.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

async fn check(shared: &Arc<Shared>, params: Params, body: Body) -> Result<Reply, Problem> {
    let text = shared.texts.receive(body).await?;
    let answers = Arc::clone(&shared.answers);
    let work = move |stop: &Stop| {
        let RepairsChosen { repairs } = requests::options(&params)?;
        let repairs: Vec<&str> = repairs.iter().map(String::as_str).collect();
        answers.check(&text.bytes, &repairs, stop)
    };
    Ok(reply_once(&shared.room, &shared.work.run(work).await?))
}

async fn health(shared: &Arc<Shared>) -> Result<Reply, Problem> {
    let served = served(shared).await?;
    let names: Vec<&str> = served.iter().map(|index| index.name.as_str()).collect();
    let mut health = json!({ "status": "ok", "indexes": names });
    let lost = served.iter().filter_map(|index| Some((&index.name, index.lost.as_ref()?)));
    let lost: Vec<Value> = lost.map(|(name, why)| json!({ "name": name, "reason": why })).collect();
    if !lost.is_empty() {
        health["status"] = "degraded".into();
        health["lost"] = lost.into();
    }
    reply_now(shared, Answer::json(&health))
}

/// Describes an address of the page for programs that preview links; `None` if that would take long.
async fn preview(shared: &Arc<Shared>, served: &[ServedIndex], query: &str) -> Option<Preview> {
    let params = Params::parse(query).ok()?;
    let named = params.get("db").and_then(|name| served.iter().find(|index| index.name == name));
    let index = named.or(served.first())?;
    // The number, and the digest after it.
    let asked = params.get("g").filter(|_| params.get("view") == Some("game"));
    let (game, digest) = asked.map_or(("", ""), |asked| asked.split_once('.').unwrap_or((asked, "")));
    if game.parse::<u64>().is_ok() {
        let mut options = Params::default();
        if !digest.is_empty() {
            options.push("digest", digest);
        }
        let question = Question { path: GAME, game: game.to_owned(), params: options };
        let (answer, _) = ask(shared, &index.name, Budget::Light, question).await.ok()?;
        let game = serde_json::from_slice(&answer.body).ok()?;
        return Some(Preview::of_game(&index.name, &params, &game));
    }
    Some(Preview::of_place(&index.name, shared.title.as_deref(), &params, &index.json))
}

/// Serves the page itself.
async fn front(shared: &Arc<Shared>, file: &SentFile, query: &str, request: &HeaderMap) -> Reply {
    let served = tokio::time::timeout(PREVIEW_TIME, served(shared)).await.ok().and_then(Result::ok);
    let (mut indexes, mut preview) = (Value::Null, None);
    if let Some(served) = &served {
        indexes = indexes_answer(shared, served);
        let described = tokio::time::timeout(PREVIEW_TIME, self::preview(shared, served, query));
        preview = described.await.ok().flatten();
    }
    let html = front::html(
        &String::from_utf8_lossy(&file.bytes),
        &indexes,
        preview.as_ref(),
        &front::origin(request),
    );
    let answer = HeldAnswer::of_program(file.media_type, html.into_bytes().into());
    reply(&answer, Some(&entity_tag(&answer.body)), request)
}

/// Serves a file of the page.
async fn page(State(shared): Asked, method: Method, request: Request) -> Reply {
    let (parts, _) = request.into_parts();
    let (path, request) = (parts.uri.path().trim_start_matches('/'), &parts.headers);
    let page = Page::of_server();
    match page.find(path) {
        Some((file, _)) if file.path == "index.html" && (method == Method::GET || method == Method::HEAD) => {
            front(&shared, file, parts.uri.query().unwrap_or_default(), request).await
        }
        Some((file, is_lasting)) if method == Method::GET || method == Method::HEAD => {
            reply_file(file, is_lasting, request)
        }
        _ if wants_page(request) && !path.starts_with("api/") => missing_page(path, request),
        _ => problem(&Problem::no_address()),
    }
}

/// Returns `true` if the client is a browser that shows what it gets to a person.
fn wants_page(request: &HeaderMap) -> bool {
    let accepted = request.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}

/// Returns the page for people who look for something that does not exist. It leads to the archive.
fn missing_page(path: &str, request: &HeaderMap) -> Reply {
    let page = Page::of_server();
    let Some((file, _)) = page.find("missing.html") else { return problem(&Problem::no_address()) };
    // The server may stand below a folder of a proxy, so that the way to its root is relative.
    let root = "../".repeat(path.matches('/').count());
    let html =
        String::from_utf8_lossy(&file.bytes).replace("{root}", if root.is_empty() { "./" } else { &root });
    let answer = HeldAnswer::of_program(file.media_type, html.into_bytes().into());
    let mut response = reply(&answer, None, request);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route_table::ROUTES;

    fn question(path: &'static str) -> Question {
        Question { path, game: String::new(), params: Params::default() }
    }

    /// An archive whose trees take until they are stopped, and which changes after its digest was asked for.
    struct Slow;

    impl Answers for Slow {
        fn indexes(&self) -> Vec<ServedIndex> {
            let (name, digest) = ("slow".to_owned(), "before".to_owned());
            vec![ServedIndex { name, digest, json: Value::Null, lost: None }]
        }

        fn answer(&self, _: &str, question: &Question, stop: &Stop) -> Result<(Answer, String), Problem> {
            while question.path == "tree" && !stop.is_requested() {
                std::thread::sleep(Duration::from_millis(1));
            }
            // Too long to be kept for the next time.
            let rows = if question.path == "find" { 2 << 20 } else { 0 };
            Ok((Answer::json(&" ".repeat(rows)), "after".to_owned()))
        }

        fn stream(
            &self,
            _: &str,
            _: &Params,
            _: &Stop,
            _: &mut dyn FnMut(Vec<u8>),
        ) -> Result<Value, Problem> {
            Ok(json!({}))
        }

        fn check(&self, _: &[u8], _: &[&str], _: &Stop) -> Result<Value, Problem> {
            Ok(Value::Null)
        }
    }

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap()
    }

    fn shared() -> Arc<Shared> {
        let metrics = Arc::new(Metrics::default());
        let work = |permits| Work::new(permits, Duration::from_secs(60), Arc::clone(&metrics));
        Arc::new(Shared {
            routes: ROUTES,
            answers: Arc::new(Slow),
            known: KnownIndexes::default(),
            cache: Cache::default(),
            work: work(1),
            light: work(1),
            downloads: work(1),
            room: Arc::new(Room::new(3 << 20)),
            metrics: Arc::clone(&metrics),
            texts: Bodies::new("a text to check", 1, 1, Duration::from_secs(60)),
            report: |_| (),
            title: None,
            has_import: false,
        })
    }

    #[test]
    fn answer_has_the_tag_of_the_state_that_gave_it() {
        let shared = shared();
        runtime().block_on(async {
            for _ in 0..2 {
                let asked = ask(&shared, "slow", Budget::Long, question("stats")).await;
                assert!(asked.unwrap().1.starts_with("W/\"after-"));
            }
        });
        // It was not kept as an answer about the state before.
        assert_eq!(shared.metrics.cache_hits.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn answers_that_nobody_has_read_leave_no_room_for_others() {
        let shared = shared();
        runtime().block_on(async {
            let ask = || ask(&shared, "slow", Budget::Long, question("find"));
            let (answer, _) = ask().await.unwrap();
            let response = reply(&answer, None, &HeaderMap::new());
            drop(answer);
            let refused = ask().await.map(drop).unwrap_err();
            assert_eq!((refused.status, refused.retry_after), (503, Some(5)), "{}", refused.detail);
            drop(response);
            assert!(ask().await.is_ok());
        });
    }

    #[test]
    fn light_answers_do_not_wait_for_long_ones() {
        let shared = shared();
        runtime().block_on(async {
            let asking = Arc::clone(&shared);
            let long =
                tokio::spawn(async move { ask(&asking, "slow", Budget::Long, question("tree")).await });
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert!(ask(&shared, "slow", Budget::Light, question("position")).await.is_ok());
            assert!(!long.is_finished());
            // The client of the long one goes away.
            long.abort();
            assert!(long.await.is_err());
        });
    }
}
