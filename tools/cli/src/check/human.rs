//! Findings for people.

use std::io::{self, Write};
use std::path::Path;

use pdn::diag::{Code, Severity};

use super::{Finding, Printer};
use crate::clean;
use crate::output::Output;
use crate::render;
use crate::totals::{self, Totals, count};

#[derive(Default)]
pub(super) struct Human {
    omitted: bool,
}

impl Printer for Human {
    fn finding(&mut self, finding: &Finding<'_>, out: &mut Output) -> io::Result<()> {
        let place = render::Place {
            file: &clean::path(finding.file),
            line: finding.start.line,
            column: finding.start.column,
            last_line: finding.last_line(),
            game: finding.number,
        };
        let text = render::finding(
            &place,
            finding.game.bytes,
            finding.encoding,
            finding.diagnostic,
            finding.detail.as_deref(),
            out.coloured(),
            out.width(),
        );
        writeln!(out, "{text}\n")?;
        // Somebody is watching: do not keep findings back until the buffer is full.
        if out.coloured() { out.flush() } else { Ok(()) }
    }

    fn omitted(&mut self, file: &Path, code: Code, number: u64, out: &mut Output) -> io::Result<()> {
        self.omitted = true;
        let file = clean::path(file);
        writeln!(out, "... and {number} more of {code} ({}) in {file}\n", code.title())
    }

    fn end(&mut self, totals: &Totals, out: &mut Output) -> io::Result<()> {
        if self.omitted {
            writeln!(out, "(`--max-findings 0` prints all of them)\n")?;
        }
        if totals.not_kept > 0 {
            let more = indicatif::HumanCount(totals.not_kept);
            writeln!(out, "... and {more} more in games that have over a thousand findings\n")?;
        }
        writeln!(out, "{}", summary(totals))
    }
}

/// Two sentences that end the report.
fn summary(totals: &Totals) -> String {
    let found = [
        (totals.errors, Severity::Error),
        (totals.warnings, Severity::Warning),
        (totals.styles, Severity::Style),
    ];
    let found: Vec<_> = found
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, severity)| match severity {
            Severity::Style => count(*number, "matter") + " of style",
            other => count(*number, other.name()),
        })
        .collect();
    let found = if found.is_empty() { "no findings".to_owned() } else { found.join(", ") };
    let odd: Vec<_> =
        [(totals.damaged, "damaged"), (totals.empty, "empty"), (totals.unsupported, "not draughts")]
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| format!("{} {what}", indicatif::HumanCount(*number)))
            .collect();
    let odd = if odd.is_empty() { String::new() } else { format!(" ({})", odd.join(", ")) };
    format!(
        "{found} in {}{odd}, {}, {}.\nThe text was checked; moves are not replayed by this version.",
        count(totals.games, "game"),
        count(totals.files, "file"),
        totals::size(totals.bytes),
    )
}
