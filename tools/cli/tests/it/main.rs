//! Runs the command as users do. What it prints is in `tests/cases`, see [`pages`]; what takes more
//! than a command is tested here.

mod archives;
mod append;
mod bench;
mod book;
mod check;
mod common;
mod convert;
mod convert_files;
mod corpora;
#[cfg(unix)]
mod crash;
mod drawn_boards;
mod dataset;
mod export;
mod export_arrow;
#[cfg(feature = "serve")]
mod export_site;
mod find;
mod folders;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod hostile_hunt;
#[cfg(unix)]
mod leftovers;
mod hostile_full_size;
mod hostile_rewriting;
mod fmt;
mod import;
mod index;
mod instruction_sets;
mod join;
mod json;
mod library;
mod options;
mod other;
mod overwriting;
#[cfg(unix)]
mod pages;
mod parts;
mod records;
mod replaced_files;
mod position;
#[cfg(target_os = "linux")]
mod shortened;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod serve_deploy;
#[cfg(feature = "serve")]
mod serve_import;
#[cfg(feature = "serve")]
mod serve_stream;
#[cfg(not(feature = "serve"))]
mod serve_without;
mod show;
mod terminal;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod trials;
mod tree;
mod tree_variant;
