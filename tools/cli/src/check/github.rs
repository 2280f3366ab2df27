//! Workflow commands of GitHub Actions: `::error file=...,line=...,col=...,title=...::message`.

use std::io::{self, Write};

use pdn::diag::Severity;

use super::{Finding, Printer};
use crate::output::Output;
use crate::totals::Totals;

pub(super) struct Github;

impl Printer for Github {
    fn finding(&mut self, finding: &Finding<'_>, out: &mut Output) -> io::Result<()> {
        let command = match finding.diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Style => "notice",
        };
        // The end column is meaningful only where the line is the same.
        let end = if finding.start.line == finding.end.line {
            format!(",endColumn={}", finding.end.column)
        } else {
            String::new()
        };
        writeln!(
            out,
            "::{command} file={},line={},endLine={},col={}{end},title={}::{}",
            property(&finding.file.to_string_lossy()),
            finding.start.line,
            finding.end.line,
            finding.start.column,
            finding.diagnostic.code,
            message(&finding.message()),
        )
    }

    fn end(&mut self, _: &Totals, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}

/// Text behind the second pair of colons.
fn message(text: &str) -> String {
    crate::clean::clean(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")).into_owned()
}

/// Text between commas.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(property("a,b:c%\n::error::x"), "a%2Cb%3Ac%25%0A%3A%3Aerror%3A%3Ax");
        assert_eq!(message("50% of it\r\n::stop"), "50%25 of it%0D%0A::stop");
    }
}
