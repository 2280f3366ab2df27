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
        let mut line = json!({
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
        if let (Some(stopped), Some(line)) = (&finding.words.stopped, line.as_object_mut()) {
            line.insert("ply".to_owned(), stopped.ply.into());
            line.insert("move".to_owned(), String::from_utf8_lossy(&stopped.text).into());
            line.insert("variant".to_owned(), finding.variant.map(|variant| variant.name()).into());
            line.insert("fen".to_owned(), stopped.position.fen().into());
            line.insert("legal".to_owned(), stopped.legal.clone().into());
            line.insert("meant".to_owned(), stopped.meant.clone().into());
        }
        writeln!(out, "{}", clean::json(&line))
    }

    fn end(&mut self, totals: &Totals, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}", clean::json(&json!({ "summary": totals.json() })))
    }
}
