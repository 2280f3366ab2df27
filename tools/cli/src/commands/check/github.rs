//! Prints workflow commands of GitHub Actions: `::error file=...,line=...,col=...,title=...::message`.

use std::io::{self, Write};

use pdn::diag::Severity;
use pdn_app::check::{CheckAnswer, Finding, FindingText};

use super::DiagnosticPrinter;
use crate::output::{Output, sanitize};

/// The printer of `--format github`.
pub(super) struct Github;

impl DiagnosticPrinter for Github {
    fn finding(&mut self, finding: &Finding, text: &FindingText<'_>, out: &mut Output) -> io::Result<()> {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Style => "notice",
        };
        // GitHub ignores the end column unless the span is on one line.
        let end = if finding.line == text.end.line {
            format!(",endColumn={}", text.end.column)
        } else {
            String::new()
        };
        writeln!(
            out,
            "::{command} file={},line={},endLine={},col={}{end},title={}::{}",
            property(finding.file.as_deref().unwrap_or_default()),
            finding.line,
            text.end.line,
            finding.column,
            finding.code,
            message(&finding.message),
        )
    }

    fn end(&mut self, _: &CheckAnswer, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}

/// Escapes the text after the second pair of colons.
fn message(text: &str) -> String {
    sanitize::text(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")).into_owned()
}

/// Escapes the value of a property.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_of_commands_are_escaped() {
        assert_eq!(property("a,b:c%\n::error::x"), "a%2Cb%3Ac%25%0A%3A%3Aerror%3A%3Ax");
        assert_eq!(message("50% of it\r\n::stop"), "50%25 of it%0D%0A::stop");
    }
}
