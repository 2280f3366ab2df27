//! Accepts connections, within limits, until it is told to stop.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use axum::Router;

use crate::answers::{Answers, Importer};
use crate::bodies::{Bodies, PROGRESS_TIME};
use crate::cache::Cache;
use crate::host::HostCheck;
use crate::import::{self, ImportAddress};
use crate::known_indexes::KnownIndexes;
use crate::metrics::Metrics;
use crate::response::{Address, MAX_HEADER_BYTES};
use crate::room::Room;
use crate::route_table::ROUTES;
use crate::routes::{self, Shared};
use crate::timed_stream::{Arrivals, TimedStream};
use crate::token::Token;
use crate::work::Work;

/// Time in which the header of a request has to arrive.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// Time after which a connection is closed on which nothing has arrived: its last request is answered by then, whatever it asks.
const CONNECTION_TIME: Duration = Duration::from_secs(300);
/// Time after which a connection is closed whose client takes nothing of what is sent.
const SEND_TIME: Duration = Duration::from_secs(30);
/// Greatest number of connections; more wait until one is closed.
const MAX_CONNECTIONS: usize = 512;
/// Greatest number of connections of programs that import games; more wait.
const MAX_IMPORT_CONNECTIONS: usize = 64;
/// Number of texts to check that are in memory at a time; more wait.
const MAX_TEXTS: usize = 16;
/// Number of answers of some milliseconds that are computed at a time.
const LIGHT_PERMITS: usize = 4;
/// Number of files of games that are written at a time.
const DOWNLOAD_PERMITS: usize = 2;
/// Number of threads that read requests and send answers.
const RUNTIME_THREADS: usize = 2;
/// Time that requests get to finish when the server stops.
const STOP_TIME: Duration = Duration::from_millis(1500);

/// How a server answers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ServerOptions {
    /// Number of answers that are computed at a time.
    pub permits: usize,
    /// Time that an answer may take, waiting included.
    pub budget: Duration,
    /// Greatest number of bytes of a text to check, and of an import.
    pub max_body_bytes: usize,
    /// Names of the server besides its address, for the check of the Host header.
    pub hosts: Vec<String>,
    /// Title of the page; `None` for the name of the index.
    pub title: Option<String>,
    /// Whether pages of other sites may read the answers.
    pub cors: bool,
    /// Receives an object for each request.
    pub log: Option<fn(&Value)>,
    /// Receives a sentence when an index is lost, and when it is found again.
    pub report: fn(&str),
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            permits: 2,
            budget: Duration::from_secs(10),
            max_body_bytes: 16 << 20,
            hosts: Vec::new(),
            title: None,
            cors: false,
            log: None,
            report: |_| (),
        }
    }
}

/// A server that listens.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    import: Option<ImportAddress>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let import = self.import.as_ref().map(|import| import.address);
        f.debug_struct("Server")
            .field("address", &self.address)
            .field("import", &import)
            .finish_non_exhaustive()
    }
}

/// Listens at an address, and returns it with the port that the system chose.
fn listen(address: SocketAddr) -> io::Result<(std::net::TcpListener, SocketAddr)> {
    let listener = std::net::TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

impl Server {
    /// Listens at an address.
    ///
    /// # Errors
    /// If the address is in use or not one of this machine.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        let (listener, address) = listen(address)?;
        Ok(Self { listener, address, import: None })
    }

    /// Takes games at a second address from programs that send the token. Returns that address, with the port that the system
    /// chose if port 0 was asked for.
    ///
    /// # Errors
    /// If the address is in use or not one of this machine.
    pub fn take_imports(
        &mut self,
        address: SocketAddr,
        token: Token,
        importer: Arc<dyn Importer>,
    ) -> io::Result<SocketAddr> {
        let (listener, address) = listen(address)?;
        self.import = Some(ImportAddress { listener, address, token, importer });
        Ok(address)
    }

    /// Returns the address, with the port that the system chose if port 0 was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `is_stopped` returns `true`, which is asked ten times a second. Then requests get 1.5 seconds
    /// to finish.
    ///
    /// # Errors
    /// If the threads of the server cannot be started.
    pub fn run(
        self,
        answers: Arc<dyn Answers>,
        options: ServerOptions,
        is_stopped: impl Fn() -> bool,
    ) -> io::Result<()> {
        let (metrics, room) = (Arc::new(Metrics::default()), Arc::new(Room::default()));
        let at = |address, cors| {
            Arc::new(Address {
                host: HostCheck::new(address, &options.hosts),
                metrics: Arc::clone(&metrics),
                cors,
                log: options.log,
            })
        };
        let shared = Arc::new(Shared {
            routes: ROUTES,
            answers,
            known: KnownIndexes::default(),
            cache: Cache::default(),
            work: Work::new(options.permits, options.budget, Arc::clone(&metrics)),
            light: Work::new(LIGHT_PERMITS, options.budget, Arc::clone(&metrics)),
            downloads: Work::new(DOWNLOAD_PERMITS, options.budget, Arc::clone(&metrics)),
            room: Arc::clone(&room),
            metrics: Arc::clone(&metrics),
            texts: Bodies::new("a text to check", MAX_TEXTS, options.max_body_bytes, PROGRESS_TIME),
            report: options.report,
            title: options.title,
            has_import: self.import.is_some(),
        });
        let pages = routes::router(at(self.address, options.cors), shared);
        check_threads()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(RUNTIME_THREADS)
            .enable_all()
            .build()?;
        let stopped = || async {
            while !is_stopped() {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        let served = runtime.block_on(async {
            let pages = accept(self.listener, pages, MAX_CONNECTIONS, stopped());
            let Some(import) = self.import else { return pages.await };
            let imports = import::router(
                // A program that imports is no page of another site.
                at(import.address, false),
                import.token,
                import.importer,
                options.max_body_bytes,
                room,
            );
            let imports = accept(import.listener, imports, MAX_IMPORT_CONNECTIONS, stopped());
            let (pages, imports) = tokio::join!(pages, imports);
            pages.and(imports)
        });
        // Work that is still running has been told to stop.
        runtime.shutdown_timeout(STOP_TIME);
        served
    }
}

/// Checks that the system has room for the threads of a server, whose start would panic.
fn check_threads() -> io::Result<()> {
    let gate = Arc::new(Mutex::new(()));
    let closed = gate.lock();
    let start = |_| {
        let gate = Arc::clone(&gate);
        std::thread::Builder::new().spawn(move || drop(gate.lock()))
    };
    // Those of the runtime, and one for an answer.
    let started: Vec<_> = (0..=RUNTIME_THREADS).map(start).collect();
    drop(closed);
    started.into_iter().try_for_each(|thread| {
        let _ = thread?.join();
        Ok(())
    })
}

/// Accepts connections until `stopped` is ready.
async fn accept(
    listener: std::net::TcpListener,
    routes: Router,
    max_connections: usize,
    stopped: impl Future<Output = ()>,
) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let service = TowerToHyperService::new(routes);
    let graceful = GracefulShutdown::new();
    let connections = Arc::new(Semaphore::new(max_connections));
    let mut stopped = std::pin::pin!(stopped);
    loop {
        let next = async {
            let permit = Arc::clone(&connections).acquire_owned().await.map_err(io::Error::other)?;
            listener.accept().await.map(|(stream, _)| (stream, permit))
        };
        let (stream, permit) = tokio::select! {
            accepted = next => match accepted {
                Ok(accepted) => accepted,
                // Such as too many open files: some will be closed.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut stopped => break,
        };
        let _ = stream.set_nodelay(true);
        let mut connection = http1::Builder::new();
        connection.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME).max_buf_size(MAX_HEADER_BYTES);
        let arrivals = Arrivals::default();
        let stream = TokioIo::new(TimedStream::new(stream, SEND_TIME, arrivals.clone()));
        let connection = graceful.watch(connection.serve_connection(stream, service.clone()));
        tokio::spawn(async move {
            let mut connection = std::pin::pin!(connection);
            // Errors are those of clients, which learn of them by the closed connection.
            while tokio::time::timeout_at(arrivals.last() + CONNECTION_TIME, &mut connection).await.is_err() {
                if arrivals.last().elapsed() >= CONNECTION_TIME {
                    break;
                }
            }
            drop(permit);
        });
    }
    let _ = tokio::time::timeout(STOP_TIME, graceful.shutdown()).await;
    Ok(())
}
