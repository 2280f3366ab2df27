//! `pdn explain`: prints the article of a diagnostic code from the guide, or lists all codes.

use std::io::Write;

use clap::Args;
use pdn_app::check::explain::{ExplainedCode, codes, explain};
use unicode_width::UnicodeWidthStr;

use crate::args::shared::FormatArgs;
use crate::output::{CommandResult, Exit, Output, sanitize};

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// Diagnostic code, such as L002, in upper or lower case [default: list all codes]
    pub(crate) code: Option<String>,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// Greatest width of a line of text on a terminal.
const MAX_WIDTH: usize = 100;

/// Runs `pdn explain`.
pub(crate) fn run(args: &ExplainArgs, out: &mut Output) -> CommandResult {
    let Some(id) = &args.code else { return list(args.format.is_json(), out) };
    let explained = explain(id)?;
    if args.format.is_json() {
        writeln!(out, "{}", sanitize::json(&explained))?;
        return Ok(Exit::Success);
    }
    let (bold, reset) = if out.coloured() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    let ExplainedCode { listed, text } = explained;
    writeln!(out, "{bold}{}: {} ({}){reset}\n", listed.code, listed.title, listed.severity.name())?;
    let article = match out.terminal_width() {
        Some(width) => reflow(text, width.min(MAX_WIDTH)),
        None => text.to_owned(),
    };
    for line in terminal_lines(&article, bold, reset) {
        writeln!(out, "{line}")?;
    }
    Ok(Exit::Success)
}

/// Lists all codes, one per line.
fn list(as_json: bool, out: &mut Output) -> CommandResult {
    for listed in codes() {
        if as_json {
            writeln!(out, "{}", sanitize::json(&listed))?;
        } else {
            writeln!(out, "{}  {:<8} {}", listed.code, listed.severity.name(), listed.title)?;
        }
    }
    Ok(Exit::Success)
}

/// Breaks the paragraphs and list items of Markdown into lines of at most `width` columns; code blocks stay as they are.
fn reflow(markdown: &str, width: usize) -> String {
    let mut text = String::new();
    let mut paragraph: Vec<&str> = Vec::new();
    let mut in_code = false;
    let flush = |text: &mut String, paragraph: &mut Vec<&str>| {
        let indent = if paragraph.first() == Some(&"-") { 2 } else { 0 };
        let mut column = 0;
        for word in paragraph.drain(..) {
            let columns = word.width();
            if column > 0 && column + 1 + columns > width {
                text.push('\n');
                text.extend(std::iter::repeat_n(' ', indent));
                column = indent;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(word);
            column += columns;
        }
        if column > 0 {
            text.push('\n');
        }
    };
    for line in markdown.lines() {
        let is_fence = line.starts_with("```");
        if in_code || is_fence || line.trim().is_empty() || line.starts_with('|') {
            flush(&mut text, &mut paragraph);
            text.extend([line, "\n"]);
            in_code ^= is_fence;
            continue;
        }
        if line.starts_with("- ") {
            flush(&mut text, &mut paragraph);
        }
        paragraph.extend(line.split_whitespace());
    }
    flush(&mut text, &mut paragraph);
    text
}

/// Formats Markdown of the guide for a terminal: code blocks are indented, `**` switches between `bold` and `reset`.
fn terminal_lines<'a>(markdown: &'a str, bold: &'a str, reset: &'a str) -> impl Iterator<Item = String> {
    let mut in_code = false;
    markdown.lines().filter_map(move |line| {
        if line.starts_with("```") {
            in_code = !in_code;
            return None;
        }
        if in_code {
            return Some(format!("    {line}").trim_end().to_owned());
        }
        let mut text = String::new();
        for (i, part) in line.split("**").enumerate() {
            text.push_str(if i == 0 {
                ""
            } else if i % 2 == 1 {
                bold
            } else {
                reset
            });
            text.push_str(part);
        }
        Some(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdn::diag::Code;
    use pdn::diag::explain;

    #[test]
    fn articles_are_broken_at_the_width_of_the_terminal() {
        let text = "One two\nthree four.\n\n- item that is long\n- next\n```text\na line of code that stays\n```\nEnd.";
        let expected = "One two\nthree four.\n\n- item that\n  is long\n- next\n```text\na line of code that stays\n```\nEnd.\n";
        assert_eq!(reflow(text, 12), expected);
        assert_eq!(reflow("unbreakable", 4), "unbreakable\n");
        for code in Code::ALL {
            let article = explain(*code);
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&reflow(article, 60)), words(article), "{code}");
        }
    }

    #[test]
    fn terminal_lines_indent_code_and_mark_bold_words() {
        let text: Vec<_> = terminal_lines("**Fix**: close `{`.\n```text\n1. 32-28\n```", "<", ">").collect();
        assert_eq!(text, ["<Fix>: close `{`.", "    1. 32-28"]);
    }
}
