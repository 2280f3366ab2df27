//! SARIF 2.1.0, written as the findings come so that memory stays bounded.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use pdn::diag::{Code, Severity};
use pdn::guide;
use serde_json::{Value, json};

use super::{Finding, Printer};
use crate::clean;
use crate::output::Output;
use crate::totals::Totals;

#[derive(Default)]
pub(super) struct Sarif {
    /// A result has been written, so the next one needs a comma.
    begun: bool,
}

impl Printer for Sarif {
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

    fn finding(&mut self, finding: &Finding<'_>, out: &mut Output) -> io::Result<()> {
        let code = finding.diagnostic.code;
        let mut region = json!({
            "startLine": finding.start.line,
            "startColumn": finding.start.column,
            "endLine": finding.end.line,
            "endColumn": finding.end.column,
            "byteOffset": finding.offset(),
            "byteLength": finding.length(),
        });
        if finding.diagnostic.span.is_empty() {
            // An empty region is written without its end.
            if let Value::Object(region) = &mut region {
                region.remove("endLine");
                region.remove("endColumn");
            }
        }
        let result = json!({
            "ruleId": code.id(),
            "ruleIndex": Code::ALL.iter().position(|one| *one == code),
            "level": level(finding.diagnostic.severity),
            "message": { "text": finding.message() },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": { "uri": uri(finding.file) },
                    "region": region,
                },
            }],
            "properties": { "game": finding.number },
        });
        let comma = if std::mem::replace(&mut self.begun, true) { "," } else { "" };
        write!(out, "{comma}\n{}", clean::json(&result))
    }

    fn end(&mut self, totals: &Totals, out: &mut Output) -> io::Result<()> {
        writeln!(out, "\n],\"properties\":{}}}]}}", json!({ "summary": totals.json() }))
    }
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.id(),
        "name": format!("{code:?}"),
        "shortDescription": { "text": code.title() },
        "fullDescription": { "text": code.title() },
        "help": { "text": guide::explain(code), "markdown": guide::explain(code) },
        "defaultConfiguration": { "level": level(code.severity()) },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Style => "note",
    }
}

/// The path as a URI: relative ones stay relative, so that a viewer resolves them against its checkout.
fn uri(path: &Path) -> String {
    let text = path.to_string_lossy();
    let mut uri = if path.is_absolute() { "file://".to_owned() } else { String::new() };
    for byte in text.replace('\\', "/").bytes() {
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
    fn paths_become_uris() {
        assert_eq!(uri(Path::new("a b/é.pdn")), "a%20b/%C3%A9.pdn");
        assert_eq!(uri(Path::new("/x/y.pdn")), "file:///x/y.pdn");
    }
}
