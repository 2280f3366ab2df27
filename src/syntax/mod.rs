//! Finds where the parts of PDN begin and end in raw bytes: whitespace, lines, comments, tags, setups, results.
//!
//! No part of the stable interface: this module is public only for tests and fuzzers and may change at any time.
//!
//! The splitter and the lexer both use these functions, so they cannot disagree about what a comment or a tag is.
//! Nothing is interpreted: every function looks at the bytes from a given offset on and returns an offset. All
//! functions are linear in the bytes that they pass. [`CommentFinder`] stays linear even where braces never match.

pub(crate) mod whitespace;
mod regular_tag;
mod tag;
mod comment;
mod result;
mod tag_section;
mod prose;
mod play;
mod structural;
mod next_record;

pub(crate) use comment::{CommentClosing, CommentFinder, opens_setup, setup_end};
pub(crate) use next_record::tag_after_result;
pub(crate) use play::{PlayWord, PlayWords, heading_end, is_play, move_len};
pub(crate) use prose::{bracketed_words_end, is_certainly_variation, paragraph_end, prose_end};
pub(crate) use regular_tag::{TagForm, TagSpans, find_plain_tag, regular_tag};
pub(crate) use result::result_end_around;
pub use result::{is_glued_star, result_len, result_may_start};
pub(crate) use structural::{LOOK_BEHIND as STRUCTURAL_LOOK_BEHIND, StructuralBytes, structural_bytes};
pub(crate) use tag::{
    MAX_NAME_BYTES, MAX_VALUE_BYTES, is_cut_off, is_name_byte, is_name_start, lost_bracket, scan_tag,
    scan_tag_with, tag_form, tag_form_with,
};
pub(crate) use tag_section::regular_tags;
pub(crate) use whitespace::{
    after_empty_line, is_line_end, is_whitespace, line_end, run_end, skip_whitespace, starts_line,
    wide_whitespace,
};
