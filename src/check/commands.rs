//! Commands embedded in comments, such as `[%clk 1:55:21]`. Unknown ones are nobody's mistake.

use super::Scratch;
use super::clocks::Clocks;
use crate::diag::{Code, Diagnostic};
use crate::parse::Comment;
use crate::value::CommentParts;

/// Notes the commands of a comment that cannot be read. `clocks` hears what the others say, with the plies before the
/// comment; there are none in a variation.
pub(super) fn check(comment: &Comment<'_>, clocks: Option<(&mut Clocks, u32)>, scratch: &mut Scratch) {
    if memchr::memchr(b'%', comment.text).is_none() {
        return;
    }
    // The text starts one byte after the brace, semicolon or percent sign.
    let start = comment.span.start + 1;
    let mut clocks = clocks;
    for command in CommentParts::new(comment.text).commands() {
        let whole = command.span.shifted(start);
        match (command.value, &mut clocks) {
            (Err(error), _) => {
                scratch
                    .push(Diagnostic::new(Code::BadCommand, error.span.shifted(start)).with_related(whole));
            }
            (Ok(value), Some((clocks, plies))) => clocks.hear(value, whole, *plies, scratch),
            (Ok(_), None) => {}
        }
    }
}
