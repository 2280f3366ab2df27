//! Prints one JSON object per diagnostic and line, and the summary on the last line.

use std::io::{self, Write};

use serde_json::json;

use super::{DiagnosticPrinter, LocatedDiagnostic};
use crate::input::totals::Totals;
use crate::output::{Output, sanitize};

/// The printer of `--format json`.
pub(super) struct Json;

impl DiagnosticPrinter for Json {
    fn diagnostic(&mut self, located: &LocatedDiagnostic<'_>, out: &mut Output) -> io::Result<()> {
        let mut object = json!({
            "file": located.file.to_string_lossy(),
            "game": located.number,
            "line": located.start.line,
            "column": located.start.column,
            "offset": located.offset(),
            "length": located.length(),
            "code": located.diagnostic.code.id(),
            "severity": located.diagnostic.severity.name(),
            "message": located.message(),
        });
        if let (Some(mv), Some(object)) = (&located.explanation.unplayable, object.as_object_mut()) {
            object.insert("ply".to_owned(), mv.ply.into());
            object.insert("move".to_owned(), String::from_utf8_lossy(&mv.text).into());
            object.insert("variant".to_owned(), located.variant.map(|variant| variant.name()).into());
            object.insert("fen".to_owned(), mv.position.fen().into());
            object.insert("legal".to_owned(), mv.legal.clone().into());
            object.insert("meant".to_owned(), mv.meant.clone().into());
        }
        writeln!(out, "{}", sanitize::json(&object))
    }

    fn end(&mut self, totals: &Totals, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}", sanitize::json(&json!({ "summary": totals.json() })))
    }
}
