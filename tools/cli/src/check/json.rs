//! A JSON object a line, the summary last.

use std::io::{self, Write};

use serde_json::json;

use super::{Finding, Printer};
use crate::clean;
use crate::output::Output;
use crate::totals::Totals;

pub(super) struct Json;

impl Printer for Json {
    fn finding(&mut self, finding: &Finding<'_>, out: &mut Output) -> io::Result<()> {
        let line = json!({
            "file": finding.file.to_string_lossy(),
            "game": finding.number,
            "line": finding.start.line,
            "column": finding.start.column,
            "offset": finding.offset(),
            "length": finding.length(),
            "code": finding.diagnostic.code.id(),
            "severity": finding.diagnostic.severity.name(),
            "message": finding.message(),
        });
        writeln!(out, "{}", clean::json(&line))
    }

    fn end(&mut self, totals: &Totals, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}", clean::json(&json!({ "summary": totals.json() })))
    }
}
