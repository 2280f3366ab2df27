//! `pdn explain`: the long text of a code.

use std::io::{self, Write};

use pdn::diag::Code;
use pdn::guide;
use serde_json::json;

use crate::args::ExplainArgs;
use crate::exit::{Exit, complain};
use crate::output::Output;

/// Runs the subcommand.
pub(crate) fn run(args: &ExplainArgs, out: &mut Output) -> io::Result<Exit> {
    let Some(id) = &args.code else { return list(args.json, out) };
    let Some(code) = Code::from_id(id.trim()) else {
        let id = crate::clean::clean(id);
        complain(&format!("`{id}` is no diagnostic code; `pdn explain` alone lists all of them"));
        return Ok(Exit::Failed);
    };
    if args.json {
        let value = json!({
            "code": code.id(),
            "title": code.title(),
            "severity": code.severity().name(),
            "text": guide::explain(code),
        });
        writeln!(out, "{value}")?;
        return Ok(Exit::Done);
    }
    let (bold, plain) = if out.coloured() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    writeln!(out, "{bold}{code}: {} ({}){plain}\n", code.title(), code.severity().name())?;
    for line in terminal_text(guide::explain(code), bold, plain) {
        writeln!(out, "{line}")?;
    }
    Ok(Exit::Done)
}

/// All codes, a line each.
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
    Ok(Exit::Done)
}

/// The Markdown of the guide as a terminal shows it: code blocks indented, bold words bold.
fn terminal_text<'a>(markdown: &'a str, bold: &'a str, plain: &'a str) -> impl Iterator<Item = String> {
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
                plain
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
    fn markdown_is_made_readable() {
        let text: Vec<_> = terminal_text("**Mend**: close `{`.\n```text\n1. 32-28\n```", "<", ">").collect();
        assert_eq!(text, ["<Mend>: close `{`.", "    1. 32-28"]);
    }
}
