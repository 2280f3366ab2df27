//! Replays a game for display: every ply with its position, text, comments, clocks and variations.
//!
//! Allocates what the game needs. Variations are recorded without recursion, so only
//! [`Limits`](crate::limits::Limits) bounds their depth.

mod game;
mod raw_line;
mod played_line;
mod annotator;

pub use annotator::annotate;
pub(crate) use annotator::{PlayedToken, TokenEffect};
pub use game::{AnnotatedGame, AnnotatedLine, AnnotatedPly};
