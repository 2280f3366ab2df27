//! How archives are opened: files, streams and memory, their containers, encodings and limits.
//!
//! An [`Archive`](crate::archive::Archive) is opened with [`OpenOptions`], from a path, from any [`Read`](std::io::Read), or from
//! bytes in memory. A file, a stream and the same bytes in memory give exactly the same games. Files are read, and mapped
//! into memory only if [`OpenOptions::map_files`] was called.
//!
//! - Containers (gzip, zstd, bzip2, zip) are recognised by their first bytes, never by their names. Containers inside
//!   containers are not unpacked. [`SourceLimits`] bound what is read and unpacked.
//! - A list of positions, a FEN on each line, arrives as records with a FEN tag.
//! - Games are taken out of JSON, pages of HTML and posts of forums; what stands between them is left out.
//! - UTF-16 is recognised by its byte order mark or by its pattern and arrives as UTF-8. All other bytes are unchanged. A UTF-8
//!   byte order mark stays at the front of the first record, because every byte belongs to a record.
//! - The 8-bit [`Encoding`] of text is guessed by [`Decoder`], per record and only when text is requested.
//! - [`walk`] expands folders.
//!
//! ```
//! use pdn::archive::Archive;
//! use pdn::source::{Encoding, OpenOptions, SourceLimits};
//!
//! let limits = SourceLimits::new().max_bytes(1 << 30);
//! let options = OpenOptions::new().encoding(Some(Encoding::CP866)).limits(limits);
//! let text = &b"[White \"\x88\xA2\xA0\xAD\"] 1. c3-d4 *"[..];
//! let game = Archive::from_reader(text, "games.pdn", &options)?.games().next().expect("one game")?;
//! assert_eq!(game.text("White").as_deref(), Some("Иван"));
//! # Ok::<(), pdn::Error>(())
//! ```
//!
//! This module does not split or parse, starts no threads, and does not read ahead of the caller.
//!
//! Cost: opening reads at most 64 KiB. A stream holds less than a megabyte, plus the memory of its decompressor:
//! 40 kB for gzip, 4 MB for bzip2, the window of the frame for zstd ([`SourceLimits::zstd_window_log`]).

// Each file uses only files declared above it.
pub(crate) mod pull;
mod buffers;
mod utf16_form;
#[cfg(any(test, not(feature = "all-encodings")))]
mod single_byte;
#[cfg(any(test, not(feature = "all-encodings")))]
mod utf16_decoder;
mod standard;
mod charset;
mod options;
pub(crate) mod map;
pub(crate) mod bytes;
mod plausible;
mod misread;
mod encoding;
pub(crate) mod line_counter;
pub(crate) mod path_text;
pub(crate) mod container;
mod budget;
pub(crate) mod text_offsets;
mod transcoder;
mod position_list;
mod excerpts;
mod json_game;
mod json;
mod markup;
pub(crate) mod excerpt_stage;
pub(crate) mod text_form;
pub(crate) mod stream;
pub(crate) mod plain;
#[cfg(feature = "compression")]
mod codec;
pub(crate) mod input;
#[cfg(feature = "compression")]
mod zip;
pub(crate) mod walk;
pub(crate) mod open;
mod open_part;

pub(crate) use buffers::{BufferPool, PooledBuffer};
pub use bytes::Bytes;
pub use charset::{Encoding, UnknownEncoding};
pub use encoding::{Decoder, EncodingGuess, detect_encoding};
pub(crate) use line_counter::LineCounter;
#[cfg(test)]
pub(crate) use map::read_and_mapped;
pub(crate) use misread::misread_text;
pub(crate) use open::open_files;
pub(crate) use open_part::{is_plain_text, open_from, rest_from_reader, unchanged_file};
pub use options::{OpenOptions, SourceLimits};
pub use walk::{PathWalk, walk};

pub(crate) use container::require_text;
pub(crate) use input::{Input, InputBytes};
pub(crate) use line_counter::count_line_ends;
pub(crate) use open::{Inputs, from_bytes, from_reader, open, open_file};
pub(crate) use pull::ReadProgress;
pub(crate) use stream::Stream;
pub(crate) use text_form::TextForm;
pub(crate) use text_offsets::TextOffsets;
