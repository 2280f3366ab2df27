//! The web server and the page of `pdn serve`: an archive of draughts games in the browser.
//!
//! [`Server`] speaks HTTP and serves the page; an implementation of [`Answers`] knows the archive. The `pdn` command has the
//! one that people use. Every answer is computed on a thread of its own, within a budget of time, and is stopped when its
//! client goes away.
//!
//! ```text
//!  browser -> host check -> routes -> cache -> work (permits, budget, stop) -> Answers
//!  program -> host check -> token  -> queue ------------------------------> Importer
//! ```
//!
//! Games are imported at a second address, if there is an [`Importer`]. The routes of one address do not exist at the other.
//!
//! Routes, parameters and errors are described in the guide of the `pdn` crate, page "explorer".

#![cfg_attr(
    not(feature = "server"),
    expect(dead_code, reason = "what only the server and the sites of files use")
)]

#[macro_use(message)]
extern crate pdn;

mod problem;
mod params;
mod hash;
mod game_digest;
#[cfg(feature = "server")]
mod lichess;
mod answers;
#[cfg(feature = "server")]
mod page;
mod picture;
#[cfg(feature = "server")]
mod front;
#[cfg(feature = "server")]
mod host;
mod recent;
mod served_archive;
mod route_options;
mod requests;
mod archives;
#[cfg(feature = "server")]
mod import_records;
#[cfg(feature = "server")]
mod import_archive;
#[cfg(feature = "server")]
mod game_import;
#[cfg(feature = "server")]
mod schemas;
mod route_table;
mod module;
mod asked;
#[cfg(feature = "server")]
mod metrics;
#[cfg(feature = "server")]
mod room;
#[cfg(feature = "server")]
mod response;
#[cfg(feature = "server")]
mod token;
#[cfg(feature = "server")]
mod bodies;
#[cfg(feature = "server")]
mod import;
#[cfg(feature = "server")]
mod cache;
#[cfg(feature = "server")]
mod known_indexes;
#[cfg(feature = "server")]
mod stop;
#[cfg(feature = "server")]
mod lines;
#[cfg(feature = "server")]
mod work;
#[cfg(feature = "server")]
mod description;
#[cfg(feature = "server")]
mod routes;
#[cfg(feature = "server")]
mod timed_stream;
#[cfg(feature = "server")]
mod server;
#[cfg(all(test, feature = "server"))]
mod probe;
#[cfg(feature = "server")]
mod site;
#[cfg(all(test, feature = "server"))]
mod served;

#[cfg(feature = "server")]
pub use answers::Importer;
pub use answers::{Answer, Answers, Question, ServedIndex};
pub use archives::Archives;
pub use asked::answer;
#[cfg(feature = "server")]
pub use game_import::GameImport;
pub use module::{ENDINGS_FOLDER, MODULE_MARK, NAMES_FILE, read_names};
pub use params::Params;
pub use problem::{Problem, Reason};
pub use requests::Files;
pub use served_archive::{ServedArchive, free_name};
#[cfg(feature = "server")]
pub use server::{Server, ServerOptions};
#[cfg(feature = "server")]
pub use site::{MODULE_FILES, SiteOptions, SiteSummary, WrittenFiles, export_site};
#[cfg(feature = "server")]
pub use token::Token;
