//! Prints SARIF 2.1.0. Each result is written at once, so that memory is bounded.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use pdn::diag::explain;
use pdn::diag::{Code, Severity};
use pdn_app::check::{CheckAnswer, CheckSummary, Finding, FindingText};
use serde_json::{Value, json};

use super::DiagnosticPrinter;
use crate::output::{Output, sanitize};

/// The printer of `--format sarif`.
#[derive(Default)]
pub(super) struct Sarif {
    /// `true` after the first result: the next one needs a comma.
    has_results: bool,
}

impl DiagnosticPrinter for Sarif {
    fn begin(&mut self, out: &mut Output) -> io::Result<()> {
        let driver = json!({
            "name": "pdn",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": Code::ALL.iter().copied().map(rule).collect::<Vec<_>>(),
        });
        let schema = "https://json.schemastore.org/sarif-2.1.0.json";
        write!(
            out,
            "{{\"$schema\":\"{schema}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{driver}}},\
             \"columnKind\":\"unicodeCodePoints\",\"results\":["
        )
    }

    fn finding(&mut self, finding: &Finding, text: &FindingText<'_>, out: &mut Output) -> io::Result<()> {
        let code = finding.code;
        let mut region = json!({
            "startLine": finding.line,
            "startColumn": finding.column,
            "endLine": text.end.line,
            "endColumn": text.end.column,
            "byteOffset": finding.at,
            "byteLength": finding.span,
        });
        if text.diagnostic.span.is_empty() {
            // SARIF demands that an empty region has no end.
            if let Value::Object(region) = &mut region {
                region.remove("endLine");
                region.remove("endColumn");
            }
        }
        let result = json!({
            "ruleId": code.id(),
            "ruleIndex": Code::ALL.iter().position(|other| *other == code),
            "level": level(finding.severity),
            "message": { "text": finding.message },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": { "uri": uri(finding.file.as_deref().unwrap_or_default()) },
                    "region": region,
                },
            }],
            "properties": { "record": finding.record },
        });
        let comma = if std::mem::replace(&mut self.has_results, true) { "," } else { "" };
        write!(out, "{comma}\n{}", sanitize::json(&result))
    }

    fn end(&mut self, answer: &CheckAnswer, out: &mut Output) -> io::Result<()> {
        let summary = CheckSummary { not_listed: None, ..answer.summary.clone() };
        writeln!(out, "\n],\"properties\":{}}}]}}", json!({ "summary": summary }))
    }
}

/// Returns the description of a code.
fn rule(code: Code) -> Value {
    json!({
        "id": code.id(),
        "name": format!("{code:?}"),
        "shortDescription": { "text": code.title() },
        "fullDescription": { "text": code.title() },
        "help": { "text": explain(code), "markdown": explain(code) },
        "defaultConfiguration": { "level": level(code.severity()) },
    })
}

/// Returns the SARIF level of a severity.
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Style => "note",
    }
}

/// Converts a path to a URI. Relative paths stay relative, so that a viewer resolves them against its checkout.
fn uri(path: &str) -> String {
    let mut uri = if Path::new(path).is_absolute() { "file://".to_owned() } else { String::new() };
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte))
            }
            _ => _ = write!(uri, "%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_converted_to_uris() {
        assert_eq!(uri("a b/é.pdn"), "a%20b/%C3%A9.pdn");
        assert_eq!(uri("/x/y.pdn"), "file:///x/y.pdn");
    }
}
