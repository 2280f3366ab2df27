//! Prints one JSON object per diagnostic and line, and the summary on the last line.

use std::io::{self, Write};

use pdn_app::check::{CheckAnswer, FileGroup, Finding, FindingText};
use serde_json::json;

use super::DiagnosticPrinter;
use crate::output::{Output, sanitize};

/// The printer of `--format json`.
pub(super) struct Json;

impl DiagnosticPrinter for Json {
    fn finding(&mut self, finding: &Finding, _: &FindingText<'_>, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}", sanitize::json(finding))
    }

    fn file(&mut self, group: &FileGroup, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}", sanitize::json(group))
    }

    fn codes(&mut self, answer: &CheckAnswer, out: &mut Output) -> io::Result<()> {
        answer.codes.iter().try_for_each(|group| writeln!(out, "{}", sanitize::json(group)))
    }

    fn end(&mut self, answer: &CheckAnswer, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}", sanitize::json(&json!({ "summary": answer.summary })))
    }
}
