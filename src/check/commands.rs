//! Checks embedded commands in comments, such as `[%clk 1:55:21]`. Unknown commands are allowed.

use super::clocks::Clocks;
use super::scratch::Scratch;
use crate::diag::{Code, Diagnostic};
use crate::parse::Comment;
use crate::value::CommentParts;

/// Reports the unreadable commands of a comment and passes the others to `clocks`.
///
/// `clocks` comes with the number of plies before the comment; it is `None` inside a variation.
pub(super) fn check(comment: &Comment<'_>, clocks: Option<(&mut Clocks, u32)>, scratch: &mut Scratch) {
    if memchr::memchr(b'%', comment.text).is_none() {
        return;
    }
    // The text starts one byte after the brace, semicolon or percent sign.
    let start = comment.span.start + 1;
    let mut clocks = clocks;
    for command in CommentParts::new(comment.text).commands() {
        let command_span = command.span.shifted(start);
        match (command.value, &mut clocks) {
            (Err(error), _) => {
                let span = error.span.shifted(start);
                scratch.push(Diagnostic::new(Code::BadCommand, span).with_related(command_span));
            }
            (Ok(value), Some((clocks, plies))) => clocks.add(value, command_span, *plies, scratch),
            (Ok(_), None) => {}
        }
    }
}
