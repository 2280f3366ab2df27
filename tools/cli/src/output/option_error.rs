//! Errors in the value of an option.

use super::exit::print_error;
use super::{complaints, sanitize};

/// Prints an error in the value of an option: the message, the line of the value that contains byte `start`, and carets
/// under the bytes from `start` to `end`, at least one.
pub(crate) fn print(option: &str, value: &str, start: usize, end: usize, message: &str) {
    if complaints::add(Some(option), Some([start, end]), message) {
        return;
    }
    let start = start.min(value.len());
    let line_start = value[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = value[start..].find('\n').map_or(value.len(), |at| start + at);
    let line = sanitize::text(&value[line_start..line_end]).into_owned();
    let indent = value[line_start..start].chars().count();
    let marked = value.get(start..end.clamp(start, line_end)).map_or(0, |part| part.chars().count());
    let (indent, carets) = (" ".repeat(indent), "^".repeat(marked.max(1)));
    let message = sanitize::text(message);
    print_error(&format!("{option}: {message}\n  {line}\n  {indent}{carets}"));
}
