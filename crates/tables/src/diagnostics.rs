//! Rows of the table of diagnostics.

use super::batch::TableBatch;
use super::games::integer;
use super::record::RecordContext;
use super::schema::DiagnosticsColumn;
use pdn::check::detail;
use pdn::diag::explain;
use pdn::diag::{Code, Diagnostic};
use pdn::replay::ReplaySummary;

/// Appends a row for each diagnostic of a record. They are in text order.
pub(super) fn push(
    context: &RecordContext<'_>,
    diagnostics: &[Diagnostic],
    summary: &ReplaySummary,
    columns: &[DiagnosticsColumn],
    out: &mut TableBatch,
) {
    let (mut lines, mut passed) = (context.lines, 0);
    let needs_lines =
        columns.iter().any(|column| matches!(column, DiagnosticsColumn::Line | DiagnosticsColumn::Column));
    for diagnostic in diagnostics {
        let (start, end) = (diagnostic.span.start, diagnostic.span.end);
        if needs_lines {
            let start = (start as usize).min(context.bytes().len()).max(passed);
            lines.pass(&context.bytes()[passed..start], context.encoding());
            passed = start;
        }
        let (at, length) = context.place(start, end);
        for (kind, column) in columns.iter().zip(&mut out.columns) {
            match kind {
                DiagnosticsColumn::Game => column.push_i64(context.game.map(integer)),
                DiagnosticsColumn::File => column.push_word(Some(context.file), 1),
                DiagnosticsColumn::Record => column.push_i64(Some(integer(context.record))),
                DiagnosticsColumn::Code => column.push_word(Some(diagnostic.code.id()), 1),
                DiagnosticsColumn::Severity => column.push_word(Some(diagnostic.severity.name()), 1),
                DiagnosticsColumn::Line => column.push_i64(Some(integer(lines.position().line))),
                DiagnosticsColumn::Column => column.push_i64(Some(integer(lines.position().column))),
                DiagnosticsColumn::At => column.push_i64(Some(integer(at))),
                DiagnosticsColumn::Length => column.push_i64(Some(integer(length))),
                DiagnosticsColumn::Message => {
                    column.push_text(Some(&message(context.bytes(), diagnostic, summary)));
                }
                DiagnosticsColumn::Help => column.push_text(fix(diagnostic.code).as_deref()),
            }
        }
        out.rows += 1;
    }
}

/// Returns the title of the code, and the reason if there is one.
fn message(record: &[u8], diagnostic: &Diagnostic, summary: &ReplaySummary) -> String {
    let title = diagnostic.code.title();
    let is_stop = summary
        .stop
        .filter(|stop| stop.reason.code() == diagnostic.code && stop.span.start == diagnostic.span.start);
    let reason = is_stop.map(|stop| stop.reason.text().to_owned());
    match reason.or_else(|| detail(record, diagnostic)) {
        Some(reason) => format!("{title}: {reason}"),
        None => title.to_owned(),
    }
}

/// Returns how the guide says to fix a diagnostic, on one line and without its marks.
fn fix(code: Code) -> Option<String> {
    let (_, text) = explain(code).split_once("**Fix**: ")?;
    let paragraph = text.split("\n\n").next()?;
    Some(paragraph.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_fix() {
        for &code in Code::ALL {
            let text = fix(code).unwrap_or_else(|| panic!("{code}: no fix"));
            assert!(!text.is_empty() && !text.contains(['\n', '`']), "{code}: {text}");
        }
    }
}
