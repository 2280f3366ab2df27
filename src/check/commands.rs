//! Commands embedded in comments, such as `[%clk 1:55:21]`. Unknown ones are nobody's mistake.

use super::Scratch;
use crate::diag::{Code, Diagnostic};
use crate::parse::Comment;
use crate::value::CommentParts;

/// Notes the commands of a comment that cannot be read.
pub(super) fn check(comment: &Comment<'_>, scratch: &mut Scratch) {
    if memchr::memchr(b'%', comment.text).is_none() {
        return;
    }
    // The text starts one byte after the brace, semicolon or percent sign.
    let start = comment.span.start + 1;
    for command in CommentParts::new(comment.text).commands() {
        if let Err(error) = command.value {
            let whole = command.span.shifted(start);
            scratch.push(Diagnostic::new(Code::BadCommand, error.span.shifted(start)).with_related(whole));
        }
    }
}
