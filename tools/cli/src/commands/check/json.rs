//! Prints one JSON object per diagnostic and line, and the summary on the last line.

use std::io::{self, Write};
use std::path::Path;

use pdn::diag::Severity;
use serde_json::json;

use super::counts::{AllCounts, CodeCounts};
use super::{DiagnosticPrinter, LocatedDiagnostic};
use crate::input::totals::Totals;
use crate::output::{Output, sanitize};

/// The printer of `--format json`.
pub(super) struct Json;

impl DiagnosticPrinter for Json {
    fn diagnostic(&mut self, located: &LocatedDiagnostic<'_>, out: &mut Output) -> io::Result<()> {
        let mut object = json!({
            "file": located.file.to_string_lossy(),
            "record": located.number,
            "offset": located.original(0),
            "length": located.record_length(),
            "line": located.start.line,
            "column": located.start.column,
            "at": located.at(),
            "span": located.span(),
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

    fn file(&mut self, name: &Path, games: u64, counts: &CodeCounts, out: &mut Output) -> io::Result<()> {
        let object = json!({
            "file": name.to_string_lossy(),
            "games": games,
            "errors": counts.severity(Severity::Error),
            "warnings": counts.severity(Severity::Warning),
            "styles": counts.severity(Severity::Style),
            "codes": counts.json(),
        });
        writeln!(out, "{}", sanitize::json(&object))
    }

    fn codes(&mut self, counts: &AllCounts, out: &mut Output) -> io::Result<()> {
        counts.objects().try_for_each(|object| writeln!(out, "{}", sanitize::json(&object)))
    }

    fn end(&mut self, totals: &Totals, counts: &AllCounts, out: &mut Output) -> io::Result<()> {
        let mut summary = totals.json();
        summary.insert("codes".to_owned(), counts.codes.json());
        summary.insert("not_listed".to_owned(), totals.not_kept.into());
        writeln!(out, "{}", sanitize::json(&json!({ "summary": summary })))
    }
}
