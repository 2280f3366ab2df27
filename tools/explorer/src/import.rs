//! Takes games from other programs: the routes of the second address of the server.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::from_fn_with_state;
use axum::routing::put;
use serde_json::Value;
use tokio::sync::{Semaphore, oneshot};

use crate::answers::Importer;
use crate::bodies::{Bodies, PROGRESS_TIME};
use crate::params::Params;
use crate::problem::Problem;
use crate::response::{Address, Reply, around, problem, reply_once};
use crate::room::Room;
use crate::route_table::IMPORT;
use crate::token::Token;

/// Number of imports that are in memory at a time; more wait.
const IMPORTS: usize = 4;

/// The second address of a server: where it listens, who may import, and what stores the games.
pub(crate) struct ImportAddress {
    pub(crate) listener: std::net::TcpListener,
    pub(crate) address: SocketAddr,
    pub(crate) token: Token,
    pub(crate) importer: Arc<dyn Importer>,
}

/// What all imports share.
struct Imports {
    token: Token,
    importer: Arc<dyn Importer>,
    bodies: Bodies,
    room: Arc<Room>,
    /// Has one permit: imports follow each other in the order in which their bodies have arrived.
    queue: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

/// Counts a request whose body has arrived, until its games are stored or its client has gone away.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the routes of the second address.
pub(crate) fn router(
    address: Arc<Address>,
    token: Token,
    importer: Arc<dyn Importer>,
    max_body_bytes: usize,
    room: Arc<Room>,
) -> Router {
    let imports = Arc::new(Imports {
        token,
        importer,
        bodies: Bodies::new("an import", IMPORTS, max_body_bytes, PROGRESS_TIME),
        room,
        queue: Arc::new(Semaphore::new(1)),
        waiting: Arc::default(),
    });
    Router::new()
        .route(IMPORT, put(import))
        .fallback(|| async {
            problem(&Problem::not_found(message!("no_address", "there is nothing at this address")))
        })
        .layer(from_fn_with_state(address, around))
        .with_state(imports)
}

/// Imports the games of the body.
async fn import(State(imports): State<Arc<Imports>>, request: Request) -> Reply {
    let outcome = async {
        if !imports.token.is_in(request.headers()) {
            let detail = message!(
                "no_token",
                "an import needs the header `Authorization: Bearer TOKEN` with the token of the server"
            );
            return Err(Problem::new(401, detail));
        }
        Params::parse(request.uri().query().unwrap_or_default())?.check(&[], &[])?;
        store(&imports, request.into_body()).await
    };
    match outcome.await {
        Ok(answer) => reply_once(&imports.room, &answer),
        Err(error) => {
            let mut response = problem(&error);
            // The rest of the body would be read as the next request.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            response
        }
    }
}

/// Reads a body and stores its games. If the client goes away before it is its turn, nothing is stored.
async fn store(imports: &Imports, body: Body) -> Result<Value, Problem> {
    let text = imports.bodies.receive(body).await?;
    let waiting = Waiting::new(&imports.waiting);
    let turn = Arc::clone(&imports.queue).acquire_owned().await;
    let turn = turn.map_err(|_| Problem::stopping())?;
    let (sender, receiver) = oneshot::channel();
    let importer = Arc::clone(&imports.importer);
    let others = Arc::clone(&imports.waiting);
    // From here on, a client that goes away changes nothing.
    tokio::task::spawn_blocking(move || {
        let answer = importer.import(&text.bytes);
        drop((text, waiting));
        let _ = sender.send(answer);
        if others.load(Ordering::Relaxed) == 0 {
            importer.tidy();
        }
        drop(turn);
    });
    receiver.await.unwrap_or_else(|_| {
        let detail = message!(
            "import_failed",
            "the import failed; the server keeps running, and the games may be sent again"
        );
        Err(Problem::new(500, detail))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use axum::http::StatusCode;
    use serde_json::json;

    use super::*;
    use crate::host::HostCheck;
    use crate::metrics::Metrics;

    const TOKEN: &str = "0123456789abcdef";

    /// Keeps the texts.
    #[derive(Default)]
    struct Kept {
        texts: Mutex<Vec<Vec<u8>>>,
        /// Set while an import runs.
        is_busy: std::sync::atomic::AtomicBool,
    }

    impl Importer for Kept {
        fn import(&self, text: &[u8]) -> Result<Value, Problem> {
            assert!(!self.is_busy.swap(true, Ordering::SeqCst), "two imports at a time");
            std::thread::yield_now();
            assert!(text != b"panic");
            self.texts.lock().unwrap().push(text.to_vec());
            self.is_busy.store(false, Ordering::SeqCst);
            Ok(json!({ "bytes": text.len() }))
        }

        fn tidy(&self) {}
    }

    fn served(kept: &Arc<Kept>) -> Router {
        let address = Address {
            host: HostCheck::new("127.0.0.1:1".parse().unwrap(), &[]),
            metrics: Arc::new(Metrics::default()),
            cors: false,
            log: None,
        };
        let importer: Arc<dyn Importer> = Arc::clone(kept) as _;
        router(Arc::new(address), Token::parse(TOKEN).unwrap(), importer, 100, Arc::default())
    }

    async fn send(routes: Router, method: &str, path: &str, token: &str, body: Body) -> StatusCode {
        use hyper::service::Service;
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost")
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .body(body)
            .unwrap();
        let service = hyper_util::service::TowerToHyperService::new(routes);
        service.call(request).await.unwrap().status()
    }

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_time()
            .build()
            .unwrap()
            .block_on(work)
    }

    #[test]
    fn imports_need_the_token_the_method_and_the_address() {
        let kept = Arc::new(Kept::default());
        let routes = served(&kept);
        block_on(async {
            let ask = |method, path, token| send(routes.clone(), method, path, token, Body::from("text"));
            assert_eq!(ask("PUT", IMPORT, "0123456789abcdeg").await, StatusCode::UNAUTHORIZED);
            assert_eq!(ask("PUT", "/api/v1/indexes", TOKEN).await, StatusCode::NOT_FOUND);
            assert_eq!(ask("GET", "/", TOKEN).await, StatusCode::NOT_FOUND);
            assert_eq!(ask("POST", IMPORT, TOKEN).await, StatusCode::METHOD_NOT_ALLOWED);
            let unknown = format!("{IMPORT}?index=a");
            assert_eq!(ask("PUT", &unknown, TOKEN).await, StatusCode::BAD_REQUEST);
            let large = send(routes.clone(), "PUT", IMPORT, TOKEN, Body::from(vec![b' '; 101]));
            assert_eq!(large.await, StatusCode::PAYLOAD_TOO_LARGE);
            assert!(kept.texts.lock().unwrap().is_empty());
            assert_eq!(ask("PUT", IMPORT, TOKEN).await, StatusCode::OK);
        });
        assert_eq!(*kept.texts.lock().unwrap(), [b"text"]);
    }

    #[test]
    fn concurrent_imports_follow_each_other() {
        let kept = Arc::new(Kept::default());
        let routes = served(&kept);
        block_on(async {
            let sent: Vec<_> = (0..20)
                .map(|n| tokio::spawn(send(routes.clone(), "PUT", IMPORT, TOKEN, Body::from(n.to_string()))))
                .collect();
            for one in sent {
                assert_eq!(one.await.unwrap(), StatusCode::OK);
            }
        });
        assert_eq!(kept.texts.lock().unwrap().len(), 20);
    }

    #[test]
    fn import_that_panics_is_answered_and_the_next_one_works() {
        let kept = Arc::new(Kept::default());
        let routes = served(&kept);
        block_on(async {
            let put = |body: &'static str| send(routes.clone(), "PUT", IMPORT, TOKEN, Body::from(body));
            assert_eq!(put("panic").await, StatusCode::INTERNAL_SERVER_ERROR);
            kept.is_busy.store(false, Ordering::SeqCst);
            assert_eq!(put("text").await, StatusCode::OK);
        });
    }
}
