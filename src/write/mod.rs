//! Writes games as PDN.
//!
//! [`RecordWriter`] rewrites records in canonical PDN 3.0, or for a target program ([`Profile`]). [`GameWriter`] writes a
//! game that a program has in memory, from its moves or from an [`AnnotatedGame`](crate::replay::AnnotatedGame). Both take
//! [`WriteOptions`]. Nothing is ever left out silently: what cannot be written is an error.
//!
//! ```
//! use pdn::write::{RecordWriter, WriteOptions};
//!
//! let mut text = Vec::new();
//! RecordWriter::new(&WriteOptions::new()).write(b"[White \"Ames\"] 1.32-28 19-23;good\n*", &mut text)?;
//! assert_eq!(text, b"[White \"Ames\"]\n\n1. 32-28 19-23 {good} *\n");
//! # Ok::<(), pdn::write::Unwritten>(())
//! ```

mod unwritten;
mod filter;
mod layout;
pub(crate) mod profile;
mod options;
mod parts;
mod plies;
mod values;
mod man_steps;
mod tag_section;
mod canonical_moves;
mod canonical;
mod recheck;
mod movetext;
mod irregular;
mod record_writer;
mod line_games;
mod game_writer;

pub use filter::Strip;
pub use game_writer::{GameWriter, WriteError};
pub use layout::LineEnd;
pub use line_games::LineGame;
pub(crate) use line_games::LineWriter;
pub use options::{AddedTags, WriteOptions};
pub use profile::Profile;
pub use record_writer::RecordWriter;
pub use unwritten::Unwritten;
