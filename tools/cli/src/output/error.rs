//! Why a command ends without its result, and the one place that prints errors.

use std::io;
use std::path::PathBuf;

use pdn_app::read::searched::SearchedIndex;
use pdn_app::{AppError, ErrorCode};

use super::exit::{Exit, print_error};
use super::sanitize;
use crate::args::spelt;

/// Why a command ends without its result.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// Standard output cannot be written.
    Output(io::Error),
    /// The question has no answer.
    App(AppError),
}

/// The result of a command.
pub(crate) type CommandResult<T = Exit> = Result<T, CommandError>;

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<AppError> for CommandError {
    fn from(error: AppError) -> Self {
        Self::App(error)
    }
}

impl From<pdn::Error> for CommandError {
    fn from(error: pdn::Error) -> Self {
        Self::App(error.into())
    }
}

/// Converts the outcome of a command to the exit code of the process, and prints its error. A closed pipe counts as success.
pub(crate) fn exit_code(outcome: CommandResult) -> u8 {
    match outcome {
        Ok(exit) => exit as u8,
        // The reader has all it wanted, as in `pdn check ... | head`.
        Err(CommandError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success as u8,
        Err(CommandError::App(error)) => {
            print(&error);
            exit_of(&error) as u8
        }
        Err(CommandError::Output(error)) => {
            print_error(&format!("cannot write the results: {error}"));
            Exit::Failure as u8
        }
    }
}

/// Returns the exit code of a command that ended with an error.
pub(crate) fn exit_of(error: &AppError) -> Exit {
    match error.code {
        ErrorCode::NoMatch => Exit::Negative,
        ErrorCode::Stopped => Exit::Interrupted,
        _ => Exit::Failure,
    }
}

/// Returns the exit code of a command that searched an index and ended with `exit`: a failure if an archive could not be read
/// completely. Names the tables of the index that the search had to do without.
pub(crate) fn index_exit(index: &SearchedIndex, exit: Exit) -> Exit {
    name_unusable(&index.unusable_tables());
    if index.is_complete() { exit } else { exit.max(Exit::Failure) }
}

/// Names the damaged tables of an index that an answer had to do without.
pub(crate) fn name_unusable(tables: &[PathBuf]) {
    for table in tables {
        print_error(&format!(
            "{}: damaged, and not used: answers are the same, and slower; `pdn index --append` with any archive of the index makes \
             it again",
            table.display()
        ));
    }
}

/// Prints an error to standard error: the option and the path that it is about, the message, the wrong part of the option's value,
/// and what to do.
pub(crate) fn print(error: &AppError) {
    print_error(&text(error));
}

/// Returns the text of an error, safe for a terminal.
fn text(error: &AppError) -> String {
    let mut text = String::new();
    if let Some(field) = error.field {
        text += &spelt(field);
        if let (Some(value), None) = (&error.value, error.span) {
            text += &format!(" {}", sanitize::text(value));
        }
        text += ": ";
    }
    if let Some(path) = &error.path {
        text += &format!("{}: ", sanitize::path(path));
    }
    text += &sanitize::text(&error.message);
    if let (Some(value), Some(span)) = (&error.value, error.span) {
        text += &marked(value, span.start as usize, span.end as usize);
    }
    for line in &error.details {
        text += &format!("\n  {}", sanitize::text(line));
    }
    if let Some(help) = &error.help {
        let subject = help.field.map_or_else(String::new, |field| format!("`{}` ", spelt(field)));
        text += &format!("\n  {subject}{}", sanitize::text(&help.text));
    }
    text
}

/// Returns the line of a value that contains byte `start`, and carets under the bytes from `start` to `end`, at least one.
fn marked(value: &str, start: usize, end: usize) -> String {
    let boundary = |at: usize| (0..=at).rev().find(|&at| value.is_char_boundary(at)).unwrap_or(0);
    let start = boundary(start.min(value.len()));
    let line_start = value[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = value[start..].find('\n').map_or(value.len(), |at| start + at);
    let line = sanitize::text(&value[line_start..line_end]).into_owned();
    let indent = value[line_start..start].chars().count();
    let end = boundary(end.clamp(start, line_end));
    let (indent, carets) = (" ".repeat(indent), "^".repeat(value[start..end].chars().count().max(1)));
    format!("\n  {line}\n  {indent}{carets}")
}

#[cfg(test)]
mod tests {
    use super::*;

    use pdn::span::Span;

    #[test]
    fn error_names_option_path_part_and_cure() {
        let error = AppError::part(
            "min_rating",
            "a\nbc\u{1b}d",
            Span::new(3, 5),
            message!("test", "expected\ta number"),
        )
        .at("x.pdn")
        .cured_by("variant", "chooses one");
        assert_eq!(
            text(&error),
            "--min-rating: x.pdn: expected a number\n  bc␛d\n   ^^\n  `--variant` chooses one"
        );
        let error = AppError::part("query", "é", Span::new(1, 9), message!("test", "odd"));
        assert_eq!(text(&error), "--query: odd\n  é\n  ^", "a span inside a character");
    }
}
