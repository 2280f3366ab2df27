//! Writes results to standard output and messages to standard error, and maps the outcome to an exit code.

pub(crate) mod sanitize;
pub(crate) mod exit;
pub(crate) mod error;
#[cfg(target_os = "linux")]
pub(crate) mod ignored_signals;
#[cfg(target_os = "linux")]
pub(crate) mod interrupt;
pub(crate) mod messages;
pub(crate) mod terminal;
pub(crate) mod table;
#[cfg(target_os = "linux")]
pub(crate) mod out_of_memory;
#[cfg(target_os = "linux")]
pub(crate) mod shortened_file;

pub(crate) use error::{CommandError, CommandResult, index_exit};
pub(crate) use exit::Exit;
pub(crate) use messages::Messages;
pub(crate) use terminal::Output;
