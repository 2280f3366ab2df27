//! What is recorded while a record is walked: the tokens of its main line and the spans of its tags.

mod tokens;
mod tag_names;
mod drawn_start;
mod main_line;
mod variations;

pub(super) use drawn_start::DrawnStart;
pub(super) use main_line::MainLine;
pub(super) use tag_names::TagNameCache;
pub use tokens::LineTokens;
pub(super) use tokens::{LineToken, LineTokenKind};
pub use variations::{RecordedVariation, Variations};
