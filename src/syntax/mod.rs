//! Where the parts of PDN begin and end in raw bytes: blanks, lines, comments, tags, setups, results.
//!
//! The splitter and the lexer both ask here, so that they can never disagree about what is a comment or a tag.
//! Nothing is interpreted; every function looks at bytes from a given place on and answers with an offset. All
//! are linear in the bytes they pass, and [`CommentFinder`] stays linear even where braces never match.

mod behind;
mod blank;
mod comment;
mod header;
mod plain;
mod result;
mod setup;
mod specials;
mod tag;

pub(crate) use behind::tag_after_result;
pub use blank::{
    WhitespaceRun, after_empty_line, is_blank, is_line_end, line_end, odd_blank, run_end, skip_blanks,
    starts_line,
};
pub use comment::{CommentClosing, CommentEnd, CommentFinder};
pub(crate) use header::plain_tags;
pub(crate) use plain::plain_tag;
pub use result::{is_glued_star, plain_result, result_may_start};
pub use setup::{SetupEnd, setup_end};
pub(crate) use specials::{BEFORE as BEFORE_SPECIALS, StructuralBytes, special_bytes};
pub use tag::{
    NAME_BYTES, TagForm, TagSpans, VALUE_BYTES, is_name_byte, is_name_start, lost_bracket, tag,
    tag_in_record, tag_starts,
};
pub(crate) use tag::{tag_starts_with, tag_with};
