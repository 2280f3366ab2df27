//! `pdn explain`: prints the article of a diagnostic code from the guide, or lists all codes.

use std::io::{self, Write};

use pdn::diag::Code;
use pdn::guide;
use serde_json::json;

use crate::args::ExplainArgs;
use crate::output::exit::print_error;
use crate::output::{Exit, Output, sanitize};

/// Runs `pdn explain`.
pub(crate) fn run(args: &ExplainArgs, out: &mut Output) -> io::Result<Exit> {
    let Some(id) = &args.code else { return list(args.format.is_json(), out) };
    let Some(code) = Code::from_id(id.trim()) else {
        let id = sanitize::text(id);
        print_error(&format!("`{id}` is not a diagnostic code; `pdn explain` lists all codes"));
        return Ok(Exit::Failure);
    };
    if args.format.is_json() {
        let value = json!({
            "code": code.id(),
            "title": code.title(),
            "severity": code.severity().name(),
            "text": guide::explain(code),
        });
        writeln!(out, "{value}")?;
        return Ok(Exit::Success);
    }
    let (bold, reset) = if out.coloured() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    writeln!(out, "{bold}{code}: {} ({}){reset}\n", code.title(), code.severity().name())?;
    for line in terminal_lines(guide::explain(code), bold, reset) {
        writeln!(out, "{line}")?;
    }
    Ok(Exit::Success)
}

/// Lists all codes, one per line.
fn list(as_json: bool, out: &mut Output) -> io::Result<Exit> {
    for code in Code::ALL {
        if as_json {
            let value =
                json!({ "code": code.id(), "title": code.title(), "severity": code.severity().name() });
            writeln!(out, "{value}")?;
        } else {
            writeln!(out, "{code}  {:<8} {}", code.severity().name(), code.title())?;
        }
    }
    Ok(Exit::Success)
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

    #[test]
    fn terminal_lines_indent_code_and_mark_bold_words() {
        let text: Vec<_> = terminal_lines("**Fix**: close `{`.\n```text\n1. 32-28\n```", "<", ">").collect();
        assert_eq!(text, ["<Fix>: close `{`.", "    1. 32-28"]);
    }
}
