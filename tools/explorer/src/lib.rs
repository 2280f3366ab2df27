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

mod problem;
mod params;
mod answers;
mod page;
mod picture;
mod front;
mod host;
mod lichess;
mod recent;
mod served_archive;
mod requests;
mod archives;
mod route_table;
mod metrics;
mod room;
mod response;
mod token;
mod bodies;
mod import;
mod import_records;
mod import_archive;
mod game_import;
mod cache;
mod known_indexes;
mod stop;
mod lines;
mod work;
mod description;
mod routes;
mod timed_stream;
mod server;
#[doc(hidden)]
pub mod probe;
mod site;
#[cfg(test)]
mod served;

pub use answers::{Answer, Answers, Download, GameForm, Question, ServedIndex};
pub use archives::Archives;
pub use game_import::GameImport;
pub use import::Importer;
pub use page::page_files;
pub use params::Params;
pub use problem::Problem;
pub use served_archive::{ServedArchive, free_name};
pub use server::{Server, ServerOptions};
pub use site::{SiteOptions, SiteSummary, WrittenFiles, export_site};
pub use token::Token;
