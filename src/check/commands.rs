//! Checks embedded commands in comments, such as `[%clk 1:55:21]`. Unknown commands are allowed.

use super::clocks::Clocks;
use super::scratch::Scratch;
use crate::diag::{Code, Diagnostic, Severity};
use crate::parse::Comment;
use crate::value::CommentParts;

/// Reports the commands of a comment that cannot be read and, if asked for `style`, those that are read although the standard has no such
/// form. Passes the others to `clocks`.
///
/// `clocks` comes with the number of plies before the comment; it is `None` inside a variation.
pub(super) fn check(
    comment: &Comment<'_>,
    style: bool,
    clocks: Option<(&mut Clocks, u32)>,
    scratch: &mut Scratch,
) {
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
                let mut diagnostic = Diagnostic::new(Code::BadCommand, span).with_related(command_span);
                if command.loose_value(comment.text).is_some() {
                    diagnostic.severity = Severity::Style;
                }
                if style || diagnostic.severity > Severity::Style {
                    scratch.push(diagnostic);
                }
            }
            (Ok(value), Some((clocks, plies))) => clocks.add(value, command_span, *plies, scratch),
            (Ok(_), None) => {}
        }
    }
}
