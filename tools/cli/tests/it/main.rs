//! Runs the command as users do. Expected output is in `tests/snapshots`; `PDN_BLESS=1` writes the new output.

mod archives;
mod append;
mod bench;
mod book;
mod check;
mod check_groups;
mod common;
mod convert;
mod convert_files;
mod corpora;
#[cfg(unix)]
mod crash;
mod drawn_boards;
mod dataset;
mod date_orders;
mod dedup;
mod export;
mod export_arrow;
#[cfg(feature = "serve")]
mod export_site;
mod find;
mod find_fields;
mod find_groups;
mod find_output;
mod find_squares;
mod fix;
mod fix_output;
mod folders;
#[cfg(unix)]
mod hostile;
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
mod opening_names;
mod options;
mod names;
mod novelty;
mod no_match;
mod other;
mod overwriting;
mod parts;
mod people;
#[path = "../../../../tests/support/snapshot.rs"]
mod snapshot;
mod readme;
mod records;
mod replaced_files;
mod position;
mod position_list;
#[cfg(target_os = "linux")]
mod shortened;
mod results;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod serve_deploy;
#[cfg(feature = "serve")]
mod serve_import;
#[cfg(feature = "serve")]
mod serve_stream;
mod serve_without;
mod sheet;
mod show;
mod solve;
mod terminal;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod trials;
mod tree;
mod tree_variant;
mod variations;
