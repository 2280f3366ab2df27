//! What a user can ask of archives of draughts games.
//!
//! Each question is a request with typed fields, and its answer is a struct. Front ends are adapters: the command reads options
//! into a request and prints the answer, the server reads parameters and sends it as JSON, Python takes arguments and returns objects.
//! Rules, messages and errors stand here, once for all of them.
//!
//! - A text becomes the value of a field in one place: [`ask`]. What is wrong with it is an
//!   [`AppError`] with field, place and help, the same for every front end.
//! - A [`Context`] carries what long work needs: a handle to stop it, and [`Events`], which learn of problems and progress.
//! - Nothing here prints, reads a command line, or knows HTTP.
//!
//! Modules use only those above them.

#[macro_use(message)]
extern crate pdn;

pub mod ask;
pub mod read;
pub mod check;
pub mod write;
pub mod draw;
pub mod find;
#[cfg(feature = "index")]
pub mod report;
#[cfg(feature = "index")]
pub mod guide;

pub use ask::context::{CollectedEvents, Context, Events};
pub use ask::error::{AppError, ErrorCode, Help, Result};
#[cfg(feature = "index")]
pub use write::joined::JoinedOutput;
